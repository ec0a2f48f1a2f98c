//! Laws of the tires of four wheels, and the rows that they make of them (ROWS §5).

use crate::base::lanes::W4;
use crate::base::velocity::VelocityLanes;
use crate::exchange::state::WheelState;
use crate::exchange::tire_state::TireState;
use crate::solvers::rows::low_speed::LowSpeed;
use crate::solvers::rows::substep_context::{SubstepContext, SubstepInputs};
use crate::solvers::rows::tire_rows::{self, TireQuery};
use crate::solvers::rows::wheel::{WheelRows, WheelStart};
use crate::stages::slip;
use crate::stages::strut_curves;
use crate::stages::tire_use::{self, ContactMotion, TireOperatingPoint, tire_input};
use crate::stages::wheel_consts::WheelConsts;

use super::GroupRows;
use crate::solvers::rows::tuning::{NEAR_PEAK, SLIP_TOLERANCE};

impl GroupRows {
    /// Evaluates the tires' laws at the present speeds and prepares wheels and tangential rows; the `first`
    /// time at the initial spins.
    pub fn evaluate_tires(
        &mut self,
        inputs: &SubstepInputs<'_>,
        wheels: &WheelState,
        tires: &[TireState],
        first: bool,
        now: &SubstepContext<'_>,
    ) {
        let k = inputs.consts;
        let present = self.motion(k, if first { wheels.spin } else { self.spin() });
        let braked = (inputs.control.brake, k.enabled);
        let (low_speed, motion) = LowSpeed::new(present, &self.tangent, &self.ground, braked, now);
        self.low_speed = low_speed;
        self.lateral_midpoint.begin(&present);
        let mut motion = self.lateral_midpoint.mean(motion);
        if let Some(limits) = inputs.limits.filter(|_| first) {
            motion = limits.clamped(motion);
        }
        let normal = self.normal_impulses() * W4::splat(now.per_second);
        let loaded = self.loaded();
        let condition = tire_use::conditions(k, inputs.tires, tires);
        let bushings = inputs.curves.and_then(|curves| curves.forces.as_ref());
        let input = TireQuery {
            settings: now.settings,
            consts: k,
            tires: inputs.tires,
            ground_friction: wheels.ground_friction * condition.friction,
            stiffness: condition.stiffness,
            loaded,
        };
        let camber = if k.feels_camber {
            let jounce = self.compression.jounce;
            self.inclination + strut_curves::camber(k, inputs.curves, jounce, Some(&self.bushings))
        } else {
            W4::ZERO
        };
        let point = TireOperatingPoint {
            load: loaded.keep(now.load_line.tire_load(normal, self.rest_load)),
            rest_load: self.rest_load,
            camber,
            yaw_speed: self.yaw,
            pressure: condition.pressure,
            gravity: k.design_gravity,
        };
        if k.moments.any() {
            self.moments = self
                .linearization
                .evaluate_with_moments(input, motion, point);
        } else {
            self.linearization.evaluate(&input, &motion, &point);
        }
        let forces = &mut self.linearization.forces;
        forces.rolling_resistance = k.rolling_resistance(forces, point.load, motion.forward);
        let (carcass, ground_compliance) =
            (&mut self.linearization.carcass, &self.ground_compliance);
        self.softness = self
            .low_speed
            .soften(carcass, ground_compliance, inputs, now);
        let deflections = self.deflection(wheels);
        let sticks = self.linearization.sticks(&motion, deflections);
        let speed = motion.creep_speed(self.softness.ground_compliance, sticks);
        self.tire_rows = tire_rows::rows(&self.linearization, speed, deflections, now.h);
        if k.stateful.any() {
            self.replace_rows(input, tires, motion, point, now.h);
        }
        if let Some(forces) = bushings {
            self.soften_by_bushings(forces, k);
        }
        self.low_speed.follow_pose(&mut self.tire_rows);
        self.lateral_midpoint
            .count_mean(&mut self.tire_rows[1], k.rest_mass, now.h);
        let start = WheelStart {
            spin: wheels.spin,
            torque: inputs.control.drive,
            brake: inputs.control.brake + self.linearization.forces.rolling_resistance,
            friction: self.linearization.friction,
            lateral_grip: self.linearization.lateral_grip,
            rest_load: self.rest_load,
            rim_weight: self.low_speed.rim_weight(),
        };
        let line = now.load_line;
        self.wheel_rows = WheelRows::new(k, &start, &self.tire_rows, line, &self.tangent, now.h);
        if let Some(parts) = self.lifting() {
            self.wheel_rows.lift_by(parts);
        }
        if let Some(limits) = inputs.limits {
            let resistance = self.linearization.forces.rolling_resistance;
            self.wheel_rows.limit(limits, resistance, W4::splat(now.h));
        }
    }

