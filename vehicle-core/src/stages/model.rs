//! A vehicle model, prepared once and shared by all vehicles of it: parameters become lanes of constants,
//! lever arms are relative to the center of mass.

use alloc::boxed::Box;
use alloc::format;
use alloc::sync::Arc;
use alloc::vec::Vec;

use glam::Vec3;

use crate::base::checked::{Checked, Inspector, InvalidParams};
use crate::base::lanes::{Groups, LANES, Mask4, W4};
use crate::base::math;
use crate::contracts::driver_aid::DriverAid;
use crate::contracts::drivetrain::{Control, Drivetrain};
use crate::contracts::rigid_bodies::BodyState;
use crate::contracts::stateful_tire::StatefulTire;
use crate::contracts::tire_model::TireModel;
use crate::exchange::air::{Air, AirLoad};
use crate::exchange::extra_states::{ExtraStates, Memories};
use crate::exchange::fuel_use::FuelUse;
use crate::exchange::state::{VehicleState, WheelState};
use crate::exchange::tire_state::TireState;
use crate::params::profile::{ExplicitSettings, Profile};
use crate::params::{Probe, VehicleParams, WheelParams};
use crate::stages::air::AirShape;
use crate::stages::anti_roll::{PairedBars, PreparedBar};
use crate::stages::best_slip::BestSlips;
use crate::stages::chassis::Chassis;
use crate::stages::load::LoadLine;
use crate::stages::shaft_memory;
use crate::stages::strut_curves::StrutCurves;
use crate::stages::tire_use::{TireUse, tire_uses, wheels_with};
use crate::stages::wheel_consts::WheelConsts;

impl WheelConsts {
    /// Sets the constants that follow from the tires' traits.
    fn with_tires(mut self, tires: &[TireUse], profile: &Profile) -> Self {
        let falling = self.curve_friction[2].lt(self.curve_friction[1]);
        self.friction_falls =
            falling.any() || tires.iter().any(|tire| tire.model.traits().friction_falls);
        self.has_offsets = tires.iter().any(|tire| tire.model.traits().has_offsets);
        self.feels_camber = tires.iter().any(|tire| tire.model.traits().feels_camber);
        self.properties = wheels_with(tires, |model| model.traits().has_properties);
        self.stateful = wheels_with(tires, |model| model.stateful().is_some());
        let pyramids = wheels_with(tires, |model| model.traits().bounds_each);
        self.friction_shape = pyramids.select(-W4::ONE, W4::ONE);
        if profile.tire_moments {
            self.moments = wheels_with(tires, |model| model.traits().has_moments);
        }
        self
    }
}

/// A vehicle model: checked parameters, tire models and drivetrain, prepared for the step.
#[derive(Clone, Debug)]
pub struct VehicleModel {
    params: Checked<VehicleParams>,
    drivetrain: Arc<dyn Drivetrain>,
    wheels: Groups<WheelConsts>,
    tires: Groups<Vec<TireUse>>,
    bars: Vec<PreparedBar>,
    paired_bars: Option<PairedBars>,
    curves: Option<Groups<StrutCurves>>,
    load_line: LoadLine,
    /// Boxed: a null pointer tells at once that there is none.
    air: Option<Box<AirShape>>,
    friction_falls: bool,
    has_moments: bool,
    resists_rolling: bool,
    has_stateful_tires: bool,
    has_plain_wheels: bool,
    has_default_settings: bool,
    /// Whether torques move the vehicle's steering wheel.
    steers: bool,
    /// Whether forces of tires move the vehicle's wheels.
    moves_by_force: bool,
    /// Whether any wheel is disabled.
    has_disabled_wheels: bool,
    models: Vec<Arc<dyn TireModel>>,
    aids: Vec<Arc<dyn DriverAid>>,
    /// Slips of the tires' greatest forces, if drivetrain or aids use sensors.
    best_slips: Option<Groups<BestSlips>>,
}

/// Reports shafts of a drivetrain that the vehicle's solver cannot turn.
fn check_shafts(drivetrain: &dyn Drivetrain, params: &VehicleParams, i: &mut Inspector) {
    let wheels = params.wheels.len();
    let Some(shafts) = drivetrain.shafts(wheels) else {
        return;
    };
    i.within("shafts", |i| shafts.check(wheels, i));
    let solves = params.profile.rows().is_some();
    let rule = "must be \"rows\": the explicit solver turns no shafts";
    i.rule(solves, "profile.solver", "explicit", "", rule);
    let rule = "must use sensors, by which it sets its shafts";
    i.rule(drivetrain.uses_sensors(), "uses_sensors", false, "", rule);
}

