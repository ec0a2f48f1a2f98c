//! The Michigan combined-slip law as implemented in the PhysX 4.1 vehicle SDK, its default tire
//! (ALGORITHMS §3.10).
//!
//! With lateral stiffness A, longitudinal stiffness B, friction force μN:
//!
//! ```text
//! T  = tan(β − γ·Cγ/A)                    K = √((A·T)² + (B·κ)²) / μN
//! F̄  = S1(K)   M̄ = S2(K)                  F0 = μN / √(κ² + (νT)²)
//! ν  = ½(1 + λ − (1 − λ)·cos(K/2)) for K ≤ 2π, else 1;  λ = A/B
//! Fx = κ·F̄·F0      Fy = −ν·T·F̄·F0      Mz = ν·T·M̄·F0      wheel torque = −Fx·r
//! ```
//!
//! No arctangent is taken: `tan(atan x − c) = (x − t)/(1 + x·t)` with `t = tan c`, and
//! `ν = λ + (1 − λ)·sin²(K/4)` is a polynomial in K².
//!
//! Inherited from PhysX: the camber term has the sign opposite to physical camber thrust (PhysX 5 turns
//! it round: [`MichiganParams::physical_camber`]), the
//! pneumatic trail is 1 m, and M̄ is not bounded beyond full sliding (K = 3), so that the aligning
//! moment of a sliding tire is a telemetry value, not a physical one: it does not act on the vehicle
//! ([`TireTraits::has_moments`]). Where PhysX returns `NaN`,
//! this law returns the force of its limit.

use core::any::Any;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use vehicle_core::lanes::{LANES, Mask4, W4};
use vehicle_core::tire::TireTraits;
use vehicle_core::{Check, Checked, Inspector, TireForces, TireInput, TireModel, math};

use crate::limits;
use crate::real::Real;
use crate::spec::TireParams;
use crate::steady::Forces;

/// Parameters of [`Michigan`].
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MichiganParams {
    /// Load over rest load beyond which the lateral stiffness no longer grows (–), ≥ 0; at 0 it is the same
    /// under every load (PhysX 5, ALGORITHMS §7.11).
    pub lat_stiff_x: f32,
    /// Maximum lateral stiffness over rest load (`1/rad`), > 0.
    pub lat_stiff_y: f32,
    /// Longitudinal stiffness per unit of slip and of gravity (`N·s²/m`), > 0.
    pub long_stiff_per_g: f32,
    /// Camber stiffness per unit of gravity (`N·s²/(m·rad)`), ≥ 0.
    pub camber_stiff_per_g: f32,
    /// Slips and cambers of smaller magnitude count as 0 [− and rad], ≥ 0.
    #[serde(default = "MichiganParams::physx_minimum_slip")]
    pub minimum_slip: f32,
    /// Whether camber thrust points to the side that the wheel inclines to, as in PhysX 5, or to the other.
    #[serde(default)]
    pub physical_camber: bool,
}

impl MichiganParams {
    /// PhysX's default tire (ALGORITHMS §4.1): the lateral stiffness, 0.3125 per degree, is
    /// reached at twice the rest load.
    #[must_use]
    pub const fn physx() -> Self {
        const PER_DEGREE: f32 = 180.0 / core::f32::consts::PI;
        Self {
            lat_stiff_x: 2.0,
            lat_stiff_y: 0.3125 * PER_DEGREE,
            long_stiff_per_g: 1000.0,
            camber_stiff_per_g: 0.1 * PER_DEGREE,
            minimum_slip: Self::physx_minimum_slip(),
            physical_camber: false,
        }
    }

    /// PhysX's threshold of [`MichiganParams::minimum_slip`] (ALGORITHMS §1.4).
    #[must_use]
    pub const fn physx_minimum_slip() -> f32 {
        1e-5
    }
}

impl Check for MichiganParams {
    fn check(&self, i: &mut Inspector) {
        i.not_negative("lat_stiff_x", self.lat_stiff_x, "");
        i.positive("lat_stiff_y", self.lat_stiff_y, "1/rad");
        i.positive("long_stiff_per_g", self.long_stiff_per_g, "N·s²/m");
        i.not_negative(
            "camber_stiff_per_g",
            self.camber_stiff_per_g,
            "N·s²/(m·rad)",
        );
        i.not_negative("minimum_slip", self.minimum_slip, "");
    }
}

impl TireParams for MichiganParams {
    type Model = Michigan;
    fn build(params: Checked<Self>) -> Michigan {
        Michigan::new(params)
    }
}

