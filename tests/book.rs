//! The book against the library: every key, value, item and program that it names.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use proving_ground::changed::{KeyChange, car_changed};
use proving_ground::performance::measure;
use toml::Value;

use crate::coverage::items::Items;

fn root() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
}

/// Name and text of every chapter.
fn chapters() -> Vec<(String, String)> {
    let folder = fs::read_dir(root().join("book/src")).expect("the book is there");
    let paths = folder.flatten().map(|entry| entry.path());
    let pages = paths.filter(|path| path.extension().is_some_and(|end| end == "md"));
    let read = |path: PathBuf| {
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        (
            name.into_owned(),
            fs::read_to_string(&path).expect("it can be read"),
        )
    };
    pages.map(read).collect()
}

/// Texts between backticks, outside of programs.
fn quoted(page: &str) -> impl Iterator<Item = &str> {
    let prose = page.split("```").step_by(2);
    prose.flat_map(|text| text.split('`').skip(1).step_by(2))
}

/// Key, name of the car or `default`, and value, of each row of the tables that begin with `| key |`.
fn rows(page: &str) -> Vec<(&str, &str, &str)> {
    let mut rows = Vec::new();
    for table in page
        .split("\n\n")
        .filter(|table| table.starts_with("| key |"))
    {
        let mut lines = table
            .lines()
            .map(|line| line.split('|').map(str::trim).collect::<Vec<_>>());
        let head = lines.next().expect("it has a head");
        for cells in lines.skip(1) {
            rows.push((
                cells[1].trim_matches('`'),
                head[3],
                cells[3].trim_matches('`'),
            ));
        }
    }
    rows
}

/// The name of the preset of a column; what is said of defaults is said of the sedan.
fn preset(column: &str) -> &str {
    match column {
        "default" => "sedan",
        "sports car" => "sports-car",
        name => name,
    }
}

/// A car that has what a row says is the same car.
#[test]
fn every_value_of_a_key_is_the_presets() {
    let chapters = chapters();
    let rows: Vec<_> = chapters.iter().flat_map(|(_, page)| rows(page)).collect();
    assert!(rows.len() > 40, "{} rows", rows.len());
    for (key, column, text) in rows {
        let line: toml::Table = format!("value = {text}").parse().expect(text);
        let said = car_changed(
            preset(column),
            &[(key, KeyChange::Set(line["value"].clone()))],
        );
        let said = said.unwrap_or_else(|error| panic!("{key} = {text}: {error}"));
        let usual = jounce::presets::by_name(preset(column)).expect("a preset");
        assert!(
            said.spec() == usual.spec(),
            "{key} = {text} of the {column}"
        );
    }
}

/// Paths whose first step is that of a vehicle file lead to a key that its format has.
#[test]
fn every_key_that_is_named_exists() {
    const PARTS: [&str; 7] = [
        "chassis",
        "axles",
        "anti_roll",
        "tires",
        "drivetrain",
        "rows",
        "aerodynamics",
    ];
    let chapters = chapters();
    let paths = chapters.iter().flat_map(|(_, page)| quoted(page));
    let keys: BTreeSet<&str> = paths
        .map(|text| text.split(" = ").next().unwrap_or(text))
        .filter(|text| {
            text.split_once('.')
                .is_some_and(|(part, _)| PARTS.contains(&part))
        })
        .collect();
    assert!(keys.len() > 50, "{} keys", keys.len());
    let has = |car: &str, key: &str| {
        // A word is not a number, and an unknown key is no key.
        let wrong = car_changed(car, &[(key, KeyChange::Set(Value::Boolean(true)))]);
        let told = wrong.map(drop).map_err(|error| error.to_string());
        !told.is_err_and(|error| error.contains("unknown") || error.contains("leads nowhere"))
    };
    let cars = jounce::presets::FILES.map(|(name, _)| name);
    let known = |key: &&&str| cars.iter().any(|car| has(car, key));
    let unknown: Vec<_> = keys.iter().filter(|key| !known(key)).collect();
    assert!(unknown.is_empty(), "{unknown:#?}");
    assert!(
        !known(&&"axles.suspension.stifness") && !known(&&"axle.mass") && !known(&&"rows.sweps")
    );
}

