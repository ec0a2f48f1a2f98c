use super::road::TreadState;
use super::*;
use alloc::string::ToString;
use alloc::vec;
use proptest::prelude::*;
use rstest::rstest;
use vehicle_core::Checked;

fn system() -> SteeringSystem {
    SteeringSystem {
        rack: Curve(vec![[0.0, 0.0], [3.0, 0.3], [8.0, 1.0]]),
        wheel_inertia: 0.035,
        rack_inertia: 0.015,
        column_stiffness: 120.0,
        rack_stiffness: 60.0,
        damping: 0.3,
        friction: 0.0,
        assist: vec![
            AssistRow {
                torque: 2.0,
                by_speed: Curve(vec![[0.0, 4.0], [20.0, 0.0]]),
            },
            AssistRow {
                torque: 6.0,
                by_speed: Curve(vec![[0.0, 24.0], [20.0, 8.0]]),
            },
        ],
        axes: vec![],
        tread: None,
    }
}

/// Hands off, on a road that turns the wheels back like a spring: the closed form of a damped oscillator, whatever the
/// substep. The speeds of leapfrog are those half a substep earlier, so that the release counts from there.
#[rstest]
#[case(60.0)]
#[case(120.0)]
#[case(240.0)]
fn hands_off_the_wheel_swings_as_a_damped_oscillator(#[case] rate: f32) {
    let (system, stiffness, h) = (system(), 25.0, 1.0 / rate);
    let inertia = system.wheel_inertia + system.rack_inertia;
    let decay = system.damping / (2.0 * inertia);
    let frequency = (stiffness / inertia - decay * decay).sqrt();
    let mut wheel = SteeringWheel {
        pinion: 1.0,
        ..SteeringWheel::STRAIGHT
    };
    for n in 1..rate as u32 {
        let pull = Pull {
            torque: -stiffness * wheel.pinion,
            stiffness,
            ..Pull::default()
        };
        system.turn(&mut wheel, &pull, SteeringInput::Torque(0.0), 10.0, h);
        let t = (n as f32 + 0.5) * h;
        let swing = frequency * t;
        let expected = (-decay * t).exp() * (swing.cos() + decay / frequency * swing.sin());
        // Half a substep of the first acceleration, and (ωh)²/24 of a second's phase.
        let bound = 0.125 * h * h * stiffness / inertia
            + (frequency * h).powi(2) / 24.0 * frequency * t * (-decay * t).exp()
            + 1e-3;
        assert!(
            (wheel.pinion - expected).abs() < 1.5 * bound,
            "{n}: {} {expected}",
            wheel.pinion
        );
    }
}

/// Held, at rest, the column's twist carries what the assist does not.
#[rstest]
#[case(30.0, 1.0 / 60.0)]
#[case(30.0, 1.0 / 240.0)]
#[case(4.0, 1.0 / 60.0)]
fn a_held_wheel_carries_the_road_with_its_assist(#[case] road: f32, #[case] h: f32) {
    let system = system();
    let mut wheel = SteeringWheel::STRAIGHT;
    let pull = Pull {
        torque: road,
        ..Pull::default()
    };
    for _ in 0..2000 {
        system.turn(&mut wheel, &pull, SteeringInput::Angle(1.0), 0.0, h);
    }
    assert_eq!(wheel.angle, -1.0);
    let twist = system.column_stiffness * (-1.0 - wheel.pinion);
    assert!((wheel.torque - twist).abs() < 1e-3);
    assert!(
        (wheel.torque + wheel.assist + road).abs() < 1e-2,
        "{wheel:?}"
    );
    // 4 at 2 N·m and 24 at 6: slopes 2 and 5.
    let expected = if road > 6.0 {
        4.0 + 5.0 * (-wheel.torque - 2.0)
    } else {
        -2.0 * wheel.torque
    };
    assert!((-wheel.assist - expected).abs() < 1e-2, "{wheel:?}");
    assert!((wheel.compliance - road / system.rack_stiffness).abs() < 1e-5);
}

/// Dry friction holds weaker torques, and stops the wheel at no other position.
#[test]
fn friction_holds_the_wheel() {
    let system = SteeringSystem {
        friction: 2.0,
        ..system()
    };
    let turned_by = |road: f32| {
        let mut wheel = SteeringWheel::STRAIGHT;
        let pull = Pull {
            torque: road,
            ..Pull::default()
        };
        system.turn(&mut wheel, &pull, SteeringInput::Torque(0.0), 0.0, 0.01);
        wheel.pinion
    };
    assert_eq!([1.9, -1.9].map(turned_by), [0.0; 2]);
    assert!(turned_by(2.1) > 0.0 && turned_by(-2.1) < 0.0);
}

/// The steering wheel does not turn beyond its stops.
#[test]
fn the_stops_hold() {
    let system = system();
    let mut wheel = SteeringWheel::STRAIGHT;
    for _ in 0..500 {
        system.turn(
            &mut wheel,
            &Pull::default(),
            SteeringInput::Torque(-5.0),
            0.0,
            0.02,
        );
    }
    assert_eq!((wheel.pinion, wheel.speed), (8.0, 0.0));
}

