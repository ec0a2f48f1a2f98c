//! Reads the tire that a document describes.

use std::path::Path;

use super::document::{Statement, TirDocument, same};
use super::error::{TirError, TirFault};
use super::format::Format;
use super::line::{Content, Entry};
use super::number;
use super::remark::{Remark, Warnings, excerpt};
use super::units::Units;
use super::use_mode::UseMode;
use crate::magic_formula::coefficients::{self, KEYS, Key};
use crate::magic_formula::{Coefficients, CombinedSlip, Version};

/// Strictness of the reader.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reading {
    /// Continues after oddities and reports them ([`MagicFormulaFile::warnings`]).
    #[default]
    Tolerant,
    /// Treats the first oddity as an error.
    Strict,
}

/// The side of the car that a tire was measured on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Left.
    Left,
    /// Right.
    Right,
    /// Either: its parameters are symmetric.
    Symmetric,
}

/// A parsed file of Magic Formula parameters.
///
/// ```
/// use tire_models::magic_formula::Version;
/// use tire_models::tir::{MagicFormulaFile, Reading};
///
/// let text = b"[UNITS]\nLENGTH = 'mm'\n[MODEL]\nFITTYP = 61\n[DIMENSION]\nUNLOADED_RADIUS = 313.5\n";
/// let file = MagicFormulaFile::from_bytes(text, Reading::Tolerant)?;
/// assert_eq!(file.version, Version::V61);
/// assert_eq!(file.coefficients.UNLOADED_RADIUS, 0.3135);
/// assert!(file.defaulted.contains(&"PCX1"));
/// assert!(file.whole().is_err(), "a radius is no tire");
/// # Ok::<(), tire_models::tir::TirError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct MagicFormulaFile {
    /// The text, including everything unused.
    pub document: TirDocument,
    /// The version of the Magic Formula.
    pub version: Version,
    /// The file's units.
    pub units: Units,
    /// Mode in which the file asks a solver to compute, if given.
    pub use_mode: Option<UseMode>,
    /// Side of the car that the tire was measured on, if given.
    pub side: Option<Side>,
    /// Coefficients of the tire, in SI units.
    pub coefficients: Coefficients,
    /// Keys of this version without a value in the file, replaced by
    /// [`Coefficients::template_of`]. If one of inflation and nominal pressure is absent, it
    /// equals the other.
    pub defaulted: Vec<&'static str>,
    /// Warnings in the order of lines; at the end, those about the file as a whole.
    pub warnings: Warnings,
}

impl MagicFormulaFile {
    /// Reads a file.
    ///
    /// # Errors
    /// If it cannot be read, is not a Magic Formula file, lacks an
    /// [essential](Version::essential) key, has an invalid number or unit, or strict reading finds
    /// an oddity. The error names the file.
    pub fn open(path: impl AsRef<Path>, reading: Reading) -> Result<Self, TirError> {
        let path = path.as_ref();
        TirDocument::open(path)
            .and_then(|document| Self::from_document(document, reading)?.whole())
            .map_err(|error| error.in_file(path.display()))
    }

    /// Reads the bytes of a file, which may be a part of a tire: see [`MagicFormulaFile::whole`].
    ///
    /// # Errors
    /// As [`MagicFormulaFile::open`], except for missing keys under tolerant reading.
    pub fn from_bytes(bytes: &[u8], reading: Reading) -> Result<Self, TirError> {
        Self::from_document(TirDocument::parse(bytes)?, reading)
    }

    /// Reads a document, which may be a part of a tire: see [`MagicFormulaFile::whole`].
    ///
    /// # Errors
    /// As [`MagicFormulaFile::from_bytes`].
    pub fn from_document(document: TirDocument, reading: Reading) -> Result<Self, TirError> {
        let mut given = Given::default();
        for statement in document.statements() {
            given.take(statement)?;
        }
        let version = given.version()?;
        let use_mode = given.use_mode()?;
        let side = given.side();
        let coefficients = given.coefficients(version)?;
        let defaulted = given.defaulted(version);
        given.check_plausibility(&coefficients);
        let Given {
            units, warnings, ..
        } = given;
        if reading == Reading::Strict {
            refuse_warnings(&warnings)?;
        }
        let file = Self {
            version,
            units,
            use_mode,
            side,
            coefficients,
            defaulted,
            warnings,
            document,
        };
        match reading {
            Reading::Strict => file.whole(),
            Reading::Tolerant => Ok(file),
        }
    }

    /// Returns the file, if it has all [essential](Version::essential) keys: otherwise it is a part of a
    /// tire, such as a file cut in the middle.
    ///
    /// # Errors
    /// With the keys that are missing.
    pub fn whole(self) -> Result<Self, TirError> {
        let is_missing = |name: &&&str| self.defaulted.contains(*name);
        let missing: Vec<_> = self
            .version
            .essential()
            .iter()
            .filter(is_missing)
            .copied()
            .collect();
        if missing.is_empty() {
            return Ok(self);
        }
        let fault = TirFault::MissingEssential;
        Err(TirError::at(None, &missing.join(" "), fault))
    }
}

