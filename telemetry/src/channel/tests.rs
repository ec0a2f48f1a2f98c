use core::f32::consts::{FRAC_PI_2, FRAC_PI_4};

use super::*;
use glam::{DVec3, Quat, Vec3};
use rstest::rstest;
use vehicle_core::{BodyState, DriveState, Gear, SurfaceType, TankCommand, WheelCommand};

#[test]
fn channels_are_in_their_own_slots() {
    assert!((0..WheelChannel::COUNT).all(|n| WheelChannel::ALL[n] as usize == n));
    assert!((0..AirChannel::COUNT).all(|n| AirChannel::ALL[n] as usize == n));
    assert!((0..EngineChannel::COUNT).all(|n| EngineChannel::ALL[n] as usize == n));
}

#[test]
fn titles_have_units() {
    let title = |channel: Channel| alloc::format!("{channel}");
    assert_eq!(
        title(EngineChannel::Torque.channel()),
        "engine torque [N·m]"
    );
    assert_eq!(title(WheelChannel::Friction.channel()), "friction");
}

#[test]
fn ranges_ascend() {
    let wheels = WheelChannel::ALL.map(WheelChannel::channel);
    let engine = EngineChannel::ALL.map(EngineChannel::channel);
    let air = AirChannel::ALL.map(AirChannel::channel);
    let body = BodyChannel::ALL.map(BodyChannel::channel);
    let drive = DriveChannel::ALL.map(DriveChannel::channel);
    for channel in wheels
        .iter()
        .chain(&engine)
        .chain(&air)
        .chain(&body)
        .chain(&drive)
    {
        let Channel { min, mid, max, .. } = *channel;
        assert!(min <= mid && mid < max, "{channel:?}");
    }
}

/// Asserts that every key of a part is found, and written like a path.
macro_rules! keys_lead_back {
    ($($Part:ident)*) => {$(
        for channel in $Part::ALL {
            let key = channel.channel().key;
            assert_eq!($Part::from_key(key), Some(channel), "{key}");
            let plain = |c: char| c.is_ascii_lowercase() || "._".contains(c);
            assert!(key.chars().all(plain), "{key}");
        }
        assert_eq!($Part::from_key("spam"), None);
    )*};
}

#[test]
fn each_key_leads_back_to_its_channel() {
    keys_lead_back!(WheelChannel EngineChannel AirChannel SteeringChannel BodyChannel DriveChannel FuelChannel);
}

/// A body that has turned left by 90°, moves along the world's y axis and to its own left, and is about to lean.
fn turned() -> BodySample {
    let body = BodyState {
        position: DVec3::new(1.0, 2.0, 3.0),
        rotation: Quat::from_rotation_z(FRAC_PI_2),
        linear_velocity: Vec3::new(-4.0, 4.0, 0.5),
        angular_velocity: Vec3::new(0.1, 0.2, 0.3),
        ..BodyState::BLANK
    };
    BodySample::new(body, Vec3::new(0.0, 6.0, 7.0))
}

#[rstest]
#[case(BodyChannel::PositionX, 1.0)]
#[case(BodyChannel::PositionY, 2.0)]
#[case(BodyChannel::PositionZ, 3.0)]
#[case(BodyChannel::RotationX, 0.0)]
#[case(BodyChannel::RotationY, 0.0)]
#[case(BodyChannel::RotationZ, FRAC_PI_4.sin())]
#[case(BodyChannel::RotationW, FRAC_PI_4.cos())]
#[case(BodyChannel::VelocityX, 4.0)]
#[case(BodyChannel::VelocityY, 4.0)]
#[case(BodyChannel::VelocityZ, 0.5)]
#[case(BodyChannel::RateX, 0.2)]
#[case(BodyChannel::RateY, -0.1)]
#[case(BodyChannel::RateZ, 0.3)]
#[case(BodyChannel::AccelerationX, 6.0)]
#[case(BodyChannel::AccelerationY, 0.0)]
#[case(BodyChannel::AccelerationZ, 7.0)]
#[case(BodyChannel::Heading, FRAC_PI_2)]
#[case(BodyChannel::Pitch, 0.0)]
#[case(BodyChannel::Roll, 0.0)]
#[case(BodyChannel::SlipAngle, FRAC_PI_4)]
fn each_channel_of_the_body_shows_its_own_value(#[case] channel: BodyChannel, #[case] value: f32) {
    let sample = channel.sample(&turned());
    assert!((sample - value).abs() < 1e-5, "{sample}");
}

