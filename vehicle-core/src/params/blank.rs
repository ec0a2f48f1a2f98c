//! Parameters to start from: what a vehicle need not have is 0 or none, and what every vehicle has is missing.
//!
//! A missing value is `NaN`, which no check lets pass, so that a vehicle never has a mass, an inertia or a stiffness that
//! nobody gave it.

use alloc::string::String;
use alloc::vec::Vec;

use glam::Vec3;

use super::{
    CamberCurve, ChassisParams, Compliance, DamperStroke, Damping, LoadFilter, Probe, Profile,
    SubstepPolicy, SuspensionParams, TireFit, VehicleParams, WheelParams,
};
use crate::params::surface::TireType;

impl ChassisParams {
    /// A chassis for Earth without products of inertia and support; mass, inertia and center of mass are missing.
    #[must_use]
    pub const fn blank() -> Self {
        Self {
            mass: f32::NAN,
            inertia: Vec3::NAN,
            products: [0.0; 3],
            center_of_mass: Vec3::NAN,
            support: None,
            design_gravity: Self::DESIGN_GRAVITY,
        }
    }
}

impl SuspensionParams {
    /// A vertical strut with a preloaded spring and without camber; stiffnesses, damping, travels, sprung mass and application
    /// point are missing.
    #[must_use]
    pub const fn blank() -> Self {
        const MISSING: DamperStroke = DamperStroke {
            rate: f32::NAN,
            knee: None,
        };
        Self {
            stiffness: f32::NAN,
            free_at_droop: false,
            damping: Damping {
                bump: MISSING,
                rebound: MISSING,
            },
            bump_stop_stiffness: f32::NAN,
            max_compression: f32::NAN,
            max_droop: f32::NAN,
            sprung_mass: f32::NAN,
            travel_direction: Vec3::NEG_Z,
            application_point: Vec3::NAN,
            roll_influence: 1.0,
            camber: CamberCurve {
                at_rest: 0.0,
                at_max_compression: 0.0,
                at_max_droop: 0.0,
            },
        }
    }
}

impl TireFit {
    /// The vehicle's first tire model and type, with constant friction and no rolling resistance of its own; the application
    /// point is missing.
    #[must_use]
    pub const fn blank() -> Self {
        Self {
            model: 0,
            kind: TireType(0),
            friction_curve: Self::FLAT_FRICTION,
            application_point: Vec3::NAN,
            rest_mass: None,
            rolling_resistance: [0.0; 2],
        }
    }
}

impl WheelParams {
    /// An enabled wheel without toe, bearing damping, compliance and unsprung mass, on ground of all layers; position, size,
    /// mass, inertia, strut and tire are missing: each is `NaN`, which [`Checked`](crate::Checked) refuses by name.
    ///
    /// ```
    /// use glam::Vec3;
    /// use vehicle_core::params::{SuspensionParams, TireFit, WheelParams};
    ///
    /// let position = Vec3::new(1.4, 0.8, 0.3);
    /// let wheel = WheelParams {
    ///     name: "front left".into(),
    ///     position,
    ///     radius: 0.3,
    ///     width: 0.2,
    ///     mass: 20.0,
    ///     inertia: 0.9,
    ///     suspension: SuspensionParams {
    ///         stiffness: 35_000.0,
    ///         damping: 4500.0.into(),
    ///         bump_stop_stiffness: 350_000.0,
    ///         max_compression: 0.1,
    ///         max_droop: 0.1,
    ///         sprung_mass: 375.0,
    ///         application_point: position,
    ///         ..SuspensionParams::blank()
    ///     },
    ///     tire: TireFit { application_point: position, ..TireFit::blank() },
    ///     ..WheelParams::blank()
    /// };
    /// assert_eq!(wheel.toe, 0.0);
    /// ```
    #[must_use]
    pub fn blank() -> Self {
        Self {
            name: String::new(),
            enabled: true,
            position: Vec3::NAN,
            radius: f32::NAN,
            width: f32::NAN,
            mass: f32::NAN,
            inertia: f32::NAN,
            damping: 0.0,
            toe: 0.0,
            layers: u32::MAX,
            suspension: SuspensionParams::blank(),
            compliance: Compliance::default(),
            unsprung: None,
            tire: TireFit::blank(),
        }
    }
}