impl VehicleModel {
    /// Prepares a model. `tires` are the models that wheels name by index.
    ///
    /// # Errors
    /// If a wheel names a tire model that does not exist, or the drivetrain a wheel that does not exist.
    pub fn new(
        params: Checked<VehicleParams>,
        tires: &[Arc<dyn TireModel>],
        drivetrain: Arc<dyn Drivetrain>,
    ) -> Result<Self, InvalidParams> {
        let mut inspector = Inspector::new();
        for (n, wheel) in params.wheels.iter().enumerate() {
            inspector.within(alloc::format!("wheels[{n}].tire"), |i| {
                let rule = alloc::format!("must name one of {} tire model(s)", tires.len());
                let model = wheel.tire.model;
                i.rule(model < tires.len(), "model", model, "", rule);
            });
        }
        inspector.within("drivetrain", |i| {
            drivetrain.check(params.wheels.len(), i);
            check_shafts(&*drivetrain, &params, i);
        });
        inspector.verdict()?;
        let count = params.wheels.len();
        let group = |g: usize| {
            let end = count.min((g + 1) * LANES);
            &params.wheels[g * LANES..end]
        };
        let explicit = params.profile.explicit();
        let follow = explicit.is_some_and(|settings| settings.preload_follows_gravity);
        let models = tires.to_vec();
        let tires = Groups::for_wheels(count, |g| tire_uses(group(g), tires));
        let mut wheels = Groups::for_wheels(count, |g| {
            WheelConsts::new(group(g), &params.chassis, follow)
                .with_tires(&tires[g], &params.profile)
        });
        let bars = params.anti_roll.iter();
        let bars: Vec<PreparedBar> = bars
            .map(|bar| PreparedBar::new(bar, |group, lane| wheels[group].suspension_arm(lane)))
            .collect();
        for bar in &bars {
            for (group, lane) in bar.wheels() {
                let stiffness = Mask4::only(lane).keep(W4::splat(bar.stiffness()));
                wheels[group].bar_stiffness += stiffness;
            }
        }
        let curved = params.wheels.iter().any(StrutCurves::are_needed);
        let has_stateful_tires = wheels.iter().any(|k| k.stateful.any());
        Ok(Self {
            has_plain_wheels: !curved && !has_stateful_tires && matches!(params.probe, Probe::Ray),
            has_default_settings: params.profile.explicit() == Some(&ExplicitSettings::DEFAULT),
            curves: curved.then(|| Groups::for_wheels(count, |g| StrutCurves::new(group(g)))),
            load_line: LoadLine::of(&params.load_filter),
            air: AirShape::of(&params).map(Box::new),
            paired_bars: PairedBars::of(&bars),
            bars,
            friction_falls: wheels.iter().any(|k| k.friction_falls),
            has_moments: wheels.iter().any(|k| k.moments.any()),
            resists_rolling: wheels.iter().any(WheelConsts::resists_rolling),
            has_stateful_tires,
            moves_by_force: params.profile.rows().is_some()
                && params
                    .wheels
                    .iter()
                    .any(|wheel| wheel.compliance.moves_by_force()),
            steers: params.profile.rows().is_some() && drivetrain.steering_wheel().is_some(),
            has_disabled_wheels: params.wheels.iter().any(|wheel| !wheel.enabled),
            models,
            aids: Vec::new(),
            best_slips: drivetrain
                .uses_sensors()
                .then(|| best_slips(&wheels, &tires)),
            wheels,
            tires,
            drivetrain,
            params,
        })
    }

    /// This model with these driver aids in place of its own, called in order. Vehicles of it need the rows solver.
    ///
    /// # Errors
    /// If the profile has the explicit solver, which keeps no bounds, or an aid does not fit the vehicle.
    pub fn with_aids(self, aids: &[Arc<dyn DriverAid>]) -> Result<Self, InvalidParams> {
        let wheels = self.wheel_count();
        let mut inspector = Inspector::new();
        let solves = aids.is_empty() || self.params.profile.rows().is_some();
        let rule = "must be \"rows\": the explicit solver keeps no bounds of driver aids";
        inspector.rule(solves, "profile.solver", "explicit", "", rule);
        let count = aids.len();
        inspector.rule(count <= 32, "aids", count, "", "must be at most 32");
        for (n, aid) in aids.iter().enumerate() {
            inspector.within(format!("aids[{n}]"), |i| aid.check(wheels, i));
        }
        inspector.verdict()?;
        let uses_sensors = !aids.is_empty() || self.drivetrain.uses_sensors();
        Ok(Self {
            best_slips: uses_sensors.then(|| best_slips(&self.wheels, &self.tires)),
            aids: aids.to_vec(),
            ..self
        })
    }

    /// Whether drivetrain or aids use sensors.
    #[inline]
    #[must_use]
    pub fn uses_sensors(&self) -> bool {
        self.best_slips.is_some()
    }

