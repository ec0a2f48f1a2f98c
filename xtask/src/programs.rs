//! The programs of the book and of the readme, compiled as a reader compiles them: with the manifest that their page shows.
//!
//! Documentation tests run the same programs, but with every dependency of the workspace.

use std::fs;
use std::path::Path;

use crate::cargo::Cargo;
use crate::files::{self, named};

/// The folder of the pages, and the page beside it.
const BOOK: &str = "book/src";
const README: &str = "README.md";
/// Pages whose manifest is not built: Bevy with its default features takes half an hour, and a system's sound.
const NOT_BUILT: [&str; 1] = ["avian"];
/// Of pages that show none.
const PLAIN: &str = "[dependencies]\njounce = { path = \"../jounce\" }\n";
/// The clone in manifests that are shown.
const CLONE: &str = "\"../jounce\"";

/// A page with programs.
struct ProgramPage {
    name: String,
    manifest: String,
    programs: Vec<String>,
}

/// Compiles the programs of every page, each page by itself: packages built together share their features.
pub(crate) fn check(cargo: &Cargo) -> Result<(), String> {
    let folder = cargo.target().join("xtask-programs");
    files::remove(&folder)?;
    let pages = pages(cargo.root())?;
    for page in &pages {
        page.write(&folder, cargo.root())?;
    }
    let members: Vec<&str> = pages.iter().map(|page| &*page.name).collect();
    let manifest = folder.join("Cargo.toml");
    let text = format!("[workspace]\nresolver = \"3\"\nmembers = {members:?}\n");
    files::write(&manifest, &text)?;
    files::copy(&cargo.root().join("Cargo.lock"), &folder.join("Cargo.lock"))?;
    let manifest = manifest.display().to_string();
    let start = [
        "check",
        "--release",
        "--offline",
        "--manifest-path",
        &manifest,
    ];
    let failed: Vec<&str> = members
        .into_iter()
        .filter(|name| cargo.run(&[&start[..], &["-p", name]].concat()).is_err())
        .collect();
    if failed.is_empty() {
        Ok(())
    } else {
        let list = failed.join(", ");
        Err(format!(
            "do not compile with the manifest that they show: {list}"
        ))
    }
}

/// Every page with a program.
fn pages(root: &Path) -> Result<Vec<ProgramPage>, String> {
    let book = root.join(BOOK);
    let mut paths = vec![root.join(README)];
    for entry in fs::read_dir(&book).map_err(named(&book))? {
        paths.push(entry.map_err(named(&book))?.path());
    }
    paths.retain(|path| path.extension().is_some_and(|end| end == "md"));
    paths.sort();
    let mut pages = Vec::new();
    for path in paths {
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        let page = ProgramPage::of(&name.to_lowercase(), &files::read(&path)?);
        if !page.programs.is_empty() && !NOT_BUILT.contains(&&*page.name) {
            pages.push(page);
        }
    }
    Ok(pages)
}

impl ProgramPage {
    fn of(name: &str, text: &str) -> Self {
        let manifest = blocks(text, "toml").find(|block| block.contains("[dependencies]"));
        Self {
            name: name.to_owned(),
            manifest: manifest.unwrap_or_else(|| PLAIN.to_owned()),
            programs: blocks(text, "rust").map(|block| program(&block)).collect(),
        }
    }

    /// Writes it as a package below a folder, with the clone at `root`.
    fn write(&self, folder: &Path, root: &Path) -> Result<(), String> {
        let package = folder.join(&self.name);
        let sources = package.join("src/bin");
        fs::create_dir_all(&sources).map_err(named(&sources))?;
        let head = format!("[package]\nname = {:?}\nedition = \"2024\"\n\n", self.name);
        let root = format!("{:?}", root.display().to_string());
        let manifest = self.manifest.replace(CLONE, &root);
        files::write(&package.join("Cargo.toml"), &(head + &manifest))?;
        for (n, program) in self.programs.iter().enumerate() {
            files::write(&sources.join(format!("{}-{n}.rs", self.name)), program)?;
        }
        Ok(())
    }
}

/// The blocks of a page in a language, each without its fences.
fn blocks(text: &str, language: &str) -> impl Iterator<Item = String> {
    let (start, end) = (format!("```{language}"), "```");
    let mut lines = text.lines();
    core::iter::from_fn(move || {
        lines.by_ref().find(|line| *line == start)?;
        let block = lines.by_ref().take_while(|line| *line != end);
        Some(block.map(|line| format!("{line}\n")).collect())
    })
}

/// A block as a program: with its hidden lines, and in a function `main` if it has none.
fn program(block: &str) -> String {
    let shown = block
        .lines()
        .map(|line| line.strip_prefix("# ").unwrap_or(line));
    let text: String = shown.map(|line| format!("{line}\n")).collect();
    if text.contains("fn main()") {
        text
    } else {
        format!("fn main() {{\n{text}}}\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = "Text\n\n```toml\n[dependencies]\nserde = \"1\"\n```\n\n```rust\n# use a::B;\nlet x = 1;\n```\n\n\
                        ```sh\nls\n```\n\n```rust\nfn main() {}\n```\n\n```rust,ignore\nno\n```\n";

    #[test]
    fn programs_are_taken_with_the_manifest_of_their_page() {
        let page = ProgramPage::of("a", PAGE);
        assert_eq!(page.manifest, "[dependencies]\nserde = \"1\"\n");
        let wrapped = "fn main() {\nuse a::B;\nlet x = 1;\n}\n";
        assert_eq!(page.programs, [wrapped, "fn main() {}\n"]);
        assert_eq!(ProgramPage::of("b", "```rust\n```\n").manifest, PLAIN);
    }
}
