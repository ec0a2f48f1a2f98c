//! `tests/TRUST.md` against the cases.

use vehicle_conformance::stability::{CARS, CASES};

#[test]
fn the_page_has_a_line_of_each_case_and_no_other() {
    let page = include_str!("TRUST.md");
    let lines: Vec<Vec<&str>> = (page.lines())
        .filter_map(|line| line.strip_prefix("| `"))
        .map(|line| line.split(" | ").collect())
        .collect();
    assert_eq!(lines.len(), CASES.len());
    for (cells, case) in lines.iter().zip(&CASES) {
        let told = [&cells[..3], &cells[cells.len() - 1..]].concat();
        let goal = case.goal.to_string();
        let peer = format!("{} |", case.peer);
        let name = format!("{}`", case.name);
        assert_eq!(told, [&*name, case.what, &*goal, &*peer]);
        assert_eq!(cells.len(), 4 + CARS.len(), "{}", case.name);
    }
}
