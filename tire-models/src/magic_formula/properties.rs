//! Properties of a tire at a load, without slip: grip, slip stiffness, relaxation length.

use crate::real::Real;

use super::{LoadContext, MagicFormula};

/// Properties of a wheel, in the order of [`TireProperties`](vehicle_core::TireProperties).
pub(crate) struct Properties<T>(pub(crate) [[T; 2]; 3]);

/// The properties at a load, without slip.
#[inline]
pub(crate) fn properties<T: Real>(tire: &MagicFormula<T>, at: &LoadContext<T>) -> Properties<T> {
    let c = &tire.c;
    let anew;
    let levels = match &at.levels {
        Some(levels) => levels,
        // Without slip, friction has not decayed.
        None => {
            anew = tire.levels(at, None);
            &anew
        }
    };
    let (x, y) = (&levels.longitudinal, &levels.lateral);
    let relaxation = tire.relaxation_of(at, y.stiffness);
    // The part of D that the sine reaches, and with the part of inclination inside it.
    let quarter = T::of(core::f64::consts::FRAC_PI_2);
    let most = |shape: T| (shape.min(T::one()) * quarter).sin();
    let most_y = match y.lean {
        None => most(c.PCY1 * c.LCY),
        Some(lean) => most(c.PCY1 * c.LCY + lean.angle.abs() / quarter),
    };
    let load = at.load() * at.scale;
    // Above its range of loads, slip stiffness over relaxation length, the carcass' stiffness, stays: one that followed the load
    // would give back more than it took.
    let overloaded = at.scale.max(T::one());
    let sound = |x: T| T::select(x.abs().le(T::of(1e30)), x.abs(), T::zero());
    Properties([
        [
            sound(x.friction * load * most(c.PCX1 * c.LCX)),
            sound(y.friction * load * most_y),
        ],
        [
            sound(at.longitudinal.stiffness * at.scale),
            sound(y.stiffness * at.scale),
        ],
        [
            sound(relaxation.longitudinal_length * overloaded),
            sound(relaxation.lateral_length * overloaded),
        ],
    ])
}