#[rstest]
#[case(Quat::from_rotation_y(0.2), 0.2, 0.0)]
#[case(Quat::from_rotation_x(0.3), 0.0, 0.3)]
#[case(Quat::from_rotation_x(3.0), 0.0, 3.0)]
fn a_nose_down_pitches_and_a_lean_to_the_right_rolls(
    #[case] rotation: Quat,
    #[case] pitch: f32,
    #[case] roll: f32,
) {
    let body = BodyState {
        rotation,
        ..BodyState::BLANK
    };
    let sample = BodySample::new(body, Vec3::ZERO);
    assert!((BodyChannel::Pitch.sample(&sample) - pitch).abs() < 1e-5);
    assert!((BodyChannel::Roll.sample(&sample) - roll).abs() < 1e-5);
}

#[test]
fn gears_are_numbers() {
    let drive = DriveState {
        gear: Gear(-1),
        target_gear: Gear(2),
        ..DriveState::default()
    };
    assert_eq!(DriveChannel::Gear.sample(&drive), -1.0);
    assert_eq!(DriveChannel::TargetGear.sample(&drive), 2.0);
}

/// A report with distinct values.
const DISTINCT: WheelReport = WheelReport {
    in_air: false,
    ground: None,
    ground_point: Vec3::ZERO,
    surface: SurfaceType(0),
    ground_friction: 34.0,
    probe_start: Vec3::Z,
    probe_direction: Vec3::NEG_Z,
    probe_length: 20.0,
    suspension_point: Vec3::X,
    tire_point: Vec3::Y,
    jounce: 0.01,
    jounce_speed: 21.0,
    at_stop: false,
    suspension_force: 2.0,
    load: 3.0,
    loaded_radius: 0.31,
    rest_mass: 0.5,
    friction: 5.0,
    lateral_grip: 5.5,
    longitudinal_direction: Vec3::X,
    lateral_direction: Vec3::Y,
    forward_speed: 22.0,
    lateral_speed: 23.0,
    slip_ratio: 6.0,
    slip_angle: -0.8,
    longitudinal_force: -7.0,
    lateral_force: -9.0,
    drive_torque: 0.0,
    aligning_moment: -10.0,
    overturning_moment: -11.0,
    rolling_resistance: 12.0,
    grip_used: 24.0,
    skid_info: 33.0,
    steering_moment: 24.5,
    steer: 25.0,
    camber: 26.0,
    spin: 4.0,
    spin_shown: 27.0,
    angle: 28.0,
    turned: 29.0,
    sticks_longitudinally: false,
    sticks_laterally: false,
    still_forward: 30.0,
    still_lateral: 31.0,
    user_value: 32,
};

#[rstest]
#[case(WheelChannel::Jounce, 0.01)]
#[case(WheelChannel::SuspensionForce, 2.0)]
#[case(WheelChannel::TireLoad, 3.0)]
#[case(WheelChannel::NormalizedTireLoad, 0.6)]
#[case(WheelChannel::Spin, 4.0)]
#[case(WheelChannel::Friction, 5.0)]
#[case(WheelChannel::SlipRatio, 6.0)]
#[case(WheelChannel::NormalizedLongForce, 1.4)]
#[case(WheelChannel::SlipAngle, -0.8)]
#[case(WheelChannel::NormalizedLatForce, 1.8)]
#[case(WheelChannel::NormalizedAligningMoment, 2.0)]
#[case(WheelChannel::OverturningMoment, -11.0)]
#[case(WheelChannel::RollingResistance, 12.0)]
#[case(WheelChannel::SkidInfo, 33.0)]
#[case(WheelChannel::LoadedRadius, 0.31)]
#[case(WheelChannel::Steer, 25.0)]
#[case(WheelChannel::Camber, 26.0)]
#[case(WheelChannel::InAir, 0.0)]
#[case(WheelChannel::LongForce, -7.0)]
#[case(WheelChannel::LatForce, -9.0)]
#[case(WheelChannel::GripUsed, 24.0)]
#[case(WheelChannel::ForwardSpeed, 22.0)]
#[case(WheelChannel::GroundFriction, 34.0)]
fn each_wheel_channel_shows_its_own_value(#[case] channel: WheelChannel, #[case] value: f32) {
    let sample = channel.sample(&DISTINCT, 10.0);
    assert!((sample - value).abs() < 1e-6, "{sample}");
}

