//! Energy by part as a Sankey diagram.

use core::fmt::Write as _;

use proving_ground::drive::Drive;
use proving_ground::energy::EnergyFlow;

use super::svg::{coordinate, escape};

/// Width of the drawing, ends of the bands, and the bar in which they meet (units of the drawing).
const WIDTH: f64 = 1000.0;
const LEFT: f64 = 210.0;
const RIGHT: f64 = 720.0;
const BAR: [f64; 2] = [440.0, 452.0];
/// Height of all energy, least height of a line of text, and the gap between two bands.
const WHOLE: f64 = 240.0;
const LINE: f64 = 30.0;
const GAP: f64 = 4.0;
/// Part of all energy below which none is shown (–).
const LEAST: f64 = 5e-4;

/// Energy that flows in or out.
struct Flow {
    name: &'static str,
    energy: f64,
    /// Number of its color.
    color: usize,
}

/// The section; empty for a drive without any energy.
pub(super) fn energy(drive: &Drive) -> String {
    let mut sum = EnergyFlow::default();
    drive.samples.iter().for_each(|sample| sum += sample.energy);
    let [sources, sinks] = flows(&sum);
    let whole: f64 = sources.iter().map(|flow| flow.energy).sum();
    if sources.is_empty() || sinks.is_empty() {
        return String::new();
    }
    let height = tall(&sources, whole).max(tall(&sinks, whole));
    let mut bands = String::new();
    let mut labels = String::new();
    for (flows, end, side) in [(&sources, LEFT, BAR[0]), (&sinks, RIGHT, BAR[1])] {
        let (mut outer, mut inner) = (0.5 * (height - tall(flows, whole)), 0.5 * (height - WHOLE));
        for flow in flows {
            let thick = WHOLE * flow.energy / whole;
            let middle = outer + 0.5 * thick.max(LINE);
            bands += &band(
                (end, middle - 0.5 * thick),
                (side, inner),
                thick,
                flow.color,
            );
            labels += &label(flow, whole, (end < side, end, middle), height);
            (outer, inner) = (outer + thick.max(LINE) + GAP, inner + thick);
        }
    }
    let bar = 0.5 * (height - WHOLE);
    format!(
        "<section class=\"energy\">\n<h2>Energy</h2>\n<div class=\"sankey\">\
         <svg viewBox=\"0 0 {WIDTH} {0}\" role=\"img\" aria-label=\"energy by part\">{bands}\
         <rect class=\"trunk\" x=\"{1}\" y=\"{2}\" width=\"{3}\" height=\"{WHOLE}\"/></svg>{labels}</div>\n\
         <p class=\"how\">Where the energy of the whole drive came from, and where it went. Speed and height give back \
         what a slower or lower end released. An engine with one clutch counts from there on, other drives count at the wheels.</p>\n</section>\n",
        coordinate(height),
        coordinate(BAR[0]),
        coordinate(bar),
        coordinate(BAR[1] - BAR[0]),
    )
}

/// Energies that flowed in, and out, those of the same sum; small ones are left out.
fn flows(sum: &EnergyFlow) -> [Vec<Flow>; 2] {
    let drive = ("drive", -sum.drive);
    let all = [drive].into_iter().chain(sum.parts()).enumerate();
    let all: Vec<Flow> = all
        .map(|(color, (name, energy))| Flow {
            name,
            energy,
            color,
        })
        .collect();
    let whole: f64 = all.iter().map(|flow| flow.energy.max(0.0)).sum();
    let (mut sources, mut sinks) = (Vec::new(), Vec::new());
    for flow in all {
        if flow.energy > LEAST * whole {
            sinks.push(flow);
        } else if -flow.energy > LEAST * whole {
            let energy = -flow.energy;
            sources.push(Flow { energy, ..flow });
        }
    }
    [sources, sinks]
}

/// Height of bands beside their texts.
fn tall(flows: &[Flow], whole: f64) -> f64 {
    let heights = flows.iter().map(|flow| WHOLE * flow.energy / whole);
    heights.map(|thick| thick.max(LINE) + GAP).sum::<f64>() - GAP
}

/// A band between two upper corners.
fn band((x, y): (f64, f64), (to_x, to_y): (f64, f64), thick: f64, color: usize) -> String {
    let between = 0.5 * (x + to_x);
    let mut path = String::new();
    let [x, y, to_x, to_y, between, low, to_low] =
        [x, y, to_x, to_y, between, y + thick, to_y + thick].map(coordinate);
    // Writing to a string cannot fail.
    let _ = write!(
        path,
        "<path class=\"f{color}\" d=\"M{x} {y}C{between} {y} {between} {to_y} {to_x} {to_y}\
         L{to_x} {to_low}C{between} {to_low} {between} {low} {x} {low}Z\"/>"
    );
    path
}

/// Name, energy and share of a flow beside its band.
fn label(flow: &Flow, whole: f64, (left, x, y): (bool, f64, f64), height: f64) -> String {
    let share = 100.0 * flow.energy / whole;
    let kilojoules = flow.energy / 1e3;
    let digits = usize::from(kilojoules < 100.0);
    let class = if left { "in" } else { "out" };
    format!(
        "<span class=\"{class}\" style=\"left:{}%;top:{}%\">{} <b>{kilojoules:.digits$} kJ</b> {share:.1} %</span>",
        coordinate(100.0 * x / WIDTH),
        coordinate(100.0 * y / height),
        escape(flow.name),
    )
}
