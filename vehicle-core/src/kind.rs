//! A kind of vehicle, prepared once and shared by all vehicles of it: parameters become lanes of
//! constants, lever arms count from the centre of mass.

use alloc::sync::Arc;
use alloc::vec::Vec;

use glam::Vec3;

use crate::anti_roll::Bar;
use crate::checked::{Checked, Inspector, InvalidParams};
use crate::drivetrain::{Control, Drivetrain};
use crate::lanes::{Groups, LANES, Mask4, V3x4, W4};
use crate::params::{LoadFilter, SpringLaw, VehicleParams, WheelParams};
use crate::profile::Profile;
use crate::strut_curves::StrutCurves;
use crate::tire_model::{TireForces4, TireModel};
use crate::tire_state::{StatefulTire, TireState, TireStates};
use crate::tire_use::{TireUse, tire_uses, wheels_with};
use crate::units::UnitScale;

/// Constants of four wheels. Vectors are in the vehicle frame, from the centre of mass.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WheelConsts {
    /// The vehicle's units.
    pub units: UnitScale,
    /// Lanes that are wheels, and enabled.
    pub enabled: Mask4,
    /// Radius [m].
    pub radius: W4,
    /// Half of the width [m].
    pub half_width: W4,
    /// 1/radius [1/m].
    pub inverse_radius: W4,
    /// Moment of inertia about the axle [kg·m²].
    pub inertia: W4,
    /// 1/inertia [1/(kg·m²)].
    pub inverse_inertia: W4,
    /// Bearing damping [N·m·s/rad].
    pub damping: W4,
    /// Toe [rad], positive to the left.
    pub toe: W4,
    /// Wheel centre at jounce 0 [m].
    pub centre: V3x4,
    /// Direction of droop, unit.
    pub travel: V3x4,
    /// Where the suspension force acts [m].
    pub suspension_point: V3x4,
    /// Where tire forces act [m].
    pub tire_point: V3x4,
    /// Where their lateral part acts: at the roll influence's share of that height [m].
    pub side_point: V3x4,
    /// Whether any wheel's lateral part acts elsewhere than the rest.
    pub lowers_sides: bool,
    /// Where the suspension ray starts: the top of the wheel at full compression [m].
    pub ray_start: V3x4,
    /// Way from there to the ground at jounce 0 [m].
    pub rest_distance: W4,
    /// Length of the ray [m].
    pub ray_length: W4,
    /// Spring rate [N/m].
    pub stiffness: W4,
    /// Damper rate, of slow motion in compression [N·s/m].
    pub damper: W4,
    /// Rate of the bump stop [N/m].
    pub bump_stop: W4,
    /// Rate of all anti-roll bars at the wheel, its mate standing still [N/m].
    pub bar_stiffness: W4,
    /// Sprung mass [kg].
    pub sprung_mass: W4,
    /// Mass whose weight preloads the spring [kg].
    pub preload_mass: W4,
    /// Other force of the spring at jounce 0 [N].
    pub preload: W4,
    /// Wheel mass [kg].
    pub wheel_mass: W4,
    /// Mass that presses on the tire at rest [kg].
    pub rest_mass: W4,
    /// Travel from rest to full compression [m].
    pub max_compression: W4,
    /// Travel from rest to full droop [m].
    pub max_droop: W4,
    /// Camber at jounce 0 [rad].
    pub camber_at_rest: W4,
    /// Camber per metre of compression [rad/m].
    pub camber_per_compression: W4,
    /// Camber per metre of droop [rad/m].
    pub camber_per_droop: W4,
    /// Friction curve: the slips of its second and third point.
    pub curve_slip: [W4; 2],
    /// Friction curve: the friction factors of its three points.
    pub curve_friction: [W4; 3],
    /// Whether any wheel's friction falls as its slip grows: by its curve or by its tire's law.
    pub friction_falls: bool,
    /// Whether any wheel's tire has force without slip, by camber for example.
    pub has_offsets: bool,
    /// Wheels whose tires' moments act on the vehicle.
    pub moments: Mask4,
    /// Wheels whose tires tell their properties.
    pub properties: Mask4,
    /// Wheels whose tires remember.
    pub stateful: Mask4,
}

