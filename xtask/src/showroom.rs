//! The showroom: its page is built, its window and its page are tried as a person would. What a machine lacks is named,
//! and counts as skipped.

use core::time::Duration;
use std::env;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;

use clap::Args;
use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::Value;

use crate::cargo::{Cargo, finish};
use crate::engines::answers;

const WASM: &str = "wasm32-unknown-unknown";
/// Programs and libraries of a window without a screen, as Debian names them.
const SCREENLESS: [&str; 9] = [
    "xvfb",
    "xdotool",
    "libgl1-mesa-dri",
    "libgl1",
    "libegl1",
    "libx11-6",
    "libxcursor1",
    "libxi6",
    "libxrandr2",
];

#[derive(Debug, Default, Args)]
pub(crate) struct ShowroomChore {
    /// Only build the page, and say where it lies
    #[arg(long)]
    page: bool,
}

impl ShowroomChore {
    pub(crate) fn run(&self, cargo: &Cargo) -> Result<(), String> {
        if self.page {
            return page(cargo).map(|_| ());
        }
        test(cargo)
    }
}

/// Lints and tests it; then the window, then the page.
pub(crate) fn test(cargo: &Cargo) -> Result<(), String> {
    let clippy = ["clippy", "--release", "--all-targets", "-p", "showroom"];
    cargo.run(&[&clippy[..], &["--", "-D", "warnings"]].concat())?;
    cargo.run(&["test", "--release", "-p", "showroom"])?;
    let pictures = cargo.target().join("showroom-pictures");
    fs::create_dir_all(&pictures).map_err(|error| format!("{}: {error}", pictures.display()))?;
    window(cargo, &pictures)?;
    if let Some(folder) = page(cargo)? {
        browse(cargo, &folder, &pictures)?;
    }
    println!("pictures: {}", pictures.display());
    Ok(())
}

fn skipped(what: &str, missing: &str) {
    println!("showroom: {what} skipped, as {missing} is missing");
}

/// Where tools are installed that projects share.
fn tools() -> PathBuf {
    let home = || env::var_os("HOME").map(|home| PathBuf::from(home).join(".cache"));
    let cache = env::var_os("XDG_CACHE_HOME")
        .map(PathBuf::from)
        .or_else(home);
    cache.unwrap_or_else(env::temp_dir).join("jounce/tools")
}

