//! `jounce tire plot`: every tire becomes a page whose curves are the law's.

#[path = "../../tire-models/tests/small_tires/mod.rs"]
mod small_tires;

mod deeds;

use std::fs;
use std::path::{Path, PathBuf};

use jounce::tires::magic_formula::{Load, MagicFormula, Settings, Slip};
use jounce::tires::tir::{MagicFormulaFile, Reading};
use jounce::tires::{MichiganParams, presets, table_of};
use jounce_lab::LabError;
use jounce_lab::tire::{PlotArgs, TireAction, TireArgs, tire_command};
use rstest::rstest;

fn folder() -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("tire-plot");
    fs::create_dir_all(&folder).unwrap();
    folder
}

fn reference() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/reference/tires")
}

fn args(tires: &[&str], out: &str) -> PlotArgs {
    PlotArgs {
        tires: tires.iter().map(|tire| (*tire).to_owned()).collect(),
        out: folder().join(out),
        loads: Vec::new(),
        friction: 1.0,
        rest_load: 4000.0,
    }
}

fn plot(args: PlotArgs) -> Result<String, LabError> {
    let out = args.out.clone();
    let action = TireAction::Plot(args);
    tire_command(&TireArgs { action })?;
    Ok(fs::read_to_string(out).unwrap())
}

/// The page of one tire; `out` is unique, because tests run in parallel.
fn page(tire: &str, out: &str) -> String {
    let page = plot(args(&[tire], out)).unwrap_or_else(|error| panic!("{tire}: {error}"));
    for wrong in ["NaN", "inf ", "inf\"", "://"] {
        assert!(!page.contains(wrong), "{tire}: {wrong}");
    }
    page
}

/// A file of this test.
fn written(name: &str, text: &str) -> String {
    let path = folder().join(name);
    fs::write(&path, text).unwrap();
    path.display().to_string()
}

/// The section of a chart.
fn chart<'a>(page: &'a str, title: &str) -> &'a str {
    let start = page.find(&format!("<h3>{title} <")).expect(title);
    let section = &page[start..];
    &section[..section.find("</section>").expect("it ends")]
}

fn between<'a>(text: &'a str, before: &str, after: &str) -> &'a str {
    let start = text.find(before).expect(before) + before.len();
    let rest = &text[start..];
    &rest[..rest.find(after).expect(after)]
}

/// Points of the solid part of a line of a chart, in its axes' units.
fn points(chart: &str, name: &str) -> Vec<[f64; 2]> {
    let line = between(chart, &format!("data-name=\"{name}\""), "</g>");
    let ends = |axis: &str| {
        let numbers = between(chart, &format!("data-{axis}=\""), "\"");
        let mut numbers = numbers
            .split(' ')
            .map(|n| n.parse::<f64>().unwrap_or(f64::NAN));
        [numbers.next().unwrap(), numbers.next().unwrap()]
    };
    let [x, y] = [ends("x"), ends("y")];
    let at = |[low, high]: [f64; 2], share: f64| low + share * (high - low);
    let pairs = between(line, "d=\"M", "\"").split(['L', 'M']);
    let pair = |pair: &str| {
        let (left, top) = pair.split_once(' ').expect("two numbers");
        let [left, top] = [left, top].map(|n| n.parse::<f64>().unwrap() / 1000.0);
        [at(x, left), at(y, 1.0 - top)]
    };
    pairs.map(pair).collect()
}

#[test]
fn every_tire_that_ships_becomes_a_page() {
    for (name, _) in presets::FILES {
        let page = page(name, &format!("{name}.html"));
        for part in [
            "Lateral force",
            "Aligning moment",
            "Relaxation length",
            "Camber thrust",
        ] {
            assert!(page.contains(part), "{name}: {part}");
        }
    }
}

#[test]
fn every_vehicle_that_ships_becomes_a_page() {
    for (name, _) in jounce::presets::FILES {
        let page = page(name, &format!("vehicle-{name}.html"));
        assert!(page.contains(&format!("{name}#")), "{name}");
    }
}

#[test]
fn every_file_of_the_reference_becomes_a_page() {
    let files = fs::read_dir(reference()).unwrap();
    let files = files.map(|file| file.unwrap().path());
    let mut count = 0;
    for file in files.filter(|path| path.extension().is_some_and(|end| end == "tir")) {
        let name = file.file_stem().unwrap().to_string_lossy().into_owned();
        page(
            &file.display().to_string(),
            &format!("reference-{name}.html"),
        );
        count += 1;
    }
    assert_eq!(count, 5);
}

/// More tires than colors still stand in the legend, and only the first has labels.
#[test]
fn more_than_six_tires_fit_on_a_page() {
    let names = ["sedan-245-40-r18"; 14];
    let page = plot(args(&names, "many.html")).unwrap();
    let chart = chart(&page, "Lateral force");
    for color in 0..12 {
        assert!(chart.contains(&format!("c{color}\"")), "{color}");
        assert!(page.contains(&format!(".c{color} {{ --c: var(--c{color}); }}")));
    }
    let legend = chart.matches("<li").count();
    assert!(legend >= 14, "{legend}: {chart}");
}

