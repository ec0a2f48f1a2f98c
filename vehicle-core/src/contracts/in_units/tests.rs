//! A world of decimeters and grams that replies from a table and records its inputs.

use super::*;
use crate::base::ids::{ColliderId, MaterialId};
use crate::contracts::ground::QueryFilter;
use crate::params::wheel_shape::ShapeKind;
use alloc::vec::Vec;
use core::cell::RefCell;
use glam::{Mat3, Quat};
use rstest::rstest;

/// Ten to the meter, a thousand to the kilogram.
const UNITS: UnitScale = UnitScale {
    length: 10.0,
    mass: 1000.0,
};
const FILTER: QueryFilter = QueryFilter::except(BodyId(7));
/// 30 units of length from where a ray begins.
const HIT: GroundHit = GroundHit {
    distance: 30.0,
    normal: Vec3::Z,
    material: MaterialId(3),
    body: Some(BodyId(9)),
    collider: ColliderId(4),
    triangle: Some(5),
};

#[derive(Default)]
struct World {
    has_sweeps: bool,
    rays: RefCell<Vec<GroundRay>>,
    sweeps: RefCell<Vec<GroundSweep>>,
    boxes: RefCell<Vec<TriangleQuery>>,
    outcomes: Vec<StepResult>,
    reactions: Vec<Reaction>,
}

impl SceneQuery for World {
    fn cast_rays(&self, rays: &[GroundRay], hits: &mut [Option<GroundHit>]) {
        self.rays.borrow_mut().extend(rays);
        // Those that look up miss.
        for (ray, hit) in rays.iter().zip(hits) {
            *hit = (ray.direction.z < 0.0).then_some(HIT);
        }
    }

    fn sweeps(&self) -> Option<&dyn SweepQuery> {
        self.has_sweeps.then_some(self)
    }

    fn triangles(&self) -> Option<&dyn GroundTriangles> {
        self.has_sweeps.then_some(self)
    }
}

const TRIANGLE: GroundTriangle = GroundTriangle {
    corners: [Vec3::ZERO, Vec3::new(10.0, 20.0, 30.0), Vec3::X],
    solid: true,
    material: MaterialId(3),
    body: Some(BodyId(9)),
    collider: ColliderId(4),
    triangle: Some(5),
};

impl GroundTriangles for World {
    fn visit_triangles(
        &self,
        queries: &[TriangleQuery],
        on_triangle: &mut dyn FnMut(usize, &GroundTriangle),
    ) {
        self.boxes.borrow_mut().extend(queries);
        (0..queries.len()).for_each(|n| on_triangle(n, &TRIANGLE));
    }

    fn curved_normal(&self, triangle: &GroundTriangle, point: DVec3) -> Option<Vec3> {
        (*triangle == TRIANGLE).then(|| point.as_vec3())
    }
}

const SWEPT: SweepHit = SweepHit {
    ground: HIT,
    point: Vec3::new(10.0, 20.0, 30.0),
};

impl SweepQuery for World {
    fn sweep_first(&self, sweeps: &[GroundSweep], hits: &mut [Option<SweepHit>]) {
        self.sweeps.borrow_mut().extend(sweeps);
        hits.fill(Some(SWEPT));
    }

    fn sweep_all(&self, sweeps: &[GroundSweep], on_hit: &mut dyn FnMut(usize, SweepHit)) {
        (0..sweeps.len()).for_each(|n| on_hit(n, SWEPT));
    }
}

impl RigidBodies for World {
    fn read(&self, ids: &[BodyId], out: &mut [BodyState]) -> Result<(), BodyError> {
        if ids.contains(&BodyId(0)) {
            return Err(BodyError::Missing(BodyId(0)));
        }
        out.fill(BodyState {
            position: DVec3::new(10.0, 20.0, 30.0),
            rotation: Quat::from_xyzw(0.6, 0.0, 0.0, 0.8),
            linear_velocity: Vec3::X * 50.0,
            angular_velocity: Vec3::Y,
            mass: 1_500_000.0,
            inverse_inertia: Mat3::from_diagonal(Vec3::splat(1e-8)),
            locked_axes: crate::LockedAxes::NONE,
            linear_damping: 0.1,
            angular_damping: 0.2,
            asleep: true,
        });
        Ok(())
    }

    fn ground_motion(&self, id: BodyId) -> Option<GroundMotion> {
        let mass = match id {
            BodyId(0) => return None,
            BodyId(1) => None,
            _ => Some(2000.0),
        };
        Some(GroundMotion {
            position: DVec3::X * 10.0,
            rotation: Quat::IDENTITY,
            linear_velocity: Vec3::Y * 20.0,
            angular_velocity: Vec3::Z,
            mass,
            inverse_inertia: mass.map_or(Mat3::ZERO, |mass| Mat3::IDENTITY / (4.0 * mass)),
        })
    }

