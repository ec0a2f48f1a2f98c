//! The modules of a crate, in the order of their declarations, and the paths that each of them
//! names.
//!
//! Works on tokens only: items for tests or documentation are skipped, and the output of macros is
//! not seen.

mod paths;
#[cfg(test)]
pub(crate) mod testing;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use serde_json::Value;

use crate::files;
use paths::{Named, is_punct};

/// Root files of all libraries and programs, with the names of their packages.
pub(crate) fn roots(packages: &[Value]) -> Vec<(String, PathBuf)> {
    let of_package = |package: &Value| -> Vec<(String, PathBuf)> {
        let name = package["name"].as_str().unwrap_or_default();
        let targets = package["targets"].as_array().into_iter().flatten();
        let own = targets.filter(|target| {
            let kinds = target["kind"].as_array();
            kinds
                .is_some_and(|kinds| kinds.contains(&"lib".into()) || kinds.contains(&"bin".into()))
        });
        let root = |target: &Value| {
            let path = PathBuf::from(target["src_path"].as_str()?);
            let program = path.ends_with("main.rs").then_some(" (program)");
            Some((format!("{name}{}", program.unwrap_or_default()), path))
        };
        own.filter_map(root).collect()
    };
    packages.iter().flat_map(of_package).collect()
}

/// A module: `[]` is the crate's root, `["rows", "clutch"]` the module `rows::clutch`.
pub(crate) type ModulePath = Vec<String>;

/// A module and its file.
#[derive(Debug)]
pub(crate) struct Module {
    pub(crate) file: PathBuf,
    /// Its submodules, in the order of their declarations.
    pub(crate) children: Vec<String>,
    /// Paths within the crate that it names, from the root, with their lines.
    pub(crate) named: Vec<(Vec<String>, usize)>,
    /// Identifiers with their lines.
    pub(crate) identifiers: Vec<(String, usize)>,
    /// Imports of its `use` declarations: name, and path from the root.
    imports: BTreeMap<String, Vec<String>>,
}

/// All modules of one crate.
#[derive(Debug, Default)]
pub(crate) struct Tree {
    pub(crate) modules: BTreeMap<ModulePath, Module>,
}

impl Tree {
    /// Reads a crate from its root file.
    pub(crate) fn read(root: &Path) -> Result<Self, String> {
        let mut tree = Self::default();
        let folder = root.parent().unwrap_or(root).to_path_buf();
        tree.read_file(Vec::new(), root, &folder)?;
        Ok(tree)
    }

    /// Reads the file of a module; the files of its submodules are in `folder`.
    fn read_file(&mut self, path: ModulePath, file: &Path, folder: &Path) -> Result<(), String> {
        let text = files::read(file)?;
        let tokens: TokenStream = text
            .parse()
            .map_err(|error| format!("{}: {error}", file.display()))?;
        self.add(path, file, folder, tokens)
    }

    fn add(
        &mut self,
        path: ModulePath,
        file: &Path,
        folder: &Path,
        tokens: TokenStream,
    ) -> Result<(), String> {
        let items = Items::of(tokens);
        let names = items.modules.iter().map(|module| module.0.clone());
        let children: Vec<String> = names.collect();
        let mut module = Module {
            file: file.to_path_buf(),
            children: children.clone(),
            named: Vec::new(),
            identifiers: Vec::new(),
            imports: BTreeMap::new(),
        };
        for named in paths::all(&items.rest, &path, &children) {
            module.take(named);
        }
        paths::identifiers(&items.rest, &mut module.identifiers);
        self.modules.insert(path.clone(), module);
        for (name, body) in items.modules {
            let child = [&path[..], core::slice::from_ref(&name)].concat();
            let below = folder.join(&name);
            match body {
                Some(tokens) => self.add(child, file, &below, tokens)?,
                None => self.read_file(child, &file_of(folder, &name), &below)?,
            }
        }
        Ok(())
    }

    /// The module that defines the target of a path from the root; `use` declarations on the way
    /// are followed.
    pub(crate) fn holder(&self, path: &[String]) -> ModulePath {
        // A `use` may lead to another; a cycle of them does not compile.
        const MOST: usize = 16;
        self.follow(path, MOST)
    }

    fn follow(&self, path: &[String], most: usize) -> ModulePath {
        let mut at = ModulePath::new();
        for (n, name) in path.iter().enumerate() {
            let module = &self.modules[&at];
            if module.children.contains(name) {
                at.push(name.clone());
                continue;
            }
            let Some(most) = most.checked_sub(1) else {
                break;
            };
            if let Some(import) = module.imports.get(name) {
                return self.follow(&[import, &path[n + 1..]].concat(), most);
            }
            break;
        }
        at
    }
}

impl Module {
    fn take(&mut self, named: Named) {
        if let Some(name) = named.imported_as {
            self.imports.insert(name, named.path.clone());
        }
        self.named.push((named.path, named.line));
    }
}

/// File of a module declared as `mod name;`.
fn file_of(folder: &Path, name: &str) -> PathBuf {
    let beside = folder.join(format!("{name}.rs"));
    if beside.exists() {
        beside
    } else {
        folder.join(name).join("mod.rs")
    }
}

/// The tokens of a module: its submodules, with their inline bodies, and everything else.
struct Items {
    modules: Vec<(String, Option<TokenStream>)>,
    rest: Vec<TokenTree>,
}

impl Items {
    /// Sorts the items of a module; those only for tests or documentation are dropped.
    fn of(tokens: TokenStream) -> Self {
        let mut items = Self {
            modules: Vec::new(),
            rest: Vec::new(),
        };
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        let mut n = 0;
        while n < tokens.len() {
            if is_not_compiled(&tokens[n..]) {
                n = end_of_item(&tokens, n + 2);
            } else if let Some((name, body)) = module(&tokens[n..]) {
                items.modules.push((name, body));
                n += 3;
            } else {
                items.rest.push(tokens[n].clone());
                n += 1;
            }
        }
        items
    }
}

/// Whether tokens begin with `#[cfg(test)]`, `#[cfg(doc)]` or similar.
fn is_not_compiled(tokens: &[TokenTree]) -> bool {
    let [hash, TokenTree::Group(attribute), ..] = tokens else {
        return false;
    };
    let text = attribute.stream().to_string();
    is_punct(hash, '#')
        && text.starts_with("cfg")
        && !text.contains("not")
        && ["test", "doc"].iter().any(|word| text.contains(word))
}

/// End of the item that begins at `n`: after its `;` or its braces.
fn end_of_item(tokens: &[TokenTree], n: usize) -> usize {
    let ends = |token: &TokenTree| match token {
        TokenTree::Group(group) => group.delimiter() == Delimiter::Brace,
        other => is_punct(other, ';'),
    };
    let end = tokens[n..].iter().position(ends);
    end.map_or(tokens.len(), |end| n + end + 1)
}

/// The module that tokens declare, if they begin with one.
fn module(tokens: &[TokenTree]) -> Option<(String, Option<TokenStream>)> {
    let [TokenTree::Ident(word), TokenTree::Ident(name), end, ..] = tokens else {
        return None;
    };
    let body = match end {
        TokenTree::Group(group) => Some(group.stream()),
        _ => None,
    };
    (*word == "mod").then(|| (name.to_string(), body))
}
