//! The contract of the small laws: [`SteadyLaw`], a steady-slip law over any [`Real`], and its conversion to a
//! [`TireModel`](vehicle_core::TireModel).
//!
//! A law is written once. Reference tables are recomputed with it in double precision, slopes come
//! from dual numbers, and vehicles use it in single precision, for one wheel or four with the same
//! bits.

use vehicle_core::lanes::{Mask4, W4};
use vehicle_core::{TireForces, TireInput, TireProperties};

use crate::limits;
use crate::real::Real;

/// Inputs of a law.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SteadyInput<T> {
    /// Slip ratio κ (–), 0 free rolling, −1 locked.
    pub ratio: T,
    /// Tangent of the slip angle α (–), positive where the contact point moves to the left.
    pub tan_angle: T,
    /// Inclination γ (`rad`), positive with the top to the right.
    pub camber: T,
    /// Tire load (`N`), ≥ 0.
    pub load: T,
    /// Friction between tire and surface (–), ≥ 0. For a law with its own friction it is a factor:
    /// 1 is the surface of the measurement.
    pub friction: T,
    /// Sliding speed of the contact over the ground (`m/s`), ≥ 0.
    pub speed: T,
}

/// Outputs of a law, in the contact frame (ISO-W).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Forces<T> {
    /// Longitudinal force (`N`), positive forward.
    pub longitudinal: T,
    /// Lateral force (`N`), positive to the left.
    pub lateral: T,
    /// Moment about the contact normal (`N·m`), > 0 to the left.
    pub aligning_moment: T,
}

/// A law of steady slip, over one number type.
pub trait SteadyLaw<T: Real> {
    /// Forces at a slip. They stay within the law's friction limit, and are zero without load or
    /// friction.
    fn forces(&self, slip: &SteadyInput<T>) -> Forces<T>;

    /// Maximum longitudinal and lateral force (`N`) at a load, camber and friction: by default friction × load.
    fn grip(&self, slip: &SteadyInput<T>) -> [T; 2] {
        [slip.friction * slip.load; 2]
    }
}

/// Magnitude below which a divisor counts as zero.
pub(crate) const TINY: f64 = 1e-30;

/// Magnitude below which a slip counts as zero (–), so that its square does not underflow.
const LEAST_SLIP: f64 = 1e-15;

/// Maximum friction (–).
const GREATEST_FRICTION: f64 = 1e3;

/// Maximum load of the formulas (`N`), so that no power of it overflows.
const GREATEST_LOAD: f64 = 1e9;

impl<T: Real> SteadyInput<T> {
    /// The slip, clamped so that no law overflows.
    #[inline]
    fn bounded(self) -> Self {
        let greatest = T::of(f64::from(limits::SLIP));
        let slip = |x: T| {
            let none = x.abs().lt(T::of(LEAST_SLIP));
            T::select(none, T::zero(), x.clamp(-greatest, greatest))
        };
        Self {
            ratio: slip(self.ratio),
            tan_angle: slip(self.tan_angle),
            camber: self.camber.clamp(-T::one(), T::one()),
            load: self.load.clamp(T::zero(), T::of(GREATEST_LOAD)),
            friction: self.friction.clamp(T::zero(), T::of(GREATEST_FRICTION)),
            speed: self.speed.clamp(T::zero(), greatest),
        }
    }
}

impl<T: Real> Forces<T> {
    /// Returns forces of zero.
    #[must_use]
    pub fn none() -> Self {
        Self {
            longitudinal: T::zero(),
            lateral: T::zero(),
            aligning_moment: T::zero(),
        }
    }

    /// The forces, scaled down if their resultant exceeds `limit` (`N`), together with the moment.
    #[inline]
    #[must_use]
    pub fn within_circle(self, limit: T) -> Self {
        let total = self.longitudinal.hypot(self.lateral);
        let scale = limit / total.max(T::of(TINY));
        let scale = T::select(total.gt(limit), scale, T::one());
        Self {
            longitudinal: self.longitudinal * scale,
            lateral: self.lateral * scale,
            aligning_moment: self.aligning_moment * scale,
        }
    }

    /// The forces, or zero if they are not finite or there is no load or friction.
    #[inline]
    fn sound(self, slip: &SteadyInput<T>) -> Self {
        let carries = slip.load.gt(T::zero()) & slip.friction.gt(T::zero());
        let greatest = T::of(f64::from(limits::FORCE));
        let sound = |x: T| T::select(carries & x.abs().le(greatest), x, T::zero());
        Self {
            longitudinal: sound(self.longitudinal),
            lateral: sound(self.lateral),
            aligning_moment: sound(self.aligning_moment),
        }
    }
}

/// Forces of a law and the torque on the wheel's spin, for any finite slip and radius.
#[inline]
fn total<T: Real>(law: &impl SteadyLaw<T>, slip: SteadyInput<T>, radius: T) -> (Forces<T>, T) {
    let slip = slip.bounded();
    let forces = law.forces(&slip).sound(&slip);
    let greatest = T::of(f64::from(limits::FORCE));
    let radius = radius.clamp(T::zero(), greatest);
    (forces, -(forces.longitudinal * radius))
}

/// Maximum longitudinal and lateral force of a law (`N`).
#[inline]
fn grip<T: Real>(law: &impl SteadyLaw<T>, camber: T, load: T, friction: T) -> [T; 2] {
    let slip = SteadyInput {
        ratio: T::zero(),
        tan_angle: T::zero(),
        camber,
        load,
        friction,
        speed: T::zero(),
    };
    let slip = slip.bounded();
    let greatest = T::of(f64::from(limits::FORCE));
    law.grip(&slip).map(|x| x.clamp(T::zero(), greatest))
}

