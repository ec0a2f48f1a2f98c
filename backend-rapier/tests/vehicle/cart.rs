//! A cart with two different wheels.

use std::sync::Arc;

use glam::Vec3;
use vehicle_core::checked::{Checked, Inspector};
use vehicle_core::drivetrain::{Control, Drivetrain};
use vehicle_core::params::{
    ChassisParams, SubstepPolicy, SuspensionParams, TireFit, VehicleParams, WheelParams,
};
use vehicle_core::profile::Solver;
use vehicle_core::{
    Command, DriveState, Profile, StepError, TireForces, TireInput, TireModel, VehicleModel,
};

/// Center of mass (`m`, vehicle axes).
pub(super) const CENTER: Vec3 = Vec3::new(0.2, -0.1, 0.3);
/// Application point of both suspensions' forces (`m`, vehicle axes).
pub(super) const APPLICATION: Vec3 = Vec3::new(0.7, 0.5, -0.4);

fn wheel(place: Vec3, radius: f32, width: f32, layers: u32) -> WheelParams {
    WheelParams {
        position: place,
        radius,
        width,
        mass: 20.0,
        inertia: 2.5,
        damping: 0.25,
        layers,
        suspension: SuspensionParams {
            stiffness: 35_000.0,
            damping: 4500.0.into(),
            bump_stop_stiffness: 350_000.0,
            max_compression: 0.3,
            max_droop: 0.1,
            sprung_mass: 250.0,
            application_point: APPLICATION,
            ..SuspensionParams::blank()
        },
        tire: TireFit {
            application_point: APPLICATION,
            ..TireFit::blank()
        },
        ..WheelParams::blank()
    }
}

#[derive(Debug)]
struct Slick;

impl TireModel for Slick {
    fn forces(&self, _: &TireInput) -> TireForces {
        TireForces::default()
    }
}

#[derive(Debug)]
struct Pushed;

impl Drivetrain for Pushed {
    fn check(&self, _: usize, _: &mut Inspector) {}

    fn initial_state(&self) -> DriveState {
        DriveState::default()
    }

    fn control(&self, _: &Command, _: &mut DriveState, _: &mut Control) -> Result<(), StepError> {
        Ok(())
    }

    fn requests_motion(&self, _: &Command, _: &DriveState) -> bool {
        false
    }
}

/// The cart, prepared for a solver.
pub(super) fn model(solver: Solver) -> Arc<VehicleModel> {
    let params = VehicleParams {
        chassis: ChassisParams {
            mass: 500.0,
            inertia: Vec3::new(200.0, 300.0, 400.0),
            center_of_mass: CENTER,
            ..ChassisParams::blank()
        },
        wheels: vec![
            wheel(Vec3::new(1.2, 0.8, -0.6), 0.5, 0.4, u32::MAX),
            wheel(Vec3::new(-0.8, -1.0, -0.5), 0.4, 0.3, 0b110),
        ],
        substeps: SubstepPolicy::PHYSX,
        profile: Profile {
            solver,
            ..Profile::PHYSX_4
        },
        ..VehicleParams::blank()
    };
    let tires: [Arc<dyn TireModel>; 1] = [Arc::new(Slick)];
    let params = Checked::new(params).expect("the cart is valid");
    Arc::new(VehicleModel::new(params, &tires, Arc::new(Pushed)).expect("its tire exists"))
}
