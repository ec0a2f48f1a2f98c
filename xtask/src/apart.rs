//! Packages that the build of everything leaves out, as they draw, record or are workspaces of their own: linted by themselves.

use std::process::Command;

use crate::book;
use crate::cargo::Cargo;
use crate::machine::{install, skipped, succeeds};

/// Packages of Debian that gamepads take on Linux.
const PADS: [&str; 2] = ["libudev-dev", "pkg-config"];

/// Lints the Bevy game, the showroom with its features, recordings for Rerun, and the program that makes the book.
pub(crate) fn lints(cargo: &Cargo) -> Result<(), String> {
    let mut parts = vec![
        vec!["--manifest-path", book::MANIFEST],
        vec!["-p", "jounce-lab", "--features", "rerun"],
    ];
    if pads() {
        let newer = cargo.newer_rust()?;
        for (package, features) in [("bevy-drive", ""), ("showroom", "avian,pad")] {
            let part = ["-p", package, "--features", features];
            parts.push(part.into_iter().chain(newer).collect());
        }
    } else {
        skipped(
            "lints of bevy-drive and of the showroom's features",
            PADS[0],
        );
    }
    let clippy = ["clippy", "--release", "--all-targets"];
    let lint =
        |part: &Vec<&str>| cargo.run(&[&clippy[..], part, &["--", "-D", "warnings"]].concat());
    parts.iter().try_for_each(lint)
}

/// Whether gamepads can be built: elsewhere than on Linux they take nothing.
fn pads() -> bool {
    let there = || succeeds(Command::new("pkg-config").args(["--exists", "libudev"]));
    !cfg!(target_os = "linux") || there() || (install(&PADS) && there())
}
