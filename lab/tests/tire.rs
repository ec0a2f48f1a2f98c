//! `jounce tire` on the tires of the reference tables.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use jounce::tires::tir::{MagicFormulaFile, Reading};
use jounce_lab::LabError;
use jounce_lab::check::{CheckArgs, check_command};
use jounce_lab::tire::{TireAction, TireArgs, tire_command};
use rstest::rstest;

fn tires() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/reference/tires")
}

fn run(action: TireAction) -> Result<String, LabError> {
    tire_command(&TireArgs { action })
}

fn check(name: &str, strict: bool) -> Result<String, LabError> {
    let file = tires().join(name).display().to_string();
    run(TireAction::Check { file, strict })
}

fn eval(tire: &str, points: &str) -> Result<String, LabError> {
    let folder =
        PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("points-{}", points.len()));
    fs::create_dir_all(&folder).unwrap();
    let path = folder.join("points.csv");
    fs::write(&path, points).unwrap();
    run(TireAction::Eval {
        file: tires().join(tire).display().to_string(),
        points: path,
        out: None,
        every_range: false,
    })
}

/// A file of its own.
fn written(name: &str, text: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("tire");
    fs::create_dir_all(&folder).unwrap();
    let path = folder.join(name);
    fs::write(&path, text).unwrap();
    path
}

/// A plausible small file of a version, with some text changed.
fn small(fittyp: &str, from: &str, to: &str) -> String {
    let text = format!(
        "[UNITS]\nLENGTH = 'meter'\nFORCE = 'newton'\nANGLE = 'radians'\nMASS = 'kg'\nTIME = 'second'\n\
         [MODEL]\n{fittyp}\nLONGVL = 16.7\n[DIMENSION]\nUNLOADED_RADIUS = 0.32\n[VERTICAL]\n\
         FNOMIN = 1500\n[LONG_SLIP_RANGE]\nKPUMIN = -1.2\nKPUMAX = 1.2\n\
         [LONGITUDINAL_COEFFICIENTS]\nPCX1 = 1.6\nPDX1 = 1.2\nPKX1 = 24\nPEX1 = 0.2\nRBX1 = 13\n\
         [LATERAL_COEFFICIENTS]\nPCY1 = 0.95\nPCY2 = 0.7\nPDY1 = 1.25\nPKY1 = -19\nPKY2 = 1.7\n\
         PKY3 = 1.45\nPKY6 = -0.85\n[ALIGNING_COEFFICIENTS]\nQDZ1 = 0.1\n"
    );
    assert!(text.contains(from), "{from}");
    text.replacen(from, to, 1)
}

fn checked(name: &str, text: &str) -> Result<String, LabError> {
    run(TireAction::Check {
        file: written(name, text).display().to_string(),
        strict: false,
    })
}

/// Files of the laws before 1996.
fn old(format: &str) -> String {
    let numbers = |letter: char, given: &[(usize, f64)], count: usize| {
        let keys = (0..count).map(|n| {
            let value = given
                .iter()
                .find(|(place, _)| *place == n)
                .map_or(0.0, |(_, x)| *x);
            format!("{letter}{n} = {value}\n")
        });
        keys.collect::<String>()
    };
    let head = format!("[MODEL]\nPROPERTY_FILE_FORMAT = '{format}'\n");
    if format == "FIALA" {
        return head
            + "[DIMENSION]\nWIDTH = 0.2\n[PARAMETER]\nCSLIP = 80000\nCALPHA = 60000\n\
                       UMIN = 0.9\nUMAX = 1.0\n";
    }
    let counts = if format == "PAC89" {
        [11, 14, 18]
    } else {
        [14, 18, 21]
    };
    let fx = [
        (0, 1.65),
        (1, -21.3),
        (2, 1144.0),
        (3, 49.6),
        (4, 226.0),
        (5, 0.069),
        (8, 0.486),
    ];
    let fy = [
        (0, 1.3),
        (1, -22.1),
        (2, 1011.0),
        (3, 1078.0),
        (4, 1.82),
        (7, -0.354),
    ];
    let mz = [
        (0, 2.4),
        (1, -2.72),
        (2, -2.28),
        (3, -1.86),
        (4, -2.73),
        (5, 0.11),
        (9, 0.4),
    ];
    head + "[LONGITUDINAL_COEFFICIENTS]\n"
        + &numbers('B', &fx, counts[0])
        + "[LATERAL_COEFFICIENTS]\n"
        + &numbers('A', &fy, counts[1])
        + "[ALIGNING_COEFFICIENTS]\n"
        + &numbers('C', &mz, counts[2])
}

