//! One substep of sequential impulses: warm start, then sweeps over struts, tire laws, clutch and wheels.

mod turned_shafts;

use core::hint::cold_path;
use core::slice;

use crate::base::lanes::{LANES, W4};
use crate::base::velocity::VelocityLanes;
use crate::contracts::drivetrain::{EngineCoupling, WheelControl};
use crate::contracts::shafts::Shafts;
use crate::exchange::state::{DriveState, WheelState};
use crate::exchange::tire_state::TireState;
use crate::stages::contact::{MovingGround, SweptWheels};
use crate::stages::edge_ground::EdgeGround;
use crate::stages::model::VehicleModel;
use crate::stages::section::Obstacle;
use crate::stages::steering::Steering;

use super::MAX_GROUPS;
use super::clutch;
use super::coupled_wheel::Sloped;
use super::group::GroupRows;
use super::obstacles::ObstacleRows;
use super::shafts::ShaftEnd;
use super::shafts::engines::NodeTorques;
use super::slip_limits::{EngineLimit, SlipLimits};
use super::substep_context::{SubstepContext, SubstepInputs};
use super::tuning::{LAW_EVALUATIONS, LONG_SUBSTEP, PLACED_SWEEPS};
use super::wheel_coupling::WheelCouplings;

/// Inputs of a substep; slices are per group.
pub(super) struct Substep<'a> {
    pub(super) model: &'a VehicleModel,
    pub(super) now: &'a SubstepContext<'a>,
    pub(super) coupling: Option<&'a EngineCoupling>,
    pub(super) control: &'a [WheelControl],
    /// Limits of slips that brakes keep; empty without driver aids.
    pub(super) limits: &'a [Option<SlipLimits>],
    pub(super) engine_limit: Option<&'a EngineLimit>,
    /// Torques to which the engine limit may reduce the engines of shafts (`N·m`).
    pub(super) least_torques: &'a NodeTorques,
    pub(super) wheel_couplings: u8,
    pub(super) steering: &'a [Steering],
    pub(super) ground: &'a [MovingGround],
    pub(super) swept: &'a [Option<SweptWheels>],
    pub(super) ends: &'a [W4],
    /// Ground at edges and walls, in steps in which wheels meet some.
    pub(super) edges: Option<&'a EdgeGround>,
}

