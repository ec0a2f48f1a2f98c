//! How long frames of the window take where the processor draws.

use std::fs;
use std::io::{self, Write};
use std::thread;

use serde_json::{Value, json};

use crate::cargo::{Cargo, finish};
use crate::files;
use crate::machine::skipped;
use crate::screen::Screen;

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
    let course = |name: &str| vec![json!({"course": name})];
    let panel = |name: &str| vec![json!({"panel": name})];
    let inside = [panel("inside"), vec![json!({"inside": true})]].concat();
    let drives = [
        ("hills", vec![]),
        ("skid pad", course("skid-pad")),
        ("town", course("town")),
        ("patches", course("patches")),
        ("crossed ramps", course("crossed-ramps")),
        ("turntable", course("turntable")),
        ("boxes", course("boxes")),
        ("hills, seen inside", inside),
        ("hills, tuned", panel("tune")),
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
        print!("{name}: ");
        io::stdout().flush().map_err(|error| error.to_string())?;
        finish(&mut command, &["showroom", "--frames"])?;
    }
    Ok(())
}
