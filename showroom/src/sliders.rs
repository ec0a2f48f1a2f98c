//! Six sliders, each for many numbers of a vehicle file at once.

use jounce::file::find_value;
use serde::{Deserialize, Serialize};
use toml::{Table, Value};

use crate::numbers::{each, number, put, with};

/// A slider: a factor on numbers of the file as it was opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Slider {
    /// Torque of engine and motors.
    Power,
    /// Friction of the tires.
    Grip,
    /// Mass and inertia.
    Weight,
    /// Height of the center of mass.
    Height,
    /// Stiffness of the springs, with dampers that follow.
    Springs,
    /// Share of the front brakes.
    BrakeBalance,
}

/// Friction factors over the slip (–) of tires whose file has none: the same at any slip.
const FRICTION: [[f64; 2]; 3] = [[0.0, 1.0], [0.1, 1.0], [1.0, 1.0]];

/// Least share of their torque that rear brakes keep (–).
const LEAST: f64 = 0.1;

/// Numbers that grow with a factor: their paths, `*` for every index or name, and the exponent.
type Rule = (&'static str, f64);

impl Slider {
    /// All sliders.
    pub const ALL: [Self; 6] = [
        Self::Power,
        Self::Grip,
        Self::Weight,
        Self::Height,
        Self::Springs,
        Self::BrakeBalance,
    ];

    /// Name, and what it does, in one sentence.
    #[must_use]
    pub fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Power => ("Power", "Scales the torque of engine and motors."),
            Self::Grip => ("Grip", "Scales the friction of all tires."),
            Self::Weight => ("Weight", "Scales mass and inertia of the body."),
            Self::Height => ("Height", "Moves the center of mass up or down."),
            Self::Springs => (
                "Springs",
                "Scales springs, and dampers so that they damp alike.",
            ),
            Self::BrakeBalance => (
                "Brake balance",
                "Moves braking torque to the front axle or to the rear.",
            ),
        }
    }

    /// Least and greatest factor.
    #[must_use]
    pub fn range(self) -> [f64; 2] {
        match self {
            Self::Power | Self::Springs => [0.4, 2.5],
            Self::Grip => [0.3, 1.6],
            Self::Weight => [0.6, 1.6],
            Self::Height => [0.5, 1.6],
            Self::BrakeBalance => [0.6, 1.25],
        }
    }

    fn rules(self) -> &'static [Rule] {
        match self {
            Self::Power => &[
                ("drivetrain.engine.peak_torque", 1.0),
                ("drivetrain.engine.net_torque.*.1", 1.0),
                ("drivetrain.motors.*.peak_torque", 1.0),
                ("drivetrain.motors.*.peak_power", 1.0),
                ("drivetrain.max_torques.*", 1.0),
            ],
            Self::Grip => &[("axles.*.tire.friction_curve.*.1", 1.0)],
            Self::Weight => &[
                ("chassis.mass", 1.0),
                ("chassis.inertia.*", 1.0),
                ("coupling.load", 1.0),
            ],
            Self::Height => &[("chassis.center_of_mass.2", 1.0)],
            Self::Springs => &[
                ("axles.*.suspension.stiffness", 1.0),
                ("axles.*.suspension.damping", 0.5),
            ],
            Self::BrakeBalance => &[("axles.0.brakes.max_torque", 1.0)],
        }
    }

    /// The file `opened` where the slider has numbers of it; of grip, with the friction that it leaves out.
    fn base(self, opened: &Table) -> Table {
        let axles = opened
            .get("axles")
            .and_then(Value::as_array)
            .map_or(0, Vec::len);
        let mut base = opened.clone();
        for axle in (0..axles).filter(|_| self == Self::Grip) {
            let path = format!("axles.{axle}.tire.friction_curve");
            if find_value(&base, &path).is_none() {
                let curve = FRICTION.map(|point| Value::Array(point.map(Value::Float).into()));
                let curve = Value::Array(curve.into());
                base = put(&base, &path, &curve).unwrap_or(base);
            }
        }
        base
    }

    /// Numbers of the slider in the opened file, each with its exponent.
    fn numbers(self, opened: &Table) -> Vec<(String, f64, f64)> {
        let mut numbers = Vec::new();
        each(&self.base(opened), &mut |path, value| {
            let rule = self.rules().iter().find(|(rule, _)| fits(rule, path));
            if let (Some((_, exponent)), Some(value)) = (rule, number(value)) {
                numbers.push((path.to_owned(), value, *exponent));
            }
        });
        numbers
    }

    /// Present factor of a file that was opened as another one; `None` without numbers of this slider.
    #[must_use]
    pub fn factor(self, now: &Table, opened: &Table) -> Option<f64> {
        let numbers = self.numbers(opened);
        let (path, value, exponent) = numbers.iter().find(|(_, value, _)| *value != 0.0)?;
        let present = find_value(now, path).and_then(number).unwrap_or(*value);
        Some((present / value).powf(1.0 / exponent))
    }

    /// The file `now` with this factor on the numbers of the file as it was opened.
    #[must_use]
    pub fn set(self, now: &Table, opened: &Table, factor: f64) -> Table {
        let base = self.base(opened);
        let mut next = now.clone();
        if self == Self::Grip {
            let curves = base
                .get("axles")
                .and_then(Value::as_array)
                .map_or(0, Vec::len);
            for path in (0..curves).map(|axle| format!("axles.{axle}.tire.friction_curve")) {
                if let Some(curve) = find_value(&base, &path) {
                    next = put(&next, &path, curve).unwrap_or(next);
                }
            }
        }
        for (path, value, exponent) in self.numbers(opened) {
            next = with(&next, &path, rounded(value * factor.powf(exponent))).unwrap_or(next);
        }
        if self == Self::BrakeBalance {
            next = self.rear_brakes(next, opened, factor);
        }
        next
    }

    /// Takes from the other axles what the first one has more.
    fn rear_brakes(self, mut next: Table, opened: &Table, factor: f64) -> Table {
        let torque = |axle: usize| {
            let path = format!("axles.{axle}.brakes.max_torque");
            let value = find_value(opened, &path).and_then(number);
            value.map(|value| (path, value))
        };
        let rest: Vec<(String, f64)> = (1..).map_while(torque).collect();
        let sum: f64 = rest.iter().map(|(_, value)| value).sum();
        let Some((_, front)) = torque(0).filter(|_| sum > 0.0) else {
            return next;
        };
        let share = (1.0 - (factor - 1.0) * front / sum).max(LEAST);
        for (path, value) in rest {
            next = with(&next, &path, rounded(value * share)).unwrap_or(next);
        }
        next
    }
}

