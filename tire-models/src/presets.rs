//! Preset tires, embedded from the folder `tires`, which states the sources of the parameters.

use crate::tir::{MagicFormulaFile, Reading};

/// Name and text of the files with these names.
macro_rules! files {
    ($($name:literal),* $(,)?) => {
        [$(($name, include_str!(concat!("../tires/", $name, ".tir")))),*]
    };
}

/// Name and text of every preset tire. All were measured as left tires; for the right side they are
/// [mirrored](crate::MagicFormulaParams::mirrored).
pub const FILES: [(&str, &str); 4] = files![
    "sedan-245-40-r18",
    "suv-255-55-r20",
    "suv-255-55-r20-62",
    "light-truck-235-85-r16",
];

/// The preset tire with a name from [`FILES`].
///
/// ```
/// let file = tire_models::presets::by_name("suv-255-55-r20").expect("it ships");
/// assert_eq!(file.coefficients.FNOMIN, 6752.0);
/// ```
#[must_use]
pub fn by_name(name: &str) -> Option<MagicFormulaFile> {
    let (_, text) = FILES.into_iter().find(|(known, _)| *known == name)?;
    let file = MagicFormulaFile::from_bytes(text.as_bytes(), Reading::Tolerant);
    Some(file.expect("preset tires are valid"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::MagicFormulaParams;
    use crate::tir::{Side, validate};
    use vehicle_core::Checked;

    #[test]
    fn every_preset_is_read_without_warnings_and_builds_a_model() {
        for (name, text) in FILES {
            let file = MagicFormulaFile::from_bytes(text.as_bytes(), Reading::Strict);
            let file = file.unwrap_or_else(|error| panic!("{name}: {error}"));
            assert_eq!(file.side, Some(Side::Left), "{name}");
            let params = MagicFormulaParams::from_file(&file);
            assert!(Checked::new(params).is_ok(), "{name}");
            // The formulas cut curvatures off at 1.
            let findings = validate(file.version, &file.coefficients).into_iter();
            let others: Vec<_> = findings
                .filter(|f| !f.text.starts_with("curvature"))
                .collect();
            assert_eq!(others, [], "{name}");
            assert!(by_name(name).is_some());
        }
    }
}
