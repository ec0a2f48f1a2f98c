//! Key figures of a drive.

mod uses;

use core::fmt::Write as _;

use serde::Serialize;

use crate::drive::{Drive, End, Lap};
use crate::sample::{Sample, WheelSample};
use crate::tow::Towed;

pub use uses::{AidUse, BatteryUse, FuelFigures};

/// 100 km/h (`m/s`).
const HUNDRED: f32 = 100.0 / 3.6;
/// Speed below which the car stands (`m/s`).
const STANDING: f32 = 0.1;
/// Averaging time of accelerations (`s`): what a passenger feels, without bumps.
pub const AVERAGING: f32 = 0.2;
/// Slip counts above this speed of the contact point or the tread (`m/s`); below it the ratio is meaningless.
const SLIP_SPEED: f32 = 3.0;

/// Braking to a standstill.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Braking {
    /// Initial speed (`m/s`): 100 km/h if the braking started faster.
    pub from_speed: f32,
    /// Distance to standstill (`m`).
    pub distance: f32,
    /// Time to standstill (`s`).
    pub time: f32,
    /// Constant deceleration with the same distance (`m/s²`).
    pub deceleration: f32,
}

/// Key figures of a drive. `None` if a drive has no such value.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Summary {
    /// Name of the car.
    pub vehicle: String,
    /// Name of the maneuver.
    pub maneuver: String,
    /// Name of the ground.
    pub ground: String,
    /// Name of the world.
    pub world: String,
    /// Time step (`s`).
    pub dt: f32,
    /// The ground was queried only in every n-th step.
    pub query_every: u32,
    /// Reason for the end of the drive.
    pub end: End,
    /// Duration of the drive (`s`).
    pub duration: f32,
    /// Distance driven (`m`).
    pub distance: f32,
    /// Time from standstill to 100 km/h (`s`); `None` if the car is never that fast.
    pub zero_to_hundred: Option<f32>,
    /// Maximum speed (`m/s`).
    pub max_speed: f32,
    /// First braking to standstill.
    pub braking: Option<Braking>,
    /// Maximum acceleration in the direction of travel (`m/s²`), averaged over 0.2 s, like the next
    /// two.
    pub peak_forward: f32,
    /// Maximum deceleration (`m/s²`), > 0.
    pub peak_braking: f32,
    /// Maximum acceleration to either side (`m/s²`).
    pub peak_lateral: f32,
    /// Maximum roll (`rad`), absolute.
    pub peak_roll: f32,
    /// Whether the car was on its side or roof at any time.
    pub rolled_over: bool,
    /// Number of gear changes.
    pub gear_changes: u32,
    /// Time without any wheel on the ground (`s`).
    pub air_time: f32,
    /// Maximum absolute slip ratio of wheels that move or turn at more than 3 m/s (–).
    pub max_slip_ratio: f32,
    /// Maximum absolute slip angle of wheels that move at more than 3 m/s (`rad`).
    pub max_slip_angle: f32,
    /// The completed laps of a race.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub laps: Vec<Lap>,
    /// Energy of an electric drive.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub battery: Option<BatteryUse>,
    /// Its driver aids.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub aids: Vec<AidUse>,
    /// Fuel of an engine that counts it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fuel: Option<FuelFigures>,
    /// The first towed vehicle.
    pub towed: Option<Towed>,
    /// The vehicles that are towed behind it, from front to rear.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub towed_behind: Vec<Towed>,
    /// Steps in which an update of the car or a towed vehicle was refused.
    pub refused: u32,
    /// The first refusal.
    pub refusal: Option<String>,
    /// Commands with values that were clamped.
    pub clamped: u32,
}

/// One figure in human-readable form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Figure {
    /// Label of the figure.
    pub label: &'static str,
    /// The value with its unit; a dash if the drive has none.
    pub value: String,
    /// Additional information; may be empty.
    pub note: String,
}

impl Figure {
    fn new(label: &'static str, value: String, note: impl Into<String>) -> Self {
        Self {
            label,
            value,
            note: note.into(),
        }
    }
}

