//! Cars: a shell with arches, a cabin, and what stands on it.

use glam::{Vec3, Vec4};

use super::lamps::Lamps;
use super::outline::{Extra, Outline};
use super::paint::{GLASS, PLATE, SKIN, STEEL, TRIM};
use super::{Plan, VehicleShape, WheelPlace};
use crate::scene::mesh::MeshData;
use crate::scene::solids::Slab;

/// Stations along a body, and along one that is far away.
const STATIONS: u16 = 72;
const FAR_STATIONS: u16 = 6;
/// Radius of an arch over the wheel's.
const ARCH: f32 = 1.13;
/// Width of the edge from the side to the deck (`m`).
const EDGE: f32 = 0.09;

/// A car's body while it is built.
struct Shell<'a> {
    plan: &'a Plan,
    outline: &'a Outline,
}

pub(super) fn shape(plan: &Plan, outline: &Outline) -> VehicleShape {
    let shell = Shell { plan, outline };
    let (mut body, mut far) = (MeshData::default(), MeshData::default());
    let mut lamps = Lamps::default();
    for (mesh, stations) in [(&mut body, STATIONS), (&mut far, FAR_STATIONS)] {
        shell.skin(stations, mesh);
        shell.inside(mesh);
        shell.cabin(mesh);
    }
    shell.details(&mut body);
    shell.stands(&mut body);
    shell.lamps(&mut lamps);
    VehicleShape {
        body,
        far,
        lamps: lamps.0,
        paint: outline.paint,
    }
}

