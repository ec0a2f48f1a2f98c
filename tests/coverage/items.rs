//! Public items of the repository's crates, as their sources define them.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};

use vehicle_conformance::suite;

/// Names that a page may use:
///
/// * `crate::path::Item`, `crate::Type::member`: a public item, or a member of a public type;
/// * `folder/file`, `folder/file.rs::function`: a path of the repository, and a function in that file;
/// * `case: sentence`: a case of the suite.
pub(crate) struct Items {
    root: PathBuf,
    /// Crates by name.
    crates: HashMap<String, Crate>,
}

/// Public items that a crate defines.
#[derive(Default)]
struct Crate {
    /// Modules that define a public item or module, by its name.
    items: HashMap<String, Vec<Vec<String>>>,
    /// Fields, variants, functions and constants, by their type.
    members: HashMap<String, HashSet<String>>,
}

impl Items {
    /// Reads all crates of a repository.
    pub(crate) fn of(root: &Path) -> Self {
        let folders = fs::read_dir(root).expect("it can be read").flatten();
        let mut crates: HashMap<String, Crate> = folders
            .map(|folder| folder.path())
            .filter(|folder| folder.join("Cargo.toml").exists())
            .map(|folder| (name(&folder), Crate::of(&folder.join("src"))))
            .collect();
        crates.insert("jounce".to_owned(), Crate::of(&root.join("src")));
        Self {
            root: root.to_path_buf(),
            crates,
        }
    }

    pub(crate) fn contain(&self, item: &str) -> bool {
        if let Some(sentence) = item.strip_prefix("case: ") {
            return suite::cases().any(|case| case.name == sentence);
        }
        if item.contains('/') {
            return self.has_path(item);
        }
        let mut parts = item.split("::");
        let of_crate = parts.next().and_then(|name| self.crates.get(name));
        of_crate.is_some_and(|found| found.has(&parts.collect::<Vec<_>>()))
    }

    /// Whether an item fails when its subject does not work: a case of the suite, or a test.
    pub(crate) fn tests(&self, item: &str) -> bool {
        if item.starts_with("case: ") {
            return true;
        }
        item.split_once(".rs::").is_some_and(|(path, function)| {
            let source = fs::read_to_string(self.root.join(format!("{path}.rs")));
            is_test(&source.unwrap_or_default(), function)
        })
    }

    fn has_path(&self, item: &str) -> bool {
        let (path, function) = match item.split_once("::") {
            Some((path, function)) => (path, Some(function)),
            None => (item, None),
        };
        let path = self.root.join(path);
        let defines = |function: &str| {
            let source = fs::read_to_string(&path).unwrap_or_default();
            source.contains(&format!("fn {function}("))
        };
        path.exists() && function.is_none_or(defines)
    }
}

/// Whether a function of a source is a test.
fn is_test(source: &str, function: &str) -> bool {
    let Some((before, _)) = source.split_once(&format!("fn {function}(")) else {
        return false;
    };
    let attributes = before.rsplit("\n\n").next().unwrap_or_default();
    ["#[test]", "#[rstest]"]
        .iter()
        .any(|attribute| attributes.contains(attribute))
}

/// The crate name in code, from its folder.
fn name(folder: &Path) -> String {
    let name = folder.file_name().unwrap_or_default().to_string_lossy();
    match &*name {
        "lab" => "jounce_lab".to_owned(),
        "tests" => "vehicle_conformance".to_owned(),
        name => name.replace('-', "_"),
    }
}

impl Crate {
    fn of(folder: &Path) -> Self {
        let mut found = Self::default();
        found.read(folder, &[]);
        found
    }

    /// Whether a path exists in the crate: an item within these modules (an outer one may re-export it), or a member of a type.
    fn has(&self, path: &[&str]) -> bool {
        let Some((last, outer)) = path.split_last() else {
            return false;
        };
        match outer.split_last() {
            Some((owner, modules)) if owner.starts_with(char::is_uppercase) => {
                let member = |all: &HashSet<String>| all.contains(*last);
                self.defines(owner, modules) && self.members.get(*owner).is_some_and(member)
            }
            _ => self.defines(last, outer),
        }
    }

