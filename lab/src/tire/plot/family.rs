//! Parameters of the families: loads, and slip ranges around the peaks.

use super::subject::{State, Subject};

/// Half widths of the axis of slip angles (`°`).
const ANGLES: [f64; 6] = [5.0, 10.0, 15.0, 20.0, 30.0, 45.0];
/// Half widths of the axis of slip ratios (`%`).
const RATIOS: [f64; 7] = [5.0, 10.0, 20.0, 30.0, 40.0, 60.0, 100.0];
/// Extent of an axis relative to the slip of the peak at nominal load.
const BEYOND: f64 = 1.5;
/// Step of loads over the nominal load.
const STEP: f64 = 0.4;
/// Loads of a family.
const COUNT: u8 = 4;
/// Human-readable steps, over a power of ten.
const ROUND: [f64; 10] = [1.0, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0];

/// The smallest half width that reaches far enough, otherwise the largest.
fn least(reaches: &[f64], far: f64) -> f64 {
    let enough = reaches.iter().find(|reach| **reach >= far);
    enough.or(reaches.last()).copied().unwrap_or(far)
}

/// Common parameters of all curves on a page, for comparison.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Family {
    /// Loads (`N`), ascending.
    pub(super) loads: Vec<f64>,
    /// Load of curves at one load (`N`).
    pub(super) at: f64,
    /// Friction of the surface (–).
    pub(super) friction: f64,
    /// Maximum slip angle (`°`).
    pub(super) angle: f64,
    /// Maximum slip ratio (`%`).
    pub(super) ratio: f64,
}

impl Family {
    /// Family of these tires, at these loads (`N`) or by default at round ones.
    pub(super) fn of(subjects: &[Subject], loads: &[f64], friction: f64) -> Self {
        let nominal: Vec<f64> = subjects.iter().map(Subject::nominal_load).collect();
        let logs = nominal.iter().map(|load| libm::log(*load));
        let mean = libm::exp(logs.sum::<f64>() / nominal.len() as f64);
        let alike = nominal.windows(2).all(|pair| pair[0] == pair[1]);
        let at = if alike { nominal[0] } else { round(mean) };
        let mut loads = if loads.is_empty() {
            round_loads(subjects, mean, at)
        } else {
            loads.to_vec()
        };
        loads.sort_by(f64::total_cmp);
        loads.dedup();
        let far = |peak: fn(&Subject, &State, f64) -> Peak| {
            let peaks = subjects.iter().flat_map(|subject| {
                let state = State {
                    load: subject.nominal_load(),
                    friction,
                    ..State::default()
                };
                [-1.0, 1.0].map(|sign| peak(subject, &state, sign).slip)
            });
            BEYOND * peaks.fold(0.0, |far, slip| slip.abs().max(far))
        };
        Self {
            at,
            friction,
            angle: least(&ANGLES, far(across).to_degrees()),
            ratio: least(&RATIOS, 100.0 * far(along)),
            loads,
        }
    }

    /// The maximum load of the family (`N`).
    pub(super) fn greatest_load(&self) -> f64 {
        self.loads.last().copied().unwrap_or(self.at)
    }

    /// The loads as text.
    pub(super) fn words(&self) -> String {
        let loads = self.loads.iter().map(|load| newtons(*load));
        loads.collect::<Vec<_>>().join(", ")
    }
}

/// Multiples of a round load around the nominal one, within the range of any of the tires.
fn round_loads(subjects: &[Subject], nominal: f64, at: f64) -> Vec<f64> {
    let step = round(STEP * nominal);
    let covered = |load: &f64| {
        let within = |[low, high]: [f64; 2]| (low..=high).contains(load);
        subjects.iter().any(|s| s.loads().is_none_or(within))
    };
    let loads = (1..=COUNT).map(|n| f64::from(n) * step);
    let loads: Vec<f64> = loads.filter(covered).collect();
    if loads.is_empty() { vec![at] } else { loads }
}