#[test]
fn every_item_that_is_named_exists() {
    let items = Items::of(&root());
    let chapters = chapters();
    let crates = [
        "vehicle_core::",
        "drivetrain::",
        "tire_models::",
        "driver_input::",
    ];
    let named = chapters.iter().flat_map(|(_, page)| quoted(page));
    let named: BTreeSet<&str> = named
        .filter(|text| crates.iter().any(|name| text.starts_with(name)))
        .collect();
    assert!(named.len() > 15, "{named:?}");
    let unknown: Vec<_> = named.iter().filter(|item| !items.contain(item)).collect();
    assert!(unknown.is_empty(), "{unknown:#?}");
}

/// Every chapter with a program is among the documentation tests; a program that is left out says why.
#[test]
fn every_program_is_compiled() {
    let library = include_str!("src/lib.rs");
    for (name, page) in chapters() {
        let programs = page.split("```").skip(1).step_by(2);
        for head in programs.filter_map(|block| block.lines().next()) {
            assert!(!head.starts_with("rust,"), "{name}: {head}");
            let tested = library.contains(&format!("book/src/{name}.md"));
            assert!(head != "rust" || tested, "{name} is not tested");
        }
    }
}

/// The summary lists every chapter, and a picture that is shown is there.
#[test]
fn every_chapter_is_in_the_summary() {
    let chapters = chapters();
    let (_, summary) = chapters
        .iter()
        .find(|(name, _)| name == "SUMMARY")
        .expect("a summary");
    for (name, page) in chapters.iter().filter(|(name, _)| name != "SUMMARY") {
        assert!(summary.contains(&format!("({name}.md)")), "{name}");
        let pictures = page
            .split("](img/")
            .skip(1)
            .filter_map(|rest| rest.split(')').next());
        for picture in pictures {
            assert!(
                root().join("book/src/img").join(picture).exists(),
                "{name}: {picture}"
            );
        }
    }
}

/// Counts in words or digits, each with its page.
#[test]
fn counts_are_true() {
    const WORDS: [&str; 14] = [
        "sixteen",
        "seventeen",
        "eighteen",
        "nineteen",
        "twenty",
        "twenty-one",
        "twenty-two",
        "twenty-three",
        "twenty-four",
        "twenty-five",
        "twenty-six",
        "twenty-seven",
        "twenty-eight",
        "twenty-nine",
    ];
    let word = |count: usize| WORDS[count - 16];
    let read = |path: &str| fs::read_to_string(root().join(path)).expect(path);
    let lines = |path: &str| read(path).lines().count();
    let files = fs::read_dir(root().join("lab/examples")).expect("examples");
    let examples = files.flatten().filter(|file| file.path().is_file()).count();
    let listed = read("examples/README.md")
        .matches("](../lab/examples/")
        .count();
    assert_eq!(listed, examples);
    let cars = word(jounce::presets::FILES.len());
    let [game, toy] = [
        "examples/bevy-drive/src/main.rs",
        "tests/examples/toy_engine.rs",
    ]
    .map(lines);
    for (page, told) in [
        ("README.md", format!("the {cars} vehicles")),
        (
            "README.md",
            format!("{} examples; most write a page", word(examples)),
        ),
        ("README.md", format!("a game in {game} lines")),
        ("README.md", format!("a toy engine in {toy} lines")),
        ("book/src/faq.md", format!("{cars} vehicles ship")),
        ("book/src/engine.md", format!("in {toy} lines")),
        ("tests/README.md", format!("in {toy} lines")),
        ("examples/README.md", format!("in {game} lines")),
    ] {
        assert!(read(page).contains(&told), "{page}: {told}");
    }
}

