//! The Magic Formula as a tire of a vehicle: [`MagicFormulaTire`].

use core::any::Any;
use std::sync::Arc;

use vehicle_core::lanes::{Mask4, W4};
use vehicle_core::tire::TireTraits;
use vehicle_core::tire_model::{TireOutputs, TireRequest};
use vehicle_core::{Checked, TireForces, TireInput, TireModel, TireProperties};

use crate::real::{Real, each};

use super::params::MagicFormulaParams;
use crate::magic_formula::aligning::AligningAtLoad;
use crate::magic_formula::limits::bounded;
use crate::magic_formula::overturning::OverturningAtLoad;
use crate::magic_formula::properties::{Properties, properties};
use crate::magic_formula::rolling_resistance::ResistanceAtLoad;
use crate::magic_formula::settings::Settings;
use crate::magic_formula::{Load, LoadContext, MagicFormula, Slip};

/// The Magic Formula as a [`TireModel`].
///
/// The solver's slip ratio and tangent are used as κ and tan α; friction is grip relative to the
/// measurement. Forces depend on slip alone, so that they are continuous when the wheel reverses;
/// the aligning moment reverses with the direction of travel, over `VXLOW`. Rolling resistance is
/// computed at a speed of at least `VXLOW`, and also holds a standing wheel.
#[derive(Clone, Debug, PartialEq)]
pub struct MagicFormulaTire {
    one: MagicFormula<f32>,
    four: MagicFormula<W4>,
}

/// The wheel state that a solver passes, as input of the formulas.
#[derive(Clone, Copy)]
struct FormulaInput<T> {
    load: Load<T>,
    slip: Slip<T>,
    /// Factor on the aligning moment: −1 backward, 1 forward.
    direction: T,
    radius: T,
}

/// Moments requested at a slip, by their parts that depend only on the wheel's load.
#[derive(Clone, Copy)]
struct WantedMoments<'a, T> {
    /// Parts of aligning and overturning moment.
    turning: Option<&'a (AligningAtLoad<T>, OverturningAtLoad<T>)>,
    resistance: Option<&'a ResistanceAtLoad<T>>,
}

/// The parts of aligning and overturning moment that depend only on the load.
#[inline]
fn turning<T: Real>(
    tire: &MagicFormula<T>,
    at: &LoadContext<T>,
) -> (AligningAtLoad<T>, OverturningAtLoad<T>) {
    (
        AligningAtLoad::new(tire, at),
        OverturningAtLoad::new(tire, at),
    )
}

/// Forces of a wheel, in the order of [`TireForces`].
struct SixForces<T>([T; 6]);

impl MagicFormulaTire {
    /// A tire with these parameters.
    #[must_use]
    pub fn new(params: Checked<MagicFormulaParams>) -> Self {
        let params = params.into_inner();
        let settings = Settings {
            low_speed: false,
            ..params.settings
        };
        let c = params.own_coefficients();
        Self {
            one: MagicFormula::checked(&c, params.version, settings),
            four: MagicFormula::checked(&c, params.version, settings),
        }
    }

    /// The formulas themselves, for quantities that [`TireModel`] does not cover.
    #[must_use]
    pub fn formula(&self) -> &MagicFormula<f32> {
        &self.one
    }
}

/// Builds a wheel from the input of one or of four: their fields have the same names.
macro_rules! seen {
    ($input:ident) => {
        [
            $input.forward_speed,
            $input.slip_ratio,
            $input.tan_slip_angle,
            $input.camber,
            $input.load,
            $input.friction,
            $input.radius,
            $input.yaw_speed,
            $input.pressure,
        ]
    };
}

impl FormulaInput<f32> {
    fn of(tire: &MagicFormula<f32>, input: &TireInput) -> Self {
        Self::new(tire, seen!(input))
    }
}

impl FormulaInput<W4> {
    fn of4(tire: &MagicFormula<W4>, input: &TireInput<W4>) -> Self {
        Self::new(tire, seen!(input))
    }
}

impl<T: Real> FormulaInput<T> {
    /// Speed, slips, camber, load, friction, radius, yaw speed, pressure.
    #[inline]
    fn new(tire: &MagicFormula<T>, x: [T; 9]) -> Self {
        let [
            speed,
            ratio,
            tangent,
            camber,
            load,
            grip,
            radius,
            yaw_speed,
            pressure,
        ] = x;
        let slow = tire.coefficients().VXLOW.max(T::of(1e-3));
        let direction = (speed / slow).clamp(-T::one(), T::one());
        let rolling = speed.abs().max(slow);
        let inflated = T::select(
            pressure.gt(T::zero()),
            pressure,
            tire.coefficients().INFLPRES,
        );
        Self {
            load: Load {
                inclination: camber,
                grip,
                pressure: Some(inflated),
                ..Load::new(load)
            },
            slip: Slip {
                ratio,
                angle: tangent.atan(),
                tangent: Some(bounded(tangent, 1e15)),
                // Curvature of the path; backward, everything is reversed.
                turn: -(bounded(yaw_speed, 1e15) / rolling) * direction,
                ..Slip::rolling(rolling)
            },
            direction,
            radius,
        }
    }

    /// The motion of the tire at the opposite slip.
    #[inline]
    fn opposite(&self) -> Self {
        let Slip {
            ratio,
            angle,
            tangent,
            ..
        } = self.slip;
        Self {
            slip: Slip {
                ratio: -ratio,
                angle: -angle,
                tangent: tangent.map(|tangent| -tangent),
                ..self.slip
            },
            ..*self
        }
    }