#[rstest]
#[case(AirChannel::Speed, 5.0)]
#[case(AirChannel::Drag, 100.0)]
#[case(AirChannel::SideForce, 20.0)]
#[case(AirChannel::Lift, 30.0)]
fn each_channel_of_the_air_shows_its_own_value(#[case] channel: AirChannel, #[case] value: f32) {
    let air = AirLoad {
        velocity: Vec3::new(0.0, 4.0, 3.0),
        force: Vec3::new(-100.0, 20.0, 30.0),
        moment: Vec3::ONE,
    };
    assert_eq!(channel.sample(&air), value);
}

#[rstest]
#[case::car(Command::Car(CarCommand { steer: 0.3, brake: 0.5, ..CarCommand::default() }))]
#[case::tank(Command::Tank(TankCommand {
    thrust: [0.8, 0.2],
    brake: [0.0, 1.0],
    ..TankCommand::default()
}))]
fn pedals_and_steering(#[case] command: Command) {
    let sample = |channel: EngineChannel| channel.sample(None, &command);
    assert!((sample(EngineChannel::Steer) - 0.3).abs() < 1e-6);
    assert_eq!(sample(EngineChannel::Brake), 0.5);
    assert_eq!(sample(EngineChannel::Speed), 0.0);
}

#[test]
fn per_wheel_commands_have_no_pedals() {
    let command = Command::Wheels(WheelCommand {
        drive: [100.0; 20],
        ..WheelCommand::default()
    });
    for channel in EngineChannel::ALL {
        assert_eq!(channel.sample(None, &command), 0.0);
    }
}

const ENGINE: EngineReport = EngineReport {
    speed: 1.0,
    torque: 2.0,
    throttle: 0.9,
    clutch_slip: 3.0,
    clutch_torque: 0.0,
    ratio: 4.0,
};

#[rstest]
#[case(EngineChannel::Speed, 1.0)]
#[case(EngineChannel::Torque, 2.0)]
#[case(EngineChannel::ClutchSlip, 3.0)]
#[case(EngineChannel::Throttle, 0.5)]
#[case(EngineChannel::Brake, 0.6)]
#[case(EngineChannel::Handbrake, 0.7)]
#[case(EngineChannel::Steer, -0.8)]
#[case(EngineChannel::GearRatio, 4.0)]
fn each_engine_channel_shows_its_own_value(#[case] channel: EngineChannel, #[case] value: f32) {
    let command = Command::Car(CarCommand {
        throttle: 0.5,
        brake: 0.6,
        handbrake: 0.7,
        steer: -0.8,
        ..CarCommand::default()
    });
    assert_eq!(channel.sample(Some(&ENGINE), &command), value);
}

#[test]
fn a_tanks_tracks_are_a_cars_pedals() {
    let command = Command::Tank(TankCommand {
        throttle: 0.5,
        thrust: [0.25, 0.75],
        brake: [0.25, 0.5],
        ..TankCommand::default()
    });
    let sample = |channel: EngineChannel| channel.sample(None, &command);
    assert_eq!(sample(EngineChannel::Throttle), 0.5);
    assert_eq!(sample(EngineChannel::Brake), 0.375);
    assert_eq!(sample(EngineChannel::Steer), -0.25);
    assert_eq!(sample(EngineChannel::Handbrake), 0.0);
}

/// Signed channels have symmetric ranges where PhysX's do.
#[test]
fn ranges_reach_below_zero_where_values_do() {
    for (channel, least, most) in [
        (WheelChannel::Jounce.channel(), -0.2, 0.4),
        (WheelChannel::Spin.channel(), -50.0, 250.0),
        (WheelChannel::SlipRatio.channel(), -0.2, 0.2),
        (WheelChannel::SlipAngle.channel(), -1.0, 1.0),
        (WheelChannel::OverturningMoment.channel(), -1000.0, 1000.0),
        (EngineChannel::ClutchSlip.channel(), -200.0, 200.0),
        (EngineChannel::Steer.channel(), -1.1, 1.1),
        (EngineChannel::GearRatio.channel(), -4.0, 20.0),
    ] {
        assert_eq!((channel.min, channel.max), (least, most), "{channel}");
    }
}
