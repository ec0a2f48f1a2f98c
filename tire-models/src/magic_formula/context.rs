//! Everything that depends only on load, inclination and pressure: [`LoadContext`].

use crate::real::Real;

use super::limits::Clamped;
use super::load::{Basics, Load};
use super::motion::EffectiveSlip;
use super::{MagicFormula, lateral, longitudinal, weights};

/// Everything that depends on load, inclination and pressure: computed once, used for any number of
/// slips (sub-steps, Newton iterations, the points of a curve).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LoadContext<T: Real> {
    pub(super) basics: Basics<T>,
    pub(super) longitudinal: longitudinal::LongitudinalAtLoad<T>,
    pub(super) lateral: lateral::LateralAtLoad<T>,
    pub(super) combined: weights::WeightsAtLoad<T>,
    /// The curves at this friction, if slips do not change them.
    pub(super) levels: Option<Levels<T>>,
    /// Factor on forces and moments
    /// ([`OutOfRange::ScaleWithLoad`](super::OutOfRange::ScaleWithLoad)).
    pub(super) scale: T,
    pub(super) clamped: Clamped<T::Mask>,
}

/// The pure curves at a friction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Levels<T> {
    pub(super) longitudinal: longitudinal::LongitudinalAtFriction<T>,
    pub(super) lateral: lateral::LateralAtFriction<T>,
}

impl<T: Real> LoadContext<T> {
    /// Load within the limits (`N`).
    #[must_use]
    pub fn load(&self) -> T {
        self.basics.fz
    }
}

impl<T: Real> MagicFormula<T> {
    /// Computes all terms that depend only on load, inclination and pressure.
    #[must_use]
    pub fn at_load(&self, load: &Load<T>) -> LoadContext<T> {
        let mut context = self.at_load_without_levels(load);
        self.complete(&mut context);
        context
    }

    /// Begins the computation of [`MagicFormula::at_load`]; [`MagicFormula::complete`] ends it in place: a context is
    /// long, and a caller that does both itself does not copy it.
    pub(crate) fn at_load_without_levels(&self, load: &Load<T>) -> LoadContext<T> {
        let (basics, scale, clamped) = self.basics(load);
        LoadContext {
            levels: None,
            longitudinal: longitudinal::LongitudinalAtLoad::new(self, &basics),
            combined: weights::WeightsAtLoad::new(self, &basics),
            lateral: lateral::LateralAtLoad::leaning(self, &basics),
            basics,
            scale,
            clamped,
        }
    }

    /// Adds the curves at the load's friction, if slips do not change them.
    pub(crate) fn complete(&self, at: &mut LoadContext<T>) {
        let varies = self.settings.low_speed || self.settings.turn_slip || !self.without.decay;
        if !varies {
            at.levels = Some(self.levels(at, None));
        }
    }

    /// The curves at a load's friction, and a `motion`'s effect on them.
    pub(super) fn levels(
        &self,
        at: &LoadContext<T>,
        motion: Option<&EffectiveSlip<T>>,
    ) -> Levels<T> {
        Levels {
            longitudinal: longitudinal::LongitudinalAtFriction::new(
                self,
                &at.longitudinal,
                &at.basics,
                motion,
            ),
            lateral: lateral::LateralAtFriction::new(self, &at.lateral, &at.basics, motion),
        }
    }
}
