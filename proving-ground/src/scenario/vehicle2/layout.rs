//! Axles and tracks of wheels, which headers of `vehicle2` have in words, and lists of one value per wheel.

use jounce::core::MAX_WHEELS;
use jounce::drive::{Track, TrackSide};

use super::header::{Params, Vehicle2Action, Vehicle2Engine, Vehicle2Header};

/// Differentials by their names in headers.
pub(super) const FOUR_WHEEL: &str = "four_wheel";
pub(super) const TANK: &str = "tank";

/// The axles and tracks of a vehicle.
#[derive(Debug)]
pub(super) struct AxleLayout {
    /// The wheels of Ackermann geometry, with that at x < 0 first.
    pub(super) steered: [usize; 2],
    /// The front and the rear wheels of a four-wheel differential.
    pub(super) four: [[usize; 2]; 2],
    pub(super) tracks: Vec<Track>,
}

/// An axle with its name.
#[derive(Debug, PartialEq)]
struct Axle<'a> {
    wheels: Vec<usize>,
    name: &'a str,
}

impl AxleLayout {
    /// The layout of a header's vehicle, or what of it is not supported.
    pub(super) fn of(header: &Vehicle2Header) -> Result<Self, String> {
        let p = &header.params;
        check_lists(p)?;
        let words = &p.axles;
        let axles = axles(words).ok_or_else(|| format!("axles {words}"))?;
        let wheels = axles.iter().flat_map(|axle| axle.wheels.iter().copied());
        // PhysX writes brakes and angles to places in this list, not to wheels (ALGORITHMS §9 no. 29).
        if !wheels.eq(0..p.wheels.len()) {
            return Err(format!("axles {words}: wheels out of order"));
        }
        let pair = |what: &str, axle: Option<&Axle<'_>>| {
            let pair = axle.and_then(|axle| <[usize; 2]>::try_from(axle.wheels.clone()).ok());
            pair.ok_or_else(|| format!("{what} other than of two wheels: {words}"))
        };
        let steered = pair("Ackermann geometry", axles.first())?;
        let engine = p.engine.as_ref();
        let four = match engine {
            Some(engine) if engine.diff_type == FOUR_WHEEL => {
                let named = |name| axles.iter().find(|axle| axle.name == name);
                let (front, rear) = (named("front"), named("rear"));
                [front.or(axles.first()), rear.or(axles.last())]
            }
            _ => [axles.first(); 2],
        };
        let [front, rear] = four.map(|axle| pair("axles of a four-wheel differential", axle));
        let tracks = engine.filter(|engine| engine.diff_type == TANK);
        let tracks = tracks.map_or(Ok(vec![]), |engine| tracks_of(engine, header));
        Ok(Self {
            steered,
            four: [front?, rear?],
            tracks: tracks?,
        })
    }
}

/// Checks that lists have a value per wheel, and that values that our parameters share are equal.
fn check_lists(p: &Params) -> Result<(), String> {
    let count = p.wheels.len();
    if count > MAX_WHEELS {
        return Err(format!("{count} wheels, more than {MAX_WHEELS}"));
    }
    let four = p.engine.as_ref().map(|engine| &engine.four_wheel_diff);
    let lists = [
        ("brake_multipliers", Some(&p.brake_multipliers)),
        ("handbrake_multipliers", Some(&p.handbrake_multipliers)),
        ("steer_multipliers", Some(&p.steer_multipliers)),
        ("throttle_multipliers", p.throttle_multipliers.as_ref()),
        ("torque_ratios", four.map(|four| &four.torque_ratios)),
        ("ave_speed_ratios", four.map(|four| &four.ave_speed_ratios)),
    ];
    for (key, list) in lists {
        if let Some(list) = list.filter(|list| list.len() != count) {
            return Err(format!("{key}: {} values, {count} wheels", list.len()));
        }
    }
    let mut pairs = p.wheels.windows(2);
    if pairs.any(|pair| differ(pair[0].load_filter, pair[1].load_filter)) {
        return Err("load filters that differ".to_owned());
    }
    Ok(())
}

/// Whether any numbers differ by more than rounding.
fn differ(a: [f32; 4], b: [f32; 4]) -> bool {
    let mut pairs = a.iter().zip(b);
    pairs.any(|(a, b)| (a - b).abs() > 16.0 * f32::EPSILON * b.abs())
}

/// A tank's tracks. Its drivers have neither a handbrake nor steering here.
fn tracks_of(engine: &Vehicle2Engine, header: &Vehicle2Header) -> Result<Vec<Track>, String> {
    let p = &header.params;
    let acts = |max: f32, multipliers: &[f32], command: fn(&Vehicle2Action) -> f32| {
        let is_felt = max != 0.0 && multipliers.iter().any(|multiplier| *multiplier != 0.0);
        is_felt && header.schedule.iter().any(|entry| command(entry) != 0.0)
    };
    let hand = &p.handbrake_multipliers;
    if acts(p.handbrake_max_response, hand, |entry| entry.brake1) {
        return Err("a tank with a handbrake".to_owned());
    }
    if acts(p.steer_max_response, &p.steer_multipliers, |entry| {
        entry.steer
    }) {
        return Err("a tank that steers its wheels".to_owned());
    }
    let words = &engine.tank_tracks;
    let mut tracks = tracks(words).ok_or_else(|| format!("tracks {words}"))?;
    let count = p.wheels.len();
    for track in &mut tracks {
        if track.wheels.iter().any(|wheel| *wheel >= count) {
            return Err(format!("tracks {words}: {count} wheels"));
        }
        let radii = track.wheels.iter().map(|wheel| p.wheels[*wheel].radius);
        track.radii = radii.collect();
    }
    Ok(tracks)
}

/// The axles of "(0,1) front, (2,3) rear; …".
fn axles(words: &str) -> Option<Vec<Axle<'_>>> {
    let mut each = words.split(';').next()?.split('(');
    if !each.next()?.trim().is_empty() {
        return None;
    }
    each.map(Axle::of).collect()
}

impl<'a> Axle<'a> {
    /// Parses the axle of "0,1) front, ".
    fn of(words: &'a str) -> Option<Self> {
        let (wheels, name) = words.split_once(')')?;
        Some(Self {
            wheels: numbers(wheels)?,
            name: name.trim_matches([' ', ',']),
        })
    }
}

/// The tracks of "track0 wheels (0,2) thrust 0; …". PhysX's left one, of thrust 0, is on our right.
fn tracks(words: &str) -> Option<Vec<Track>> {
    let clauses = words.split(';').map(str::trim);
    let track = |clause: &str| {
        let (_, track) = clause.split_once('(')?;
        let (wheels, thrust) = track.split_once(')')?;
        let side = match thrust.trim() {
            "thrust 0" => TrackSide::Right,
            "thrust 1" => TrackSide::Left,
            _ => return None,
        };
        Some(Track {
            side,
            wheels: numbers(wheels)?,
            radii: vec![],
        })
    };
    clauses
        .filter(|clause| clause.starts_with("track"))
        .map(track)
        .collect()
}

/// The numbers of "0,1".
fn numbers(words: &str) -> Option<Vec<usize>> {
    let each = words.split(',');
    each.map(|word| word.trim().parse().ok()).collect()
}

#[cfg(test)]
mod tests;
