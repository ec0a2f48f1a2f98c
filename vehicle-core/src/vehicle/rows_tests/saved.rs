//! Saving and probing change nothing: whenever a state is saved and restored, and however often a vehicle probes, it goes
//! on with the same bits.

use super::*;
use crate::params::surface::Surfaces;
use crate::vehicle::detail::{Detail, UpdateLevel};

/// Length of the road's facets (`m`), their heights (`m`), and where the road ends (`m`).
const FACET: f64 = 2.0;
const HEIGHTS: [f64; 8] = [0.0, 0.0, 0.06, 0.2, 0.22, 0.1, 0.04, 0.12];
const LEVEL: [f64; 8] = [0.0; 8];
const END: f64 = 11.3;

/// A body under the wheels.
const RAFT: GroundMotion = GroundMotion {
    position: DVec3::ZERO,
    rotation: Quat::IDENTITY,
    linear_velocity: Vec3::new(0.3, 0.1, 0.05),
    angular_velocity: Vec3::ZERO,
    mass: Some(5000.0),
    inverse_inertia: Mat3::ZERO,
};

/// A car on a road of facets that ends.
#[derive(Clone)]
struct Road {
    world: World,
    heights: [f64; 8],
    /// Whether the hit of the first wheel is not finite.
    broken: bool,
}

impl Road {
    fn new(heights: [f64; 8], speed: f32) -> Self {
        let model = model(params(|_| ()), geared(Some(1e4)));
        let mut world = World::new(&model, 0.0, 0.0);
        world.body.linear_velocity = Vec3::X * speed;
        Self {
            world,
            heights,
            broken: false,
        }
    }

    fn hit(&self, ray: &GroundRay) -> Option<GroundHit> {
        let start = ray.anchor + ray.offset.as_dvec3();
        let begin = (start.x / FACET).floor();
        let height = |n: f64| self.heights[n.rem_euclid(8.0) as usize];
        let slope = (height(begin + 1.0) - height(begin)) / FACET;
        let normal = DVec3::new(-slope, 0.0, 1.0).normalize();
        let foot = DVec3::new(begin * FACET, 0.0, height(begin));
        let along = normal.dot(ray.direction.as_dvec3());
        let distance = (normal.dot(foot - start) / along) as f32;
        let hits = start.x < END && along < 0.0 && distance >= 0.0 && distance <= ray.length;
        hits.then(|| GroundHit {
            distance,
            normal: normal.as_vec3(),
            material: MaterialId(0),
            body: self.world.motion.map(|_| BodyId(9)),
            collider: crate::ColliderId(0),
            triangle: None,
        })
    }

    fn probe(&mut self) {
        let (body, motion, surfaces) = (self.world.body, self.world.motion, Surfaces::new());
        let mut rays = [GroundRay::BLANK; 4];
        self.world.car.plan_rays(&body, &mut rays);
        let mut hits = rays.map(|ray| self.hit(&ray));
        if let (true, Some(hit)) = (self.broken, &mut hits[0]) {
            hit.distance = f32::NAN;
        }
        let mut car = self.world.car.clone();
        let taken = car.take_hits(&rays, &hits, &surfaces, |_| motion);
        assert_eq!(taken.is_err(), self.broken && hits[0].is_some());
        car.find_ground_edges(&body, &surfaces, &mut |rays, hits| {
            for (ray, hit) in rays.iter().zip(hits) {
                *hit = self.hit(ray);
            }
        });
        self.world.car = car;
    }

    /// Goes on with a new vehicle that has the saved state.
    fn renew(&mut self) {
        let state = self.world.car.state().clone();
        let mut car = Vehicle::new(Arc::clone(self.world.car.model()), self.world.car.body());
        car.restore(state).unwrap();
        self.world.car = car;
    }

    fn advance(&mut self) -> Result<StepResult, StepError> {
        let command = Command::Car(self.world.command);
        let world = &mut self.world;
        let result = world.car.update(&world.body, &command, GRAVITY, DT)?;
        world.apply(&result, DT);
        Ok(result)
    }

    fn state(&self) -> &VehicleState {
        self.world.car.state()
    }

    /// Everything that the drive goes on from, bit by bit: the shortest decimals are exact.
    fn bits(&self) -> alloc::string::String {
        let asked = [UpdateLevel::KnownGround, UpdateLevel::Extrapolated];
        let levels = asked.map(|asked| self.world.car.required_level(asked));
        alloc::format!("{:?} {:?} {levels:?}", self.world.body, self.state())
    }
}

/// A step of a drive, and what is done in it that must not matter.
#[derive(Clone, Copy, Debug)]
struct Moment {
    asked: UpdateLevel,
    /// Accelerator, brake, steering (–).
    pedals: [f32; 3],
    broken: bool,
    /// The state is saved and restored before the probe, and between probe and update.
    saves: [bool; 2],
    probes: usize,
}

fn moment() -> impl Strategy<Value = Moment> {
    let asked = prop_oneof![Just(UpdateLevel::Full), Just(UpdateLevel::KnownGround)];
    let pedals = [0.0_f32..1.0, 0.0..1.0, -0.3..0.3];
    let broken = proptest::bool::weighted(0.05);
    (asked, pedals, broken, any::<[bool; 2]>(), 1..4_usize).prop_map(
        |(asked, pedals, broken, saves, probes)| Moment {
            asked,
            pedals,
            broken,
            saves,
            probes,
        },
    )
}

