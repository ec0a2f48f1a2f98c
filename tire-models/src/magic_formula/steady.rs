//! The Magic Formula as a [`SteadyLaw`], at the speed of its measurement.

use crate::real::Real;
use crate::steady::{Forces, Slip as Seen, SteadyLaw};

use super::{Load, LoadContext, MagicFormula, Planar, Slip};

impl<T: Real> MagicFormula<T> {
    /// The plane of the road, as a steady law sees it.
    fn seen(&self, slip: &Seen<T>) -> (LoadContext<T>, Planar<T>) {
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

/// At its own pressure and at `LONGVL`, forward; how fast the contact slides follows from that.
impl<T: Real> SteadyLaw<T> for MagicFormula<T> {
    fn forces(&self, slip: &Seen<T>) -> Forces<T> {
        let (at, planar) = self.seen(slip);
        Forces {
            longitudinal: planar.longitudinal,
            lateral: planar.lateral,
            aligning_moment: self.aligning(&at, &planar).moment,
        }
    }

    fn grip(&self, slip: &Seen<T>) -> [T; 2] {
        let (at, planar) = self.seen(slip);
        [planar.friction_x, planar.friction_y].map(|friction| friction.abs() * at.load() * at.scale)
    }
}