impl Summary {
    /// The key figures of a drive.
    #[must_use]
    pub fn of(drive: &Drive) -> Self {
        let (samples, dt) = (&drive.samples[..], drive.dt);
        let moving = samples.get(1..).unwrap_or_default();
        let count = |holds: fn(&Sample) -> bool| moving.iter().filter(|s| holds(s)).count() as u32;
        let greatest = |value: fn(&Sample) -> f32| moving.iter().map(value).fold(0.0, f32::max);
        let ahead = averaged(moving, dt, |s| s.acceleration.x * s.forward_speed.signum());
        let left = averaged(moving, dt, |s| s.acceleration.y);
        Self {
            vehicle: drive.car.name.clone(),
            maneuver: drive.maneuver.name.clone(),
            ground: drive.terrain.name.clone(),
            world: drive.world.to_owned(),
            dt,
            query_every: drive.query_every,
            end: drive.end,
            duration: samples.last().map_or(0.0, |s| s.time),
            distance: moving.iter().map(|s| s.speed * dt).sum(),
            zero_to_hundred: zero_to_hundred(samples),
            max_speed: greatest(|s| s.speed),
            braking: braking(samples),
            peak_forward: ahead.iter().copied().fold(0.0, f32::max),
            peak_braking: ahead.iter().map(|a| -a).fold(0.0, f32::max),
            peak_lateral: left.iter().map(|a| a.abs()).fold(0.0, f32::max),
            peak_roll: greatest(|s| s.roll.abs()),
            rolled_over: moving.iter().any(|s| s.upright < 0.3),
            gear_changes: gear_changes(samples),
            air_time: count(|s| s.in_air) as f32 * dt,
            max_slip_ratio: greatest(max_slip_ratio),
            max_slip_angle: greatest(max_slip_angle),
            laps: drive
                .race
                .as_ref()
                .map_or(Vec::new(), |race| race.laps.clone()),
            battery: BatteryUse::of(drive),
            aids: AidUse::all(drive),
            fuel: FuelFigures::of(drive),
            towed: drive.towed.first().cloned(),
            towed_behind: drive.towed.iter().skip(1).cloned().collect(),
            refused: count(|s| s.refused),
            refusal: drive.refusal.clone(),
            clamped: count(|s| s.clamped),
        }
    }

    /// Labels, values and notes for the console and the report.
    #[must_use]
    pub fn rows(&self) -> Vec<Figure> {
        let mut rows = self.speeds();
        rows.extend(self.events());
        rows.extend(self.best_lap());
        rows.extend(
            self.battery
                .iter()
                .map(|battery| battery.figure(self.distance)),
        );
        rows.extend(self.aids.iter().map(AidUse::figure));
        rows.extend(self.fuel.iter().map(|fuel| fuel.figure(self.distance)));
        rows.extend(self.towed.iter().chain(&self.towed_behind).map(towed));
        rows
    }

    fn speeds(&self) -> Vec<Figure> {
        let dash = || "–".to_owned();
        let sprint = self.zero_to_hundred.map(|t| format!("{t:.1} s"));
        let braking = self.braking.map(|b| {
            let from = format!("from {:.0} km/h", b.from_speed * 3.6);
            (format!("{:.1} m", b.distance), from)
        });
        let (braking, from) = braking.unwrap_or_else(|| (dash(), String::new()));
        let g = |label, a: f32| {
            Figure::new(label, format!("{:.2} g", a / 9.81), format!("{a:.1} m/s²"))
        };
        vec![
            Figure::new("0–100 km/h", sprint.unwrap_or_else(dash), ""),
            Figure::new(
                "maximum speed",
                format!("{:.0} km/h", self.max_speed * 3.6),
                "",
            ),
            Figure::new("braking distance", braking, from),
            g("peak acceleration", self.peak_forward),
            g("peak deceleration", self.peak_braking),
            g("peak lateral", self.peak_lateral),
        ]
    }

    fn events(&self) -> Vec<Figure> {
        let angle = self.max_slip_angle.to_degrees();
        let roll = self.peak_roll.to_degrees();
        let slip = format!("and {angle:.0}° of slip angle");
        let duration = format!("in {:.1} s", self.duration);
        let clamped = format!("and {} clamped", self.clamped);
        vec![
            Figure::new("distance", format!("{:.0} m", self.distance), duration),
            Figure::new("gear changes", self.gear_changes.to_string(), ""),
            Figure::new(
                "time in air",
                format!("{:.2} s", self.air_time),
                "all wheels up",
            ),
            Figure::new("maximum slip", format!("{:.2}", self.max_slip_ratio), slip),
            Figure::new("maximum roll", format!("{roll:.1}°"), ""),
            Figure::new("refused updates", self.refused.to_string(), clamped),
        ]
    }

    fn best_lap(&self) -> Option<Figure> {
        let laps = self.laps.iter().zip(1..);
        let (best, n) = laps.min_by(|(a, _), (b, _)| a.time.total_cmp(&b.time))?;
        let note = format!("lap {n} of {}, {}", self.laps.len(), edges(best));
        Some(Figure::new("best lap", lap_time(best.time), note))
    }

    /// A line for each lap.
    fn lap_table(&self) -> String {
        let laps = self.laps.iter().zip(1..).map(|(lap, n)| {
            let (time, top) = (lap_time(lap.time), 3.6 * lap.top_speed);
            format!(
                "  {:<18} {time:<9} up to {top:.0} km/h, {}\n",
                format!("lap {n}"),
                edges(lap)
            )
        });
        laps.collect()
    }

    /// The text for the console.
    #[must_use]
    pub fn table(&self, drive: &Drive) -> String {
        let mut text = format!(
            "{}: {}\n{} on {}, world {}, dt {:.5} s\n\n",
            self.vehicle, drive.car.description, self.maneuver, self.ground, self.world, self.dt
        );
        for row in self.rows() {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "  {:<18} {:<9} {}", row.label, row.value, row.note);
        }
        if !self.laps.is_empty() {
            text.push('\n');
            text += &self.lap_table();
        }
        if self.rolled_over {
            text.push_str("\nthe car rolled over\n");
        }
        if self.end != End::Finished {
            let _ = writeln!(text, "\nended: {}", self.end);
        }
        if let Some(refusal) = &self.refusal {
            let _ = writeln!(text, "\nfirst refusal: {refusal}");
        }
        text
    }
}