#[test]
fn a_file_is_described_with_its_oddities() {
    let text = small(
        "FITTYP = 61\nTYRESIDE = 'Left'",
        "PKY1 = -19\n",
        "PKY1 = -20\nPKY1 = -19\n",
    );
    let text = checked("odd.tir", &text).unwrap();
    for part in [
        "Magic Formula 6.1, for the left side",
        "nominal load 1500 N",
        "capped: slip ratio at -1.2 … 1.2, slip angle at -85.9° … 85.9°, camber at -10.0° … 10.0°, \
         pressure at 10 … 1000 kPa; outside 100 … 10000 N, forces are proportional to the load",
        "warnings: 1\n    line 29: PKY1: given on line 28 already; the later value counts\n",
        "findings: 0",
        "absent keys, at their defaults: 251",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
}

/// A part of a tire is none: nothing is invented for what the file lacks.
#[test]
fn a_file_cut_in_the_middle_is_refused() {
    let error = check("tir_grammar/g1_comments_crlf.tir", false)
        .unwrap_err()
        .to_string();
    let rule = "g1_comments_crlf.tir: PCX1 PDX1 PKX1 PCY1 PDY1 PKY2: missing; no default is this \
                tire's own. Is the file whole?";
    assert!(error.ends_with(rule), "{error}");
    let error = eval("tir_grammar/g2_no_fittyp_pac2002.tir", "Fz\n4000\n").unwrap_err();
    assert!(
        error
            .to_string()
            .contains("g2_no_fittyp_pac2002.tir: UNLOADED_RADIUS"),
        "{error}"
    );
}

/// Remarks name every value that is capped, ignored, or replaced.
#[rstest]
#[case::drive(
    "KPUMAX = 1.2",
    "KPUMAX = 0",
    "-1.2 to 0 forbids drive slip; not obeyed, -1.5 to 1.5"
)]
#[case::curvature(
    "PEX1 = 0.2",
    "PEX1 = 1.2",
    "curvature along is 1.2000, above 1 (capped at 1)"
)]
#[case::ellipse(
    "RBX1 = 13",
    "",
    "no key of combined slip (RBX1, RBY1, ...); a friction ellipse"
)]
#[case::moment("QDZ1 = 0.1", "", "no key of the aligning moment")]
#[case::number(
    "RBX1",
    "BELT_MASS = 1e30\nRBX1",
    "BELT_MASS: a placeholder; no formula uses"
)]
#[case::word("RBX1", "IXX = 'none'\nRBX1", "IXX: a placeholder; no formula uses")]
#[case::version(
    "FITTYP = 61",
    "FITTYP = 70",
    "FITTYP: read as Magic Formula 6.2, the nearest"
)]
fn what_is_taken_instead_is_told(#[case] from: &str, #[case] to: &str, #[case] words: &str) {
    let text = checked(
        &format!("told-{}.tir", words.len()),
        &small("FITTYP = 61", from, to),
    )
    .unwrap();
    assert!(text.contains(words), "{text}");
}

/// A file that makes no tire is a failure, with everything that was found.
#[test]
fn a_file_that_cannot_be_evaluated_fails() {
    let text = small("FITTYP = 61", "PDX1 = 1.2\n", "PDX1 = 0\nLMUX = 0\n");
    let error = checked("zero.tir", &text).unwrap_err().to_string();
    for part in [
        "cannot be evaluated",
        "PDX1 = 0: must not be 0",
        "findings: 1",
        "friction along",
    ] {
        assert!(error.contains(part), "{part}: {error}");
    }
    let points = written("points.csv", "Fz\n4000\n");
    let file = written("zero.tir", &text).display().to_string();
    let out = None;
    let error = run(TireAction::Eval {
        file,
        points,
        out,
        every_range: false,
    })
    .unwrap_err();
    let error = error.to_string();
    assert!(
        error.contains("zero.tir: ") && !error.contains("points.csv"),
        "{error}"
    );
}

