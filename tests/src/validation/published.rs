//! Cars with public parameters, beside published figures and those of a quasi-steady model with the same parameters.

use jounce::file::{Car, TargetFigure};
use proving_ground::ProvingError;
use proving_ground::performance::{fastest_bend, measure};
use serde_json::Value;

use super::{Apart, BadRecord, Reckoning};

/// Greatest difference from a published figure (%).
const fn bound(figure: TargetFigure) -> f64 {
    match figure {
        TargetFigure::TopSpeed => 2.0,
        _ => 5.0,
    }
}

const fn name(figure: TargetFigure) -> &'static str {
    match figure {
        TargetFigure::ZeroTo100 => ZERO_TO_100,
        TargetFigure::TopSpeed => "top speed [km/h]",
        TargetFigure::BrakingDistance => "braking distance [m]",
        TargetFigure::UndersteerGradient => "understeer gradient [°/g]",
        TargetFigure::LateralAcceleration => LATERAL,
        TargetFigure::ResponseTime => "response time [s]",
        TargetFigure::RollGradient => "roll gradient [°/g]",
        TargetFigure::FuelConsumption => "fuel [l/100 km]",
        TargetFigure::EnergyConsumption => "energy [kWh/100 km]",
    }
}

pub(super) const ZERO_TO_100: &str = "0 to 100 km/h [s]";
const LATERAL: &str = "lateral acceleration [m/s²]";
/// Speeds of bends (`km/h`).
const BENDS: [f64; 3] = [100.0, 150.0, 200.0];

/// Recorded figures of a quasi-steady model of a car.
#[derive(Clone, Debug, PartialEq)]
pub struct QuasiSteadyFigures {
    /// Time to 100 km/h (`s`), and top speed (`km/h`).
    straight: [f64; 2],
    /// Speeds (`m/s`), ascending, and the greatest lateral acceleration (`m/s²`) at each.
    lateral: Vec<[f64; 2]>,
}

impl QuasiSteadyFigures {
    /// Reads a file of figures.
    ///
    /// # Errors
    /// If it is not JSON, or lacks a figure.
    pub fn read(text: &str) -> Result<Self, BadRecord> {
        let value: Value =
            serde_json::from_str(text).map_err(|error| BadRecord::Syntax(1, error.to_string()))?;
        let number = |key: &'static str| value[key].as_f64().ok_or(BadRecord::Lacks(1, key));
        let pair = |row: &Value| Some([row[0].as_f64()?, row[1].as_f64()?]);
        let rows = value["lateral_acceleration"].as_array();
        let lateral: Option<Vec<_>> = rows.into_iter().flatten().map(pair).collect();
        let lateral = lateral.filter(|rows| rows.len() > 1);
        Ok(Self {
            straight: [number("zero_to_100")?, number("top_speed")?],
            lateral: lateral.ok_or(BadRecord::Lacks(1, "lateral_acceleration"))?,
        })
    }

    /// The greatest lateral acceleration at a speed (`m/s`), linear between those that are recorded.
    fn lateral_at(&self, speed: f64) -> f64 {
        let between = self.lateral.windows(2);
        let mut around = between.filter(|pair| pair[0][0] <= speed && speed <= pair[1][0]);
        around.next().map_or(f64::NAN, |pair| {
            let [[from, low], [to, high]] = [pair[0], pair[1]];
            low + (high - low) * (speed - from) / (to - from)
        })
    }
}

/// Figures of a car beside the published ones in its file.
///
/// # Errors
/// If it cannot be driven.
pub fn published(car: &Car) -> Result<Vec<Reckoning>, ProvingError> {
    let figures: Vec<_> = car.targets.iter().map(|target| target.figure).collect();
    let measured = measure(car, &figures)?;
    let pairs = car.targets.iter().zip(measured);
    let found = pairs.map(|(target, ours)| {
        let at = "published".to_owned();
        reckoning(&car.name, target.figure, at, [ours, target.value.into()])
    });
    Ok(found.collect())
}

/// Figures of a car beside a quasi-steady model of it.
///
/// # Errors
/// If it cannot be driven.
pub fn quasi_steady(car: &Car, model: &QuasiSteadyFigures) -> Result<Vec<Reckoning>, ProvingError> {
    let figures = [TargetFigure::ZeroTo100, TargetFigure::TopSpeed];
    let measured = measure(car, &figures)?;
    let subject = format!("{}, quasi-steady", car.name);
    let straight = figures.into_iter().zip(measured).zip(model.straight);
    let mut found: Vec<Reckoning> = straight
        .map(|((figure, ours), theirs)| {
            reckoning(&subject, figure, "flat out".to_owned(), [ours, theirs])
        })
        .collect();
    for wanted in BENDS {
        let [speed, ours] = fastest_bend(car, wanted / 3.6)?;
        let figure = TargetFigure::LateralAcceleration;
        let values = [ours, model.lateral_at(speed)];
        found.push(reckoning(
            &subject,
            figure,
            format!("{wanted} km/h"),
            values,
        ));
    }
    Ok(found)
}

fn reckoning(
    subject: &str,
    figure: TargetFigure,
    at: String,
    [ours, theirs]: [f64; 2],
) -> Reckoning {
    Reckoning {
        subject: subject.to_owned(),
        figure: name(figure),
        at,
        ours,
        theirs,
        apart: Apart::Percent,
        bound: bound(figure),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_read_and_interpolated() {
        let text =
            r#"{"zero_to_100":3.5,"top_speed":228,"lateral_acceleration":[[10,12],[20,14]]}"#;
        let figures = QuasiSteadyFigures::read(text).unwrap();
        assert_eq!(figures.straight, [3.5, 228.0]);
        assert_eq!(figures.lateral_at(15.0), 13.0);
        assert!(figures.lateral_at(21.0).is_nan());
        for key in ["zero_to_100", "top_speed", "lateral_acceleration"] {
            let error = QuasiSteadyFigures::read(&text.replace(key, "other")).unwrap_err();
            assert_eq!(error, BadRecord::Lacks(1, key));
        }
    }
}
