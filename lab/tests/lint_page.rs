//! `docs/LINT.md` against the existing rules.

use std::collections::BTreeSet;

#[test]
fn the_page_lists_every_rule_and_no_other() {
    let page = include_str!("../../docs/LINT.md");
    let listed: BTreeSet<&str> = page
        .lines()
        .filter_map(|line| line.strip_prefix("| `")?.split('`').next())
        .collect();
    let sources = [
        include_str!("../src/lint/body.rs"),
        include_str!("../src/lint/bumps.rs"),
        include_str!("../src/lint/damped.rs"),
        include_str!("../src/lint/drive.rs"),
        include_str!("../src/lint/driving.rs"),
        include_str!("../src/lint/finding.rs"),
        include_str!("../src/lint/handling.rs"),
        include_str!("../src/lint/hunting.rs"),
        include_str!("../src/lint/oversteers.rs"),
        include_str!("../src/lint/plausible.rs"),
        include_str!("../src/lint/rigid.rs"),
        include_str!("../src/lint/rolling.rs"),
        include_str!("../src/lint/springs.rs"),
        include_str!("../src/lint/tips.rs"),
        include_str!("../src/lint/traction.rs"),
        include_str!("../src/lint/wheels.rs"),
    ];
    let made = sources.iter().flat_map(|source| {
        let rules = source.split("Rule::new(").skip(1);
        rules.filter_map(|rule| rule.trim_start().strip_prefix('"')?.split('"').next())
    });
    assert_eq!(listed, made.collect());
}