impl Shell<'_> {
    /// Nearness to the rear and to the front end: 0 along the middle, 1 at the end.
    fn ends(at: f32) -> [f32; 2] {
        [1.0 - at / 0.2, (at - 0.8) / 0.2].map(|near| near.clamp(0.0, 1.0))
    }

    fn deck(&self, at: f32) -> f32 {
        self.plan.z(self.outline.deck(at))
    }

    fn floor(&self, at: f32) -> f32 {
        let [rear, front] = Self::ends(at);
        let rise = self.outline.rise;
        self.plan.z(rise[0] * rear + rise[1] * front)
    }

    fn half(&self, at: f32) -> f32 {
        let [rear, front] = Self::ends(at).map(|near| near * near);
        let ends = self.outline.ends;
        // Noses and tails that are much narrower narrow over more of the length.
        let slim = |end: f32, near: f32, way: f32| {
            let near = if end < 0.6 { way.clamp(0.0, 1.0) } else { near };
            1.0 - (1.0 - end) * near
        };
        let rear = slim(ends[0], rear, 1.0 - at / 0.5);
        let front = slim(ends[1], front, (at - 0.5) / 0.5);
        self.plan.half() * rear * front
    }

    /// Wheels within the body, whose arches are cut out of its sides.
    fn arches(&self) -> impl Iterator<Item = &WheelPlace> {
        let half = self.plan.half();
        self.plan.left().filter(move |wheel| wheel.center.y < half)
    }

    /// Height of the arch over a wheel at `x`.
    fn arch(wheel: &WheelPlace, x: f32) -> Option<f32> {
        let (radius, off) = (ARCH * wheel.radius, x - wheel.center.x);
        let square = radius * radius - off * off;
        (square > 0.0).then(|| wheel.center.z + square.sqrt())
    }

    /// Lower edge of the side: over the wheels, an arch.
    fn sill(&self, at: f32) -> f32 {
        let x = self.plan.x(at);
        let over = self.arches().filter_map(|wheel| Self::arch(wheel, x));
        over.fold(self.floor(at), f32::max)
            .min(self.deck(at) - 0.05)
    }

    /// Points of the left half of a cross section, from its sill to its middle.
    fn section(&self, at: f32) -> [Vec3; 5] {
        let (x, half, deck, sill) = (self.plan.x(at), self.half(at), self.deck(at), self.sill(at));
        let over_wheel = sill > self.floor(at) + 0.01;
        let tuck = if over_wheel { 1.0 } else { 0.93 };
        let shoulder = (deck - 0.16 * self.plan.height()).max(sill);
        let waist = sill + 0.3 * (shoulder - sill);
        [
            Vec3::new(x, tuck * half, sill),
            Vec3::new(x, half, waist),
            Vec3::new(x, 0.98 * half, shoulder),
            Vec3::new(x, (half - EDGE).max(0.3 * half), deck),
            Vec3::new(x, 0.0, deck + 0.015),
        ]
    }

    /// Sides, hood and trunk, rear and front.
    fn skin(&self, stations: u16, mesh: &mut MeshData) {
        let color = self.outline.paint;
        let sections: Vec<[Vec3; 5]> = (0..=stations)
            .map(|n| self.section(f32::from(n) / f32::from(stations)))
            .collect();
        let mirrored = |point: Vec3| Vec3::new(point.x, -point.y, point.z);
        for pair in sections.windows(2) {
            let [rear, front] = [pair[0], pair[1]];
            for n in 0..4 {
                let [a, b, c, d] = [front[n], rear[n], rear[n + 1], front[n + 1]];
                mesh.quad([a, b, c, d], color);
                mesh.quad([b, a, d, c].map(mirrored), color);
            }
        }
        let ends = [(0, true), (sections.len() - 1, false)];
        for (section, rear) in ends.map(|(n, rear)| (sections[n], rear)) {
            for n in 0..4 {
                let [a, b] = [section[n], section[n + 1]];
                let face = [a, mirrored(a), mirrored(b), b];
                let face = if rear {
                    face
                } else {
                    [face[1], face[0], face[3], face[2]]
                };
                mesh.quad(face, color);
            }
        }
    }

    /// A dark box between the wheels.
    fn inside(&self, mesh: &mut MeshData) {
        let plan = self.plan;
        let wide = plan.between_wheels();
        let slab = |z: f32| Slab::new([plan.x(0.13), plan.x(0.88)], wide, z);
        let top = self.deck(0.2).min(self.deck(0.85)) - 0.05;
        mesh.block(slab(plan.low.z), slab(top), TRIM);
    }

    /// Windows, pillars and roof.
    fn cabin(&self, mesh: &mut MeshData) {
        let Some([rear, roof_rear, roof_front, front]) = self.outline.cabin else {
            return;
        };
        let plan = self.plan;
        let foot = self.deck(rear).min(self.deck(front)).max(plan.z(0.5)) - 0.03;
        let wide = self.half(0.5 * (rear + front)) - EDGE - 0.01;
        let x = |ends: [f32; 2]| ends.map(|at| plan.x(at));
        let low = Slab::new(x([rear, front]), wide, foot);
        let high = Slab::new(x([roof_rear, roof_front]), 0.80 * wide, plan.high.z);
        let block = mesh.block(low, high, self.outline.paint);
        mesh.panel(block.front, [0.06, 0.94], [0.10, 0.93], GLASS);
        mesh.panel(block.rear, [0.09, 0.91], [0.16, 0.92], GLASS);
        for side in [block.left, block.right] {
            for window in [[0.07, 0.47], [0.52, 0.93]] {
                mesh.panel(side, window, [0.14, 0.88], GLASS);
            }
        }
    }

    /// Lips of the arches, sills, bumpers, grille, plates, mirrors.
    fn details(&self, mesh: &mut MeshData) {
        let plan = self.plan;
        for wheel in self.arches() {
            self.lip(wheel, mesh);
        }
        for wheel in plan.left().filter(|w| w.center.y >= plan.half()) {
            mesh.both_sides(|mesh, side| fender(mesh, wheel, side, [0.3, 0.8], self.outline.paint));
        }
        let bumper = |at: f32, out: f32, mesh: &mut MeshData| {
            let (x, half) = (plan.x(at) + out, 0.92 * self.half(at));
            let z = self.floor(at);
            mesh.add_box(
                Vec3::new(x, 0.0, z + 0.07),
                Vec3::new(0.05, half, 0.06),
                TRIM,
            );
            let plate = Vec3::new(x + 2.2 * out, 0.0, z + 0.16);
            mesh.add_box(plate, Vec3::new(0.01, 0.24, 0.05), PLATE);
        };
        bumper(0.0, -0.02, mesh);
        bumper(1.0, 0.02, mesh);
        let grille = Vec3::new(plan.x(0.99), 0.0, self.deck(0.99) - 0.14 * plan.height());
        let size = Vec3::new(0.06, 0.36 * self.half(0.98), 0.045 * plan.height());
        mesh.add_box(grille, size, TRIM);
        if let Some([.., front]) = self.outline.cabin {
            let at = front - 0.07;
            let place = |side: f32| {
                let y = side * (self.half(at) + 0.02);
                Vec3::new(plan.x(at), y, self.deck(at) + 0.09)
            };
            mesh.both_sides(|mesh, side| {
                mesh.add_box(place(side), Vec3::new(0.06, 0.10, 0.06), self.outline.paint);
            });
        }
    }

    /// Dark edge of an arch.
    fn lip(&self, wheel: &WheelPlace, mesh: &mut MeshData) {
        const PARTS: u8 = 14;
        let at = |n: u8, wide: f32, side: f32| {
            let angle = core::f32::consts::PI * f32::from(n) / f32::from(PARTS);
            let radius = ARCH * wheel.radius * wide;
            let x = wheel.center.x + radius * angle.cos();
            let share = (x - self.plan.low.x) / self.plan.length();
            let z = wheel.center.z + radius * angle.sin();
            Vec3::new(x, side * (self.half(share) + 0.012), z)
        };
        for n in 0..PARTS {
            let face = |side: f32| {
                [
                    at(n, 1.12, side),
                    at(n + 1, 1.12, side),
                    at(n + 1, 0.97, side),
                    at(n, 0.97, side),
                ]
            };
            let [a, b, c, d] = face(1.0);
            let low = self.floor(0.5);
            if [a, b].iter().any(|corner| corner.z < low) {
                continue;
            }
            mesh.quad([d, c, b, a], TRIM);
            mesh.quad(face(-1.0), TRIM);
        }
    }

    /// What stands on the body.
    fn stands(&self, mesh: &mut MeshData) {
        let plan = self.plan;
        let paint = self.outline.paint;
        match self.outline.extra {
            Extra::Plain => {}
            Extra::Lip => {
                let slab = |out: f32, z: f32| {
                    Slab::new([plan.x(0.0) - out, plan.x(0.06)], 0.8 * plan.half(), z)
                };
                let z = self.deck(0.04);
                mesh.block(slab(0.0, z - 0.02), slab(0.04, z + 0.05), paint);
            }
            Extra::Wing => self.wing(mesh),
            Extra::Rails => {
                let rail = |side: f32| {
                    let y = side * 0.62 * plan.half();
                    [0.12, 0.52].map(|at| Vec3::new(plan.x(at), y, plan.high.z + 0.03))
                };
                mesh.both_sides(|mesh, side| mesh.tube(rail(side), [0.022; 2], 6, STEEL));
            }
            Extra::Bed => self.bed(mesh),
            Extra::Cockpit => self.cockpit(mesh),
        }
    }

    /// A wing behind the roof, and a scoop on it.
    fn wing(&self, mesh: &mut MeshData) {
        let plan = self.plan;
        let paint = self.outline.paint;
        let slab = |z: f32| Slab::new([plan.x(0.005), plan.x(0.075)], 0.78 * plan.half(), z);
        let top = plan.high.z + 0.06;
        mesh.block(slab(top), slab(top + 0.03), super::paint::RED);
        mesh.both_sides(|mesh, side| {
            let place = Vec3::new(plan.x(0.05), side * 0.6 * plan.half(), top - 0.12);
            mesh.add_box(place, Vec3::new(0.05, 0.015, 0.13), TRIM);
        });
        let scoop = Vec3::new(plan.x(0.48), 0.0, plan.high.z + 0.03);
        mesh.add_box(scoop, Vec3::new(0.16, 0.16, 0.035), paint);
    }

    /// Walls of a bed, and its tailgate.
    fn bed(&self, mesh: &mut MeshData) {
        let plan = self.plan;
        let paint = self.outline.paint;
        let (low, high) = (plan.z(0.33), plan.z(0.62));
        let center = 0.5 * (low + high);
        let tall = 0.5 * (high - low);
        let (rear, front) = (plan.x(0.0), plan.x(0.385));
        mesh.both_sides(|mesh, side| {
            let wall = Vec3::new(0.5 * (rear + front), side * (plan.half() - 0.09), center);
            let half = Vec3::new(0.5 * (front - rear), 0.07, tall);
            mesh.add_box(wall, half, paint);
        });
        let gate = Vec3::new(rear + 0.04, 0.0, center);
        mesh.add_box(gate, Vec3::new(0.04, plan.half() - 0.1, tall), paint);
        let floor = Vec3::new(0.5 * (rear + front), 0.0, low + 0.03);
        let half = Vec3::new(0.49 * (front - rear), plan.half() - 0.16, 0.02);
        mesh.add_box(floor, half, TRIM);
    }

    /// An open cockpit with a windscreen, hoops and a driver.
    fn cockpit(&self, mesh: &mut MeshData) {
        let plan = self.plan;
        let deck = self.deck(0.5);
        let place = |at: f32, y: f32, z: f32| Vec3::new(plan.x(at), y, z);
        let half = Vec3::new(0.11 * plan.length(), 0.62 * plan.half(), 0.02);
        mesh.add_box(place(0.46, 0.0, deck + 0.01), half, TRIM);
        let screen = |at: [f32; 2], y: f32, z: f32| Slab::new(at.map(|at| plan.x(at)), y, z);
        mesh.block(
            screen([0.60, 0.62], 0.6 * plan.half(), deck - 0.02),
            screen([0.565, 0.572], 0.5 * plan.half(), deck + 0.22),
            GLASS,
        );
        let seats = 0.30 * plan.half();
        mesh.both_sides(|mesh, side| {
            let y = side * seats;
            mesh.add_box(
                place(0.36, y, deck + 0.10),
                Vec3::new(0.06, 0.16, 0.16),
                TRIM,
            );
            for foot in [-0.17, 0.17] {
                let ends = [
                    place(0.33, y + foot, deck - 0.05),
                    place(0.33, y + foot, deck + 0.30),
                ];
                mesh.tube(ends, [0.025; 2], 6, STEEL);
            }
            let bar = [-0.17, 0.17].map(|foot| place(0.33, y + foot, deck + 0.30));
            mesh.tube(bar, [0.025; 2], 6, STEEL);
        });
        let head = [deck + 0.12, deck + 0.36].map(|z| place(0.41, seats, z));
        let middle = head[0].lerp(head[1], 0.5);
        mesh.tube([head[0], middle], [0.07, 0.12], 8, SKIN);
        mesh.tube([middle, head[1]], [0.12, 0.07], 8, super::paint::WHITE);
    }

    fn lamps(&self, lamps: &mut Lamps) {
        let plan = self.plan;
        let tall = plan.height();
        let bed = self.outline.extra == Extra::Bed;
        let rear = if bed {
            plan.z(0.48)
        } else {
            self.deck(0.01) - 0.12 * tall
        };
        let wide = (0.17 * self.half(0.02)).max(0.06);
        let y = self.half(0.02) - wide - if bed { 0.02 } else { 0.06 };
        lamps.rear(
            Vec3::new(plan.x(0.0) - 0.012, y, rear),
            [wide, 0.075 * tall],
        );
        let wide = 0.20 * self.half(0.97);
        let y = self.half(0.97) - wide - 0.03;
        let front = Vec3::new(plan.x(0.985), y, self.deck(0.98) - 0.06 * tall);
        lamps.front(front, [wide, 0.045 * tall]);
    }
}