/// Ranges that forbid drive slip are obeyed only if asked; other files have few outputs.
#[test]
fn files_of_every_law_are_evaluated() {
    let head = "Fz,kappa,alpha,gamma\n1500,0.05,0,0\n1500,0,0.05,0\n1500,0,0,0.6\n";
    let points = written("laws.csv", head);
    let rows = |name: &str, text: &str, every_range: bool| {
        let (file, points, out) = (
            written(name, text).display().to_string(),
            points.clone(),
            None,
        );
        let text = run(TireAction::Eval {
            file,
            points,
            out,
            every_range,
        })
        .unwrap();
        let rows = text
            .lines()
            .map(|line| line.split(',').map(str::to_owned).collect());
        let rows: Vec<Vec<String>> = rows.collect();
        let place = |name: &str| rows[0].iter().position(|column| column == name).unwrap();
        let places = [place("Fx"), place("Fy"), place("Mz")];
        let numbers = rows[1..]
            .iter()
            .map(|row| places.map(|n| row[n].parse::<f64>().unwrap()));
        numbers.collect::<Vec<_>>()
    };
    let forbids = small("FITTYP = 61", "KPUMAX = 1.2", "KPUMAX = 0");
    assert!(rows("kpu.tir", &forbids, false)[0][0] > 1000.0);
    assert!(rows("kpu.tir", &forbids, true)[0][0].abs() < 1.0);
    let motorcycle = small("PROPERTY_FILE_FORMAT = 'PAC_MC'", "", "");
    let [driven, turned, leaning] = rows("mc.tir", &motorcycle, false)[..] else {
        panic!("three rows");
    };
    assert!(driven[0] > 1000.0 && turned[1] < -800.0 && turned[2] > 0.0);
    // At 34°, a motorcycle's tire carries two thirds of the load to the side, without slip.
    assert!((-1200.0..-600.0).contains(&leaning[1]), "{leaning:?}");
    assert!(
        checked("mc.tir", &motorcycle)
            .unwrap()
            .contains("Magic Formula MC, for no side")
    );
    for (format, name) in [
        ("PAC89", "Pacejka '89"),
        ("PAC94", "Pacejka '94"),
        ("FIALA", "Fiala"),
    ] {
        let found = rows(&format!("{format}.tir"), &old(format), false);
        assert!(
            found[0][0] > 800.0 && found[1][1] < -800.0,
            "{format}: {found:?}"
        );
        let text = checked(&format!("{format}.tir"), &old(format)).unwrap();
        let told = format!("{format}.tir: {name}\n  at 4000 N: peak friction ");
        assert!(text.contains(&told), "{text}");
    }
}

/// The laws before 1996 have findings and faults of their own.
#[test]
fn files_of_older_laws_are_checked() {
    let text = old("PAC94").replace("B8 = 0.486", "B8 = 1.25");
    let text = checked("old-e.tir", &text).unwrap();
    assert!(
        text.contains("curvature along is 1.2500, above 1 (capped at 1)"),
        "{text}"
    );
    let text = old("PAC89").replace("A2 = 1011", "A2 = 0");
    let error = checked("old-0.tir", &text).unwrap_err().to_string();
    assert!(
        error.contains("old-0.tir: ") && error.contains("lateral"),
        "{error}"
    );
    let error = checked("old-key.tir", &old("PAC89").replace("A2 = 1011\n", "")).unwrap_err();
    assert!(
        error.to_string().ends_with("old-key.tir: A2: missing"),
        "{error}"
    );
    let error = checked("old-fiala.tir", &old("FIALA").replace("60000", "soft")).unwrap_err();
    assert!(
        error.to_string().contains("CALPHA: not a number: \"soft\""),
        "{error}"
    );
}

/// Tables of spreadsheets, in whichever country.
#[rstest]
#[case("Fz;alpha\n4000,5;0,05\n")]
#[case("Fz;alpha\n4000.5;0.05\n")]
#[case("Fz\talpha\n4000,5\t0,05\n")]
fn semicolons_and_decimal_commas_are_read(#[case] points: &str) {
    let tire = "mf61_255_55R20.tir";
    let expected = eval(tire, "Fz,alpha\n4000.5,0.05\n").unwrap();
    assert_eq!(eval(tire, points).unwrap(), expected);
}

