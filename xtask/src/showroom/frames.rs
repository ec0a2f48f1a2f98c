//! How long frames of the window take where the processor draws.

use std::fs;
use std::thread;

use serde_json::{Value, json};

use super::screen::Screen;
use crate::cargo::{Cargo, finish};
use crate::files;
use crate::machine::skipped;

/// Ten seconds of a drive.
const FRAMES: &str = "630";

/// Prints times of frames at 1280×720.
pub(super) fn measure(cargo: &Cargo) -> Result<(), String> {
    cargo.run(&["build", "--release", "-p", "showroom"])?;
    let Some(screen) = Screen::open() else {
        skipped("times of frames", "Xvfb or xdotool");
        return Ok(());
    };
    let folder = cargo.target().join("showroom-frames");
    fs::create_dir_all(&folder).map_err(files::named(&folder))?;
    let cores = thread::available_parallelism().map_or(1, usize::from);
    println!("1280×720, drawn by {cores} cores; 60 a second are 16.7 ms");
    let inside = [json!({"inside": true}), json!({"panel": "inside"})];
    let drives = [
        ("hills", vec![]),
        ("skid pad", vec![json!({"course": "skid-pad"})]),
        ("town", vec![json!({"course": "town"})]),
        ("hills, seen inside", inside.to_vec()),
    ];
    for (name, mut orders) in drives {
        orders.push(json!({"press": ["throttle", true]}));
        let lines = orders
            .iter()
            .map(|order| json!({"frame": 0, "order": order}));
        let script = folder.join("script.json");
        files::write(&script, &Value::from_iter(lines).to_string())?;
        let mut command = screen.command(cargo.target().join("release/showroom"));
        command
            .args(["--size", "1280x720", "--frames", FRAMES, "--script"])
            .arg(&script);
        println!("{name}:");
        finish(&mut command, &["showroom", "--frames"])?;
    }
    Ok(())
}