#[test]
fn every_law_becomes_a_page_from_a_file_of_its_own() {
    let physx = table_of(&MichiganParams::physx()).unwrap();
    let physx = format!("model = 'michigan'\n{physx}");
    let texts = small_tires::TIRES.map(|(text, _)| text.to_owned());
    for (n, text) in texts.into_iter().chain([physx]).enumerate() {
        let file = written(&format!("law-{n}.toml"), &text);
        let page = page(&file, &format!("law-{n}.html"));
        assert!(
            chart(&page, "Lateral force").contains("data-name="),
            "{text}"
        );
    }
}

/// Lateral force, aligning moment and longitudinal force are those of the formulas in double precision, to
/// what a drawing of 1000 units with two decimals holds.
#[rstest]
#[case::v52("sedan-245-40-r18")]
#[case::v61("suv-255-55-r20")]
#[case::v62("suv-255-55-r20-62")]
fn curves_are_those_of_the_formulas(#[case] name: &str) {
    let page = page(name, &format!("curves-{name}.html"));
    let file = presets::by_name(name).unwrap();
    let settings = Settings::vehicle();
    let tire = MagicFormula::<f64>::new(&file.coefficients, file.version, settings).unwrap();
    let load = between(chart(&page, "Lateral force"), &format!("{name}, "), " kN\"");
    let at = tire.at_load(&Load::new(1e3 * load.parse::<f64>().unwrap()));
    let rolling = Slip::rolling(file.coefficients.LONGVL);
    let evaluated = |ratio: f64, angle: f64| {
        let planar = tire.planar(
            &at,
            &Slip {
                ratio,
                angle,
                ..rolling
            },
        );
        let moment = tire.aligning(&at, &planar).moment;
        [planar.longitudinal / 1e3, planar.lateral / 1e3, moment]
    };
    let charts = [
        ("Longitudinal force", 0),
        ("Lateral force", 1),
        ("Aligning moment", 2),
    ];
    for (title, n) in charts {
        let chart = chart(&page, title);
        let points = points(chart, &format!("{name}, {load} kN"));
        assert!(points.len() > 200, "{title}");
        let ends = between(chart, "data-y=\"", "\"").split(' ').take(2);
        let ends: Vec<f64> = ends.map(|end| end.parse().unwrap()).collect();
        for [x, y] in points {
            let expected = match n {
                0 => evaluated(x / 100.0, 0.0)[n],
                _ => evaluated(0.0, x.to_radians())[n],
            };
            let far = (y - expected).abs() / (ends[1] - ends[0]);
            assert!(far < 2e-4, "{title} at {x}: {y} for {expected}");
        }
    }
}

#[test]
fn points_beyond_the_range_are_dashed() {
    let page = page("suv-255-55-r20", "range.html");
    let thrust = chart(&page, "Camber thrust");
    let known = points(thrust, "suv-255-55-r20, 5 kN");
    let [first, last] = [known[0][0], known[known.len() - 1][0]];
    // CAMMIN = −0.0873, CAMMAX = 0.105.
    assert!(
        (-5.1..-4.9).contains(&first) && (5.9..6.1).contains(&last),
        "{first} {last}"
    );
    assert!(thrust.contains("dashed"));
    assert!(!chart(&page, "Lateral force").contains("dashed"));
    // A load above FZMAX is out of range at every slip.
    let mut heavy = args(&["suv-255-55-r20"], "heavy.html");
    heavy.loads = vec![20_000.0];
    let heavy = plot(heavy).unwrap();
    let line = between(chart(&heavy, "Lateral force"), "data-name=", "</g>");
    assert!(
        line.contains("dashed") && line.matches("<path").count() == 1,
        "{line}"
    );
}

#[test]
fn tires_are_drawn_over_one_another_at_the_same_loads() {
    let mut both = args(&["sedan-245-40-r18", "suv#right"], "both.html");
    both.loads = vec![3000.0, 6000.0];
    let page = plot(both).unwrap();
    let lateral = chart(&page, "Lateral force");
    for part in [
        "sedan-245-40-r18, 3 kN",
        "sedan-245-40-r18, 6 kN",
        "suv#right, 3 kN",
        "suv#right, 6 kN",
    ] {
        assert!(lateral.contains(&format!("data-name=\"{part}\"")), "{part}");
    }
    assert!(lateral.contains("<li class=\"c1\""), "a legend");
    assert_eq!(
        lateral.matches("<li ").count(),
        2,
        "one entry for each tire"
    );
    assert!(page.contains("Magic Formula 6.1, mirrored") && page.contains("Magic Formula 5.2"));
}

/// A chart is present if the law has its quantity.
#[rstest]
#[case("sedan-245-40-r18", "Inflation pressure", false)]
#[case("suv-255-55-r20", "Inflation pressure", true)]
#[case("hatchback", "Camber", false)]
#[case("physx-snippet", "Camber", true)]
#[case("hatchback", "Aligning moment", false)]
#[case("hatchback", "Relaxation length", false)]
fn pages_show_the_charts_of_the_law(#[case] tire: &str, #[case] title: &str, #[case] shown: bool) {
    let page = page(tire, &format!("{tire}-{}.html", title.len()));
    let found = [format!("<h2>{title}</h2>"), format!("<h3>{title} <")];
    assert_eq!(found.iter().any(|found| page.contains(found)), shown);
}

