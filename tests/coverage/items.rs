//! Public items of the repository's crates, as their sources define them.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};

use conformance::suite;

/// What a page may name:
///
/// * `crate::path::Item`, `crate::Type::member`: a public item, or a member of a public type;
/// * `folder/file`, `folder/file.rs::function`: a path of the repository, and a function in that file;
/// * `case: sentence`: a case of the suite.
pub(crate) struct Items {
    root: PathBuf,
    /// By the crate's name.
    crates: HashMap<String, Crate>,
}

/// What a crate defines.
#[derive(Default)]
struct Crate {
    /// Public items, and modules.
    items: HashSet<String>,
    /// Fields, variants, functions and constants, by the type that has them.
    members: HashMap<String, HashSet<String>>,
}

impl Items {
    /// Those of all crates of a repository.
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

/// The name that code calls a crate's folder by.
fn name(folder: &Path) -> String {
    let name = folder.file_name().unwrap_or_default().to_string_lossy();
    match &*name {
        "tests" => "conformance".to_owned(),
        name => name.replace('-', "_"),
    }
}

impl Crate {
    fn of(folder: &Path) -> Self {
        let mut found = Self::default();
        found.read(folder);
        found
    }

    /// Whether all of a path is there; the last part may be a member of the part before it.
    fn has(&self, path: &[&str]) -> bool {
        let member = |path: &[&str]| match path {
            [.., owner, last] => (self.members.get(*owner)).is_some_and(|all| all.contains(*last)),
            _ => false,
        };
        match path {
            [] => false,
            [outer @ .., last] => {
                let outside = outer.iter().all(|part| self.items.contains(*part));
                let free = outer
                    .last()
                    .is_none_or(|owner| owner.starts_with(char::is_lowercase));
                outside && (member(path) || (free && self.items.contains(*last)))
            }
        }
    }

    /// Reads all sources in a folder.
    fn read(&mut self, folder: &Path) {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                self.read(&path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                self.note(&fs::read_to_string(&path).unwrap_or_default());
            }
        }
    }

    /// Notes what one source defines, outside of its tests.
    fn note(&mut self, source: &str) {
        let mut owner: Option<String> = None;
        let lines = source.lines().take_while(|line| *line != "mod tests {");
        for line in lines.filter(|line| !line.is_empty()) {
            let trimmed = line.trim_start();
            let depth = line.len() - trimmed.len();
            match (depth, &owner) {
                (0, _) => owner = self.note_outer(line),
                (4, Some(owner)) => {
                    if let Some(member) = member(trimmed) {
                        let members = self.members.entry(owner.clone()).or_default();
                        members.insert(member.to_owned());
                    }
                }
                _ => {}
            }
        }
    }

    /// Notes an item that begins at the margin; answers whose members follow.
    fn note_outer(&mut self, line: &str) -> Option<String> {
        if let Some(implemented) = line.strip_prefix("impl") {
            let of = implemented.rsplit(" for ").next().unwrap_or_default();
            let of = of.trim_start_matches(|c: char| !c.is_alphabetic());
            return Some(word(of).to_owned());
        }
        let public = line.strip_prefix("pub ")?;
        let (kind, rest) = public
            .trim_start_matches("const fn ")
            .split_once(' ')
            .unwrap_or((public, ""));
        let (kind, name) = if public.starts_with("const fn ") {
            ("fn", word(public.trim_start_matches("const fn ")))
        } else {
            (kind, word(rest))
        };
        let kinds = [
            "fn", "struct", "enum", "trait", "const", "static", "type", "mod",
        ];
        if kinds.contains(&kind) {
            self.items.insert(name.to_owned());
        }
        ["struct", "enum", "trait"]
            .contains(&kind)
            .then(|| name.to_owned())
    }
}

/// The identifier that a text begins with.
fn word(text: &str) -> &str {
    let end = text.find(|c: char| !c.is_alphanumeric() && c != '_');
    &text[..end.unwrap_or(text.len())]
}

/// What a line within a type's definition or implementation defines: a field, a variant, a function or
/// a constant.
fn member(line: &str) -> Option<&str> {
    let public = line.strip_prefix("pub ").unwrap_or(line);
    for start in ["const fn ", "fn ", "const "] {
        if let Some(rest) = public.strip_prefix(start) {
            return Some(word(rest));
        }
    }
    let name = word(public);
    let after = &public[name.len()..];
    let field = public.len() < line.len() && after.starts_with(": ");
    let variant = name.starts_with(char::is_uppercase)
        && [",", "(", " {", ""]
            .iter()
            .any(|end| after.starts_with(end) && !after.starts_with("::"));
    (field || variant).then_some(name)
}
