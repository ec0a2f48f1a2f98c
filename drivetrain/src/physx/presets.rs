//! The drives of PhysX by name, with its default parts (ALGORITHMS §4.1), as starting points.

use alloc::vec;
use alloc::vec::Vec;

use crate::autobox::AutoboxParams;
use crate::brakes::BrakeParams;
use crate::clutch::ClutchParams;
use crate::differential::{
    Differential, Differential4W, EqualSplit, TankDifferential, TankLaw, Track, TrackCoupling,
    TrackSide,
};
use crate::engine::EngineParams;
use crate::engine_drive::EngineDriveParams;
use crate::gearbox::GearboxParams;
use crate::response::Responses;
use crate::steering::SteeringParams;

/// A car with four driven wheels, limited slip and no steering: `PxVehicleDrive4W`. Further wheels
/// roll freely.
#[must_use]
pub fn four_wheel_drive(wheels: usize) -> EngineDriveParams {
    driven_by(Differential::FourWheel(Differential4W::physx()), wheels)
}

/// A vehicle whose `driven` wheels have equal shares: `PxVehicleDriveNW`.
#[must_use]
pub fn n_wheel_drive(wheels: usize, driven: Vec<usize>) -> EngineDriveParams {
    let split = EqualSplit { wheels: driven };
    driven_by(Differential::Equal(split), wheels)
}

/// A tank whose wheels alternate left and right: `PxVehicleDriveTank`. With `special` controls its
/// tracks may turn in opposite directions.
#[must_use]
pub fn tank(wheels: usize, special: bool) -> EngineDriveParams {
    let track = |side: TrackSide| Track {
        side,
        wheels: (side.index()..wheels).step_by(2).collect(),
        radii: vec![],
    };
    let tracks = TankDifferential {
        tracks: vec![track(TrackSide::Left), track(TrackSide::Right)],
        law: TankLaw::Shared,
        special,
        idle_brake: 0.0,
        coupling: TrackCoupling::ByHalves,
    };
    driven_by(Differential::Tank(tracks), wheels)
}

/// PhysX's default parts around a differential.
fn driven_by(differential: Differential, wheels: usize) -> EngineDriveParams {
    let gearbox = GearboxParams::physx();
    EngineDriveParams {
        engine: EngineParams::physx(),
        clutch: ClutchParams::physx(),
        autobox: Some(AutoboxParams::physx(gearbox.forward.len())),
        converter: None,
        dual_clutch: None,
        variator: None,
        retarder: None,
        power_take_off: None,
        gearbox,
        differential,
        responses: Responses::default(),
        steering: SteeringParams::default(),
        brakes: vec![BrakeParams::physx(); wheels],
        radii: vec![],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine_drive::EngineDrive;
    use rstest::rstest;
    use vehicle_core::{Checked, Drivetrain, Inspector};

    #[rstest]
    #[case::four_wheels(four_wheel_drive(6), 6)]
    #[case::many_wheels(n_wheel_drive(6, vec![2, 3, 4, 5]), 6)]
    #[case::tank(tank(14, true), 14)]
    fn presets_are_valid(#[case] params: EngineDriveParams, #[case] wheels: usize) {
        let drive = EngineDrive::new(Checked::new(params).unwrap());
        let mut inspector = Inspector::new();
        drive.check(wheels, &mut inspector);
        assert!(inspector.verdict().is_ok());
    }
}