impl WheelConsts {
    /// Moment on the chassis per force along a strut's droop [m].
    ///
    /// # Panics
    /// If `lane >= 4`.
    #[must_use]
    pub fn suspension_arm(&self, lane: usize) -> Vec3 {
        let point = self.suspension_point.lane(lane);
        point.cross(self.travel.lane(lane))
    }

    /// Camber at a jounce [m], in [rad] (ALGORITHMS §3.7).
    #[inline]
    #[must_use]
    pub fn camber(&self, jounce: W4) -> W4 {
        let compressed = jounce.gt(W4::ZERO);
        let change = compressed.select(
            jounce * self.camber_per_compression,
            -(jounce * self.camber_per_droop),
        );
        self.camber_at_rest + change
    }

    /// Rolling resistance that acts on the spins [N·m], ≥ 0.
    #[inline]
    #[must_use]
    pub fn rolling_resistance(&self, forces: &TireForces4) -> W4 {
        self.moments.keep(forces.rolling_resistance.max(W4::ZERO))
    }

    /// Prepares up to four wheels; missing lanes repeat the first wheel, disabled.
    fn new(wheels: &[WheelParams], centre_of_mass: Vec3, units: UnitScale) -> Self {
        let wheel = |lane: usize| wheels.get(lane).unwrap_or(&wheels[0]);
        let scalar = |f: fn(&WheelParams) -> f32| W4::from_fn(|lane| f(wheel(lane)));
        let arm = |f: fn(&WheelParams) -> Vec3| {
            V3x4::from_array(core::array::from_fn(|lane| f(wheel(lane)) - centre_of_mass))
        };
        let radius = scalar(|w| w.radius);
        let max_compression = scalar(|w| w.suspension.max_compression);
        let max_droop = scalar(|w| w.suspension.max_droop);
        let centre = arm(|w| w.position);
        let tire_point = arm(|w| w.tire.application_point);
        let travel = V3x4::from_array(core::array::from_fn(|lane| {
            wheel(lane).suspension.travel_direction
        }));
        let pure = |wheel: &WheelParams| wheel.suspension.spring == SpringLaw::Pure;
        let curve = |point: usize, axis: usize| {
            W4::from_fn(|lane| wheel(lane).tire.friction_curve.0[point][axis])
        };
        Self {
            units,
            enabled: Mask4::from_fn(|lane| wheels.get(lane).is_some_and(|w| w.enabled)),
            radius,
            half_width: scalar(|w| 0.5 * w.width),
            inverse_radius: W4::ONE / radius,
            inertia: scalar(|w| w.inertia),
            inverse_inertia: W4::ONE / scalar(|w| w.inertia),
            damping: scalar(|w| w.damping),
            toe: scalar(|w| w.toe),
            centre,
            travel,
            suspension_point: arm(|w| w.suspension.application_point),
            tire_point,
            side_point: lowered(tire_point, scalar(|w| w.suspension.roll_influence)),
            lowers_sides: wheels.iter().any(|w| w.suspension.roll_influence != 1.0),
            ray_start: centre - travel * (radius + max_compression),
            rest_distance: radius + radius + max_compression,
            ray_length: radius + radius + radius + max_compression + max_droop,
            stiffness: scalar(|w| w.suspension.stiffness),
            damper: scalar(|w| w.suspension.damping.bump.rate),
            bump_stop: scalar(|w| w.suspension.bump_stop_stiffness),
            bar_stiffness: W4::ZERO,
            sprung_mass: scalar(|w| w.suspension.sprung_mass),
            preload_mass: W4::from_fn(|lane| {
                let w = wheel(lane);
                if pure(w) {
                    0.0
                } else {
                    w.suspension.sprung_mass
                }
            }),
            preload: W4::from_fn(|lane| {
                let s = &wheel(lane).suspension;
                if pure(wheel(lane)) {
                    s.stiffness * s.max_droop
                } else {
                    0.0
                }
            }),
            wheel_mass: scalar(|w| w.mass),
            rest_mass: W4::from_fn(|lane| {
                let w = wheel(lane);
                w.tire
                    .rest_mass
                    .unwrap_or(w.mass + w.suspension.sprung_mass)
            }),
            max_compression,
            max_droop,
            camber_at_rest: scalar(|w| w.suspension.camber.at_rest),
            camber_per_compression: per_travel(
                scalar(|w| w.suspension.camber.at_max_compression),
                max_compression,
            ),
            camber_per_droop: per_travel(scalar(|w| w.suspension.camber.at_max_droop), max_droop),
            curve_slip: [curve(1, 0), curve(2, 0)],
            curve_friction: [curve(0, 1), curve(1, 1), curve(2, 1)],
            friction_falls: false,
            has_offsets: false,
            moments: Mask4::NONE,
            properties: Mask4::NONE,
            stateful: Mask4::NONE,
        }
    }

