//! The vehicles of PhysX, Rapier and Jolt beside ours: runs `bench/peers`, and keeps its tables in the documentation.

use std::env;
use std::path::Path;
use std::process::Stdio;

use crate::cargo::{Cargo, finish};
use crate::engines::{self, answers};
use crate::machine::skipped;
use crate::{files, sections};

/// The page with the tables, from the root, and the picture beside it.
const PAGE: &str = "docs/PERFORMANCE.md";
const PICTURE: &str = "docs/peers.svg";
/// As it stands in that page.
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
    sections::store(
        &root.join(PAGE),
        COMMAND,
        &files::read(&out.join("peers.md"))?,
    )?;
    files::copy(&out.join("peers.svg"), &root.join(PICTURE))
}
