//! Tanks: a hull between tracks, and a turret with a gun.

use glam::{Vec2, Vec3};

use super::lamps::Lamps;
use super::paint::{OLIVE, RUBBER, STEEL, TRIM};
use super::{Plan, VehicleShape};
use crate::scene::mesh::MeshData;
use crate::scene::solids::Slab;

/// Length of a link of a track (`m`).
const LINK: f32 = 0.17;
/// Thickness of a track (`m`).
const THICK: f32 = 0.05;
/// Points of a track around each end.
const ROUND: u8 = 8;

/// The loop of a track, in the middle plane of its wheels.
struct Track {
    /// Ends of the row of road wheels: x of its first and last, height of its axles, their radius.
    row: [f32; 2],
    axle: f32,
    radius: f32,
    /// Centers of idler and sprocket, and their radius.
    ends: [Vec2; 2],
    round: f32,
    /// Distance from the middle, and width.
    side: f32,
    width: f32,
}

impl Track {
    fn of(plan: &Plan) -> Self {
        let first = plan.left().map(|w| w.center.x).fold(f32::MAX, f32::min);
        let last = plan.left().map(|w| w.center.x).fold(f32::MIN, f32::max);
        let wheel = plan.wheels[0];
        let (round, high) = (0.9 * wheel.radius, wheel.center.z + 0.40);
        Self {
            row: [first, last],
            axle: wheel.center.z,
            radius: wheel.radius,
            ends: [plan.low.x + 0.45, plan.high.x - 0.45].map(|x| Vec2::new(x, high)),
            round,
            side: wheel.center.y.abs(),
            width: wheel.width,
        }
    }

    /// Corners of the loop, counter-clockwise as seen from the left: along the ground ahead, up, back, down.
    fn corners(&self) -> Vec<Vec2> {
        let ground = self.axle - self.radius;
        let mut corners = vec![
            Vec2::new(self.row[0], ground),
            Vec2::new(self.row[1], ground),
        ];
        let half = core::f32::consts::PI;
        // The front goes round from below to the top, then the rear from the top to below.
        for (end, from) in [(self.ends[1], -0.35 * half), (self.ends[0], 0.5 * half)] {
            for n in 0..=ROUND {
                let angle = from + 0.85 * half * f32::from(n) / f32::from(ROUND);
                corners.push(end + Vec2::new(angle.cos(), angle.sin()) * self.round);
            }
        }
        corners
    }

    /// Points along the loop, a link apart.
    fn links(&self) -> Vec<Vec2> {
        let corners = self.corners();
        let next = |n: usize| corners[(n + 1) % corners.len()];
        let sides = corners.iter().enumerate();
        let points = sides.flat_map(|(n, from)| {
            let (from, to) = (*from, next(n));
            let parts = ((to - from).length() / LINK).round().max(1.0) as u16;
            (0..parts).map(move |part| from.lerp(to, f32::from(part) / f32::from(parts)))
        });
        points.collect()
    }

    /// Outside, inside and edges of the links.
    fn draw(&self, mesh: &mut MeshData, side: f32) {
        let links = self.links();
        let edge = |y: f32| side * self.side + 0.5 * self.width * y;
        for (n, from) in links.iter().enumerate() {
            let to = links[(n + 1) % links.len()];
            let out = (to - *from).perp().normalize_or_zero() * -THICK;
            let at = |point: Vec2, y: f32| Vec3::new(point.x, edge(y), point.y);
            let color = if n % 2 == 0 { STEEL * 0.75 } else { RUBBER };
            let [inner, outer] = [[*from, to], [*from + out, to + out]];
            let strip = |[a, b]: [Vec2; 2], y: [f32; 2]| {
                [at(a, y[0]), at(b, y[0]), at(b, y[1]), at(a, y[1])]
            };
            mesh.quad(strip(outer, [1.0, -1.0]), color);
            mesh.quad(strip(inner, [-1.0, 1.0]), color);
            for y in [1.0, -1.0] {
                let [a, b, c, d] = [
                    at(inner[0], y),
                    at(outer[0], y),
                    at(outer[1], y),
                    at(inner[1], y),
                ];
                mesh.quad(if y > 0.0 { [d, c, b, a] } else { [a, b, c, d] }, color);
            }
        }
        for end in self.ends {
            let ends = [-0.8, 0.8].map(|y| Vec3::new(end.x, edge(y), end.y));
            mesh.tube(ends, [0.92 * self.round; 2], 12, STEEL);
        }
    }

