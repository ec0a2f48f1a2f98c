//! Tools of this machine, and what is skipped where one is missing.

use std::env;
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// Says that something is left out.
pub(crate) fn skipped(what: &str, missing: &str) {
    eprintln!("{what} skipped, as {missing} is missing");
}

/// Where tools are installed that projects share.
pub(crate) fn tools() -> PathBuf {
    let home = || env::var_os("HOME").map(|home| PathBuf::from(home).join(".cache"));
    let cache = env::var_os("XDG_CACHE_HOME")
        .map(PathBuf::from)
        .or_else(home);
    cache.unwrap_or_else(env::temp_dir).join("jounce/tools")
}

/// Runs a command quietly; whether it succeeded.
pub(crate) fn succeeds(command: &mut Command) -> bool {
    command.stdin(Stdio::null()).stdout(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

/// Installs packages of a Debian system; whether that can be done.
pub(crate) fn install(packages: &[&str]) -> bool {
    let apt = |arguments: &[&str]| {
        let mut command = Command::new("apt-get");
        succeeds(
            command
                .args(arguments)
                .env("DEBIAN_FRONTEND", "noninteractive"),
        )
    };
    apt(&["update", "-qq"]) && apt(&[&["install", "-y", "-qq"], packages].concat())
}

/// Whether the compiler has a target, which is installed where that can be done.
pub(crate) fn target(name: &str) -> bool {
    let list = ["target", "list", "--installed"];
    let output = Command::new("rustup").args(list).output();
    let has = |text: &str| text.lines().any(|line| line == name);
    output.is_ok_and(|output| has(&String::from_utf8_lossy(&output.stdout)))
        || succeeds(Command::new("rustup").args(["target", "add", name]))
}

/// Where a program on the path lies.
pub(crate) fn find(program: &str) -> Option<PathBuf> {
    let path = env::var_os("PATH")?;
    env::split_paths(&path)
        .map(|folder| folder.join(program))
        .find(|file| file.is_file())
}
