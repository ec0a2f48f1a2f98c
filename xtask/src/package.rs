//! The crates as users get them: packed, unpacked elsewhere, and used by third-party crates.

use std::fs::File;
use std::path::{Path, PathBuf};

use flate2::read::GzDecoder;
use serde_json::Value;
use tar::Archive;

use crate::cargo::Cargo;
use crate::files;

/// Third-party crates, each in a workspace of its own.
pub(crate) const THIRD_PARTY: [&str; 3] = [
    "examples/third-party-tire",
    "examples/third-party-aid",
    "examples/third-party-drive",
];
/// Start of the part of its manifest that refers to this repository.
const PATCHES: &str = "[patch.crates-io]";
/// Line of its manifest that makes it a workspace.
const WORKSPACE: &str = "\n[workspace]\n";
/// Packed but not compiled: Bevy takes minutes, and declares a newer Rust than the other crates
/// need; others take compilers of other languages.
const NOT_COMPILED: [&str; 3] = [
    "jounce-backend-avian",
    "jounce-backend-box3d",
    "jounce-backend-jolt",
];
/// Keys of a manifest that the registry shows beside a package.
const SHOWN: [&str; 5] = [
    "description",
    "license",
    "repository",
    "homepage",
    "documentation",
];

/// A crate that may be published.
#[derive(Debug)]
struct Crate {
    name: String,
    version: String,
    /// Its readme, relative to its root.
    readme: Option<String>,
    /// Sources of the examples in its folder for them, relative to its root.
    examples: Vec<PathBuf>,
    /// Facts that the registry shows beside it, but that its manifest lacks.
    lacks: Vec<&'static str>,
}

impl Crate {
    /// Name of its package, and of the folder in it.
    fn folder(&self) -> String {
        format!("{}-{}", self.name, self.version)
    }
}

/// Packs every crate that may be published, compiles the result, and tests the third-party crates
/// on it, outside the source tree.
pub(crate) fn check(cargo: &Cargo) -> Result<(), String> {
    let crates: Vec<Crate> = cargo.packages()?.iter().filter_map(publishable).collect();
    pack(cargo, &crates)?;
    rehearse(cargo, &crates)?;
    let folder = cargo.target().join("xtask-package");
    files::remove(&folder)?;
    for packed in &crates {
        unpack(cargo, packed, &folder)?;
        let root = folder.join(packed.folder());
        readme(packed, &root)?;
        complete(packed, &root)?;
    }
    compile(cargo, &crates, &folder)?;
    third_parties(cargo, &crates, &folder)
}

/// Reads a package of `cargo metadata`; `None` if it is not published.
fn publishable(package: &Value) -> Option<Crate> {
    let text = |key: &str| package[key].as_str().map(str::to_owned);
    package["publish"].is_null().then_some(())?;
    let root = Path::new(package["manifest_path"].as_str()?).parent()?;
    let targets = package["targets"].as_array().into_iter().flatten();
    let examples = targets.filter(|target| target["kind"][0] == "example");
    let source = |target: &Value| {
        let path = Path::new(target["src_path"].as_str()?);
        let path = path.strip_prefix(root).ok()?;
        path.starts_with("examples").then(|| path.to_owned())
    };
    let lacks = SHOWN.into_iter().filter(|key| package[key].is_null());
    Some(Crate {
        name: text("name")?,
        version: text("version")?,
        readme: text("readme"),
        examples: examples.filter_map(source).collect(),
        lacks: lacks.collect(),
    })
}

/// Writes the packages, all at once because they depend on each other.
fn pack(cargo: &Cargo, crates: &[Crate]) -> Result<(), String> {
    of_all(cargo, &["package"], crates)
}

/// All of publishing but the upload, in the order in which the crates need each other.
fn rehearse(cargo: &Cargo, crates: &[Crate]) -> Result<(), String> {
    of_all(cargo, &["publish", "--dry-run"], crates)
}

/// A task of cargo for these crates, which compiles nothing.
fn of_all(cargo: &Cargo, task: &[&str], crates: &[Crate]) -> Result<(), String> {
    // Includes uncommitted files. Quiet: every test that is not packed causes a warning.
    let mut arguments = [task, &["--no-verify", "--allow-dirty", "--quiet"]].concat();
    arguments.extend(crates.iter().flat_map(|packed| ["-p", &packed.name]));
    cargo.run(&arguments)
}

/// Unpacks a package below `folder` and prints its size.
fn unpack(cargo: &Cargo, packed: &Crate, folder: &Path) -> Result<(), String> {
    let name = format!("{}.crate", packed.folder());
    let path = cargo.target().join("package").join(&name);
    let failed = |error| format!("{}: {error}", path.display());
    let file = File::open(&path).map_err(failed)?;
    let size = file.metadata().map_err(failed)?.len();
    let mut archive = Archive::new(GzDecoder::new(file));
    // Packed files are all dated 2006: cargo would take the build of earlier ones for current.
    archive.set_preserve_mtime(false);
    archive.unpack(folder).map_err(failed)?;
    println!("{name:<28} {:>5} KiB", size.div_ceil(1024));
    Ok(())
}

/// Fails if a package lacks an example of its crate, or a fact that the registry shows.
fn complete(packed: &Crate, root: &Path) -> Result<(), String> {
    let examples = packed.examples.iter();
    let unpacked = examples.filter(|example| !root.join(example).exists());
    let mut lacks: Vec<String> = unpacked.map(|path| path.display().to_string()).collect();
    lacks.extend(packed.lacks.iter().map(|key| format!("`{key}`")));
    if lacks.is_empty() {
        Ok(())
    } else {
        Err(format!("{}: lacks {}", packed.name, lacks.join(", ")))
    }
}

