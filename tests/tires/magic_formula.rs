//! Tables of the Magic Formula: every output of every row, in double and in single precision.

use std::path::Path;

use crate::reference::{self, Comparison};
use jounce::tires::magic_formula::{
    Coefficients, Load, MagicFormula, OutOfRange, Settings, Slip, SlipDefinition, Variant, Version,
};
use jounce::tires::real::Real;
use jounce::tires::tir::{MagicFormulaFile, Reading};

use crate::table::{Row, Table};

/// Columns that are not outputs.
const INPUTS: [&str; 10] = [
    "group", "use_mode", "Fz", "kappa", "alpha", "gamma", "phit", "Vx", "p", "omega_in",
];

/// Outputs, in the order of [`outputs`].
const OUTPUTS: [&str; 21] = [
    "Fx", "Fy", "Mx", "My", "Mz", "mux", "muy", "Kxk", "Kya", "sigmax", "sigmay", "t", "Mzr", "Re",
    "omega", "rho", "Rl", "two_a", "two_b", "Cx", "Cy",
];

/// Columns that are compared in meters where the loaded radius is solved for (6.2).
const SEARCHED: [&str; 2] = ["rho", "Rl"];
/// Error of a loaded radius that is solved for (`m`).
const SEARCH_BOUND: f64 = 1e-7;
/// Maximum errors, relative to a column's scale.
const DOUBLE_BOUND: f64 = 1e-9;
const SINGLE_BOUND: f64 = 2e-5;

/// Compares every kept cell of a table.
pub(crate) fn compare(path: &Path, version: Version) -> Result<Vec<Comparison>, String> {
    let name = reference::stem(path);
    let table = Table::read(path)?;
    known(&table).map_err(|error| format!("{name}: {error}"))?;
    let coefficients = coefficients(&path.with_extension("tir"), version)?;
    let mut lines = vec![
        lines::<f64>(&name, "f64", &table, &coefficients, version, DOUBLE_BOUND)?,
        lines::<f32>(&name, "f32", &table, &coefficients, version, SINGLE_BOUND)?,
    ];
    if version == Version::V62 {
        lines.push(searched(&name, &table, &coefficients, version)?);
    }
    Ok(lines)
}

/// Fails on columns that are missing or not known.
fn known(table: &Table) -> Result<(), String> {
    for column in &table.columns {
        if !INPUTS.iter().chain(&OUTPUTS).any(|known| known == column) {
            return Err(format!("unknown column {column}"));
        }
    }
    for column in INPUTS.iter().chain(&OUTPUTS) {
        if !table.columns.iter().any(|found| found == column) {
            return Err(format!("no column {column}"));
        }
    }
    Ok(())
}

/// The coefficients of a `.tir` file, whose version must match its name.
fn coefficients(path: &Path, version: Version) -> Result<Coefficients, String> {
    let file = MagicFormulaFile::open(path, Reading::Tolerant);
    let file = file.map_err(|error| error.to_string())?;
    if file.version == version {
        Ok(file.coefficients)
    } else {
        let (says, at) = (file.version, path.display());
        Err(format!("{at}: FITTYP means {says:?}, the name {version:?}"))
    }
}

/// One compared cell.
struct Cell {
    column: &'static str,
    found: f64,
    expected: f64,
    group: String,
}

/// Every kept cell, and how many are blank.
fn cells<T: Real + Into<f64>>(
    table: &Table,
    coefficients: &Coefficients,
    version: Version,
) -> Result<(Vec<Cell>, usize), String> {
    let (mut cells, mut blank) = (Vec::new(), 0);
    for row in table.rows() {
        let settings = settings(row.text("use_mode")?)?;
        let tire = MagicFormula::<T>::new(coefficients, version, settings);
        let found = outputs(&tire.map_err(|error| error.to_string())?, &row)?;
        for (column, found) in OUTPUTS.into_iter().zip(found) {
            match row.number(column)? {
                Some(expected) => cells.push(Cell {
                    column,
                    found: found.into(),
                    expected,
                    group: row.text("group")?.to_owned(),
                }),
                None => blank += 1,
            }
        }
    }
    Ok((cells, blank))
}

/// Scale of a column's errors: the nominal load, its moment at the free radius, or the column's maximum.
fn scale(column: &str, cells: &[Cell], coefficients: &Coefficients) -> f64 {
    match column {
        "Fx" | "Fy" => coefficients.FNOMIN,
        "Mx" | "My" | "Mz" | "Mzr" => coefficients.FNOMIN * coefficients.UNLOADED_RADIUS,
        _ => {
            let of_column = cells.iter().filter(|cell| cell.column == column);
            of_column.fold(0.0, |most, cell| cell.expected.abs().max(most))
        }
    }
}

