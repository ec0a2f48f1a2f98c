//! Checked parameters: all faults are reported at once, and afterwards no step can fail on them.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;
use core::ops::Deref;

use glam::Vec3;

/// One parameter that breaks a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Path, for example `wheels[2].suspension.stiffness`.
    pub path: String,
    /// Value and unit, for example `-2 N/m`.
    pub value: String,
    /// The violated rule, for example `must be > 0`.
    pub rule: String,
}

impl Fault {
    /// A fault of the parameter `path`, with its value and unit; an empty unit for none.
    #[must_use]
    pub fn new(
        path: impl fmt::Display,
        value: impl fmt::Display,
        unit: &str,
        rule: impl fmt::Display,
    ) -> Self {
        let value = value.to_string();
        let value = if unit.is_empty() {
            value
        } else {
            format!("{value} {unit}")
        };
        Self {
            path: path.to_string(),
            value,
            rule: rule.to_string(),
        }
    }
}

impl core::error::Error for Fault {}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} = {}: {}", self.path, self.value, self.rule)
    }
}

/// All faults of a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InvalidParams(pub Vec<Fault>);

impl fmt::Display for InvalidParams {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} invalid parameter(s):", self.0.len())?;
        self.0.iter().try_for_each(|fault| write!(f, "\n{fault}"))
    }
}

impl core::error::Error for InvalidParams {}

/// Collects faults during a check.
#[derive(Clone, Debug, Default)]
pub struct Inspector {
    path: Vec<String>,
    faults: Vec<Fault>,
}

impl Inspector {
    /// An inspector without faults.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Checks a part with the path `name`.
    pub fn within(&mut self, name: impl fmt::Display, look: impl FnOnce(&mut Self)) {
        self.path.push(name.to_string());
        look(self);
        self.path.pop();
    }

    /// Records a fault of `name` unless the rule is `met`.
    pub fn rule(
        &mut self,
        holds: bool,
        name: &str,
        value: impl fmt::Display,
        unit: &str,
        rule: impl fmt::Display,
    ) {
        if holds {
            return;
        }
        let mut path = self.path.join(".");
        if !path.is_empty() && !name.is_empty() {
            path.push('.');
        }
        path.push_str(name);
        self.faults.push(Fault::new(path, value, unit, rule));
    }

    /// `value` must be finite and > 0.
    pub fn positive(&mut self, name: &str, value: f32, unit: &str) {
        let met = value > 0.0 && value.is_finite();
        self.rule(met, name, value, unit, "must be finite and > 0");
    }

    /// `value` must be finite and ≥ 0.
    pub fn not_negative(&mut self, name: &str, value: f32, unit: &str) {
        let met = value >= 0.0 && value.is_finite();
        self.rule(met, name, value, unit, "must be finite and >= 0");
    }

    /// `value` must be finite.
    pub fn finite(&mut self, name: &str, value: f32, unit: &str) {
        self.rule(value.is_finite(), name, value, unit, "must be finite");
    }

    /// `value` must lie within `low..=high`.
    pub fn within_range(&mut self, name: &str, value: f32, low: f32, high: f32, unit: &str) {
        let rule = format!("must be within {low}..={high}");
        self.rule(value >= low && value <= high, name, value, unit, rule);
    }

    /// Every component of `value` must be finite.
    pub fn finite_vector(&mut self, name: &str, value: Vec3, unit: &str) {
        self.rule(value.is_finite(), name, value, unit, "must be finite");
    }

    /// The faults.
    ///
    /// # Errors
    /// If there are any.
    pub fn verdict(self) -> Result<(), InvalidParams> {
        if self.faults.is_empty() {
            Ok(())
        } else {
            Err(InvalidParams(self.faults))
        }
    }
}

/// Parameters that can be checked.
pub trait Check {
    /// Reports every fault to `inspector`.
    fn check(&self, inspector: &mut Inspector);
}

/// Parameters that have passed their check.
#[derive(Clone, Debug, PartialEq)]
pub struct Checked<P>(P);

impl<P: Check> Checked<P> {
    /// Checks `params`.
    ///
    /// # Errors
    /// With all faults, if there are any.
    pub fn new(params: P) -> Result<Self, InvalidParams> {
        let mut inspector = Inspector::new();
        params.check(&mut inspector);
        inspector.verdict().map(|()| Self(params))
    }

    /// Returns the parameters, to change and check them again.
    #[must_use]
    pub fn into_inner(self) -> P {
        self.0
    }
}

impl<P> Deref for Checked<P> {
    type Target = P;
    fn deref(&self) -> &P {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Spring {
        stiffness: f32,
        travel: f32,
    }

    impl Check for Spring {
        fn check(&self, inspector: &mut Inspector) {
            inspector.within("suspension", |i| {
                i.positive("stiffness", self.stiffness, "N/m");
                i.positive("travel", self.travel, "m");
            });
        }
    }

    #[test]
    fn every_fault_is_reported_with_path_value_unit_and_rule() {
        let bad = Spring {
            stiffness: -2.0,
            travel: f32::NAN,
        };
        let error = Checked::new(bad).map(|_| ()).unwrap_err();
        assert_eq!(
            error.to_string(),
            "2 invalid parameter(s):\n\
             suspension.stiffness = -2 N/m: must be finite and > 0\n\
             suspension.travel = NaN m: must be finite and > 0"
        );
    }

    #[test]
    fn good_parameters_pass_and_can_be_read() {
        let good = Checked::new(Spring {
            stiffness: 3e4,
            travel: 0.2,
        });
        assert_eq!(good.unwrap().travel, 0.2);
    }
}