    /// Whether the crate defines an item in these modules or deeper.
    fn defines(&self, name: &str, modules: &[&str]) -> bool {
        let within = |place: &Vec<String>| {
            let mut place = place.iter();
            modules
                .iter()
                .all(|module| place.any(|part| part == module))
        };
        let places = self.items.get(name);
        places.is_some_and(|places| places.iter().any(within))
    }

    /// Reads all sources in a folder except tests; they are within these modules.
    fn read(&mut self, folder: &Path, modules: &[String]) {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            let stem = path.file_stem().unwrap_or_default().to_string_lossy();
            let mut modules = modules.to_vec();
            match &*stem {
                "tests" => continue,
                "lib" | "main" => {}
                stem => modules.push(stem.to_owned()),
            }
            if path.is_dir() {
                self.read(&path, &modules);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                self.note(&fs::read_to_string(&path).unwrap_or_default(), &modules);
            }
        }
    }

    /// Records the definitions of a source, except in tests. Sources are formatted: items start at
    /// the margin, members are indented by one step.
    fn note(&mut self, source: &str, modules: &[String]) {
        let mut owner = None;
        let lines = source.lines().take_while(|line| *line != "mod tests {");
        for line in lines.filter(|line| !line.is_empty()) {
            let trimmed = line.trim_start();
            match (line.len() - trimmed.len(), &owner) {
                (0, _) => owner = self.note_item(line, modules),
                (4, Some(owner)) => {
                    if let Some(member) = owner.member(trimmed) {
                        let members = self.members.entry(owner.name.clone()).or_default();
                        members.insert(member.to_owned());
                    }
                }
                _ => {}
            }
        }
    }

    /// Records an item; returns the owner of the members that follow.
    fn note_item(&mut self, line: &str, modules: &[String]) -> Option<Owner> {
        if let Some(rest) = line.strip_prefix("impl") {
            return Some(Owner::of_impl(rest));
        }
        let public = line.strip_prefix("pub ")?;
        let (kind, rest) = public.split_once(' ')?;
        let rest = rest.strip_prefix("fn ").unwrap_or(rest);
        let kinds = [
            "fn", "struct", "enum", "trait", "const", "static", "type", "mod",
        ];
        if kinds.contains(&kind) {
            let places = self.items.entry(word(rest).to_owned()).or_default();
            places.push(modules.to_vec());
        }
        let all_public = ["enum", "trait"].contains(&kind);
        (all_public || kind == "struct").then(|| Owner {
            name: word(rest).to_owned(),
            all_public,
        })
    }
}

/// Owner of the members that follow in a source.
struct Owner {
    name: String,
    /// Whether members need no `pub`: those of enums, of traits and of trait implementations.
    all_public: bool,
}

impl Owner {
    /// Parses the owner from the text after the word `impl`.
    fn of_impl(rest: &str) -> Self {
        let generic = rest.starts_with('<');
        let rest = rest
            .split_once("> ")
            .filter(|_| generic)
            .map_or(rest, |(_, rest)| rest);
        let of_trait = rest.split_once(" for ");
        Self {
            name: word(of_trait.map_or(rest, |(_, name)| name).trim_start()).to_owned(),
            all_public: of_trait.is_some(),
        }
    }

    /// The definition in a line: a field, a variant, a function or a constant.
    fn member<'a>(&self, line: &'a str) -> Option<&'a str> {
        let public = line.strip_prefix("pub ");
        let rest = public.or(self.all_public.then_some(line))?;
        for start in ["const fn ", "fn ", "const "] {
            if let Some(rest) = rest.strip_prefix(start) {
                return Some(word(rest));
            }
        }
        let name = word(rest);
        let field = public.is_some() && rest[name.len()..].starts_with(": ");
        let variant = self.all_public && name.starts_with(char::is_uppercase);
        (field || variant).then_some(name)
    }
}

/// The identifier at the start of a text.
fn word(text: &str) -> &str {
    let end = text.find(|c: char| !c.is_alphanumeric() && c != '_');
    &text[..end.unwrap_or(text.len())]
}
