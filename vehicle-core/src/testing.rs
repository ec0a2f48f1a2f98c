//! A sample car for this crate's own tests.

pub(crate) mod uneven;

use alloc::string::ToString;
use alloc::sync::Arc;
use alloc::vec;

use glam::Vec3;

use crate::base::checked::{Checked, Inspector};
use crate::base::curve::Curve;
use crate::contracts::drivetrain::{Control, Drivetrain};
use crate::contracts::tire::{TireForces, TireInput};
use crate::contracts::tire_model::TireModel;
use crate::exchange::command::Command;
use crate::exchange::state::DriveState;
use crate::exchange::step_error::StepError;
use crate::params::profile::{ExplicitSettings, Profile, RowsSettings, Solver};
use crate::params::surface::TireType;
use crate::params::{
    Aerodynamics, AntiRollBar, CamberCurve, ChassisParams, Compliance, LoadFilter, Probe,
    SubstepPolicy, SuspensionParams, TireFit, VehicleParams, WheelParams,
};
use crate::stages::model::VehicleModel;
use crate::stages::wheel_consts::WheelConsts;

/// 1500 kg on four wheels, origin at the center of mass; the car of the PhysX samples
/// (ALGORITHMS §5.6) in the vehicle frame.
pub(crate) fn four_wheeler() -> VehicleParams {
    let corner = |name: &str, x: f32, y: f32, sprung_mass: f32| WheelParams {
        name: name.to_string(),
        enabled: true,
        position: Vec3::new(x, y, -1.15),
        radius: 0.5,
        width: 0.4,
        mass: 20.0,
        inertia: 2.5,
        damping: 0.25,
        toe: 0.0,
        layers: u32::MAX,
        suspension: SuspensionParams {
            stiffness: 35_000.0,
            free_at_droop: false,
            damping: 4500.0.into(),
            bump_stop_stiffness: 350_000.0,
            max_compression: 0.3,
            max_droop: 0.1,
            sprung_mass,
            travel_direction: Vec3::NEG_Z,
            application_point: Vec3::new(x, y, -0.3),
            roll_influence: 1.0,
            camber: CamberCurve::default(),
        },
        compliance: Compliance::default(),
        unsprung: None,
        tire: TireFit {
            model: 0,
            kind: TireType(0),
            friction_curve: TireFit::FLAT_FRICTION,
            application_point: Vec3::new(x, y, -0.3),
            rest_mass: None,
            rolling_resistance: [0.0; 2],
        },
    };
    VehicleParams {
        chassis: ChassisParams {
            mass: 1500.0,
            inertia: Vec3::new(1281.25, 3625.0, 3125.0),
            products: [0.0; 3],
            center_of_mass: Vec3::ZERO,
            support: None,
            design_gravity: ChassisParams::DESIGN_GRAVITY,
        },
        wheels: vec![
            corner("front left", 1.25, 1.05, 437.5),
            corner("front right", 1.25, -1.05, 437.5),
            corner("rear left", -1.75, 1.05, 312.5),
            corner("rear right", -1.75, -1.05, 312.5),
        ],
        anti_roll: vec![
            AntiRollBar {
                wheels: [0, 1],
                stiffness: 10_000.0,
            },
            AntiRollBar {
                wheels: [2, 3],
                stiffness: 10_000.0,
            },
        ],
        load_filter: LoadFilter::PHYSX,
        substeps: SubstepPolicy::PHYSX,
        probe: Probe::Ray,
        profile: Profile::PHYSX_4,
        aerodynamics: None,
    }
}

/// The four-wheeler with its center of mass 0.65 m above the ground instead of 1.65.
pub(crate) fn low_four_wheeler() -> VehicleParams {
    let mut params = four_wheeler();
    for wheel in &mut params.wheels {
        wheel.position.z += 1.0;
    }
    params
}

