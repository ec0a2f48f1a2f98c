//! The window in a person's hands: keys go to it, and what it shows is read while it runs.

use core::time::Duration;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::thread;
use std::time::Instant;

use serde_json::Value;

use crate::files;
use crate::machine::succeeds;
use crate::screen::Screen;

/// How long an answer is waited for, and how often it is looked for.
const PATIENCE: Duration = Duration::from_secs(60);
const LOOK: Duration = Duration::from_millis(30);
/// The number that is changed, and to what.
const SPRING: &str = "axles.0.suspension.stiffness";
const STIFFER: &str = "32000";
/// More fields than there are.
const FIELDS: usize = 150;

struct WindowHands<'a> {
    screen: &'a Screen,
    window: Child,
    /// What it shows, which it writes every few frames.
    state: PathBuf,
}

/// Drives, swaps the engine, changes a spring, rewinds; then the keyboard goes elsewhere while a key is held.
pub(super) fn drive(screen: &Screen, mut command: Command, state: &Path) -> Result<(), String> {
    // What an earlier window has written is not read.
    let _ = std::fs::remove_file(state);
    let window = command
        .spawn()
        .map_err(|error| format!("showroom: {error}"))?;
    let hands = WindowHands {
        screen,
        window,
        state: state.to_owned(),
    };
    let first = hands.until("it runs", |now| number(now, "steps") > 0.0)?;
    hands.tool(&["search", "--name", "Jounce showroom", "windowfocus"]);
    hands.tool(&["keydown", "w"]);
    let fast = hands.until("W accelerates", |now| number(now, "speed") > 8.0)?;
    hands.tool(&["keyup", "w"]);
    hands.press("e");
    let swapped = hands.until("E swaps the engine", |now| now["engine"] != first["engine"])?;
    let kept = number(&swapped, "speed") / number(&fast, "speed");
    if kept < 0.9 {
        return Err(format!(
            "window: of the speed, {kept:.2} is kept by another engine"
        ));
    }
    hands.change_the_spring()?;
    hands.rewind()?;
    hands.tool(&["keydown", "w"]);
    hands.until("W is held", |now| number(now, "throttle") > 0.5)?;
    // Under the pointer, the keyboard would stay.
    hands.tool(&["mousemove", "1399", "899"]);
    hands.tool(&["search", "--maxdepth", "0", "", "windowfocus"]);
    let last = hands.until("without the keyboard, no key stays down", |now| {
        number(now, "throttle") == 0.0
    })?;
    println!(
        "window: by keys, {} swapped for {} at {:.0} km/h, a spring changed, time rewound; a frame takes {} ms",
        first["engine"],
        swapped["engine"],
        3.6 * number(&swapped, "speed"),
        last["frame_ms"]
    );
    Ok(())
}

fn number(state: &Value, key: &str) -> f64 {
    state[key].as_f64().unwrap_or(f64::NAN)
}

impl WindowHands<'_> {
    fn tool(&self, arguments: &[&str]) {
        succeeds(self.screen.command("xdotool").args(arguments));
    }

    fn press(&self, key: &str) {
        self.tool(&["key", key]);
    }

    /// Waits for something that is shown.
    fn until(&self, what: &str, holds: impl Fn(&Value) -> bool) -> Result<Value, String> {
        let start = Instant::now();
        loop {
            let now = files::read_json(&self.state);
            match now {
                Ok(now) if holds(&now) => return Ok(now),
                now if start.elapsed() > PATIENCE => {
                    return Err(format!("window: not found that {what}: {now:?}"));
                }
                _ => thread::sleep(LOOK),
            }
        }
    }

    /// From field to field of the panel *Tune*, types a number, and sees it in the running vehicle.
    fn change_the_spring(&self) -> Result<(), String> {
        self.press("2");
        let mut now = self.until("2 opens the panel of numbers", |now| now["panel"] == "tune")?;
        for _ in 0..FIELDS {
            if now["typed"] == SPRING {
                break;
            }
            self.press("Tab");
            let steps = number(&now, "steps");
            now = self.until("frames pass", |now| number(now, "steps") > steps + 12.0)?;
        }
        self.until("Tab comes to the spring", |now| now["typed"] == SPRING)?;
        self.tool(&["type", STIFFER]);
        self.press("Return");
        let changed = |now: &Value| now["spring"].as_f64() == STIFFER.parse().ok();
        self.until("the running spring is the typed one", changed)?;
        self.press("2");
        self.until("2 closes the panel", |now| now["panel"].is_null())
            .map(drop)
    }

    /// Two seconds back, while time stands still.
    fn rewind(&self) -> Result<(), String> {
        self.press("p");
        let before = self.until("P pauses", |now| now["paused"] == true)?;
        let back = number(&before, "steps") - 120.0;
        self.press("b");
        let then = self.until("B rewinds by two seconds", |now| {
            (number(now, "steps") - back).abs() <= 1.0
        })?;
        // The spring may have been another one then, in the file as in the vehicle.
        let changed = then["changed"][SPRING].as_f64();
        if changed.is_some_and(|changed| then["spring"] != changed) {
            return Err(format!(
                "window: the file has another spring than the vehicle: {then}"
            ));
        }
        self.press("p");
        self.until("P goes on", |now| now["paused"] == false)
            .map(drop)
    }
}

impl Drop for WindowHands<'_> {
    fn drop(&mut self) {
        let _ = self.window.kill();
        let _ = self.window.wait();
    }
}
