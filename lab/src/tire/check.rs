//! Contents, missing keys and findings of a `.tir` file.

use core::fmt::Write as _;

use jounce::tires::magic_formula::{Load, MagicFormula, Settings, Slip};
use jounce::tires::tir::{MagicFormulaFile, Side, validate};

/// Number of keys per line.
const KEYS_PER_LINE: usize = 12;

/// A description of the file: its tire at the nominal load, then warnings, defaults and findings.
pub(super) fn describe(name: &str, file: &MagicFormulaFile) -> String {
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
    match MagicFormula::<f64>::new(c, file.version, Settings::mf_tyre()) {
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
    text
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
