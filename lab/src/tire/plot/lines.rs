//! Lines of a law: the variable along a curve, the curves of a family, and their names.

use glam::DVec2;
use jounce::core::TireForces;

use super::family::round;
use super::subject::{State, Subject};
use crate::report::{FamilyCurve, Place};

/// Number of points of a curve over slip, and over load.
const POINTS: [u16; 2] = [240, 40];
/// Fixed slips of curves of combined slip, over the maximum slip of pure slip.
const KEPT: [f64; 4] = [0.05, 0.1, 0.2, 0.6];
/// Page colors of the tires in order: neighbors differ most. Further tires repeat them.
const COLORS: [usize; 12] = [0, 1, 4, 5, 3, 2, 8, 7, 9, 10, 6, 11];

/// Points, and whether they are known or extrapolated.
pub(super) type Points = Vec<(DVec2, bool)>;

/// The variable along a curve.
#[derive(Clone, Copy, Debug)]
pub(super) enum Vary {
    /// Slip ratio (`%`).
    Ratio,
    /// Slip angle (`°`).
    Angle,
    /// Camber (`°`).
    Camber,
}

impl Vary {
    fn state(self, value: f64, at: &State) -> State {
        let mut state = *at;
        match self {
            Self::Ratio => state.ratio = value / 100.0,
            Self::Angle => state.angle = value.to_radians(),
            Self::Camber => state.camber = value.to_radians(),
        }
        state
    }
}

/// The law's output along a variable; `point` gets the value and the forces.
pub(super) fn sweep(
    subject: &Subject,
    vary: Vary,
    values: impl Iterator<Item = f64>,
    at: &State,
    point: impl Fn(f64, &TireForces) -> DVec2,
) -> Points {
    let points = values.map(|value| {
        let state = vary.state(value, at);
        let forces = subject.forces(&state);
        (point(value, &forces), subject.covers(&state))
    });
    points.collect()
}

/// Evenly spaced values from −`most` to `most`.
pub(super) fn even(most: f64) -> impl Iterator<Item = f64> {
    let count = POINTS[0];
    (0..=count).map(move |n| most * (2.0 * f64::from(n) / f64::from(count) - 1.0))
}

/// Values from −`most` to `most`, denser at small slip.
pub(super) fn dense(most: f64) -> impl Iterator<Item = f64> {
    even(1.0).map(move |share| most * share * share * share)
}

/// A tire's property over loads up to the largest (`N`), drawn in kN; `at` is its state otherwise.
pub(super) fn over_load(
    subject: &Subject,
    greatest: f64,
    at: &State,
    value: impl Fn(&Subject, &State) -> f64,
) -> Points {
    let count = POINTS[1];
    let shares = (1..=count).map(|n| f64::from(n) / f64::from(count));
    let points = shares.map(|share| {
        let load = share * greatest;
        let state = State { load, ..*at };
        let point = DVec2::new(load / 1e3, value(subject, &state));
        (point, subject.covers(&state))
    });
    points.collect()
}

/// Longitudinal force to the right, lateral force upward (`kN`).
pub(super) fn plane(_: f64, forces: &TireForces) -> DVec2 {
    DVec2::new(f64::from(forces.longitudinal), f64::from(forces.lateral)) / 1e3
}

/// Lateral force (`kN`) over the variable.
pub(super) fn lateral(value: f64, forces: &TireForces) -> DVec2 {
    DVec2::new(value, f64::from(forces.lateral) / 1e3)
}

/// Returns the curve, or nothing if it is zero everywhere.
pub(super) fn unless_zero(curve: Points) -> Points {
    if curve.iter().all(|(at, _)| at.y == 0.0) {
        return Vec::new();
    }
    curve
}

/// A line for each tire and member of a family, unless it has no points; labels are at the lines of
/// the first tire that has some.
pub(super) fn family<M>(
    subjects: &[Subject],
    members: &[M],
    name: impl Fn(&Subject, &M) -> String,
    place: Place,
    points: impl Fn(&Subject, &M) -> Points,
) -> Vec<FamilyCurve> {
    let mut lines: Vec<FamilyCurve> = Vec::new();
    let mut labeled = None;
    for (place_of, (subject, color)) in subjects.iter().zip(COLORS.into_iter().cycle()).enumerate()
    {
        for (n, member) in members.iter().enumerate() {
            let (text, points) = (name(subject, member), points(subject, member));
            if points.is_empty() {
                continue;
            }
            let first = *labeled.get_or_insert(place_of) == place_of;
            // The legend shows the last line of a tire, the most prominent one.
            let in_legend = subjects.len() > 1 && n + 1 == members.len();
            lines.push(FamilyCurve {
                legend: if in_legend {
                    subject.name.clone()
                } else {
                    String::new()
                },
                name: if text.is_empty() {
                    subject.name.clone()
                } else {
                    format!("{}, {text}", subject.name)
                },
                label: (place, if first { text } else { String::new() }),
                color,
                strength: (n + 1) as f64 / members.len() as f64,
                points,
            });
        }
    }
    lines
}

/// Round fixed slips on both sides of zero for curves of combined slip.
pub(super) fn kept(reach: f64) -> Vec<f64> {
    let right = KEPT.map(|share| round(share * reach));
    let left = right.iter().rev().map(|slip| -slip);
    left.chain([0.0]).chain(right).collect()
}

/// A number with its sign.
pub(super) fn signed(value: f64, unit: &str) -> String {
    let size = (value.abs() * 100.0).round() / 100.0;
    let sign = if value < 0.0 { "−" } else { "" };
    format!("{sign}{size}{unit}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_go_from_end_to_end_through_zero() {
        for values in [even(20.0).collect::<Vec<_>>(), dense(20.0).collect()] {
            assert_eq!((values[0], values[120], values[240]), (-20.0, 0.0, 20.0));
            assert!(values.is_sorted());
        }
    }

    #[test]
    fn fixed_slips_are_round_and_on_both_sides() {
        let slips = [-10.0, -3.0, -1.5, -0.8, 0.0, 0.8, 1.5, 3.0, 10.0];
        let found = kept(15.0);
        for (slip, found) in slips.iter().zip(&found) {
            assert!((slip - found).abs() < 1e-9, "{found}");
        }
        assert_eq!(found.len(), slips.len());
        assert_eq!([signed(-0.8, "°"), signed(25.0, " %")], ["−0.8°", "25 %"]);
    }
}