/// The Michigan law with its parameters.
#[derive(Clone, Debug, PartialEq)]
pub struct Michigan {
    params: MichiganParams,
    lanes: Lanes,
}

/// Parameters of four tires, with names as in [`MichiganParams`].
#[derive(Clone, Copy, Debug, PartialEq)]
struct Lanes {
    /// 3 / `lat_stiff_x`.
    load_scale: W4,
    lat_stiff_y: W4,
    long_stiff_per_g: W4,
    /// Camber stiffness: negative for camber thrust to the side that the wheel inclines to.
    camber_stiff_per_g: W4,
    minimum_slip: W4,
}

impl Lanes {
    /// Four tires alike.
    fn of(p: &MichiganParams) -> Self {
        let load_scale = (3.0 / p.lat_stiff_x).min(limits::STIFFNESS);
        let camber = if p.physical_camber {
            -p.camber_stiff_per_g
        } else {
            p.camber_stiff_per_g
        };
        Self {
            load_scale: W4::splat(load_scale),
            lat_stiff_y: W4::splat(p.lat_stiff_y),
            long_stiff_per_g: W4::splat(p.long_stiff_per_g),
            camber_stiff_per_g: W4::splat(camber),
            minimum_slip: W4::splat(p.minimum_slip),
        }
    }

    /// Selects these tires on the wheels `own` and `other` ones on the rest.
    fn joined(&self, own: Mask4, other: &Self) -> Self {
        let select = |of: fn(&Self) -> W4| own.select(of(self), of(other));
        Self {
            load_scale: select(|lanes| lanes.load_scale),
            lat_stiff_y: select(|lanes| lanes.lat_stiff_y),
            long_stiff_per_g: select(|lanes| lanes.long_stiff_per_g),
            camber_stiff_per_g: select(|lanes| lanes.camber_stiff_per_g),
            minimum_slip: select(|lanes| lanes.minimum_slip),
        }
    }
}

impl Michigan {
    /// A tire with these parameters.
    #[must_use]
    pub fn new(params: Checked<MichiganParams>) -> Self {
        let params = params.into_inner();
        Self {
            lanes: Lanes::of(&params),
            params,
        }
    }

    /// The slip or camber, 0 below the threshold.
    #[inline]
    fn significant(&self, slip: W4) -> W4 {
        let slip = limits::within(slip, limits::SLIP);
        slip.abs().ge(self.lanes.minimum_slip).keep(slip)
    }

    #[inline]
    fn stiffnesses(&self, input: &TireInput<W4>) -> Stiffnesses<W4> {
        let p = &self.lanes;
        let rest = input.rest_load.min(W4::splat(limits::FORCE));
        let floor = W4::splat(TINY);
        let most = W4::splat(limits::STIFFNESS);
        // The load comes last: what waits for it is short.
        let per_load = p.load_scale / rest.max(floor);
        let grown = (rest * p.lat_stiff_y).min(most);
        let growth = s1(Quick::FRACTIONS, input.load.max(W4::ZERO) * per_load);
        let lateral = (grown * growth).max(floor);
        let gravity = W4::splat(input.gravity.abs());
        let camber = limits::within(p.camber_stiff_per_g * gravity, limits::STIFFNESS);
        Stiffnesses {
            lateral,
            longitudinal: (p.long_stiff_per_g * gravity).max(floor).min(most),
            camber_over_lateral: camber / lateral,
        }
    }
}

/// Lower bound of stiffnesses (`N`), so that they can be divisors.
const TINY: f32 = 1e-12;

/// The normalized total slip K beyond which only the aligning moment would change (–).
const GREATEST_TOTAL_SLIP: f64 = 1e6;

/// Stiffnesses of the law, at one load.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stiffnesses<T> {
    /// Lateral stiffness A (`N/rad`), > 0.
    pub lateral: T,
    /// Longitudinal stiffness B (`N`), > 0.
    pub longitudinal: T,
    /// Camber stiffness over lateral stiffness Cγ/A (–); negative for camber thrust to the side the
    /// wheel inclines to.
    pub camber_over_lateral: T,
}

/// Evaluation of the formula: with PhysX's constants and fast functions, or exact ones.
trait Means<T> {
    /// 1/3 and 1/27.
    const FRACTIONS: [f64; 2];
    /// `sin²(K/4)` up to K = 2π and 1 beyond, of K².
    fn sin2_of_quarter(&self, square: T) -> T;
    /// Tangent of an angle (`rad`).
    fn tan(&self, angle: T) -> T;
    /// The total slip used for the aligning moment.
    fn moment_slip(&self, k: T) -> T;
}

