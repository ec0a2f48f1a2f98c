//! The contact patch (\[P\] 9, 10; PAC2002).

use crate::real::Real;

use super::{LoadContext, MagicFormula};

/// The contact patch on flat ground.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Patch<T> {
    /// Length 2a along the rolling direction (`m`).
    pub length: T,
    /// Width 2b (`m`).
    pub width: T,
}

impl<T: Real> MagicFormula<T> {
    /// The contact patch at a load. It no longer grows once the tire bottoms on the rim.
    #[must_use]
    pub fn patch(&self, at: &LoadContext<T>) -> Patch<T> {
        let (c, b) = (&self.c, &at.basics);
        let (r0, two) = (c.UNLOADED_RADIUS, T::of(2.0));
        let stiffness = self.vertical_stiffness(b);
        let travel = (r0 - c.RIM_RADIUS - c.BOTTOM_OFFST).max(T::zero());
        let fz = b.fz_given.min(travel * stiffness);
        if !self.version.has_pressure() {
            let load = fz / c.FNOMIN;
            let (root, linear) = self.patch_by_load();
            return Patch {
                length: two * r0 * (linear * load + root * load.sqrt()),
                width: c.WIDTH,
            };
        }
        let deflection = fz / (stiffness * r0);
        let third = T::of(1.0 / 3.0);
        let least = T::of(1e-12);
        let cube_root = T::select(
            deflection.gt(least),
            deflection.max(least).powf(third),
            T::zero(),
        );
        Patch {
            length: two * r0 * (c.Q_RA2 * deflection + c.Q_RA1 * deflection.sqrt()),
            width: two * c.WIDTH * (c.Q_RB2 * deflection + c.Q_RB1 * cube_root),
        }
    }

    /// `Q_A1` and `Q_A2`, from stiffness if the file has neither (MFT).
    fn patch_by_load(&self) -> (T, T) {
        let c = &self.c;
        let none = (c.Q_A1.abs() + c.Q_A2.abs()).le(T::zero());
        let stiffness = c.UNLOADED_RADIUS * c.VERTICAL_STIFFNESS / c.FNOMIN;
        let x = stiffness.ln() / T::of(core::f64::consts::LN_10);
        let root = T::of(0.6279) + x * (T::of(-0.6283) + x * (T::of(0.2509) + x * T::of(-0.0388)));
        let linear = T::of(1.693) * root * root;
        (
            T::select(none, root, c.Q_A1),
            T::select(none, linear, c.Q_A2),
        )
    }
}
