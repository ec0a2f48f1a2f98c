//! Fuel of an engine.

use jounce::drive::{EngineParams, FuelParams};

use super::finding::{Findings, Rule, Severity, graded};
use super::subject::LintedCar;

use Severity::{Note, Warning};

/// Work that leaves the engine over the energy of its fuel, at its best. Note outside 0.22–0.47, warning outside 0.1–0.56.
const BEST_EFFICIENCY: Rule = Rule::new(
    "fuel-efficiency",
    "not in the guide: engines of cars reach 0.25 to 0.42, of trucks 0.46, of ships 0.55",
);
/// Consumption of the idling engine over its peak torque. Note outside 0.001–0.02 l/h per N·m, warning outside a tenth and ten times
/// that.
const IDLE_CONSUMPTION: Rule = Rule::new(
    "idle-consumption",
    "not in the guide: cars of 100 to 400 N·m idle with 0.4 to 1.5 l/h",
);

pub(super) fn look(subject: &LintedCar<'_>, findings: &mut Findings) {
    let Some(engine) = &subject.engine else {
        return;
    };
    if let Some(fuel) = &engine.fuel {
        efficiency(engine, fuel, findings);
        idling(engine, fuel, findings);
    }
}

/// The greatest efficiency (–) at full throttle, over all speeds.
fn best_efficiency(engine: &EngineParams, fuel: &FuelParams) -> f32 {
    let at = |n: u8| {
        let speed = 0.05 * f32::from(n) * engine.max_speed;
        let torque = engine.torque(1.0, speed) - engine.damping(1.0, 1.0) * speed;
        let energy = fuel.flow(speed, torque) * fuel.heating_value;
        if energy > 0.0 {
            torque * speed / energy
        } else {
            0.0
        }
    };
    (1..20).map(at).fold(0.0, f32::max)
}

fn efficiency(engine: &EngineParams, fuel: &FuelParams, findings: &mut Findings) {
    let best = best_efficiency(engine, fuel);
    let key = if fuel.map.is_some() {
        "map"
    } else {
        "efficiency"
    };
    let proposal = if fuel.map.is_some() {
        format!(
            "values of some {:.0} g/kWh at its best",
            3.6e9 / (0.36 * fuel.heating_value)
        )
    } else {
        "efficiency = 0.4, and friction of a tenth of the peak torque".to_owned()
    };
    findings.add(
        graded(best, ([0.22, 0.47], Note), ([0.1, 0.56], Warning)),
        BEST_EFFICIENCY,
        &format!("engine.fuel.{key}"),
        format!(
            "{:.0} % of the fuel's energy leaves the engine at its best",
            100.0 * best
        ),
        ["25 to 42 % of it in a car".to_owned(), proposal],
    );
}

fn idling(engine: &EngineParams, fuel: &FuelParams, findings: &mut Findings) {
    if engine.idle_speed <= 0.0 {
        return;
    }
    let liters_per_hour = 3.6e6 * fuel.flow(engine.idle_speed, 0.0) / fuel.density;
    let relative = liters_per_hour / engine.peak_torque;
    findings.add(
        graded(relative, ([1e-3, 0.02], Note), ([1e-4, 0.2], Warning)),
        IDLE_CONSUMPTION,
        "engine.fuel.friction",
        format!("it idles with {liters_per_hour:.2} l/h"),
        [
            format!("some {:.1} l/h", 4e-3 * engine.peak_torque),
            "friction at the idle speed of a tenth of the peak torque".to_owned(),
        ],
    );
}
