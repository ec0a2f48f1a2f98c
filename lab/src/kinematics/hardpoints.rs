//! Files of hard points, checked.

use std::collections::BTreeMap;

use jounce::core::{Fault, Inspector};
use jounce::file::{FileError, FileFault};
use jounce::tires::tir::Units;
use serde::Deserialize;

use super::carrier::Position;
use super::kinds::SuspensionKind;

/// Contents of a file, as written.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct HardPointsFile {
    #[serde(default)]
    name: String,
    kind: SuspensionKind,
    #[serde(default)]
    units: LengthUnit,
    wheel: StandingWheel,
    travel: Travel,
    points: BTreeMap<String, [f64; 3]>,
    spring: Option<StrutEnds>,
    damper: Option<StrutEnds>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct LengthUnit {
    length: Option<String>,
}

/// The left wheel at the design position.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct StandingWheel {
    /// Center of the wheel (`m`).
    #[serde(alias = "centre")]
    pub(super) center: [f64; 3],
    /// Distance of the ground from the center, in the wheel's plane (`m`).
    pub(super) radius: f64,
    /// Toe angle, positive inward (`°`).
    #[serde(default)]
    pub(super) toe_deg: f64,
    /// Camber angle, negative with the top inward (`°`).
    #[serde(default)]
    pub(super) camber_deg: f64,
}

/// Travels of wheels and rack (`m`).
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Travel {
    pub(super) compression: f64,
    pub(super) droop: f64,
    /// Travel of the rack to either side; 0 for wheels that are not steered.
    #[serde(default)]
    pub(super) rack: f64,
}

/// The ends of a spring or a damper.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct StrutEnds {
    /// End at the body (`m`).
    pub(super) body: [f64; 3],
    /// End at the wheel's side (`m`).
    pub(super) wheel: [f64; 3],
    /// Part that bears the end `wheel`: `"carrier"`, or an arm.
    #[serde(default = "carrier")]
    pub(super) on: String,
}

fn carrier() -> String {
    CARRIER.to_owned()
}

/// Name of the part that carries the wheel.
pub(super) const CARRIER: &str = "carrier";

/// Checked hard points (`m`, vehicle frame) of a left wheel.
#[derive(Clone, Debug)]
pub(super) struct HardPoints {
    pub(super) name: String,
    pub(super) kind: SuspensionKind,
    pub(super) wheel: StandingWheel,
    pub(super) travel: Travel,
    points: BTreeMap<String, [f64; 3]>,
    pub(super) spring: Option<StrutEnds>,
    pub(super) damper: Option<StrutEnds>,
}

impl HardPoints {
    /// Reads the text of a file.
    ///
    /// # Errors
    /// If it is not TOML, lacks what its kind needs, or violates a rule; all faults are listed.
    pub(super) fn parse(text: &str, file: &str) -> Result<Self, FileError> {
        let table: toml::Table = text.parse().map_err(|source| FileError::Syntax {
            file: file.to_owned(),
            source,
        })?;
        let read: Result<HardPointsFile, _> = serde_path_to_error::deserialize(table);
        let read = read.map_err(|error| {
            let rule = error.inner().message().to_owned();
            let path = error.path().to_string();
            invalid(file, vec![Fault::new(path, "as written", "", rule)])
        })?;
        let mut faults = Vec::new();
        let length = unit(&read.units, &mut faults);
        let points = Self {
            name: read.name,
            kind: read.kind,
            wheel: read.wheel,
            travel: read.travel,
            points: read.points,
            spring: read.spring,
            damper: read.damper,
        }
        .scaled(length);
        points.check(&mut faults);
        if faults.is_empty() {
            Ok(points)
        } else {
            Err(invalid(file, faults))
        }
    }

    /// A point of its kind.
    pub(super) fn point(&self, name: &str) -> Position {
        self.points
            .get(name)
            .map_or(Position::from_element(f64::NAN), |p| Position::from(*p))
    }

    /// The wheel's center.
    pub(super) fn center(&self) -> Position {
        Position::from(self.wheel.center)
    }

    /// Whether a rack steers the wheels.
    pub(super) fn is_steered(&self) -> bool {
        self.travel.rack > 0.0
    }

    /// All lengths times a factor, without the last digits that binary fractions leave.
    fn scaled(mut self, factor: f64) -> Self {
        let scale = |x: f64| (x * factor * 1e12).round() / 1e12;
        let vectors = self.points.values_mut().chain([&mut self.wheel.center]);
        let struts = [&mut self.spring, &mut self.damper].into_iter().flatten();
        let ends = struts.flat_map(|ends| [&mut ends.body, &mut ends.wheel]);
        for vector in vectors.chain(ends) {
            *vector = vector.map(scale);
        }
        let travel = &mut self.travel;
        let lengths = [
            &mut self.wheel.radius,
            &mut travel.compression,
            &mut travel.droop,
            &mut travel.rack,
        ];
        for length in lengths {
            *length = scale(*length);
        }
        self
    }

