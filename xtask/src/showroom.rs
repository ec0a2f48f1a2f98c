//! The showroom: its page is built, its window and its page are tried as a person would. What a machine lacks is named,
//! and counts as skipped.

mod hands;
mod page;
mod frames;

use std::fs;
use std::path::Path;
use std::process::Command;

use clap::Args;
use serde_json::Value;

use crate::cargo::{Cargo, finish};
use crate::files;
use crate::film::picture_size;
use crate::machine::skipped;
use crate::screen::Screen;
pub(crate) use page::{browse, page};

#[derive(Debug, Default, Args)]
pub(crate) struct ShowroomChore {
    /// Only build the page, and say where it lies
    #[arg(long)]
    page: bool,
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
        browse(
            &cargo.root().join("showroom/tests/page.mjs"),
            &folder,
            &pictures,
        )?;
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
    let state = files::read_json(&pictures.join("window-1280.json"))?;
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
    // On the pad, it meets nothing, however long a key is held; the frames are more than are waited for.
    let pad = cargo.root().join("showroom/tests/pad.json");
    let command = run("keys", "1280x720", "1000000", Some(&pad));
    hands::drive(&screen, command, &pictures.join("keys.json"))
}

/// So many cars at once, and what a step of them costs.
fn fleet(command: &mut Command, count: u64, pictures: &Path) -> Result<(), String> {
    finish(command, &["showroom", "--script"])?;
    let state = files::read_json(&pictures.join("fleet.json"))?;
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
