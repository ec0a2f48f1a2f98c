//! Parsers for command-line values.

use clap::builder::{PossibleValuesParser, TypedValueParser};
use glam::{DVec2, Vec3};
use proving_ground::drive::RaceLine;
use proving_ground::ground::MeshUp;
use proving_ground::world::{Start, WorldKind};

/// Parses a time step: seconds as a decimal (`0.01`) or a fraction (`1/60`).
///
/// # Errors
/// If it is neither, or not within 0.0001 … 0.5 s.
pub fn parse_dt(text: &str) -> Result<f32, String> {
    let number = |part: &str| {
        let part = part.trim();
        part.parse::<f32>()
            .map_err(|_| format!("`{part}` is not a number; write 1/60 or 0.0167"))
    };
    let dt = match text.split_once('/') {
        Some((over, under)) => number(over)? / number(under)?,
        None => number(text)?,
    };
    if (1e-4..=0.5).contains(&dt) {
        Ok(dt)
    } else {
        Err(format!("dt = {dt} s: must be within 0.0001..=0.5"))
    }
}

/// Parses the name of a world.
#[must_use]
pub fn worlds() -> impl TypedValueParser<Value = WorldKind> {
    let names = WorldKind::all().iter().map(|kind| kind.name());
    PossibleValuesParser::new(names).try_map(|name| name.parse::<WorldKind>())
}

/// Parses the name of a mesh's up axis.
#[must_use]
pub fn mesh_ups() -> impl TypedValueParser<Value = MeshUp> {
    PossibleValuesParser::new(["y", "z"]).map(|name| match &*name {
        "z" => MeshUp::Z,
        _ => MeshUp::Y,
    })
}

/// Parses the name of a racing driver's line.
#[must_use]
pub fn race_lines() -> impl TypedValueParser<Value = RaceLine> {
    PossibleValuesParser::new(["racing", "center"]).map(|name| match &*name {
        "center" => RaceLine::Center,
        _ => RaceLine::Racing,
    })
}

/// Parses `X,Y` (`m`) or `X,Y,HEADING` (`m`, `m`, `°`).
///
/// # Errors
/// If these are not two or three finite numbers.
pub fn parse_start(text: &str) -> Result<Start, String> {
    let numbers = text
        .split(',')
        .map(|part| part.trim().parse::<f64>().ok().filter(|v| v.is_finite()))
        .collect::<Option<Vec<f64>>>();
    match numbers.as_deref() {
        Some([x, y]) => Ok(Start {
            position: DVec2::new(*x, *y),
            heading: 0.0,
        }),
        Some([x, y, heading]) => Ok(Start {
            position: DVec2::new(*x, *y),
            heading: heading.to_radians() as f32,
        }),
        _ => Err(format!(
            "`{text}`: must be X,Y [m] or X,Y,HEADING [m, m, °]"
        )),
    }
}

/// Parses a number within `least..=most` of a unit.
pub fn within(
    least: f32,
    most: f32,
    unit: &'static str,
) -> impl Fn(&str) -> Result<f32, String> + Clone + Send + Sync + 'static {
    move |text| {
        let number = text.trim().parse().ok();
        let number = number.filter(|number| (least..=most).contains(number));
        let rule = format!("must be a number within {least}..={most} {unit}");
        number.ok_or_else(|| rule.trim_end().to_owned())
    }
}

/// Parses a wind, `X,Y` or `X,Y,Z` (`m/s`).
///
/// # Errors
/// If these are not two or three numbers within ±150.
pub fn parse_wind(text: &str) -> Result<Vec3, String> {
    let number = within(-150.0, 150.0, "m/s");
    let numbers = text.split(',').map(number);
    match numbers.collect::<Result<Vec<f32>, String>>()?[..] {
        [x, y] => Ok(Vec3::new(x, y, 0.0)),
        [x, y, z] => Ok(Vec3::new(x, y, z)),
        _ => Err("must be X,Y or X,Y,Z [m/s]".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    #[rstest]
    #[case("1/60", 1.0 / 60.0)]
    #[case(" 1 / 240 ", 1.0 / 240.0)]
    #[case("0.01", 0.01)]
    #[case("0.5", 0.5)]
    fn time_steps(#[case] text: &str, #[case] dt: f32) {
        assert_eq!(parse_dt(text), Ok(dt));
    }

    #[rstest]
    #[case("0")]
    #[case("-1/60")]
    #[case("1/0")]
    #[case("0/0")]
    #[case("nan")]
    #[case("inf")]
    #[case("1")]
    #[case("sixty")]
    #[case("1/2/3")]
    #[case("")]
    fn invalid_time_steps_are_refused(#[case] text: &str) {
        assert!(parse_dt(text).is_err());
    }

    #[test]
    fn starts() {
        let start = parse_start("3, -4,90").unwrap();
        assert_eq!(start.position, DVec2::new(3.0, -4.0));
        assert!((start.heading - core::f32::consts::FRAC_PI_2).abs() < 1e-5);
        for bad in ["3", "1,2,3,4", "a,b", "1,nan"] {
            assert!(parse_start(bad).is_err());
        }
    }

    #[test]
    fn winds() {
        assert_eq!(parse_wind("3, -4"), Ok(Vec3::new(3.0, -4.0, 0.0)));
        assert_eq!(parse_wind("3,-4,0.5"), Ok(Vec3::new(3.0, -4.0, 0.5)));
        for bad in ["3", "1,2,3,4", "a,b", "1,nan", "200,0"] {
            assert!(parse_wind(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_meshs_upward_axis_is_y_or_z() {
        let command =
            || clap::Command::new("drive").arg(clap::Arg::new("up").value_parser(mesh_ups()));
        for (name, up) in [("y", MeshUp::Y), ("z", MeshUp::Z)] {
            let found = command().get_matches_from(["drive", name]);
            assert_eq!(found.get_one("up"), Some(&up));
        }
        assert!(command().try_get_matches_from(["drive", "x"]).is_err());
    }
}
