//! Hulls against ground that meets them between their corners, above them, and at speed.

use core::iter;

use glam::{DVec3, Mat3, Quat, Vec3};
use proptest::prelude::*;
use rstest::rstest;
use vehicle_core::frame::Axis;
use vehicle_core::math;

use crate::body::{Body, BodyDesc, CollisionBox};
use crate::grounds::{GroundPart, Grounds};
use crate::hull::HullSolver;
use crate::hull_spots::Surroundings;
use crate::plane::Plane;
use crate::steps::Steps;
use crate::{Axes, Block, Capsule, HeightField, TriangleMesh, Triangles};

const G: f32 = 9.81;
/// Mass of every hull here (`kg`).
const MASS: f32 = 1000.0;
/// Most by which a drop on rough ground, which then slides for six seconds, is pushed out in all (`m`).
const LIFT: f64 = 0.25;

/// A hull in its world. Its moments of inertia are equal: others would make energy out of nothing in the
/// air, as gyroscopic torque is left out.
struct Drop {
    ground: Grounds,
    body: Body,
    solver: HullSolver,
    gravity: f32,
    dt: f32,
    /// Work of pushing the hull out of the ground (`J`).
    lifted: f64,
}

impl Drop {
    fn new(ground: impl Into<Grounds>, half_extents: Vec3, place: DVec3, dt: f32) -> Self {
        let inertia = Mat3::from_diagonal(Vec3::splat(MASS * 0.4 * half_extents.length_squared()));
        let mut desc = BodyDesc::at_rest(place, MASS, inertia);
        desc.hull = Some(CollisionBox {
            half_extents,
            center: Vec3::ZERO,
            friction: 0.5,
            layers: u32::MAX,
        });
        Self {
            ground: ground.into(),
            body: Body::new(&desc),
            solver: HullSolver::default(),
            gravity: G,
            dt,
            lifted: 0.0,
        }
    }

    fn without_gravity(mut self) -> Self {
        self.gravity = 0.0;
        self
    }

    fn without_friction(mut self) -> Self {
        self.body.now.hull.as_mut().unwrap().friction = 0.0;
        self
    }

    fn at(mut self, velocity: Vec3, turn: Quat) -> Self {
        self.body.now.linear_velocity = velocity;
        self.body.now.rotation = turn;
        self
    }

    fn step(&mut self) {
        self.body.accelerate(Vec3::NEG_Z * self.gravity, self.dt);
        let around = Surroundings {
            ground: &self.ground,
            origin: DVec3::ZERO,
            up: (self.gravity > 0.0).then_some(DVec3::Z),
            dt: self.dt,
        };
        let height = self.body.now.position.z;
        self.solver.approach(&around, iter::once(&mut self.body));
        let risen = self.body.now.position.z - height;
        self.lifted += f64::from(MASS * self.gravity) * risen;
        self.body.advance(self.dt);
        self.body.update_sleep(self.dt);
        self.solver.land(self.dt, iter::once(&mut self.body));
    }

    fn run(&mut self, seconds: f32, mut each: impl FnMut(&Body)) {
        for _ in 0..(seconds / self.dt).round() as usize {
            self.step();
            each(&self.body);
        }
    }

    /// Kinetic and potential energy (`J`).
    fn energy(&self) -> f64 {
        let now = &self.body.now;
        let (v, spin) = (now.linear_velocity, now.angular_velocity);
        let kinetic = 0.5 * (MASS * v.dot(v) + spin.dot(now.inertia * spin));
        f64::from(kinetic) + f64::from(MASS * self.gravity) * now.position.z
    }
}

/// Quads of four corners each (`m`, z up).
fn quads(all: &[[[f64; 3]; 4]]) -> Triangles {
    let mut triangles = Triangles::default();
    for quad in all {
        let first = triangles.vertices.len() as u32;
        triangles.vertices.extend(quad.map(DVec3::from_array));
        let [a, b, c, d] = [0, 1, 2, 3].map(|n| first + n);
        triangles.corners.extend([[a, b, c], [a, c, d]]);
    }
    triangles
}