    /// The driver aids, in the order of their calls.
    #[must_use]
    pub fn aids(&self) -> &[Arc<dyn DriverAid>] {
        &self.aids
    }

    /// Extent to which a driver aid acted in the last substep of a vehicle with this `state`, 0…1; 0 if it is switched off.
    ///
    /// # Panics
    /// If there is no such aid.
    #[must_use]
    pub fn aid_activity(&self, state: &VehicleState, aid: usize) -> f32 {
        if !state.aid_is_enabled(aid) {
            return 0.0;
        }
        // 0 for NaN.
        let activity = self.aids[aid].activity(state.aid_memory(aid));
        math::lesser(math::greater(activity, 0.0), 1.0)
    }

    /// Fuel that the drivetrain of a vehicle with this `state` has used; `None` if it does not count any.
    #[must_use]
    pub fn fuel_use(&self, state: &VehicleState) -> Option<FuelUse> {
        self.drivetrain.fuel(state.drivetrain_memory())
    }

    /// Slip of the greatest longitudinal force of a wheel on this `friction` (–), 0…1; 0 if neither drivetrain nor aids use
    /// sensors.
    #[must_use]
    pub fn best_slip(&self, group: usize, lane: usize, friction: f32) -> f32 {
        let best = self.best_slips.as_ref().map(|all| &all[group]);
        best.map_or(0.0, |best| best.at(lane, friction))
    }

    fn fresh_memories(&self) -> Memories {
        let groups = if self.aids.is_empty() {
            0
        } else {
            self.wheels.len()
        };
        let wheels = self.wheel_count();
        let aids = self.aids.iter().map(|aid| aid.memory(wheels));
        let shafts = self.drivetrain.shafts(wheels);
        let shafts = shafts.map_or(0, |shafts| shaft_memory::length(&shafts, wheels));
        Memories::new([self.drivetrain.memory(wheels), shafts], aids, groups)
    }

    /// A model with these tires, this drivetrain and these driver aids and other parameters, to retune a running vehicle by
    /// [`Vehicle::set_model`](crate::Vehicle::set_model).
    ///
    /// # Errors
    /// As [`VehicleModel::new`].
    pub fn with_params(&self, params: Checked<VehicleParams>) -> Result<Self, InvalidParams> {
        self.with(params, Arc::clone(&self.drivetrain))
    }

    /// A model with these tires, other parameters and another drivetrain.
    ///
    /// # Errors
    /// As [`VehicleModel::new`].
    pub fn with(
        &self,
        params: Checked<VehicleParams>,
        drivetrain: Arc<dyn Drivetrain>,
    ) -> Result<Self, InvalidParams> {
        Self::new(params, &self.models, drivetrain)?.with_aids(&self.aids)
    }

    /// A model with this drivetrain, other parameters and other tires, which wheels name by index.
    ///
    /// # Errors
    /// As [`VehicleModel::new`].
    pub fn with_tires(
        &self,
        params: Checked<VehicleParams>,
        tires: &[Arc<dyn TireModel>],
    ) -> Result<Self, InvalidParams> {
        Self::new(params, tires, Arc::clone(&self.drivetrain))?.with_aids(&self.aids)
    }

    /// A control before any command, with the disabled wheels set.
    pub(crate) fn idle_control(&self) -> Control {
        let disabled =
            |bits, (n, wheel): (usize, &WheelParams)| bits | u32::from(!wheel.enabled) << n;
        Control {
            disabled: self.params.wheels.iter().enumerate().fold(0, disabled),
            shafts: self.drivetrain.shafts(self.wheel_count()).map(Box::new),
            ..Control::idle(self.wheel_count())
        }
    }

    /// Removes disabled wheels from the drivetrain's control.
    #[inline]
    pub(crate) fn disable_wheels(&self, control: &mut Control) {
        if self.has_disabled_wheels {
            control.disable(|g| self.wheels[g].enabled);
        }
    }

    /// The parameters as given.
    #[must_use]
    pub fn params(&self) -> &VehicleParams {
        &self.params
    }

    /// The drivetrain.
    #[must_use]
    pub fn drivetrain(&self) -> &dyn Drivetrain {
        &*self.drivetrain
    }

    /// Constants of the wheels.
    #[must_use]
    pub fn wheels(&self) -> &Groups<WheelConsts> {
        &self.wheels
    }

    /// Tire models of the wheels.
    #[must_use]
    pub fn tires(&self) -> &Groups<Vec<TireUse>> {
        &self.tires
    }

    /// Number of wheels.
    #[must_use]
    pub fn wheel_count(&self) -> usize {
        self.params.wheels.len()
    }

    /// The anti-roll bars.
    #[must_use]
    pub fn bars(&self) -> &[PreparedBar] {
        &self.bars
    }

