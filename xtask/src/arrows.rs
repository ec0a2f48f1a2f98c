//! Order of modules: at every level of a crate, a module uses only modules that are declared above
//! it. A module and its submodules count as one.

use std::collections::BTreeSet;
use std::path::Path;

use crate::cargo::Cargo;
use crate::modules::{Module, ModulePath, Tree, roots};

/// Crates that keep PhysX-specific behavior in certain modules, and these modules.
const PHYSX_MODULES: [(&str, &[&str]); 3] = [
    ("vehicle-core", &["solvers::explicit"]),
    ("jounce-drivetrain", &["physx"]),
    ("jounce-driver-input", &["physx"]),
];

/// Checks every crate, prints a table, and fails if an arrow runs back.
pub(crate) fn check(cargo: &Cargo) -> Result<(), String> {
    println!(
        "{:<28} modules  arrows  cycles  arrows back  names PhysX",
        "crate"
    );
    let mut broken = 0;
    for (name, root) in roots(&cargo.packages()?) {
        let tree = Tree::read(&root)?;
        let found = Found::of(&tree);
        let physx_names = physx_names(&name, &tree);
        println!(
            "{name:<28} {:>7}  {:>6}  {:>7}  {:>11}  {:>11}",
            tree.modules.len(),
            found.arrows,
            found.cycles.len(),
            found.back.len(),
            physx_names.len(),
        );
        let lines = found.cycles.iter().chain(&found.back).chain(&physx_names);
        broken += lines
            .map(|line| println!("    {}", cargo.relative(line)))
            .count();
    }
    if broken == 0 {
        Ok(())
    } else {
        Err(format!(
            "{broken} arrow(s) between modules run back or name PhysX outside its room"
        ))
    }
}

/// Findings in one crate.
struct Found {
    arrows: usize,
    /// Cycles among the modules of one level.
    cycles: Vec<String>,
    /// Uses of a module that is declared further down.
    back: Vec<String>,
}

/// Siblings `from` and `to` of the module `parent`, by their positions.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Arrow {
    parent: ModulePath,
    from: usize,
    to: usize,
}

impl Found {
    fn of(tree: &Tree) -> Self {
        let mut arrows = BTreeSet::new();
        let mut back = Vec::new();
        for (path, module) in &tree.modules {
            for (named, line) in &module.named {
                let Some(arrow) = arrow(tree, path, &tree.holder(named)) else {
                    continue;
                };
                if arrow.to > arrow.from {
                    back.push(told(&module.file, *line, tree, &arrow));
                }
                arrows.insert(arrow);
            }
        }
        let levels = tree.modules.iter();
        Self {
            cycles: levels
                .filter_map(|(path, level)| cycle(path, level, &arrows))
                .collect(),
            arrows: arrows.len(),
            back,
        }
    }
}

/// The arrow from one module to another, between the siblings that hold them.
fn arrow(tree: &Tree, from: &ModulePath, to: &ModulePath) -> Option<Arrow> {
    let common = from.iter().zip(to).take_while(|(a, b)| a == b).count();
    let (a, b) = (from.get(common)?, to.get(common)?);
    let parent = from[..common].to_vec();
    let siblings = &tree.modules[&parent].children;
    let place = |name: &String| siblings.iter().position(|sibling| sibling == name);
    Some(Arrow {
        from: place(a)?,
        to: place(b)?,
        parent,
    })
}

fn told(file: &Path, line: usize, tree: &Tree, arrow: &Arrow) -> String {
    let siblings = &tree.modules[&arrow.parent].children;
    let (from, to) = (&siblings[arrow.from], &siblings[arrow.to]);
    format!(
        "{}:{line}: {from} uses {to}, which is declared below it",
        file.display()
    )
}

/// The modules of one level that form a cycle.
fn cycle(path: &ModulePath, level: &Module, arrows: &BTreeSet<Arrow>) -> Option<String> {
    let count = level.children.len();
    let mut reach = vec![vec![false; count]; count];
    for arrow in arrows.iter().filter(|arrow| arrow.parent == *path) {
        reach[arrow.from][arrow.to] = true;
    }
    for via in 0..count {
        for from in 0..count {
            for to in 0..count {
                reach[from][to] |= reach[from][via] && reach[via][to];
            }
        }
    }
    let round = (0..count).filter(|n| reach[*n][*n]);
    let names: Vec<&str> = round.map(|n| level.children[n].as_str()).collect();
    let place = level.file.display();
    (!names.is_empty()).then(|| format!("{place}: a cycle among {}", names.join(", ")))
}

/// Identifiers that name PhysX outside the modules for it.
fn physx_names(name: &str, tree: &Tree) -> Vec<String> {
    let Some((_, rooms)) = PHYSX_MODULES.iter().find(|(package, _)| *package == name) else {
        return Vec::new();
    };
    let outside = |path: &ModulePath| {
        let path = path.join("::");
        !rooms
            .iter()
            .any(|room| path == *room || path.starts_with(&format!("{room}::")))
    };
    let modules = tree.modules.iter().filter(|(path, _)| outside(path));
    let hits = modules.flat_map(|(_, module)| {
        let names = module.identifiers.iter();
        let names = names.filter(|(name, _)| name.to_lowercase().contains("physx"));
        names.map(|(name, line)| format!("{}:{line}: names {name}", module.file.display()))
    });
    hits.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::modules::testing;

    /// Findings in a crate of these files.
    fn found(files: &[(&str, &str)]) -> Found {
        Found::of(&testing::tree(files))
    }

    #[test]
    fn a_module_may_use_modules_declared_above_it() {
        let one_way = found(&[
            (
                "lib.rs",
                "mod a; mod b; pub use b::B; #[cfg(test)] mod tests;",
            ),
            (
                "a.rs",
                "#[cfg(test)] mod tests { use crate::b::B; } pub struct A;",
            ),
            ("b.rs", "mod c; use crate::a::A; pub struct B;"),
            ("b/c.rs", "use super::B; use crate::a::A;"),
        ]);
        assert_eq!((one_way.arrows, one_way.back.len()), (1, 0));
        assert!(one_way.cycles.is_empty());
    }

    #[test]
    fn a_use_of_a_later_module_is_reported_with_file_and_line_even_through_the_root() {
        let back = found(&[
            ("lib.rs", "mod a; mod b; pub use b::B;"),
            ("a.rs", "\nuse crate::B;"),
            ("b.rs", "pub struct B;"),
        ]);
        assert_eq!(back.back.len(), 1);
        assert!(back.back[0].ends_with("a.rs:2: a uses b, which is declared below it"));
        assert!(back.cycles.is_empty());
    }

    #[test]
    fn a_cycle_is_reported_at_its_own_level() {
        let round = found(&[
            ("lib.rs", "mod a;"),
            ("a.rs", "mod b; mod c; mod d;"),
            ("a/b.rs", "fn f() { super::c::g() }"),
            ("a/c.rs", "pub fn g() { crate::a::b::f() }"),
            ("a/d.rs", "use super::b::f;"),
        ]);
        assert_eq!((round.back.len(), round.cycles.len()), (1, 1));
        assert!(round.cycles[0].ends_with("a.rs: a cycle among b, c"));
    }
}
