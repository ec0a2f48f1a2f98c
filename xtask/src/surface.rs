//! The public types of core, which must stay few enough to be learned.

use std::collections::BTreeSet;
use std::path::Path;

use crate::cargo::Cargo;
use crate::files::{named, read};
use crate::modules::KINDS;

/// Most public types of core.
const MOST: usize = 100;
/// Rooms of core that only its hidden module `internals` exports, the settings of the solver that does as PhysX does,
/// which few need to name, and helpers of tests.
const HIDDEN: [&str; 5] = ["stages", "solvers", "explicit", "testing", "tests"];

/// Counts the types that users of core may name, and fails if there are too many.
pub(crate) fn check(cargo: &Cargo) -> Result<(), String> {
    let sources = cargo.root().join("vehicle-core/src");
    let mut texts = Vec::new();
    collect(&sources, &mut texts)?;
    let types = public(&read(&sources.join("lib.rs"))?, &texts);
    println!("vehicle-core: {} public types, {MOST} at most", types.len());
    if types.len() > MOST {
        let list = types.into_iter().collect::<Vec<_>>().join(", ");
        return Err(format!("vehicle-core has too many public types: {list}"));
    }
    Ok(())
}

/// Texts of all files of a folder that are not hidden.
fn collect(folder: &Path, texts: &mut Vec<String>) -> Result<(), String> {
    for entry in std::fs::read_dir(folder).map_err(named(folder))? {
        let path = entry.map_err(named(folder))?.path();
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        if HIDDEN.contains(&&*name) || name.ends_with("_tests") {
            continue;
        }
        if path.is_dir() {
            collect(&path, texts)?;
        } else {
            texts.push(read(&path)?);
        }
    }
    Ok(())
}

/// Public types declared in `texts`, without those that the module `internals` of `root` exports, and with
/// everything else that `root` exports.
fn public(root: &str, texts: &[String]) -> BTreeSet<String> {
    let (open, internals) = match root.split_once("pub mod internals {") {
        Some((before, rest)) => {
            let (inside, after) = rest.split_once("\n}").unwrap_or((rest, ""));
            (format!("{before}{after}"), inside)
        }
        None => (root.to_owned(), ""),
    };
    let hidden = exported(internals);
    let declared = texts
        .iter()
        .flat_map(|text| text.lines())
        .filter_map(declared);
    let declared = declared.filter(|name| !hidden.contains(name));
    declared.chain(exported(&open)).collect()
}

/// Type declared at the beginning of a line.
fn declared(line: &str) -> Option<String> {
    let (model, rest) = line.strip_prefix("pub ")?.split_once(' ')?;
    let end = rest.find(|c: char| !c.is_alphanumeric())?;
    KINDS.contains(&model).then(|| rest[..end].to_owned())
}

/// Types in the `pub use` declarations of a text.
fn exported(text: &str) -> BTreeSet<String> {
    let uses = text.split("pub use ").skip(1);
    let paths = uses.filter_map(|rest| rest.split(';').next());
    let words = paths.flat_map(|path| path.split(|c: char| !c.is_alphanumeric()));
    let of_type = |word: &&str| word.starts_with(|c: char| c.is_ascii_uppercase());
    words.filter(of_type).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hidden_and_private_types_do_not_count() {
        let root = "pub mod a;\n#[doc(hidden)]\npub mod internals {\n    pub use crate::a::{Memory, slip};\n}\n\
                    pub use stages::model::{Kind, of};\npub use a::Tire;\n";
        let text = "pub struct Tire<N = f32> {\npub struct Memory(u8);\npub(crate) struct Own;\nstruct Mine;\n    \
                    pub struct Nested;\npub trait Law: Debug {\npub fn law() {}\npub const MOST: usize = 1;\n";
        let found: Vec<_> = public(root, &[text.to_owned()]).into_iter().collect();
        assert_eq!(found, ["Kind", "Law", "Tire"]);
    }
}
