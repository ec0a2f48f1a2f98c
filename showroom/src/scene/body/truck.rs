//! Trucks: a cab, a frame, and a box, a bed or a fifth wheel; and the platform that a fifth wheel carries.

use glam::{Vec3, Vec4};

use super::lamps::Lamps;
use super::paint::{BLUE, CANVAS, GLASS, OLIVE, ORANGE, PLATE, STEEL, TRIM, WHITE, WOOD};
use super::{Plan, VehicleShape};
use crate::scene::mesh::MeshData;
use crate::scene::solids::Slab;

/// Length over which a truck is a tractor with its trailer (`m`).
const ARTICULATED: f32 = 12.0;
/// Room above the wheels for their travel (`m`).
const TRAVEL: f32 = 0.12;
/// Least radius of the wheels of a truck for rough ground (`m`).
const ROUGH: f32 = 0.55;

/// A truck's parts along its length.
struct Rig<'a> {
    plan: &'a Plan,
    /// Rear of the cab, and front of what is behind it.
    cab: f32,
    load: f32,
    /// Lower edge of what stands above the wheels.
    deck: f32,
    paint: Vec4,
}

impl<'a> Rig<'a> {
    fn of(plan: &'a Plan) -> Self {
        let axle = plan
            .front_wheel()
            .map_or((plan.x(0.8), 0.4), |w| (w.center.x, w.radius));
        let cab = (axle.0 - 1.25 * axle.1 - 0.25).max(plan.high.x - 2.6);
        let rough = axle.1 > ROUGH;
        let long = plan.length() > ARTICULATED;
        Self {
            plan,
            cab,
            load: cab - if long { 0.75 } else { 0.12 },
            deck: (plan.wheel_top() + TRAVEL).max(plan.z(0.12)),
            paint: if rough {
                OLIVE
            } else if long {
                BLUE
            } else {
                WHITE
            },
        }
    }

    fn slab(&self, x: [f32; 2], y: f32, z: f32) -> Slab {
        Slab::new(x, y * self.plan.half(), z)
    }

    /// Beams from end to end.
    fn frame(&self, mesh: &mut MeshData) {
        let plan = self.plan;
        let wide = plan.between_wheels() / plan.half() * 0.9;
        let x = [plan.low.x + 0.05, plan.high.x - 0.3];
        let high = self.deck;
        mesh.block(
            self.slab(x, wide, high - 0.32),
            self.slab(x, wide, high + 0.02),
            TRIM,
        );
        for wheel in plan.left() {
            let axle = [1.0, -1.0].map(|side| wheel.center.with_y(side * wheel.center.y));
            mesh.tube(axle, [0.08; 2], 6, TRIM);
        }
    }

    /// The cab: its lower part between bumper and wheels, its upper part with windows.
    fn cab(&self, mesh: &mut MeshData) {
        let plan = self.plan;
        let front = plan.high.x;
        let top = if plan.length() > ARTICULATED {
            plan.high.z - 0.5
        } else {
            plan.high.z.min(self.deck + 1.9)
        };
        let belt = self.deck + 0.38 * (top - self.deck);
        let low = self.slab([self.cab, front], 0.99, self.deck - 0.1);
        let middle = self.slab([self.cab, front], 0.99, belt);
        let high = self.slab([self.cab + 0.05, front - 0.28], 0.90, top);
        let lower = mesh.block(low, middle, self.paint);
        let upper = mesh.block(middle, high, self.paint);
        mesh.panel(lower.front, [0.12, 0.88], [0.12, 0.80], TRIM);
        mesh.panel(upper.front, [0.05, 0.95], [0.06, 0.90], GLASS);
        mesh.panel(upper.left, [0.10, 0.72], [0.08, 0.86], GLASS);
        mesh.panel(upper.right, [0.28, 0.90], [0.08, 0.86], GLASS);
        self.skirts(mesh);
        mesh.both_sides(|mesh, side| {
            let mirror = Vec3::new(front - 0.1, side * (plan.half() + 0.08), belt + 0.45);
            mesh.add_box(mirror, Vec3::new(0.04, 0.07, 0.22), TRIM);
        });
        if plan.length() > ARTICULATED {
            let low = self.slab([self.cab + 0.1, front - 0.6], 0.85, top - 0.01);
            let high = self.slab([self.cab + 0.1, self.cab + 0.5], 0.80, plan.high.z - 0.02);
            mesh.block(low, high, self.paint);
        }
    }