/// Fails if a package lacks a readme or a file that the readme links to.
fn readme(packed: &Crate, root: &Path) -> Result<(), String> {
    let Some(readme) = &packed.readme else {
        return Err(format!("{}: has no readme", packed.name));
    };
    let path = root.join(readme);
    let text = files::read(&path)?;
    let beside = path.parent().unwrap_or(root);
    let dead: Vec<&str> = links(&text).filter(|l| !beside.join(l).exists()).collect();
    if dead.is_empty() {
        Ok(())
    } else {
        let dead = dead.join(", ");
        Err(format!("{}: not in the package: {dead}", path.display()))
    }
}

/// The files that a Markdown page links to.
fn links(text: &str) -> impl Iterator<Item = &str> {
    let targets = text.split("](").skip(1);
    let targets = targets.filter_map(|rest| rest.split([')', '#']).next());
    targets.filter(|target| !target.is_empty() && !target.contains("://"))
}

/// Compiles the unpacked crates, in a workspace of their own with the locked versions of this one.
fn compile(cargo: &Cargo, crates: &[Crate], folder: &Path) -> Result<(), String> {
    let members = crates
        .iter()
        .filter(|packed| !NOT_COMPILED.contains(&&*packed.name));
    let members: Vec<String> = members.map(Crate::folder).collect();
    let manifest = folder.join("Cargo.toml");
    let head = format!("[workspace]\nresolver = \"3\"\nmembers = {members:?}\n");
    files::write(&manifest, &format!("{head}\n{}", patches(crates, folder)))?;
    files::copy(&cargo.root().join("Cargo.lock"), &folder.join("Cargo.lock"))?;
    let manifest = manifest.display().to_string();
    let everything = ["check", "--release", "--workspace", "--all-targets"];
    let features = [
        "--features",
        "jounce/rayon,jounce/typetag,jounce-batch/rayon,jounce-lab/rayon",
    ];
    let place = ["--manifest-path", &manifest];
    cargo.run(&[&everything[..], &features, &place].concat())
}

/// Tests copies of the third-party crates, which reach only the unpacked crates. They are one workspace, with the locked versions of
/// this one, so that what they share is compiled once.
fn third_parties(cargo: &Cargo, crates: &[Crate], folder: &Path) -> Result<(), String> {
    let place = folder.join("third-parties");
    for path in THIRD_PARTY {
        let to = place.join(path);
        files::copy_folder(&cargo.root().join(path), &to)?;
        let manifest = to.join("Cargo.toml");
        let text = files::read(&manifest)?;
        let own = text.split_once(PATCHES).map(|(own, _)| own);
        let Some((before, after)) = own.and_then(|own| own.split_once(WORKSPACE)) else {
            let path = manifest.display();
            return Err(format!("{path}: lacks {WORKSPACE} or {PATCHES}"));
        };
        files::write(&manifest, &format!("{before}{after}"))?;
    }
    let manifest = place.join("Cargo.toml");
    let head = format!("[workspace]\nresolver = \"3\"\nmembers = {THIRD_PARTY:?}\n");
    files::write(&manifest, &format!("{head}\n{}", patches(crates, folder)))?;
    files::copy(&cargo.root().join("Cargo.lock"), &place.join("Cargo.lock"))?;
    let manifest = manifest.display().to_string();
    let tests = THIRD_PARTY.map(|path| {
        // One at a time: together, each would have the features of all.
        let name = path.rsplit('/').next().unwrap_or(path);
        let arguments = ["test", "--release", "--manifest-path", &manifest];
        cargo.run(&[&arguments[..], &["--package", name]].concat())
    });
    tests.into_iter().collect()
}

/// The part of a manifest that gives the paths of the crates, which are in no registry yet.
fn patches(crates: &[Crate], folder: &Path) -> String {
    let lines = crates.iter().map(|packed| {
        let path = folder.join(packed.folder());
        format!(
            "{} = {{ path = {:?} }}\n",
            packed.name,
            path.display().to_string()
        )
    });
    format!("{PATCHES}\n{}", lines.collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn unpublished_crates_are_left_out() {
        let of = |publish| json!({ "name": "a", "version": "0.1.0", "publish": publish, "manifest_path": "/a/Cargo.toml" });
        let packed = publishable(&of(Value::Null)).expect("it may go anywhere");
        assert_eq!(packed.folder(), "a-0.1.0");
        assert!(publishable(&of(json!([]))).is_none());
    }

    #[test]
    fn an_example_or_a_fact_that_is_not_packed_is_named() {
        let root = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/.."));
        let package = |example: &str, license: Value| {
            json!({
                "name": "a", "version": "0.1.0", "publish": null, "manifest_path": root.join("Cargo.toml"),
                "targets": [{ "kind": ["example"], "src_path": root.join(example) }, { "kind": ["lib"], "src_path": "/b/lib.rs" }],
                "description": "A", "license": license, "repository": "r", "homepage": "h", "documentation": "d",
            })
        };
        let of = |example, license| {
            let packed = publishable(&package(example, license)).expect("it may go anywhere");
            complete(&packed, &root)
        };
        assert_eq!(of("examples/rapier_keys.rs", json!("MIT")), Ok(()));
        let told = of("examples/none.rs", Value::Null).expect_err("two are lacking");
        assert_eq!(told, "a: lacks examples/none.rs, `license`");
    }

    #[test]
    fn links_of_a_page_are_found() {
        let text = "[a](docs/A.md) [b](docs/B.md#part)\n[c](https://c.org), [d](#here), [e](../e)";
        let found: Vec<_> = links(text).collect();
        assert_eq!(found, ["docs/A.md", "docs/B.md", "../e"]);
    }
}
