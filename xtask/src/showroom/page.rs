//! The page: built into a folder, and tried in a browser.

use std::env;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use flate2::Compression;
use flate2::write::GzEncoder;

use crate::cargo::{Cargo, finish};
use crate::engines::answers;
use crate::machine::{self, find, install, skipped, succeeds, tools};
use crate::progress::told;

const WASM: &str = "wasm32-unknown-unknown";

/// Builds the page into a folder; `None` where that cannot be done.
pub(crate) fn page(cargo: &Cargo) -> Result<Option<PathBuf>, String> {
    if !machine::target(WASM) {
        skipped("the page", WASM);
        return Ok(None);
    }
    let Some(bindgen) = bindgen(cargo)? else {
        skipped("the page", "wasm-bindgen-cli");
        return Ok(None);
    };
    let of = ["-p", "showroom", "--lib", "--target", WASM];
    told("page: compile for the browser, small before fast", || {
        cargo.run(&[&["build", "--profile", "page"], &of[..]].concat())
    })?;
    let folder = cargo.target().join("showroom-page");
    let module = cargo.target().join(WASM).join("page/showroom.wasm");
    let mut command = Command::new(bindgen);
    command.args([
        "--target",
        "web",
        "--no-typescript",
        "--out-name",
        "showroom",
        "--out-dir",
    ]);
    finish(command.arg(&folder).arg(module), &["wasm-bindgen"])?;
    pack(&folder.join("showroom_bg.wasm"))?;
    let page = cargo.root().join("showroom/page/index.html");
    fs::copy(&page, folder.join("index.html"))
        .map_err(|error| format!("{}: {error}", page.display()))?;
    println!(
        "page: {}; to see it: python3 -m http.server --directory FOLDER",
        folder.display()
    );
    Ok(Some(folder))
}

/// Compresses a file: `.gz` is appended to its name.
fn pack(path: &Path) -> Result<(), String> {
    let told = |error: std::io::Error| format!("{}: {error}", path.display());
    let bytes = fs::read(path).map_err(told)?;
    let mut packed = GzEncoder::new(Vec::new(), Compression::best());
    packed.write_all(&bytes).map_err(told)?;
    let packed = packed.finish().map_err(told)?;
    println!("page: {} bytes, {} packed", bytes.len(), packed.len());
    fs::write(path.with_extension("wasm.gz"), packed).map_err(told)?;
    fs::remove_file(path).map_err(told)
}

/// wasm-bindgen's program of the version in the lock file, installed where it is missing.
fn bindgen(cargo: &Cargo) -> Result<Option<PathBuf>, String> {
    let path = cargo.root().join("Cargo.lock");
    let text = fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    let version = locked(&text, "wasm-bindgen").ok_or("Cargo.lock: no wasm-bindgen")?;
    let root = tools();
    let program = root.join("bin/wasm-bindgen");
    let of_this_version = || {
        let output = Command::new(&program).arg("--version").output();
        output.is_ok_and(|output| {
            String::from_utf8_lossy(&output.stdout)
                .trim()
                .ends_with(version)
        })
    };
    if !of_this_version() {
        let root = root.display().to_string();
        let install = [
            "install",
            "--quiet",
            "wasm-bindgen-cli",
            "--version",
            version,
            "--root",
            &root,
            "--force",
        ];
        // A failure leaves it missing.
        let _ = cargo.run(&install);
    }
    Ok(of_this_version().then_some(program))
}

/// The version of a package in a lock file.
fn locked<'a>(text: &'a str, package: &str) -> Option<&'a str> {
    let mut lines = text.lines();
    lines.find(|line| *line == format!("name = \"{package}\""))?;
    lines
        .next()?
        .strip_prefix("version = \"")?
        .strip_suffix('"')
}

/// Tries the pages of a folder in a browser without a screen, by a program of node.
pub(crate) fn browse(program: &Path, folder: &Path, pictures: &Path) -> Result<(), String> {
    let own = env::var("CHROME").ok();
    let names = ["chromium", "chromium-browser", "google-chrome"];
    let known = || {
        names
            .into_iter()
            .find(|name| answers(name))
            .map(str::to_owned)
    };
    let installed = || install(&["chromium"]).then(known).flatten();
    let Some(chrome) = own.or_else(known).or_else(installed) else {
        skipped("pages in a browser", "Chromium");
        return Ok(());
    };
    let chrome = find(&chrome).unwrap_or_else(|| chrome.into());
    let node = tools().join("node");
    let modules = node.join("node_modules");
    fs::create_dir_all(&node).map_err(|error| format!("{}: {error}", node.display()))?;
    let fetch = [
        "install",
        "--no-audit",
        "--no-fund",
        "--silent",
        "playwright-core",
    ];
    let there = || modules.join("playwright-core").is_dir();
    if !there() {
        succeeds(Command::new("npm").args(fetch).current_dir(&node));
    }
    if !answers("node") || !there() {
        skipped("pages in a browser", "node or playwright-core");
        return Ok(());
    }
    let mut command = Command::new("node");
    command
        .args([program, folder, pictures])
        .env("NODE_PATH", modules)
        .env("CHROME", chrome);
    let name = program.file_name().unwrap_or_default().to_string_lossy();
    finish(&mut command, &["node", &name])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_locked_version_is_found() {
        let text = "[[package]]\nname = \"wasm-bindgen-futures\"\nversion = \"0.4.1\"\n\n[[package]]\n\
                    name = \"wasm-bindgen\"\nversion = \"0.2.130\"\n";
        assert_eq!(locked(text, "wasm-bindgen"), Some("0.2.130"));
        assert_eq!(locked(text, "winit"), None);
    }
}
