//! The quantities that are shown, with their names, units and signs.

use super::stance::{SteeringGeometry, WheelStance};
use super::sweep::TravelSweep;
use crate::report::AxisQuantity;

/// A quantity of a suspension at a travel.
#[derive(Clone, Copy, Debug)]
pub(super) struct TravelMeasure {
    pub(super) y: AxisQuantity,
    pub(super) how: &'static str,
    /// Value at a stance, with the stance at the design position as second argument; `None` if the suspension has no such value.
    pub(super) of: fn(&WheelStance, &WheelStance) -> Option<f64>,
}

const fn measure(
    name: &'static str,
    symbol: &'static str,
    unit: &'static str,
    how: &'static str,
    of: fn(&WheelStance, &WheelStance) -> Option<f64>,
) -> TravelMeasure {
    let y = AxisQuantity { name, symbol, unit };
    TravelMeasure { y, how, of }
}

const MM: f64 = 1e3;

fn axis(stance: &WheelStance, of: fn(SteeringGeometry) -> f64) -> Option<f64> {
    stance.steering.map(of)
}

/// Quantities over jounce.
pub(super) const OVER_JOUNCE: [TravelMeasure; 16] = [
    measure(
        "camber",
        "γ",
        "°",
        "Negative with the top inward.",
        |s, _| Some(s.camber.to_degrees()),
    ),
    measure("toe", "δ", "°", "Positive inward.", |s, _| {
        Some(s.toe.to_degrees())
    }),
    measure(
        "half track change",
        "Δy",
        "mm",
        "Way of the contact outward.",
        |s, d| Some(MM * (s.contact.y - d.contact.y)),
    ),
    measure(
        "wheelbase change",
        "Δx",
        "mm",
        "Way of the wheel's center forward.",
        |s, d| Some(MM * (s.center.x - d.center.x)),
    ),
    measure(
        "roll center",
        "z",
        "mm",
        "Its height over the ground.",
        |s, _| Some(MM * s.roll_center),
    ),
    measure(
        "support angle, braked",
        "θb",
        "°",
        "Of the contact's way, of a wheel held by its brake: positive if it goes forward as it rises, which \
         lifts the nose at a front axle.",
        |s, _| Some(s.braked.atan().to_degrees()),
    ),
    measure(
        "support angle, driven",
        "θd",
        "°",
        "Of the way of the wheel's center; of the contact, if the axle bears the drive's torque.",
        |s, _| Some(s.driven.atan().to_degrees()),
    ),
    measure(
        "side view center ahead",
        "x",
        "m",
        "Of a held wheel, ahead of its contact.",
        |s, _| Some(s.side_view?[0]),
    ),
    measure(
        "side view center height",
        "h",
        "m",
        "Over the ground.",
        |s, _| Some(s.side_view?[1]),
    ),
    measure(
        "roll steer",
        "ε",
        "°/°",
        "Of a beam: to the left as the body rolls to the right.",
        |s, _| s.roll_steer,
    ),
    measure(
        "caster",
        "τ",
        "°",
        "Positive with the top rearward.",
        |s, _| axis(s, |a| a.caster.to_degrees()),
    ),
    measure(
        "kingpin inclination",
        "σ",
        "°",
        "Positive with the top inward.",
        |s, _| axis(s, |a| a.inclination.to_degrees()),
    ),
    measure(
        "scrub radius",
        "r",
        "mm",
        "Positive if the axis meets the ground inward of the contact.",
        |s, _| axis(s, |a| MM * a.scrub),
    ),
    measure(
        "caster trail",
        "n",
        "mm",
        "Positive if the axis meets the ground ahead of the contact.",
        |s, _| axis(s, |a| MM * a.trail),
    ),
    measure(
        "motion ratio, spring",
        "is",
        "–",
        "Compression of the spring per jounce: the rate at the wheel is its square times the spring's.",
        |s, _| s.ratios[0],
    ),
    measure(
        "motion ratio, damper",
        "id",
        "–",
        "Compression of the damper per jounce.",
        |s, _| s.ratios[1],
    ),
];

/// Quantities over the rack's travel besides those of the steering axis.
const STEERED: [TravelMeasure; 1] = [measure(
    "steering angle",
    "δ",
    "°",
    "Of the left wheel, to the left; that of the right one is its mirror image at the opposite travel.",
    |s, _| Some(-s.toe.to_degrees()),
)];

/// Quantities over the rack's travel.
pub(super) fn over_rack() -> impl Iterator<Item = TravelMeasure> {
    let shared = [
        "camber",
        "caster",
        "kingpin inclination",
        "scrub radius",
        "caster trail",
    ];
    let shared = OVER_JOUNCE
        .into_iter()
        .filter(move |measure| shared.contains(&measure.y.name));
    STEERED.into_iter().chain(shared)
}

impl TravelMeasure {
    /// Whether a suspension has the quantity.
    pub(super) fn is_of(&self, sweep: &TravelSweep) -> bool {
        (self.of)(sweep.design(), sweep.design()).is_some()
    }
}