    /// Notes what the tires' laws are like.
    fn with_tires(mut self, tires: &[TireUse], profile: &Profile) -> Self {
        let falling = self.curve_friction[2].lt(self.curve_friction[1]);
        self.friction_falls =
            falling.any() || tires.iter().any(|tire| tire.model.traits().friction_falls);
        self.has_offsets = tires.iter().any(|tire| tire.model.traits().has_offsets);
        self.properties = wheels_with(tires, |model| model.traits().has_properties);
        self.stateful = wheels_with(tires, |model| model.stateful().is_some());
        if profile.tire_moments {
            self.moments = wheels_with(tires, |model| model.traits().has_moments);
        }
        self
    }
}

/// Points at a share of their height from the centre of mass.
pub(crate) fn lowered(point: V3x4, share: W4) -> V3x4 {
    V3x4 {
        z: point.z * share,
        ..point
    }
}

/// `value/travel`; where there is no travel, `value` per metre (ALGORITHMS §3.7).
fn per_travel(value: W4, travel: W4) -> W4 {
    value * travel.gt(W4::ZERO).select(W4::ONE / travel, W4::ONE)
}

/// A kind of vehicle: checked parameters, tire models and drivetrain, prepared for the step.
#[derive(Clone, Debug)]
pub struct VehicleKind {
    params: Checked<VehicleParams>,
    drivetrain: Arc<dyn Drivetrain>,
    wheels: Groups<WheelConsts>,
    tires: Groups<Vec<TireUse>>,
    bars: Vec<Bar>,
    curves: Option<Groups<StrutCurves>>,
    friction_falls: bool,
    has_moments: bool,
    has_stateful_tires: bool,
    /// Whether any wheel is off.
    has_wheels_off: bool,
    models: Vec<Arc<dyn TireModel>>,
}