/// Properties of one wheel's tire, or of four with the same bits.
#[inline]
pub(crate) fn properties<T: Real + Default>(
    law: &impl SteadyLaw<T>,
    input: &TireInput<T>,
) -> TireProperties<T> {
    TireProperties {
        grip: grip(law, input.camber, input.load, input.friction),
        ..TireProperties::default()
    }
}

/// Forces of one wheel, or of four with the same bits.
#[inline]
pub(crate) fn forces<T: Real + Default>(
    law: &impl SteadyLaw<T>,
    input: &TireInput<T>,
) -> TireForces<T> {
    let slip = SteadyInput {
        ratio: input.slip_ratio,
        tan_angle: input.tan_slip_angle,
        camber: input.camber,
        load: input.load,
        friction: input.friction,
        speed: Real::hypot(input.rim_speed - input.forward_speed, input.lateral_speed),
    };
    let (forces, wheel_torque) = total(law, slip, input.radius);
    TireForces {
        longitudinal: forces.longitudinal,
        lateral: forces.lateral,
        aligning_moment: forces.aligning_moment,
        wheel_torque,
        ..TireForces::default()
    }
}

/// Forces of the wheels in `mask`.
#[inline]
pub(crate) fn forces4(
    law: &impl SteadyLaw<W4>,
    input: &TireInput<W4>,
    mask: Mask4,
) -> TireForces<W4> {
    let forces = forces(law, input);
    TireForces {
        longitudinal: mask.keep(forces.longitudinal),
        lateral: mask.keep(forces.lateral),
        aligning_moment: mask.keep(forces.aligning_moment),
        wheel_torque: mask.keep(forces.wheel_torque),
        ..forces
    }
}

/// Implements the conversion of a parameter struct to another number type: `map` of each field, and
/// after a semicolon of each array's numbers.
macro_rules! mapped {
    ($params:ident { $($field:ident),* $(,)? $(; $($array:ident),* $(,)?)? }) => {
        impl<T> $params<T> {
            /// Returns these parameters in another number type.
            pub fn map<U>(&self, f: impl Fn(&T) -> U) -> $params<U> {
                $params {
                    $($field: f(&self.$field),)*
                    $($($array: self.$array.each_ref().map(&f),)*)?
                }
            }

            /// Combines these parameters with others, pair by pair.
            pub fn zip<U, V>(
                &self,
                other: &$params<U>,
                f: impl Fn(&T, &U) -> V,
            ) -> $params<V> {
                $params {
                    $($field: f(&self.$field, &other.$field),)*
                    $($($array: ::core::array::from_fn(|n| f(&self.$array[n], &other.$array[n])),)*)?
                }
            }

            /// Every parameter with its name, those of arrays as `name[0]`, in the order of `map`.
            pub fn named(&self) -> Vec<(String, &T)> {
                let named = [$((stringify!($field).to_owned(), &self.$field)),*].into_iter();
                $($(let named = named.chain({
                    let name = |n| format!("{}[{n}]", stringify!($array));
                    self.$array.iter().enumerate().map(move |(n, value)| (name(n), value))
                });)*)?
                named.collect()
            }
        }
    };
}
pub(crate) use mapped;

/// Implements the vehicle model for parameters that are a [`SteadyLaw`] and have a method `traits`.
macro_rules! steady_model {
    ($(#[$doc:meta])* $model:ident, $params:ident) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq)]
        pub struct $model {
            law: $params,
            /// The law with its parameters in every lane.
            law4: $params<::vehicle_core::lanes::W4>,
        }

        impl $model {
            /// A tire with these parameters.
            #[must_use]
            pub fn new(params: ::vehicle_core::Checked<$params>) -> Self {
                let law = params.into_inner();
                let law4 = law.map(|&x| ::vehicle_core::lanes::W4::splat(x));
                Self { law, law4 }
            }
        }

        impl $crate::spec::TireParams for $params {
            type Model = $model;
            fn build(params: ::vehicle_core::Checked<Self>) -> $model {
                $model::new(params)
            }
        }

        impl ::vehicle_core::TireModel for $model {
            fn traits(&self) -> ::vehicle_core::tire::TireTraits {
                self.law.traits()
            }

            fn properties(
                &self,
                input: &::vehicle_core::TireInput,
            ) -> ::vehicle_core::TireProperties {
                $crate::steady::properties(&self.law, input)
            }

            fn properties4(
                &self,
                input: &::vehicle_core::tire::TireInput<::vehicle_core::lanes::W4>,
                _: ::vehicle_core::lanes::Mask4,
            ) -> ::vehicle_core::tire::TireProperties<::vehicle_core::lanes::W4> {
                $crate::steady::properties(&self.law4, input)
            }

            fn joined(
                &self,
                own: ::vehicle_core::lanes::Mask4,
                other: &dyn ::vehicle_core::TireModel,
            ) -> Option<::std::sync::Arc<dyn ::vehicle_core::TireModel>> {
                let other: &Self = (other as &dyn ::core::any::Any).downcast_ref()?;
                let law4 = (self.law4).zip(&other.law4, |&ours, &theirs| own.select(ours, theirs));
                Some(::std::sync::Arc::new(Self { law4, ..self.clone() }))
            }

            fn forces(&self, input: &::vehicle_core::TireInput) -> ::vehicle_core::TireForces {
                $crate::steady::forces(&self.law, input)
            }

            fn forces4(
                &self,
                input: &::vehicle_core::tire::TireInput<::vehicle_core::lanes::W4>,
                mask: ::vehicle_core::lanes::Mask4,
            ) -> ::vehicle_core::tire::TireForces<::vehicle_core::lanes::W4> {
                $crate::steady::forces4(&self.law4, input, mask)
            }
        }
    };
}
pub(crate) use steady_model;
