//! The tire law that a file's parameters belong to.

use core::fmt;

use super::document::{TirDocument, same};
use super::error::{TirError, TirFault};
use super::remark::excerpt;
use crate::magic_formula::Version;

/// A tire law whose parameters `.tir` files can hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// A Magic Formula.
    MagicFormula(Version),
    /// Pacejka's formula of 1989.
    Pac89,
    /// Pacejka's formula of 1994.
    Pac94,
    /// Fiala's law in the form of Adams.
    Fiala,
}

/// A key that only motorcycles have.
pub(super) const LEANS: &str = "PCY2";

impl Format {
    /// Common name of the law.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::MagicFormula(Version::V52) => "Magic Formula 5.2 (PAC2002)",
            Self::MagicFormula(Version::V61) => "Magic Formula 6.1",
            Self::MagicFormula(Version::V62) => "Magic Formula 6.2",
            Self::MagicFormula(Version::Motorcycle) => "Magic Formula MC (PAC_MC)",
            Self::Pac89 => "Pacejka '89",
            Self::Pac94 => "Pacejka '94",
            Self::Fiala => "Fiala",
        }
    }

    /// The `model` of a vehicle's tire of this law.
    #[must_use]
    pub const fn model(self) -> &'static str {
        match self {
            Self::MagicFormula(_) => "magic-formula",
            Self::Pac89 => "pacejka-89",
            Self::Pac94 => "pacejka-94",
            Self::Fiala => "fiala",
        }
    }

    /// The law of a `FITTYP`.
    ///
    /// # Errors
    /// If it is unknown.
    pub fn of_fittyp(fittyp: i32) -> Result<Self, TirFault> {
        let version = Version::from_fittyp(fittyp);
        let unknown = || TirFault::UnknownFormat(format!("FITTYP = {fittyp}"));
        version.map(Self::MagicFormula).ok_or_else(unknown)
    }

    /// The law of a `PROPERTY_FILE_FORMAT`; `None` for `USER`, which leaves it to `FITTYP`.
    ///
    /// # Errors
    /// If it is unknown.
    pub fn of_property_file_format(name: &str) -> Result<Option<Self>, TirFault> {
        let format = match name.to_ascii_uppercase().as_str() {
            "USER" => return Ok(None),
            "PAC2002" | "MF_05" | "MF-TYRE" => Self::MagicFormula(Version::V52),
            "PAC_MC" | "PAC-MC" | "PACMC" | "MF_MCTYRE" | "MF-MCTYRE" => Self::MOTORCYCLE,
            "PAC89" => Self::Pac89,
            "PAC94" => Self::Pac94,
            "FIALA" => Self::Fiala,
            _ => {
                let name = format!("PROPERTY_FILE_FORMAT = '{}'", excerpt(name));
                return Err(TirFault::UnknownFormat(name));
            }
        };
        Ok(Some(format))
    }

    /// The law whose parameters a document holds.
    ///
    /// # Errors
    /// If it does not say, or is unknown.
    pub fn of(document: &TirDocument) -> Result<Self, TirError> {
        let fittyp = match document.number("MODEL", "FITTYP") {
            Ok(number) => Some(number as i32),
            Err(error) if error.fault == TirFault::Missing => None,
            Err(error) => return Err(error),
        };
        let named = document.get("MODEL", "PROPERTY_FILE_FORMAT");
        let leans = document.entries().any(|(_, key, _)| same(key, LEANS));
        Ok(Self::detect(fittyp, named, leans)?.0)
    }

    const MOTORCYCLE: Self = Self::MagicFormula(Version::Motorcycle);

    /// The law given by a file's two keys, and whether they differ. `FITTYP` exists only for Magic
    /// Formulas and distinguishes them; among those of cars it takes precedence. With 51 and 52,
    /// it is the one of motorcycles if the file `leans`: has [`LEANS`].
    ///
    /// # Errors
    /// If neither gives a law, or one is unknown.
    pub(super) fn detect(
        fittyp: Option<i32>,
        property_file_format: Option<&str>,
        leans: bool,
    ) -> Result<(Self, bool), TirFault> {
        let named = property_file_format.map(Self::of_property_file_format);
        let of_motorcycles = matches!(fittyp, None | Some(51 | 52));
        if let Some(Ok(Some(Self::MOTORCYCLE))) = named {
            return Ok((Self::MOTORCYCLE, !of_motorcycles));
        }
        if fittyp.is_some() && of_motorcycles && leans {
            return Ok((Self::MOTORCYCLE, false));
        }
        if let Some(Ok(Some(other))) = named
            && !matches!(other, Self::MagicFormula(_))
        {
            return Ok((other, fittyp.is_some()));
        }
        match (fittyp, named) {
            (Some(fittyp), named) => {
                let format = Self::of_fittyp(fittyp)?;
                // `MF-TYRE` names every version.
                let general =
                    property_file_format.is_some_and(|n| n.eq_ignore_ascii_case("MF-TYRE"));
                let differ = match named {
                    Some(Ok(Some(named))) => named != format && !general,
                    Some(Err(_)) => true,
                    Some(Ok(None)) | None => false,
                };
                Ok((format, differ))
            }
            (None, Some(Ok(Some(named)))) => Ok((named, false)),
            (None, Some(Err(fault))) => Err(fault),
            (None, Some(Ok(None)) | None) => Err(TirFault::NoFormat),
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    #[rstest]
    #[case(Some(5), None, Format::MagicFormula(Version::V52), false)]
    #[case(Some(6), Some("PAC2002"), Format::MagicFormula(Version::V52), false)]
    #[case(Some(21), None, Format::MagicFormula(Version::V52), false)]
    #[case(Some(52), Some("USER"), Format::MagicFormula(Version::V52), false)]
    #[case(Some(60), None, Format::MagicFormula(Version::V61), false)]
    #[case(Some(63), None, Format::MagicFormula(Version::V62), false)]
    #[case(Some(70), None, Format::MagicFormula(Version::V62), false)]
    #[case(None, Some("PAC_MC"), Format::MOTORCYCLE, false)]
    #[case(Some(51), Some("pac_mc"), Format::MOTORCYCLE, false)]
    #[case(Some(6), Some("MF-MCTYRE"), Format::MOTORCYCLE, true)]
    #[case(Some(61), Some("MF-TYRE"), Format::MagicFormula(Version::V61), false)]
    #[case(Some(62), Some("USER"), Format::MagicFormula(Version::V62), false)]
    #[case(Some(61), Some("PAC2002"), Format::MagicFormula(Version::V61), true)]
    #[case(Some(61), Some("FTIRE"), Format::MagicFormula(Version::V61), true)]
    #[case(None, Some("pac2002"), Format::MagicFormula(Version::V52), false)]
    #[case(None, Some("MF_05"), Format::MagicFormula(Version::V52), false)]
    #[case(None, Some("PAC89"), Format::Pac89, false)]
    #[case(None, Some("PAC94"), Format::Pac94, false)]
    #[case(Some(6), Some("FIALA"), Format::Fiala, true)]
    fn laws_by_two_keys(
        #[case] fittyp: Option<i32>,
        #[case] name: Option<&str>,
        #[case] format: Format,
        #[case] differ: bool,
    ) {
        assert_eq!(Format::detect(fittyp, name, false), Ok((format, differ)));
    }

    #[rstest]
    #[case(Some(51), None, Format::MOTORCYCLE)]
    #[case(Some(52), Some("USER"), Format::MOTORCYCLE)]
    #[case(Some(6), None, Format::MagicFormula(Version::V52))]
    fn motorcycles_are_known_by_a_key(
        #[case] fittyp: Option<i32>,
        #[case] name: Option<&str>,
        #[case] format: Format,
    ) {
        assert_eq!(Format::detect(fittyp, name, true), Ok((format, false)));
    }

    #[rstest]
    #[case(None, None, "neither FITTYP nor PROPERTY_FILE_FORMAT")]
    #[case(None, Some("USER"), "neither FITTYP nor PROPERTY_FILE_FORMAT")]
    #[case(None, Some("FTIRE"), "PROPERTY_FILE_FORMAT = 'FTIRE'")]
    #[case(Some(80), None, "FITTYP = 80")]
    fn unknown_formats_are_refused_by_name(
        #[case] fittyp: Option<i32>,
        #[case] name: Option<&str>,
        #[case] words: &str,
    ) {
        let fault = Format::detect(fittyp, name, false).unwrap_err();
        assert!(fault.to_string().contains(words), "{fault}");
    }
}
