//! Sensors of drivetrain and driver aids, and the aids' requests of a substep, as the solver takes them.

use crate::MAX_WHEELS;
use crate::base::lanes::{LANES, W4};
use crate::base::math;
use crate::contracts::driver_aid::{EngineRequest, Requests, WheelRequest};
use crate::contracts::drivetrain::{Control, EngineCoupling, WheelControl};
use crate::contracts::sensors::Sensors;
use crate::exchange::extra_states::Memories;
use crate::exchange::state::VehicleState;
use crate::stages::chassis::View;
use crate::stages::model::VehicleModel;
use crate::stages::outputs::Workspace;
use crate::stages::sensing::{self, SensedWheels};

use super::MAX_GROUPS;
use super::group::GroupRows;
use super::shafts::engines;
use super::shafts::engines::NodeTorques;
use super::slip_limits::{EngineLimit, SlipLimits};
use super::substep_context::SubstepContext;

/// Lets drivetrain and driver aids see the start of a substep, and disables wheels; returns the control by the aids, if there are
/// any.
#[inline(never)]
pub(super) fn sense(
    model: &VehicleModel,
    now: &SubstepContext<'_>,
    state: &mut VehicleState,
    work: &mut Workspace<'_>,
) -> Option<AidedControl> {
    if !model.drivetrain().uses_sensors() && every_aid_rests(model, state, work.control) {
        rest(model, state, work.control);
        return None;
    }
    let view = View {
        matrix: *now.start_matrix,
        ..*now.view
    };
    let sensed = SensedWheels::new(model, state, &view, (work, now.h));
    let begins_step = now.remaining + 1.0 == now.count;
    let sensors = sensing::sensors(&sensed, &view, work, now.h, begins_step);
    sensing::drivetrain(model, &sensors, state, work.control);
    if every_aid_rests(model, state, work.control) {
        rest(model, state, work.control);
        return None;
    }
    model.disable_wheels(work.control);
    let memories = state.extras.memories_mut()?;
    let mut aided = AidedControl::new(model, &sensors, work.control, memories);
    if let (Some(shafts), Some(request)) = (&mut work.control.shafts, &aided.engine) {
        aided.least_torques = engines::share(shafts, request);
    }
    Some(aided)
}

/// Whether no aid that is switched on would change a request after the drivetrain set its `control`.
fn every_aid_rests(model: &VehicleModel, state: &VehicleState, control: &Control) -> bool {
    let Some(memories) = state.extras.memories() else {
        return true;
    };
    let brakes = brakes(control);
    let mut aids = model.aids().iter().zip(&memories.aids).enumerate();
    aids.all(|(n, (aid, memory))| !memories.aid_is_enabled(n) || aid.rests(memory, brakes))
}

/// Whether a drivetrain brakes: by a wheel's brake, or by engines or motors of shafts.
fn brakes(control: &Control) -> bool {
    let wheels = control.wheels.iter();
    let engines = || engines::answer(control.shafts.as_ref()?);
    wheels
        .map(|wheels| wheels.brake)
        .any(|brake| brake.gt(W4::ZERO).any())
        || engines().is_some_and(|engines| engines.torque < 0.0)
}

/// A substep in which every aid rests: the wheels have the drivetrain's brakes.
fn rest(model: &VehicleModel, state: &mut VehicleState, control: &mut Control) {
    model.disable_wheels(control);
    let Some(memories) = state.extras.memories_mut() else {
        return;
    };
    for (brakes, wheels) in memories.brakes.iter_mut().zip(&*control.wheels) {
        *brakes = wheels.brake;
    }
}

/// Keeps the torques of brakes as they were applied in a substep, of `1/per_second`, for the sensors of the next.
pub(super) fn remember_brakes(
    aided: &AidedControl,
    rows: &[GroupRows],
    state: &mut VehicleState,
    per_second: f32,
) {
    let Some(memories) = state.extras.memories_mut() else {
        return;
    };
    for (g, brakes) in memories.brakes.iter_mut().enumerate() {
        *brakes = match rows[g].limited_brake() {
            Some(impulse) => impulse * W4::splat(per_second),
            None => aided.wheels[g].brake,
        };
    }
}

/// Requests of a vehicle's aids in a substep, in place of the drivetrain's.
#[derive(Clone, Copy, Debug)]
pub(super) struct AidedControl {
    /// Control of the wheels, per group.
    pub(super) wheels: [WheelControl; MAX_GROUPS],
    /// Limits of their slips, per group; `None` for a group without.
    pub(super) limits: [Option<SlipLimits>; MAX_GROUPS],
    /// Engine and clutch, if the drivetrain has an engine.
    pub(super) coupling: Option<EngineCoupling>,
    /// Request for the engine, if there is one.
    engine: Option<EngineRequest>,
    /// Limit of the engine, if an aid requests one.
    pub(super) engine_limit: Option<EngineLimit>,
    /// Torques to which it may reduce the engines of shafts (`N·m`).
    pub(super) least_torques: NodeTorques,
}

