//! A suspension's curves as text, as CSV and as a page.

use core::fmt::Write as _;

use glam::DVec2;

use super::quantities::{OVER_JOUNCE, TravelMeasure, over_rack};
use super::stance::WheelStance;
use super::sweep::TravelSweep;
use crate::report::{
    AxisQuantity, Carpet, FamilyCurve, Place, ReportTable, Sheet, abreast, figures, heading,
    readout,
};

/// Height of a chart on the page (`px`).
const HEIGHT: u32 = 220;
const JOUNCE: AxisQuantity = AxisQuantity {
    name: "jounce",
    symbol: "j",
    unit: "mm",
};
const RACK: AxisQuantity = AxisQuantity {
    name: "rack to the left",
    symbol: "s",
    unit: "mm",
};
/// Colors of the page for suspensions in order.
const COLORS: [usize; 6] = [0, 1, 4, 5, 3, 2];

/// A suspension with its name.
pub(super) struct ShownSuspension<'a> {
    pub(super) name: &'a str,
    pub(super) sweep: &'a TravelSweep,
}

/// Figures of a suspension at full droop, at the design position and at full compression.
pub(super) fn table(shown: &ShownSuspension<'_>) -> String {
    let sweep = shown.sweep;
    let [first, last] = [0, sweep.jounces.len() - 1].map(|n| &sweep.jounces[n]);
    let stances = [first, sweep.design(), last];
    let at = |s: &WheelStance| format!("{:+.0} mm", 1e3 * s.jounce);
    let head = [shown.name.to_owned()].into_iter();
    let rows = OVER_JOUNCE.iter().filter(|measure| measure.is_of(sweep));
    let table = ReportTable {
        head: head.chain(stances.map(at)).collect(),
        rows: rows.map(|measure| row(measure, &stances, sweep)).collect(),
    };
    table.to_string()
}

fn row(measure: &TravelMeasure, stances: &[&WheelStance], sweep: &TravelSweep) -> Vec<String> {
    let name = format!("{} [{}]", measure.y.name, measure.y.unit);
    let values = stances
        .iter()
        .map(|stance| (measure.of)(stance, sweep.design()).map_or("–".to_owned(), figures));
    [name].into_iter().chain(values).collect()
}

/// All stances, a line each, in SI and degrees.
pub(super) fn csv(shown: &[ShownSuspension<'_>]) -> String {
    let mut text = "suspension,jounce [mm],rack [mm],steering angle [°]".to_owned();
    for TravelMeasure { y, .. } in OVER_JOUNCE {
        // Writing to a string cannot fail.
        let _ = write!(text, ",\"{} [{}]\"", y.name, y.unit);
    }
    for ShownSuspension { name, sweep } in shown {
        for stance in sweep.jounces.iter().chain(&sweep.racks) {
            let (jounce, rack, steer) = (
                1e3 * stance.jounce,
                1e3 * stance.rack,
                -stance.toe.to_degrees(),
            );
            let name = name.replace('"', "'");
            let _ = write!(text, "\n\"{name}\",{jounce:.3},{rack:.3},{steer:.5}");
            for measure in OVER_JOUNCE {
                let value = (measure.of)(stance, sweep.design());
                let _ = match value {
                    Some(value) => write!(text, ",{value:.5}"),
                    None => write!(text, ","),
                };
            }
        }
    }
    text + "\n"
}

/// The page.
pub(super) fn sheet(shown: &[ShownSuspension<'_>]) -> Sheet {
    let names: Vec<&str> = shown.iter().map(|shown| shown.name).collect();
    let mut sections = vec![heading("Over jounce")];
    let jounce = OVER_JOUNCE
        .iter()
        .filter_map(|measure| carpet(measure, shown, JOUNCE));
    sections.push(abreast(&jounce.collect::<Vec<_>>()));
    let rack = over_rack().filter_map(|measure| carpet(&measure, shown, RACK));
    let rack: Vec<String> = rack.collect();
    if !rack.is_empty() {
        sections.push(heading("Over the rack"));
        sections.push(abreast(&rack));
    }
    sections.push(readout());
    Sheet {
        brand: "jounce kinematics".to_owned(),
        title: names.join(" · "),
        what: "The left wheel, both wheels at the same jounce, the ground level with the body. Point at a line to \
               read it."
            .to_owned(),
        facts: Vec::new(),
        sections,
    }
}

/// A quantity of all suspensions that have it.
fn carpet(
    measure: &TravelMeasure,
    shown: &[ShownSuspension<'_>],
    x: AxisQuantity,
) -> Option<String> {
    let lines: Vec<FamilyCurve> = shown
        .iter()
        .zip(COLORS.into_iter().cycle())
        .filter_map(|(shown, color)| line(measure, shown, x, color))
        .collect();
    let places = || {
        lines
            .iter()
            .flat_map(|line| &line.points)
            .map(|(at, _)| at.x)
    };
    let ends = [places().fold(0.0, f64::min), places().fold(0.0, f64::max)];
    if lines.is_empty() {
        return None;
    }
    let carpet = Carpet {
        title: capitalized(measure.y.name),
        how: measure.how.to_owned(),
        x: (x, ends),
        y: measure.y,
        square: false,
        lines,
        height: HEIGHT,
    };
    Some(carpet.html())
}

fn line(
    measure: &TravelMeasure,
    shown: &ShownSuspension<'_>,
    x: AxisQuantity,
    color: usize,
) -> Option<FamilyCurve> {
    let sweep = shown.sweep;
    let stances = if x == JOUNCE {
        &sweep.jounces
    } else {
        &sweep.racks
    };
    let at = |stance: &WheelStance| {
        if x == JOUNCE {
            stance.jounce
        } else {
            stance.rack
        }
    };
    let points = stances.iter().filter_map(|stance| {
        let value = (measure.of)(stance, sweep.design())?;
        Some((DVec2::new(1e3 * at(stance), value), true))
    });
    let points: Vec<(DVec2, bool)> = points.collect();
    (!points.is_empty()).then_some(FamilyCurve {
        name: shown.name.to_owned(),
        legend: shown.name.to_owned(),
        label: (Place::End, String::new()),
        color,
        strength: 1.0,
        points,
    })
}

fn capitalized(name: &str) -> String {
    let mut letters = name.chars();
    letters.next().map_or(String::new(), |first| {
        first.to_uppercase().chain(letters).collect()
    })
}
