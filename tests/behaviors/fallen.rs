//! Cars that do not stand on their wheels keep their full weight.

use glam::{DVec3, Vec3};
use jounce::core::{BodyId, BodyState, Command, Detail, Gear, Vehicle, math};
use jounce::file::Car;
use proving_ground::ground::{GroundSpec, MeshUp, Terrain};
use proving_ground::stage::car_with;
use proving_ground::world::{self, Pose, World, WorldKind};
use vehicle_conformance::stability::{GRAVITY, steps};

use super::{BRAKED, FREE, RATE, car, step_with};

/// A car thrown onto its hull, or its body alone.
struct Wreck {
    world: Box<dyn World>,
    body: BodyId,
    vehicle: Option<Vehicle>,
    detail: Detail,
}

impl Wreck {
    /// Rolled to the left by `roll` (`rad`), its lowest corner just over ground that climbs toward
    /// +x by `slope` (`°`), sliding with `velocity` (`m/s`).
    fn new(kind: WorldKind, car: &Car, roll: f32, slope: f64, velocity: Vec3) -> Self {
        Self::heading(kind, car, (0.0, roll), slope, velocity)
    }

    /// A wreck headed to the left of +x by so much (`rad`) before it is rolled.
    fn heading(
        kind: WorldKind,
        car: &Car,
        (heading, roll): (f32, f32),
        slope: f64,
        velocity: Vec3,
    ) -> Self {
        let spec = if slope == 0.0 {
            GroundSpec::Flat
        } else {
            GroundSpec::Slope(slope)
        };
        let terrain = Terrain::new(&spec, MeshUp::Z).unwrap();
        let mut world = world::open(kind, &terrain, 1.0 / RATE).unwrap();
        let climb = math::rotation_about(Vec3::Y, -(slope.to_radians() as f32));
        let ahead = math::compose(climb, math::rotation_about(Vec3::Z, heading));
        let rotation = math::compose(ahead, math::rotation_about(Vec3::X, -roll));
        let pose = Pose {
            origin: DVec3::ZERO,
            rotation,
        };
        let mut desc = world::chassis(car, &pose);
        let hull = desc.hull.unwrap();
        let up = climb * Vec3::Z;
        let reach = |axis: Vec3, half: f32| (rotation * axis).dot(up).abs() * half;
        let half = hull.half_extents;
        let below = reach(Vec3::X, half.x) + reach(Vec3::Y, half.y) + reach(Vec3::Z, half.z);
        let middle = (rotation * hull.center).dot(up);
        desc.position = (up * (below - middle + 0.005)).as_dvec3();
        desc.linear_velocity = velocity;
        desc.sleep_threshold = 0.0;
        let body = world.add_body(&desc).unwrap();
        let mut vehicle = Vehicle::new(car.model(), body);
        vehicle.state_mut().drive.force_gear(Gear::NEUTRAL);
        Self {
            world,
            body,
            vehicle: Some(vehicle),
            detail: Detail::FULL,
        }
    }

    /// This wreck as a bare body, without a vehicle.
    fn bare(self) -> Self {
        Self {
            vehicle: None,
            ..self
        }
    }

    /// Total suspension force in the last step (`N`).
    fn carried(&self) -> f32 {
        let wheels = |vehicle: &Vehicle| {
            let count = 0..vehicle.model().wheel_count();
            let forces = count.map(|wheel| vehicle.wheel_report(wheel).suspension_force);
            forces.sum()
        };
        self.vehicle.as_ref().map_or(0.0, wheels)
    }

    fn run(&mut self, seconds: f32, command: &Command) -> BodyState {
        let dt = 1.0 / RATE;
        for n in 0..steps(seconds, RATE) {
            let update_level = self.detail.update_level(n as u64, 0);
            match &mut self.vehicle {
                Some(vehicle) => step_with(update_level, vehicle, &mut *self.world, command, dt),
                None => self.world.advance(GRAVITY, dt),
            }
        }
        self.world.body_state(self.body).unwrap()
    }
}

const ROOF: f32 = core::f32::consts::PI;
const SIDE: f32 = core::f32::consts::FRAC_PI_2;

