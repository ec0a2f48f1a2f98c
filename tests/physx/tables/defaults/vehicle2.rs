//! The default values of PhysX 5's context.

use std::path::Path;

use jounce::core::profile::ExplicitSettings;
use serde_json::Value;

use crate::reference::{self, Comparison};

/// Compares the file of them.
pub(crate) fn compare(path: &Path) -> Result<Vec<Comparison>, String> {
    let text = reference::text(path).map_err(|error| error.to_string())?;
    let value: Value = serde_json::from_str(&text).map_err(|error| error.to_string())?;
    let ExplicitSettings { slip, sticky, .. } = ExplicitSettings::PHYSX_5;
    let ours = [
        ("tireSlip.minLatSlipDenominator", slip.lateral_offset),
        ("tireSlip.minActiveLongSlipDenominator", slip.active_offset),
        (
            "tireSlip.minPassiveLongSlipDenominator",
            slip.passive_denominator,
        ),
        ("sticky.long.thresholdSpeed", sticky.speed),
        ("sticky.long.thresholdTime", sticky.forward_time),
        ("sticky.long.damping", sticky.forward_damping),
        ("sticky.lat.thresholdSpeed", sticky.speed),
        ("sticky.lat.thresholdTime", sticky.side_time),
        ("sticky.lat.damping", sticky.side_damping),
    ];
    let fields = value.as_object().ok_or("an object")?;
    let mut worst = 0.0_f64;
    for (name, theirs) in fields {
        let known = ours.iter().find(|(known, _)| known == name);
        let (_, ours) = known.ok_or_else(|| format!("unknown schema: {name}"))?;
        let theirs = theirs
            .as_f64()
            .ok_or_else(|| format!("{name}: no number"))?;
        worst = worst.max((f64::from(*ours) - theirs).abs());
    }
    Ok(vec![Comparison {
        name: reference::stem(path),
        rows: fields.len(),
        max_error: worst,
        bound: f64::from(f32::EPSILON),
        note: String::new(),
    }])
}