    /// Forces at its slip; moments are 0 unless wanted.
    #[inline]
    fn forces(
        &self,
        tire: &MagicFormula<T>,
        at: &LoadContext<T>,
        wanted: WantedMoments<'_, T>,
    ) -> SixForces<T> {
        let planar = tire.planar(at, &self.slip);
        let greatest = T::of(1e30);
        let carries = self.load.force.gt(T::zero()) & self.load.grip.gt(T::zero());
        let sound = |x: T| T::select(carries & x.abs().le(greatest), x, T::zero());
        let along = sound(planar.longitudinal);
        let radius = self.radius.clamp(T::zero(), T::of(1e6));
        let torque = T::zero() - along * radius;
        let across = sound(planar.lateral);
        let (mut aligning, mut overturning, mut resists) = (T::zero(), T::zero(), T::zero());
        if let Some((own, leaning)) = wanted.turning {
            aligning = sound(tire.aligning_of(own, at, &planar).moment * self.direction);
            overturning = sound(tire.overturning_of(leaning, at, &planar));
        }
        if let Some(own) = wanted.resistance {
            // The wheel here rolls forward; if it still turns backward, My changes its sign.
            resists = sound(tire.rolling_resistance_of(own, &planar).abs());
        }
        SixForces([along, across, aligning, overturning, resists, torque])
    }

    /// Forces and all moments at its slip.
    #[inline]
    fn all_forces(&self, tire: &MagicFormula<T>) -> SixForces<T> {
        let at = tire.at_load(&self.load);
        let wanted = WantedMoments {
            turning: Some(&turning(tire, &at)),
            resistance: Some(&ResistanceAtLoad::new(tire, &at)),
        };
        self.forces(tire, &at, wanted)
    }
}

impl TireModel for MagicFormulaTire {
    fn traits(&self) -> TireTraits {
        TireTraits::UNKNOWN
    }

    fn properties(&self, input: &TireInput) -> TireProperties {
        let at = self.one.at_load(&FormulaInput::of(&self.one, input).load);
        let [grip, slip_stiffness, relaxation_length] = properties(&self.one, &at).0;
        TireProperties {
            grip,
            slip_stiffness,
            relaxation_length,
        }
    }

    fn properties4(&self, input: &TireInput<W4>, _: Mask4) -> TireProperties<W4> {
        let at = self
            .four
            .at_load(&FormulaInput::of4(&self.four, input).load);
        properties(&self.four, &at).into()
    }

    fn forces(&self, input: &TireInput) -> TireForces {
        let wheel = FormulaInput::of(&self.one, input);
        let [
            longitudinal,
            lateral,
            aligning_moment,
            overturning_moment,
            rolling_resistance,
            wheel_torque,
        ] = wheel.all_forces(&self.one).0;
        TireForces {
            longitudinal,
            lateral,
            aligning_moment,
            overturning_moment,
            rolling_resistance,
            wheel_torque,
        }
    }

    fn evaluate4(&self, input: &TireInput<W4>, mask: Mask4, request: TireRequest) -> TireOutputs {
        let (tire, wheel) = (&self.four, FormulaInput::of4(&self.four, input));
        let mut at = tire.at_load_without_levels(&wheel.load);
        tire.complete(&mut at);
        let turning = turning(tire, &at);
        let wanted = WantedMoments {
            turning: Some(&turning),
            resistance: Some(&ResistanceAtLoad::new(tire, &at)),
        };
        let mut answers = TireOutputs {
            forces: wheel.forces(tire, &at, wanted).within(mask),
            ..TireOutputs::default()
        };
        if request.opposite {
            let wanted = WantedMoments {
                turning: request.opposite_moments.then_some(&turning),
                resistance: None,
            };
            let forces = wheel.opposite().forces(tire, &at, wanted);
            answers.opposite = forces.within(mask);
        }
        if request.properties {
            answers.properties = properties(tire, &at).into();
        }
        answers
    }

    fn joined(&self, own: Mask4, other: &dyn TireModel) -> Option<Arc<dyn TireModel>> {
        let other: &Self = (other as &dyn Any).downcast_ref()?;
        Some(Arc::new(Self {
            one: self.one.clone(),
            four: self.four.joined(own, &other.four)?,
        }))
    }

    fn forces4(&self, input: &TireInput<W4>, mask: Mask4) -> TireForces<W4> {
        let wheel = FormulaInput::of4(&self.four, input);
        wheel.all_forces(&self.four).within(mask)
    }
}

impl From<Properties<W4>> for TireProperties<W4> {
    fn from(Properties([grip, slip_stiffness, relaxation_length]): Properties<W4>) -> Self {
        Self {
            grip,
            slip_stiffness,
            relaxation_length,
        }
    }
}

impl SixForces<W4> {
    /// Forces and moments as solvers expect them, 0 in lanes outside `mask`.
    fn within(self, mask: Mask4) -> TireForces<W4> {
        let [
            longitudinal,
            lateral,
            aligning_moment,
            overturning_moment,
            rolling_resistance,
            wheel_torque,
        ] = each(self.0, |x, _| mask.keep(x));
        TireForces {
            longitudinal,
            lateral,
            aligning_moment,
            overturning_moment,
            rolling_resistance,
            wheel_torque,
        }
    }
}

#[cfg(test)]
mod tests;