/// The result line of one precision.
fn lines<T: Real + Into<f64>>(
    name: &str,
    precision: &str,
    table: &Table,
    coefficients: &Coefficients,
    version: Version,
    bound: f64,
) -> Result<Comparison, String> {
    let (cells, blank) = cells::<T>(table, coefficients, version)?;
    let in_meters = |column| version == Version::V62 && SEARCHED.contains(&column);
    let (mut worst, mut place) = (0.0, String::new());
    for column in OUTPUTS {
        let scale = scale(column, &cells, coefficients).max(f64::MIN_POSITIVE);
        if precision == "f64" && in_meters(column) {
            continue;
        }
        for cell in cells.iter().filter(|cell| cell.column == column) {
            let error = (cell.found - cell.expected).abs() / scale;
            // NaN counts as the worst.
            let error = if error.is_nan() { f64::INFINITY } else { error };
            if error > worst {
                worst = error;
                place = format!("{column} in {}", cell.group);
            }
        }
    }
    Ok(Comparison {
        name: format!("{name} {precision}"),
        rows: table.rows().count(),
        max_error: worst,
        bound,
        note: format!("{} cells, {blank} blank; worst {place}", cells.len()),
    })
}

/// The result line of loaded radii that are solved for (`m`).
fn searched(
    name: &str,
    table: &Table,
    coefficients: &Coefficients,
    version: Version,
) -> Result<Comparison, String> {
    let (cells, _) = cells::<f64>(table, coefficients, version)?;
    let cells = cells.iter().filter(|cell| SEARCHED.contains(&cell.column));
    let errors: Vec<f64> = cells
        .map(|cell| (cell.found - cell.expected).abs())
        .collect();
    let most = |a: f64, &b: &f64| if b <= a { a } else { b };
    Ok(Comparison {
        name: format!("{name} radius"),
        rows: errors.len() / SEARCHED.len(),
        max_error: errors.iter().fold(0.0, most),
        bound: SEARCH_BOUND,
        note: "f64, in meters".to_owned(),
    })
}

/// Meaning of MFeval's three digits: limits and low speed, tangents, turn slip.
fn settings(use_mode: &str) -> Result<Settings, String> {
    let choice = |index: usize| match use_mode.as_bytes().get(index) {
        Some(b'1') => Ok(false),
        Some(b'2') => Ok(true),
        _ => Err(format!("use_mode {use_mode:?} is not known")),
    };
    let free = choice(0)?;
    Ok(Settings {
        variant: Variant::MfevalCompat,
        slip_definition: if choice(1)? {
            SlipDefinition::Tangents
        } else {
            SlipDefinition::Angles
        },
        limits: (!free).then_some(OutOfRange::Clamp),
        low_speed: !free,
        turn_slip: choice(2)?,
        ..Settings::mf_tyre()
    })
}

/// Every output of a row.
fn outputs<T: Real>(tire: &MagicFormula<T>, row: &Row<'_>) -> Result<[T; 21], String> {
    let given = |column| row.given(column).map(T::of);
    let at = tire.at_load(&Load {
        inclination: given("gamma")?,
        pressure: Some(given("p")?),
        ..Load::new(given("Fz")?)
    });
    let slip = Slip {
        ratio: given("kappa")?,
        angle: given("alpha")?,
        turn: given("phit")?,
        spin: row.number("omega_in")?.map(T::of),
        ..Slip::rolling(given("Vx")?)
    };
    let planar = tire.planar(&at, &slip);
    let aligning = tire.aligning(&at, &planar);
    let relaxation = tire.relaxation(&at, &planar);
    let rolling = tire.rolling(&at, &slip);
    let deflection = tire.deflection(&at, &planar, &rolling);
    let patch = tire.patch(&at);
    Ok([
        planar.longitudinal,
        planar.lateral,
        tire.overturning(&at, &planar),
        tire.rolling_resistance(&at, &planar),
        aligning.moment,
        planar.friction_x,
        planar.friction_y,
        planar.slip_stiffness,
        planar.cornering_stiffness,
        relaxation.longitudinal_length,
        relaxation.lateral_length,
        aligning.trail,
        aligning.residual,
        rolling.effective_radius,
        rolling.spin,
        deflection.deflection,
        deflection.loaded_radius,
        patch.length,
        patch.width,
        relaxation.longitudinal_stiffness,
        relaxation.lateral_stiffness,
    ])
}