/// The top and the four sides of a box on the ground, each with vertices of its own.
fn shell([x0, x1]: [f64; 2], half_width: f64, height: f64) -> Vec<[[f64; 3]; 4]> {
    let (l, r, h) = (half_width, -half_width, height);
    vec![
        [[x0, r, h], [x1, r, h], [x1, l, h], [x0, l, h]],
        [[x0, r, 0.0], [x0, r, h], [x0, l, h], [x0, l, 0.0]],
        [[x1, r, 0.0], [x1, l, 0.0], [x1, l, h], [x1, r, h]],
        [[x0, r, 0.0], [x1, r, 0.0], [x1, r, h], [x0, r, h]],
        [[x0, l, 0.0], [x0, l, h], [x1, l, h], [x1, l, 0.0]],
    ]
}

fn mesh(all: &[[[f64; 3]; 4]]) -> Grounds {
    TriangleMesh::of(&quads(all)).unwrap().into()
}

/// A solid from x = 40 m, `length` long.
fn solid(length: f64, half_width: f64, height: f64) -> Grounds {
    let half = DVec3::new(0.5 * length, half_width, 0.5 * height);
    let center = DVec3::new(40.0, 0.0, 0.0) + DVec3::new(half.x, 0.0, half.z);
    Block::new(center, Quat::IDENTITY, half.as_vec3())
        .unwrap()
        .into()
}

fn bar(radius: f64) -> Grounds {
    let foot = DVec3::new(40.0 + radius, 0.0, 0.0);
    let ends = [foot, foot + DVec3::Z * 3.0];
    Capsule::new(ends, radius).unwrap().into()
}

/// A car's hull, 0.25 m over the ground, that flies at an obstacle at x = 40 m.
#[rstest]
fn an_obstacle_between_the_corners_stops_a_hull(
    #[values(
        mesh(&shell([40.0, 40.2], 0.3, 0.45)),
        mesh(&shell([40.0, 40.2], 0.1, 3.0)),
        mesh(&shell([40.0, 40.1], 5.0, 3.0)),
        mesh(&shell([40.0, 40.1], 5.0, 3.0)[1..2]),
        solid(0.2, 0.3, 0.45),
        solid(0.1, 0.1, 3.0),
        solid(0.1, 5.0, 3.0),
        bar(0.05),
        Steps::curb(Axes::Z_UP, DVec3::X * 40.0, 0.4).unwrap().into()
    )]
    ground: Grounds,
    #[values(0.0, 0.5)] aside: f64,
    #[values(-0.2, 0.0, 0.6)] yaw: f32,
    #[values((10.0, 30.0), (40.0, 30.0), (40.0, 240.0))] (speed, rate): (f32, f32),
) {
    let half = Vec3::new(2.2, 0.9, 0.5);
    let turn = math::rotation_about(Vec3::Z, yaw);
    // The middle of the obstacle is before it, as it flies straight on.
    let start = DVec3::new(32.3, aside, 0.75);
    let mut car = Drop::new(ground, half, start, 1.0 / rate).without_gravity();
    car.body.now.hull.as_mut().unwrap().friction = 0.2;
    let mut car = car.at(Vec3::X * speed, turn);
    let energy = car.energy();
    let mut slowest = speed;
    let mut deepest = 0.0_f64;
    car.run(1.0, |body| {
        slowest = slowest.min(body.now.linear_velocity.x);
        let to_box = math::matrix(body.now.rotation).transpose();
        for y in [-0.05, 0.0, 0.05] {
            let tip = DVec3::new(40.05, y, 0.4);
            let inside = to_box * (tip - body.now.position).as_vec3();
            let depth = (half - inside.abs()).min_element();
            deepest = deepest.max(depth.into());
        }
    });
    assert!(slowest < 0.7 * speed, "{slowest} {:?}", car.body.now);
    // What a hull that the obstacle turns sweeps aside in a step is not foreseen: less than a fifth of a step's displacement.
    assert!(
        deepest < f64::from(0.2 * speed / rate),
        "{deepest} {:?}",
        car.body.now
    );
    assert!(car.energy() < energy * 1.0001);
}

