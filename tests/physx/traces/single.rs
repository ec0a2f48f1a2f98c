//! Single updates: the end of frame f − 1 and the inputs of frame f, against frame f's wheel values
//! and velocities.

use crate::reference::Comparison;
use glam::{Mat3, Vec3};
use jounce::core::internals::{ExplicitGrip, GripMemory};
use jounce::core::lanes::W4;
use jounce::core::params::WheelParams;
use jounce::core::state::WheelState;
use jounce::core::{
    BodyId, BodyState, DriveState, Gear, Motion, Vehicle, VehicleReport, WheelReport, inertia,
    math, phases,
};
use proving_ground::scenario::{Moment, Scenario, hands_at};
use proving_ground::world::{World, WorldKind};
use serde_json::Value;

use super::figures::{Figures, Own, Update};
use super::planes::{Plane, Planes};
use super::recorded::ANALOG;
use super::spins::TrueSpins;
use super::variants::{RoundedModels, Updated};
use super::{Recorded, clutch_slip, explicit, lanes, look_for, ratio, single_line, worse};
use crate::rounding::TIMES;

/// Rounding of the driver's controls, with full travel 1 (–).
const INPUT: f64 = TIMES * f32::EPSILON as f64;

#[derive(Default)]
struct Errors {
    figures: Figures,
    inputs: usize,
    skipped: usize,
    apart: usize,
    without_plane: usize,
    input: f64,
}

pub(crate) fn compare(
    name: &str,
    header: &Value,
    scenario: &Scenario,
    frames: &[Recorded],
) -> Result<Vec<Comparison>, String> {
    let mut rig = Rig::new(scenario, frames, RoundedModels::of(header, scenario)?)?;
    let mut errors = Errors::default();
    let start = start(scenario, &frames[0]);
    let previous = core::iter::once(&start).chain(frames);
    for (before, after) in previous.zip(frames) {
        let first = core::ptr::eq(before, &start);
        if !first && after.f != before.f + 1 {
            rig.spins.forget();
            continue;
        }
        rig.pair(before, after, first, &mut errors)
            .map_err(|error| format!("{name} frame {}: {error}", after.f))?;
    }
    let mut notes = format!("{} skipped frames", errors.skipped);
    let apart = [
        (errors.apart, "pairs apart: true spin not in the file"),
        (errors.without_plane, "pairs apart: plane not in the file"),
        (rig.spins.read, "spins better known from the recorded ones"),
    ];
    for (count, what) in apart.into_iter().filter(|(count, _)| *count > 0) {
        notes += &format!(", {count} {what}");
    }
    let mut lines = errors.figures.lines(name, &notes);
    if scenario.smooths_input() {
        let input = (errors.inputs, errors.input);
        lines.push(single_line(name, "input", input, INPUT, ""));
    }
    Ok(lines)
}

/// The scenario's start as a recorded frame.
fn start(scenario: &Scenario, first: &Recorded) -> Recorded {
    let (body, mut vehicle) = (scenario.body(), Vehicle::new(scenario.model(), BodyId(0)));
    scenario.prepare(&mut vehicle);
    let state = vehicle.state();
    let wheels = first.spin.len();
    let origin = math::matrix(body.rotation) * scenario.origin();
    Recorded {
        f: 0,
        origin: body.position + origin.as_dvec3(),
        rotation: body.rotation,
        linear: body.linear_velocity,
        angular: body.angular_velocity,
        analog: [0.0; ANALOG],
        engine: state.drive.engine_speed,
        gear: state.drive.gear.0,
        target_gear: state.drive.target_gear.0,
        switch_time: 0.0,
        autobox_time: 0.0,
        gear_up: false,
        gear_down: false,
        spin: vec![state.wheels[0].spin.lane(0); wheels],
        angle: vec![0.0; wheels],
        steer: vec![0.0; wheels],
        jounce: vec![WheelState::UNKNOWN; wheels],
        still_forward: vec![0.0; wheels],
        still_lateral: vec![0.0; wheels],
        in_air: vec![true; wheels],
        asleep: false,
        skipped: false,
        ..first.clone()
    }
}

struct Rig<'a> {
    scenario: &'a Scenario,
    models: RoundedModels,
    vehicle: Vehicle,
    /// World of files without planes.
    world: Box<dyn World>,
    inverse_inertia: Mat3,
    spins: TrueSpins<'a>,
}

impl<'a> Rig<'a> {
    fn new(
        scenario: &'a Scenario,
        frames: &'a [Recorded],
        models: RoundedModels,
    ) -> Result<Self, String> {
        let world = scenario.world(WorldKind::Standalone);
        Ok(Self {
            scenario,
            models,
            world: world.map_err(|error| error.to_string())?,
            vehicle: Vehicle::new(scenario.model(), BodyId(0)),
            inverse_inertia: inertia::inverse(scenario.body().inertia),
            spins: TrueSpins::new(scenario, frames),
        })
    }

