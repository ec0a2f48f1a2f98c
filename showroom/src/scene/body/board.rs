//! A deck on four wheels, and its rider.

use glam::Vec3;

use super::lamps::Lamps;
use super::paint::{DENIM, RED, SKIN, STEEL, TRIM, WHITE, WOOD};
use super::{Plan, VehicleShape};
use crate::scene::mesh::MeshData;
use crate::scene::solids::Slab;

/// Thickness of the deck (`m`).
const THICK: f32 = 0.013;
/// How far its ends bend up (`m`).
const KICK: f32 = 0.035;

pub(super) fn shape(plan: &Plan) -> VehicleShape {
    let mut mesh = MeshData::default();
    let under = plan.wheel_top() + 0.012;
    deck(plan, under, &mut mesh);
    for wheel in plan.left() {
        let axle = [1.0, -1.0].map(|side| wheel.center.with_y(side * wheel.center.y));
        mesh.tube(axle, [0.010; 2], 6, STEEL);
        let base = [
            wheel.center.with_y(0.0),
            Vec3::new(wheel.center.x, 0.0, under),
        ];
        mesh.tube(base, [0.022, 0.034], 6, STEEL);
    }
    let battery = Vec3::new(plan.x(0.5), 0.0, under - 0.015);
    mesh.add_box(battery, Vec3::new(0.16, 0.07, 0.014), TRIM);
    rider(plan, under + THICK, &mut mesh);
    VehicleShape::simple(mesh, Lamps::default(), WOOD)
}

/// The deck, rounded and bent up at both ends; grip tape on it.
fn deck(plan: &Plan, under: f32, mesh: &mut MeshData) {
    const PARTS: u8 = 16;
    let half = plan.half();
    let at = |n: u8, side: f32, up: f32| {
        let share = f32::from(n) / f32::from(PARTS);
        let end = ((2.0 * share - 1.0).abs() - 0.7).max(0.0) / 0.3;
        let wide = half * (1.0 - 0.75 * end * end * end);
        Vec3::new(plan.x(share), side * wide, under + KICK * end * end + up)
    };
    for n in 0..PARTS {
        let next = n + 1;
        let top = [
            at(n, -1.0, THICK),
            at(next, -1.0, THICK),
            at(next, 1.0, THICK),
            at(n, 1.0, THICK),
        ];
        mesh.quad(top, TRIM);
        mesh.quad(
            [
                at(n, 1.0, 0.0),
                at(next, 1.0, 0.0),
                at(next, -1.0, 0.0),
                at(n, -1.0, 0.0),
            ],
            RED,
        );
        mesh.quad(
            [
                at(next, 1.0, 0.0),
                at(n, 1.0, 0.0),
                at(n, 1.0, THICK),
                at(next, 1.0, THICK),
            ],
            WOOD,
        );
        mesh.quad(
            [
                at(n, -1.0, 0.0),
                at(next, -1.0, 0.0),
                at(next, -1.0, THICK),
                at(n, -1.0, THICK),
            ],
            WOOD,
        );
    }
    for (n, side) in [(0, 1.0), (PARTS, -1.0)] {
        let face = [
            at(n, side, 0.0),
            at(n, -side, 0.0),
            at(n, -side, THICK),
            at(n, side, THICK),
        ];
        mesh.quad(face, WOOD);
    }
}

/// A person who stands across the deck with bent knees and looks ahead.
fn rider(plan: &Plan, foot: f32, mesh: &mut MeshData) {
    let at = |x: f32, y: f32, z: f32| Vec3::new(plan.x(0.5) + x, y, foot + z);
    let hip = at(-0.02, 0.0, 0.74);
    for end in [-1.0, 1.0_f32] {
        let ankle = at(0.21 * end, 0.02, 0.07);
        let knee = at(0.22 * end, -0.16, 0.42);
        mesh.block(
            Slab::new([ankle.x - 0.05, ankle.x + 0.05], 0.12, foot),
            Slab::new([ankle.x - 0.04, ankle.x + 0.04], 0.09, foot + 0.07),
            WHITE,
        );
        mesh.tube([ankle, knee], [0.05, 0.06], 8, DENIM);
        mesh.tube(
            [knee, hip + Vec3::X * (0.09 * end)],
            [0.065, 0.085],
            8,
            DENIM,
        );
        let shoulder = at(0.19 * end + 0.03, 0.0, 1.20);
        let elbow = at(0.42 * end + 0.03, 0.0, 1.02);
        let hand = at(0.62 * end + 0.03, -0.06, 1.14);
        mesh.tube([shoulder, elbow], [0.055, 0.045], 8, RED);
        mesh.tube([elbow, hand], [0.042, 0.032], 8, SKIN);
    }
    mesh.tube(
        [hip - Vec3::Z * 0.08, at(0.0, 0.0, 1.0)],
        [0.13, 0.14],
        10,
        RED,
    );
    mesh.tube(
        [at(0.0, 0.0, 1.0), at(0.03, 0.0, 1.26)],
        [0.14, 0.16],
        10,
        RED,
    );
    mesh.tube(
        [at(0.04, 0.0, 1.26), at(0.05, 0.0, 1.34)],
        [0.05; 2],
        8,
        SKIN,
    );
    mesh.tube(
        [at(0.05, 0.0, 1.33), at(0.055, 0.0, 1.46)],
        [0.085, 0.105],
        10,
        SKIN,
    );
    mesh.tube(
        [at(0.055, 0.0, 1.44), at(0.05, 0.0, 1.58)],
        [0.118, 0.07],
        10,
        TRIM,
    );
}