/// A hull that passes an obstacle at a hand's breadth does not feel it.
#[rstest]
fn an_obstacle_beside_the_way_is_not_felt(
    #[values(1.05, -1.05)] aside: f64,
    #[values(30.0, 60.0)] rate: f32,
    #[values(0.0, 0.3)] yaw: f32,
) {
    let turn = math::rotation_about(Vec3::Z, yaw);
    let way = math::matrix(turn) * Vec3::X;
    let across = math::matrix(turn) * Vec3::Y;
    let pole = mesh(&shell([40.0, 40.2], 0.1, 3.0));
    let beside = across.as_dvec3() * (aside + 0.3 * aside.signum());
    let start = DVec3::new(40.1, 0.0, 0.75) + beside - way.as_dvec3() * 20.0;
    let car = Drop::new(pole, Vec3::new(2.2, 0.9, 0.5), start, 1.0 / rate);
    let mut car = car.without_gravity().at(way * 40.0, turn);
    car.run(1.0, |body| assert_eq!(body.now.linear_velocity, way * 40.0));
    assert_eq!(car.body.now.angular_velocity, Vec3::ZERO);
}

/// A hull under a ceiling 0.4 m above its roof slides down a slope as without it.
#[test]
fn a_ceiling_over_a_slope_is_not_felt() {
    let turn = math::rotation_about(Vec3::Y, 25_f32.to_radians());
    let axes = math::matrix(turn).as_dmat3();
    let sheet = |height: f64| {
        let corners = [[-9.0, -9.0], [99.0, -9.0], [99.0, 9.0], [-9.0, 9.0]];
        corners.map(|[x, y]| (axes * DVec3::new(x, y, height)).to_array())
    };
    let speed = |ground: Grounds| {
        let start = axes * DVec3::Z * 0.501;
        let mut car = Drop::new(ground, Vec3::new(2.0, 0.9, 0.5), start, 1.0 / 60.0)
            .without_friction()
            .at(Vec3::ZERO, turn);
        car.run(3.0, |_| {});
        car.body.now.linear_velocity
    };
    let open = speed(mesh(&[sheet(0.0)]));
    let along = G * 25_f32.to_radians().sin() * 3.0;
    assert!((open.length() - along).abs() < 0.05, "{open}");
    let covered = speed(mesh(&[sheet(0.0), sheet(1.4)]));
    assert!((open - covered).length() < 1e-4, "{open} {covered}");
}

/// A ceiling lower than the hull's rise stops it.
#[test]
fn a_ceiling_stops_a_hull_that_rises() {
    let lid = mesh(&[[
        [-5.0, -5.0, 3.0],
        [5.0, -5.0, 3.0],
        [5.0, 5.0, 3.0],
        [-5.0, 5.0, 3.0],
    ]]);
    for rate in [30.0, 240.0] {
        let car = Drop::new(lid.clone(), Vec3::new(2.0, 0.9, 0.5), DVec3::Z, 1.0 / rate);
        let mut car = car.at(Vec3::Z * 30.0, Quat::IDENTITY);
        car.run(0.5, |body| {
            assert!(body.now.position.z < 2.505, "{:?}", body.now);
        });
        assert!(car.body.now.linear_velocity.z < 0.0);
    }
}

/// The inner side of a loop around (0, radius), open to the sides.
fn tube(radius: f64, count: usize) -> Grounds {
    let point = |n: usize, y: f64| {
        let angle = core::f64::consts::TAU * n as f64 / count as f64;
        [radius * angle.sin(), y, radius * (1.0 - angle.cos())]
    };
    let quad = |n: usize| {
        [
            point(n, -3.0),
            point(n + 1, -3.0),
            point(n + 1, 3.0),
            point(n, 3.0),
        ]
    };
    mesh(&(0..count).map(quad).collect::<Vec<_>>())
}

/// A hull that slides through a loop comes around, stays in it, and gains nothing.
#[rstest]
fn a_loop_does_not_throw_a_hull(#[values(30.0, 60.0, 240.0)] rate: f32) {
    let half = Vec3::new(0.6, 0.4, 0.3);
    let car = Drop::new(tube(8.0, 180), half, DVec3::new(0.0, 0.0, 0.33), 1.0 / rate);
    let mut car = car.without_friction().at(Vec3::X * 28.0, Quat::IDENTITY);
    let mut least = car.energy();
    let (mut highest, mut rounds, mut before) = (0.0_f64, 0, 0.0);
    for _ in 0..(4.0 * rate) as usize {
        car.step();
        let now = car.body.now;
        assert!(car.energy() < least + 20.0, "{} {least}", car.energy());
        least = least.min(car.energy());
        highest = highest.max(now.position.z);
        let out = DVec3::new(now.position.x, 0.0, now.position.z - 8.0).length();
        assert!(out < 8.0, "{now:?}");
        rounds += usize::from(before < 0.0 && now.position.x >= 0.0 && now.position.z < 8.0);
        before = now.position.x;
    }
    assert!(highest > 15.0 && rounds >= 1, "{highest} {rounds}");
}

