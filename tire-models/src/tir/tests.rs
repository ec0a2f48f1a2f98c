use super::*;
use crate::magic_formula::{Coefficients, CombinedSlip, Version};
use rstest::rstest;

fn read(text: &str, reading: Reading) -> Result<MagicFormulaFile, TirError> {
    MagicFormulaFile::from_bytes(text.as_bytes(), reading)
}

/// The keys without which there is no tire, but for the radius.
const TIRE: &str = "FNOMIN = 4000\nPCX1 = 1.6\nPDX1 = 1.1\nPKX1 = 20\nPCY1 = 1.3\nPDY1 = 1\nPKY1 = -18\n\
                    PKY2 = 1.8\n";

fn whole() -> String {
    let document = document_of(Version::V61, &Coefficients::template()).unwrap();
    document.text().to_owned()
}

#[test]
fn a_full_file_round_trips_under_strict_reading() {
    let mut coefficients = Coefficients::template();
    for (i, name) in ["PCX1", "Q_FZ2", "LFZO"].into_iter().enumerate() {
        coefficients.set(name, 1.0 / (3.0 + i as f64)).unwrap();
    }
    let document = document_of(Version::V62, &coefficients).unwrap();
    let file = MagicFormulaFile::from_document(document, Reading::Strict).unwrap();
    assert_eq!(file.coefficients, coefficients);
    assert_eq!(file.version, Version::V62);
    assert!(file.defaulted.is_empty());
}

#[test]
fn changes_are_stored_in_the_files_units_and_the_rest_is_unchanged() {
    let text = format!(
        "[UNITS]\nLENGTH = 'mm' $ small\n[MODEL]\nFITTYP = 61\n{TIRE}[DIMENSION]\n\
         UNLOADED_RADIUS = 300 $ r\n[SCALING_COEFFICIENTS]\nLFZ0 = 1\n[OWN]\nmine = 'x'\n"
    );
    let mut file = read(&text, Reading::Tolerant).unwrap();
    let mut coefficients = file.coefficients.clone();
    coefficients.UNLOADED_RADIUS = 0.25;
    coefficients.LFZO = 0.5;
    coefficients.WIDTH = 0.125;
    file.store(&coefficients).unwrap();
    let expected = text
        .replace("300 $ r", "250 $ r\nWIDTH                    = 125")
        .replace("LFZ0 = 1", "LFZ0 = 0.5");
    assert_eq!(file.document.text(), expected);
    assert!(!file.defaulted.contains(&"WIDTH"));
    let again = MagicFormulaFile::from_document(file.document.clone(), Reading::Tolerant).unwrap();
    assert_eq!(again.coefficients, coefficients);
    assert_eq!(again.defaulted, file.defaulted);
    coefficients.PCX1 = f64::NAN;
    assert!(file.store(&coefficients).is_err());
    assert_eq!(again.document, file.document);
}

#[rstest]
#[case("FITTYP ", "FITTYP = 61\nFITTYP ", "given on line")]
#[case("PEX1 ", "PEX9 ", "not a key of this tire law")]
#[case("[INERTIA]", "[INERTIA", "not closed")]
#[case("[INERTIA]", "no sense\n[INERTIA]", "neither a key")]
#[case("'second'", "'second", "string is not closed")]
#[case(
    "LONGVL                   = 16.7",
    "LONGVL = 16.7 ! m/s",
    "begin with $"
)]
#[case("LONGVL                   = 16.7", "LONGVL = 16700", "plausible speed")]
#[case("WIDTH                    = 0.205", "WIDTH = 205", "plausible length")]
#[case("FNOMIN                   = 4000", "FNOMIN = 4", "plausible load")]
#[case(
    "INFLPRES                 = 220000",
    "INFLPRES = 2.2",
    "plausible pressure"
)]
#[case("\nPKX2                     = 0", "\nPKX2 = $", "no value")]
#[case(
    "FITTYP                   = 61",
    "FITTYP = 60",
    "read as Magic Formula 6.1"
)]
#[case(
    "FITTYP                   = 61",
    "FITTYP = 70",
    "read as Magic Formula 6.2"
)]
#[case(
    "FITTYP                   = 61",
    "FITTYP = 63",
    "read as Magic Formula 6.2"
)]
#[case(
    "FITTYP                   = 61",
    "FITTYP = 51",
    "read as Magic Formula 5.2"
)]
#[case("BELT_MASS                = 7", "BELT_MASS = 1e30", "a placeholder")]
#[case(
    "FREQ_LONG                = 80",
    "FREQ_LONG = 'unknown'",
    "a placeholder"
)]
#[case("FITTYP", "TYRESIDE = 'Up'\nFITTYP", "neither LEFT nor RIGHT")]
#[case("FITTYP", "PROPERTY_FILE_FORMAT = 'PAC2002'\nFITTYP", "FITTYP counts")]
fn strict_reading_refuses_what_tolerant_reading_warns_about(
    #[case] from: &str,
    #[case] to: &str,
    #[case] words: &str,
) {
    let good = whole();
    assert!(good.contains(from));
    let text = good.replacen(from, to, 1);
    assert!(read(&good, Reading::Strict).is_ok());
    let error = read(&text, Reading::Strict).unwrap_err().to_string();
    assert!(error.contains(words), "{error}");
    let file = read(&text, Reading::Tolerant).unwrap();
    let told = file.warnings.to_string().contains(words);
    assert!(told, "{}", file.warnings);
}