/// Time of a lap as at a race track: minutes, seconds, hundredths.
fn lap_time(seconds: f32) -> String {
    let hundredths = (100.0 * seconds).round() as u32;
    let (minutes, rest) = (hundredths / 6000, hundredths % 6000);
    format!("{minutes}:{:02}.{:02}", rest / 100, rest % 100)
}

/// Whether a car stayed on the track during a lap, in words.
fn edges(lap: &Lap) -> String {
    if lap.off_track == 0.0 {
        "within the edges".to_owned()
    } else {
        format!("{:.2} s beyond the edges", lap.off_track)
    }
}

/// The row of a trailer.
fn towed(towed: &Towed) -> Figure {
    Figure::new(
        "angle of trailer",
        format!("{:.0}°", towed.peak_angle.to_degrees()),
        format!(
            "{}, coupling open by {:.0} mm",
            towed.trailer,
            1e3 * towed.peak_gap
        ),
    )
}

/// Mean of a value over [`AVERAGING`] around each sample.
fn averaged(samples: &[Sample], dt: f32, value: impl Fn(&Sample) -> f32) -> Vec<f32> {
    let window = ((AVERAGING / dt) as usize).max(1);
    let values: Vec<f32> = samples.iter().map(value).collect();
    values
        .windows(window)
        .map(|part| part.iter().sum::<f32>() / window as f32)
        .collect()
}

/// Time at which a speed is reached between two samples (`s`).
fn crossing(before: &Sample, after: &Sample, speed: f32) -> f32 {
    let share = (speed - before.speed) / (after.speed - before.speed);
    before.time + share.clamp(0.0, 1.0) * (after.time - before.time)
}

/// Time from the last standstill before 100 km/h is first reached until then (`s`).
fn zero_to_hundred(samples: &[Sample]) -> Option<f32> {
    let there = samples.iter().position(|s| s.speed >= HUNDRED)?;
    let start = samples[..there].iter().rposition(|s| s.speed < STANDING)?;
    let reached = crossing(&samples[there - 1], &samples[there], HUNDRED);
    Some(reached - crossing(&samples[start], &samples[start + 1], STANDING))
}

/// The first time the brake pedal was held from driving until the car stood.
fn braking(samples: &[Sample]) -> Option<Braking> {
    let mut start = None;
    for (n, sample) in samples.iter().enumerate() {
        if sample.command.brake <= 0.0 {
            start = None;
        } else if start.is_none() && sample.speed > 1.0 {
            start = Some(n);
        }
        if let (Some(start), true) = (start, sample.speed < STANDING) {
            return braked(&samples[start..=n]);
        }
    }
    None
}

fn braked(samples: &[Sample]) -> Option<Braking> {
    let from_speed = samples.first()?.speed.min(HUNDRED);
    let start = samples.iter().rposition(|s| s.speed >= from_speed)?;
    let [first, second] = [samples.get(start)?, samples.get(start + 1)?];
    let begun = crossing(first, second, from_speed);
    let rest = &samples[start + 1..];
    let mut distance = 0.5 * (from_speed + second.speed) * (second.time - begun);
    for pair in rest.windows(2) {
        distance += 0.5 * (pair[0].speed + pair[1].speed) * (pair[1].time - pair[0].time);
    }
    Some(Braking {
        from_speed,
        distance,
        time: rest.last()?.time - begun,
        deceleration: from_speed * from_speed / (2.0 * distance),
    })
}

fn gear_changes(samples: &[Sample]) -> u32 {
    let changed = |pair: &&[Sample]| pair[0].target_gear != pair[1].target_gear;
    samples.windows(2).filter(changed).count() as u32
}

fn max_slip_ratio(sample: &Sample) -> f32 {
    // A wheel that spins on the spot counts, too.
    let faster = |w: &WheelSample| w.forward_speed.abs().max((w.spin * w.loaded_radius).abs());
    most(sample, faster, |w| w.slip_ratio)
}

fn max_slip_angle(sample: &Sample) -> f32 {
    most(sample, |w| w.forward_speed.abs(), |w| w.slip_angle)
}

/// The most of a slip over the wheels on the ground whose `speed` tells it from noise.
fn most(
    sample: &Sample,
    speed: impl Fn(&WheelSample) -> f32,
    slip: impl Fn(&WheelSample) -> f32,
) -> f32 {
    let tells = |w: &&WheelSample| !w.in_air && speed(w) > SLIP_SPEED;
    let wheels = sample.wheels.iter().filter(tells);
    wheels.map(|w| slip(w).abs()).fold(0.0, f32::max)
}

#[cfg(test)]
mod tests;
