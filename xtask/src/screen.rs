//! A screen without a monitor.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

use crate::machine::{find, install};

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

/// A screen in memory.
pub(super) struct Screen {
    server: Child,
    name: String,
}

impl Screen {
    pub(super) fn open() -> Option<Self> {
        let there = find("Xvfb").is_some() && find("xdotool").is_some();
        if !there && !install(&SCREENLESS) {
            return None;
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

    pub(super) fn command(&self, program: impl AsRef<std::ffi::OsStr>) -> Command {
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