    /// The height above the upper run.
    fn top(&self) -> f32 {
        self.ends[0].y + self.round + THICK + 0.04
    }
}

pub(super) fn shape(plan: &Plan) -> VehicleShape {
    let mut mesh = MeshData::default();
    let track = Track::of(plan);
    mesh.both_sides(|mesh, side| track.draw(mesh, side));
    let inner = track.side - 0.5 * track.width - 0.05;
    let (top, deck) = (track.top(), plan.z(0.62));
    let [rear, front] = [plan.low.x + 0.1, plan.high.x];
    mesh.block(
        Slab::new([rear + 0.35, front - 0.75], inner, plan.low.z),
        Slab::new([rear, front - 0.1], inner, top),
        OLIVE,
    );
    let half = plan.half();
    let hull = mesh.block(
        Slab::new([rear, front], half, top),
        Slab::new(
            [rear + 0.15, front - 1.1],
            0.96 * half,
            deck.max(top + 0.12),
        ),
        OLIVE,
    );
    mesh.panel(hull.top, [0.04, 0.30], [0.2, 0.8], TRIM);
    turret(plan, deck, &mut mesh);
    mesh.both_sides(|mesh, side| {
        let drum = |y: f32| Vec3::new(rear + 0.05, side * y, deck + 0.02);
        mesh.tube([drum(0.25), drum(0.95)], [0.2; 2], 10, OLIVE * 0.85);
    });
    let mut lamps = Lamps::default();
    lamps.rear(
        Vec3::new(rear - 0.02, half - 0.22, top + 0.02),
        [0.14, 0.07],
    );
    lamps.front(Vec3::new(front - 0.3, half - 0.3, top + 0.16), [0.14, 0.07]);
    VehicleShape::simple(mesh, lamps, OLIVE)
}

/// A cast turret with gun, cupola and boxes.
fn turret(plan: &Plan, deck: f32, mesh: &mut MeshData) {
    let (x, top) = (plan.x(0.54), plan.high.z);
    let at = |along: f32, y: f32, z: f32| Vec3::new(x + along, y, z);
    let wide = 0.72 * plan.half();
    let middle = deck + 0.55 * (top - deck);
    mesh.tube(
        [at(0.0, 0.0, deck - 0.02), at(0.0, 0.0, middle)],
        [wide, 0.96 * wide],
        16,
        OLIVE,
    );
    mesh.tube(
        [at(0.0, 0.0, middle), at(-0.05, 0.0, top)],
        [0.96 * wide, 0.66 * wide],
        16,
        OLIVE,
    );
    let bore = middle - 0.02;
    mesh.tube(
        [at(wide - 0.15, 0.0, bore), at(wide + 0.35, 0.0, bore)],
        [0.26, 0.16],
        10,
        OLIVE,
    );
    let muzzle = wide + 0.62 * plan.length();
    mesh.tube(
        [at(wide, 0.0, bore), at(muzzle, 0.0, bore + 0.06)],
        [0.095, 0.075],
        10,
        OLIVE,
    );
    mesh.tube(
        [
            at(muzzle - 0.7, 0.0, bore + 0.05),
            at(muzzle - 0.3, 0.0, bore + 0.055),
        ],
        [0.12; 2],
        10,
        OLIVE,
    );
    mesh.tube(
        [at(-0.25, 0.42, top - 0.05), at(-0.25, 0.42, top + 0.2)],
        [0.34, 0.30],
        10,
        OLIVE,
    );
    mesh.tube(
        [at(-0.3, -0.45, top - 0.05), at(-0.3, -0.45, top + 0.08)],
        [0.32, 0.30],
        10,
        OLIVE,
    );
    mesh.add_box(
        at(-wide - 0.1, 0.0, middle),
        Vec3::new(0.25, 0.6 * wide, 0.16),
        OLIVE * 0.85,
    );
    mesh.tube(
        [at(-0.9, -0.5, top - 0.1), at(-0.95, -0.5, top + 1.0)],
        [0.015, 0.006],
        4,
        TRIM,
    );
}