/// A mudguard over a wheel beside the body: from and to an angle about it, as shares of a half turn from the front.
pub(super) fn fender(
    mesh: &mut MeshData,
    wheel: &WheelPlace,
    side: f32,
    arc: [f32; 2],
    color: Vec4,
) {
    const PARTS: u8 = 8;
    let at = |n: u8, out: f32, radius: f32| {
        let share = arc[0] + (arc[1] - arc[0]) * f32::from(n) / f32::from(PARTS);
        let angle = core::f32::consts::PI * share;
        let y = side * (wheel.center.y + out * 0.55 * wheel.width);
        let radius = radius * wheel.radius;
        let (x, z) = (radius * angle.cos(), radius * angle.sin());
        Vec3::new(wheel.center.x + x, y, wheel.center.z + z)
    };
    for n in 0..PARTS {
        for (radius, inner) in [(1.16, false), (1.12, true)] {
            let face = [
                at(n, side, radius),
                at(n + 1, side, radius),
                at(n + 1, -side, radius),
                at(n, -side, radius),
            ];
            let [a, b, c, d] = face;
            mesh.quad(if inner { [d, c, b, a] } else { [a, b, c, d] }, color);
        }
        for out in [1.0, -1.0] {
            let [a, b, c, d] = [
                at(n, out, 1.12),
                at(n + 1, out, 1.12),
                at(n + 1, out, 1.16),
                at(n, out, 1.16),
            ];
            let left = out * side > 0.0;
            mesh.quad(if left { [a, b, c, d] } else { [a, d, c, b] }, color);
        }
    }
}
