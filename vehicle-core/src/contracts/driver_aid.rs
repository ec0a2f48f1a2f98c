//! The contract [`DriverAid`]: ABS, traction and stability control, hill hold and the like, between the drivetrain and the
//! solver.
//!
//! An aid requests *bounds*: the solver keeps them implicitly, at the end of the substep, so that what an aid reaches does not
//! depend on the time step. A controller that only sees the past and sets a torque once per substep would.

use core::fmt::Debug;

use crate::base::checked::Inspector;
use crate::contracts::sensors::Sensors;

/// An aid of the driver.
///
/// A [`VehicleModel`](crate::VehicleModel) has a list of aids, called in order in each substep of the rows solver: each sees
/// what the drivetrain and the aids before it request, and the last has the last word. Every method is pure and total: any finite
/// sensors and memory give finite requests, and the past is in the memory, which is saved and restored with the state.
pub trait DriverAid: Debug + Send + Sync {
    /// Reports parameters that do not fit a vehicle of `wheels` wheels.
    fn check(&self, wheels: usize, inspector: &mut Inspector);

    /// Name for switches, lamps and logs, such as `"abs"`: lower case, words joined by hyphens.
    fn name(&self) -> &str {
        "aid"
    }

    /// Extent to which the aid acted in the last substep, 0…1, by what it remembers: for a lamp, a graph or a sound; by default 0.
    fn activity(&self, _memory: &[f32]) -> f32 {
        0.0
    }

    /// Number of values that the aid remembers for a vehicle of `wheels` wheels; they begin as 0. It never changes.
    fn memory(&self, _wheels: usize) -> usize {
        0
    }

    /// Number of the last remembered values that only count or fade, such as temperatures: a vehicle may fall asleep while they change,
    /// and asleep they do not.
    fn counters(&self, _wheels: usize) -> usize {
        0
    }

    /// Whether the aid would change neither its memory nor any request in a substep, which spares the sensors if every other aid
    /// rests, too. `brakes` says whether the drivetrain brakes: by a wheel's brake, or by engines or motors of
    /// [shafts](crate::Shafts). By default, an aid never rests.
    fn rests(&self, _memory: &[f32], _brakes: bool) -> bool {
        false
    }

    /// Longest substep with which the aid works (`s`), > 0, asked at the start of each step with its memory; by default, any.
    fn longest_substep(&self, _memory: &[f32]) -> f32 {
        f32::INFINITY
    }

    /// Changes the requests of a substep, which begin as the drivetrain's answer each time. What grows with time must grow with
    /// [`Sensors::duration`], not per call.
    ///
    /// A vehicle falls asleep only while no value of the memory but its [counters](Self::counters) changes; one that is not finite sets the whole memory to 0.
    fn assist(&self, sensors: &Sensors<'_>, memory: &mut [f32], requests: &mut Requests<'_>);
}

/// Requests to the solver for a substep. The drivetrain's own value replaces a request that is not a number or is out of range.
#[derive(Debug)]
pub struct Requests<'a> {
    /// Requests for the wheels, in wheel order.
    pub wheels: &'a mut [WheelRequest],
    /// Request for the engine; `None` if the drivetrain has none.
    pub engine: Option<EngineRequest>,
}

/// Request for a wheel in a substep.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WheelRequest {
    /// Braking torque (`N·m`), ≥ 0.
    pub brake: f32,
    /// Torque by which the solver may lower the brake's, to keep the slip within its range (`N·m`), ≥ 0, infinite to release it
    /// entirely; 0 at first. Wheels of wheel couplings do not keep a slip.
    pub release: f32,
    /// Torque by which the solver may raise the brake's, to keep the slip within its range (`N·m`), ≥ 0; 0 at first.
    pub build: f32,
    /// Least and greatest [slip](crate::WheelSensors::slip) at the end of the substep (–); infinite at first.
    pub slip_range: [f32; 2],
    /// Direct driving torque, beside the clutch's (`N·m`).
    pub drive: f32,
}

/// Request for the engine in a substep.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EngineRequest {
    /// Torque (`N·m`); the sum of all engines and motors of [shafts](crate::Shafts), which share it in proportion to their own.
    pub torque: f32,
    /// Torque to which the solver may reduce it, to keep the slip (`N·m`); `torque` at first. At most `torque`, or at least `torque`
    /// where that is negative, as of motors that brake.
    pub least_torque: f32,
    /// Greatest slip of the driven wheels (–), > 0, in the direction in which the engine drives them; infinite at first. Drives with
    /// wheel couplings (tracks, locked axles) do not keep it, nor does one clutch whose engine brakes.
    pub greatest_slip: f32,
    /// Whether this is the slip of the slowest driven wheel, and not of the fastest: where brakes limit each wheel, the engine
    /// is to reduce only what is common to all.
    pub of_slowest: bool,
}