    /// Bumper and steps: the cab below its deck, before and behind the front wheels.
    fn skirts(&self, mesh: &mut MeshData) {
        let plan = self.plan;
        let Some(wheel) = plan.front_wheel() else {
            return;
        };
        let reach = 1.12 * wheel.radius;
        let parts = [
            [wheel.center.x + reach, plan.high.x],
            [self.cab, wheel.center.x - reach],
        ];
        let low = plan.low.z.min(wheel.center.z);
        for part in parts.into_iter().filter(|part| part[1] - part[0] > 0.05) {
            let [bottom, top] = [low, self.deck - 0.1].map(|z| self.slab(part, 0.97, z));
            mesh.block(bottom, top, TRIM);
        }
        let plate = Vec3::new(plan.high.x + 0.01, 0.0, low + 0.15);
        mesh.add_box(plate, Vec3::new(0.01, 0.26, 0.06), PLATE);
    }

    /// A box with doors and a stripe.
    fn cargo_box(&self, mesh: &mut MeshData) {
        let plan = self.plan;
        let x = [plan.low.x, self.load];
        let [low, high] = [self.deck + 0.02, plan.high.z].map(|z| self.slab(x, 1.0, z));
        let block = mesh.block(low, high, CANVAS);
        for side in [block.left, block.right] {
            mesh.panel(side, [0.0, 1.0], [0.0, 0.05], STEEL);
            mesh.panel(side, [0.02, 0.98], [0.30, 0.38], self.paint);
        }
        for door in [[0.03, 0.49], [0.51, 0.97]] {
            mesh.panel(block.rear, door, [0.05, 0.96], STEEL * 1.9);
        }
    }

    /// A bed with boards, below a cover if there is nothing to couple.
    fn bed(&self, mesh: &mut MeshData) {
        let plan = self.plan;
        let x = [plan.low.x, self.load];
        let slab = |y: f32, z: f32| self.slab(x, y, z);
        let floor = self.deck + 0.05;
        let block = mesh.block(slab(1.0, self.deck), slab(1.0, floor), self.paint);
        mesh.panel(block.top, [0.01, 0.99], [0.01, 0.99], WOOD);
        let Some(coupling) = plan.coupling else {
            let wall = floor + 0.45;
            mesh.block(slab(1.0, floor), slab(1.0, wall), self.paint);
            let cover = mesh.block(
                slab(0.97, wall),
                slab(0.97, plan.high.z - 0.25),
                OLIVE * 1.35,
            );
            mesh.block(
                slab(0.97, plan.high.z - 0.25),
                slab(0.70, plan.high.z),
                OLIVE * 1.35,
            );
            mesh.panel(cover.rear, [0.06, 0.94], [0.03, 0.97], TRIM);
            return;
        };
        let plate = [floor, floor + 0.12].map(|z| Vec3::new(coupling.x, 0.0, z));
        mesh.tube(plate, [0.5, 0.42], 12, STEEL);
        let rack = Vec3::new(self.load - 0.06, 0.0, floor + 0.5);
        mesh.add_box(rack, Vec3::new(0.05, 0.95 * plan.half(), 0.5), self.paint);
    }

