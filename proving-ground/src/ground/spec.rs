//! Names of grounds on the command line.

use core::fmt;
use core::ops::RangeInclusive;
use core::str::FromStr;
use std::path::PathBuf;

/// A ground as named on the command line.
#[derive(Clone, Debug, PartialEq)]
pub enum GroundSpec {
    /// Level, infinite.
    Flat,
    /// An infinite slope that rises by this many degrees toward +x.
    Slope(f64),
    /// A ramp ahead that rises by this many degrees to a plateau.
    Ramp(f32),
    /// Steps ahead of this height (`m`).
    Steps(f64),
    /// Generated hills with this seed.
    Hills(u64),
    /// A heightfield's text file.
    HeightField(PathBuf),
    /// A Wavefront `.obj` file.
    Mesh(PathBuf),
    /// A ground file.
    File(PathBuf),
    /// A level plain with a track: the name of a built-in one, or its CSV file.
    Track(String),
}

/// Allowed inclinations of slopes and ramps (`°`).
const CLIMB: RangeInclusive<f64> = -45.0..=45.0;
/// Allowed heights of steps [m]: from a road joint to more than a wheel's radius.
const RISE: RangeInclusive<f64> = 0.01..=0.5;

impl FromStr for GroundSpec {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (name, value) = match text.split_once(':') {
            Some((name, value)) => (name, Some(value)),
            None => (text, None),
        };
        let number = |value: &str, range, unit| within(value, range, unit, text);
        match (name, value.filter(|value| !value.is_empty())) {
            ("flat", None) => Ok(Self::Flat),
            ("hills", None) => Ok(Self::Hills(1)),
            ("hills", Some(seed)) => seed
                .parse()
                .map(Self::Hills)
                .map_err(|_| format!("{text}: the seed must be a whole number >= 0")),
            ("slope", Some(value)) => number(value, CLIMB, "degrees").map(Self::Slope),
            ("ramp", Some(value)) => {
                number(value, CLIMB, "degrees").map(|climb| Self::Ramp(climb as f32))
            }
            ("steps", Some(value)) => number(value, RISE, "m").map(Self::Steps),
            ("heightfield", Some(path)) => Ok(Self::HeightField(path.into())),
            ("mesh", Some(path)) => Ok(Self::Mesh(path.into())),
            ("file", Some(path)) => Ok(Self::File(path.into())),
            ("track", Some(track)) => Ok(Self::Track(track.to_owned())),
            _ => Err(format!(
                "`{text}`: must be flat, slope:DEG, ramp:DEG, steps:RISE, hills, hills:SEED, \
                 heightfield:FILE, mesh:FILE.obj, file:FILE.toml, track:NAME or track:FILE.csv"
            )),
        }
    }
}

/// A number within a range; `text` is the whole name.
fn within(value: &str, range: RangeInclusive<f64>, unit: &str, text: &str) -> Result<f64, String> {
    let number = value.parse().ok().filter(|number| range.contains(number));
    let (low, high) = range.into_inner();
    number.ok_or_else(|| format!("{text}: must be within {low}..={high} {unit}"))
}

impl GroundSpec {
    /// Name of the ground on the command line, which reads back exactly.
    #[must_use]
    pub fn argument(&self) -> String {
        match self {
            Self::Flat => "flat".to_owned(),
            Self::Slope(degrees) => format!("slope:{degrees}"),
            Self::Ramp(degrees) => format!("ramp:{degrees}"),
            Self::Steps(rise) => format!("steps:{rise}"),
            Self::Hills(seed) => format!("hills:{seed}"),
            Self::HeightField(path) => format!("heightfield:{}", path.display()),
            Self::Mesh(path) => format!("mesh:{}", path.display()),
            Self::File(path) => format!("file:{}", path.display()),
            Self::Track(track) => format!("track:{track}"),
        }
    }
}

impl fmt::Display for GroundSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Flat => write!(f, "flat"),
            Self::Slope(degrees) => write!(f, "slope of {degrees}°"),
            Self::Ramp(degrees) => write!(f, "ramp of {degrees}°"),
            Self::Steps(rise) => write!(f, "steps of {rise} m"),
            Self::Hills(seed) => write!(f, "hills (seed {seed})"),
            Self::HeightField(path) => write!(f, "heightfield {}", path.display()),
            Self::Mesh(path) => write!(f, "mesh {}", path.display()),
            Self::File(path) => write!(f, "ground {}", path.display()),
            Self::Track(track) => write!(f, "track {track}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    #[rstest]
    #[case("flat", GroundSpec::Flat)]
    #[case("slope:-7.5", GroundSpec::Slope(-7.5))]
    #[case("ramp:10", GroundSpec::Ramp(10.0))]
    #[case("ramp:-45", GroundSpec::Ramp(-45.0))]
    #[case("steps:0.08", GroundSpec::Steps(0.08))]
    #[case("steps:0.5", GroundSpec::Steps(0.5))]
    #[case("hills", GroundSpec::Hills(1))]
    #[case("hills:9", GroundSpec::Hills(9))]
    #[case("heightfield:a/b.txt", GroundSpec::HeightField("a/b.txt".into()))]
    #[case("mesh:C:/x.obj", GroundSpec::Mesh("C:/x.obj".into()))]
    #[case("file:a/b.toml", GroundSpec::File("a/b.toml".into()))]
    #[case("track:oval", GroundSpec::Track("oval".into()))]
    fn grounds_are_named(#[case] text: &str, #[case] spec: GroundSpec) {
        assert_eq!(spec.argument().parse().as_ref(), Ok(&spec));
        assert_eq!(text.parse(), Ok(spec));
    }

    #[rstest]
    #[case("slope", "must be flat, slope:DEG, ramp:DEG")]
    #[case("slope:", "must be flat")]
    #[case("slope:60", "slope:60: must be within -45..=45 degrees")]
    #[case("slope:nan", "slope:nan: must be within -45..=45 degrees")]
    #[case("ramp:45.1", "ramp:45.1: must be within -45..=45 degrees")]
    #[case("ramp", "must be flat")]
    #[case("steps:0", "steps:0: must be within 0.01..=0.5 m")]
    #[case("steps:-0.1", "steps:-0.1: must be within 0.01..=0.5 m")]
    #[case("steps:8cm", "steps:8cm: must be within 0.01..=0.5 m")]
    #[case("hills:x", "hills:x: the seed must be a whole number >= 0")]
    #[case("mesh", "must be flat")]
    #[case("mesh:", "must be flat")]
    #[case("track:", "must be flat")]
    #[case("flat:1", "must be flat")]
    #[case("moon", "`moon`: must be flat")]
    fn other_names_are_refused(#[case] text: &str, #[case] message: &str) {
        let error = text.parse::<GroundSpec>().unwrap_err();
        assert!(error.contains(message), "{error}");
    }
}
