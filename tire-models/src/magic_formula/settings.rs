//! Settings, and which coefficients are usable: [`Settings`].

use vehicle_core::Inspector;

pub use super::version::Version;

use super::coefficients::Coefficients;
use super::limits::OutOfRange;

/// Source that the formulas follow where solver, book and MFeval differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Variant {
    /// The solver of TNO/Siemens, for which files are fitted.
    MfTyre,
    /// \[B\] as printed: digressive friction (`Aμ` = 10), magnitudes of camber in the trail, Mx of
    /// 4.E69, My of 4.E70, equivalent slips of 4.E77 and 4.E78, no `LFZO` in the trail.
    Book,
    /// [`Variant::MfTyre`] with MFeval's turn slip: the part of camber with the other sign, and in the turning moment
    /// the product of `QDZ8` and `QDZ9`.
    MfevalCompat,
}

/// Definition of slip angle and inclination in the formulas.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SlipDefinition {
    /// α and γ (MFT).
    Angles,
    /// α* = tan α · sgn Vx and γ* = sin γ (\[B\] 4.E3, 4.E4).
    Tangents,
}

/// Interaction of longitudinal and lateral slip.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CombinedSlip {
    /// Weighting functions (4.E50–4.E67): the keys that begin with `R`.
    Weighting,
    /// The friction ellipse of Adams/Tire, for PAC2002 files that have none of those keys.
    FrictionEllipse,
}

/// Interpretation of the coefficients.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// Source that the formulas follow.
    pub variant: Variant,
    /// Slips are angles, or tangent and sine.
    pub slip_definition: SlipDefinition,
    /// Interaction of longitudinal and lateral slip.
    pub combined_slip: CombinedSlip,
    /// Behavior outside the ranges of a file; `None` extrapolates and allows curvatures above 1.
    pub limits: Option<OutOfRange>,
    /// Slips and shifts fade out below `VXLOW` (MFT). This removes the singularity but holds
    /// nothing at rest: not for a vehicle whose solver defines slip down to a standstill.
    pub low_speed: bool,
    /// Whether the curvature of the path acts on the forces: turn slip.
    pub turn_slip: bool,
    /// Whether a range that forbids driving, braking, or slip to one side is obeyed like any other. Otherwise it counts as the
    /// default range: such a tire could not move a car.
    #[serde(default)]
    pub every_range: bool,
}

impl Settings {
    /// MF-Tyre's combined slip: limits on, low speed faded out, no turn slip.
    #[must_use]
    pub const fn mf_tyre() -> Self {
        Self {
            variant: Variant::MfTyre,
            slip_definition: SlipDefinition::Angles,
            combined_slip: CombinedSlip::Weighting,
            limits: Some(OutOfRange::Clamp),
            low_speed: true,
            turn_slip: false,
            every_range: false,
        }
    }

    /// Settings for a vehicle: slips as its solver defines them, down to a standstill; beyond the load range, forces scale with
    /// the load.
    #[must_use]
    pub const fn vehicle() -> Self {
        Self {
            limits: Some(OutOfRange::ScaleWithLoad),
            low_speed: false,
            ..Self::mf_tyre()
        }
    }
}

/// Upper bound of a coefficient's magnitude.
const GREATEST: f64 = 1e9;

/// Keys that the formulas divide by.
const POSITIVE: [&str; 6] = [
    "LONGVL",
    "UNLOADED_RADIUS",
    "NOMPRES",
    "FNOMIN",
    "VERTICAL_STIFFNESS",
    "LFZO",
];

/// Checks that these coefficients are usable.
pub(crate) fn check(version: Version, coefficients: &Coefficients, i: &mut Inspector) {
    let coefficients = &known_to(version, coefficients);
    for (key, &value) in coefficients.iter().filter(|(key, _)| key.is_used()) {
        let small = value.abs() <= GREATEST;
        i.rule(small, key.name, value, "", "must be within ±1e9");
        let divides = POSITIVE.contains(&key.name) && small;
        i.rule(!divides || value > 0.0, key.name, value, "", "must be > 0");
        let essential = !divides && version.essential().contains(&key.name);
        let rule = "must not be 0: without it the tire has no grip or stiffness";
        i.rule(!essential || value != 0.0, key.name, value, "", rule);
    }
    for (low, high) in [
        ("PRESMIN", "PRESMAX"),
        ("FZMIN", "FZMAX"),
        ("KPUMIN", "KPUMAX"),
        ("ALPMIN", "ALPMAX"),
        ("CAMMIN", "CAMMAX"),
    ] {
        let [least, most] = [low, high].map(|key| coefficients.get(key).expect("a key"));
        let rule = format!("must not be above {high}");
        i.rule(least <= most, low, least, "", rule);
    }
}

/// Pressure for a version without pressure (`Pa`).
const PRESSURE: f64 = 220_000.0;

/// The coefficients, with neutral values for keys that the version does not have.
pub(crate) fn known_to(version: Version, coefficients: &Coefficients) -> Coefficients {
    let mut c = coefficients.clone();
    if version != Version::V52 {
        (c.LGAX, c.LGAY, c.LGAZ) = (1.0, 1.0, 1.0);
    }
    if !version.has_pressure() && c.NOMPRES == 0.0 {
        // There is no pressure, and some files give zeros for it.
        (c.NOMPRES, c.INFLPRES) = (PRESSURE, PRESSURE);
    }
    c
}

/// Slip below which the end of a range forbids it (– or rad).
pub(crate) const SLIGHT: f64 = 1e-3;

/// Ranges of slip that forbid slip of one sign, with the names of their ends.
pub(crate) fn forbidding(c: &Coefficients) -> Vec<[&'static str; 2]> {
    let ranges = [
        (["KPUMIN", "KPUMAX"], c.KPUMIN, c.KPUMAX),
        (["ALPMIN", "ALPMAX"], c.ALPMIN, c.ALPMAX),
    ];
    let forbids = |&(_, low, high): &(_, f64, f64)| low > -SLIGHT || high < SLIGHT;
    let found = ranges.into_iter().filter(forbids);
    found.map(|(keys, _, _)| keys).collect()
}

/// The coefficients with the default ranges of slip instead of those that forbid slip of one sign:
/// what is obeyed without [`Settings::every_range`].
#[must_use]
pub fn with_ranges(coefficients: &Coefficients, version: Version) -> Coefficients {
    let template = Coefficients::template_of(version);
    let mut c = coefficients.clone();
    for name in forbidding(coefficients).into_iter().flatten() {
        c.set(name, template.get(name).expect("a key of the table"));
    }
    c
}