impl VehicleParams {
    /// A vehicle with rays, the rows solver, and neither bars nor aerodynamics; chassis and wheels are missing.
    #[must_use]
    pub fn blank() -> Self {
        Self {
            chassis: ChassisParams::blank(),
            wheels: Vec::new(),
            anti_roll: Vec::new(),
            load_filter: LoadFilter::OFF,
            substeps: SubstepPolicy::SINGLE,
            probe: Probe::Ray,
            profile: Profile::DEFAULT,
            aerodynamics: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::checked::Checked;
    use crate::testing;
    use alloc::vec;
    use rstest::rstest;

    /// A sound car whose parameters are those of [`testing::four_wheeler`] where `blank` ones are missing.
    fn filled() -> VehicleParams {
        let given = testing::four_wheeler();
        let wheel = |given: &WheelParams| WheelParams {
            position: given.position,
            radius: given.radius,
            width: given.width,
            mass: given.mass,
            inertia: given.inertia,
            suspension: SuspensionParams {
                stiffness: given.suspension.stiffness,
                damping: given.suspension.damping,
                bump_stop_stiffness: given.suspension.bump_stop_stiffness,
                max_compression: given.suspension.max_compression,
                max_droop: given.suspension.max_droop,
                sprung_mass: given.suspension.sprung_mass,
                application_point: given.suspension.application_point,
                ..SuspensionParams::blank()
            },
            tire: TireFit {
                application_point: given.tire.application_point,
                ..TireFit::blank()
            },
            ..WheelParams::blank()
        };
        VehicleParams {
            chassis: ChassisParams {
                mass: given.chassis.mass,
                inertia: given.chassis.inertia,
                center_of_mass: given.chassis.center_of_mass,
                ..ChassisParams::blank()
            },
            wheels: given.wheels.iter().map(wheel).collect(),
            ..VehicleParams::blank()
        }
    }

    #[test]
    fn what_is_not_missing_is_sound() {
        assert!(Checked::new(filled()).is_ok());
    }

    type Omission = fn(&mut VehicleParams);

    /// Each missing value is refused, and named.
    #[rstest]
    #[case::mass(|p: &mut VehicleParams| p.chassis.mass = ChassisParams::blank().mass, "chassis.mass")]
    #[case::inertia(|p: &mut VehicleParams| p.chassis.inertia = ChassisParams::blank().inertia, "chassis.inertia")]
    #[case::center(|p: &mut VehicleParams| p.chassis.center_of_mass = ChassisParams::blank().center_of_mass, "chassis.center_of_mass")]
    #[case::wheels(|p: &mut VehicleParams| p.wheels = VehicleParams::blank().wheels, "wheels")]
    #[case::wheel(|p: &mut VehicleParams| p.wheels[1] = WheelParams::blank(), "wheels[1].radius")]
    #[case::position(|p: &mut VehicleParams| p.wheels[1].position = WheelParams::blank().position, "wheels[1].position")]
    #[case::width(|p: &mut VehicleParams| p.wheels[1].width = WheelParams::blank().width, "wheels[1].width")]
    #[case::wheel_mass(|p: &mut VehicleParams| p.wheels[1].mass = WheelParams::blank().mass, "wheels[1].mass")]
    #[case::wheel_inertia(|p: &mut VehicleParams| p.wheels[1].inertia = WheelParams::blank().inertia, "wheels[1].inertia")]
    #[case::spring(|p: &mut VehicleParams| p.wheels[1].suspension.stiffness = SuspensionParams::blank().stiffness, "wheels[1].suspension.stiffness")]
    #[case::damper(|p: &mut VehicleParams| p.wheels[1].suspension.damping = SuspensionParams::blank().damping, "wheels[1].suspension.damping.bump.rate")]
    #[case::stop(|p: &mut VehicleParams| p.wheels[1].suspension.bump_stop_stiffness = SuspensionParams::blank().bump_stop_stiffness,
        "wheels[1].suspension.bump_stop_stiffness")]
    #[case::compression(|p: &mut VehicleParams| p.wheels[1].suspension.max_compression = SuspensionParams::blank().max_compression,
        "wheels[1].suspension.max_compression")]
    #[case::droop(|p: &mut VehicleParams| p.wheels[1].suspension.max_droop = SuspensionParams::blank().max_droop, "wheels[1].suspension.max_droop")]
    #[case::sprung_mass(|p: &mut VehicleParams| p.wheels[1].suspension.sprung_mass = SuspensionParams::blank().sprung_mass,
        "wheels[1].suspension.sprung_mass")]
    #[case::strut_point(|p: &mut VehicleParams| p.wheels[1].suspension.application_point = SuspensionParams::blank().application_point,
        "wheels[1].suspension.application_point")]
    #[case::tire_point(|p: &mut VehicleParams| p.wheels[1].tire = TireFit::blank(), "wheels[1].tire.application_point")]
    #[case::everything(|p: &mut VehicleParams| *p = VehicleParams { wheels: vec![WheelParams::blank(); 3], ..VehicleParams::blank() },
        "chassis.mass")]
    fn nothing_that_a_vehicle_must_have_is_made_up(#[case] omit: Omission, #[case] path: &str) {
        let mut params = filled();
        omit(&mut params);
        let faults = Checked::new(params).expect_err("a value is missing");
        assert!(faults.0.iter().any(|fault| fault.path == path), "{faults}");
    }
}
