//! Cars in the hands of players who have nothing but keys: held in any order they turn no car far out of its direction of
//! travel, and a closed course can be lapped with them.

use glam::{DVec3, Vec3};
use jounce::core::{Checked, Gear, VehicleReport};
use jounce::file::Car;
use jounce::input::{AutoReverse, CarHands, CarKeys, CarSmoothing, ReverseSpeeds};
use jounce::presets;
use proving_ground::stage::{Scene, Setup, Stage, steps};
use proving_ground::world::WorldKind;

/// Rate of the world (`Hz`).
const RATE: f32 = 60.0;
/// Presets that are towed, or that tracks turn.
const OTHERS: [&str; 3] = ["trailer", "semi-trailer", "tank"];
/// Presets that spin by PhysX's keys.
const SPINNING: [&str; 5] = ["sedan", "hatchback", "suv", "sports-car", "rally-car"];
/// Maximum slip angle of the body (`°`).
const MOST: f32 = 20.0;
/// Speed below which a car at full lock reaches such an angle by its geometry (`m/s`).
const MOVING: f32 = 5.0;

/// Every preset that is steered and drives itself.
fn cars() -> impl Iterator<Item = &'static str> {
    let names = presets::FILES.into_iter().map(|(name, _)| name);
    names.filter(|name| !OTHERS.contains(name))
}

/// A car that is driven by keys.
struct KeyDrive {
    stage: Stage,
    smoothing: Checked<CarSmoothing>,
    reverse: AutoReverse,
    hands: CarHands,
    /// Maximum slip angle of the body so far (`°`).
    slid: f32,
}

impl KeyDrive {
    fn new(world: WorldKind, car: &Car, smoothing: CarSmoothing, scene: &Scene) -> Self {
        Self {
            stage: Stage::new(&Setup { world, car }, scene, RATE).unwrap(),
            smoothing: Checked::new(smoothing).unwrap(),
            reverse: AutoReverse::default(),
            hands: CarHands::default(),
            slid: 0.0,
        }
    }

    fn seen(&self) -> VehicleReport {
        self.stage.vehicle.report(&self.stage.body().unwrap())
    }

    /// One step with these keys down.
    fn step(&mut self, keys: &CarKeys) {
        let seen = self.seen();
        let keys = self.reverse.keys(&ReverseSpeeds::PHYSX, keys, &seen);
        let dt = self.stage.dt;
        let command = self.hands.press(&self.smoothing, &keys, &seen, dt);
        self.stage.step(&command.unwrap()).unwrap();
        let seen = self.seen();
        if seen.forward_speed.hypot(seen.lateral_speed) > MOVING {
            let slip = libm::atan2f(seen.lateral_speed.abs(), seen.forward_speed.abs());
            self.slid = self.slid.max(slip.to_degrees());
        }
    }

    fn stands_upright(&self) -> bool {
        (self.stage.body().unwrap().rotation * Vec3::Z).z > 0.7
    }
}

/// Keys that go down and up at random times (`SplitMix64`).
struct RandomKeys {
    means: [[f32; 2]; 5],
    state: u64,
    /// Times until the next change of each key (`s`).
    left: [f32; 5],
    down: [bool; 5],
}

impl RandomKeys {
    /// Mean times for which accelerator, brake, left, right and handbrake are up, and down (`s`), of a player who drives forward.
    const FORWARD: [[f32; 2]; 5] = [[0.5, 2.5], [2.0, 0.5], [1.2, 1.2], [1.2, 1.2], [6.0, 0.4]];
    /// Mean times of a player who drives backward (`s`).
    const BACKWARD: [[f32; 2]; 5] = [[3.0, 0.5], [0.5, 4.0], [1.2, 0.6], [1.2, 0.6], [6.0, 0.4]];
    /// Mean times of a player who dashes to and fro (`s`).
    const TO_AND_FRO: [[f32; 2]; 5] = [
        [2.0, 2.0],
        [2.0, 2.0],
        [0.15, 0.15],
        [0.15, 0.15],
        [6.0, 0.4],
    ];

    fn new(means: [[f32; 2]; 5], seed: u64) -> Self {
        Self {
            means,
            state: seed,
            left: [0.0; 5],
            down: [true; 5],
        }
    }

    fn random(&mut self) -> f32 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 40) as f32 / (1_u64 << 24) as f32
    }

    fn next(&mut self) -> CarKeys {
        for n in 0..5 {
            self.left[n] -= 1.0 / RATE;
            if self.left[n] <= 0.0 {
                self.down[n] = !self.down[n];
                let mean = self.means[n][usize::from(self.down[n])];
                self.left[n] = 0.05 - mean * libm::logf(1.0 - self.random());
            }
        }
        let [throttle, brake, left, right, handbrake] = self.down;
        CarKeys {
            throttle,
            brake,
            left,
            right,
            handbrake,
            ..CarKeys::FREE
        }
    }
}