/// A number with five digits.
fn rounded(value: f64) -> f64 {
    let text = format!("{value:.4e}");
    text.parse().unwrap_or(value)
}

/// Whether a path is one of a rule.
fn fits(rule: &str, path: &str) -> bool {
    let (rule, path) = (rule.split('.'), path.split('.'));
    rule.clone().count() == path.clone().count() && rule.zip(path).all(|(a, b)| a == "*" || a == b)
}

#[cfg(test)]
mod tests {
    use super::*;
    use jounce::file::Car;
    use jounce::presets;

    fn table(name: &str) -> Table {
        let (_, text) = presets::FILES
            .into_iter()
            .find(|(known, _)| *known == name)
            .unwrap();
        text.parse().unwrap()
    }

    /// Every slider of every preset can be pushed to both ends, and comes back.
    #[test]
    fn sliders_keep_files_valid() {
        for (name, _) in presets::FILES {
            let file = table(name);
            for slider in Slider::ALL {
                let Some(factor) = slider.factor(&file, &file) else {
                    continue;
                };
                assert!((factor - 1.0).abs() < 1e-9, "{name} {slider:?}");
                for end in slider.range() {
                    let next = slider.set(&file, &file, end);
                    let car = Car::parse(&next.to_string(), name);
                    assert!(car.is_ok(), "{name} {slider:?} {end}: {}", car.unwrap_err());
                    let found = slider.factor(&next, &file).unwrap();
                    assert!((found - end).abs() < 2e-3, "{name} {slider:?}: {found}");
                }
            }
        }
    }

    #[test]
    fn sliders_change_what_they_say() {
        let file = table("sedan");
        let car = |slider: Slider, factor: f64| {
            let next = slider.set(&file, &file, factor).to_string();
            Car::parse(&next, "sedan").unwrap()
        };
        let plain = car(Slider::Weight, 1.0);
        let heavy = car(Slider::Weight, 1.5).mass() / plain.mass();
        assert!((heavy - 1.5).abs() < 0.01, "{heavy}");
        let low = car(Slider::Height, 0.5).center_of_mass().z;
        assert!((low / plain.center_of_mass().z - 0.5).abs() < 0.01);
        let brakes = Slider::BrakeBalance.set(&file, &file, 1.2);
        let sum = |file: &Table| -> f64 {
            let torque = |axle: usize| find_value(file, &format!("axles.{axle}.brakes.max_torque"));
            [0, 1]
                .iter()
                .map(|axle| torque(*axle).and_then(number).unwrap())
                .sum()
        };
        assert!((sum(&brakes) - sum(&file)).abs() < 1.0);
    }
}
