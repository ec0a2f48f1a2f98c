//! The blocking hit of a sweep.

use glam::Vec3;
use parry_query::First;
use vehicle_core::{BodyId, ColliderId, MaterialId, ShapeKind, SweepHit};

use crate::contract::slab;
use crate::{down, nearest};

/// Points of hits are relative to the wheel's center, points of answers to the anchor.
#[test]
fn an_answer_is_relative_to_the_anchor() {
    let query = down(ShapeKind::Cylinder, Vec3::new(3.0, 1.0, -2.0));
    let told = parry_query::ShapeHit {
        distance: 0.5,
        normal: Vec3::Z,
        point: Vec3::new(0.25, 4.0, 0.5),
        triangle: Some(9),
    };
    let answer = told.answer(&query, MaterialId(1), Some(BodyId(5)), ColliderId(7));
    assert_eq!(answer.point, Vec3::new(3.25, 5.0, -1.5));
    let ground = answer.ground;
    assert_eq!((ground.distance, ground.normal), (0.5, Vec3::Z));
    assert_eq!(
        (ground.material, ground.body),
        (MaterialId(1), Some(BodyId(5)))
    );
    assert_eq!((ground.collider, ground.triangle), (ColliderId(7), Some(9)));
}

#[test]
fn the_first_is_the_nearest_that_does_not_overlap() {
    let query = down(ShapeKind::Cylinder, Vec3::Y);
    let (shape, pose) = slab();
    let hit = nearest(&query, &shape, &pose).unwrap();
    let hit = |distance: f32, normal: Vec3, collider: u64| -> SweepHit {
        let told = parry_query::ShapeHit {
            distance,
            normal,
            ..hit
        };
        told.answer(&query, MaterialId(1), None, ColliderId(collider))
    };
    let first = |offers: &[SweepHit]| {
        let mut first = First::new(query.direction);
        offers.iter().for_each(|&offer| first.offer(offer));
        first.take().map(|hit| hit.ground.collider.0)
    };
    let slant = Vec3::new(0.6, 0.8, 0.0);
    let (near, far) = (hit(0.5, slant, 1), hit(0.7, Vec3::Y, 2));
    let (leaning, straight) = (hit(0.0, slant, 3), hit(0.0, Vec3::Y, 4));
    assert_eq!(first(&[]), None);
    assert_eq!(first(&[far, near, straight]), Some(1));
    assert_eq!(first(&[straight, leaning]), Some(4));
    assert_eq!(first(&[leaning, straight]), Some(4));
    assert_eq!(first(&[hit(0.5, Vec3::Y, 9), near]), Some(1));
}

/// Ties go to the lower collider and triangle, in any order of offers.
#[test]
fn the_order_of_offers_does_not_matter() {
    let query = down(ShapeKind::Cylinder, Vec3::Y);
    let (shape, pose) = slab();
    let hit = nearest(&query, &shape, &pose).unwrap();
    let offer = |distance: f32, normal: Vec3, collider: u64, triangle: u32| {
        let told = parry_query::ShapeHit {
            distance,
            normal,
            triangle: Some(triangle),
            ..hit
        };
        told.answer(&query, MaterialId(1), None, ColliderId(collider))
    };
    let slant = Vec3::new(0.6, 0.8, 0.0);
    // In order of precedence.
    let ranks = [
        offer(0.5, slant, 7, 9),
        offer(0.7, Vec3::Y, 2, 3),
        offer(0.7, slant, 2, 4),
        offer(0.7, slant, 3, 0),
        offer(0.0, Vec3::Y, 4, 1),
        offer(0.0, Vec3::Y, 4, 2),
        offer(0.0, slant, 0, 0),
    ];
    for best in 0..ranks.len() {
        let rest = &ranks[best..];
        for start in 0..rest.len() {
            let turned = rest[start..].iter().chain(&rest[..start]);
            let orders: [Vec<_>; 2] = [turned.clone().collect(), turned.rev().collect()];
            for order in orders {
                let mut first = First::new(query.direction);
                order.into_iter().for_each(|&hit| first.offer(hit));
                assert_eq!(first.take(), Some(ranks[best]));
            }
        }
    }
}
