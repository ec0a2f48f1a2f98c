//! Contents, missing keys and findings of tires of the laws of `.tir` files.

use core::fmt::Write as _;

use jounce::tires::magic_formula::settings::with_ranges;
use jounce::tires::magic_formula::{Coefficients, Load, MagicFormula, Settings, Slip, Version};
use jounce::tires::tir::{MagicFormulaFile, Reading, Side, validate};

use super::argument::tires;
use super::source::Tire;
use crate::error::LabError;

/// Number of keys per line.
const KEYS_PER_LINE: usize = 12;

/// The descriptions of the tires that an argument names.
///
/// # Errors
/// If one cannot be read or makes no tire, with everything found.
pub(super) fn check(argument: &str, reading: Reading) -> Result<String, LabError> {
    let mut all = String::new();
    for (name, tire) in tires(argument, reading)? {
        match tire {
            Tire::Formula(file) => all += &describe(&name, &file)?,
            Tire::Old(law) => {
                all += &law.describe(&name);
                let findings = law.findings();
                list(&mut all, "findings", findings.len(), &findings);
            }
        }
    }
    Ok(all)
}

/// Limits of a tire's file: beyond its ranges, inputs act as at their ends.
pub(super) fn caps(coefficients: &Coefficients, version: Version) -> String {
    let c = &with_ranges(coefficients, version);
    let degrees = |angle: f64| angle.to_degrees();
    let mut text = format!(
        "capped: slip ratio at {} … {}, slip angle at {:.1}° … {:.1}°, camber at {:.1}° … {:.1}°",
        c.KPUMIN,
        c.KPUMAX,
        degrees(c.ALPMIN),
        degrees(c.ALPMAX),
        degrees(c.CAMMIN),
        degrees(c.CAMMAX),
    );
    if version.has_pressure() {
        let (low, high) = (c.PRESMIN / 1e3, c.PRESMAX / 1e3);
        let _ = write!(text, ", pressure at {low:.0} … {high:.0} kPa");
    }
    let _ = write!(
        text,
        "; outside {:.0} … {:.0} N, forces are proportional to the load",
        c.FZMIN, c.FZMAX
    );
    text
}

/// A description of the file: its tire at the nominal load, then warnings, defaults and findings.
fn describe(name: &str, file: &MagicFormulaFile) -> Result<String, LabError> {
    let c = &file.coefficients;
    let side = file.side.map_or("for no side", |side| match side {
        Side::Left => "for the left side",
        Side::Right => "for the right side",
        Side::Symmetric => "for both sides",
    });
    let mut text = format!("{name}: Magic Formula {}, {side}\n", file.version);
    // Writing to a string cannot fail.
    let _ = writeln!(
        text,
        "  nominal load {:.0} N, free radius {:.4} m, width {:.3} m, pressure {:.0} kPa",
        c.FNOMIN,
        c.UNLOADED_RADIUS,
        c.WIDTH,
        c.INFLPRES / 1e3,
    );
    let tire = MagicFormula::<f64>::new(c, file.version, Settings::mf_tyre());
    match &tire {
        Ok(tire) => {
            let at = tire.at_load(&Load::new(c.FNOMIN));
            let rolling = tire.planar(&at, &Slip::rolling(c.LONGVL));
            let relaxation = tire.relaxation(&at, &rolling);
            let _ = writeln!(
                text,
                "  there: peak friction {:.3} along and {:.3} across, stiffness {:.0} kN and {:.0} kN/rad, \
                 relaxation {:.3} m and {:.3} m",
                rolling.friction_x,
                rolling.friction_y,
                rolling.slip_stiffness / 1e3,
                rolling.cornering_stiffness.abs() / 1e3,
                relaxation.longitudinal_length,
                relaxation.lateral_length,
            );
            let _ = writeln!(text, "  {}", caps(c, file.version));
        }
        Err(faults) => {
            let _ = writeln!(text, "  cannot be evaluated: {faults}");
        }
    }
    list(&mut text, "warnings", file.warnings.count(), &file.warnings);
    let findings = validate(file.version, c);
    list(&mut text, "findings", findings.len(), &findings);
    let lines = file.defaulted.chunks(KEYS_PER_LINE);
    let lines = lines.map(|keys| keys.join(" "));
    let count = file.defaulted.len();
    list(&mut text, "absent keys, at their defaults", count, lines);
    match tire {
        Ok(_) => Ok(text),
        Err(_) => Err(LabError::Tires(text)),
    }
}

fn list<T: core::fmt::Display>(
    text: &mut String,
    name: &str,
    count: usize,
    items: impl IntoIterator<Item = T>,
) {
    let _ = writeln!(text, "  {name}: {count}");
    for item in items {
        let _ = writeln!(text, "    {item}");
    }
}