    fn apply(&mut self, ids: &[BodyId], outcomes: &[StepResult]) -> Result<(), BodyError> {
        assert_eq!(ids.len(), outcomes.len());
        self.outcomes.extend(outcomes);
        Ok(())
    }

    fn react(&mut self, reactions: &[Reaction]) {
        self.reactions.extend(reactions);
    }
}

fn world(has_sweeps: bool) -> InUnits<World> {
    let world = World {
        has_sweeps,
        ..World::default()
    };
    InUnits::new(world, UNITS).unwrap()
}

fn ray(n: usize, direction: Vec3) -> GroundRay {
    GroundRay {
        anchor: DVec3::new(1.0, 2.0, 3.0),
        offset: Vec3::new(0.1, 0.2, n as f32),
        direction,
        length: 0.5,
        filter: FILTER,
    }
}

// More than one batch, and a batch that is not full.
#[rstest]
fn rays_go_out_in_the_worlds_units_and_hits_come_back_in_meters(
    #[values(0, 1, 4, BATCH, BATCH + 1, 2 * BATCH + 3)] count: usize,
) {
    let world = world(false);
    let direction = |n: usize| [Vec3::NEG_Z, Vec3::Z][n % 2];
    let rays: Vec<_> = (0..count).map(|n| ray(n, direction(n))).collect();
    let mut hits = alloc::vec![None; count];
    world.cast_rays(&rays, &mut hits);
    let asked = world.world().rays.borrow();
    assert_eq!(asked.len(), count);
    for (n, (asked, hit)) in asked.iter().zip(&hits).enumerate() {
        let expected = GroundRay {
            anchor: DVec3::new(10.0, 20.0, 30.0),
            offset: Vec3::new(1.0, 2.0, 10.0 * n as f32),
            length: 5.0,
            ..rays[n]
        };
        assert_eq!(*asked, expected);
        let near = GroundHit {
            distance: 3.0,
            ..HIT
        };
        assert_eq!(*hit, (n % 2 == 0).then_some(near));
    }
}

fn sweep() -> GroundSweep {
    GroundSweep {
        anchor: DVec3::new(1.0, 2.0, 3.0),
        offset: Vec3::ONE,
        axle: Vec3::Y,
        shape: WheelShape {
            kind: ShapeKind::Capsule,
            radius: 0.4,
            half_width: 0.1,
        },
        direction: Vec3::NEG_Z,
        length: 0.5,
        filter: FILTER,
    }
}

#[test]
fn sweeps_and_their_shapes_are_converted() {
    let world = world(true);
    let query = SceneQuery::sweeps(&world).expect("it has sweeps");
    let sweeps = [sweep(); BATCH + 2];
    let mut hits = [None; BATCH + 2];
    query.sweep_first(&sweeps, &mut hits);
    let expected = GroundSweep {
        anchor: DVec3::new(10.0, 20.0, 30.0),
        offset: Vec3::ONE * 10.0,
        shape: WheelShape {
            kind: ShapeKind::Capsule,
            radius: 4.0,
            half_width: 1.0,
        },
        length: 5.0,
        ..sweep()
    };
    assert_eq!(*world.world().sweeps.borrow(), [expected; BATCH + 2]);
    let in_meters = SweepHit {
        ground: GroundHit {
            distance: 3.0,
            ..HIT
        },
        point: Vec3::new(1.0, 2.0, 3.0),
    };
    assert_eq!(hits, [Some(in_meters); BATCH + 2]);
    let mut actual = Vec::new();
    query.sweep_all(&sweeps, &mut |n, hit| actual.push((n, hit)));
    let expected: Vec<_> = (0..BATCH + 2).map(|n| (n, in_meters)).collect();
    assert_eq!(actual, expected);
}

#[test]
fn a_world_without_sweeps_has_none() {
    let world = world(false);
    assert!(SceneQuery::sweeps(&world).is_none());
    let mut hits = [Some(SWEPT)];
    world.sweep_first(&[sweep()], &mut hits);
    assert_eq!(hits, [None]);
    world.sweep_all(&[sweep()], &mut |n, hit| panic!("{n} {hit:?}"));
}

