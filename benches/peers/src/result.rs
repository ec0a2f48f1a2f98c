//! Results of a measurement.

use std::collections::BTreeMap;
use std::fs;
use std::thread;

use jounce::presets;
use serde::{Deserialize, Serialize};

use crate::contest::{self, Contender, Stages};
use crate::field::{self, StagePart};
use crate::memory;
use crate::statistic::Spread;

/// Vehicles of a fleet whose memory is measured.
const FLEET: usize = 1000;
/// The stages, and their sum without and with the engine's step.
pub(crate) const STAGES: [(&str, StagePart); 6] = [
    ("probe", |stages| stages.probe),
    ("update", |stages| stages.update),
    ("apply", |stages| stages.apply),
    ("step", |stages| stages.step),
    ("vehicle", Stages::vehicle),
    ("frame", Stages::frame),
];

/// Times by contestant, number of vehicles and stage (`ns` per vehicle).
type Times = BTreeMap<String, BTreeMap<usize, BTreeMap<String, Spread>>>;

/// Results of one program, or of several copies of it.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub(crate) struct Measured {
    pub(crate) date: String,
    pub(crate) machine: String,
    pub(crate) compilers: [String; 2],
    pub(crate) unit: String,
    /// Programs that measured: copies of one.
    pub(crate) programs: usize,
    pub(crate) vehicles: Vec<usize>,
    /// Medians by key and number of vehicles, as `…_n100`, and of large over small fleets.
    pub(crate) ratio: BTreeMap<String, f64>,
    pub(crate) ratio_spread: BTreeMap<String, Spread>,
    pub(crate) bytes_per_vehicle: BTreeMap<String, u64>,
    pub(crate) times: Times,
}

impl Measured {
    /// Runs everything; `progress` is told what comes next.
    pub(crate) fn measure(vehicles: &[usize], progress: impl Fn(&str)) -> Result<Self, String> {
        let mut outcome = Self {
            date: jiff::Timestamp::now().to_string()[..10].to_owned(),
            machine: machine(),
            compilers: [env!("PEERS_RUSTC"), env!("PEERS_COMPILER")].map(str::to_owned),
            unit: "ns per vehicle".to_owned(),
            programs: 1,
            vehicles: vehicles.to_vec(),
            ratio: BTreeMap::new(),
            ratio_spread: BTreeMap::new(),
            bytes_per_vehicle: BTreeMap::new(),
            times: Times::new(),
        };
        for &count in vehicles {
            for mut entries in field::groups(count) {
                progress(&format!("{count} vehicles, {} and others", entries[0].name));
                contest::run(&mut entries)?;
                outcome.take(&entries, count);
            }
        }
        if field::LARGE_AND_SMALL.iter().all(|n| vehicles.contains(n)) {
            outcome.growth(progress)?;
        }
        for preset in ["sedan", "sports-car", "truck", "suv", "truck-6x6", "tank"] {
            let car = presets::by_name(preset).expect("a preset");
            let bytes = memory::bytes_per_vehicle(&car, FLEET);
            outcome.bytes_per_vehicle.insert(preset.to_owned(), bytes);
        }
        outcome.set_medians();
        Ok(outcome)
    }

    /// Combines results of copies of one program, which differ in times and ratios only.
    ///
    /// # Panics
    /// If there are none.
    pub(crate) fn together(copies: &[Self]) -> Self {
        let mut all = copies[0].clone();
        all.programs = copies.len();
        for (key, spread) in &mut all.ratio_spread {
            *spread = Spread::together(copies.iter().map(|copy| copy.ratio_spread[key]));
        }
        for (name, counts) in &mut all.times {
            for (count, stages) in counts {
                for (stage, spread) in stages {
                    let same = copies.iter().map(|copy| copy.times[name][count][stage]);
                    *spread = Spread::together(same);
                }
            }
        }
        all.set_medians();
        all
    }

    /// The ratios' medians, by the same keys.
    fn set_medians(&mut self) {
        let ratios = self.ratio_spread.iter();
        let medians = ratios.map(|(key, spread)| (key.clone(), spread.median));
        self.ratio = medians.collect();
    }

    /// Times and ratios of one group.
    fn take(&mut self, entries: &[Contender], count: usize) {
        for entry in entries {
            let stages = STAGES.map(|(name, part)| {
                let spread = Spread::of_part(entry, part).rounded();
                (name.to_owned(), spread)
            });
            let counts = self.times.entry(entry.name.clone()).or_default();
            counts.insert(count, stages.into());
        }
        let find = |name: &str| entries.iter().find(|entry| entry.name == name);
        for ratio in field::ratios() {
            if let (Some(long), Some(short)) = (find(&ratio.long), find(&ratio.short)) {
                let spread = Spread::of_ratio(long, short, ratio.part).rounded();
                self.ratio_spread
                    .insert(format!("{}_n{count}", ratio.key), spread);
            }
        }
    }

    /// Time per vehicle of large fleets over that of small ones.
    fn growth(&mut self, progress: impl Fn(&str)) -> Result<(), String> {
        for (key, mut entries) in field::growth() {
            progress(&format!("{} of many and of few", entries[0].name));
            contest::run(&mut entries)?;
            let [large, small] = &entries;
            let spread = Spread::of_ratio(large, small, field::UPDATE).rounded();
            self.ratio_spread.insert(key.to_owned(), spread);
        }
        Ok(())
    }

    /// An update of a contestant.
    pub(crate) fn time(&self, name: &str, count: usize) -> Option<Spread> {
        Some(self.times.get(name)?.get(&count)?["update"])
    }
}

/// Processor and number of cores.
fn machine() -> String {
    let text = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = text
        .lines()
        .find_map(|line| line.strip_prefix("model name"));
    let model = model.map_or("an unknown processor", |model| {
        model.trim_matches([' ', '\t', ':'])
    });
    let cores = thread::available_parallelism().map_or(1, usize::from);
    format!("{model}, {cores} cores")
}