#[rstest]
#[case(
    "PCX1                     = 1.65",
    "PCX1 = 1,65",
    "PCX1: not a number: \"1,65\""
)]
#[case(
    "PCX1                     = 1.65",
    "PCX1 = 1.65 N",
    "PCX1: not a number: \"1.65 N\""
)]
#[case(
    "FITTYP                   = 61",
    "FITTYP = 'MF'",
    "FITTYP: not a whole number: \"MF\""
)]
#[case(
    "FITTYP                   = 61",
    "FITTYP = 80",
    "not known: FITTYP = 80"
)]
#[case(
    "FITTYP                   = 61",
    "USE_MODE = 19\nFITTYP = 61",
    "USE_MODE: no such mode: 19"
)]
#[case(
    "FITTYP",
    "PROPERTY_FILE_FORMAT = 'FIALA'\nFITTYP",
    "parameters of Fiala"
)]
#[case("'newton'", "'stone'", "FORCE: not a unit of force")]
fn errors_name_line_and_key(#[case] from: &str, #[case] to: &str, #[case] words: &str) {
    let good = whole();
    assert!(good.contains(from), "{from}");
    let text = good.replacen(from, to, 1);
    let error = read(&text, Reading::Tolerant).unwrap_err();
    let line = error
        .line
        .and_then(|line| text.lines().nth(line as usize - 1));
    assert!(line.is_some_and(|line| line.contains(error.key.as_deref().unwrap())));
    let error = error.in_file("a.tir").to_string();
    assert!(
        error.starts_with("a.tir:") && error.contains(words),
        "{error}"
    );
}

#[test]
fn a_missing_file_is_named() {
    let error = MagicFormulaFile::open("no/such.tir", Reading::Tolerant).unwrap_err();
    assert!(error.to_string().starts_with("no/such.tir: "), "{error}");
}

#[test]
fn a_file_without_units_is_si() {
    let text = format!("[MODEL]\nFITTYP = 61\nLONGVL = 20\nUNLOADED_RADIUS = 0.3\n{TIRE}");
    let file = read(&text, Reading::Tolerant).unwrap();
    assert_eq!((file.units, file.coefficients.LONGVL), (Units::SI, 20.0));
    assert!(file.warnings.to_string().starts_with("no [UNITS]"));
}

#[test]
fn an_absent_pressure_equals_the_other() {
    let text = whole()
        .replace("NOMPRES                  = 220000", "")
        .replace("INFLPRES                 = 220000", "INFLPRES = 250000");
    let file = read(&text, Reading::Tolerant).unwrap();
    assert_eq!(file.coefficients.NOMPRES, 250_000.0);
    assert_eq!(file.defaulted, ["NOMPRES"]);
}

#[test]
fn values_that_overflow_in_si_units_are_refused() {
    let text = "[UNITS]\nLENGTH = 'km'\n[MODEL]\nFITTYP = 61\n[DIMENSION]\nWIDTH = 1e308\n";
    let error = read(text, Reading::Tolerant).unwrap_err();
    assert_eq!((error.line, error.key.as_deref()), (Some(6), Some("WIDTH")));
}

