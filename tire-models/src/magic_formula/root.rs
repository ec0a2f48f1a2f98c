//! The root of a falling function, without derivatives, in any number of lanes.

use crate::real::{Mask, Real};

use super::shape::nonzero;

/// The root of `f` nearest to `start`, with its derivatives: below `start` if `f` is negative
/// there, otherwise above. If there is none between a tenth and one and a half times `start`: a
/// tenth, or `start` itself.
pub(super) fn below_or_above<T: Real>(start: T, f: &impl Fn(T) -> T) -> T {
    let (low, high) = bracket(start.detached(), f);
    let root = false_position(low, high, f);
    // Without a change of sign there is none, however close to 0 `f` may come.
    let crosses = f(low).ge(T::zero()) & f(high).le(T::zero());
    let found = crosses & f(root).abs().lt(T::of(1e-3));
    let least = T::of(0.1) * start;
    let otherwise = T::select(f(start).lt(T::zero()), least, start);
    T::select(found, with_derivatives(root, f), otherwise)
}

/// Two adjacent numbers: `f` is non-negative at the lower, and negative at the higher.
fn bracket<T: Real>(start: T, f: &impl Fn(T) -> T) -> (T, T) {
    const STEPS: usize = 64;
    let down = start * T::of(0.9 / STEPS as f64);
    let up = start * T::of(0.5 / STEPS as f64);
    let below = f(start).lt(T::zero());
    let (mut low, mut high) = (start, start);
    for _ in 0..STEPS {
        let falling = below & f(low).lt(T::zero());
        let rising = !below & f(high).ge(T::zero());
        if !(falling | rising).any() {
            break;
        }
        high = T::select(falling, low, high);
        low = T::select(falling, low - down, low);
        low = T::select(rising, high, low);
        high = T::select(rising, high + up, high);
    }
    (low, high)
}

/// The root of `f` between `low` and `high` by false position (Illinois).
fn false_position<T: Real>(mut low: T, mut high: T, f: &impl Fn(T) -> T) -> T {
    const STEPS: usize = 50;
    let half = T::of(0.5);
    let (mut f_low, mut f_high) = (f(low), f(high));
    let mut root = low;
    let never = T::one().lt(T::zero());
    let (mut low_moved, mut high_moved) = (never, never);
    for _ in 0..STEPS {
        let rise = f_low - f_high;
        let open = rise.gt(T::zero()) & high.gt(low);
        if !open.any() {
            break;
        }
        let slope = T::select(open, rise, T::one());
        let guess = (low + (high - low) * (f_low / slope)).detached();
        let next = guess.clamp(low, high);
        let f_next = f(next);
        let closed =
            open & (f_next.le(T::zero()) & f_next.ge(T::zero()) | guess.le(low) | guess.ge(high));
        let (from_low, from_high) = (open & f_next.gt(T::zero()), open & !f_next.gt(T::zero()));
        root = T::select(open, next, root);
        // An end kept twice gets half its weight.
        f_high = T::select(from_low & low_moved, f_high * half, f_high);
        f_low = T::select(from_high & high_moved, f_low * half, f_low);
        (low_moved, high_moved) = (from_low, from_high);
        low = T::select(from_low | closed, next, low);
        f_low = T::select(from_low, f_next, f_low);
        high = T::select(from_high | closed, next, high);
        f_high = T::select(from_high, f_next, f_high);
    }
    root
}

/// A root of `f` with its derivatives (implicit function theorem): Newton steps that leave the
/// value unchanged. The slope is a difference quotient, so that each step reduces its error and
/// none is exact.
fn with_derivatives<T: Real>(root: T, f: &impl Fn(T) -> T) -> T {
    const STEPS: usize = 3;
    let step = T::of(1e-5) * root;
    let slope = (f(root + step) - f(root - step)).detached() / (T::of(2.0) * step);
    let mut root = root;
    for _ in 0..STEPS {
        let at_root = f(root);
        root = root - (at_root - at_root.detached()) / nonzero(slope);
    }
    root
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::real::Dual;
    use approx::assert_relative_eq;
    use rstest::rstest;

    #[rstest]
    #[case::below(0.8, 0.8)]
    #[case::above(1.2, 1.2)]
    #[case::at_the_start(1.0, 1.0)]
    #[case::too_far_below(0.05, 0.1)]
    #[case::too_far_above(2.0, 1.0)]
    fn the_root_of_a_cubic(#[case] wanted: f64, #[case] expected: f64) {
        let root = below_or_above(1.0, &|x: f64| wanted.powi(3) - x * x * x);
        assert_relative_eq!(root, expected, max_relative = 1e-12);
    }

    #[test]
    fn a_root_has_derivatives() {
        let a = Dual::<f64, 1>::variable(0.5, 0);
        let root = below_or_above(Dual::constant(1.0), &|x| a - x * x);
        assert_relative_eq!(root.value, 0.5_f64.sqrt(), max_relative = 1e-14);
        assert_relative_eq!(
            root.derivatives[0],
            0.5 / 0.5_f64.sqrt(),
            max_relative = 1e-12
        );
    }
}