impl MagicFormulaFile {
    /// Combined slip as the file's keys allow: without any coefficient of it, the friction ellipse.
    #[must_use]
    pub fn combined_slip(&self) -> CombinedSlip {
        let absent = |key: &Key| self.defaulted.contains(&key.name);
        if KEYS.iter().filter(|key| key.is_weight()).all(absent) {
            CombinedSlip::FrictionEllipse
        } else {
            CombinedSlip::Weighting
        }
    }
}

fn refuse_warnings(warnings: &Warnings) -> Result<(), TirError> {
    match warnings.iter().next() {
        Some(w) => Err(TirError::at(w.line, &w.key, TirFault::Strict(w.remark))),
        None => Ok(()),
    }
}

/// A text with its line.
type Located<'a> = Option<(u32, &'a str)>;

/// The section of the aligning moment.
const ALIGNING: &str = "ALIGNING_COEFFICIENTS";

/// Upper bound of a number in a key that no formula uses, in the file's units; beyond, it is a
/// placeholder.
const LARGEST_PLACEHOLDER: f64 = 1e9;

/// The contents of a file's lines, before they are combined.
struct Given<'a> {
    has_units: bool,
    units: Units,
    fittyp: Located<'a>,
    property_file_format: Located<'a>,
    use_mode: Located<'a>,
    side: Located<'a>,
    /// Line and value in the file's units.
    numbers: Coefficients<Option<(u32, f64)>>,
    warnings: Warnings,
}

impl Default for Given<'_> {
    fn default() -> Self {
        Self {
            has_units: false,
            units: Units::SI,
            fittyp: None,
            property_file_format: None,
            use_mode: None,
            side: None,
            numbers: Coefficients::from_keys(|_| None),
            warnings: Warnings::default(),
        }
    }
}

impl<'a> Given<'a> {
    /// Adds a line.
    fn take(&mut self, statement: Statement<'a>) -> Result<(), TirError> {
        let line = statement.line.number;
        match statement.content {
            Content::Nothing | Content::Row(_) => {}
            Content::Unknown => {
                let text = statement.line.text.trim();
                self.warnings.push(line, text, Remark::NotUnderstood);
            }
            Content::Section(name, remark) => {
                self.has_units |= same(name, "UNITS");
                if let Some(remark) = remark {
                    self.warnings.push(line, name, remark);
                }
            }
            Content::Entry(entry) => {
                if let Some(remark) = entry.remark {
                    self.warnings.push(line, entry.key, remark);
                }
                if !entry.value.is_empty() {
                    self.entry(line, statement.section, &entry)?;
                }
            }
        }
        Ok(())
    }

    fn entry(&mut self, line: u32, section: &str, entry: &Entry<'a>) -> Result<(), TirError> {
        let (key, value) = (entry.key, entry.value);
        if same(section, "UNITS") {
            return self.units.set(line, key, value);
        }
        let before = if let Some(told) = self.text(key) {
            told.replace((line, value)).map(|(line, _)| line)
        } else if let Some(own) = coefficients::key(key) {
            let number = number::parse(value);
            if !own.is_used() && number.is_none_or(|x| x.abs() > LARGEST_PLACEHOLDER) {
                self.warnings.push(line, key, Remark::Placeholder);
                return Ok(());
            }
            let Some(number) = number else {
                let fault = TirFault::NotANumber(excerpt(value));
                return Err(TirError::at(line, key, fault));
            };
            let place = self.numbers.slot(own.name);
            place.and_then(|place| place.replace((line, number)).map(|(line, _)| line))
        } else {
            if belongs_to_the_formula(section) {
                self.warnings.push(line, key, Remark::UnknownKey);
            }
            None
        };
        if let Some(before) = before {
            self.warnings.push(line, key, Remark::Duplicate(before));
        }
        Ok(())
    }

