//! Numbers of a drive, as columns of a table.

use proving_ground::drive::Drive;
use proving_ground::maneuver::Maneuver;
use proving_ground::summary::Summary;

/// A number of a drive: name, SI unit, and how it is found; `NaN` if a drive has none.
type Figure = (&'static str, &'static str, fn(&Summary, &Drive) -> f64);

const NONE: f32 = f32::NAN;

/// Numbers of whole drives.
const FIGURES: [Figure; 20] = [
    ("duration", "s", |it, _| it.duration.into()),
    ("distance", "m", |it, _| it.distance.into()),
    ("zero_to_hundred", "s", |it, _| {
        it.zero_to_hundred.unwrap_or(NONE).into()
    }),
    ("max_speed", "m/s", |it, _| it.max_speed.into()),
    ("braking_distance", "m", |it, _| {
        it.braking.map_or(NONE, |braking| braking.distance).into()
    }),
    ("braking_time", "s", |it, _| {
        it.braking.map_or(NONE, |braking| braking.time).into()
    }),
    ("deceleration", "m/s²", |it, _| {
        it.braking
            .map_or(NONE, |braking| braking.deceleration)
            .into()
    }),
    ("peak_forward", "m/s²", |it, _| it.peak_forward.into()),
    ("peak_braking", "m/s²", |it, _| it.peak_braking.into()),
    ("peak_lateral", "m/s²", |it, _| it.peak_lateral.into()),
    ("peak_roll", "rad", |it, _| it.peak_roll.into()),
    ("max_slip_ratio", "", |it, _| it.max_slip_ratio.into()),
    ("max_slip_angle", "rad", |it, _| it.max_slip_angle.into()),
    ("air_time", "s", |it, _| it.air_time.into()),
    ("gear_changes", "", |it, _| it.gear_changes.into()),
    ("fuel", "kg", |it, _| {
        it.fuel.map_or(NONE, |fuel| fuel.mass).into()
    }),
    ("energy", "J", |it, _| {
        it.battery.map_or(NONE, |it| it.used - it.recovered).into()
    }),
    ("x", "m", |_, drive| at_the_end(drive)[0]),
    ("y", "m", |_, drive| at_the_end(drive)[1]),
    ("heading", "rad", |_, drive| at_the_end(drive)[2]),
];

/// Numbers of each stage: time (`s`) and distance (`m`) in it, and speed at its beginning (`m/s`).
const STAGE_FIGURES: [(&str, &str); 3] = [("time", "s"), ("distance", "m"), ("speed", "m/s")];

/// Where the center of mass is at the end, along the world's axes from its start (`m`), and how far the car has turned to the left
/// (`rad`).
fn at_the_end(drive: &Drive) -> [f64; 3] {
    let (Some(first), Some(last)) = (drive.samples.first(), drive.samples.last()) else {
        return [f64::NAN; 3];
    };
    let way = last.position - first.position;
    [way.x, way.y, f64::from(last.heading - first.heading)]
}

/// Names and units of the numbers of a maneuver's drives.
pub(super) fn names(maneuver: &Maneuver) -> Vec<(String, &'static str)> {
    let whole = FIGURES
        .iter()
        .map(|(name, unit, _)| ((*name).to_owned(), *unit));
    let stages = stage_names(maneuver)
        .into_iter()
        .flat_map(|stage| STAGE_FIGURES.map(|(figure, unit)| (format!("{stage}.{figure}"), unit)));
    whole.chain(stages).collect()
}

/// Names of the stages as parts of names: in the words of the maneuver, with their numbers where several have the same.
fn stage_names(maneuver: &Maneuver) -> Vec<String> {
    let words = |n: usize| maneuver.stages[n].name.replace(' ', "_");
    let count = maneuver.stages.len();
    let is_shared = |n: usize| (0..count).any(|other| other != n && words(other) == words(n));
    let name = |n: usize| match is_shared(n) {
        true => format!("{}_{}", words(n), n + 1),
        false => words(n),
    };
    (0..count).map(name).collect()
}

/// The numbers of a drive, in the order of [`names`].
pub(super) fn values(drive: &Drive) -> Vec<f64> {
    let summary = Summary::of(drive);
    let whole = FIGURES.iter().map(|(_, _, of)| of(&summary, drive));
    let stages = (0..drive.maneuver.stages.len()).flat_map(|stage| stage_values(drive, stage));
    whole.chain(stages).collect()
}

fn stage_values(drive: &Drive, stage: usize) -> [f64; 3] {
    let Some(place) = drive.stages.iter().position(|it| it.stage == stage) else {
        return [f64::NAN; 3];
    };
    let start = drive.stages[place].time;
    let ended = drive.samples.last().map_or(start, |last| last.time);
    let end = drive.stages.get(place + 1).map_or(ended, |next| next.time);
    let before = drive
        .samples
        .iter()
        .take_while(|sample| sample.time <= start);
    let speed = before.last().map_or(NONE, |sample| sample.speed);
    let within = drive.samples.iter().skip(1);
    let within = within.filter(|sample| sample.stage == stage);
    let distance: f32 = within.map(|sample| sample.speed * drive.dt).sum();
    [(end - start).into(), distance.into(), speed.into()]
}