/// A vehicle's tires of any file law are checked with the vehicle, and drive it.
#[rstest]
#[case("PAC89", "pacejka-89", "1 finding(s)")]
#[case("PAC94", "pacejka-94", "0 finding(s)")]
#[case("FIALA", "fiala", "0 finding(s)")]
#[case("PAC_MC", "magic-formula", "0 finding(s)")]
fn vehicles_have_tires_of_files(#[case] format: &str, #[case] model: &str, #[case] told: &str) {
    let tire = match format {
        "PAC_MC" => small("PROPERTY_FILE_FORMAT = 'PAC_MC'", "", ""),
        "PAC89" => old(format).replace("B8 = 0.486", "B8 = 1.2"),
        _ => old(format),
    };
    written(&format!("own-{format}.tir"), &tire);
    let mut file: toml::Table = jounce::presets::BENCHMARK_SEDAN.parse().unwrap();
    let street: toml::Table = format!("model = '{model}'\nfile = 'own-{format}.tir'")
        .parse()
        .unwrap();
    file["tires"].as_table_mut().unwrap()["street"] = street.into();
    let car = written(&format!("car-{format}.toml"), &file.to_string());
    let vehicle = car.display().to_string();
    let text = check_command(&CheckArgs {
        vehicle,
        strict: false,
        targets: false,
        migrate: false,
    })
    .unwrap()
    .text;
    assert!(
        text.contains(&format!("tire street (own-{format}.tir): ")),
        "{text}"
    );
    assert!(text.contains(told), "{text}");
    let wrong = if model == "fiala" {
        "pacejka-89"
    } else {
        "fiala"
    };
    let other = file.to_string().replace(model, wrong);
    let vehicle = written(&format!("wrong-{format}.toml"), &other)
        .display()
        .to_string();
    let error = check_command(&CheckArgs {
        vehicle,
        strict: false,
        targets: false,
        migrate: false,
    })
    .unwrap_err()
    .to_string();
    let named = error.contains(&format!("own-{format}.tir")) && error.contains("parameters of ");
    assert!(named, "{error}");
}

#[test]
fn a_strict_reader_refuses_what_a_tolerant_one_warns_about() {
    let error = check("tir_grammar/g1_comments_crlf.tir", true).unwrap_err();
    let error = error.to_string();
    assert!(error.contains("g1_comments_crlf.tir:33: PKY1"), "{error}");
}

/// The table's own points give the table's forces and moments.
#[test]
fn points_are_evaluated_as_in_the_reference() {
    let table = fs::read_to_string(tires().join("mf61_255_55R20.csv")).unwrap();
    let mut lines = table.lines();
    let head: Vec<&str> = lines.next().unwrap().split(',').collect();
    let place = |name: &str| head.iter().position(|column| *column == name).unwrap();
    let inputs = ["Fz", "kappa", "alpha", "gamma", "Vx", "p"];
    let rows: Vec<Vec<&str>> = lines.map(|line| line.split(',').collect()).collect();
    let of_mode =
        |row: &&Vec<&str>| row[place("use_mode")] == "111" && row[place("omega_in")].is_empty();
    let rows: Vec<&Vec<&str>> = rows.iter().filter(of_mode).take(200).collect();
    let mut points = inputs.join(",") + "\n";
    for row in &rows {
        points += &(inputs.map(|input| row[place(input)]).join(",") + "\n");
    }
    let text = eval("mf61_255_55R20.tir", &points).unwrap();
    let mut found = text.lines();
    let columns: Vec<&str> = found.next().unwrap().split(',').collect();
    let mut compared = 0;
    for (row, line) in rows.iter().zip(found) {
        let cells: Vec<f64> = line.split(',').map(|cell| cell.parse().unwrap()).collect();
        for name in ["Fx", "Fy", "Mx", "My", "Mz", "Kya", "t"] {
            let expected: f64 = row[place(name)].parse().unwrap();
            let cell = cells[columns.iter().position(|column| *column == name).unwrap()];
            assert!(
                (cell - expected).abs() <= 1e-9 * (1.0 + expected.abs()) * 10.0,
                "{name} {cell} {expected}"
            );
            compared += 1;
        }
    }
    assert_eq!(compared, 7 * 200);
}