/// The nearest round number, `x` > 0.
pub(super) fn round(x: f64) -> f64 {
    let power = 10.0_f64.powf(x.log10().floor());
    let far = |step: &f64| (step * power / x).ln().abs();
    let steps = ROUND.into_iter();
    let nearest = steps.min_by(|a, b| far(a).total_cmp(&far(b)));
    nearest.map_or(x, |step| step * power)
}

/// A load (`N`) in human-readable form.
pub(super) fn newtons(load: f64) -> String {
    if load < 1000.0 {
        format!("{} N", load.round())
    } else {
        format!("{} kN", (load / 10.0).round() / 100.0)
    }
}

/// The maximum force in a direction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Peak {
    /// Force over load (–).
    pub(super) friction: f64,
    /// The minimum slip at which it is reached (– or rad).
    pub(super) slip: f64,
}

/// The maximum longitudinal force at slip ratios of a sign, up to 100 %.
pub(super) fn along(subject: &Subject, state: &State, sign: f64) -> Peak {
    let slips = (1..=1000).map(|n| sign * f64::from(n) / 1000.0);
    peak(slips, |ratio| {
        let forces = subject.forces(&State { ratio, ..*state });
        sign * f64::from(forces.longitudinal) / state.load
    })
}

/// The maximum lateral force at slip angles of a sign, up to 45°.
pub(super) fn across(subject: &Subject, state: &State, sign: f64) -> Peak {
    let slips = (1..=900).map(|n| (sign * f64::from(n) / 20.0).to_radians());
    peak(slips, |angle| {
        let forces = subject.forces(&State { angle, ..*state });
        -sign * f64::from(forces.lateral) / state.load
    })
}

fn peak(slips: impl Iterator<Item = f64>, friction: impl Fn(f64) -> f64) -> Peak {
    let curve: Vec<Peak> = slips
        .map(|slip| Peak {
            friction: friction(slip),
            slip,
        })
        .collect();
    let none = Peak {
        friction: 0.0,
        slip: 0.0,
    };
    let greatest = curve.iter().map(|at| at.friction).fold(0.0, f64::max);
    // Saturating laws approach their maximum slowly.
    let reached = |at: &&Peak| at.friction >= greatest * (1.0 - 1e-4);
    curve.iter().find(reached).copied().unwrap_or(none)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    #[rstest]
    #[case(1600.0, 1500.0)]
    #[case(2700.8, 2500.0)]
    #[case(0.97, 1.0)]
    #[case(95.0, 100.0)]
    fn steps_are_round(#[case] x: f64, #[case] step: f64) {
        assert!((round(x) - step).abs() < 1e-9 * step, "{}", round(x));
    }

    #[rstest]
    #[case(240.4, "240 N")]
    #[case(6752.0, "6.75 kN")]
    #[case(10_000.0, "10 kN")]
    fn loads_are_short(#[case] load: f64, #[case] text: &str) {
        assert_eq!(newtons(load), text);
    }

    #[test]
    fn an_axis_is_the_least_that_goes_far_enough() {
        let reach = [4.9, 5.0, 5.1, 45.0, 46.0].map(|far| least(&ANGLES, far));
        assert_eq!(reach, [5.0, 5.0, 10.0, 45.0, 45.0]);
    }

    #[test]
    fn a_peak_is_the_end_of_a_saturating_curve_or_the_maximum_of_a_falling_one() {
        let slips = || (1..=100).map(|n| f64::from(n) / 100.0);
        let saturating = peak(slips(), |slip| (slip / 0.3).min(1.0));
        assert_eq!((saturating.friction, saturating.slip), (1.0, 0.3));
        let falling = peak(slips(), |slip| 1.2 - (slip - 0.1).abs());
        assert_eq!((falling.friction, falling.slip), (1.2, 0.1));
        assert_eq!(peak(slips(), |_| 0.0).friction, 0.0);
    }
}
