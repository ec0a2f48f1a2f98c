//! The comments of lint rules: what each measures, and its limits.

use std::fs;
use std::path::Path;

/// The comment above a rule, in one line.
fn comment<'a>(above: impl DoubleEndedIterator<Item = &'a str>) -> String {
    let lines = above.rev().map_while(|line| line.strip_prefix("///"));
    lines.collect::<Vec<_>>().into_iter().rev().collect()
}

#[test]
fn every_rule_states_its_limits() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/lint");
    let paths = fs::read_dir(folder)
        .expect("the rules are there")
        .map(|entry| entry.expect("it can be read").path())
        .filter(|path| path.is_file());
    let mut rules = 0;
    for path in paths {
        let text = fs::read_to_string(&path).expect("it can be read");
        let lines: Vec<&str> = text.lines().collect();
        for (n, line) in lines.iter().enumerate() {
            if line.contains(": Rule = Rule::new(") {
                let said = comment(lines[..n].iter().copied()).to_lowercase();
                let graded = ["error", "warning", "note"]
                    .iter()
                    .any(|word| said.contains(word));
                assert!(graded, "{}: {line} {said}", path.display());
                rules += 1;
            }
        }
    }
    assert!(rules > 50, "{rules} rules");
}
