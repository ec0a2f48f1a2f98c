//! `[target]` of a vehicle file: what a car of its class does, by sources.
//!
//! Each key is a figure with its `value`, how far the vehicle may be from it (`tolerance`, in the same unit), and the
//! `source` of both. `jounce check --targets` drives the vehicle and compares. A vehicle that misses a target says why in
//! `missed`, until it no longer does.

use serde::Deserialize;
use vehicle_core::Inspector;

/// A figure of a whole car, as standards define it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TargetFigure {
    /// Time from rest to 100 km/h (`s`).
    ZeroTo100,
    /// Greatest speed on level ground in still air (`km/h`).
    TopSpeed,
    /// Distance from 100 km/h to rest, brakes fully pressed, engine disconnected (`m`; UN Regulation 13-H, type 0).
    BrakingDistance,
    /// Steering angle of the front wheels in addition to that of the path, over lateral acceleration (`°/g`; ISO 4138).
    UndersteerGradient,
    /// The greatest steady lateral acceleration (`m/s²`; ISO 4138).
    LateralAcceleration,
    /// Time of the yaw rate to 90 % after a step of the steering (`s`; ISO 7401).
    ResponseTime,
    /// Roll angle of the body over lateral acceleration (`°/g`; ISO 4138).
    RollGradient,
    /// Fuel on the WLTC (`l/100 km`; UN GTR No. 15).
    FuelConsumption,
    /// Energy out of the battery's terminals on the WLTC (`kWh/100 km`; UN GTR No. 15).
    EnergyConsumption,
}

impl TargetFigure {
    /// Every figure, in the order of reports.
    pub const ALL: [Self; 9] = [
        Self::ZeroTo100,
        Self::TopSpeed,
        Self::BrakingDistance,
        Self::UndersteerGradient,
        Self::LateralAcceleration,
        Self::ResponseTime,
        Self::RollGradient,
        Self::FuelConsumption,
        Self::EnergyConsumption,
    ];

    /// Key of the figure in files.
    #[must_use]
    pub const fn key(self) -> &'static str {
        match self {
            Self::ZeroTo100 => "zero_to_100",
            Self::TopSpeed => "top_speed",
            Self::BrakingDistance => "braking_distance",
            Self::UndersteerGradient => "understeer_gradient",
            Self::LateralAcceleration => "lateral_acceleration",
            Self::ResponseTime => "response_time",
            Self::RollGradient => "roll_gradient",
            Self::FuelConsumption => "fuel_consumption",
            Self::EnergyConsumption => "energy_consumption",
        }
    }

    /// Unit of the figure.
    #[must_use]
    pub const fn unit(self) -> &'static str {
        match self {
            Self::ZeroTo100 | Self::ResponseTime => "s",
            Self::TopSpeed => "km/h",
            Self::BrakingDistance => "m",
            Self::UndersteerGradient | Self::RollGradient => "°/g",
            Self::LateralAcceleration => "m/s²",
            Self::FuelConsumption => "l/100 km",
            Self::EnergyConsumption => "kWh/100 km",
        }
    }
}

/// A figure that a vehicle of a class should reach, with its tolerance and source.
#[derive(Clone, Debug, PartialEq)]
pub struct ClassTarget {
    /// Figure that the target is for.
    pub figure: TargetFigure,
    /// Target value, in the figure's unit.
    pub value: f32,
    /// Greatest allowed difference from the value, > 0, in the figure's unit.
    pub tolerance: f32,
    /// Source of value and tolerance: a book with edition and page, a standard, a published figure.
    pub source: String,
    /// Reason why the vehicle misses the target, if that is known.
    pub missed: Option<String>,
}

/// A measured value beside its target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TargetVerdict {
    /// The value is within the tolerance.
    Within,
    /// The value is outside the tolerance, as the file says.
    KnownMiss,
    /// The value is outside the tolerance.
    Missed,
    /// The value is within the tolerance, though the file says that it is missed.
    NoLongerMissed,
}

impl TargetVerdict {
    /// Whether this verdict asks for a change of the file.
    #[must_use]
    pub const fn fails(self) -> bool {
        matches!(self, Self::Missed | Self::NoLongerMissed)
    }
}

impl ClassTarget {
    /// The verdict on a measured value.
    #[must_use]
    pub fn verdict(&self, measured: f64) -> TargetVerdict {
        let holds = (measured - f64::from(self.value)).abs() <= f64::from(self.tolerance);
        match (holds, &self.missed) {
            (true, None) => TargetVerdict::Within,
            (false, None) => TargetVerdict::Missed,
            (false, Some(_)) => TargetVerdict::KnownMiss,
            (true, Some(_)) => TargetVerdict::NoLongerMissed,
        }
    }
}