/// Maximum slip angle (`°`) of a car whose keys are held in a random order for a minute, from a standstill or at speed.
fn random_minute(world: WorldKind, car: &Car, smoothing: &CarSmoothing, seed: u64) -> f32 {
    let at_speed = Scene {
        speed: 20.0,
        gear: Gear(2),
        ..Scene::LEVEL
    };
    let means = match seed % 4 {
        2 => RandomKeys::BACKWARD,
        3 => RandomKeys::TO_AND_FRO,
        _ => RandomKeys::FORWARD,
    };
    let fast = seed.is_multiple_of(4) && car.name != "skateboard";
    let scene = if fast { at_speed } else { Scene::IN_FIRST };
    let mut drive = KeyDrive::new(world, car, smoothing.clone(), &scene);
    let mut keys = RandomKeys::new(means, seed);
    for n in 0..steps(60.0, RATE) {
        drive.step(&keys.next());
        let time = n as f32 / RATE;
        let told = format!("{} in {world:?}, seed {seed}, {time} s", car.name);
        assert!(drive.stands_upright() || smoothing.grip.is_none(), "{told}");
    }
    drive.slid
}

#[test]
fn keys_in_any_order_turn_no_car_out_of_its_way() {
    for name in cars() {
        let car = presets::by_name(name).unwrap();
        let smoothing = car.smoothing();
        for &world in WorldKind::all() {
            for seed in 0..8 {
                let slid = random_minute(world, &car, &smoothing, seed);
                assert!(slid < MOST, "{name} in {world:?}, seed {seed}: {slid}°");
            }
        }
    }
}

#[test]
fn by_physx_keys_cars_spin() {
    for name in SPINNING {
        let car = presets::by_name(name).unwrap();
        let smoothing = CarSmoothing::physx_keys();
        let slid = |seed: u64| random_minute(WorldKind::Standalone, &car, &smoothing, 4 * seed);
        let most = (0..8).map(slid).fold(0.0, f32::max);
        assert!(most > MOST, "{name}: only {most}°");
    }
}

/// The throttle is released at 88 km/h, and left held for 1.3 s.
#[test]
fn lifting_off_and_holding_left_does_not_spin_a_car() {
    let left = CarKeys {
        left: true,
        ..CarKeys::FREE
    };
    let scene = Scene {
        speed: 88.0 / 3.6,
        gear: Gear(3),
        ..Scene::LEVEL
    };
    for name in SPINNING {
        let car = presets::by_name(name).unwrap();
        let slid = |world, smoothing| {
            let mut drive = KeyDrive::new(world, &car, smoothing, &scene);
            for n in 0..steps(5.0, RATE) {
                let held = n < steps(1.3, RATE);
                drive.step(if held { &left } else { &CarKeys::FREE });
            }
            drive.slid
        };
        for &world in WorldKind::all() {
            let own = slid(world, car.smoothing());
            let physx = slid(world, CarSmoothing::physx_keys());
            println!("{name} in {world:?}: {own}° instead of {physx}°");
            assert!(own < MOST, "{name} in {world:?}: {own}°");
            assert!(
                physx > MOST,
                "{name} in {world:?}: {physx}° by PhysX's keys"
            );
        }
    }
}

#[test]
fn limits_are_those_of_the_car() {
    let limit = |name: &str, speed| {
        let smoothing = presets::by_name(name).unwrap().smoothing();
        smoothing.steer_limit.by_speed.at(speed)
    };
    // At 88 km/h a sedan can use 0.13 of its lock; PhysX's table says 0.26.
    let sedan = limit("sedan", 88.0 / 3.6);
    assert!((0.11..0.17).contains(&sedan), "{sedan}");
    // A truck would tip over before its tires slide.
    assert!(limit("truck", 20.0) < 0.6 * limit("sedan", 20.0));
    for name in cars() {
        assert_eq!(limit(name, 1.0), 1.0, "{name} parks with its full lock");
    }
    let tank = presets::by_name("tank").unwrap().smoothing();
    assert!(tank.grip.is_none() && Checked::new(tank).is_ok());
}

/// A closed road around the origin, with bends both ways of radii down to 42 m.
struct Road;

impl Road {
    /// Half of its width (`m`).
    const HALF_WIDTH: f64 = 5.0;

    /// Distance of its center line from the origin in a direction (`rad`), and how it changes (`m`, `m/rad`, `m/rad²`).
    fn radius(angle: f64) -> [f64; 3] {
        let (sin, cos) = libm::sincos(3.0 * angle);
        [90.0 + 20.0 * cos, -60.0 * sin, -180.0 * cos]
    }