impl Road {
    fn go_on(&mut self, moment: &Moment, is_disturbed: bool) -> Result<StepResult, StepError> {
        let [throttle, brake, steer] = moment.pedals;
        self.world.command = CarCommand {
            throttle,
            brake,
            steer,
            ..CarCommand::default()
        };
        self.broken = moment.broken;
        if is_disturbed && moment.saves[0] {
            self.renew();
        }
        let probes = self.world.car.required_level(moment.asked) == UpdateLevel::Full;
        let look = |road: &mut Self, times: usize| {
            (0..times).for_each(|_| road.probe());
        };
        if probes {
            look(self, if is_disturbed { moment.probes } else { 1 });
        }
        if is_disturbed && moment.saves[1] {
            self.renew();
            look(self, usize::from(probes));
        }
        self.advance()
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn saves_and_repeated_probes_change_nothing(
        moments in proptest::collection::vec(moment(), 1..70), speed in 1.0_f32..18.0,
        moves in proptest::bool::weighted(0.2),
    ) {
        let mut plain = Road::new(HEIGHTS, speed);
        plain.world.motion = moves.then_some(RAFT);
        let mut disturbed = plain.clone();
        for (n, moment) in moments.iter().enumerate() {
            let [expected, found] = [(&mut plain, false), (&mut disturbed, true)]
                .map(|(road, is_disturbed)| road.go_on(moment, is_disturbed));
            prop_assert_eq!(found, expected, "step {}", n);
            prop_assert_eq!(disturbed.bits(), plain.bits(), "after step {}", n);
        }
    }
}

/// A probe leaves the state as it was.
#[test]
fn a_probe_does_not_change_the_state() {
    let mut road = Road::new(HEIGHTS, 12.0);
    for _ in 0..40 {
        let before = road.state().clone();
        road.probe();
        assert_eq!(*road.state(), before);
        road.advance().unwrap();
    }
}

/// Where the road ends, wheels stand on its last piece with the car's own grip, too.
#[test]
fn a_vehicles_own_grip_counts_up_to_the_edge() {
    let mut road = Road::new(LEVEL, 12.0);
    road.world.command = CarCommand::default();
    road.world.car.set_grip(0.5).unwrap();
    let mut edges = 0;
    for _ in 0..60 {
        road.probe();
        edges += usize::from(road.world.car.probe_result.needs_probe);
        let contacts = road.world.car.contacts().iter().flatten();
        assert!(contacts.into_iter().all(|contact| contact.friction == 0.5));
        road.advance().unwrap();
    }
    assert!(edges > 0);
}

/// A reset car goes on as a new one, and reports as one: nothing that it was survives.
#[rstest]
#[case::rows(params(|_| ()))]
#[case::explicit(params(|p| p.profile = Profile::PHYSX_5))]
#[case::six_wheels(params(six_wheeler))]
fn a_reset_car_is_a_new_one(#[case] params: VehicleParams) {
    let model = model(params, geared(Some(1e4)));
    let mut world = World::new(&model, 0.0, 0.0);
    let new = world.car.clone();
    world.body.linear_velocity = Vec3::X * 8.0;
    world.command.steer = 0.5;
    for _ in 0..20 {
        world.probe();
        let command = Command::Car(world.command);
        let result = world.car.update(&world.body, &command, GRAVITY, DT);
        assert!(result.is_ok());
        world.body.position.x += 0.1;
    }
    let text = |car: &Vehicle| alloc::format!("{car:?}");
    assert_ne!(text(&world.car), text(&new));
    world.car.reset_to(new.state()).unwrap();
    assert_eq!(text(&world.car), text(&new));
}

#[test]
fn a_reset_refuses_the_state_of_another_number_of_wheels() {
    let world = World::new(&model(params(six_wheeler), geared(None)), 0.0, 0.0);
    let mut road = Road::new(LEVEL, 12.0);
    let before = road.bits();
    let error = road.world.car.reset_to(world.car.state()).unwrap_err();
    let expected = 1;
    assert_eq!(
        error,
        StepError::ForeignState {
            groups: 2,
            expected
        }
    );
    assert_eq!(road.bits(), before);
}

/// A restored car comes to rest at the update levels of the one that was saved, whose brakes it does not know.
#[test]
fn a_restored_car_comes_to_rest_at_the_same_update_levels() {
    let mut road = Road::new(LEVEL, 0.1);
    road.world.command.brake = 0.01;
    let mut found = [0, 0];
    for _ in 0..200 {
        road.probe();
        road.advance().unwrap();
        let level = road.world.car.required_level(UpdateLevel::Extrapolated);
        found[usize::from(level == UpdateLevel::KnownGround)] += 1;
        let mut other = road.clone();
        other.renew();
        let restored = other.world.car.required_level(UpdateLevel::Extrapolated);
        assert_eq!(restored, level);
    }
    assert!(found.iter().all(|n| *n > 10), "{found:?}");
}

/// Where probes look ahead to the next one, no ground beyond the road's end carries a wheel.
#[rstest]
fn ground_ends_between_probes(#[values(1, 2, 3)] probe_every: u32) {
    let detail = Detail {
        probe_every,
        update_every: 1,
    };
    for turn in 0..u64::from(probe_every) {
        let mut road = Road::new(LEVEL, 20.0);
        road.world.command.brake = 0.0;
        let (mut carried, mut beyond) = (0, 0);
        for step in 0..60 {
            let front = road.world.body.position.x + 1.25;
            if road.world.car.update_level(detail, step, turn) == UpdateLevel::Full {
                road.probe();
            }
            road.advance().unwrap();
            let force = road.state().wheels[0].normal_force.lane(0);
            if front > END {
                beyond += 1;
                assert_eq!(force, 0.0, "{turn}: step {step}");
            } else if force > 0.0 {
                carried += 1;
            }
        }
        assert!(carried > 20 && beyond > 20, "{carried} {beyond}");
    }
}