#[test]
fn only_the_first_hundred_warnings_are_kept_and_all_are_counted() {
    let text = format!("{}{}", whole(), "x\n".repeat(1000));
    let file = read(&text, Reading::Tolerant).unwrap();
    assert_eq!(file.warnings.iter().count(), 100);
    assert_eq!(file.warnings.count(), 1000);
    assert!(file.warnings.to_string().ends_with("and 900 more\n"));
}

/// A file cut in the middle has no tire, and no default is one.
#[test]
fn without_an_essential_key_there_is_no_tire() {
    for version in [
        Version::V52,
        Version::V61,
        Version::V62,
        Version::Motorcycle,
    ] {
        let document = document_of(version, &Coefficients::template_of(version)).unwrap();
        let file = read(document.text(), Reading::Strict).unwrap();
        assert_eq!(file.version, version);
        assert!(file.defaulted.is_empty(), "{:?}", file.defaulted);
        for name in version.essential() {
            let line = document
                .text()
                .lines()
                .find(|line| line.starts_with(&format!("{name} ")));
            let cut = document.text().replacen(line.unwrap(), "", 1);
            assert!(read(&cut, Reading::Strict).is_err());
            let error = read(&cut, Reading::Tolerant).unwrap().whole().unwrap_err();
            let (key, fault) = (error.key.as_deref(), error.fault);
            assert_eq!((key, fault), (Some(*name), TirFault::MissingEssential));
        }
    }
    let text = whole();
    let end = text.find("[LATERAL_COEFFICIENTS]").unwrap();
    let part = read(&text[..end], Reading::Tolerant).unwrap();
    let error = part.whole().unwrap_err().to_string();
    assert!(error.starts_with("PCY1 PDY1 PKY1 PKY2: missing"), "{error}");
}

/// Remarks name every default that stands in for a missing part of the file.
#[test]
fn what_is_taken_instead_is_told() {
    let text = format!("[UNITS]\n[MODEL]\nFITTYP = 61\nUNLOADED_RADIUS = 0.3\n{TIRE}");
    let file = read(&text, Reading::Tolerant).unwrap();
    let told: Vec<_> = file.warnings.iter().map(|warning| warning.remark).collect();
    assert_eq!(told, [Remark::NoCombinedSlip, Remark::NoAligning]);
    assert_eq!(file.combined_slip(), CombinedSlip::FrictionEllipse);
    let whole = read(&format!("{text}RHX1 = 0\nQHZ1 = 0\n"), Reading::Tolerant).unwrap();
    let told: Vec<_> = whole
        .warnings
        .iter()
        .map(|warning| warning.remark)
        .collect();
    assert_eq!(told, []);
    assert_eq!(whole.combined_slip(), CombinedSlip::Weighting);
}

/// A placeholder is neither used nor converted, and stays in the file.
#[test]
fn placeholders_in_unused_keys_are_kept() {
    let text = whole()
        .replace("MASS                     = 9.3", "MASS = 1e30 $ later")
        .replace("IXX                      = 0.391", "IXX = 'tbd'");
    let file = read(&text, Reading::Tolerant).unwrap();
    assert_eq!(file.defaulted, ["MASS", "IXX"]);
    assert_eq!(file.coefficients, Coefficients::template());
    let millimeters = file.in_units(&[("LENGTH", "mm")]).unwrap();
    assert!(millimeters.document.text().contains("MASS = 1e30 $ later"));
    assert!(millimeters.document.text().contains("IXX = 'tbd'"));
    let error = read(
        &whole().replace("PDX1                     = 1.3", "PDX1 = tbd"),
        Reading::Tolerant,
    );
    assert!(
        error
            .unwrap_err()
            .to_string()
            .contains("PDX1: not a number")
    );
}

#[test]
fn the_template_breaks_no_rule() {
    for version in [
        Version::V52,
        Version::V61,
        Version::V62,
        Version::Motorcycle,
    ] {
        assert_eq!(validate(version, &Coefficients::template_of(version)), []);
    }
}