    fn body(&self, before: &Recorded) -> BodyState {
        let desc = self.scenario.body();
        let rotation = math::unit(before.rotation);
        let center = math::matrix(rotation) * self.scenario.origin();
        BodyState {
            position: before.origin - center.as_dvec3(),
            rotation,
            linear_velocity: before.linear,
            angular_velocity: before.angular,
            mass: desc.mass,
            inverse_inertia: self.inverse_inertia,
            locked_axes: jounce::core::LockedAxes::NONE,
            linear_damping: desc.linear_damping,
            angular_damping: desc.angular_damping,
            asleep: before.asleep,
        }
    }

    /// Sets the vehicle to the state at the end of `before`.
    fn restore(&mut self, before: &Recorded, spins: &[f32]) {
        let unknown = before.skipped;
        self.vehicle.reset_to_rest();
        let state = self.vehicle.state_mut();
        state.drive = DriveState {
            engine_speed: before.engine,
            gear: Gear(before.gear),
            target_gear: Gear(before.target_gear),
            switch_time: before.switch_time,
            autobox_time: before.autobox_time,
            gear_up: before.gear_up,
            gear_down: before.gear_down,
            clutch_torque: 0.0,
        };
        for (g, wheels) in state.wheels.iter_mut().enumerate() {
            wheels.spin = lanes(spins, g);
            wheels.angle = lanes(&before.angle, g);
            wheels.steer = lanes(&before.steer, g);
            wheels.jounce = if unknown {
                W4::splat(WheelState::UNKNOWN)
            } else {
                lanes(&before.jounce, g)
            };
            let still = [&before.still_forward, &before.still_lateral];
            wheels.grip = GripMemory::Explicit(ExplicitGrip {
                still: still.map(|times| lanes(times, g)),
                ..wheels.grip.explicit()
            });
        }
    }

    /// Whether a wheel used a plane that the file does not have: that of an earlier query, or one
    /// that it left before the last substep, which is the recorded one.
    fn is_without_plane(&self, before: &Recorded, after: &Recorded) -> bool {
        let left = |planes: &Vec<Option<Plane>>| {
            (0..planes.len()).any(|n| !before.in_air[n] && planes[n].is_none())
        };
        !self.scenario.queries(after.f) || after.ground.as_ref().is_some_and(left)
    }

    fn pair(
        &mut self,
        before: &Recorded,
        after: &Recorded,
        first: bool,
        errors: &mut Errors,
    ) -> Result<(), String> {
        // The spin of a sleeping car does not matter.
        let asleep = after.skipped.then(|| vec![0.0; after.spin.len()]);
        let Some(spins) = asleep.or_else(|| self.spins.at(before, first)) else {
            errors.apart += 1;
            return Ok(());
        };
        if self.is_without_plane(before, after) {
            errors.without_plane += 1;
            self.spins.forget();
            return Ok(());
        }
        self.restore(before, &spins);
        let body = self.body(before);
        let moment = self.moment(before, after, &body)?;
        errors.inputs += 1;
        errors.input = worse(errors.input, apart(&moment, after));
        if let Some(gear) = moment.force_gear {
            self.vehicle.state_mut().drive.force_gear(gear);
        }
        let probe = |vehicle: &mut Vehicle, body: &BodyState| self.probe(vehicle, body, after);
        let (gravity, dt) = (self.scenario.gravity(), self.scenario.dt());
        let update = |vehicle: &mut Vehicle, body: &BodyState| {
            let outcome = phases::update(vehicle, body, &moment.command, gravity, dt);
            outcome.map_err(|refused| refused.to_string())
        };
        let rounded = |round: u32| {
            let (models, doubts) = (&self.models, self.spins.doubts());
            models.updated(round, &self.vehicle, &body, doubts, &probe, &update)
        };
        let first = rounded(0)?;
        let mut vehicle = self.vehicle.clone();
        probe(&mut vehicle, &body)?;
        let (ours, outcome) = Updated::new(vehicle, &body, [Vec3::ZERO; 2], &update)?;
        let kept = outcome.motion == Motion::Keep;
        if after.skipped != kept {
            return Err(format!("PhysX skipped: {}, ours: {kept}", after.skipped));
        }
        if after.skipped {
            errors.skipped += 1;
        } else {
            errors.figures.add(&Update {
                ours: &ours,
                rounded: &first,
                more: &rounded,
                after,
                velocities: self.expected_velocity(after),
                unknown: &[],
                own: &|updated| of_the_legacy_sdk(&ours.after, updated, after),
            })?;
        }
        self.spins.follow(&ours.after, &first, after);
        self.vehicle = ours.after;
        Ok(())
    }