/// The ridge of a roof under the middle of a hull bears it.
#[rstest]
fn a_ridge_bears_a_hull(#[values(false, true)] as_mesh: bool, #[values(30.0, 120.0)] rate: f32) {
    let rows: Vec<Vec<f32>> = (0..9)
        .map(|i| vec![1.0 - 0.3 * (i as f32 - 4.0).abs(); 9])
        .collect();
    let field = HeightField::new(Axes::Z_UP, DVec3::new(-4.0, -4.0, 0.0), 1.0, &rows).unwrap();
    let ground: Grounds = if as_mesh {
        TriangleMesh::of(&field.triangles()).unwrap().into()
    } else {
        field.into()
    };
    let mut car = Drop::new(ground, Vec3::new(2.2, 0.9, 0.3), DVec3::Z * 1.6, 1.0 / rate);
    car.run(4.0, |body| {
        assert!(body.now.position.z > 1.29, "{:?}", body.now);
    });
    assert!(car.body.is_asleep(), "{:?}", car.body.now);
    assert!((car.body.now.position.z - 1.3).abs() < 0.01);
}

/// A flat floor of irregular triangles: `jitter` moves the vertices within the plane. Every second
/// strip is shifted by half a cell, so that corners lie on the edges of their neighbors.
fn floor(cell: f64, jitter: f64, shifted: bool) -> Grounds {
    let off =
        |n: i32, m: i32, k: f64| jitter * cell * (f64::from(n) * k + f64::from(m) * 1.7).sin();
    let point = |n: i32, m: i32, row: i32| {
        let shift = if shifted && row % 2 != 0 { 0.5 } else { 0.0 };
        let x = (f64::from(n) + shift) * cell + off(n, m, 12.9);
        let y = f64::from(m) * cell + if shifted { 0.0 } else { off(n, m, 4.3) };
        [x, y, 0.0]
    };
    let strip = |m: i32| {
        (-(9.0 / cell) as i32..(50.0 / cell) as i32).map(move |n| {
            [
                point(n, m, m),
                point(n + 1, m, m),
                point(n + 1, m + 1, m),
                point(n, m + 1, m),
            ]
        })
    };
    let half = (3.0 / cell).ceil() as i32;
    mesh(&(-half..half).flat_map(strip).collect::<Vec<_>>())
}

/// A hull rests on the seams of a flat floor as on a plane.
#[rstest]
fn a_hull_rests_on_seams(
    #[values((1.0, 0.3, false), (1.0, 0.2, true), (0.2, 0.3, false))] (cell, jitter, shifted): (
        f64,
        f64,
        bool,
    ),
    #[values(0.0, 0.4)] yaw: f32,
) {
    let turn = math::rotation_about(Vec3::Z, yaw);
    let start = DVec3::new(0.1, -0.2, 0.52);
    let ground = floor(cell, jitter, shifted);
    let car = Drop::new(ground, Vec3::new(2.2, 0.9, 0.5), start, 1.0 / 60.0);
    let mut car = car.at(Vec3::ZERO, turn);
    car.run(4.0, |_| {});
    let now = car.body.now;
    assert!(car.body.is_asleep(), "{now:?}");
    let aside = (now.position - start).truncate().length();
    assert!(
        aside < 1e-3 && (now.position.z - 0.5).abs() < 2e-3,
        "{now:?}"
    );
}

