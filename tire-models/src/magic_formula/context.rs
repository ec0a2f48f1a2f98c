//! Everything that depends only on load, inclination and pressure: [`LoadContext`].

use crate::real::Real;

use super::limits::Clamped;
use super::load::{Basics, Load};
use super::motion::Motion;
use super::{MagicFormula, lateral, longitudinal, trail, weights};

/// Everything that depends on load, inclination and pressure: computed once, used for any number of
/// slips (sub-steps, Newton iterations, the points of a curve).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LoadContext<T: Real> {
    pub(super) basics: Basics<T>,
    pub(super) longitudinal: longitudinal::AtLoad<T>,
    pub(super) lateral: lateral::AtLoad<T>,
    /// Fy0 of the same tire without inclination, used by the aligning moment.
    pub(super) upright: lateral::AtLoad<T>,
    pub(super) combined: weights::AtLoad<T>,
    pub(super) aligning: trail::AtLoad<T>,
    /// The curves at this friction, if slips do not change them.
    pub(super) levels: Option<Levels<T>>,
    /// Factor on forces and moments
    /// ([`OutOfRange::ScaleWithLoad`](super::OutOfRange::ScaleWithLoad)).
    pub(super) scale: T,
    pub(super) clamped: Clamped<T::Mask>,
}

/// The pure curves at a friction, and those of the aligning moment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Levels<T> {
    pub(super) longitudinal: longitudinal::Level<T>,
    pub(super) lateral: lateral::Level<T>,
    pub(super) upright: lateral::Level<T>,
    pub(super) aligning: trail::Level<T>,
}

impl<T: Real> LoadContext<T> {
    /// Load within the limits (`N`).
    #[must_use]
    pub fn load(&self) -> T {
        self.basics.fz
    }
}

impl<T: Real> MagicFormula<T> {
    /// Computes what depends only on load, inclination and pressure.
    #[must_use]
    pub fn at_load(&self, load: &Load<T>) -> LoadContext<T> {
        let (basics, scale, clamped) = self.basics(load);
        let [lateral, upright] = lateral::AtLoad::leaning_and_upright(self, &basics);
        let mut context = LoadContext {
            upright,
            levels: None,
            longitudinal: longitudinal::AtLoad::new(self, &basics),
            combined: weights::AtLoad::new(self, &basics),
            aligning: trail::AtLoad::new(self, &basics),
            basics,
            lateral,
            scale,
            clamped,
        };
        let varies = self.settings.low_speed || self.settings.turn_slip || !self.without.decay;
        if !varies {
            context.levels = Some(self.levels(&context, None));
        }
        context
    }

    /// The curves at a load's friction, and a `motion`'s effect on them.
    pub(super) fn levels(&self, at: &LoadContext<T>, motion: Option<&Motion<T>>) -> Levels<T> {
        let lateral = lateral::Level::new(self, &at.lateral, &at.basics, motion);
        Levels {
            longitudinal: longitudinal::Level::new(self, &at.longitudinal, &at.basics, motion),
            lateral,
            upright: if at.basics.gamma_star.is_nothing() {
                lateral
            } else {
                lateral::Level::new(self, &at.upright, &at.basics, motion)
            },
            aligning: trail::Level::new(
                self,
                (&at.aligning, &at.longitudinal),
                &at.basics,
                (&lateral, motion),
            ),
        }
    }
}