impl VehicleKind {
    /// Prepares a kind. `tires` are the models that wheels name by index.
    ///
    /// # Errors
    /// If a wheel names a tire model that is not there, or the drivetrain a wheel that is not.
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
        inspector.within("drivetrain", |i| drivetrain.check(params.wheels.len(), i));
        inspector.verdict()?;
        let count = params.wheels.len();
        let group = |g: usize| {
            let end = count.min((g + 1) * LANES);
            &params.wheels[g * LANES..end]
        };
        let centre_of_mass = params.chassis.centre_of_mass;
        let models = tires.to_vec();
        let units = params.profile.units;
        let tires = Groups::for_wheels(count, |g| tire_uses(group(g), tires));
        let mut wheels = Groups::for_wheels(count, |g| {
            WheelConsts::new(group(g), centre_of_mass, units).with_tires(&tires[g], &params.profile)
        });
        let bars = params.anti_roll.iter();
        let bars: Vec<Bar> = bars
            .map(|bar| Bar::new(bar, |group, lane| wheels[group].suspension_arm(lane)))
            .collect();
        for bar in &bars {
            for (group, lane) in bar.wheels() {
                let at_end = Mask4::from_fn(|l| l == lane);
                wheels[group].bar_stiffness += at_end.keep(W4::splat(bar.stiffness()));
            }
        }
        let curved = params.wheels.iter().any(StrutCurves::are_needed);
        Ok(Self {
            curves: curved.then(|| Groups::for_wheels(count, |g| StrutCurves::new(group(g)))),
            bars,
            friction_falls: wheels.iter().any(|k| k.friction_falls),
            has_moments: wheels.iter().any(|k| k.moments.any()),
            has_stateful_tires: wheels.iter().any(|k| k.stateful.any()),
            has_wheels_off: params.wheels.iter().any(|wheel| !wheel.enabled),
            models,
            wheels,
            tires,
            drivetrain,
            params,
        })
    }

    /// The same tires and drivetrain under other parameters: to retune a running vehicle, with
    /// [`Vehicle::set_kind`](crate::Vehicle::set_kind).
    ///
    /// # Errors
    /// As [`VehicleKind::new`].
    pub fn with_params(&self, params: Checked<VehicleParams>) -> Result<Self, InvalidParams> {
        self.with(params, Arc::clone(&self.drivetrain))
    }

    /// The same tires under other parameters and another drivetrain.
    ///
    /// # Errors
    /// As [`VehicleKind::new`].
    pub fn with(
        &self,
        params: Checked<VehicleParams>,
        drivetrain: Arc<dyn Drivetrain>,
    ) -> Result<Self, InvalidParams> {
        Self::new(params, &self.models, drivetrain)
    }

    /// A control before any command, with what it knows of the wheels.
    pub(crate) fn idle_control(&self) -> Control {
        let off = |bits, (n, wheel): (usize, &WheelParams)| bits | u32::from(!wheel.enabled) << n;
        Control {
            off: self.params.wheels.iter().enumerate().fold(0, off),
            ..Control::idle(self.wheel_count())
        }
    }

    /// The drivetrain's answer without wheels that are off.
    #[inline]
    pub(crate) fn leave_out_wheels(&self, control: &mut Control) {
        if self.has_wheels_off {
            control.leave_out(|g| self.wheels[g].enabled);
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

    /// How many wheels there are.
    #[must_use]
    pub fn wheel_count(&self) -> usize {
        self.params.wheels.len()
    }

    /// The anti-roll bars.
    #[must_use]
    pub fn bars(&self) -> &[Bar] {
        &self.bars
    }

    /// Dampers with curves and compliance of a group of wheels, if any wheel of the kind has such.
    #[inline]
    #[must_use]
    pub fn curves(&self, group: usize) -> Option<&StrutCurves> {
        self.curves.as_ref().map(|curves| &curves[group])
    }

    /// Whether the friction of any wheel falls as its slip grows.
    #[must_use]
    pub fn friction_falls(&self) -> bool {
        self.friction_falls
    }

    /// Whether the moments of any wheel's tire act on the vehicle.
    #[must_use]
    pub fn has_moments(&self) -> bool {
        self.has_moments
    }

    /// Whether any wheel's tire remembers.
    #[must_use]
    pub fn has_stateful_tires(&self) -> bool {
        self.has_stateful_tires
    }

    /// What new tires remember, one per wheel; none if no tire of the kind remembers anything.
    #[must_use]
    pub fn fresh_tires(&self) -> TireStates {
        let fresh = |wheel: &WheelParams| {
            let tire = self.stateful(wheel);
            tire.map_or_else(TireState::default, StatefulTire::fresh)
        };
        let wheels = self
            .params
            .wheels
            .iter()
            .filter(|_| self.has_stateful_tires);
        wheels.map(fresh).collect::<Vec<_>>().into()
    }

    fn stateful(&self, wheel: &WheelParams) -> Option<&dyn StatefulTire> {
        self.models[wheel.tire.model].stateful()
    }

    /// Whether the tire of a wheel remembers.
    pub(crate) fn remembers(&self, wheel: usize) -> bool {
        self.stateful(&self.params.wheels[wheel]).is_some()
    }

    /// The load filter.
    #[must_use]
    pub fn load_filter(&self) -> &LoadFilter {
        &self.params.load_filter
    }
}

#[cfg(test)]
mod tests;