/// Upside down, on level ground and on a slope that its friction holds, with the brakes on: no more
/// than its body alone, which the standalone world lets creep a little.
#[test]
fn a_car_on_its_roof_does_not_creep() {
    let mut creeping = Vec::new();
    for &world in WorldKind::all() {
        for name in vehicle_conformance::stability::CARS {
            for slope in [0.0, 10.0] {
                let make = || Wreck::new(world, &car(name), ROOF, slope, Vec3::ZERO);
                let way = |mut wreck: Wreck| {
                    let stood = wreck.run(1.0, &Command::Car(BRAKED)).position;
                    let rest = wreck.run(9.0, &Command::Car(BRAKED)).position;
                    1000.0 * rest.distance(stood)
                };
                let (with, without) = (way(make()), way(make().bare()));
                if with >= 1.1 * without + 1.0 {
                    let case = format!("{world:?} {name} {slope}°");
                    creeping.push(format!("{case}: {with:.3} mm, its body {without:.3} mm"));
                }
            }
        }
    }
    assert!(creeping.is_empty(), "{}", creeping.join("\n"));
}

/// A car on its roof or side slides like its body alone: its wheels touch nothing.
#[test]
fn a_car_slides_on_its_side_as_any_box_does() {
    let sedan = car("sedan");
    for &world in WorldKind::all() {
        for roll in [ROOF, SIDE] {
            let make = || Wreck::new(world, &sedan, roll, 0.0, Vec3::X * 8.0);
            let slid = |mut wreck: Wreck| wreck.run(4.0, &Command::Car(FREE)).position.x;
            let (with, without) = (slid(make()), slid(make().bare()));
            assert!(without > 4.0, "{world:?} {roll}: {without}");
            let apart = (with / without - 1.0).abs();
            assert!(apart < 0.02, "{world:?} {roll}: {with} m, not {without} m");
        }
    }
}

/// The car keeps its weight between updates, too: friction is the same in extrapolated steps.
#[test]
fn a_car_with_less_effort_slides_on_its_roof_as_far() {
    let detail = Detail {
        probe_every: 1,
        update_every: 3,
    };
    for solver in ["rows", "explicit"] {
        let sedan = car_with("sedan", "solver", solver).unwrap();
        for &world in WorldKind::all() {
            let make = || Wreck::new(world, &sedan, ROOF, 0.0, Vec3::X * 8.0);
            let slid = |mut wreck: Wreck| wreck.run(4.0, &Command::Car(FREE)).position.x;
            let full = slid(make());
            let less = slid(Wreck { detail, ..make() });
            let apart = (less / full - 1.0).abs();
            assert!(apart < 0.02, "{world:?} {solver}: {less} m, not {full} m");
        }
    }
}

/// Sliding, and tilted so far that the wheels of one side and the hull's edge touch: together they
/// press on the ground with the car's weight. Their friction is the hull's or more, so the
/// deceleration is at least that coefficient times the supporting force; a little less where the
/// brake cannot lock an overloaded wheel.
#[test]
fn a_tilted_car_keeps_its_weight() {
    const SPEED: f32 = 8.0;
    const SECONDS: f32 = 0.75;
    for &world in WorldKind::all() {
        for name in vehicle_conformance::stability::CARS {
            for roll in [60_f32, 65.0, 70.0, 75.0] {
                let start = Vec3::X * SPEED;
                let mut wreck = Wreck::new(world, &car(name), roll.to_radians(), 0.0, start);
                let end = wreck.run(SECONDS, &Command::Car(BRAKED)).linear_velocity;
                let lost = (start - end).truncate().length();
                let held_up = end.z - GRAVITY.z * SECONDS;
                let share = lost / (world::HULL_FRICTION * held_up);
                assert!(share > 0.85, "{world:?} {name} {roll}°: {share}, {end}");
            }
        }
    }
}