    fn check(&self, faults: &mut Vec<Fault>) {
        let mut inspector = Inspector::new();
        let i = &mut inspector;
        i.within("wheel", |i| self.check_wheel(i));
        i.within("travel", |i| self.check_travel(i));
        i.within("points", |i| self.check_points(i));
        for (name, strut) in [("spring", &self.spring), ("damper", &self.damper)] {
            if let Some(ends) = strut {
                i.within(name, |i| self.check_strut(ends, i));
            }
        }
        if let Err(found) = inspector.verdict() {
            faults.extend(found.0);
        }
    }

    fn check_wheel(&self, i: &mut Inspector) {
        let wheel = &self.wheel;
        finite(i, "center", wheel.center);
        let side = wheel.center[1];
        i.rule(
            side > 0.0,
            "center",
            side,
            "m",
            "must be that of the left wheel: y > 0",
        );
        let radius = wheel.radius;
        let rule = "must be finite and > 0";
        i.rule(
            radius > 0.0 && radius.is_finite(),
            "radius",
            radius,
            "m",
            rule,
        );
        for (name, angle) in [("toe_deg", wheel.toe_deg), ("camber_deg", wheel.camber_deg)] {
            i.rule(
                angle.abs() <= 30.0,
                name,
                angle,
                "°",
                "must be within -30..=30",
            );
        }
    }

    fn check_travel(&self, i: &mut Inspector) {
        let Travel {
            compression,
            droop,
            rack,
        } = self.travel;
        for (name, way) in [("compression", compression), ("droop", droop)] {
            let rule = "must be within 0.001..=0.5 m";
            i.rule((0.001..=0.5).contains(&way), name, way, "m", rule);
        }
        i.rule(
            (0.0..=0.3).contains(&rack),
            "rack",
            rack,
            "m",
            "must be within 0..=0.3 m",
        );
        let rule = "only double wishbones, struts and five links have a rack";
        i.rule(rack == 0.0 || self.kind.steers(), "rack", rack, "m", rule);
    }

    fn check_points(&self, i: &mut Inspector) {
        let names = self.kind.points();
        for (name, place) in &self.points {
            let rule = format!("is no point of this kind, which has {}", names.join(", "));
            i.rule(
                names.contains(&name.as_str()),
                name,
                WrittenPlace(*place),
                "m",
                rule,
            );
            finite(i, name, *place);
        }
        for name in names {
            i.rule(
                self.points.contains_key(*name),
                name,
                "nothing",
                "",
                "must be given",
            );
        }
        for (a, b) in self.kind.rods().iter().chain(self.kind.axes()) {
            let length = (self.point(a) - self.point(b)).norm();
            let rule = format!(
                "must be apart from points.{a}: there would be a link or an axis of no length"
            );
            i.rule(are_apart(length), b, format!("{length} m away"), "", rule);
        }
        if self.kind == SuspensionKind::TrailingArm {
            let axis = self.point("pivot_outer") - self.point("pivot_inner");
            let skew = axis.xz().norm().atan2(axis.y.abs()).to_degrees();
            let rule = "an axis that is not across the vehicle is that of a semi-trailing-arm: must be within 1°";
            i.rule(skew.is_nan() || skew <= 1.0, "pivot_outer", skew, "°", rule);
        }
    }

    fn check_strut(&self, ends: &StrutEnds, i: &mut Inspector) {
        finite(i, "body", ends.body);
        finite(i, "wheel", ends.wheel);
        let length = (Position::from(ends.body) - Position::from(ends.wheel)).norm();
        i.rule(
            are_apart(length),
            "wheel",
            format!("{length} m away"),
            "",
            "must be apart from body",
        );
        let arms = self.kind.arms().iter().map(|(name, _)| *name);
        let known: Vec<&str> = arms.chain([CARRIER]).collect();
        let rule = format!("must be one of {}", known.join(", "));
        i.rule(known.contains(&ends.on.as_str()), "on", &ends.on, "", rule);
    }
}

/// Whether points at this distance (`m`) are distinct; unknown points, with a distance of NaN, are reported elsewhere.
fn are_apart(length: f64) -> bool {
    length.is_nan() || length >= 1e-4
}

/// Length of the file's unit (`m`).
fn unit(units: &LengthUnit, faults: &mut Vec<Fault>) -> f64 {
    let Some(name) = &units.length else {
        return 1.0;
    };
    let mut known = Units::SI;
    if known.count_in(name) == Some("length") {
        return known.length;
    }
    faults.push(Fault::new(
        "units.length",
        name,
        "",
        "must be a unit of length, such as mm",
    ));
    1.0
}

fn finite(i: &mut Inspector, name: &str, place: [f64; 3]) {
    let holds = place.iter().all(|x| x.is_finite());
    i.rule(holds, name, WrittenPlace(place), "m", "must be finite");
}

/// A point, displayed as files write it.
struct WrittenPlace([f64; 3]);

impl core::fmt::Display for WrittenPlace {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let [x, y, z] = self.0;
        write!(f, "[{x}, {y}, {z}]")
    }
}

/// The faults of a file.
pub(super) fn invalid(file: &str, faults: Vec<Fault>) -> FileError {
    FileError::Invalid {
        file: file.to_owned(),
        faults: faults
            .into_iter()
            .map(|fault| FileFault { line: None, fault })
            .collect(),
    }
}
