//! Tires of the laws before the Magic Formulas of 1996: `PAC89`, `PAC94` and `FIALA`.

use core::fmt::Write as _;

use jounce::core::{Checked, InvalidParams};
use jounce::tires::pacejka::Shapes;
use jounce::tires::steady::{Forces, SteadyInput, SteadyLaw};
use jounce::tires::tir::{BrokenRule, Format, TirDocument, TirError};
use jounce::tires::{FialaParams, Pacejka89Params, Pacejka94Params, table_of};
use toml::Table;

/// Load at which a law without a nominal one is described (`N`).
const DESCRIBED_AT: f64 = 4000.0;
/// Half the slip difference of a difference quotient (–).
const SMALL: f64 = 1e-4;

/// A law and its parameters.
#[derive(Clone, Debug)]
pub(super) enum OldLaw {
    Pacejka89(Box<Pacejka89Params<f64>>),
    Pacejka94(Box<Pacejka94Params<f64>>),
    Fiala(FialaParams<f64>),
}

impl OldLaw {
    /// The law of a document in this format; the inner error has the faults of its parameters.
    pub(super) fn of(
        format: Format,
        document: &TirDocument,
    ) -> Result<Result<Self, InvalidParams>, TirError> {
        Ok(match format {
            Format::Pac89 => {
                let params = Pacejka89Params::from_document(document)?;
                let checked = Checked::new(params.map(|&x| x as f32));
                checked.map(|_| Self::Pacejka89(Box::new(params)))
            }
            Format::Pac94 => {
                let params = Pacejka94Params::from_document(document)?;
                let checked = Checked::new(params.map(|&x| x as f32));
                checked.map(|_| Self::Pacejka94(Box::new(params)))
            }
            Format::Fiala | Format::MagicFormula(_) => {
                let params = FialaParams::from_document(document)?;
                let checked = Checked::new(params.map(|&x| x as f32));
                checked.map(|_| Self::Fiala(params))
            }
        })
    }

    fn format(&self) -> Format {
        match self {
            Self::Pacejka89(_) => Format::Pac89,
            Self::Pacejka94(_) => Format::Pac94,
            Self::Fiala(_) => Format::Fiala,
        }
    }

    /// The tire as a table of a vehicle file.
    pub(super) fn table(&self) -> Table {
        let table = match self {
            Self::Pacejka89(params) => table_of(params),
            Self::Pacejka94(params) => table_of(params),
            Self::Fiala(params) => table_of(params),
        };
        let mut table = table.expect("parameters are a table");
        table.insert("model".to_owned(), self.format().model().into());
        table
    }

    fn law(&self) -> &dyn SteadyLaw<f64> {
        match self {
            Self::Pacejka89(params) => &**params,
            Self::Pacejka94(params) => &**params,
            Self::Fiala(params) => params,
        }
    }

    /// Forces in ISO-W at load (`N`), slip ratio, slip angle and inclination (`rad`), on the surface
    /// of the measurement.
    pub(super) fn forces(&self, [load, ratio, angle, camber]: [f64; 4]) -> Forces<f64> {
        self.law().forces(&slip(load, ratio, angle, camber))
    }

    /// The curves at a load (`N`), and the load beyond which they no longer follow it.
    fn shapes(&self, load: f64) -> Option<(Shapes<f64>, f64)> {
        match self {
            Self::Pacejka89(p) => Some((p.shapes(load / 1000.0, 0.0), p.greatest_load)),
            Self::Pacejka94(p) => Some((p.shapes(load / 1000.0, 0.0), p.greatest_load)),
            Self::Fiala(_) => None,
        }
    }

    /// Findings on the law: curvatures above 1, at the load where they are greatest, are capped.
    pub(super) fn findings(&self) -> Vec<BrokenRule> {
        let greatest = self.shapes(0.0).map_or(0.0, |(_, load)| load.min(2e4));
        let names = [
            "curvature along",
            "curvature across",
            "curvature of the moment",
        ];
        let found = names.into_iter().enumerate().filter_map(|(n, name)| {
            let loads = (1..=40).map(|step| greatest * f64::from(step) / 40.0);
            let curvatures = loads.filter_map(|load| {
                let (shapes, _) = self.shapes(load)?;
                let shape = [shapes.longitudinal, shapes.lateral, shapes.aligning][n];
                let curvature = shape.e_positive.max(shape.e_negative);
                (curvature > 1.0 && shape.d != 0.0).then_some((curvature, load))
            });
            let (curvature, load) = curvatures.reduce(|a, b| if b.0 > a.0 { b } else { a })?;
            Some(BrokenRule {
                keys: "E",
                text: format!("{name} is {curvature:.4}, above 1 (capped at 1), at {load:.0} N"),
            })
        });
        found.collect()
    }

    /// Description of the law at a load.
    pub(super) fn describe(&self, name: &str) -> String {
        let mut text = format!("{name}: {}\n", self.format());
        let load = DESCRIBED_AT;
        let grip = self
            .law()
            .grip(&slip(load, 0.0, 0.0, 0.0))
            .map(|force| force / load);
        let along = |ratio| self.forces([load, ratio, 0.0, 0.0]).longitudinal;
        let across = |angle| self.forces([load, 0.0, angle, 0.0]).lateral;
        let stiffness = [along(SMALL) - along(-SMALL), across(-SMALL) - across(SMALL)];
        let [slip_stiffness, cornering] = stiffness.map(|rise| rise / (2.0 * SMALL) / 1e3);
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "  at {load:.0} N: peak friction {:.3} along and {:.3} across, stiffness \
             {slip_stiffness:.0} kN and {cornering:.0} kN/rad",
            grip[0], grip[1],
        );
        if let Some(capped) = self.capped() {
            let _ = writeln!(text, "  {capped}");
        }
        text
    }

    /// Effect of a load out of range, for laws that have a range.
    pub(super) fn capped(&self) -> Option<String> {
        let (_, greatest) = self.shapes(DESCRIBED_AT)?;
        Some(format!(
            "capped: load at {greatest:.0} N, where a peak stops growing"
        ))
    }
}

fn slip(load: f64, ratio: f64, angle: f64, camber: f64) -> SteadyInput<f64> {
    SteadyInput {
        ratio,
        tan_angle: libm::tan(angle),
        camber,
        load,
        friction: 1.0,
        speed: 0.0,
    }
}
