//! Differences of PhysX's own drives from a moved start.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde_json::Value;

use crate::reference;

/// Sensitivity of the traces to a start moved by 1e-5 m: the maximum difference of positions in
/// each time window (`m`).
#[derive(Debug, Default)]
pub(crate) struct NoiseFloor {
    perturbed: BTreeMap<String, Vec<f64>>,
}

/// Ends of the windows (`s`); the last is open.
const WINDOWS: [f32; 4] = [1.0, 2.0, 5.0, 10.0];
const WINDOW_NAMES: [&str; 5] = [
    "max_dpos_dvel_dang_0_1s",
    "1_2s",
    "2_5s",
    "5_10s",
    "10s_plus",
];

impl NoiseFloor {
    /// Reads the noise floors among the files.
    pub(crate) fn read(files: &[PathBuf]) -> Self {
        let mut floor = Self::default();
        for path in files {
            if reference::stem(path) != "trace_noise_floor" {
                continue;
            }
            let text = reference::text(path).unwrap_or_default();
            let value: Value = serde_json::from_str(&text).unwrap_or_default();
            for (name, noise) in value.as_object().into_iter().flatten() {
                let windows = WINDOW_NAMES.map(|window| {
                    noise
                        .get("pert")
                        .and_then(|pert| pert.get(window)?.get(0)?.as_f64())
                        .unwrap_or(0.0)
                });
                floor.perturbed.insert(name.clone(), windows.to_vec());
            }
        }
        floor
    }

    /// Noise of a scenario at this time (`s`), in meters; 0 if it is not known. The first frame counts as 0 s: 600
    /// frames of 1/60 s have no `10s_plus`.
    pub(crate) fn of(&self, name: &str, time: f32) -> f64 {
        let window = WINDOWS.iter().filter(|end| time > **end).count();
        self.perturbed
            .get(name)
            .map_or(0.0, |windows| windows[window])
    }
}