/// The sample car's air: 0.7 m² of drag area, mid wheelbase on the ground.
pub(crate) fn aerodynamics() -> Aerodynamics {
    let constant = |y: f32| Curve(vec![[0.0, y]]);
    Aerodynamics {
        area: 2.0,
        length: 3.0,
        point: Vec3::new(-0.25, 0.0, -1.65),
        drag: constant(0.35),
        side: constant(2.2),
        vertical: 0.9,
        lift_front: constant(0.08),
        lift_rear: constant(0.12),
        roll: constant(0.6),
        pitch: constant(0.0),
        yaw: constant(0.5),
        lift_front_by_height: None,
        lift_rear_by_height: None,
        drag_by_height: None,
    }
}

/// A tire that pushes in proportion to slip and load, within its friction.
#[derive(Debug)]
struct Rubber;

impl TireModel for Rubber {
    fn forces(&self, i: &TireInput) -> TireForces {
        let most = i.friction * i.load;
        let longitudinal = (10.0 * i.load * i.slip_ratio).clamp(-most, most);
        TireForces {
            longitudinal,
            lateral: (-10.0 * i.load * i.tan_slip_angle).clamp(-most, most),
            wheel_torque: -longitudinal * i.radius,
            ..TireForces::default()
        }
    }
}

/// One tire model.
pub(crate) fn tires() -> [Arc<dyn TireModel>; 1] {
    [Arc::new(Rubber)]
}

/// Brakes from the pedal, no drive.
#[derive(Debug)]
struct Coasting;

impl Drivetrain for Coasting {
    fn check(&self, _: usize, _: &mut Inspector) {}

    fn initial_state(&self) -> DriveState {
        DriveState::default()
    }

    fn control(
        &self,
        command: &Command,
        _: &mut DriveState,
        control: &mut Control,
    ) -> Result<(), StepError> {
        let Command::Car(car) = command else {
            return Err(StepError::WrongCommand { expected: "car" });
        };
        for wheels in control.wheels.iter_mut() {
            wheels.brake = crate::base::lanes::W4::splat(3000.0 * car.brake);
        }
        Ok(())
    }

    fn requests_motion(&self, command: &Command, _: &DriveState) -> bool {
        matches!(command, Command::Car(car) if car.steer != 0.0)
    }
}

/// A drive without engine.
pub(crate) fn no_drive() -> Arc<dyn Drivetrain> {
    Arc::new(Coasting)
}

/// The sample car, prepared.
pub(crate) fn model() -> VehicleModel {
    model_of(four_wheeler())
}

/// A changed sample car, prepared.
pub(crate) fn model_of(params: VehicleParams) -> VehicleModel {
    let params = Checked::new(params).expect("the sample car is valid");
    VehicleModel::new(params, &tires(), no_drive()).expect("its tire exists")
}

/// Constants of the sample car's wheels.
pub(crate) fn wheel_consts() -> WheelConsts {
    *model().wheels().first()
}

/// The explicit solver's settings of a profile, which that solver then advances.
pub(crate) fn explicit(profile: &mut Profile) -> &mut ExplicitSettings {
    if profile.rows().is_some() {
        profile.solver = Solver::Explicit(ExplicitSettings::DEFAULT);
    }
    match &mut profile.solver {
        Solver::Explicit(settings) => settings,
        Solver::Rows(_) => unreachable!("it was replaced"),
    }
}

/// The rows solver's settings of a profile, which that solver then advances.
pub(crate) fn rows(profile: &mut Profile) -> &mut RowsSettings {
    if profile.explicit().is_some() {
        profile.solver = Solver::Rows(RowsSettings::DEFAULT);
    }
    match &mut profile.solver {
        Solver::Rows(settings) => settings,
        Solver::Explicit(_) => unreachable!("it was replaced"),
    }
}

/// The rows solver as it is by default.
pub(crate) const ROWS: Solver = Solver::Rows(RowsSettings::DEFAULT);
/// The explicit solver as it is by default.
pub(crate) const EXPLICIT: Solver = Solver::Explicit(ExplicitSettings::DEFAULT);