    /// The slot for the text of a key that is not a coefficient.
    fn text(&mut self, key: &str) -> Option<&mut Located<'a>> {
        let texts = [
            ("FITTYP", &mut self.fittyp),
            ("PROPERTY_FILE_FORMAT", &mut self.property_file_format),
            ("USE_MODE", &mut self.use_mode),
            ("TYRESIDE", &mut self.side),
        ];
        let mut texts = texts.into_iter();
        texts
            .find(|(name, _)| same(name, key))
            .map(|(_, told)| told)
    }

    fn version(&mut self) -> Result<Version, TirError> {
        let fittyp = whole("FITTYP", self.fittyp)?;
        let named = self.property_file_format;
        let (line, key) = match (self.fittyp, named) {
            (Some((line, _)), _) => (Some(line), "FITTYP"),
            (None, Some((line, _))) => (Some(line), "PROPERTY_FILE_FORMAT"),
            (None, None) => (None, "FITTYP"),
        };
        let leans = self.numbers.PCY2.is_some();
        let (format, differ) = Format::detect(fittyp, named.map(|(_, name)| name), leans)
            .map_err(|fault| TirError::at(line, key, fault))?;
        let Format::MagicFormula(version) = format else {
            let fault = TirFault::OtherFormat {
                found: format.name(),
                wanted: "a Magic Formula",
            };
            return Err(TirError::at(
                named.map(|(line, _)| line),
                "PROPERTY_FILE_FORMAT",
                fault,
            ));
        };
        if differ {
            self.warnings.push(line, key, Remark::FormatsDiffer);
        }
        if let Some(51 | 60 | 63 | 70) = fittyp {
            self.warnings.push(line, key, Remark::ReadAs(version));
        }
        Ok(version)
    }

    fn use_mode(&self) -> Result<Option<UseMode>, TirError> {
        let Some(code) = whole("USE_MODE", self.use_mode)? else {
            return Ok(None);
        };
        let line = self.use_mode.map(|(line, _)| line);
        let decoded = UseMode::decode(code);
        decoded
            .map(Some)
            .map_err(|fault| TirError::at(line, "USE_MODE", fault))
    }

    fn side(&mut self) -> Option<Side> {
        let (line, side) = self.side?;
        let sides = [
            ("LEFT", Side::Left),
            ("RIGHT", Side::Right),
            ("SYMMETRIC", Side::Symmetric),
        ];
        let known = sides.into_iter().find(|(name, _)| same(name, side));
        if known.is_none() {
            self.warnings.push(line, "TYRESIDE", Remark::UnknownSide);
        }
        known.map(|(_, side)| side)
    }

    /// The numbers in SI units, with defaults.
    fn coefficients(&self, version: Version) -> Result<Coefficients, TirError> {
        let mut c = Coefficients::template_of(version);
        for (key, given) in self.numbers.iter() {
            let Some((line, value)) = *given else {
                continue;
            };
            let in_si = value * self.units.factor(key.dimension);
            if !in_si.is_finite() {
                let fault = TirFault::NotANumber(value.to_string());
                return Err(TirError::at(line, key.name, fault));
            }
            c.set(key.name, in_si);
        }
        match (self.numbers.INFLPRES, self.numbers.NOMPRES) {
            (None, Some(_)) => c.INFLPRES = c.NOMPRES,
            (Some(_), None) => c.NOMPRES = c.INFLPRES,
            _ => {}
        }
        Ok(c)
    }

    fn defaulted(&self, version: Version) -> Vec<&'static str> {
        let of_version = self
            .numbers
            .iter()
            .filter(|(key, _)| key.belongs_to(version));
        let absent = of_version.filter(|(_, given)| given.is_none());
        absent.map(|(key, _)| key.name).collect()
    }

    /// Adds warnings about the file as a whole, and about values that suggest wrong units.
    fn check_plausibility(&mut self, coefficients: &Coefficients) {
        if !self.has_units {
            self.warnings.push(None, "", Remark::NoUnits);
        }
        let lacks = |is_one: fn(&Key) -> bool| {
            let mut keys = self.numbers.iter().filter(|(key, _)| is_one(key));
            keys.all(|(_, given)| given.is_none())
        };
        type Part = (fn(&Key) -> bool, Remark);
        let parts: [Part; 2] = [
            (Key::is_weight, Remark::NoCombinedSlip),
            (|key| key.section == ALIGNING, Remark::NoAligning),
        ];
        let absent = parts.into_iter().filter(|(is_one, _)| lacks(*is_one));
        for remark in absent.map(|(_, remark)| remark).collect::<Vec<_>>() {
            self.warnings.push(None, "", remark);
        }
        let values = self.numbers.iter().zip(coefficients.iter());
        for ((key, given), (_, &value)) in values {
            let Some((line, _)) = *given else { continue };
            if let Some(remark) = implausible(key, value) {
                self.warnings.push(line, key.name, remark);
            }
        }
    }
}

/// Whether a section contains only the law's own keys.
fn belongs_to_the_formula(section: &str) -> bool {
    const END: &str = "_COEFFICIENTS";
    let start = section.len().checked_sub(END.len());
    let end = start.and_then(|start| section.get(start..));
    end.is_some_and(|end| same(end, END))
}

fn whole(key: &str, text: Located<'_>) -> Result<Option<i32>, TirError> {
    let Some((line, text)) = text else {
        return Ok(None);
    };
    let number = number::parse(text).filter(|x| x.fract() == 0.0 && x.abs() < 1e9);
    match number {
        Some(x) => Ok(Some(x as i32)),
        None => {
            let fault = TirFault::NotWhole(excerpt(text));
            Err(TirError::at(line, key, fault))
        }
    }
}

/// Remark on an implausible value in SI units.
fn implausible(key: &Key, value: f64) -> Option<Remark> {
    let (low, high, remark) = match key.name {
        "LONGVL" => (0.1, 200.0, Remark::ImplausibleSpeed),
        "UNLOADED_RADIUS" | "WIDTH" => (0.02, 3.0, Remark::ImplausibleLength),
        "FNOMIN" => (10.0, 1e6, Remark::ImplausibleLoad),
        "INFLPRES" | "NOMPRES" => (1e4, 2e6, Remark::ImplausiblePressure),
        _ => return None,
    };
    (!(low..=high).contains(&value)).then_some(remark)
}