/// A standing tread winds up like a spring until Gough's bound, and then slips; forces leave less of it.
#[rstest]
#[case::standing(0.0, 1.0)]
#[case::pushed_aside(0.6, 0.8)]
fn a_standing_tread_winds_up_and_slips(#[case] used: f32, #[case] left: f32) {
    let (load, friction, pressure, slope, stiffness) = (4000.0, 0.9, 220e3, 1.0 / 16.0, 2500.0);
    let system = SteeringSystem {
        tread: Some(TreadTwist {
            stiffness,
            pressure,
        }),
        ..system()
    };
    let axis = KingpinAxis {
        wheel: 0,
        caster: 0.0,
        inclination: 0.0,
        trail: 0.0,
        offset: 0.0,
    };
    let tire = TreadState {
        load,
        friction,
        lateral: used * friction * load,
        radius: 0.3,
        ..TreadState::default()
    };
    let torque = |wind_up: &mut f32, speed: f32| {
        let mut pull = Pull::default();
        pull.add(&system, &axis, &TreadState { speed, ..tire }, (0.0, slope));
        pull.wind(wind_up, 0.01);
        pull.torque
    };
    let near = |a: f32, b: f32| assert!((a - b).abs() < 1e-4 * b.abs(), "{a} {b}");
    let mut little = 0.1;
    near(torque(&mut little, 0.0), -stiffness * slope * slope * 0.1);
    let bound = friction / 3.0 * (load.powi(3) / pressure).sqrt() * left * slope;
    let mut much = 5.0;
    near(torque(&mut much, 0.0), -bound);
    near(much, bound / (stiffness * slope * slope));
    // Rolling renews the contact, and from 1 m/s on the law's moments are all there is.
    let mut rolling = 0.1;
    near(
        torque(&mut rolling, 0.5),
        -0.5 * stiffness * slope * slope * rolling,
    );
    near(rolling, 0.1 / (1.0 + 0.01 * 0.5 / (load / pressure).sqrt()));
    assert_eq!(torque(&mut rolling, 1.0), 0.0);
}

proptest! {
    /// The moment about a steering axis is that of the forces where they act: contact and wheel center, from the axis' foot.
    #[test]
    fn moments_are_those_of_levers(
        caster in -0.3f32..0.3, inclination in -0.3f32..0.3, trail in -0.1f32..0.1, offset in -0.1f32..0.1,
        forces in prop::array::uniform3(-4000f32..4000.0), aligning in -200f32..200.0, angle in -0.6f32..0.6, held in 0f32..=1.0,
    ) {
        let [longitudinal, lateral, load] = forces;
        let (load, radius) = (load.abs(), 0.3);
        let axis = KingpinAxis { wheel: 0, caster, inclination, trail, offset };
        let tire = TreadState { load, longitudinal, lateral, aligning_moment: aligning, radius, ..TreadState::default() };
        // In the steered wheel's axes: the axis turns the other way.
        let up = glam_like(-caster.tan(), -inclination.tan());
        let (sin, cos) = angle.sin_cos();
        let seen = [cos * up[0] + sin * up[1], cos * up[1] - sin * up[0], 1.0];
        let (at, hub) = ([-trail, offset, 0.0], [0.0, (1.0 - held) * radius * inclination.tan()]);
        let moment = cross(at, [longitudinal, lateral, load]);
        let about = seen[0] * moment[0] + seen[1] * moment[1] + moment[2] - hub[1] * longitudinal + aligning;
        let expected = about / (1.0 + caster.tan().powi(2) + inclination.tan().powi(2)).sqrt();
        prop_assert!((axis.moment(&tire, angle, held) - expected).abs() < 0.05, "{} {expected}", axis.moment(&tire, angle, held));
    }

    /// Commands and angles of the steering wheel are two names of one thing.
    #[test]
    fn angles_stand_for_commands(command in -1f32..=1.0) {
        let system = system();
        prop_assert!((system.share(system.angle(command)) - command).abs() < 1e-5);
    }
}

fn glam_like(x: f32, y: f32) -> [f32; 3] {
    [x, y, 1.0]
}

fn cross(a: [f32; 3], b: [f32; 3]) -> [f32; 3] {
    [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ]
}

#[rstest]
#[case(|s: &mut SteeringSystem| s.rack.0[0] = [0.0, 0.1], "rack = 3 points: must begin at (0, 0)")]
#[case(|s: &mut SteeringSystem| s.rack.0[1][1] = 1.5, "rack[2].y = 1: must be above")]
#[case(|s: &mut SteeringSystem| s.wheel_inertia = 0.0, "wheel_inertia = 0 kg·m²")]
#[case(|s: &mut SteeringSystem| s.rack_inertia = -1.0, "rack_inertia = -1 kg·m²")]
#[case(|s: &mut SteeringSystem| s.column_stiffness = f32::NAN, "column_stiffness = NaN N·m/rad")]
#[case(|s: &mut SteeringSystem| s.rack_stiffness = 0.0, "rack_stiffness = 0 N·m/rad")]
#[case(|s: &mut SteeringSystem| s.damping = -1.0, "damping = -1 N·m·s/rad")]
#[case(|s: &mut SteeringSystem| s.friction = -1.0, "friction = -1 N·m")]
#[case(|s: &mut SteeringSystem| s.assist[1].torque = 1.0, "assist[1].torque = 1 N·m: must be above the row before")]
#[case(|s: &mut SteeringSystem| s.assist[0].by_speed.0[1][1] = -1.0, "assist[0].by_speed[1].y = -1 N·m")]
#[case(|s: &mut SteeringSystem| s.tread = Some(TreadTwist { stiffness: 1.0, pressure: 0.0 }), "tread.pressure = 0 Pa")]
#[case(|s: &mut SteeringSystem| s.axes.push(KingpinAxis { wheel: 0, caster: 2.0, inclination: 0.0, trail: 0.0, offset: 0.0 }),
    "axes[0].caster = 2 rad")]
fn faults_are_named(#[case] spoil: fn(&mut SteeringSystem), #[case] expected: &str) {
    let mut bad = system();
    spoil(&mut bad);
    let found = Checked::new(bad).unwrap_err().to_string();
    assert!(found.contains(expected), "{found}");
}
