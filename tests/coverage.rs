//! `docs/coverage.md` names only existing items, and has a line for every public concept of `coverage/physx-concepts.txt`.

pub(crate) mod items;

use std::fs;
use std::path::PathBuf;

use items::Items;

/// The root of the repository.
fn root() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
}

fn text(path: &str) -> String {
    fs::read_to_string(root().join(path)).expect("it is in the repository")
}

/// The cells of a table row; `None` for other lines, table headers and rules.
fn cells(line: &str) -> Option<Vec<&str>> {
    let inner = line.strip_prefix('|')?.strip_suffix('|')?;
    let cells: Vec<&str> = inner.split('|').map(str::trim).collect();
    let first = *cells.first()?;
    let head = first.starts_with("public concept");
    (!head && !first.starts_with("---")).then_some(cells)
}

/// The first two cells of every table row of the page.
fn lines(page: &str) -> Vec<(&str, &str)> {
    let lines = page.lines().filter_map(cells);
    lines.map(|cells| (cells[0], cells[1])).collect()
}

/// The texts between backticks.
fn quoted(cell: &str) -> impl Iterator<Item = &str> {
    cell.split('`').skip(1).step_by(2)
}

#[test]
fn every_concept_of_physx_has_its_line() {
    let list = text("tests/coverage/physx-concepts.txt");
    let page = text("docs/coverage.md");
    let known: Vec<&str> = lines(&page).iter().map(|(concept, _)| *concept).collect();
    let concepts: Vec<&str> = list.lines().filter(|line| !line.starts_with('#')).collect();
    assert!(concepts.len() > 80, "{} concepts", concepts.len());
    let missing: Vec<&&str> = concepts.iter().filter(|c| !known.contains(c)).collect();
    assert!(missing.is_empty(), "no line of {missing:#?}");
}

#[test]
fn every_item_that_is_named_exists() {
    let items = Items::of(&root());
    let page = text("docs/coverage.md");
    let named = lines(&page).into_iter().flat_map(|(concept, cell)| {
        let items = quoted(cell);
        items.map(move |item| (concept, item))
    });
    let unknown: Vec<_> = named.filter(|(_, item)| !items.contain(item)).collect();
    assert!(unknown.is_empty(), "{unknown:#?}");
}

/// A row names a test that fails without it, not only an item or an example, or states why there is nothing.
#[test]
fn every_line_names_a_test() {
    let (items, page) = (Items::of(&root()), text("docs/coverage.md"));
    let tested =
        |cell: &str| quoted(cell).any(|item| items.tests(item)) || cell.starts_with("None:");
    let lines = lines(&page).into_iter();
    let untested: Vec<_> = lines.filter(|(_, cell)| !tested(cell)).collect();
    assert!(untested.is_empty(), "{untested:#?}");
}

#[test]
fn what_tests_nothing_is_found_out() {
    let items = Items::of(&root());
    for item in [
        "vehicle_core::Profile",
        "vehicles/sedan.toml",
        "benches/",
        "lab/examples/retuned.rs",
        "vehicle-core/src/surface.rs",
        "tests/coverage.rs::lines",
        "tests/behaviors/pushed.rs::no_such_test",
    ] {
        assert!(!items.tests(item), "{item}");
    }
    for item in [
        "tests/behaviors/detailed.rs::a_car_with_less_effort_stays_where_it_would_be",
        "drivetrain/src/differential/multi_wheel.rs::every_fault_is_found",
        "case: a trailer follows a truck that drives off",
    ] {
        assert!(items.tests(item), "{item}");
    }
}

#[test]
fn what_does_not_exist_is_found_out() {
    let items = Items::of(&root());
    for item in [
        "vehicle_core::Profile::PHYSX_3",
        "vehicle_core::Profil",
        "vehicle_core::explicit::bond",
        "vehicle_core::Vehicle::with_sprung_mass",
        "vehicle_core::Vehicle::must_wake",
        "vehicle_core::Vehicle::state::drive",
        "no_crate::Vehicle",
        "tests/behaviors/no_such.rs",
        "tests/behaviors/pushed.rs::no_such_test",
        "case: no such case",
        "",
    ] {
        assert!(!items.contain(item), "{item}");
    }
    for item in [
        "vehicle_core::Profile::PHYSX_4",
        "vehicle_core::Profile::brakes_wake",
        "vehicle_core::Command::Tank",
        "vehicle_core::phases::extrapolate",
        "tests/behaviors/pushed.rs::a_trailer_does_not_drag_a_braked_car_down",
        "case: a trailer follows a truck that drives off",
        "vehicles/sedan.toml",
    ] {
        assert!(items.contain(item), "{item}");
    }
}
