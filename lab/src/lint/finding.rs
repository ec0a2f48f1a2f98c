//! A finding, and the list of all findings.

use core::fmt;

use jounce::core::Fault;
use serde::Serialize;

/// Severity of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Severity {
    /// The vehicle does not work.
    Error,
    /// The vehicle works badly.
    Warning,
    /// The vehicle deviates from the guide, as many good vehicles do.
    Note,
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Note => "note",
        })
    }
}

/// A fault of a vehicle: its place and value, the rule that it breaks, and a change to try.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// Severity of the finding.
    pub severity: Severity,
    /// Name of the rule, for example `damping-ratio`.
    pub rule: &'static str,
    /// Place, for example `front left` or `gearbox.switch_time`.
    pub place: String,
    /// The vehicle's value, with its unit.
    pub found: String,
    /// The expected value.
    pub wanted: String,
    /// Section of the guide.
    pub section: &'static str,
    /// Suggested change.
    pub proposal: String,
}

impl Finding {
    /// Whether two findings differ only in their places.
    fn says_what(&self, other: &Self) -> bool {
        let place = other.place.clone();
        *other
            == Self {
                place,
                ..self.clone()
            }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{} [{}] {}: {}",
            self.severity, self.rule, self.place, self.found
        )?;
        writeln!(f, "  wanted: {} ({})", self.wanted, self.section)?;
        write!(f, "  try: {}", self.proposal)
    }
}

/// Faults by the checks of vehicle files. Error; nothing else is checked then.
const VALID: Rule = Rule::new("valid", "checks of vehicle files");

impl From<Fault> for Finding {
    /// A value refused by the vehicle's own checks.
    fn from(fault: Fault) -> Self {
        Self {
            severity: Severity::Error,
            rule: VALID.name,
            place: fault.path,
            found: fault.value,
            wanted: fault.rule,
            section: VALID.section,
            proposal: "a value that satisfies the rule".to_owned(),
        }
    }
}

/// A rule: its name, and its section of the guide.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rule {
    name: &'static str,
    section: &'static str,
}

impl Rule {
    pub(super) const fn new(name: &'static str, section: &'static str) -> Self {
        Self { name, section }
    }
}

/// Findings being collected.
#[derive(Debug, Default)]
pub(super) struct Findings(Vec<Finding>);

impl Findings {
    /// Records a finding if there is a `severity`; equal findings at several places are merged.
    pub(super) fn add(
        &mut self,
        severity: impl Into<Option<Severity>>,
        rule: Rule,
        place: &str,
        found: String,
        [wanted, proposal]: [String; 2],
    ) {
        let Some(severity) = severity.into() else {
            return;
        };
        let finding = Finding {
            severity,
            rule: rule.name,
            place: place.to_owned(),
            found,
            wanted,
            section: rule.section,
            proposal,
        };
        match self.0.iter_mut().find(|known| known.says_what(&finding)) {
            Some(known) => known.place = format!("{}, {place}", known.place),
            None => self.0.push(finding),
        }
    }

    /// The most severe first, otherwise in the order found.
    pub(super) fn sorted(mut self) -> Vec<Finding> {
        self.0.sort_by_key(|finding| finding.severity);
        self.0
    }
}

/// Severity of a number outside a range: `grave` beyond the outer range, `slight` beyond the inner.
pub(super) fn graded(
    number: f32,
    (inner, slight): ([f32; 2], Severity),
    (outer, grave): ([f32; 2], Severity),
) -> Option<Severity> {
    let within = |[low, high]: [f32; 2]| (low..=high).contains(&number);
    if within(inner) {
        None
    } else if within(outer) {
        Some(slight)
    } else {
        Some(grave)
    }
}

/// `grave` if something is wrong.
pub(super) fn when(wrong: bool, grave: Severity) -> Option<Severity> {
    wrong.then_some(grave)
}

/// `grave` where a number is above the `most` that it may be.
pub(super) fn above<T: PartialOrd>(number: T, most: T, grave: Severity) -> Option<Severity> {
    when(number > most, grave)
}

/// `grave` where a number is below the `least` that it must be.
pub(super) fn below<T: PartialOrd>(number: T, least: T, grave: Severity) -> Option<Severity> {
    when(number < least, grave)
}

#[cfg(test)]
mod tests {
    use super::*;
    use Severity::{Error, Note, Warning};

    /// A number at a bound is within it.
    #[test]
    fn bounds_are_allowed() {
        let found = [1.9, 2.0, 2.1].map(|x| (below(x, 2.0, Error), above(x, 2.0, Note)));
        assert_eq!(
            found,
            [(Some(Error), None), (None, None), (None, Some(Note))]
        );
        let grade = |x: f32| graded(x, ([2.0, 3.0], Note), ([1.0, 4.0], Warning));
        let found = [0.9, 1.0, 1.9, 2.0, 3.0, 3.1, 4.0, 4.1].map(grade);
        let [note, warning] = [Some(Note), Some(Warning)];
        assert_eq!(
            found,
            [warning, note, note, None, None, note, note, warning]
        );
    }
}
