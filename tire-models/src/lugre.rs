//! The LuGre model: bristles that bend and slide. A [stateful](vehicle_core::tire_state) law: in
//! the rows solver, its bristles replace a wheel's rows.
//!
//! With the slip speed s = (Ω·r − vₓ, −`v_y`), bristles deflected by z, and N the load:
//!
//! ```text
//! g  = μ·(μc + (μs − μc)·exp(−(|s|/vs)²))              Stribeck's curve
//! ż  = s − (a·|s|/ĝ + |Ω·r|/L)·z                       1/ĝ = σ₀/g in each direction
//! F  = N·(σ₀·z + σ₁·ż + σ₂·s)
//! ```
//!
//! The term with L carries bristles out of a contact of this length as the wheel rolls, which gives
//! a slip stiffness N·σ₀·L and a relaxation length L. In steady slip, F = N·(σ₀·s/(|s|·σ₀/g +
//! |Ω·r|/L) + σ₂·s).
//!
//! a is the elasto-plastic share: 0 while z is shorter than `elastic` times the maximum deflection
//! g/σ₀, or where s brings it back; from there it rises to 1 as a half wave of the sine. A held
//! tire is therefore a pure spring: a fluctuating load does not make it creep, as it would with a =
//! 1 (`elastic` = 0). On a wheel that rolls, which renews its contact anyway, a is 1 from |Ω·r| =
//! 2|s| on, and blends in below that (our own addition).
//!
//! Sources: Canudas de Wit, Olsson, Åström, Lischinsky, IEEE TAC 40 (1995) 419; Canudas de Wit, Tsiotras,
//! Velenis, Basset, Gissinger, Vehicle System Dynamics 39 (2003) 189 (the averaged model, κ = 1); Dupont,
//! Hayward, Armstrong, Altpeter, IEEE TAC 47 (2002) 787 (a).

use serde::{Deserialize, Serialize};
use vehicle_core::lanes::{Mask4, W4};
use vehicle_core::tire::TireTraits;
use vehicle_core::{Check, Checked, Inspector, TireForces, TireInput, TireModel, TireProperties};
use vehicle_core::{
    stateful_tire::{StatefulTire, TireRow, TireStep},
    tire_state::TireState,
};

use crate::real::Real;
use crate::spec::TireParams;
use crate::steady::{self, Forces, SteadyInput, SteadyLaw, TINY, mapped};

/// Parameters of [`LuGre`]; stiffness, damping and viscous friction are per load.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LuGreParams<T = f32> {
    /// Stiffness of the bristles σ₀, forward and to a side (`1/m`), > 0; about 200.
    pub stiffness: [T; 2],
    /// Damping of the bristles σ₁, forward and to a side (`s/m`), ≥ 0; about 1.
    pub damping: [T; 2],
    /// Viscous friction σ₂ (`s/m`), ≥ 0; about 0.002.
    pub viscous_friction: T,
    /// Friction at the onset of sliding μs (–), > 0, at least the kinetic friction. The surface's
    /// friction multiplies both.
    pub static_friction: T,
    /// Friction at high sliding speed μc (–), > 0.
    pub kinetic_friction: T,
    /// Sliding speed at which 63 % of the difference is lost vs (`m/s`), > 0; about 6.
    pub stribeck_speed: T,
    /// Length of the contact L (`m`), > 0; about 0.15.
    pub patch_length: T,
    /// Fraction of the maximum deflection up to which bristles only bend (–), 0 to 0.99; about 0.8.
    pub elastic: T,
}

mapped!(LuGreParams {
    viscous_friction,
    static_friction,
    kinetic_friction,
    stribeck_speed,
    patch_length,
    elastic;
    stiffness,
    damping,
});

impl Check for LuGreParams {
    fn check(&self, i: &mut Inspector) {
        for (n, (stiffness, damping)) in self.stiffness.iter().zip(self.damping).enumerate() {
            i.positive(&format!("stiffness[{n}]"), *stiffness, "1/m");
            i.not_negative(&format!("damping[{n}]"), damping, "s/m");
        }
        i.not_negative("viscous_friction", self.viscous_friction, "s/m");
        i.positive("static_friction", self.static_friction, "");
        i.positive("kinetic_friction", self.kinetic_friction, "");
        let rule = "must be at least kinetic_friction";
        let holds = self.static_friction >= self.kinetic_friction;
        i.rule(holds, "static_friction", self.static_friction, "", rule);
        i.positive("stribeck_speed", self.stribeck_speed, "m/s");
        i.positive("patch_length", self.patch_length, "m");
        i.within_range("elastic", self.elastic, 0.0, 0.99, "");
    }
}