/// A hull slides over the seams of a flat floor without a bump, and as far as on a plane.
#[rstest]
fn a_hull_slides_over_seams(
    #[values((1.0, 0.3, false), (1.0, 0.2, true), (0.3, 0.3, false))] (cell, jitter, shifted): (
        f64,
        f64,
        bool,
    ),
    #[values(0.0, 0.4)] yaw: f32,
    #[values(30.0, 60.0, 240.0)] rate: f32,
) {
    let turn = math::rotation_about(Vec3::Z, yaw);
    let slide = |ground: Grounds| {
        let half = Vec3::new(2.2, 0.9, 0.5);
        let car = Drop::new(ground, half, DVec3::Z * 0.5, 1.0 / rate).without_friction();
        let mut car = car.at(Vec3::X * 30.0, turn);
        car.run(1.2, |body| {
            let (v, spin) = (body.now.linear_velocity, body.now.angular_velocity);
            assert!(v.z.abs() < 0.05 && spin.length() < 0.05, "{:?}", body.now);
            assert!((v.x - 30.0).abs() < 0.01, "{:?}", body.now);
        });
        car.body.now.position
    };
    let plane = slide(Plane::level(Axis::Z, 0.0).unwrap().into());
    let seams = slide(floor(cell, jitter, shifted));
    assert!(plane.distance(seams) < 0.01, "{plane} {seams}");
}

/// Sides of the ground behind its top do not hold a hull that lies on it, though it sinks in a little:
/// neither the riser that its rear passes nor the joint of two blocks.
#[rstest]
fn sides_behind_a_top_are_not_felt(
    #[values(false, true)] are_blocks: bool,
    #[values(30.0, 60.0, 240.0)] rate: f32,
    #[values(0.0, 0.003)] sunk: f64,
) {
    let curb = Steps::curb(Axes::Z_UP, DVec3::ZERO, 1.0).unwrap();
    let half = Vec3::new(5.0, 5.0, 0.5);
    let block = |x: f64| {
        let block = Block::new(DVec3::new(x, 0.0, 0.5), Quat::IDENTITY, half).unwrap();
        GroundPart::new(block)
    };
    let ground: Grounds = if are_blocks {
        Grounds(vec![block(5.0), block(-5.0)])
    } else {
        TriangleMesh::of(&curb.triangles(20.0)).unwrap().into()
    };
    let start = DVec3::new(3.2, 0.0, 1.5 - sunk);
    let car = Drop::new(ground, Vec3::new(2.2, 0.9, 0.5), start, 1.0 / rate).without_friction();
    let mut car = car.at(Vec3::NEG_X * 5.0, Quat::IDENTITY);
    car.run(0.6, |body| {
        let now = &body.now;
        assert!((now.linear_velocity.x + 5.0).abs() < 0.01, "{now:?}");
        assert!(now.linear_velocity.z.abs() < 0.01, "{now:?}");
    });
}

/// A pole off the middle takes from a hull the impulse of an impact without bounce, in closed form.
#[rstest]
fn a_pole_off_the_middle_turns_a_hull(#[values(0.0, 0.3, 0.7)] aside: f32) {
    let pole = mesh(&shell([40.0, 40.2], 0.01, 3.0));
    let start = DVec3::new(37.0, f64::from(aside), 0.75);
    let car = Drop::new(pole, Vec3::new(2.2, 0.9, 0.5), start, 1.0 / 60.0);
    let mut car = car
        .without_gravity()
        .without_friction()
        .at(Vec3::X * 10.0, Quat::IDENTITY);
    let before = car.energy();
    // The fifth step brings it to the pole, which would go on to take from a hull that turns in front of it.
    car.run(5.0 / 60.0, |_| {});
    let inertia = car.body.now.inertia.z_axis.z;
    let mass = 1.0 / (1.0 / MASS + aside * aside / inertia);
    let expected = 10.0 * (1.0 - mass / MASS);
    let last = &car.body.now;
    assert!(
        (last.linear_velocity.x - expected).abs() < 0.1,
        "{} {expected}",
        last.linear_velocity.x
    );
    assert!((last.angular_velocity.z.abs() - 10.0 * mass * aside / inertia).abs() < 0.1);
    assert!(car.energy() <= before);
}

