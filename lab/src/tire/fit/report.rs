//! A fit in words and tables.

use core::fmt::Write as _;

use jounce::tires::magic_formula::{Coefficients, Version};
use jounce::tires::tir::validate;

use crate::fit::data::CHANNELS;
use crate::fit::magic_formula::MagicFormulaFit;
use crate::fit::outcome::{Certainty, Estimate, Fit};
use crate::report::ReportTable;

/// Residuals of each channel, from its own fit.
pub(super) fn residuals(fits: [Option<&Fit>; 3]) -> String {
    let head = ["channel", "values", "RMS", "greatest", "R²"].map(str::to_owned);
    let mut table = ReportTable {
        head: head.to_vec(),
        rows: Vec::new(),
    };
    for (channel, fit) in fits.into_iter().enumerate() {
        let Some(left) = fit.and_then(|fit| fit.residuals[channel]) else {
            continue;
        };
        let unit = if channel == 2 { "N·m" } else { "N" };
        table.rows.push(vec![
            CHANNELS[channel].to_owned(),
            left.values.to_string(),
            format!("{:.4} {unit}", left.rms),
            format!("{:.4} {unit}", left.greatest),
            format!("{:.6}", left.explained),
        ]);
    }
    format!("{table}")
}

/// A note on a search that did not converge.
pub(super) fn unfinished(fit: &Fit) -> &'static str {
    if fit.converged {
        ""
    } else {
        "the search did not converge: start from this tire, or hold parameters that are hardly determined\n"
    }
}

/// Parameters with their 95 % intervals, and those without.
pub(super) fn estimates(estimates: &[Estimate]) -> String {
    let head = ["parameter", "value", "± 95 %", "start"].map(str::to_owned);
    let mut table = ReportTable {
        head: head.to_vec(),
        rows: Vec::new(),
    };
    let (mut open, mut untold) = (Vec::new(), Vec::new());
    for estimate in estimates {
        let interval = match estimate.certainty {
            Certainty::Within { interval, .. } => format!("{interval:.3e}"),
            Certainty::NotDetermined => {
                open.push(estimate.name.as_str());
                "-".to_owned()
            }
            Certainty::NoData => {
                untold.push(estimate.name.as_str());
                continue;
            }
        };
        table.rows.push(vec![
            estimate.name.clone(),
            format!("{:.7}", estimate.value),
            interval,
            format!("{:.7}", estimate.start),
        ]);
    }
    let mut text = table.to_string();
    // Writing to a string cannot fail.
    if !open.is_empty() {
        let _ = writeln!(
            text,
            "determined together with others only: {}",
            open.join(" ")
        );
    }
    if !untold.is_empty() {
        let _ = writeln!(text, "no data, as at the start: {}", untold.join(" "));
    }
    text
}

/// Notes on a fit of the Magic Formula.
pub(super) fn notes(
    version: Version,
    start: &Coefficients,
    found: &MagicFormulaFit,
    held: &[String],
) -> String {
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = writeln!(text, "held: {}", held.join(" "));
    for (channel, name) in found.channels.iter().zip(CHANNELS) {
        if channel.is_none() {
            let _ = writeln!(
                text,
                "not fitted, because {name} is missing: its coefficients"
            );
        }
    }
    if !found.widened.is_empty() {
        let _ = writeln!(
            text,
            "widened to the measurements: {}",
            found.widened.join(" ")
        );
    }
    let before = validate(version, start);
    for finding in validate(version, &found.coefficients) {
        let old = before.iter().any(|other| other.keys == finding.keys);
        let when = if old { ", as at the start" } else { "" };
        let _ = writeln!(text, "finding: {finding}{when}");
    }
    text
}