/// A tilted car falls freely until it touches the ground: ½·g·t² within the discretization error of
/// 1/60 s steps.
#[test]
fn a_tilted_car_falls() {
    const SECONDS: f32 = 0.5;
    let sedan = car("sedan");
    let ideal = f64::from(-0.5 * GRAVITY.z * SECONDS * SECONDS);
    for &world in WorldKind::all() {
        for roll in [60_f32, 70.0, 110.0] {
            let mut wreck = Wreck::new(world, &sedan, roll.to_radians(), 0.0, Vec3::ZERO);
            wreck.world.teleport(wreck.body, DVec3::Z * 2.0).unwrap();
            let start = wreck.world.body_state(wreck.body).unwrap().position;
            let end = wreck.run(SECONDS, &Command::Car(FREE)).position;
            let share = (start.z - end.z) / ideal;
            assert!((share - 1.0).abs() < 0.04, "{world:?} {roll}°: {share}");
        }
    }
}

/// A tilted car comes to rest with its weight supported: its hull touches the ground, or its wheels carry all of it. It never
/// hovers.
#[test]
fn a_tilted_car_comes_to_rest() {
    let sedan = car("sedan");
    for &world in WorldKind::all() {
        for roll in [50_f32, 60.0, 65.0, 70.0, 80.0] {
            let mut wreck = Wreck::new(world, &sedan, roll.to_radians(), 0.0, Vec3::ZERO);
            let start = wreck.world.body_state(wreck.body).unwrap().position;
            let body = wreck.run(6.0, &Command::Car(BRAKED));
            let what = format!("{world:?} {roll}°");
            // On an edge of its hull and two wheels, it rocks on with a twentieth of what it fell with.
            let fallen = -GRAVITY.z * (start.z - body.position.z) as f32;
            let moves = 0.5 * body.linear_velocity.length_squared();
            assert!(moves < 0.1 * fallen, "{what}: {moves} of {fallen} J/kg");
            let gap = lowest_corner(&sedan, &body);
            let carried = wreck.carried() / (sedan.mass() * -GRAVITY.z);
            let rests = gap < 0.01 || (carried - 1.0).abs() < 0.02;
            assert!(
                rests,
                "{what}: {gap} m above the ground, wheels carry {carried}"
            );
        }
    }
}

/// Put on its side, its roof or the edge of both and its wheels, ahead and across a slope: after a while it lies or stands
/// still, as far as its body alone does. No bound of a wheel's incidence holds it in between. Not in Avian, where bodies alone
/// creep by up to 17 mm.
#[test]
fn a_tilted_car_comes_to_rest_on_a_slope() {
    let mut moving = Vec::new();
    let worlds = WorldKind::all().iter();
    for &world in worlds.filter(|world| world.name() != "avian") {
        for name in ["sedan", "suv", "pickup"] {
            let car = car(name);
            for (slope, roll) in [5.0, 10.0, 15.0, 20.0]
                .into_iter()
                .flat_map(|slope| [-120, -90, -75, -70, 70, 75, 90, 120].map(|roll| (slope, roll)))
            {
                for heading in [0.0, SIDE] {
                    let pose = (heading, (roll as f32).to_radians());
                    let make = || Wreck::heading(world, &car, pose, slope, Vec3::ZERO);
                    let way = |mut wreck: Wreck| {
                        let stood = wreck.run(15.0, &Command::Car(BRAKED)).position;
                        let rest = wreck.run(5.0, &Command::Car(BRAKED)).position;
                        1000.0 * rest.distance(stood)
                    };
                    let (with, without) = (way(make()), way(make().bare()));
                    if with >= without.max(1.5) + 0.5 {
                        let case = format!("{world:?} {name} {slope}° {roll}° {heading}");
                        moving.push(format!("{case}: {with:.3} mm, its body {without:.3} mm"));
                    }
                }
            }
        }
    }
    assert!(moving.is_empty(), "{}", moving.join("\n"));
}

/// Height of the hull's lowest corner over level ground (`m`).
fn lowest_corner(car: &Car, body: &BodyState) -> f64 {
    let center = car.hull.center - car.center_of_mass();
    let corners = (0..8).map(|n| {
        let side = |bit: usize| if n & bit == 0 { 0.5 } else { -0.5 };
        let corner = center + car.hull.size * Vec3::new(side(1), side(2), side(4));
        f64::from((body.rotation * corner).z)
    });
    body.position.z + corners.fold(f64::INFINITY, f64::min)
}
