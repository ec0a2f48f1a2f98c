//! Bodies and joints from a vehicle's parameters.

use glam::{Mat3, Vec3};
use vehicle_core::drivetrain::Control;
use vehicle_core::lanes::{LANES, W4};
use vehicle_core::params::WheelParams;
use vehicle_core::state::WheelState;
use vehicle_core::{CarCommand, Command, VehicleModel, VehicleParams, inertia, math};

use crate::error::JointedError;

/// A time in which differentials lock (`s`).
const SOON: f32 = 0.01;
/// Least part of a vehicle's moment of inertia about an axis that its wheels leave to the chassis (–).
const LEAST_MOMENT: f32 = 0.1;

/// One wheel: its body and joint.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WheelAttachment {
    /// Center of the wheel at travel 0 from the chassis' center of mass (`m`, vehicle frame).
    pub position: Vec3,
    /// Direction of compression, a unit vector (vehicle frame), perpendicular to y.
    pub up: Vec3,
    /// Radius and width of its cylinder (`m`), > 0.
    pub radius: f32,
    /// See `radius`.
    pub width: f32,
    /// Mass of the wheel (`kg`), > 0.
    pub mass: f32,
    /// Moments of inertia of the wheel about its axle, and across it (`kg·m²`), > 0.
    pub inertia: [f32; 2],
    /// Spring's stiffness (`N/m`), > 0.
    pub stiffness: f32,
    /// Damping of the strut (`N·s/m`), ≥ 0.
    pub damping: f32,
    /// Travel at which the spring is free (`m`): a part of its preload.
    pub free_travel: f32,
    /// Least and most travel (`m`).
    pub limits: [f32; 2],
    /// Coefficient of friction of its tread on any ground (–), ≥ 0.
    pub friction: f32,
    /// Layers of the ground that it touches, one bit each.
    pub layers: u32,
}

/// A vehicle as bodies: what remains of its chassis, and its wheels. Together they have the
/// vehicle's mass, center of mass and inertia, so that the chassis' own center is higher, and its principal axes incline a
/// little.
#[derive(Clone, Debug, PartialEq)]
pub struct Attachments {
    /// Mass of the chassis' body (`kg`).
    pub mass: f32,
    /// Inertia tensor of the chassis' body about its center of mass (`kg·m²`, vehicle axes): at least a tenth of the vehicle's
    /// about each of its own principal axes.
    pub inertia: Mat3,
    /// Center of mass of the chassis' body, from the vehicle's origin (`m`, vehicle frame).
    pub center_of_mass: Vec3,
    /// The wheels.
    pub wheels: Vec<WheelAttachment>,
}

impl Attachments {
    /// The bodies of a vehicle whose tires have this coefficient of `friction` on the ground.
    ///
    /// # Errors
    /// If a wheel is heavier than what its strut carries, disabled, or travels other than across
    /// its axle; if the drivetrain binds wheels to each other, or turns shafts.
    pub fn of(model: &VehicleModel, friction: f32) -> Result<Self, JointedError> {
        let params = model.params();
        if binds(model) {
            return Err(JointedError::Bound);
        }
        let shafts = model.drivetrain().shafts(model.wheel_count());
        if shafts.is_some() {
            return Err(JointedError::Shafts);
        }
        for wheel in &params.wheels {
            suited(wheel)?;
        }
        let chassis = &params.chassis;
        let unsprung: f32 = params.wheels.iter().map(|wheel| wheel.mass).sum();
        let moment: Vec3 = params.wheels.iter().map(|w| w.position * w.mass).sum();
        let mass = chassis.mass - unsprung;
        let center_of_mass = (chassis.center_of_mass * chassis.mass - moment) / mass;
        let spread = |mass: f32, at: Vec3| {
            let arm = at - chassis.center_of_mass;
            inertia::of_point(mass, arm)
        };
        let whole = chassis.inertia_tensor();
        let wheels = params.wheels.iter();
        let moved = wheels.fold(spread(mass, center_of_mass), |sum, w| {
            sum + spread(w.mass, w.position)
        });
        Ok(Self {
            mass,
            inertia: remaining(whole - moved, whole),
            center_of_mass,
            wheels: wheels_of(params, center_of_mass, friction),
        })
    }
}

