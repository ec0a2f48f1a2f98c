//! Rewards as named terms, each with a weight.

use crate::error::BatchError;
use crate::task::Has;

/// A term of the reward of one action.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Term {
    /// Time that passed (`s`).
    Time,
    /// Distance that the car moved forward (`m`).
    Forward,
    /// Distance that the car moved sideways (`m`), ≥ 0: a slide.
    Sideways,
    /// Sum of the squares of the action's changes (–).
    Effort,
    /// 1 in a step that passes a limit or is refused.
    Failure,
    /// Distance by which the car came nearer to its goal (`m`).
    Approach,
    /// 1 in the step that reaches the goal.
    Reached,
    /// Square of the speed in a step that passes a limit or is refused (`m²/s²`).
    Impact,
    /// Distance that the car moved along the center line of the track (`m`).
    Progress,
    /// Distance of the center of mass beyond an edge of the track (`m`), times the duration (`s`).
    OffTrack,
    /// 1 in the step that completes a lap.
    Lap,
    /// Progress (`m`) times how near the slip angle is to the one to hold: 1 there, 0 straight ahead and at twice of it.
    Drift,
}

impl Term {
    /// All terms.
    pub const ALL: [Self; 12] = [
        Self::Time,
        Self::Forward,
        Self::Sideways,
        Self::Effort,
        Self::Failure,
        Self::Approach,
        Self::Reached,
        Self::Impact,
        Self::Progress,
        Self::OffTrack,
        Self::Lap,
        Self::Drift,
    ];

    /// Name of the term.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Time => "time",
            Self::Forward => "forward",
            Self::Sideways => "sideways",
            Self::Effort => "effort",
            Self::Failure => "failure",
            Self::Approach => "approach",
            Self::Reached => "reached",
            Self::Impact => "impact",
            Self::Progress => "progress",
            Self::OffTrack => "off_track",
            Self::Lap => "lap",
            Self::Drift => "drift",
        }
    }

    /// Whether cars of such a task have it.
    const fn is_known(self, has: Has) -> bool {
        match self {
            Self::Approach | Self::Reached => has.goal,
            Self::Progress | Self::OffTrack | Self::Lap => has.track,
            Self::Drift => has.track && has.slip,
            _ => true,
        }
    }
}

/// What happened in one step of a batch, as terms see it.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Happened {
    /// Duration (`s`).
    pub(crate) time: f32,
    /// Speeds at the end (`m/s`): forward, and to the left.
    pub(crate) forward_speed: f32,
    pub(crate) lateral_speed: f32,
    pub(crate) effort: f32,
    pub(crate) failed: bool,
    /// How much nearer the goal is (`m`).
    pub(crate) approach: f32,
    pub(crate) reached: bool,
    /// Distance along the track (`m`).
    pub(crate) progress: f32,
    /// Distance beyond an edge of the track (`m`), ≥ 0.
    pub(crate) beyond: f32,
    pub(crate) lap: bool,
    /// Nearness of the slip angle to the one to hold, 0…1.
    pub(crate) drift: f32,
}

impl Happened {
    pub(crate) fn square_of_speed(&self) -> f32 {
        self.forward_speed * self.forward_speed + self.lateral_speed * self.lateral_speed
    }
}

/// Terms with their weights, in the order of the terms' columns.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Rewards(Vec<(Term, f32)>);

impl Rewards {
    /// The rewards with these names and weights.
    pub(crate) fn new(weights: &[(String, f32)], has: Has) -> Result<Self, BatchError> {
        let known = || Term::ALL.into_iter().filter(|it| it.is_known(has));
        let mut terms: Vec<(Term, f32)> = Vec::new();
        for (name, weight) in weights {
            let found = known().find(|term| term.name() == name);
            let names = known().map(Term::name);
            let term = found.ok_or_else(|| BatchError::unknown("rewards", name, names))?;
            if !weight.is_finite() || terms.iter().any(|(other, _)| *other == term) {
                let argument = format!("rewards.{name}");
                let expected = "finite, and named once";
                return Err(BatchError::argument(argument, expected, weight, ""));
            }
            terms.push((term, *weight));
        }
        Ok(Self(terms))
    }

    pub(crate) fn names(&self) -> impl Iterator<Item = &'static str> {
        self.0.iter().map(|(term, _)| term.name())
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// Writes the weighted terms, and returns their sum.
    pub(crate) fn write(&self, happened: &Happened, terms: &mut [f32]) -> f32 {
        let one_if = |holds: bool| f32::from(u8::from(holds));
        let mut sum = 0.0;
        for ((term, weight), out) in self.0.iter().zip(terms) {
            let value = match term {
                Term::Time => happened.time,
                Term::Forward => happened.forward_speed * happened.time,
                Term::Sideways => happened.lateral_speed.abs() * happened.time,
                Term::Effort => happened.effort,
                Term::Failure => one_if(happened.failed),
                Term::Approach => happened.approach,
                Term::Reached => one_if(happened.reached),
                Term::Impact => one_if(happened.failed) * happened.square_of_speed(),
                Term::Progress => happened.progress,
                Term::OffTrack => happened.beyond * happened.time,
                Term::Lap => one_if(happened.lap),
                Term::Drift => happened.drift * happened.progress,
            };
            *out = weight * value;
            sum += *out;
        }
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: Has = Has {
        goal: true,
        track: true,
        slip: true,
    };

    #[test]
    fn each_term_has_its_value_times_its_weight() {
        let weights = Term::ALL.map(|term| (term.name().to_owned(), 2.0));
        let rewards = Rewards::new(&weights, ALL).unwrap();
        let happened = Happened {
            time: 0.5,
            forward_speed: 4.0,
            lateral_speed: -3.0,
            effort: 7.0,
            failed: true,
            approach: 0.25,
            reached: false,
            progress: 1.5,
            beyond: 3.0,
            lap: true,
            drift: 0.5,
        };
        let mut terms = [0.0; 12];
        let sum = rewards.write(&happened, &mut terms);
        assert_eq!(
            terms,
            [1.0, 4.0, 3.0, 14.0, 2.0, 0.5, 0.0, 50.0, 3.0, 3.0, 2.0, 1.5]
        );
        assert_eq!(sum, 84.0);
        assert!(rewards.names().eq(Term::ALL.map(Term::name)));
    }

    #[test]
    fn bad_terms_are_refused() {
        let told = |weights: &[(&str, f32)], has| {
            let named = weights
                .iter()
                .map(|&(name, weight)| (name.to_owned(), weight));
            let weights: Vec<_> = named.collect();
            Rewards::new(&weights, has).unwrap_err().to_string()
        };
        let near = "rewards: \"forwards\" is not known, did you mean forward?";
        assert_eq!(told(&[("forwards", 1.0)], ALL), near);
        for name in ["reached", "progress", "lap", "off_track", "drift"] {
            let error = told(&[(name, 1.0)], Has::default());
            assert!(error.starts_with(&format!("rewards: {name:?} is not known")));
        }
        let without = Has { slip: false, ..ALL };
        assert!(told(&[("drift", 1.0)], without).contains("not known"));
        let expected = "rewards.time = NaN: must be finite, and named once";
        assert_eq!(told(&[("time", f32::NAN)], ALL), expected);
        assert!(told(&[("time", 1.0), ("time", 2.0)], ALL).contains("once"));
    }
}