#[rstest]
#[case(&[("KPUMAX", 0.0)], "-1.5 to 0 forbids drive slip; not obeyed, -1.5 to 1.5 is taken")]
#[case(&[("KPUMIN", 0.0)], "0 to 1.5 forbids brake slip")]
#[case(&[("KPUMIN", 0.0), ("KPUMAX", 0.0)], "0 to 0 forbids brake and drive slip")]
#[case(&[("ALPMIN", 0.0)], "0 to 1.5 forbids slip to one side")]
#[case(&[("ALPMIN", 0.0), ("ALPMAX", 0.0)], "0 to 0 forbids slip to both sides")]
#[case(&[("CAMMIN", 0.0)], "0 to 0.175 rad leaves out camber to one side, which is capped")]
#[case(&[("FZMAX", 3000.0)], "4000 is not within 100 to 3000; the nominal load itself")]
#[case(&[("PRESMAX", 2e5)], "220000 is not within 10000 to 200000; the tire's own pressure is capped")]
#[case(&[("PEX1", 1.2)], "curvature along is 1.2000, above 1 (capped at 1)")]
fn what_is_capped_or_not_obeyed_is_told(#[case] values: &[(&str, f64)], #[case] words: &str) {
    let mut c = Coefficients::template();
    for (name, value) in values {
        c.set(name, *value).unwrap();
    }
    let findings: Vec<_> = validate(Version::V61, &c)
        .iter()
        .map(BrokenRule::to_string)
        .collect();
    assert!(findings.iter().any(|f| f.contains(words)), "{findings:?}");
}

#[rstest]
#[case("PDX1", -1.0, "PDX1, PDX2, PDX3")]
#[case("PDY2", -1.2, "PDY1, PDY2, PDY3")]
#[case("PCX1", 2.5, "PCX1·LCX")]
#[case("QCZ1", 0.0, "QCZ1")]
#[case("PEX2", 2.0, "PEX1, PEX2, PEX3, PEX4")]
#[case("PEY1", 1.5, "PEY1, PEY2, PEY3, PEY4, PEY5")]
#[case("QBZ2", 20.0, "QBZ1, QBZ2, QBZ3, QBZ4, QBZ5")]
#[case("QEZ3", 1.0, "QEZ1, QEZ2, QEZ3, QEZ4, QEZ5")]
#[case("REX1", 1.1, "REX1, REX2")]
#[case("RBX1", -3.0, "RBX1·LXAL")]
#[case("PKY1", 20.0, "PKY1·LKY")]
#[case("LMUX", 9.0, "PDX1·LMUX")]
#[case("PDY1", 9.0, "PDY1·LMUY")]
#[case("PHX1", -0.9, "PHX1·LHX")]
#[case("PKY2", -1.0, "PKY2")]
#[case("FZMIN", 20_000.0, "FZMIN, FZMAX")]
#[case("LCY", f64::NAN, "LCY")]
fn every_rule_finds_what_breaks_it(#[case] name: &str, #[case] value: f64, #[case] keys: &str) {
    let mut coefficients = Coefficients::template();
    coefficients.set(name, value).unwrap();
    let findings = validate(Version::V61, &coefficients);
    assert!(findings.iter().any(|f| f.keys == keys), "{findings:?}");
}

#[test]
fn a_curve_divided_by_zero_is_found() {
    let mut coefficients = Coefficients::template();
    (coefficients.RHX1, coefficients.RCX1) = (1.0, 1.5);
    let findings = validate(Version::V61, &coefficients);
    assert_eq!(findings.len(), 1);
    assert!(
        findings[0]
            .to_string()
            .starts_with("RHX1, RBX1, RBX3, RCX1: ")
    );
}

#[rstest]
#[case("PKY3", 0.0, "PKY3")]
#[case("PKY6", 0.5, "-PKY6·LKYC")]
#[case("PCY2", 0.0, "PCY2·LCC")]
#[case("PCY2", 1.2, "PCY1·LCY + PCY2·LCC")]
#[case("PEY2", 3.0, "PEY1, PEY2, PEY3, PEY4, PEY5")]
#[case("PEY5", 1.1, "PEY1, PEY2, PEY3, PEY4, PEY5")]
#[case("PDY3", 1.0, "PDY1, PDY3")]
fn motorcycles_have_rules_of_their_own(#[case] name: &str, #[case] value: f64, #[case] keys: &str) {
    let mut c = Coefficients::template_of(Version::Motorcycle);
    c.set(name, value).unwrap();
    let findings = validate(Version::Motorcycle, &c);
    assert!(findings.iter().any(|f| f.keys == keys), "{findings:?}");
}