/// Runs a command quietly; whether it succeeded.
fn succeeds(command: &mut Command) -> bool {
    command.stdin(Stdio::null()).stdout(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

/// A screen in memory.
struct Screen {
    server: Child,
    name: String,
}

impl Screen {
    fn open() -> Option<Self> {
        if find("Xvfb").is_none() || find("xdotool").is_none() {
            let install = |arguments: &[&str]| succeeds(Command::new("apt-get").args(arguments));
            let there = install(&["update", "-qq"]);
            if !there || !install(&[&["install", "-y", "-qq"], &SCREENLESS[..]].concat()) {
                return None;
            }
        }
        let mut server = Command::new("Xvfb")
            .args([
                "-displayfd",
                "1",
                "-screen",
                "0",
                "1400x900x24",
                "+extension",
                "GLX",
            ])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .ok()?;
        let mut number = String::new();
        BufReader::new(server.stdout.take()?)
            .read_line(&mut number)
            .ok()?;
        let name = format!(":{}", number.trim());
        Some(Self { server, name })
    }

    fn command(&self, program: impl AsRef<std::ffi::OsStr>) -> Command {
        let mut command = Command::new(program);
        command
            .env("DISPLAY", &self.name)
            .env_remove("WAYLAND_DISPLAY")
            .env("LIBGL_ALWAYS_SOFTWARE", "1");
        command
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

/// The window: a script whose recording replays, keys of a keyboard, a narrow window.
fn window(cargo: &Cargo, pictures: &Path) -> Result<(), String> {
    cargo.run(&["build", "--release", "-p", "showroom"])?;
    let Some(screen) = Screen::open() else {
        skipped("the window", "Xvfb or xdotool");
        return Ok(());
    };
    let program = cargo.target().join("release/showroom");
    let script = cargo.root().join("showroom/tests/drive.json");
    let run = |name: &str, size: &str, frames: &str, script: Option<&Path>| {
        let mut command = screen.command(&program);
        command
            .current_dir(pictures)
            .args(["--size", size, "--frames", frames]);
        command
            .arg("--state")
            .arg(pictures.join(format!("{name}.json")));
        command
            .arg("--screenshot")
            .arg(pictures.join(format!("{name}.png")));
        if let Some(script) = script {
            command.arg("--script").arg(script);
        }
        command
    };
    let arguments = ["showroom", "--script"];
    finish(
        &mut run("window-1280", "1280x720", "300", Some(&script)),
        &arguments,
    )?;
    finish(
        &mut run("window-390", "390x844", "300", Some(&script)),
        &arguments,
    )?;
    let state = read(&pictures.join("window-1280.json"))?;
    let holds = |what: &str, holds: bool| {
        holds
            .then_some(())
            .ok_or(format!("window: {what}: {state}"))
    };
    let shown = state["speed"].as_f64().unwrap_or(0.0) * 3.6;
    holds("the engine is swapped", state["engine"] == "Rapier")?;
    holds("the spring is changed", state["spring"] == 20_000.0)?;
    holds("nothing is refused", state["fault"].is_null())?;
    holds("time went back", state["steps"] == 270)?;
    holds("the car drives", shown > 30.0)?;
    holds(
        "the dial shows its speed",
        state["speed_text"] == format!("{shown:.0}"),
    )?;
    let (width, height) = picture_size(&pictures.join("window-390.png"))?;
    holds("the narrow window is narrow", (width, height) == (390, 844))?;
    let recording = pictures.join("recording.json").display().to_string();
    cargo.run(&["jounce", "replay", &recording])?;
    type_keys(&screen, run("keys", "1280x720", "1500", None), pictures)
}

/// Holds the key for full throttle down while the window runs.
fn type_keys(screen: &Screen, mut command: Command, pictures: &Path) -> Result<(), String> {
    let mut child = command
        .spawn()
        .map_err(|error| format!("showroom: {error}"))?;
    thread::sleep(Duration::from_secs(2));
    let tool = |arguments: &[&str]| succeeds(screen.command("xdotool").args(arguments));
    tool(&["search", "--name", "Jounce showroom", "windowfocus"]);
    tool(&["keydown", "w"]);
    let done = child.wait().map_err(|error| format!("showroom: {error}"))?;
    if !done.success() {
        return Err(format!("showroom: {done}"));
    }
    let state = read(&pictures.join("keys.json"))?;
    let speed = state["speed"].as_f64().unwrap_or(0.0);
    println!(
        "window: W held drives at {speed:.1} m/s; a frame takes {} ms",
        state["frame_ms"]
    );
    if speed > 3.0 {
        Ok(())
    } else {
        Err(format!(
            "window: the key W does not accelerate: {speed} m/s"
        ))
    }
}

fn read(path: &Path) -> Result<Value, String> {
    let text = fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    serde_json::from_str(&text).map_err(|error| format!("{}: {error}", path.display()))
}

/// Width and height of a PNG, from its header.
fn picture_size(path: &Path) -> Result<(u32, u32), String> {
    let bytes = fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let number = |from: usize| {
        bytes
            .get(from..from + 4)?
            .try_into()
            .ok()
            .map(u32::from_be_bytes)
    };
    let size = number(16).zip(number(20));
    size.ok_or_else(|| format!("{}: not a picture", path.display()))
}

/// Builds the page into a folder; `None` where that cannot be done.
fn page(cargo: &Cargo) -> Result<Option<PathBuf>, String> {
    let installed = || {
        let output = Command::new("rustup")
            .args(["target", "list", "--installed"])
            .output();
        output.is_ok_and(|output| String::from_utf8_lossy(&output.stdout).contains(WASM))
    };
    if !installed() && !succeeds(Command::new("rustup").args(["target", "add", WASM])) {
        skipped("the page", WASM);
        return Ok(None);
    }
    let Some(bindgen) = bindgen(cargo)? else {
        skipped("the page", "wasm-bindgen-cli");
        return Ok(None);
    };
    cargo.run(&[
        "build",
        "--profile",
        "page",
        "-p",
        "showroom",
        "--lib",
        "--target",
        WASM,
    ])?;
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

/// Tries the page in a browser without a screen.
fn browse(cargo: &Cargo, folder: &Path, pictures: &Path) -> Result<(), String> {
    let own = env::var("CHROME").ok();
    let names = ["chromium", "chromium-browser", "google-chrome"];
    let known = || {
        names
            .into_iter()
            .find(|name| answers(name))
            .map(str::to_owned)
    };
    let Some(chrome) = own.or_else(known) else {
        skipped("the page in a browser", "Chromium");
        return Ok(());
    };
    let chrome = find(&chrome).unwrap_or_else(|| chrome.into());
    let node = tools().join("node");
    let modules = node.join("node_modules");
    fs::create_dir_all(&node).map_err(|error| format!("{}: {error}", node.display()))?;
    let install = [
        "install",
        "--no-audit",
        "--no-fund",
        "--silent",
        "puppeteer-core",
    ];
    let there = || modules.join("puppeteer-core").is_dir();
    if !there() {
        succeeds(Command::new("npm").args(install).current_dir(&node));
    }
    if !answers("node") || !there() {
        skipped("the page in a browser", "node or puppeteer-core");
        return Ok(());
    }
    let mut command = Command::new("node");
    command.arg(cargo.root().join("showroom/tests/page.mjs"));
    command
        .args([folder, pictures])
        .env("NODE_PATH", modules)
        .env("CHROME", chrome);
    finish(&mut command, &["node page.mjs"])
}

/// Where a program on the path lies.
fn find(program: &str) -> Option<PathBuf> {
    let path = env::var_os("PATH")?;
    env::split_paths(&path)
        .map(|folder| folder.join(program))
        .find(|file| file.is_file())
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

    #[test]
    fn the_size_of_a_picture_is_in_its_header() {
        let path = env::temp_dir().join(format!("jounce-size-{}.png", std::process::id()));
        let mut bytes = vec![0_u8; 24];
        bytes[19] = 9;
        bytes[23] = 7;
        fs::write(&path, bytes).unwrap();
        let size = picture_size(&path);
        fs::remove_file(&path).unwrap();
        assert_eq!(size, Ok((9, 7)));
    }
}