/// The rows on trust in the readme are rows of the page that compares.
#[test]
fn the_readme_says_of_trust_what_the_comparison_says() {
    let read = |path: &str| fs::read_to_string(root().join(path)).expect(path);
    let (compare, readme) = (read("book/src/compare.md"), read("README.md"));
    let (_, table) = readme
        .split_once("| what | goal | Jounce | peers |\n")
        .expect("a table");
    let lines = table.lines().map(str::trim);
    let rows: Vec<&str> = lines
        .skip(1)
        .take_while(|line| line.starts_with('|'))
        .collect();
    assert!(rows.len() > 2, "{rows:?}");
    for row in rows {
        assert!(
            compare.lines().any(|line| line == row),
            "not in the comparison: {row}"
        );
    }
}

/// Vehicles reach the figures of their classes that the page on vehicles and the readme state.
#[test]
fn tables_of_targets_are_as_measured() {
    use jounce::file::TargetFigure as F;
    const DIGITS: [usize; 9] = [1, 0, 1, 1, 1, 2, 1, 1, 1];
    let read = |path: &str| fs::read_to_string(root().join(path)).expect(path);
    let (vehicles, readme) = (read("docs/VEHICLES.md"), read("README.md"));
    let told = [
        ("sedan", "sedan"),
        ("sports-car", "sports car"),
        ("suv", "SUV"),
    ];
    for (name, _) in jounce::presets::FILES {
        let car = jounce::presets::by_name(name).expect(name);
        let figures: Vec<F> = car.targets.iter().map(|target| target.figure).collect();
        let measured = measure(&car, &figures).expect(name);
        let found = |figure: F| {
            let n = figures.iter().position(|known| *known == figure)?;
            let digits = DIGITS[F::ALL.iter().position(|known| *known == figure)?];
            Some((format!("{:.digits$}", measured[n]), &car.targets[n]))
        };
        let full = F::ALL.map(|figure| match found(figure) {
            Some((value, target)) => {
                let mark = if target.missed.is_some() { "*" } else { "" };
                let (aim, around) = (target.value, target.tolerance);
                format!("{mark}{value}{mark} ({aim} ± {around})")
            }
            None => "–".to_owned(),
        });
        let row = format!("| `{name}` | {} |", full.join(" | "));
        assert!(
            figures.is_empty() || vehicles.contains(&row),
            "docs/VEHICLES.md: {row}"
        );
        if let Some((_, label)) = told.iter().find(|(car, _)| *car == name) {
            let short = [
                F::ZeroTo100,
                F::TopSpeed,
                F::LateralAcceleration,
                F::UndersteerGradient,
            ];
            let cells = short.map(|figure| {
                let (value, target) = found(figure).expect("a target");
                format!("{value} ({})", target.value)
            });
            let row = format!("| {label} | {} |", cells.join(" | "));
            assert!(readme.contains(&row), "README.md: {row}");
        }
    }
}

/// Stated times are those measured beside the peers, of fleets of a hundred.
#[test]
fn times_are_those_measured() {
    let read = |path: &str| fs::read_to_string(root().join(path)).expect(path);
    let (measured, compare) = (
        read("benches/peers/RESULTS.md"),
        read("book/src/compare.md"),
    );
    let (_, updates) = measured.split_once("| update \\[ns").expect("a table");
    let time = |contestant: &str| {
        let row = updates
            .lines()
            .find(|line| line.starts_with(&format!("| {contestant} |")));
        let cell = row.and_then(|row| row.split('|').nth(4)).expect(contestant);
        let nanoseconds = cell
            .split_whitespace()
            .next()
            .and_then(|text| text.parse::<f64>().ok());
        format!("{:.1} µs", 1e-3 * nanoseconds.expect(cell))
    };
    let [rows, explicit, physx] = ["rows sedan", "explicit", "physx"].map(time);
    assert!(
        read("README.md").contains(&format!("sedan takes {rows} ")),
        "{rows}"
    );
    for told in [
        format!("one takes {rows}, {explicit} with"),
        format!("{physx} in PhysX"),
    ] {
        assert!(compare.contains(&told), "{told}");
    }
}
