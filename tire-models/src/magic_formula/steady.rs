//! The Magic Formula as a [`SteadyLaw`], at its measurement speed.

use crate::real::Real;
use crate::steady::{Forces, SteadyInput, SteadyLaw};

use super::{Load, LoadContext, MagicFormula, Planar, Slip};

impl<T: Real> MagicFormula<T> {
    /// Load context and planar forces of a steady law's input.
    fn seen(&self, slip: &SteadyInput<T>) -> (LoadContext<T>, Planar<T>) {
        let at = self.at_load(&Load {
            inclination: slip.camber,
            grip: slip.friction,
            ..Load::new(slip.load)
        });
        let planar = self.planar(
            &at,
            &Slip {
                ratio: slip.ratio,
                angle: slip.tan_angle.atan(),
                ..Slip::rolling(self.c.LONGVL)
            },
        );
        (at, planar)
    }
}

/// The law at the tire's own pressure and forward at `LONGVL`, which determine the sliding speed.
impl<T: Real> SteadyLaw<T> for MagicFormula<T> {
    fn forces(&self, slip: &SteadyInput<T>) -> Forces<T> {
        let (at, planar) = self.seen(slip);
        Forces {
            longitudinal: planar.longitudinal,
            lateral: planar.lateral,
            aligning_moment: self.aligning(&at, &planar).moment,
        }
    }

    fn grip(&self, slip: &SteadyInput<T>) -> [T; 2] {
        let (at, planar) = self.seen(slip);
        [planar.friction_x, planar.friction_y].map(|friction| friction.abs() * at.load() * at.scale)
    }
}