    /// Motion of the contacts at these spins (`rad/s`).
    #[inline]
    fn motion(&self, k: &WheelConsts, spin: W4) -> ContactMotion {
        ContactMotion {
            forward: self.tangent.speeds_of(0),
            left: self.tangent.speeds_of(1),
            rim: spin * k.radius,
        }
    }

    /// Whether a tire near its peak has another slip, after a sweep, than at its law's last evaluation: the secant to the
    /// falling part of the law then gives another force.
    #[inline]
    pub fn slips_on(&self, k: &WheelConsts) -> bool {
        let [longitudinal, lateral] = [self.tangent.impulses_of(0), self.tangent.impulses_of(1)];
        let scaled = lateral / self.linearization.lateral_grip;
        let grip = self.linearization.friction * self.normal_impulses() * W4::splat(NEAR_PEAK);
        let near = (longitudinal * longitudinal + scaled * scaled).gt(grip * grip);
        if !near.any() {
            return false;
        }
        let motion = self.lateral_midpoint.mean(self.motion(k, self.spin()));
        let (slip_ratio, tangent) = motion.slips();
        let change = (slip_ratio - self.linearization.slip_ratio).abs();
        let change = change.max((tangent - self.linearization.tan_slip_angle).abs());
        (near & change.gt(W4::splat(SLIP_TOLERANCE)) & !motion.slow()).any()
    }

    /// Fractions of the tires' own impulses by which links lift their wheels (–), if there are links; 0 for wheels with unsprung
    /// masses, which take up these impulses.
    fn lifting(&self) -> Option<[W4; 2]> {
        let parts = self.links.as_ref()?.lifting();
        let Some(unsprung_masses) = &self.unsprung_masses else {
            return Some(parts);
        };
        Some(parts.map(|part| unsprung_masses.select(W4::ZERO, part)))
    }

    /// Replaces the laws' rows by those of stateful tires.
    #[inline(never)]
    fn replace_rows(
        &mut self,
        input: TireQuery<'_>,
        tires: &[TireState],
        motion: ContactMotion,
        point: TireOperatingPoint,
        h: f32,
    ) {
        // Not the friction of the linearization, which is that of the tire's properties.
        let slip_ratio = self.linearization.slip_ratio;
        let curve = slip::curve_friction(input.consts, slip_ratio);
        let friction = input.loaded.keep(input.ground_friction * curve);
        let slips = [slip_ratio, self.linearization.tan_slip_angle];
        let asked = tire_input(input.consts, &point, &motion, slips, friction);
        let gripping = friction.gt(W4::ZERO);
        tire_use::own_rows(input.tires, tires, &asked, gripping, h, &mut self.tire_rows);
        self.tire_input = Some(asked);
    }

    /// Advances the state of stateful tires with the committed state of the `wheels` and the chassis'
    /// `velocity` at the end of the substep.
    pub fn advance_tires(
        &mut self,
        inputs: &SubstepInputs<'_>,
        wheels: &WheelState,
        tires: &mut [TireState],
        velocity: &VelocityLanes,
        h: f32,
    ) {
        let Some(asked) = &self.tire_input else {
            return;
        };
        self.tangent.read_velocity(velocity);
        let motion = self.motion(inputs.consts, wheels.spin);
        let input = motion.apply_to(asked);
        tire_use::advance(inputs.tires, tires, &input, wheels.grip.rows().force, h);
    }

    /// Deflections of the softened carcasses at the start (`m`); the state has those of carcasses of their own stiffness.
    pub(super) fn deflection(&self, wheels: &WheelState) -> [W4; 2] {
        let remembered = wheels.grip.rows().deflection;
        core::array::from_fn(|n| remembered[n] * self.softness.own[n])
    }
}