#[rstest]
#[case::unknown(
    "Fz,kapa\n1,2\n",
    "column \"kapa\": must be one of Fz, kappa, alpha, gamma, phit, Vx, p, once"
)]
#[case::twice("Fz,Fz\n1,2\n", "column \"Fz\"")]
#[case::no_load("kappa,alpha\n0,0.1\n", "there must be a column Fz")]
#[case::text("Fz,kappa\n4000,x\n", "line 2: kappa = \"x\": must be a finite number")]
#[case::infinite(
    "Fz,gamma\n4000,inf\n ",
    "line 2: gamma = \"inf\": must be a finite number"
)]
#[case::short("Fz,kappa,alpha\n4000,1\n", "line")]
fn invalid_tables_of_points_are_refused(#[case] points: &str, #[case] expected: &str) {
    let error = eval("mf61_255_55R20.tir", points).unwrap_err().to_string();
    assert!(
        error.contains("points.csv: ") && error.contains(expected),
        "{error}"
    );
}

/// A pressure that is not given is the file's own; another one makes another tire.
#[test]
fn points_may_have_a_pressure() {
    let tire = "../../../tire-models/tires/suv-255-55-r20.tir";
    let file = tires().join(tire);
    let file = MagicFormulaFile::open(&file, Reading::Tolerant).unwrap();
    let own = file.coefficients.INFLPRES;
    let forces = |head: &str, cell: &str| {
        let said = eval(tire, &format!("Fz,alpha{head}\n5000.0000,0.050000{cell}\n")).unwrap();
        let row = said.lines().nth(1).unwrap().split(',').map(str::to_owned);
        row.skip(2 + usize::from(!head.is_empty()))
            .collect::<Vec<_>>()
    };
    let told = forces("", "");
    assert_eq!(forces(",p", &format!(",{own}")), told);
    assert_ne!(forces(",p", &format!(",{}", 0.8 * own)), told);
}

/// A file that `tire convert` writes is checked, evaluated and plotted like its source, for every law of `.tir` files;
/// presets by their names, a vehicle's tires by FILE#NAME.
#[rstest]
#[case("mf61_255_55R20.tir")]
fn a_converted_tire_is_read_like_its_source(#[case] file: &str) {
    let source = format!(
        "{}/../tests/reference/tires/{file}",
        env!("CARGO_MANIFEST_DIR")
    );
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("converted");
    fs::create_dir_all(&folder).unwrap();
    let path = |name: &str| folder.join(name).display().to_string();
    let (toml, points) = (path("x.toml"), path("points.csv"));
    fs::write(
        &points,
        "\u{feff}Fz,kappa,alpha,gamma\n3000,0.05,0,0\n5000,0,0.06,0.02\n4000,0.1,-0.1,0\n",
    )
    .unwrap();
    let run = |arguments: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_jounce"))
            .args(arguments)
            .output()
            .unwrap();
        assert!(
            output.status.success(),
            "{arguments:?}: {}",
            String::from_utf8_lossy(&output.stderr)
        );
        String::from_utf8(output.stdout).unwrap()
    };
    run(&["tire", "convert", &source, "--out", &toml]);
    let eval = |tire: &str| run(&["tire", "eval", tire, "--points", &points]);
    assert_eq!(eval(&source), eval(&toml));
    assert_eq!(eval(&toml), eval(&format!("{toml}#x")));
    let check = |tire: &str| run(&["tire", "check", tire]);
    let [told, of_toml] =
        [&source, &toml].map(|tire| check(tire).lines().skip(1).take(3).collect::<String>());
    // All but the name and the side, which a vehicle gives.
    assert_eq!(told, of_toml);
    run(&["tire", "plot", &toml, &source, "--out", &path("x.html")]);
    assert!(check("suv-255-55-r20").starts_with("suv-255-55-r20: Magic Formula"));
    let both = check("sedan");
    assert!(
        both.contains("sedan#left: ") && both.contains("sedan#right: "),
        "{both}"
    );
    assert_ne!(eval("sedan#left"), eval("sedan#right"));
}

#[rstest]
#[case(&["check", "sedan#best"], "has no tire \"best\"; it has: left, right")]
#[case(&["check", "no-such-tire"], "no such file or preset; tires: ")]
#[case(&["check", "suv-255-55-r20#x"], "is one tire and has none called \"x\"")]
#[case(&["eval", "sedan", "--points", "x.csv"], "write FILE#NAME for one of them")]
fn other_names_of_tires_are_refused(#[case] arguments: &[&str], #[case] told: &str) {
    let output = Command::new(env!("CARGO_BIN_EXE_jounce"))
        .arg("tire")
        .args(arguments)
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.code() == Some(1) && text.contains(told),
        "{text}"
    );
}