/// Exact constants, functions of `libm`, and no aligning moment for a sliding tire.
struct Exact;

impl<T: Real> Means<T> for Exact {
    const FRACTIONS: [f64; 2] = [1.0 / 3.0, 1.0 / 27.0];

    #[inline]
    fn sin2_of_quarter(&self, square: T) -> T {
        let angle = square.sqrt().min(T::of(core::f64::consts::TAU)) * T::of(0.25);
        angle.sin().squared()
    }
    #[inline]
    fn tan(&self, angle: T) -> T {
        angle.tan()
    }
    #[inline]
    fn moment_slip(&self, k: T) -> T {
        k.min(T::of(3.0))
    }
}

/// PhysX's truncated constants, evaluated in the lanes of this mask.
struct Quick(Mask4);

impl Means<W4> for Quick {
    const FRACTIONS: [f64; 2] = [0.33333_f32 as f64, 0.037037_f32 as f64];

    /// Evaluates a minimax polynomial in K² (error < 5e-7, nearly all of it rounding).
    #[inline]
    fn sin2_of_quarter(&self, square: W4) -> W4 {
        sin2_of_quarter(square)
    }
    #[inline]
    fn tan(&self, angle: W4) -> W4 {
        tan(angle, self.0)
    }
    #[inline]
    fn moment_slip(&self, k: W4) -> W4 {
        k
    }
}

/// `S1(K) = min(1, K − K²/3 + K³/27)`, 1 from K = 3.
#[inline]
fn s1<T: Real>([third, ninth]: [f64; 2], k: T) -> T {
    let k = k.min(T::of(3.0));
    let k2 = k * k;
    (k - T::of(third) * k2 + T::of(ninth) * k2 * k).min(T::one())
}

/// `S2(K) = K − K² + K³/3 − K⁴/27`.
#[inline]
fn s2<T: Real>([third, ninth]: [f64; 2], k: T) -> T {
    let k2 = k * k;
    k - k2 + T::of(third) * k2 * k - T::of(ninth) * k2 * k2
}

/// `S1` with exact fractions: growth of the lateral stiffness with load, for 3·N/(N₀·X).
#[must_use]
pub fn growth<T: Real>(relative: T) -> T {
    s1(<Exact as Means<T>>::FRACTIONS, relative)
}

/// `sin²(K/4)` up to K = 2π and 1 beyond, by a minimax polynomial in K² (error < 5e-7,
/// nearly all of it rounding).
#[inline]
fn sin2_of_quarter(square: W4) -> W4 {
    const TWO_PI: f32 = 2.0 * core::f32::consts::PI;
    const C: [f32; 6] = [
        6.249_999_1e-2,
        -1.302_078_7e-3,
        1.084_992_7e-5,
        -4.838_211_7e-8,
        1.322_924_1e-10,
        -2.110_670_8e-13,
    ];
    let y = square.min(W4::splat(TWO_PI * TWO_PI));
    let y2 = y * y;
    // In pairs, which do not wait for each other.
    let pair = |n: usize| W4::splat(C[n]) + y * W4::splat(C[n + 1]);
    let polynomial = y * pair(0) + y * y2 * (pair(2) + y2 * pair(4));
    polynomial.min(W4::ONE)
}

/// `tan c`: a polynomial for small angles, as of real cambers, `libm` lane by lane for others.
#[inline]
fn tan(c: W4, mask: Mask4) -> W4 {
    /// Angle below which the first omitted term, 17/315 c⁷, is less than half a unit in the last place.
    const SMALL: f32 = 0.1;
    let c2 = c * c;
    let small = c + c * c2 * (W4::splat(1.0 / 3.0) + c2 * W4::splat(2.0 / 15.0));
    let large = mask & !c.abs().lt(W4::splat(SMALL));
    if large.any() {
        let exact = W4::from_fn(|i| {
            if large.lane(i) {
                math::tan(c.lane(i))
            } else {
                0.0
            }
        });
        large.select(exact, small)
    } else {
        small
    }
}

/// `tan(atan x − c)` of `t = tan c`, within ±[`limits::SLIP`].
#[inline]
fn tan_of_difference<T: Real>(x: T, t: T) -> T {
    let t = limits::within(t, limits::SLIP);
    let below = T::one() + x * t;
    let floor = T::of(f64::from(TINY));
    let below = T::select(below.abs().gt(floor), below, floor);
    limits::within((x - t) / below, limits::SLIP)
}

