//! Cars with products of inertia, steered on level ground.

use super::*;

/// A car at 15 m/s with its front wheels turned to the left, or to the right if `side` is −1; so many substeps of the explicit
/// solver.
fn steered(solver: Solver, substeps: u32, products: [f32; 3], side: f32) -> World {
    let params = params(|p| {
        p.chassis.products = products;
        p.profile.solver = solver;
        (p.substeps.slow, p.substeps.fast) = (substeps, substeps);
    });
    let mut world = World::new(&model(params, geared(None)), 0.0, 0.0);
    (world.command.brake, world.command.clutch) = (0.0, 1.0);
    world.command.steer = -0.2 * side;
    world.body.linear_velocity = Vec3::X * 15.0;
    world.car.state_mut().wheels[0].spin = W4::splat(15.0 / 0.5);
    world
}

/// Angular acceleration in the first step of `dt` (`rad/s²`).
fn first(solver: Solver, products: [f32; 3], dt: f32) -> Vec3 {
    let mut world = steered(solver, 1, products, 1.0);
    let outcome = world.update(dt).unwrap();
    world.apply(&outcome, dt);
    (world.body.angular_velocity + world.car.state().carry.angular) / dt
}

/// At the first instant the forces are those of a car without products, M = I·ω̇: with them, the roll acceleration is
/// (Izz·Mx + Ixz·Mz)/(Ixx·Izz − Ixz²), and in general the inverse tensor times M. Forces of the rows solver are those at
/// the end of its substep, which comes nearer as that is shorter.
#[rstest]
#[case::explicit(testing::EXPLICIT, DT, 1e-5)]
#[case::rows(testing::ROWS, 1e-4, 1e-3)]
fn a_steered_car_starts_to_roll_as_its_products_say(
    #[case] solver: Solver,
    #[case] dt: f32,
    #[case] tolerance: f32,
    #[values([0.0, 150.0, 0.0], [0.0, -150.0, 0.0], [60.0, 90.0, -40.0])] products: [f32; 3],
) {
    let chassis = testing::four_wheeler().chassis;
    let plain = first(solver, [0.0; 3], dt);
    let moment = chassis.inertia * plain;
    let actual = first(solver, products, dt);
    let tensor = inertia::tensor(chassis.inertia, products);
    let expected = inertia::inverse(tensor) * moment;
    let off = (actual - expected).length();
    assert!(off < tolerance * expected.length(), "{actual} {expected}");
    let [xy, xz, yz] = products;
    if xy == 0.0 && yz == 0.0 {
        let (x, z) = (chassis.inertia.x, chassis.inertia.z);
        let roll = (z * moment.x + xz * moment.z) / (x * z - xz * xz);
        assert!((actual.x - roll).abs() < tolerance * expected.length());
        // To the left, a car rolls to the right; what is low ahead adds to that.
        assert!(plain.z > 0.0 && plain.x > 0.0 && (actual.x > plain.x) == (xz > 0.0));
    }
}

/// In a mirror, left for right, xz stays and xy and yz change their sign: the drives are mirror images then, and
/// not if the signs stay.
#[rstest]
fn mirrored_products_make_mirrored_drives(
    #[values(testing::ROWS, testing::EXPLICIT)] solver: Solver,
) {
    let drive = |products: [f32; 3], side: f32| {
        let mut world = steered(solver, 20, products, side);
        let steer = world.command.steer;
        // A jump would show which wheel a sweep solves first: their loads are equal.
        for n in 0..60 {
            world.command.steer = steer * (0.05 * n as f32).min(1.0);
            world.step();
        }
        let turn = math::matrix(world.body.rotation);
        (
            world.body.position.as_vec3(),
            turn.y_axis.z,
            world.body.angular_velocity,
        )
    };
    let (position, tilt, turning) = drive([300.0, 150.0, -250.0], 1.0);
    let apart = |(other, tilted, turned): (Vec3, f32, Vec3)| {
        let mirrored = (position - other * Vec3::new(1.0, -1.0, 1.0)).length();
        let turned = (turning - turned * Vec3::new(-1.0, 1.0, -1.0)).length();
        mirrored + (tilt + tilted).abs() + turned
    };
    assert!(position.y > 1.0, "{position}");
    let image = apart(drive([-300.0, 150.0, 250.0], -1.0));
    let other = apart(drive([300.0, 150.0, -250.0], -1.0));
    assert!(image < 1e-3 && other > 20.0 * image, "{image} {other}");
}