impl Substep<'_> {
    /// Walls in the way of wheels.
    fn obstacles(&self) -> &[Obstacle] {
        self.edges.map_or(&[], EdgeGround::obstacles)
    }

    /// Solves all rows; returns the chassis' velocity at the end (vehicle frame).
    #[inline(never)]
    pub(super) fn solve(
        &self,
        groups: &mut [GroupRows],
        wheels: &mut [WheelState],
        tires: &mut [TireState],
        drive: &mut DriveState,
        shafts: Option<&mut Shafts>,
    ) -> VelocityLanes {
        // Most vehicles have a single group: specialized, without loops over groups.
        match (groups, wheels) {
            ([rows], [wheels]) => self.solve_groups::<false>(
                &[self.inputs(0)],
                slice::from_mut(rows),
                slice::from_mut(wheels),
                tires,
                (drive, shafts),
            ),
            (groups, wheels) => {
                let mut inputs = [self.inputs(0); MAX_GROUPS];
                let inputs = &mut inputs[..groups.len()];
                for (g, inputs) in inputs.iter_mut().enumerate().skip(1) {
                    *inputs = self.inputs(g);
                }
                self.solve_groups::<true>(inputs, groups, wheels, tires, (drive, shafts))
            }
        }
    }

    /// Solves groups with these inputs, `MANY` or one: each has a clutch of its own, compiled in place.
    #[inline(always)]
    fn solve_groups<const MANY: bool>(
        &self,
        inputs: &[SubstepInputs<'_>],
        groups: &mut [GroupRows],
        wheels: &mut [WheelState],
        tires: &mut [TireState],
        (drive, mut shafts): (&mut DriveState, Option<&mut Shafts>),
    ) -> VelocityLanes {
        let mut velocity = self.begin(inputs, groups, wheels);
        let engine_speed = drive.engine_speed;
        let falls = self.model.friction_falls();
        let least = self.least_sweeps(groups);
        if self.now.placed && self.now.h > LONG_SUBSTEP {
            // Without a warm start, the loads of a car that stands upright differ after one sweep, and with them its tires'
            // forces.
            (0..PLACED_SWEEPS).for_each(|_| sweep_struts(inputs, groups, &mut velocity));
        }
        let obstacles = self.obstacles();
        let mut walls = (!obstacles.is_empty()).then(|| ObstacleRows::new(obstacles, self.now));
        let (mut sweep, mut slips_on, mut shaft_end) = (0, true, ShaftEnd::default());
        while sweep < least || slips_on {
            sweep_struts(inputs, groups, &mut velocity);
            if slips_on {
                for (g, rows) in groups.iter_mut().enumerate() {
                    let own = tires.chunks(LANES).nth(g).unwrap_or_default();
                    rows.evaluate_tires(&inputs[g], &wheels[g], own, sweep == 0, self.now);
                }
            }
            if self.wheel_couplings > 0 {
                velocity =
                    self.sweep_wheel_couplings(inputs, groups, engine_speed, drive, velocity);
            } else {
                if let Some(shafts) = shafts.as_deref_mut() {
                    cold_path();
                    shaft_end = self.turn_shafts(inputs, groups, shafts);
                }
                self.solve_clutch::<MANY>(inputs, groups, engine_speed, drive);
                sweep_wheels(groups, &mut velocity);
            }
            if let Some(walls) = &mut walls {
                cold_path();
                walls.solve(&mut velocity);
            }
            sweep += 1;
            slips_on = falls && sweep < LAW_EVALUATIONS && slip_on(inputs, groups, &velocity);
        }
        for (g, rows) in groups.iter_mut().enumerate() {
            // The wheels keep the struts' speeds at the end.
            rows.normal.read_velocity(&velocity);
            rows.commit(inputs[g].consts, &mut wheels[g], self.now);
        }
        if let Some(shafts) = shafts {
            shaft_end.commit(shafts, self.now.h);
        }
        for (g, own) in tires.chunks_mut(LANES).enumerate().take(groups.len()) {
            groups[g].advance_tires(&inputs[g], &wheels[g], own, &velocity, self.now.h);
        }
        velocity
    }

    /// Prepares contacts and struts; returns the chassis' velocity with the warm start's impulses.
    #[inline(always)]
    fn begin(
        &self,
        inputs: &[SubstepInputs<'_>],
        groups: &mut [GroupRows],
        wheels: &[WheelState],
    ) -> VelocityLanes {
        let mut velocity = self.now.unconstrained;
        for (g, rows) in groups.iter_mut().enumerate() {
            rows.prepare(&inputs[g], &wheels[g], self.now);
            rows.push_by_tires(&mut velocity);
            rows.push_by_struts(&mut velocity);
        }
        self.twist_bars(inputs, groups);
        for (rows, inputs) in groups.iter_mut().zip(inputs) {
            rows.prepare_struts(inputs, &velocity, self.now);
        }
        velocity
    }

    /// Minimum number of sweeps: one more than the settings' in long substeps, where friction falls while struts move fast, and
    /// on moving ground, which all axles must follow.
    #[inline(always)]
    fn least_sweeps(&self, groups: &[GroupRows]) -> u32 {
        let stiff = self.now.h > LONG_SUBSTEP
            || (self.model.friction_falls() && groups.iter().any(GroupRows::moves_fast))
            || self.ground.iter().any(|ground| ground.any);
        let once_more = stiff
            || !self.obstacles().is_empty()
            || groups.iter().any(GroupRows::needs_another_sweep);
        self.now.settings.sweeps + u32::from(once_more)
    }

    /// Inputs of a group.
    #[inline(always)]
    fn inputs(&self, g: usize) -> SubstepInputs<'_> {
        SubstepInputs {
            consts: &self.model.wheels()[g],
            curves: self.model.curves(g),
            tires: &self.model.tires()[g],
            control: &self.control[g],
            limits: self.limits.get(g).and_then(Option::as_ref),
            limits_engine: self.engine_limit.is_some(),
            steering: &self.steering[g],
            ground: &self.ground[g],
            swept: self.swept.get(g).and_then(Option::as_ref),
            ends: self.ends.get(g),
            edges: self.edges.and_then(|edges| edges.wheels(g)),
        }
    }

    /// Adds the anti-roll bars' forces to the struts. A bar lifts a wheel if it pulls more than the spring
    /// pushes; the other end's force then depends on the lifted jounce.
    ///
    /// ```text
    /// twist_a = Σ k_bar·(j_a − j_opposite)
    /// ```
    #[inline(always)]
    fn twist_bars(&self, inputs: &[SubstepInputs<'_>], groups: &mut [GroupRows]) {
        if self.model.bars().is_empty() {
            return;
        }
        self.twist(groups, GroupRows::middle_jounce);
        let mut lifted = false;
        for (rows, inputs) in groups.iter_mut().zip(inputs) {
            lifted |= rows.lift_by_bars(inputs);
        }
        if lifted {
            self.twist(groups, GroupRows::free_jounce);
        }
    }

    /// Sets the bars' forces for the wheels' present jounces, with the opposite wheels at jounce `opposite` (`m`).
    #[inline(always)]
    fn twist(&self, groups: &mut [GroupRows], opposite: fn(&GroupRows) -> W4) {
        match (self.model.paired_bars(), &mut *groups) {
            (Some(bars), [rows]) => {
                rows.forces.twist = bars.forces(rows.middle_jounce(), opposite(rows));
            }
            _ => self.twist_each(groups, opposite),
        }
    }

    /// Sets the bars' forces for the wheels' present jounces, bar by bar.
    #[inline(never)]
    fn twist_each(&self, groups: &mut [GroupRows], opposite: fn(&GroupRows) -> W4) {
        let mut forces = [[0.0; LANES]; MAX_GROUPS];
        for bar in self.model.bars() {
            let [a, b] = bar.wheels();
            for ((g, lane), (other, opposite_lane)) in [(a, b), (b, a)] {
                let twist = groups[g].middle_jounce().lane(lane)
                    - opposite(&groups[other]).lane(opposite_lane);
                forces[g][lane] += bar.stiffness() * twist;
            }
        }
        for (rows, forces) in groups.iter_mut().zip(forces) {
            rows.forces.twist = W4::from_array(forces);
        }
    }

    /// Prepares the solve of the clutch's torque.
    #[inline(always)]
    fn prepare_clutch(&self, inputs: &[SubstepInputs<'_>], groups: &mut [GroupRows]) {
        let loaded_count: u32 = groups.iter().map(|rows| rows.loaded().count()).sum();
        for (rows, inputs) in groups.iter_mut().zip(inputs) {
            rows.prepare_clutch(inputs, loaded_count.max(1) as f32, self.now.h);
        }
    }

    /// One sweep over clutch, wheels and tangential rows of vehicles with wheel couplings, from the chassis' `velocity`
    /// to the returned one; `engine_speed` is that at the start (`rad/s`).
    #[inline(never)]
    fn sweep_wheel_couplings(
        &self,
        inputs: &[SubstepInputs<'_>],
        groups: &mut [GroupRows],
        engine_speed: f32,
        drive: &mut DriveState,
        mut velocity: VelocityLanes,
    ) -> VelocityLanes {
        let h = self.now.h;
        self.prepare_clutch(inputs, groups);
        let mut wheel_couplings = WheelCouplings::none();
        for (g, rows) in groups.iter_mut().enumerate() {
            wheel_couplings.gather(g, &inputs[g], self.wheel_couplings, rows, h);
        }
        wheel_couplings.find_standing();
        let mut torque = 0.0;
        if let Some(coupling) = self.coupling {
            let mean_at = |torque: f32| {
                let (free, coupled) = (mean_at(groups, torque), wheel_couplings.mean_at(torque));
                free.plus(coupled)
            };
            let guess = drive.clutch_torque;
            let solution = clutch::solve(coupling, mean_at, engine_speed, guess, h);
            (drive.clutch_torque, drive.engine_speed) = solution;
            torque = drive.clutch_torque * coupling.ratio;
        }
        let shafts = wheel_couplings.shafts(torque);
        for (g, rows) in groups.iter_mut().enumerate() {
            rows.set_torque(&inputs[g], torque, h);
            if g > 0 {
                rows.tangent.read_velocity(&velocity);
            }
            rows.sweep_coupled_wheels(&shafts[g]);
            rows.push_by_tires(&mut velocity);
        }
        wheel_couplings.set_spins(torque, groups);
        velocity
    }

    /// Solves for the clutch's torque, warm-started with the last one, and sets the wheels' torques;
    /// `engine_speed` is that at the start (`rad/s`).
    #[inline(always)]
    fn solve_clutch<const MANY: bool>(
        &self,
        inputs: &[SubstepInputs<'_>],
        groups: &mut [GroupRows],
        engine_speed: f32,
        drive: &mut DriveState,
    ) {
        let Some(coupling) = self.coupling else {
            return;
        };
        let h = self.now.h;
        self.prepare_clutch(inputs, groups);
        let mean_at = |torque: f32| mean_at(groups, torque);
        let torque = drive.clutch_torque;
        let mut solution = clutch::solve(coupling, mean_at, engine_speed, torque, h);
        if let Some(limit) = self.engine_limit {
            cold_path();
            let excess_at = |torque: f32| excess_at(groups, limit, torque);
            let wheels = (mean_at, excess_at);
            solution = clutch::solve_limited(coupling, limit, wheels, engine_speed, solution, h);
        }
        (drive.clutch_torque, drive.engine_speed) = solution;
        for (rows, inputs) in groups.iter_mut().zip(inputs) {
            rows.set_torque(inputs, drive.clutch_torque * coupling.ratio, h);
        }
    }
}

/// Whether the slip of tires near their peak has changed since their laws' last evaluation.
#[inline(always)]
fn slip_on(
    inputs: &[SubstepInputs<'_>],
    groups: &mut [GroupRows],
    velocity: &VelocityLanes,
) -> bool {
    // The speeds of a group do not include the impulses of those swept after it.
    if groups.len() > 1 {
        for rows in groups.iter_mut() {
            rows.tangent.read_velocity(velocity);
        }
    }
    let mut groups = groups.iter().zip(inputs);
    groups.any(|(rows, inputs)| rows.slips_on(inputs.consts))
}

/// Mean speed of the wheels without wheel couplings (`rad/s`) if the differentials receive `torque` (`N·m`).
#[inline(always)]
fn mean_at(groups: &[GroupRows], torque: f32) -> Sloped {
    let Some((first, more)) = groups.split_first() else {
        return Sloped::default();
    };
    let mut sum = first.mean_at(torque);
    for rows in more {
        sum = sum.plus(rows.mean_at(torque));
    }
    sum
}

/// How far the driven wheels are beyond the engine's limit if the differentials receive `torque` (`N·m`), as a spin (`rad/s`).
fn excess_at(groups: &[GroupRows], limit: &EngineLimit, torque: f32) -> f32 {
    let excess = groups
        .iter()
        .filter_map(|rows| rows.excess_at(limit, torque));
    let worst = excess.reduce(|a, b| limit.worse(a, b));
    worst.unwrap_or(f32::NEG_INFINITY)
}

/// One sweep over the normal rows; afterwards, tangential rows read the resulting velocity.
#[inline(always)]
fn sweep_struts(
    inputs: &[SubstepInputs<'_>],
    groups: &mut [GroupRows],
    velocity: &mut VelocityLanes,
) {
    for (rows, inputs) in groups.iter_mut().zip(inputs) {
        rows.normal.read_velocity(velocity);
        rows.sweep_struts(inputs.consts);
        rows.push_by_struts(velocity);
    }
    for rows in groups {
        rows.tangent.read_velocity(velocity);
    }
}

/// One sweep over wheels and tangential rows. The first group has already read the present velocity.
#[inline(always)]
fn sweep_wheels(groups: &mut [GroupRows], velocity: &mut VelocityLanes) {
    for (g, rows) in groups.iter_mut().enumerate() {
        if g > 0 {
            rows.tangent.read_velocity(velocity);
        }
        rows.sweep_wheels();
        rows.push_by_tires(velocity);
    }
}

#[cfg(test)]
mod tests;