/// The law.
#[inline]
fn formula<T: Real, M: Means<T>>(
    means: &M,
    stiffnesses: &Stiffnesses<T>,
    [kappa, tan_beta, camber]: [T; 3],
    limit: T,
) -> Forces<T> {
    let &Stiffnesses {
        lateral: a,
        longitudinal: b,
        camber_over_lateral,
    } = stiffnesses;
    let turned = limits::within(camber * camber_over_lateral, limits::SLIP);
    // Most wheels have no inclination, or their tires do not respond to it.
    let t = if turned.is_nothing() {
        limits::within(tan_beta, limits::SLIP)
    } else {
        tan_of_difference(tan_beta, means.tan(turned))
    };
    let floor = T::of(f64::from(f32::MIN_POSITIVE));
    // The load and with it the stiffness A are known last: what waits for them is short.
    let per_limit = T::one() / limit.max(floor);
    let (at, bk) = (a * (t * per_limit), b * (kappa * per_limit));
    let greatest = T::of(GREATEST_TOTAL_SLIP * GREATEST_TOTAL_SLIP);
    let square_of_k = (at * at + bk * bk).min(greatest);
    let k = square_of_k.sqrt();

    // ν·tan β, with ν between λ and 1, does not wait for the root.
    let lambda = (a / b).min(T::of(f64::from(limits::SLIP)));
    let least = lambda * t;
    let sin2 = means.sin2_of_quarter(square_of_k);
    let nu_t = least + (t - least) * sin2;
    let square = kappa * kappa + nu_t * nu_t;
    let acts = limit.gt(floor) & square.gt(floor);
    let keep = |x: T| T::select(acts, x, T::zero());
    let f0 = limit / square.max(floor).sqrt();
    let full = f0 * s1(M::FRACTIONS, k);
    Forces {
        longitudinal: keep(kappa * full),
        lateral: keep(-(nu_t * full)),
        aligning_moment: keep(nu_t * f0 * s2(M::FRACTIONS, means.moment_slip(k))),
    }
}

/// The law for any number type, with exact constants and functions of `libm`: at a slip ratio, the
/// tangent of a slip angle, an inclination (`rad`) and a friction force μN (`N`). There is no
/// aligning moment beyond full sliding.
///
/// The vehicle model is the same formula with PhysX's constants.
pub fn forces<T: Real>(
    stiffnesses: &Stiffnesses<T>,
    slip_ratio: T,
    tan_slip_angle: T,
    camber: T,
    friction_force: T,
) -> Forces<T> {
    let slips = [slip_ratio, tan_slip_angle, camber];
    formula(&Exact, stiffnesses, slips, friction_force)
}

impl TireModel for Michigan {
    fn traits(&self) -> TireTraits {
        TireTraits {
            has_offsets: self.params.camber_stiff_per_g != 0.0,
            feels_camber: self.params.camber_stiff_per_g != 0.0,
            friction_falls: false,
            has_moments: false,
            has_properties: false,
            bounds_each: false,
        }
    }

    fn forces(&self, input: &TireInput) -> TireForces {
        let mask = Mask4::from_array([true, false, false, false]);
        let four = self.forces4(&TireInput::of(&[*input; LANES]), mask);
        TireForces {
            longitudinal: four.longitudinal.lane(0),
            lateral: four.lateral.lane(0),
            aligning_moment: four.aligning_moment.lane(0),
            wheel_torque: four.wheel_torque.lane(0),
            ..TireForces::default()
        }
    }

    fn joined(&self, own: Mask4, other: &dyn TireModel) -> Option<Arc<dyn TireModel>> {
        let other: &Self = (other as &dyn Any).downcast_ref()?;
        let lanes = self.lanes.joined(own, &other.lanes);
        Some(Arc::new(Self { lanes, ..*self }))
    }

    #[inline]
    fn forces4(&self, input: &TireInput<W4>, mask: Mask4) -> TireForces<W4> {
        let kappa = self.significant(input.slip_ratio);
        let tan_beta = self.significant(input.tan_slip_angle);
        let camber = self.significant(input.camber);
        let stiffnesses = self.stiffnesses(input);
        let limit = limits::friction_force(input.friction, input.load);
        let slips = [kappa, tan_beta, camber];
        let forces = formula(&Quick(mask), &stiffnesses, slips, limit);
        let longitudinal = mask.keep(forces.longitudinal);
        TireForces {
            longitudinal,
            lateral: mask.keep(forces.lateral),
            aligning_moment: mask.keep(forces.aligning_moment),
            wheel_torque: limits::within(-(longitudinal * input.radius), f32::MAX),
            ..TireForces::default()
        }
    }
}

#[cfg(test)]
mod tests;