/// Sliding conditions of the bristles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sliding<T> {
    /// Speeds at which the contact slides, forward and to the left: Ω·r − vₓ and −`v_y` (`m/s`).
    pub slip_speeds: [T; 2],
    /// Speed at which the rim carries bristles through the contact, |Ω·r| (`m/s`); 0 for a locked
    /// wheel.
    pub rim_speed: T,
    /// Friction of the surface μ (–), ≥ 0.
    pub friction: T,
}

impl<T: Real> LuGreParams<T> {
    /// Stribeck's curve g at a sliding speed (`m/s`) on a surface of this friction (–).
    #[inline]
    pub fn sliding_friction(&self, speed: T, friction: T) -> T {
        let relative = (speed / self.stribeck_speed).min(T::of(1e3));
        let rest = (-(relative.squared())).exp();
        let more = self.static_friction - self.kinetic_friction;
        friction * (self.kinetic_friction + more * rest)
    }

    /// Rate at which bristles yield, forward and to the left [1/s]: the factor of z in −ż.
    #[inline]
    pub fn loss(&self, z: [T; 2], at: &Sliding<T>) -> [T; 2] {
        let [x, y] = at.slip_speeds;
        let speed = x.hypot(y);
        let friction = self.sliding_friction(speed, at.friction).max(T::of(TINY));
        let bent = (self.stiffness[0] * z[0]).hypot(self.stiffness[1] * z[1]) / friction;
        let bends_on = (x * z[0] + y * z[1]).gt(T::zero());
        let rolling = T::of(0.5) * at.rim_speed / speed.max(T::of(TINY));
        let rolling = rolling.min(T::one());
        let held = self.plastic_share(bent, bends_on);
        let slides = (held + (T::one() - held) * rolling) * speed / friction;
        let carried = at.rim_speed / self.patch_length;
        self.stiffness.map(|stiffness| slides * stiffness + carried)
    }

    /// The plastic share a for the bristles of a standing wheel, bent by `bent` times the maximum
    /// deflection.
    #[inline]
    fn plastic_share(&self, bent: T, bends_on: T::Mask) -> T {
        let (half, one) = (T::of(0.5), T::one());
        let way = (bent - self.elastic) / (one - self.elastic);
        let wave = half - half * (way.clamp(T::zero(), one) * T::of(core::f64::consts::PI)).cos();
        let elastic = T::select(bends_on, wave, T::zero());
        T::select(self.elastic.gt(T::zero()), elastic, one)
    }

    /// Rates of deflection ż, forward and to the left (`m/s`).
    #[inline]
    pub fn rates(&self, z: [T; 2], at: &Sliding<T>) -> [T; 2] {
        let loss = self.loss(z, at);
        core::array::from_fn(|n| at.slip_speeds[n] - loss[n] * z[n])
    }

    /// Forces over the load, forward and to the left (–).
    #[inline]
    pub fn forces_per_load(&self, z: [T; 2], rates: [T; 2], slip_speeds: [T; 2]) -> [T; 2] {
        core::array::from_fn(|n| {
            let bristles = self.stiffness[n] * z[n] + self.damping[n] * rates[n];
            bristles + self.viscous_friction * slip_speeds[n]
        })
    }
}

impl LuGreParams {
    /// Odd; falls by Stribeck's curve.
    fn traits(&self) -> TireTraits {
        TireTraits {
            has_offsets: false,
            feels_camber: false,
            friction_falls: self.static_friction > self.kinetic_friction,
            has_moments: false,
            has_properties: true,
            bounds_each: false,
        }
    }
}

/// The steady-slip forces of the bristles.
impl<T: Real> SteadyLaw<T> for LuGreParams<T> {
    #[inline]
    fn forces(&self, slip: &SteadyInput<T>) -> Forces<T> {
        let slips = [slip.ratio, -slip.tan_angle];
        let total = slips[0].hypot(slips[1]);
        // Over the larger of ground's and rim's speed, as slips are.
        let rim = (T::one() + slip.ratio.min(T::zero())).max(T::zero());
        let friction = self.sliding_friction(slip.speed, slip.friction);
        let viscous = self.viscous_friction * slip.speed / total.max(T::of(TINY));
        let [longitudinal, lateral] = core::array::from_fn(|n| {
            let stiffness = self.stiffness[n];
            let lost = total * stiffness / friction.max(T::of(TINY)) + rim / self.patch_length;
            let bristles = stiffness * slips[n] / lost.max(T::of(TINY));
            slip.load * (bristles + viscous * slips[n])
        });
        let forces = Forces {
            longitudinal,
            lateral,
            aligning_moment: T::zero(),
        };
        forces.within_circle(SteadyLaw::grip(self, slip)[0])
    }

