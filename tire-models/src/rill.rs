//! Parts that the two models of Rill share: parameters given at two loads, and their dependence on load.

use crate::real::Real;
use crate::steady::TINY;

/// Load over nominal load beyond which curves no longer change.
const GREATEST_RELATIVE_LOAD: f64 = 3.5;

/// Load over nominal load as used by the curves [−]: at most 3.5.
#[inline]
pub fn relative_load<T: Real>(load: T, nominal: T) -> T {
    (load / nominal).min(T::of(GREATEST_RELATIVE_LOAD))
}

/// A force or stiffness at `q` times the nominal load: the parabola through 0 and the values at one
/// and two times that load.
#[inline]
pub(crate) fn parabola<T: Real>(values: &[T; 2], q: T) -> T {
    let half = T::of(0.5) * values[1];
    q * (T::of(2.0) * values[0] - half - (values[0] - half) * q)
}

/// A slip at `q` times the nominal load: the line through the values at one and two times that
/// load.
#[inline]
pub(crate) fn line<T: Real>(values: &[T; 2], q: T) -> T {
    values[0] + (values[1] - values[0]) * (q - T::one())
}

/// A direction of slip.
#[derive(Clone, Copy)]
pub(crate) struct Direction<T> {
    /// Magnitude of the slip (–).
    pub slip: T,
    pub cos: T,
    pub sin: T,
}

impl<T: Real> Direction<T> {
    #[inline]
    pub(crate) fn of(x: T, y: T) -> Self {
        let slip = x.hypot(y);
        let divisor = slip.max(T::of(TINY));
        Self {
            slip,
            cos: x / divisor,
            sin: y / divisor,
        }
    }

    /// A quantity in this direction, from its longitudinal and lateral values.
    #[inline]
    pub(crate) fn between(&self, along: T, across: T) -> T {
        (along * self.cos).hypot(across * self.sin)
    }
}

/// Slips of the model along and across (–), from those based on the speed over ground; the model
/// divides by the speed of the rim. A locked wheel's are a thousand times as large, which is
/// sliding in the same direction.
#[inline]
pub(crate) fn on_rim_speed<T: Real>(ratio: T, tan_angle: T) -> [T; 2] {
    let rim = (T::one() + ratio).abs().max(T::of(1e-3));
    [ratio / rim, -(tan_angle / rim)]
}