/// A hull that lies across the edge of a curb stays where it is.
#[rstest]
fn a_hull_rests_over_an_edge(#[values(false, true)] as_mesh: bool, #[values(0.0, 0.5)] yaw: f32) {
    let curb = Steps::curb(Axes::Z_UP, DVec3::ZERO, -1.0).unwrap();
    let ground: Grounds = if as_mesh {
        TriangleMesh::of(&curb.triangles(20.0)).unwrap().into()
    } else {
        curb.into()
    };
    let car = Drop::new(
        ground,
        Vec3::new(2.2, 0.9, 0.5),
        DVec3::new(-0.3, 0.0, 0.502),
        1.0 / 60.0,
    );
    let mut car = car.at(Vec3::ZERO, math::rotation_about(Vec3::Z, yaw));
    car.run(3.0, |_| {});
    assert!(car.body.is_asleep(), "{:?}", car.body.now);
    assert!(
        (car.body.now.position - DVec3::new(-0.3, 0.0, 0.5)).length() < 2e-3,
        "{:?}",
        car.body.now
    );
}

/// Rough ground of a kind.
fn rough(kind: usize, heights: &[f32]) -> Grounds {
    let at = |i: usize, j: usize| heights[(i * 7 + j * 3) % heights.len()];
    let rows: Vec<Vec<f32>> = (0..24)
        .map(|i| (0..24).map(|j| at(i, j)).collect())
        .collect();
    let field = HeightField::new(Axes::Z_UP, DVec3::new(-12.0, -12.0, 0.0), 1.0, &rows).unwrap();
    match kind {
        0 => field.into(),
        1 => TriangleMesh::of(&field.triangles()).unwrap().into(),
        2 => Steps::new(Axes::Z_UP, DVec3::X * -4.0, -0.3, 0.5, 30)
            .unwrap()
            .into(),
        _ => {
            let turn = math::rotation_about(Vec3::new(0.6, 0.0, 0.8), heights[1] * 3.0);
            let block =
                Block::new(DVec3::new(0.3, 0.2, 0.3), turn, Vec3::new(0.7, 0.4, 0.5)).unwrap();
            let capsule = Capsule::new([DVec3::NEG_Y * 2.0, DVec3::Y * 2.0], 0.3).unwrap();
            Grounds(vec![
                GroundPart::new(Plane::level(Axis::Z, 0.0).unwrap()),
                GroundPart::new(block),
                GroundPart::new(capsule),
            ])
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// Whatever the ground, a falling hull gains no energy but the work of pushing it out, and does not get through.
    #[test]
    fn energy_never_grows_on_rough_ground(
        kind in 0..4_usize,
        heights in prop::collection::vec(-0.4..0.4_f32, 11),
        (half_x, half_y, half_z) in (0.4..1.2_f32, 0.3..0.8_f32, 0.2..0.6_f32),
        axis in prop::array::uniform3(-1.0..1.0_f32),
        angle in 0.0..3.0_f32,
        speed in prop::array::uniform3(-4.0..4.0_f32),
        spin in prop::array::uniform3(-4.0..4.0_f32),
        rate in prop_oneof![Just(60.0_f32), Just(120.0), Just(240.0)],
    ) {
        let half = Vec3::new(half_x, half_y, half_z);
        let turn = math::rotation_about(math::unit_or_zero(Vec3::from(axis) + Vec3::X * 1.1), angle);
        let mut hull = Drop::new(rough(kind, &heights), half, DVec3::Z * 2.5, 1.0 / rate)
            .at(Vec3::from(speed), turn);
        hull.body.now.angular_velocity = spin.into();
        let mut least = hull.energy();
        let mut lowest = f64::INFINITY;
        for _ in 0..(6.0 * rate) as usize {
            hull.step();
            let now = hull.energy() - hull.lifted;
            prop_assert!(now < least + 5.0, "{now} {least} {:?}", hull.body.now);
            least = least.min(now);
            let at = hull.body.now.position;
            if at.x.abs() < 10.0 && at.y.abs() < 10.0 {
                let floor = if kind == 2 { (-0.6 * (at.x + 4.0)).min(0.0) - 0.3 } else { -0.4 };
                lowest = lowest.min(at.z - floor);
            }
        }
        prop_assert!(lowest > 0.0, "{lowest} {:?}", hull.body.now);
        let lift = hull.lifted / f64::from(MASS * hull.gravity);
        prop_assert!(lift < LIFT, "{lift} m {:?}", hull.body.now);
    }
}
