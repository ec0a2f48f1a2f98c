//! Generated files that are committed.

use crate::cargo::Cargo;
use crate::files;

/// Path of the terrain in the workspace.
const TERRAIN: &str = "vehicles/hills.obj";

/// Writes the terrain, or compares it with the existing file.
pub(crate) fn terrain(cargo: &Cargo, check: bool) -> Result<(), String> {
    let example = [
        "run",
        "-p",
        "jounce-scene-query",
        "--release",
        "--example",
        "terrain",
    ];
    let text = cargo.read(&example)?;
    let path = cargo.root().join(TERRAIN);
    if !check {
        files::write(&path, &text)?;
        println!("{}: {} bytes written", path.display(), text.len());
        return Ok(());
    }
    if files::read(&path)? == text {
        println!("{TERRAIN}: as generated, {} bytes", text.len());
        Ok(())
    } else {
        Err(format!(
            "{TERRAIN}: not what the generator writes; run `cargo xtask terrain`"
        ))
    }
}