#[test]
fn a_file_of_an_older_law_becomes_a_page() {
    let text = "[UNITS]\nLENGTH='mm'\n[MODEL]\nPROPERTY_FILE_FORMAT='FIALA'\n[DIMENSION]\nWIDTH=235\n\
                [PARAMETER]\nCSLIP=80000\nCALPHA=60000\nUMIN=0.8\nUMAX=1.0\n";
    let page = page(&written("fiala.tir", text), "fiala.html");
    assert!(page.contains("<td>law</td><td>fiala</td>") && page.contains("4.00, at rest"));
}

#[test]
fn oddities_of_a_file_are_on_the_page() {
    let text = "[MODEL]\nFITTYP = 61\nFNOMIN = 4000\nUNLOADED_RADIUS = 0.3\nPCX1 = 1.6\nPDX1 = 1.1\nPKX1 = 20\n\
                PCY1 = 1.3\nPDY1 = 1\nPKY1 = -17\nPKY1 = -18\nPKY2 = 1.8\nKPUMAX = 0\n";
    let file = written("odd.tir", text);
    let page = page(&file, "odd.html");
    let strange = MagicFormulaFile::open(&file, Reading::Tolerant).unwrap();
    assert_eq!(strange.warnings.count(), 4);
    for part in [
        "line 11: PKY1: given on line 10 already",
        "no key of combined slip",
        "-1.5 to 0 forbids drive slip; not obeyed",
        "258 of its keys at their defaults",
    ] {
        assert!(page.contains(part), "{part}");
    }
}

#[rstest]
#[case::nothing("slick", "slick: no such file or preset; tires: sedan-245")]
#[case::no_such_tire("suv#front", "suv: has no tire \"front\"; it has: left, right")]
#[case::one_tire("suv-255-55-r20#left", "is one tire and has none called \"left\"")]
fn an_unknown_name_is_an_error(#[case] tire: &str, #[case] message: &str) {
    let error = plot(args(&[tire], "error.html")).unwrap_err().to_string();
    assert!(error.contains(message), "{error}");
}

#[rstest]
#[case::no_toml("a.toml", "model = ", "a.toml: TOML parse error at line 1")]
#[case::no_model(
    "b.toml",
    "trail = 0.1",
    "b.toml: a tire needs `model = \"...\"`, one of: "
)]
#[case::fault(
    "c.toml",
    "model = 'dugoff'\nslip_stiffness = -1\ncornering_stiffness = 1",
    "slip_stiffness = -1 N"
)]
#[case::no_file("d.toml", "model = 'magic-formula'\nfile = 'x.tir'", "x.tir: ")]
#[case::vehicle("e.toml", "schema = 2\n[[axles]]\nx = 1", "e.toml: ")]
#[case::tir("f.tir", "[MODEL]\nFITTYP = 99\n", "f.tir")]
#[case::number(
    "g.tir",
    "[MODEL]\nFITTYP = 61\nPDY1 = soft\n",
    "g.tir:3: PDY1: not a number: \"soft\""
)]
fn a_faulty_file_is_named_with_its_fault(
    #[case] name: &str,
    #[case] text: &str,
    #[case] message: &str,
) {
    let file = written(name, text);
    let error = plot(args(&[&file], "error.html")).unwrap_err().to_string();
    assert!(error.contains(message), "{error}");
}

#[rstest]
#[case(|a: &mut PlotArgs| a.friction = f64::NAN, "--friction = NaN: must be within 0.01..=10")]
#[case(|a: &mut PlotArgs| a.rest_load = -1.0, "--rest-load = -1 N: must be within 1..=1000000")]
#[case(|a: &mut PlotArgs| a.loads = vec![1000.0, 0.0], "--loads = 0 N: must be within 1..=1000000")]
#[case(|a: &mut PlotArgs| a.loads = vec![1000.0; 7], "--loads: 7 of them, at most 6")]
#[case(|a: &mut PlotArgs| a.tires = vec!["suv".to_owned(); 13], "26 tires: at most 24 fit on a page")]
fn options_are_checked(#[case] change: fn(&mut PlotArgs), #[case] message: &str) {
    let mut args = args(&["suv"], "error.html");
    change(&mut args);
    let error = plot(args).unwrap_err().to_string();
    assert!(error.contains(message), "{error}");
}

#[test]
fn another_friction_scales_the_forces() {
    let mut icy = args(&["hatchback#front"], "ice.html");
    icy.friction = 0.3;
    let [ice, dry] = [plot(icy).unwrap(), page("hatchback#front", "dry.html")];
    let most = |page: &str| {
        let points = points(chart(page, "Lateral force"), "hatchback#front, 3 kN");
        points.iter().map(|[_, y]| y.abs()).fold(0.0, f64::max)
    };
    assert!((most(&ice) - 0.9).abs() < 0.01 && (most(&dry) - 3.0).abs() < 0.01);
}