#[test]
fn bodies_are_read_in_meters_and_kilograms() {
    let mut world = world(false);
    let mut bodies = [BodyState::BLANK; 2];
    world.read(&[BodyId(1), BodyId(2)], &mut bodies).unwrap();
    for body in bodies {
        assert_eq!(body.position, DVec3::new(1.0, 2.0, 3.0));
        assert_eq!(body.linear_velocity, Vec3::X * 5.0);
        assert_eq!(body.mass, 1500.0);
        // 1e8 g·dm² are 1000 kg·m².
        let inertia = body.inverse_inertia.inverse().x_axis.x;
        assert!((inertia - 1000.0).abs() < 1e-3, "{inertia}");
        let kept = (body.angular_velocity, body.angular_damping, body.asleep);
        assert_eq!(kept, (Vec3::Y, 0.2, true));
        assert_eq!(body.rotation, Quat::from_xyzw(0.6, 0.0, 0.0, 0.8));
    }
    assert!(world.read(&[BodyId(0)], &mut bodies[..1]).is_err());
    world.world_mut().has_sweeps = true;
    assert!(world.into_world().has_sweeps);
}

#[test]
fn ground_moves_in_meters_and_kilograms() {
    let world = world(false);
    assert_eq!(world.ground_motion(BodyId(0)), None);
    let scripted = world.ground_motion(BodyId(1)).unwrap();
    assert_eq!(scripted.mass, None);
    let free = world.ground_motion(BodyId(2)).unwrap();
    assert_eq!((free.position, free.mass), (DVec3::X, Some(2.0)));
    // 1/8000 of kg⁻¹·m⁻² in grams and decimeters.
    assert!(
        free.inverse_inertia
            .abs_diff_eq(Mat3::IDENTITY * 12.5, 1e-5)
    );
    let velocity = (free.linear_velocity, free.angular_velocity);
    assert_eq!(velocity, (Vec3::Y * 2.0, Vec3::Z));
}

/// A motion whose lengths are ten times as many in the world's units.
#[test]
fn motions_are_handed_over_in_the_worlds_units() {
    let (linear, angular, gravity) = (Vec3::X, Vec3::Y, Vec3::Z);
    let motions = |length: f32| {
        [
            Motion::Keep,
            Motion::VelocityChange {
                linear: linear * length,
                angular,
            },
            Motion::Acceleration {
                linear: linear * length,
                angular,
            },
            Motion::StepMotion {
                linear: linear * length,
                angular,
                canceled_acceleration: gravity * length,
                canceled_angular_acceleration: Vec3::Y * 3.0,
            },
        ]
        .map(|motion| StepResult { motion, wake: true })
    };
    let mut world = world(false);
    world.apply(&[BodyId(1); 4], &motions(1.0)).unwrap();
    assert_eq!(world.world().outcomes, motions(10.0));
}

/// A newton is 10,000 g·dm/s², a newton-meter 100,000 g·dm²/s².
#[test]
fn reactions_are_converted() {
    let mut world = world(false);
    let reaction = Reaction {
        body: BodyId(1),
        force: Vec3::X,
        torque: Vec3::Y,
        anchor: DVec3::Z,
        offset: Vec3::ONE,
    };
    world.react(&[reaction; BATCH + 1]);
    let expected = Reaction {
        body: BodyId(1),
        force: Vec3::X * 10_000.0,
        torque: Vec3::Y * 100_000.0,
        anchor: DVec3::Z * 10.0,
        offset: Vec3::ONE * 10.0,
    };
    assert_eq!(world.world().reactions, [expected; BATCH + 1]);
}

#[test]
fn a_world_without_units_is_refused() {
    let units = UnitScale {
        length: 0.0,
        ..UnitScale::SI
    };
    let error = InUnits::new(World::default(), units).err().unwrap();
    assert_eq!(error.0[0].path, "length");
}

/// Boxes are asked for in the world's units, and triangles come back in SI, however many queries there are.
#[test]
fn triangles_are_converted() {
    assert!(world(false).triangles().is_none());
    let world = world(true);
    let query = TriangleQuery {
        anchor: DVec3::new(1.0, 2.0, 3.0),
        low: Vec3::splat(-1.0),
        high: Vec3::splat(2.0),
        ..TriangleQuery::BLANK
    };
    let mut found = Vec::new();
    let told = world.triangles().unwrap();
    told.visit_triangles(&[query; 9], &mut |n, triangle| found.push((n, *triangle)));
    let normal = told.curved_normal(&found[0].1, DVec3::new(1.0, 2.0, 3.0));
    assert_eq!(normal, Some(Vec3::new(10.0, 20.0, 30.0)));
    let in_si = GroundTriangle {
        corners: [Vec3::ZERO, Vec3::new(1.0, 2.0, 3.0), Vec3::X / 10.0],
        ..TRIANGLE
    };
    let expected: Vec<_> = (0..9).map(|n| (n, in_si)).collect();
    assert_eq!(found, expected);
    let asked = TriangleQuery {
        anchor: DVec3::new(10.0, 20.0, 30.0),
        low: Vec3::splat(-10.0),
        high: Vec3::splat(20.0),
        ..query
    };
    assert!(
        world
            .world()
            .boxes
            .borrow()
            .iter()
            .all(|query| *query == asked)
    );
}
