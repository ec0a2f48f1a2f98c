//! Farm machines: a tractor, and the trailer on its drawbar.

use glam::Vec3;

use super::lamps::Lamps;
use super::paint::{FIELD, GLASS, PLATE, STEEL, TRIM, YELLOW};
use super::saloon::fender;
use super::{Plan, VehicleShape, WheelPlace};
use crate::scene::mesh::MeshData;
use crate::scene::solids::Slab;

/// Hood, cab over the rear axle, mudguards, exhaust.
pub(super) fn tractor(plan: &Plan) -> VehicleShape {
    let mut mesh = MeshData::default();
    let rear = plan.left().min_by(|a, b| a.center.x.total_cmp(&b.center.x));
    let rear_top = rear.map_or(plan.z(0.4), |w| w.center.z + w.radius);
    let (cab_rear, cab_front) = (plan.x(0.16), plan.x(0.52));
    let (belt, hood) = (0.9 * rear_top, plan.z(0.50));
    trunk(plan, &mut mesh);
    let slab = |x: [f32; 2], y: f32, z: f32| Slab::new(x, y * plan.half(), z);
    let bonnet = mesh.block(
        slab([cab_front - 0.05, plan.high.x], 0.62, plan.z(0.06)),
        slab([cab_front - 0.05, plan.high.x - 0.12], 0.50, hood),
        FIELD,
    );
    mesh.panel(bonnet.front, [0.10, 0.90], [0.10, 0.78], TRIM);
    for side in [bonnet.left, bonnet.right] {
        mesh.panel(side, [0.12, 0.80], [0.30, 0.62], TRIM);
        mesh.panel(side, [0.08, 0.92], [0.74, 0.82], YELLOW);
    }
    let base = slab([cab_rear, cab_front], 0.92, plan.z(0.10));
    let waist = slab([cab_rear, cab_front], 0.98, belt);
    mesh.block(base, waist, FIELD);
    let roof = plan.high.z - 0.14;
    let cab = mesh.block(
        waist,
        slab([cab_rear + 0.1, cab_front - 0.1], 0.92, roof),
        TRIM,
    );
    for face in [cab.front, cab.rear, cab.left, cab.right] {
        mesh.panel(face, [0.06, 0.94], [0.04, 0.95], GLASS);
    }
    let over = [cab_rear, cab_front + 0.05];
    mesh.block(slab(over, 1.0, roof), slab(over, 0.94, plan.high.z), FIELD);
    let pipe = [hood - 0.1, plan.high.z - 0.1];
    let pipe = pipe.map(|z| Vec3::new(cab_front + 0.25, -0.36 * plan.half(), z));
    mesh.tube(pipe, [0.05, 0.045], 8, STEEL);
    guards(plan, &mut mesh);
    let mut lamps = Lamps::default();
    let back = Vec3::new(cab_rear - 0.02, 0.72 * plan.half(), belt - 0.10);
    lamps.rear(back, [0.14, 0.07]);
    lamps.front(
        Vec3::new(plan.high.x - 0.10, 0.34 * plan.half(), hood - 0.14),
        [0.13, 0.07],
    );
    let plate = Vec3::new(cab_rear - 0.02, 0.0, belt - 0.10);
    mesh.add_box(plate, Vec3::new(0.01, 0.24, 0.06), PLATE);
    VehicleShape::simple(mesh, lamps, FIELD)
}

/// Gearbox and axles, the weight ahead and the hitch behind.
fn trunk(plan: &Plan, mesh: &mut MeshData) {
    let low = plan.low.z - 0.15;
    let slab = |x: [f32; 2], y: f32, z: f32| Slab::new(x, y, z);
    let x = [plan.x(0.04), plan.x(0.96)];
    mesh.block(slab(x, 0.26, low), slab(x, 0.30, plan.z(0.12)), TRIM);
    for wheel in plan.left() {
        let axle = [1.0, -1.0].map(|side| wheel.center.with_y(side * wheel.center.y));
        mesh.tube(axle, [0.11; 2], 8, TRIM);
    }
    let weight = Vec3::new(plan.high.x + 0.1, 0.0, plan.z(0.04));
    mesh.add_box(weight, Vec3::new(0.16, 0.34, 0.17), TRIM);
    if let Some(hitch) = plan.coupling {
        let ends = [Vec3::new(plan.x(0.06), 0.0, low + 0.05), hitch];
        mesh.tube(ends, [0.09, 0.05], 6, STEEL);
    }
}

fn guards(plan: &Plan, mesh: &mut MeshData) {
    let ahead = |wheel: &WheelPlace| wheel.center.x > plan.x(0.5);
    for wheel in plan.left() {
        let arc = if ahead(wheel) {
            [0.35, 0.85]
        } else {
            [0.2, 0.95]
        };
        mesh.both_sides(|mesh, side| fender(mesh, wheel, side, arc, FIELD));
    }
}

/// A tipping body with boards that lean outward, full of grain.
pub(super) fn trailer(plan: &Plan) -> VehicleShape {
    let mut mesh = MeshData::default();
    let floor = (plan.wheel_top() + 0.12).max(plan.low.z);
    let half = plan.half();
    let x = [plan.low.x, plan.high.x];
    let lean = [x[0] - 0.06, x[1] + 0.06];
    let body = mesh.block(
        Slab::new(x, 0.90 * half, floor),
        Slab::new(lean, half, plan.high.z),
        FIELD,
    );
    for side in [body.left, body.right] {
        mesh.panel(side, [0.0, 1.0], [0.46, 0.52], YELLOW);
        for post in [0.0, 0.32, 0.65, 0.97] {
            mesh.panel(side, [post, post + 0.03], [0.0, 1.0], STEEL);
        }
    }
    mesh.panel(body.rear, [0.46, 0.54], [0.0, 1.0], STEEL);
    mesh.panel(body.top, [0.02, 0.98], [0.03, 0.97], YELLOW * 0.8);
    let frame = |y: f32, z: f32| Slab::new([x[0] + 0.1, x[1] - 0.1], y, z);
    let wide = 0.8 * plan.between_wheels();
    mesh.block(frame(wide, floor - 0.3), frame(wide, floor), TRIM);
    for wheel in plan.left() {
        let axle = [1.0, -1.0].map(|side| wheel.center.with_y(side * wheel.center.y));
        mesh.tube(axle, [0.07; 2], 6, TRIM);
    }
    if let Some(eye) = plan.coupling {
        mesh.both_sides(|mesh, side| {
            let foot = Vec3::new(x[1] - 0.2, side * wide, floor - 0.2);
            mesh.tube([foot, eye], [0.07, 0.05], 6, FIELD);
        });
    }
    let mut lamps = Lamps::default();
    let rear = Vec3::new(x[0] - 0.01, 0.72 * half, floor - 0.08);
    lamps.rear(rear, [0.16, 0.08]);
    let plate = Vec3::new(x[0] - 0.01, 0.0, floor - 0.08);
    mesh.add_box(plate, Vec3::new(0.01, 0.24, 0.055), PLATE);
    VehicleShape::simple(mesh, lamps, FIELD)
}
