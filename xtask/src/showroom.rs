//! The showroom: its page is built, its window and its page are tried as a person would. What a machine lacks is named,
//! and counts as skipped.

mod page;
mod screen;
mod frames;

use core::time::Duration;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::thread;

use clap::Args;
use serde_json::Value;

use crate::cargo::{Cargo, finish};
use crate::machine::{skipped, succeeds};
use page::{browse, page};
use screen::Screen;

#[derive(Debug, Default, Args)]
pub(crate) struct ShowroomChore {
    /// Only build the page, and say where it lies
    #[arg(long)]
    page: bool,
    /// Only record the readme's moving picture, showroom/town.png, and how its drive ends
    #[arg(long)]
    movie: bool,
    /// Only measure how long frames take where the processor draws
    #[arg(long)]
    frames: bool,
}

impl ShowroomChore {
    pub(crate) fn run(&self, cargo: &Cargo) -> Result<(), String> {
        if self.page {
            return page(cargo).map(|_| ());
        }
        if self.frames {
            return frames::measure(cargo);
        }
        if self.movie {
            let folder = cargo.root().join("showroom");
            return movie(cargo, &folder);
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
    still_shown(cargo, &pictures)?;
    if let Some(folder) = page(cargo)? {
        browse(cargo, &folder, &pictures)?;
    }
    println!("pictures: {}", pictures.display());
    Ok(())
}

/// A picture of dials and words packs to less than this (bytes), with the scene to twice as much.
const WORDS_ALONE: u64 = 45_000;

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
    for name in ["window-1280.png", "window-390.png"] {
        let path = pictures.join(name);
        let file = fs::metadata(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        holds("the scene is seen", file.len() > WORDS_ALONE)?;
    }
    let recording = pictures.join("recording.json").display().to_string();
    cargo.run(&["jounce", "replay", &recording])?;
    let script = cargo.root().join("showroom/tests/fleet.json");
    let count = 5000;
    fleet(
        &mut run("fleet", "1280x720", "40", Some(&script)),
        count,
        pictures,
    )?;
    // On the pad, it meets nothing, however long the key is held.
    let pad = cargo.root().join("showroom/tests/pad.json");
    let run = run("keys", "1280x720", "1500", Some(&pad));
    type_keys(&screen, run, pictures)
}

/// So many cars at once, and what a step of them costs.
fn fleet(command: &mut Command, count: u64, pictures: &Path) -> Result<(), String> {
    finish(command, &["showroom", "--script"])?;
    let state = read(&pictures.join("fleet.json"))?;
    let cost = &state["fleet_cost"];
    let levels = &state["fleet_levels"];
    println!("window: a step of {count} cars costs {cost} ms; on levels {levels}");
    let counts = levels.as_array().into_iter().flatten();
    let counts: Vec<u64> = counts.filter_map(Value::as_u64).collect();
    let by_distance = counts.len() > 1 && counts.iter().all(|cars| *cars > 0);
    let shown = state["fleet"] == count && by_distance && counts.iter().sum::<u64>() == count;
    shown
        .then_some(())
        .ok_or(format!("window: {count} cars: {state}"))
}

/// How long the key for full throttle is held.
const HELD: Duration = Duration::from_secs(4);

/// Holds the key for full throttle down while the window runs, until the keyboard goes elsewhere.
fn type_keys(screen: &Screen, mut command: Command, pictures: &Path) -> Result<(), String> {
    let mut child = command
        .spawn()
        .map_err(|error| format!("showroom: {error}"))?;
    thread::sleep(Duration::from_secs(2));
    let tool = |arguments: &[&str]| succeeds(screen.command("xdotool").args(arguments));
    tool(&["search", "--name", "Jounce showroom", "windowfocus"]);
    tool(&["keydown", "w"]);
    thread::sleep(HELD);
    // The keyboard goes elsewhere while the key is held; under the pointer, it would stay.
    tool(&["mousemove", "1399", "899"]);
    tool(&["search", "--maxdepth", "0", "", "windowfocus"]);
    let done = child.wait().map_err(|error| format!("showroom: {error}"))?;
    if !done.success() {
        return Err(format!("showroom: {done}"));
    }
    let state = read(&pictures.join("keys.json"))?;
    let way = state["position"][0].as_f64().unwrap_or(0.0);
    let frame = &state["frame_ms"];
    println!("window: W held drives {way:.1} m; a frame takes {frame} ms");
    if way < 1.0 {
        return Err(format!("window: the key W does not accelerate: {way} m"));
    }
    if state["throttle"] != 0.0 {
        return Err("window: without the keyboard, the key stays down".to_owned());
    }
    Ok(())
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

/// Records the drive over the town: `town.png`, and `town.json`, how it ends.
fn movie(cargo: &Cargo, folder: &Path) -> Result<(), String> {
    cargo.run(&["build", "--release", "-p", "showroom"])?;
    let Some(screen) = Screen::open() else {
        skipped("the moving picture", "Xvfb or xdotool");
        return Ok(());
    };
    let mut command = screen.command(cargo.target().join("release/showroom"));
    command.args(["--size", "960x540", "--samples", "4", "--frames", "540"]);
    command
        .arg("--script")
        .arg(cargo.root().join("showroom/tests/town.json"));
    command.arg("--movie").arg(folder.join("town.png"));
    command.arg("--state").arg(folder.join("town.json"));
    finish(&mut command, &["showroom --movie"])
}

/// Fails if the drive of the readme's moving picture ends elsewhere by now.
fn still_shown(cargo: &Cargo, pictures: &Path) -> Result<(), String> {
    movie(cargo, pictures)?;
    let (now, shown) = (
        pictures.join("town.json"),
        cargo.root().join("showroom/town.json"),
    );
    if !now.is_file() {
        return Ok(());
    }
    let place = |state: &Value| -> Option<Vec<f64>> {
        state["position"]
            .as_array()?
            .iter()
            .map(Value::as_f64)
            .collect()
    };
    let (now, shown) = (place(&read(&now)?), place(&read(&shown)?));
    let near = now
        .iter()
        .flatten()
        .zip(shown.iter().flatten())
        .all(|(a, b)| (a - b).abs() < 0.01);
    if near && now.is_some() && shown.is_some() {
        return Ok(());
    }
    Err(format!(
        "showroom/town.png: its drive ends at {now:?} by now, not at {shown:?}; `cargo xtask showroom --movie` records it"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_size_of_a_picture_is_in_its_header() {
        let path = std::env::temp_dir().join(format!("jounce-size-{}.png", std::process::id()));
        let mut bytes = vec![0_u8; 24];
        bytes[19] = 9;
        bytes[23] = 7;
        fs::write(&path, bytes).unwrap();
        let size = picture_size(&path);
        fs::remove_file(&path).unwrap();
        assert_eq!(size, Ok((9, 7)));
    }
}
