//! Lint beside the driving: the static rules at every change of a number, those that take a drive once it rests.

#[cfg(not(target_arch = "wasm32"))]
use std::sync::mpsc;

use jounce::file::Car;
use jounce_lab::lint::{self, Finding};

/// Time without changes before lint drives the car (`s`).
#[cfg(not(target_arch = "wasm32"))]
const REST: f32 = 0.7;

/// Findings of lint about the present car.
#[derive(Debug, Default)]
pub struct Watch {
    /// The findings, the gravest first.
    pub findings: Vec<Finding>,
    /// Whether findings of rules that drive the car are among them.
    pub driven: bool,
    /// Time since the last change (`s`), and the drive that is under way.
    #[cfg(not(target_arch = "wasm32"))]
    rest: f32,
    #[cfg(not(target_arch = "wasm32"))]
    drive: Option<mpsc::Receiver<Result<Vec<Finding>, String>>>,
}

impl Watch {
    /// Looks at a car for the first time, or after a change; `dt` is the step (`s`).
    #[must_use]
    pub fn new(car: &Car, dt: f32) -> Self {
        Self {
            findings: lint::inspect(car, dt),
            ..Self::default()
        }
    }

    /// Drives the car at once.
    ///
    /// # Errors
    /// If the world loses it.
    pub fn look(&mut self, car: &Car, dt: f32) -> Result<(), String> {
        self.findings = driven(car, dt)?;
        self.driven = true;
        Ok(())
    }

    /// Lets `elapsed` (`s`) pass: a thread drives the car once its numbers rest. The page has no threads, there only
    /// [`Watch::look`] drives.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn pass(&mut self, elapsed: f32, car: &Car, dt: f32) {
        self.rest += elapsed;
        if self.driven || self.rest < REST {
            return;
        }
        let Some(drive) = &self.drive else {
            let (send, receive) = mpsc::channel();
            let car = car.clone();
            self.drive = Some(receive);
            std::thread::spawn(move || send.send(driven(&car, dt)));
            return;
        };
        if let Ok(Ok(findings)) = drive.try_recv() {
            (self.findings, self.driven) = (findings, true);
        }
    }
}

fn driven(car: &Car, dt: f32) -> Result<Vec<Finding>, String> {
    lint::lint(car, dt).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use core::time::Duration;

    #[test]
    fn static_rules_speak_at_once_and_drives_follow() {
        let (_, text) = jounce::presets::FILES[0];
        // Weak brakes are found by braking.
        let weak = text
            .replace("max_torque = 1850.0", "max_torque = 0.0")
            .replace("max_torque = 650.0", "max_torque = 0.0")
            // Links have no brakes to lead to the body then.
            .replace(", anti_dive = 25.0", "")
            .replace(", anti_lift = 30.0", "");
        let car = Car::parse(&weak, "weak").unwrap();
        let dt = 1.0 / 60.0;
        let mut watch = Watch::new(&car, dt);
        let (began, least) = (watch.findings.len(), lint::inspect(&car, dt).len());
        assert_eq!(began, least);
        watch.pass(0.5 * REST, &car, dt);
        assert!(watch.drive.is_none(), "numbers may still change");
        for _ in 0..600 {
            watch.pass(REST, &car, dt);
            if watch.driven {
                break;
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        assert!(
            watch.driven && watch.findings.len() > began,
            "{:?}",
            watch.findings
        );
    }
}