/// The remainder of the inertia `whole`, which heavy wheels may have more than used up: about each of its principal
/// axes a tenth stays.
fn remaining(left: Mat3, whole: Mat3) -> Mat3 {
    let (moments, axes) = inertia::principal(left);
    let about = |axis: Vec3| axis.dot(whole * axis) * LEAST_MOMENT;
    let turn = math::matrix(axes);
    let least = Vec3::new(about(turn.x_axis), about(turn.y_axis), about(turn.z_axis));
    inertia::along(moments.max(least), axes)
}

fn suited(wheel: &WheelParams) -> Result<(), JointedError> {
    let strut = &wheel.suspension;
    let faults = [
        (!wheel.enabled, "is disabled"),
        (
            wheel.mass >= strut.sprung_mass + wheel.unsprung_mass(),
            "is heavier than what it carries",
        ),
        (
            strut.travel_direction.y.abs() > 1e-3,
            "travels along its axle",
        ),
    ];
    match faults.into_iter().find(|(fault, _)| *fault) {
        None => Ok(()),
        Some((_, what)) => Err(JointedError::Unsuited {
            wheel: wheel.name.clone(),
            what,
        }),
    }
}

/// Whether a drivetrain binds wheels, while all turn alike or while one is faster.
fn binds(model: &VehicleModel) -> bool {
    let (drivetrain, count) = (model.drivetrain(), model.wheel_count());
    let command = Command::Car(CarCommand::default());
    let bound = |faster: Option<usize>| {
        let spin = |wheel| if Some(wheel) == faster { 100.0 } else { 1.0 };
        let spins = |group| W4::from_fn(|lane| spin(group * LANES + lane));
        let states = (0..count.div_ceil(LANES)).map(|group| WheelState {
            spin: spins(group),
            ..WheelState::AT_REST
        });
        let states: Vec<WheelState> = states.collect();
        let (mut drive, mut control) = (drivetrain.initial_state(), Control::idle(count));
        // A drive that takes no such command has no differential.
        let told = drivetrain.control(&command, &mut drive, &mut control);
        drivetrain.change_gears(&mut drive, &states, SOON, &mut control);
        drivetrain.split_torque(&drive, &states, &mut control);
        told.is_ok() && control.wheel_couplings > 0
    };
    bound(None) || (0..count).any(|wheel| bound(Some(wheel)))
}

fn wheels_of(params: &VehicleParams, center_of_mass: Vec3, friction: f32) -> Vec<WheelAttachment> {
    let attachment = |wheel: &WheelParams| {
        let strut = &wheel.suspension;
        let carried = strut.sprung_mass + wheel.unsprung_mass() - wheel.mass;
        let carried = carried * params.chassis.design_gravity;
        let free_travel = if strut.free_at_droop {
            -strut.max_droop
        } else {
            -carried / strut.stiffness
        };
        WheelAttachment {
            position: wheel.position - center_of_mass,
            up: -strut.travel_direction,
            radius: wheel.radius,
            width: wheel.width,
            mass: wheel.mass,
            inertia: [wheel.inertia, across(wheel)],
            stiffness: strut.stiffness,
            damping: strut.damping.mean_rate(),
            free_travel,
            limits: [-strut.max_droop, strut.max_compression],
            friction,
            layers: wheel.layers,
        }
    };
    params.wheels.iter().map(attachment).collect()
}

/// Moment of inertia across the axle: that of a hollow cylinder with the one about it.
fn across(wheel: &WheelParams) -> f32 {
    0.5 * wheel.inertia + wheel.mass * wheel.width * wheel.width / 12.0
}
