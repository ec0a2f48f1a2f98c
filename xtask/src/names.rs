//! One name, one meaning: no two modules of the workspace declare types of the same name.

use std::collections::{BTreeMap, BTreeSet};

use crate::cargo::Cargo;
use crate::modules::{Tree, roots};

/// Programs to be read alone; each is written as its user would.
const EXAMPLES: &str = "examples";

/// Files and lines that declare a type, by its name.
#[derive(Debug, Default)]
struct Declarations(BTreeMap<String, BTreeSet<String>>);

/// Reads every library and program, and fails if a name recurs.
pub(crate) fn check(cargo: &Cargo) -> Result<(), String> {
    let examples = cargo.root().join(EXAMPLES);
    let mut types = Declarations::default();
    for (_, root) in roots(&cargo.packages()?) {
        if !root.starts_with(&examples) {
            types.take(&Tree::read(&root)?);
        }
    }
    let recurring = types.recurring();
    println!("{} types, {} name(s) recur", types.0.len(), recurring.len());
    for line in &recurring {
        println!("    {}", cargo.relative(line));
    }
    if recurring.is_empty() {
        Ok(())
    } else {
        Err(format!("{} type name(s) recur", recurring.len()))
    }
}

impl Declarations {
    fn take(&mut self, tree: &Tree) {
        for module in tree.modules.values() {
            for (name, line) in &module.types {
                let place = format!("{}:{line}", module.file.display());
                self.0.entry(name.clone()).or_default().insert(place);
            }
        }
    }

    /// Names with more than one place.
    fn recurring(&self) -> Vec<String> {
        let recurring = self.0.iter().filter(|(_, places)| places.len() > 1);
        let told = recurring.map(|(name, places)| {
            let places: Vec<&str> = places.iter().map(String::as_str).collect();
            format!("{name}: {}", places.join(", "))
        });
        told.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::modules::testing;

    fn recurring(crates: &[&[(&str, &str)]]) -> Vec<String> {
        let mut types = Declarations::default();
        for files in crates {
            types.take(&testing::tree(files));
        }
        types.recurring()
    }

    #[test]
    fn a_name_of_two_types_is_reported_with_both_places() {
        let found = recurring(&[
            &[
                ("lib.rs", "mod a;\nstruct Own;"),
                ("a.rs", "\n\npub(crate) enum Row {}"),
            ],
            &[("lib.rs", "#[derive(Debug)]\npub struct Row<T> { row: T }")],
        ]);
        let [line] = &found[..] else {
            panic!("{found:?}");
        };
        let places = line.strip_prefix("Row: ").unwrap();
        let (first, second) = places.split_once(", ").unwrap();
        assert!(
            first.ends_with("a.rs:3") || second.ends_with("a.rs:3"),
            "{line}"
        );
        assert!(
            first.ends_with("lib.rs:2") || second.ends_with("lib.rs:2"),
            "{line}"
        );
    }

    #[test]
    fn types_of_traits_functions_and_tests_may_recur() {
        let text = "impl Iterator for A { type Item = u8; }\nfn f() { struct Row; }\n\
                    #[cfg(test)] mod tests { struct Rig; }\n#[cfg(test)] struct Dice;";
        let twice = format!("{text} mod inner {{ {text} }}");
        assert!(recurring(&[&[("lib.rs", &twice)]]).is_empty());
    }
}
