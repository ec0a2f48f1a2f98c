//! Statics of a car on a slope: the loads of its wheels, and what holds it there.

use jounce::core::drivetrain::WheelControl;
use jounce::core::lanes::{LANES, W4};
use jounce::core::{CarCommand, ShaftRow, TireInput, VehicleModel};

use super::stage::{GRAVITY, Scene, Setup, Stage};
use super::standing::reports;
use proving_ground::ProvingError;

/// The steepest slope that cars are parked on (`°`).
const STEEPEST: u8 = 20;
/// Share of the slope's force that wheels must hold (–): springs let a nose sink, and the load moves with it.
const TO_SPARE: f32 = 1.05;

/// The slope that a car is asked to stand on with wheels that each hold up to this force (`N`): of 20°, nose down, if sliding
/// tires can hold it; else nose up; else of as many degrees as they can, if any.
pub(super) fn parking_slope(setup: &Setup<'_>, held: &[f32]) -> Option<Scene> {
    let scenes = (1..=STEEPEST).rev().flat_map(|degrees| {
        let down = Scene::nose_down(degrees.into());
        [
            down,
            Scene {
                heading: 0.0,
                ..down
            },
        ]
    });
    let mut scenes = scenes.filter(|scene| {
        let loads = loads(setup, scene);
        let grips = (0..held.len()).map(|n| sliding(setup, n, loads[n], 1.0).min(held[n]));
        grips.sum::<f32>() > TO_SPARE * setup.car.mass() * GRAVITY.dot(scene.downhill())
    });
    scenes.next()
}

/// Inertia of each node of the drive that a gear ties to the wheels alone (`kg·m²`), and its speed over that of each wheel (–).
pub(super) fn geared_nodes(model: &VehicleModel) -> Vec<(f32, Vec<f32>)> {
    let Some(shafts) = model.drivetrain().shafts(model.wheel_count()) else {
        return Vec::new();
    };
    let is_gear =
        |row: &&ShaftRow| row.softness == 0.0 && row.range == [f32::NEG_INFINITY, f32::INFINITY];
    let tied = |row: &ShaftRow| {
        let (nodes, wheels) = row.speeds.split_at(shafts.nodes.len());
        let mut turning = nodes
            .iter()
            .zip(&shafts.nodes)
            .filter(|(weight, _)| **weight != 0.0);
        let ((weight, node), None) = (turning.next()?, turning.next()) else {
            return None;
        };
        let ratios = wheels.iter().map(|wheel| -wheel / weight);
        Some((node.inertia, ratios.collect()))
    };
    shafts
        .rows
        .iter()
        .filter(is_gear)
        .filter_map(tied)
        .collect()
}

/// Quantity that the drivetrain sets for each wheel in a `scene` with a command.
pub(super) fn commanded(
    setup: &Setup<'_>,
    scene: &Scene,
    command: &CarCommand,
    of: impl Fn(&WheelControl) -> W4,
) -> Result<Vec<f32>, ProvingError> {
    let mut stage = Stage::new(setup, scene, 60.0)?;
    stage.step(command)?;
    let groups = stage.vehicle.control().wheels.iter();
    let lanes = groups.flat_map(|group| of(group).to_array());
    Ok(lanes.take(setup.car.model().wheel_count()).collect())
}

/// Force of each wheel's brake at the ground with a command (`N`).
pub(super) fn brake_forces(
    setup: &Setup<'_>,
    command: &CarCommand,
) -> Result<Vec<f32>, ProvingError> {
    let torques = commanded(setup, &Scene::LEVEL, command, |wheels| wheels.brake)?;
    let model = setup.car.model();
    let wheels = model.params().wheels.iter();
    Ok(wheels
        .zip(torques)
        .map(|(wheel, torque)| torque / wheel.radius)
        .collect())
}

/// Force by which the tires' rolling resistance slows a car that rolls (`N`).
pub(super) fn rolling_resistance(stage: &Stage) -> f32 {
    let wheels = &stage.vehicle.model().params().wheels;
    let forces = reports(&stage.vehicle).zip(wheels);
    forces
        .map(|(report, wheel)| report.rolling_resistance / wheel.radius)
        .sum()
}

/// Loads of the wheels of a car that stands along a slope (`N`): what its moment about the wheels shifts is shared by
/// their springs.
pub(super) fn loads(setup: &Setup<'_>, scene: &Scene) -> Vec<f32> {
    let model = setup.car.model();
    let params = model.params();
    let sum = |of: &dyn Fn(f32, f32) -> f32| -> f32 {
        let wheels = params.wheels.iter();
        wheels
            .map(|wheel| of(wheel.suspension.stiffness, wheel.position.x))
            .sum()
    };
    let middle = sum(&|k, x| k * x) / sum(&|k, _| k);
    let resists = sum(&|k, x| k * (x - middle) * (x - middle));
    // Downhill along the car.
    let ahead = -libm::cosf(scene.heading);
    let along = GRAVITY.dot(scene.downhill()) * ahead;
    let across = -GRAVITY.z * libm::cosf(scene.slope.to_radians() as f32);
    let moment = setup.car.mass() * along * setup.car.ride_height() as f32;
    let loads = params.wheels.iter().map(|wheel| {
        let suspension = &wheel.suspension;
        let shifted = moment * suspension.stiffness * (wheel.position.x - middle) / resists;
        (suspension.sprung_mass * across + shifted).max(0.0)
    });
    loads.collect()
}

/// Force of a locked tire that slides ahead under a load (`N`), by its law, on ground of this friction (–).
pub(super) fn sliding(setup: &Setup<'_>, wheel: usize, load: f32, ground: f32) -> f32 {
    let model = setup.car.model();
    let params = &model.params().wheels[wheel];
    let [.., [_, curve]] = params.tire.friction_curve;
    let mut tires = model.tires()[wheel / LANES].iter();
    let Some(tire) = tires.find(|tire| tire.wheels.lane(wheel % LANES)) else {
        return 0.0;
    };
    let input = TireInput {
        slip_ratio: -1.0,
        forward_speed: 1.0,
        radius: params.radius,
        load,
        rest_load: params.suspension.sprung_mass * -GRAVITY.z,
        friction: ground * curve,
        gravity: -GRAVITY.z,
        ..TireInput::default()
    };
    -tire.model.forces(&input).longitudinal
}

/// Stiffness of the carcasses of a group's wheels under these loads (`N`), forward and to the left (`N/m`): that of the tires'
/// laws, or of the settings.
pub(super) fn carcass(model: &VehicleModel, g: usize, load: W4) -> [W4; 2] {
    let k = &model.wheels()[g];
    let settings = model.params().profile.rows();
    let own = settings.expect("it is solved by rows").carcass_stiffness;
    let rest_load = k.rest_mass * W4::splat(GRAVITY.length());
    let mut stiffness = [rest_load * W4::splat(own); 2];
    for tires in &model.tires()[g] {
        let told = tires.model.properties4(
            &TireInput {
                load,
                rest_load,
                radius: k.radius,
                friction: W4::ONE,
                gravity: GRAVITY.length(),
                ..TireInput::default()
            },
            tires.wheels,
        );
        for (n, stiffness) in stiffness.iter_mut().enumerate() {
            let length = told.relaxation_length[n];
            let known = tires.wheels & length.gt(W4::ZERO);
            *stiffness = known.select(told.slip_stiffness[n] / length, *stiffness);
        }
    }
    stiffness
}