    fn at(angle: f64) -> DVec3 {
        let (sin, cos) = libm::sincos(angle);
        DVec3::new(cos, sin, 0.0) * Self::radius(angle)[0]
    }

    /// Direction of the road (`rad`).
    fn heading(angle: f64) -> f64 {
        let [radius, slope, _] = Self::radius(angle);
        angle + libm::atan2(radius, slope)
    }

    /// Curvature of its center line (`1/m`).
    fn curvature(angle: f64) -> f64 {
        let [r, dr, ddr] = Self::radius(angle);
        (r * r + 2.0 * dr * dr - r * ddr) / libm::pow(r * r + dr * dr, 1.5)
    }

    /// Direction (`rad`) of the point that is this far along the road (`m`), and the greatest curvature up to there (`1/m`).
    fn ahead(mut angle: f64, distance: f64) -> (f64, f64) {
        let mut most = 0.0_f64;
        for _ in 0..16 {
            let [radius, slope, _] = Self::radius(angle);
            angle += distance / 16.0 / libm::hypot(radius, slope);
            most = most.max(Self::curvature(angle).abs());
        }
        (angle, most)
    }

    /// Distance of a point from the center line (`m`).
    fn off_center(place: DVec3) -> f64 {
        let angle = libm::atan2(place.y, place.x);
        let [radius, slope, _] = Self::radius(angle);
        let beside = libm::hypot(place.x, place.y) - radius;
        beside.abs() * radius / libm::hypot(radius, slope)
    }
}

/// Keys of a player who presses ten times a second and looks along the road: left or right toward the car's position in
/// three quarters of a second, throttle or brake by the sharpest bend in sight.
fn player(place: DVec3, heading: f64, seen: &VehicleReport) -> CarKeys {
    let speed = f64::from(seen.forward_speed);
    let here = libm::atan2(place.y, place.x);
    let (goal, _) = Road::ahead(here, 6.0 + 0.75 * speed);
    let (_, sharpest) = Road::ahead(here, 10.0 + 2.0 * speed);
    let to_goal = Road::at(goal) - place;
    let bearing = libm::remainder(
        libm::atan2(to_goal.y, to_goal.x) - heading,
        core::f64::consts::TAU,
    );
    // Turning as now, the car comes out beside the goal by this angle.
    let turns = 0.375 * f64::from(seen.yaw_rate);
    let beside = bearing - turns;
    let fastest = libm::sqrt(4.0 / sharpest).min(25.0);
    CarKeys {
        left: beside > 0.03,
        right: beside < -0.03,
        throttle: speed < fastest,
        brake: speed > fastest + 2.0,
        ..CarKeys::FREE
    }
}

/// Time of a lap by keys (`s`), and how far the car came off the center line at most (`m`).
fn lap(world: WorldKind, car: &Car) -> (f32, f64) {
    let scene = Scene {
        heading: (Road::heading(0.0)) as f32,
        ..Scene::IN_FIRST
    };
    let mut drive = KeyDrive::new(world, car, car.smoothing(), &scene);
    let start = Road::at(0.0) - drive.stage.position().unwrap();
    let (mut turned, mut last, mut off) = (0.0, 0.0, 0.0_f64);
    let mut keys = CarKeys::FREE;
    for n in 0..steps(180.0, RATE) {
        let body = drive.stage.body().unwrap();
        let place = body.position + start;
        let angle = libm::atan2(place.y, place.x);
        turned += libm::remainder(angle - last, core::f64::consts::TAU);
        last = angle;
        off = off.max(Road::off_center(place));
        if turned > core::f64::consts::TAU {
            return (n as f32 / RATE, off);
        }
        if n % 6 == 0 {
            let ahead = body.rotation * Vec3::X;
            let heading = libm::atan2(ahead.y.into(), ahead.x.into());
            keys = player(place, heading, &drive.seen());
        }
        drive.step(&keys);
    }
    (f32::INFINITY, off)
}

#[test]
fn a_player_with_keys_laps_a_course_on_the_road() {
    for name in [
        "sedan",
        "hatchback",
        "sports-car",
        "rally-car",
        "pickup",
        "suv",
        "truck",
        "tadpole",
    ] {
        let car = presets::by_name(name).unwrap();
        for &world in WorldKind::all() {
            let (time, off) = lap(world, &car);
            println!("{name} in {world:?}: {time} s, {off} m off the center line");
            let edge = off + 0.5 * f64::from(car.hull.size.y);
            assert!(time < 120.0, "{name} in {world:?}: not around");
            assert!(edge < Road::HALF_WIDTH, "{name} in {world:?}: {off} m off");
        }
    }
}
