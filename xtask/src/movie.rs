//! The readme's moving picture: a drive over the town, recorded by the showroom.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::cargo::{Cargo, finish};
use crate::files;
use crate::film::Film;
use crate::machine::skipped;
use crate::screen::Screen;

/// Where picture and end of the drive are kept.
const KEPT: &str = "showroom";
const PICTURE: &str = "town.png";
const END: &str = "town.json";

/// How far the drive may end elsewhere (`m`).
const NEAR: f64 = 0.01;
/// How far a color may differ, 0 to 255: other versions of a renderer smooth edges otherwise.
const ALIKE: f64 = 16.0;

/// Records it anew; `false` where that cannot be done.
pub(crate) fn record(cargo: &Cargo) -> Result<bool, String> {
    into(cargo, &cargo.root().join(KEPT))
}

fn into(cargo: &Cargo, folder: &Path) -> Result<bool, String> {
    cargo.run(&["build", "--release", "-p", "showroom"])?;
    let Some(screen) = Screen::open() else {
        skipped("the moving picture", "Xvfb or xdotool");
        return Ok(false);
    };
    let mut command = screen.command(cargo.target().join("release/showroom"));
    command.args(["--size", "960x540", "--samples", "4", "--frames", "540"]);
    // Alike on every machine.
    command.args(["--look", "plain"]);
    command
        .arg("--script")
        .arg(cargo.root().join("showroom/tests/town.json"));
    command.arg("--movie").arg(folder.join(PICTURE));
    command.arg("--state").arg(folder.join(END));
    finish(&mut command, &["showroom --movie"])?;
    Ok(true)
}

/// Fails if the drive ends elsewhere by now, or looks otherwise.
pub(crate) fn check(cargo: &Cargo) -> Result<(), String> {
    let (fresh, kept) = (cargo.target().join("movie"), cargo.root().join(KEPT));
    fs::create_dir_all(&fresh).map_err(files::named(&fresh))?;
    if !into(cargo, &fresh)? {
        return Ok(());
    }
    let stale =
        |what: String| format!("{KEPT}/{PICTURE}: {what}; `cargo xtask gallery` records it");
    let (now, shown) = (end(&fresh.join(END))?, end(&kept.join(END))?);
    if now.iter().zip(&shown).any(|(a, b)| (a - b).abs() > NEAR) {
        return Err(stale(format!(
            "its drive ends at {now:?} by now, not at {shown:?}"
        )));
    }
    let apart = Film::read(&fresh.join(PICTURE))?.apart(&Film::read(&kept.join(PICTURE))?);
    match apart {
        Some(apart) if apart <= ALIKE => {
            println!("{KEPT}/{PICTURE}: as recorded, colors at most {apart:.1} of 255 apart");
            Ok(())
        }
        Some(apart) => Err(stale(format!("colors are up to {apart:.1} of 255 apart"))),
        None => Err(stale("it is of another size or length by now".to_owned())),
    }
}

/// Where a drive ends (`m`).
fn end(path: &Path) -> Result<Vec<f64>, String> {
    let state = files::read_json(path)?;
    let place = state["position"].as_array();
    let place = place.and_then(|place| place.iter().map(Value::as_f64).collect());
    place.ok_or_else(|| format!("{}: no position", path.display()))
}
