//! The vehicles of PhysX, Rapier and Jolt beside ours: runs `benches/peers`, and keeps its tables.

use std::env;
use std::path::Path;
use std::process::Stdio;

use crate::cargo::{Cargo, finish};
use crate::engines::{self, answers};
use crate::machine::skipped;
use crate::{files, sections};

/// The pages with the goals and with all results, from the root, each beside the file that the program writes.
const PAGES: [(&str, &str); 2] = [
    ("docs/PERFORMANCE.md", "goals.md"),
    ("benches/peers/RESULTS.md", "peers.md"),
];
const PICTURE: &str = "docs/peers.svg";
/// The command as those pages name it.
const COMMAND: &str = "cargo xtask bench --peers --accept";

/// Measures, and stores the result in the documentation if it is accepted.
pub(crate) fn run(cargo: &Cargo, json: bool, accept: bool) -> Result<(), String> {
    let Some(compiler) = compiler() else {
        skipped("peers", "a C++ compiler");
        return Ok(());
    };
    let out = cargo.target().join("peers");
    let out_text = out.to_string_lossy();
    let mut arguments = vec!["run", "--release", "-p", "bench-peers"];
    match engines::missing_for_jolt() {
        None => arguments.extend(["--features", "jolt"]),
        Some(tool) => skipped("Jolt beside ours", &tool),
    }
    arguments.extend(["--", "--out", &out_text]);
    if json {
        arguments.push("--json");
    }
    let mut command = cargo.command(&arguments);
    command.env("CXX", compiler).stderr(Stdio::inherit());
    finish(&mut command, &arguments)?;
    if accept {
        store(cargo.root(), &out)
    } else {
        Ok(())
    }
}

/// The user's C++ compiler, or one that answers. `physx-sys` asks for `clang++` if none is named.
fn compiler() -> Option<String> {
    let named = env::var("CXX").ok();
    let usual = ["clang++", "c++"].map(str::to_owned);
    named.into_iter().chain(usual).find(|name| answers(name))
}

fn store(root: &Path, out: &Path) -> Result<(), String> {
    for (page, tables) in PAGES {
        let tables = files::read(&out.join(tables))?;
        sections::store(&root.join(page), COMMAND, &tables)?;
    }
    files::copy(&out.join("peers.svg"), &root.join(PICTURE))
}