    #[inline]
    fn grip(&self, slip: &SteadyInput<T>) -> [T; 2] {
        [self.static_friction * slip.friction * slip.load; 2]
    }
}

/// The LuGre model with its parameters. The lengths in a tire's state hold the deflections of its
/// bristles.
#[derive(Clone, Debug, PartialEq)]
pub struct LuGre {
    law: LuGreParams,
    /// The law with its parameters in every lane.
    law4: LuGreParams<W4>,
}

impl LuGre {
    /// A tire with these parameters.
    #[must_use]
    pub fn new(params: Checked<LuGreParams>) -> Self {
        let law = params.into_inner();
        let law4 = law.map(|&x| W4::splat(x));
        Self { law, law4 }
    }
}

impl TireParams for LuGreParams {
    type Model = LuGre;
    fn build(params: Checked<Self>) -> LuGre {
        LuGre::new(params)
    }
}

impl TireModel for LuGre {
    fn traits(&self) -> TireTraits {
        self.law.traits()
    }

    fn properties(&self, input: &TireInput) -> TireProperties {
        let k = &self.law;
        TireProperties {
            slip_stiffness: k.stiffness.map(|x| x * k.patch_length * input.load),
            relaxation_length: [k.patch_length; 2],
            ..steady::properties(k, input)
        }
    }

    fn properties4(&self, input: &TireInput<W4>, _: Mask4) -> TireProperties<W4> {
        let k = &self.law4;
        TireProperties {
            slip_stiffness: k.stiffness.map(|x| x * k.patch_length * input.load),
            relaxation_length: [k.patch_length; 2],
            ..steady::properties(k, input)
        }
    }

    fn forces(&self, input: &TireInput) -> TireForces {
        steady::forces(&self.law, input)
    }

    fn forces4(&self, input: &TireInput<W4>, mask: Mask4) -> TireForces<W4> {
        steady::forces4(&self.law4, input, mask)
    }

    fn stateful(&self) -> Option<&dyn StatefulTire> {
        Some(self)
    }
}

impl StatefulTire for LuGre {
    fn fresh(&self) -> TireState {
        TireState::default()
    }

    /// Bristles at the end of the substep, with the loss at the speeds that the solver expects:
    /// with z⁺ = (z + h·s)/(1 + h·loss), the force is linear in s.
    fn rows(&self, state: &TireState, input: &TireInput, duration: f32) -> Option<[TireRow; 2]> {
        let (k, z, h) = (&self.law, state.lengths, duration);
        let loss = k.loss(z, &sliding(input));
        Some(core::array::from_fn(|n| {
            let share = 1.0 / (1.0 + h * loss[n]);
            let stiff = k.stiffness[n] + k.damping[n] / h;
            TireRow {
                force: input.load * (stiff * share - k.damping[n] / h) * z[n],
                gain: input.load * (stiff * share * h + k.viscous_friction),
            }
        }))
    }

    /// Sets the deflection that matches the force the tire transmitted; without load, bristles
    /// straighten.
    fn advance(&self, state: &mut TireState, step: &TireStep) {
        let (k, load, h) = (&self.law, step.input.load, step.duration);
        if load <= 0.0 {
            state.lengths = [0.0; 2];
            return;
        }
        let speeds = step.slip_speeds();
        for (n, z) in state.lengths.iter_mut().enumerate() {
            let bristles = step.forces[n] / load - k.viscous_friction * speeds[n];
            *z = (bristles * h + k.damping[n] * *z) / (k.stiffness[n] * h + k.damping[n]);
        }
    }
}

/// The sliding conditions that the solver expects.
fn sliding(input: &TireInput) -> Sliding<f32> {
    Sliding {
        slip_speeds: [input.rim_speed - input.forward_speed, -input.lateral_speed],
        rim_speed: input.rim_speed.abs(),
        friction: input.friction,
    }
}

#[cfg(test)]
mod tests;