    /// The driver's commands from the end of `before` on.
    fn moment(
        &self,
        before: &Recorded,
        after: &Recorded,
        body: &BodyState,
    ) -> Result<Moment, String> {
        let seen = VehicleReport {
            in_air: before.in_air.iter().all(|&in_air| in_air),
            ..self.vehicle.report(body)
        };
        let mut hands = hands_at(before.analog);
        let moment = self.scenario.moment(after.f, &mut hands, &seen);
        moment.map_err(|fault| fault.to_string())
    }

    /// Queries the planes that PhysX recorded, otherwise the scenario's ground.
    fn probe(
        &self,
        vehicle: &mut Vehicle,
        body: &BodyState,
        after: &Recorded,
    ) -> Result<(), String> {
        match &after.ground {
            Some(planes) => {
                let ways = self.direct_ways(after);
                look_for(vehicle, self.scenario, body, &Planes { planes, ways })
            }
            None => look_for(vehicle, self.scenario, body, &*self.world),
        }
    }

    /// Displacements of PhysX's direct sweeps, which sweep a convex hull whose extent is not in the file (`m`). A jounce at its
    /// limit tells nothing beyond it.
    fn direct_ways(&self, after: &Recorded) -> Option<Vec<Option<f32>>> {
        let probe = self.scenario.model().params().probe;
        probe.sweep().filter(|settings| settings.direct)?;
        let model = self.scenario.model();
        let way = |(wheel, &jounce): (&WheelParams, &f32)| {
            let strut = &wheel.suspension;
            (jounce > -strut.max_droop).then_some(strut.max_compression + wheel.radius - jounce)
        };
        let wheels = model.params().wheels.iter();
        Some(wheels.zip(&after.jounce).map(way).collect())
    }

    /// Velocities after PhysX's update. In acceleration mode the file has them only implicitly, in
    /// the scene's result, and only where no row acted.
    fn expected_velocity(&self, after: &Recorded) -> Option<[Vec3; 2]> {
        if !explicit(self.scenario).accelerates {
            return Some(after.updated);
        }
        // A body that falls asleep is stopped.
        if after.has_rows() || after.asleep {
            return None;
        }
        let (gravity, dt) = (self.scenario.gravity(), self.scenario.dt());
        let body = self.scenario.body();
        let [linear, angular] =
            [body.linear_damping, body.angular_damping].map(|damping| 1.0 - damping * dt);
        Some([
            after.linear / linear - gravity * dt,
            after.angular / angular,
        ])
    }
}

/// Values that the legacy SDK shows otherwise: no camber in the air, and the slip of the clutch as [`shown_slip`] says, of
/// which only the part that the compared speeds do not explain counts.
fn of_the_legacy_sdk(ours: &Vehicle, updated: &Updated, after: &Recorded) -> Own {
    let camber = |wheel: WheelReport| if wheel.in_air { 0.0 } else { wheel.camber };
    let slip = |vehicle: &Vehicle| {
        let spins: Vec<f32> = reports(vehicle).map(|wheel| wheel.spin_shown).collect();
        shown_slip(vehicle, vehicle.state().drive.engine_speed, &spins)
    };
    let explained = shown_slip(ours, after.engine, &after.spin) - slip(ours);
    let camber = reports(&updated.after).map(|wheel| f64::from(camber(wheel)));
    vec![
        ("camber", camber.collect()),
        ("cslip", vec![f64::from(slip(&updated.after) + explained)]),
    ]
}

/// All wheels of a vehicle.
fn reports(vehicle: &Vehicle) -> impl Iterator<Item = WheelReport> {
    (0..vehicle.model().wheel_count()).map(|n| vehicle.wheel_report(n))
}

/// Slip of the clutch at these speeds (`rad/s`) as the files show it: of tracks from the amounts of their spins, and
/// none in neutral.
fn shown_slip(vehicle: &Vehicle, engine: f32, spins: &[f32]) -> f32 {
    let control = vehicle.control();
    let groups = control.wheels.iter();
    let shares = groups.flat_map(|wheels| wheels.speed_share.to_array());
    let shown = |x: f32| {
        if control.wheel_couplings > 0 {
            x.abs()
        } else {
            x
        }
    };
    let shares: Vec<f32> = shares.map(shown).collect();
    let spins: Vec<f32> = spins.iter().copied().map(shown).collect();
    match ratio(control) {
        0.0 => 0.0,
        ratio => clutch_slip(engine, ratio, &shares, &spins),
    }
}

/// Difference between our controls and those in PhysX (–).
fn apart(moment: &Moment, after: &Recorded) -> f64 {
    let pairs = moment.analog.iter().zip(&after.analog);
    pairs
        .map(|(ours, theirs)| f64::from((ours - theirs).abs()))
        .fold(0.0, worse)
}