impl AidedControl {
    /// Calls the aids in order, which remember in `memories`, after the drivetrain set its `control`.
    #[inline(never)]
    pub(super) fn new(
        model: &VehicleModel,
        sensors: &Sensors<'_>,
        control: &Control,
        memories: &mut Memories,
    ) -> Self {
        let mut wheels = [WheelRequest::of(&control.wheels[0], 0); MAX_WHEELS];
        let wheels = &mut wheels[..model.wheel_count()];
        for (n, wheel) in wheels.iter_mut().enumerate() {
            *wheel = WheelRequest::of(&control.wheels[n / LANES], n % LANES);
        }
        let engine = answer(control);
        let mut requests = Requests { wheels, engine };
        let disabled = memories.disabled_aids;
        for (n, (aid, memory)) in model.aids().iter().zip(&mut memories.aids).enumerate() {
            if disabled >> n & 1 == 1 {
                continue;
            }
            aid.assist(sensors, memory, &mut requests);
            if !memory.iter().copied().all(f32::is_finite) {
                memory.fill(0.0);
            }
        }
        let engine = requests.engine;
        Self::of(control, sensors, requests.wheels, engine)
    }

    fn of(
        control: &Control,
        sensors: &Sensors<'_>,
        wheels: &[WheelRequest],
        engine: Option<EngineRequest>,
    ) -> Self {
        let mut aided = Self {
            wheels: [WheelControl::default(); MAX_GROUPS],
            limits: [None; MAX_GROUPS],
            coupling: control.coupling,
            engine: None,
            engine_limit: None,
            least_torques: engines::NO_TORQUES,
        };
        for (g, own) in control.wheels.iter().enumerate() {
            aided.wheels[g] = *own;
            let requests = &wheels[g * LANES..wheels.len().min((g + 1) * LANES)];
            for (lane, request) in requests.iter().enumerate() {
                let request = request.sound(&WheelRequest::of(own, lane));
                let wheels = &mut aided.wheels[g];
                wheels.brake = wheels.brake.with_lane(lane, request.brake);
                wheels.drive = wheels.drive.with_lane(lane, request.drive);
                if request.is_limited() {
                    let limits = aided.limits[g].get_or_insert(SlipLimits::NONE);
                    limits.set(lane, &request, sensors.wheels[g * LANES + lane].slip);
                }
            }
        }
        if let (Some(answer), Some(request)) = (answer(control), engine) {
            let mut request = request.sound(&answer);
            if let Some(coupling) = &mut aided.coupling {
                coupling.torque = request.torque;
                request.least_torque = math::lesser(request.least_torque, request.torque);
            }
            aided.engine_limit = EngineLimit::of(&request);
            aided.engine = Some(request);
        }
        aided
    }
}

/// The drivetrain's answer for its engine; `None` if it has none.
fn answer(control: &Control) -> Option<EngineRequest> {
    let coupling = control.coupling.as_ref();
    let of_coupling = coupling.map(|engine| EngineRequest::of_torque(engine.torque));
    of_coupling.or_else(|| engines::answer(control.shafts.as_ref()?))
}

impl WheelRequest {
    /// The drivetrain's answer for a wheel.
    fn of(control: &WheelControl, lane: usize) -> Self {
        Self {
            brake: control.brake.lane(lane),
            release: 0.0,
            build: 0.0,
            slip_range: [f32::NEG_INFINITY, f32::INFINITY],
            drive: control.drive.lane(lane),
        }
    }

    /// Whether the solver may choose another braking torque.
    fn is_limited(&self) -> bool {
        let [least, most] = self.slip_range;
        (least > -1.0 || most < 1.0) && (self.release > 0.0 || self.build > 0.0)
    }

    /// This request with the drivetrain's answer in place of values that are not sound.
    fn sound(&self, answer: &Self) -> Self {
        let [least, most] = self.slip_range;
        Self {
            brake: math::greater(finite_or(self.brake, answer.brake), 0.0),
            // 0 for NaN.
            release: math::greater(self.release, 0.0),
            build: math::greater(finite_or(self.build, 0.0), 0.0),
            slip_range: if least <= most {
                self.slip_range
            } else {
                answer.slip_range
            },
            drive: finite_or(self.drive, answer.drive),
        }
    }
}

/// `value` if it is finite, else `other`.
fn finite_or(value: f32, other: f32) -> f32 {
    if value.is_finite() { value } else { other }
}

impl EngineRequest {
    /// The answer of a drivetrain whose engine has this `torque` (`N·m`).
    pub(super) fn of_torque(torque: f32) -> Self {
        Self {
            torque,
            least_torque: torque,
            greatest_slip: f32::INFINITY,
            of_slowest: false,
        }
    }

    /// This request with the drivetrain's answer in place of values that are not sound.
    fn sound(&self, answer: &Self) -> Self {
        let torque = finite_or(self.torque, answer.torque);
        Self {
            torque,
            least_torque: if torque >= 0.0 {
                math::lesser(finite_or(self.least_torque, torque), torque)
            } else {
                math::greater(finite_or(self.least_torque, torque), torque)
            },
            greatest_slip: if self.greatest_slip > 0.0 {
                self.greatest_slip
            } else {
                answer.greatest_slip
            },
            of_slowest: self.of_slowest,
        }
    }
}