/// The table, a key for each [`TargetFigure`].
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct TargetsFile {
    zero_to_100: Option<TargetFile>,
    top_speed: Option<TargetFile>,
    braking_distance: Option<TargetFile>,
    understeer_gradient: Option<TargetFile>,
    lateral_acceleration: Option<TargetFile>,
    response_time: Option<TargetFile>,
    roll_gradient: Option<TargetFile>,
    fuel_consumption: Option<TargetFile>,
    energy_consumption: Option<TargetFile>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct TargetFile {
    value: f32,
    tolerance: f32,
    source: String,
    missed: Option<String>,
}

impl TargetsFile {
    fn get(&self, figure: TargetFigure) -> Option<&TargetFile> {
        match figure {
            TargetFigure::ZeroTo100 => &self.zero_to_100,
            TargetFigure::TopSpeed => &self.top_speed,
            TargetFigure::BrakingDistance => &self.braking_distance,
            TargetFigure::UndersteerGradient => &self.understeer_gradient,
            TargetFigure::LateralAcceleration => &self.lateral_acceleration,
            TargetFigure::ResponseTime => &self.response_time,
            TargetFigure::RollGradient => &self.roll_gradient,
            TargetFigure::FuelConsumption => &self.fuel_consumption,
            TargetFigure::EnergyConsumption => &self.energy_consumption,
        }
        .as_ref()
    }

    /// The figures that the file gives.
    pub(super) fn targets(&self) -> Vec<ClassTarget> {
        let target = |figure| {
            let file = self.get(figure)?;
            Some(ClassTarget {
                figure,
                value: file.value,
                tolerance: file.tolerance,
                source: file.source.clone(),
                missed: file.missed.clone(),
            })
        };
        TargetFigure::ALL.into_iter().filter_map(target).collect()
    }

    /// Reports faults of the given targets.
    pub(super) fn check(&self, i: &mut Inspector) {
        for target in self.targets() {
            let (figure, unit) = (target.figure, target.figure.unit());
            i.within(figure.key(), |i| {
                // A car may steer neutrally, or oversteer.
                if figure == TargetFigure::UndersteerGradient {
                    i.finite("value", target.value, unit);
                } else {
                    i.positive("value", target.value, unit);
                }
                i.positive("tolerance", target.tolerance, unit);
                let mut said = |name: &str, text: &str, rule: &str| {
                    i.rule(!text.trim().is_empty(), name, format!("{text:?}"), "", rule);
                };
                let rule = "must name a book, a standard or a published figure";
                said("source", &target.source, rule);
                if let Some(cause) = &target.missed {
                    said("missed", cause, "must say why");
                }
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::file::Car;
    use crate::presets;
    use rstest::rstest;

    const TOP_SPEED: &str = "top_speed = { value = 200.0, tolerance = 5.0, source = \"a book\" }";

    /// The skateboard with this table instead of its own.
    fn with_table(table: &str) -> Result<Car, crate::file::FileError> {
        let (_, text) = presets::FILES
            .into_iter()
            .find(|(name, _)| *name == "skateboard")
            .unwrap();
        let mut file: toml::Table = text.parse().unwrap();
        file.insert(
            "target".to_owned(),
            table.parse::<toml::Table>().unwrap().into(),
        );
        Car::parse(&file.to_string(), "car.toml")
    }

    #[test]
    fn a_target_holds_within_its_tolerance() {
        let car = with_table(TOP_SPEED).unwrap();
        let [target] = &car.targets[..] else {
            panic!("{:?}", car.targets)
        };
        assert_eq!(target.figure, TargetFigure::TopSpeed);
        let speeds = [194.9, 195.1, 204.9, 205.1, f64::NAN];
        let held = speeds.map(|speed| target.verdict(speed) == TargetVerdict::Within);
        assert_eq!(held, [false, true, true, false, false]);
        let fails = speeds.map(|speed| target.verdict(speed).fails());
        assert_eq!(fails, [true, false, false, true, true]);
    }

    #[test]
    fn a_known_miss_must_be_missed() {
        let car = with_table(&TOP_SPEED.replace(" }", ", missed = \"no air\" }")).unwrap();
        let verdicts = [190.0, 200.0].map(|speed| car.targets[0].verdict(speed));
        let [missed, within] = [TargetVerdict::KnownMiss, TargetVerdict::NoLongerMissed];
        assert_eq!(verdicts, [missed, within]);
        assert_eq!(verdicts.map(TargetVerdict::fails), [false, true]);
    }

    #[test]
    fn every_figure_has_a_key() {
        for figure in TargetFigure::ALL {
            let car = with_table(&TOP_SPEED.replace("top_speed", figure.key())).unwrap();
            assert_eq!(car.targets[0].figure, figure);
        }
    }

    #[rstest]
    #[case(
        "200.0",
        "-1.0",
        "target.top_speed.value = -1 km/h: must be finite and > 0"
    )]
    #[case(
        "5.0",
        "0.0",
        "target.top_speed.tolerance = 0 km/h: must be finite and > 0"
    )]
    #[case(
        "a book",
        " ",
        "target.top_speed.source = \" \": must name a book, a standard or a published figure"
    )]
    #[case(
        "\"a book\"",
        "\"a book\", missed = \"\"",
        "target.top_speed.missed = \"\": must say why"
    )]
    #[case("top_speed", "speed", "target.speed")]
    #[case("tolerance", "within", "target.top_speed.within")]
    #[case(", source = \"a book\"", "", "target.top_speed.source = nothing")]
    #[case("200.0", "\"fast\"", "target.top_speed.value = \"fast\"")]
    fn faults_are_named(#[case] from: &str, #[case] to: &str, #[case] expected: &str) {
        let error = with_table(&TOP_SPEED.replacen(from, to, 1)).unwrap_err();
        let text = error.to_string();
        assert!(
            text.starts_with("car.toml: ") && text.contains(expected),
            "{text}"
        );
    }
}
