//! Unit and accepted range of one number of a vehicle file, all others unchanged. The library is asked with trial values:
//! this module knows no ranges itself.

use core::fmt;

use jounce::core::Fault;
use jounce::file::{Car, FileError, find_value};
use toml::Table;

use crate::numbers;

/// An end of a range.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limit {
    /// Value at the end of the range.
    pub at: f64,
    /// Whether the library accepts the value `at` itself.
    pub included: bool,
}

/// Unit and accepted range of a number of a vehicle file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Bounds {
    /// Unit of the number, as the library names it; empty without one.
    pub unit: String,
    /// The least value, if there is one.
    pub low: Option<Limit>,
    /// The greatest value, if there is one.
    pub high: Option<Limit>,
}

/// Magnitude beyond which no value is tried.
const FAR: f64 = 1e9;
/// Values at which ranges usually end.
const LIKELY: [f64; 3] = [0.0, 1.0, -1.0];
/// Distance beside such a value at which it is tried, as a share of its distance from the number; and the count of
/// halvings for any other end.
const BESIDE: f64 = 1e-3;
const HALVINGS: u32 = 45;

impl Bounds {
    /// Asks about the number at a path of a valid vehicle file; `None` if there is none.
    #[must_use]
    pub fn of(table: &Table, path: &str) -> Option<Self> {
        let found = find_value(table, path)?;
        let (value, whole) = (numbers::number(found)?, found.is_integer());
        let digits = if whole { f64::round } else { three_digits };
        let takes = |number: f64| {
            numbers::with(table, path, number)
                .is_some_and(|table| Car::parse(&table.to_string(), "").is_ok())
        };
        Some(Self {
            unit: unit(table, path),
            low: end(value, -FAR, digits, &takes),
            high: end(value, FAR, digits, &takes),
        })
    }
}

/// Finds the end of the accepted range from `value` toward `far`, rounded by `digits`; `None` if `far` is accepted.
fn end(value: f64, far: f64, digits: fn(f64) -> f64, takes: &dyn Fn(f64) -> bool) -> Option<Limit> {
    if takes(far) {
        return None;
    }
    let between = |at: &f64| (value.min(far)..=value.max(far)).contains(at);
    let likely = LIKELY.into_iter().filter(between).find(|at| {
        let beside = BESIDE * (value - at).abs().max(BESIDE) * (far - value).signum();
        takes(at - beside) && !takes(at + beside)
    });
    let at = likely.unwrap_or_else(|| {
        let (mut good, mut bad) = (value, far);
        for _ in 0..HALVINGS {
            let middle = 0.5 * (good + bad);
            if takes(middle) {
                good = middle;
            } else {
                bad = middle;
            }
        }
        digits(good)
    });
    Some(Limit {
        at,
        included: takes(at),
    })
}

/// Rounded to three digits.
fn three_digits(number: f64) -> f64 {
    format!("{number:.2e}").parse().unwrap_or(number)
}

/// The unit that the library tells with a number that is none.
fn unit(table: &Table, path: &str) -> String {
    let faulty = numbers::with(table, path, f64::NAN).unwrap_or_default();
    let Err(FileError::Invalid { faults, .. }) = Car::parse(&faulty.to_string(), "") else {
        return String::new();
    };
    let first_key = path.split('.').next().unwrap_or_default();
    let about = |fault: &&Fault| fault.path.starts_with(first_key) && fault.value.contains("NaN");
    let mut faults = faults.iter().map(|placed| &placed.fault);
    let told = faults.find(about).map_or("", |fault| {
        let value = fault
            .value
            .rsplit_once(']')
            .map_or(&*fault.value, |(_, unit)| unit);
        value.trim_start_matches("NaN").trim()
    });
    let angle = told.is_empty() || told == "rad";
    let in_degrees = path.split('.').any(|key| key.ends_with("_deg"));
    if in_degrees && angle { "°" } else { told }.to_owned()
}

impl fmt::Display for Bounds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = |limit: Limit, sign: &'static str| if limit.included { "" } else { sign };
        match (self.low, self.high) {
            (None, None) => write!(f, "any"),
            (Some(low), None) if low.included => write!(f, "≥ {}", low.at),
            (Some(low), None) => write!(f, "> {}", low.at),
            (None, Some(high)) if high.included => write!(f, "≤ {}", high.at),
            (None, Some(high)) => write!(f, "< {}", high.at),
            (Some(low), Some(high)) => {
                write!(f, "{}{} … ", sign(low, "> "), low.at)?;
                write!(f, "{}{}", sign(high, "< "), high.at)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sedan(path: &str) -> (String, String) {
        let table: Table = jounce::presets::FILES[0].1.parse().unwrap();
        let bounds = Bounds::of(&table, path).unwrap();
        (bounds.to_string(), bounds.unit)
    }

    #[test]
    fn units_and_ranges_are_the_librarys() {
        for (path, range, unit) in [
            ("axles.0.suspension.stiffness", "> 0", "N/m"),
            ("axles.0.suspension.damping", "≥ 0", "N·s/m"),
            ("axles.0.damping", "≥ 0", "N·m·s/rad"),
            ("axles.0.steering.ackermann", "0 … 1", ""),
            ("axles.0.steering.max_deg", "0 … < 90", "°"),
            ("aerodynamics.lift_front", "any", ""),
            ("drivetrain.gearbox.reverse.0", "< 0", ""),
            ("drivetrain.differential.rear_bias", "≥ 1", ""),
            ("rows.carcass_stiffness", "10 … 1000000", "1/m"),
            ("rows.sweeps", "1 … 20", ""),
            ("chassis.inertia.2", "> 0", "kg·m²"),
        ] {
            assert_eq!(sedan(path), (range.to_owned(), unit.to_owned()), "{path}");
        }
    }

    /// A first gear is longer than the second: the end of its range is another number of the file.
    #[test]
    fn an_end_may_be_another_number() {
        let table: Table = jounce::presets::FILES[0].1.parse().unwrap();
        let second = numbers::number(find_value(&table, "drivetrain.gearbox.forward.1").unwrap());
        let first = Bounds::of(&table, "drivetrain.gearbox.forward.0").unwrap();
        assert_eq!(first.low.map(|low| low.at), second);
        assert_eq!(Bounds::of(&table, "axles.0.wings"), None);
    }
}