    /// The anti-roll bars as pairs, if each is between two neighbors of the first group.
    #[inline]
    pub(crate) fn paired_bars(&self) -> Option<&PairedBars> {
        self.paired_bars.as_ref()
    }

    /// Nonlinear dampers and compliance of a group of wheels, if any wheel of the model has them.
    #[inline]
    #[must_use]
    pub fn curves(&self, group: usize) -> Option<&StrutCurves> {
        self.curves.as_ref().map(|curves| &curves[group])
    }

    /// Aerodynamics of the vehicle, if it has any.
    #[inline]
    #[must_use]
    pub fn air(&self) -> Option<&AirShape> {
        self.air.as_deref()
    }

    /// The body's aerodynamics in air of this density (`kg/m³`); `None` in a vacuum, where there is nothing to compute.
    #[inline]
    pub(crate) fn air_in(&self, density: f32) -> Option<&AirShape> {
        self.air().filter(|_| density > 0.0)
    }

    /// The air's load on a vehicle whose body moves so, at these jounces; `None` without aerodynamics or air. For
    /// vehicles whose wheels an engine carries: solvers take the air as it is in each substep.
    #[must_use]
    pub fn air_load(&self, air: &Air, body: &BodyState, wheels: &[WheelState]) -> Option<AirLoad> {
        let shape = self.air_in(air.density)?;
        let chassis = Chassis::new(body, body.linear_velocity, body.angular_velocity);
        let wind = chassis.to_vehicle(air.wind);
        Some(
            shape
                .force(air, wind, &chassis.view(Vec3::ZERO), wheels)
                .load,
        )
    }

    /// Whether the friction of any wheel falls with slip.
    #[must_use]
    pub fn friction_falls(&self) -> bool {
        self.friction_falls
    }

    /// Whether the moments of any wheel's tire act on the vehicle.
    #[must_use]
    pub fn has_moments(&self) -> bool {
        self.has_moments
    }

    /// Whether the tire of any wheel may have rolling resistance.
    #[must_use]
    pub fn resists_rolling(&self) -> bool {
        self.resists_rolling
    }

    /// Whether any wheel's tire is stateful.
    #[must_use]
    pub fn has_stateful_tires(&self) -> bool {
        self.has_stateful_tires
    }

    /// Whether the vehicle's wheels cast rays and have linear struts and tires without states, as most do.
    #[inline]
    #[must_use]
    pub fn has_plain_wheels(&self) -> bool {
        self.has_plain_wheels
    }

    /// Whether the explicit solver of the vehicle has the default settings.
    #[inline]
    pub(crate) fn has_default_settings(&self) -> bool {
        self.has_default_settings
    }

    /// Whether torques move the vehicle's steering wheel.
    #[inline]
    #[must_use]
    pub fn steers(&self) -> bool {
        self.steers
    }

    /// Whether forces of tires move the vehicle's wheels.
    #[inline]
    #[must_use]
    pub fn moves_by_force(&self) -> bool {
        self.moves_by_force
    }

    /// Fresh tire states, one per wheel, none if no tire of the model is stateful; a fresh steering wheel, if torques move
    /// it; and bushings without forces, if these move wheels.
    #[must_use]
    pub fn fresh_extras(&self) -> ExtraStates {
        let fresh = |wheel: &WheelParams| {
            let tire = self.stateful(wheel);
            tire.map_or_else(TireState::default, StatefulTire::fresh)
        };
        let wheels = self
            .params
            .wheels
            .iter()
            .filter(|_| self.has_stateful_tires);
        let steering = self.steers.then(|| self.drivetrain.steering_wheel());
        let groups = if self.moves_by_force {
            self.wheels.len()
        } else {
            0
        };
        ExtraStates::new(wheels.map(fresh).collect(), steering.flatten())
            .with_bushings(groups)
            .with_memories(self.fresh_memories())
    }

    fn stateful(&self, wheel: &WheelParams) -> Option<&dyn StatefulTire> {
        self.models[wheel.tire.model].stateful()
    }

    /// Whether the tire of a wheel is stateful.
    pub(crate) fn remembers(&self, wheel: usize) -> bool {
        self.stateful(&self.params.wheels[wheel]).is_some()
    }

    /// The load filter.
    #[inline]
    #[must_use]
    pub fn load_line(&self) -> &LoadLine {
        &self.load_line
    }
}

/// Tables of the slips of the greatest forces of all wheels.
fn best_slips(wheels: &Groups<WheelConsts>, tires: &Groups<Vec<TireUse>>) -> Groups<BestSlips> {
    let mut groups = wheels.iter().zip(tires.iter());
    Groups::for_wheels(wheels.len() * LANES, |_| {
        let (k, tires) = groups.next().expect("one per group");
        BestSlips::new(k, tires)
    })
}

#[cfg(test)]
mod tests;
