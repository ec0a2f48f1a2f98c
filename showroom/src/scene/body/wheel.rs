//! Wheels: tire, rim and spokes, of the wheel's own size.

use glam::{Vec3, Vec4};
use jounce::file::Car;

use super::paint::{RIM, RUBBER, TRIM};
use crate::scene::mesh::MeshData;

/// Sides of a wheel.
const SIDES: u16 = 28;

/// Wheels about their centers, the axle along y.
pub(in crate::scene) fn wheels(car: &Car) -> Vec<MeshData> {
    let model = car.model();
    let wheels = model.params().wheels.iter();
    wheels.map(|w| wheel(w.radius, w.width.max(0.04))).collect()
}

/// A tire, a rim with five spokes on both sides.
fn wheel(radius: f32, width: f32) -> MeshData {
    let mut mesh = MeshData::default();
    let half = 0.5 * width;
    let at = |r: f32, n: u16, y: f32| {
        let angle = core::f32::consts::TAU * f32::from(n) / f32::from(SIDES);
        Vec3::new(r * angle.sin(), y, r * angle.cos())
    };
    let (shoulder, rim) = (0.94 * radius, 0.66 * radius);
    for n in 0..SIDES {
        // A tread block shows that the wheel turns.
        let tread = if n % 2 == 0 { RUBBER } else { RUBBER * 1.9 };
        mesh.quad(
            [
                at(radius, n, 0.8 * half),
                at(radius, n, -0.8 * half),
                at(radius, n + 1, -0.8 * half),
                at(radius, n + 1, 0.8 * half),
            ],
            tread,
        );
        for side in [1.0, -1.0_f32] {
            let mut ring = |inner: (f32, f32), outer: (f32, f32), color: Vec4| {
                let face = [
                    at(outer.0, n, side * outer.1),
                    at(inner.0, n, side * inner.1),
                    at(inner.0, n + 1, side * inner.1),
                    at(outer.0, n + 1, side * outer.1),
                ];
                let face = if side < 0.0 {
                    face
                } else {
                    [face[1], face[0], face[3], face[2]]
                };
                mesh.quad(face, color);
            };
            ring((shoulder, half), (radius, 0.8 * half), RUBBER);
            ring((rim, half), (shoulder, half), RUBBER * 1.3);
            ring((0.9 * rim, 0.86 * half), (rim, half), RIM);
            ring((0.0, 0.55 * half), (0.9 * rim, 0.5 * half), TRIM);
        }
    }
    for side in [1.0, -1.0_f32] {
        for spoke in 0..5_u8 {
            let angle = core::f32::consts::TAU * f32::from(spoke) / 5.0;
            let (out, across) = (
                Vec3::new(angle.sin(), 0.0, angle.cos()),
                Vec3::new(angle.cos(), 0.0, -angle.sin()),
            );
            let y = Vec3::Y * (side * 0.80 * half);
            let (r, wide) = (0.93 * rim, 0.16 * rim);
            let face = [
                across * wide + y,
                out * r + across * wide * 0.8 + y,
                out * r - across * wide * 0.8 + y,
                -across * wide + y,
            ];
            let face = if side < 0.0 {
                face
            } else {
                [face[3], face[2], face[1], face[0]]
            };
            mesh.quad(face, RIM);
        }
    }
    mesh
}
