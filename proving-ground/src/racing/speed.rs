//! The fastest speeds along a line that the limits of a car allow.

use super::limits::{BRAKING, CarLimits};
use crate::track::Polyline;

/// Stretch over which the curvature of the line is a mean (`m`).
const STRETCH: f64 = 5.0;

/// Speeds at the points of a line (`m/s`), from rest on an open line.
///
/// Bends bound the speed first. Then no point is faster than what full throttle reaches from the point before, nor faster
/// than what the brakes take off until the next. Both get what the bend leaves of the ellipse of friction, whose half axes are
/// the greatest longitudinal and lateral accelerations (Milliken & Milliken, *Race Car Vehicle Dynamics*, 1995, chapter 9).
pub(super) fn profile(line: &Polyline, limits: &CarLimits) -> Vec<f64> {
    let (count, step) = (line.points().len(), line.step());
    let bends = (0..count).map(|n| {
        let s = n as f64 * step;
        line.curvature(s - 0.5 * STRETCH, s + 0.5 * STRETCH).abs()
    });
    let bends: Vec<f64> = bends.collect();
    let mut speeds: Vec<f64> = bends.iter().map(|bend| limits.in_bend(*bend)).collect();
    // A closed line begins with the speed at its end: in the second lap it is known.
    let steps = if line.is_closed() {
        2 * count
    } else {
        speeds[0] = 0.0;
        count - 1
    };
    let mut bound = |from: usize, to: usize, acceleration: fn(&CarLimits, f64, f64) -> f64| {
        let speed = speeds[from];
        let change = acceleration(limits, speed, speed * speed * bends[from]);
        speeds[to] = speeds[to].min((speed * speed + 2.0 * change * step).sqrt());
    };
    for n in 0..steps {
        bound(n % count, (n + 1) % count, |limits, speed, lateral| {
            let traction = limits.traction_beside(lateral, speed);
            limits.throttle_at(speed).min(traction)
        });
    }
    for n in (0..steps).rev() {
        bound((n + 1) % count, n % count, |limits, speed, lateral| {
            BRAKING * limits.braking_at(speed) * limits.left_beside(lateral, speed)
        });
    }
    speeds
}