    /// Tanks along the frame where no wheel stands, and a guard at the rear.
    fn fittings(&self, mesh: &mut MeshData) {
        let plan = self.plan;
        let behind = plan
            .left()
            .map(|w| w.center.x + w.radius)
            .filter(|x| *x < self.cab)
            .fold(plan.low.x, f32::max);
        let room = [behind + 0.25, self.cab - 0.15];
        if room[1] - room[0] > 0.6 {
            let to = room[1].min(room[0] + 1.6);
            mesh.both_sides(|mesh, side| {
                let y = side * 0.72 * plan.half();
                let ends = [room[0], to].map(|x| Vec3::new(x, y, self.deck - 0.34));
                mesh.tube(ends, [0.27; 2], 10, STEEL * 1.5);
            });
        }
        let guard = Vec3::new(plan.low.x + 0.05, 0.0, self.deck - 0.3);
        mesh.add_box(guard, Vec3::new(0.05, 0.94 * plan.half(), 0.07), TRIM);
        let plate = Vec3::new(plan.low.x - 0.01, 0.0, self.deck - 0.3);
        mesh.add_box(plate, Vec3::new(0.01, 0.26, 0.055), PLATE);
    }
}

/// A truck.
pub(super) fn truck(plan: &Plan) -> VehicleShape {
    let rig = Rig::of(plan);
    let mut mesh = MeshData::default();
    rig.frame(&mut mesh);
    rig.cab(&mut mesh);
    if rig.paint == OLIVE {
        rig.bed(&mut mesh);
    } else {
        rig.cargo_box(&mut mesh);
    }
    rig.fittings(&mut mesh);
    let mut lamps = Lamps::default();
    let y = plan.half() - 0.26;
    lamps.rear(
        Vec3::new(plan.low.x - 0.01, y, rig.deck - 0.12),
        [0.22, 0.09],
    );
    let bumper = rig.deck - 0.24;
    lamps.front(Vec3::new(plan.high.x, y, bumper), [0.22, 0.08]);
    VehicleShape::simple(mesh, lamps, rig.paint)
}

/// A low platform with a neck, and a container on it.
pub(super) fn semi_trailer(plan: &Plan) -> VehicleShape {
    let mut mesh = MeshData::default();
    let deck = plan.wheel_top() + TRAVEL;
    let half = plan.half();
    let ends = [plan.low.x, plan.high.x];
    let slab = |x: [f32; 2], y: f32, z: f32| Slab::new(x, y * half, z);
    let frame = mesh.block(slab(ends, 1.0, deck), slab(ends, 1.0, deck + 0.14), ORANGE);
    mesh.panel(frame.top, [0.01, 0.99], [0.01, 0.99], WOOD);
    let wide = plan.between_wheels() / half;
    mesh.block(slab(ends, wide, deck - 0.3), slab(ends, wide, deck), TRIM);
    if let Some(pin) = plan.coupling {
        let neck = [plan.high.x - 0.6, pin.x + 0.5];
        mesh.block(
            slab(neck, 0.5, pin.z + 0.03),
            slab(neck, 0.5, pin.z + 0.26),
            ORANGE,
        );
        let foot = [plan.high.x - 0.6, plan.high.x];
        mesh.block(
            slab(foot, 0.5, deck),
            slab([foot[0], foot[1] + 0.2], 0.5, pin.z + 0.26),
            ORANGE,
        );
    }
    let load = [plan.x(0.14), plan.x(0.74)];
    let low = slab(load, 0.93, deck + 0.14);
    let block = mesh.block(low, slab(load, 0.93, plan.high.z), BLUE);
    for side in [block.left, block.right] {
        for rib in 0..9_u8 {
            let from = 0.04 + f32::from(rib) / 9.6;
            mesh.panel(side, [from, from + 0.05], [0.06, 0.94], BLUE * 0.75);
        }
    }
    let mut lamps = Lamps::default();
    let rear = Vec3::new(plan.low.x - 0.01, half - 0.28, deck + 0.02);
    lamps.rear(rear, [0.22, 0.09]);
    VehicleShape::simple(mesh, lamps, ORANGE)
}
