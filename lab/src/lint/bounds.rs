//! Turbocharger and rev limiter of an engine.

use jounce::drive::{AutoboxParams, EngineParams, LimiterParams, TurboParams};

use super::finding::{Findings, Rule, Severity, graded, when};
use super::plausible::significant;
use super::subject::LintedCar;

use Severity::{Note, Warning};

/// Time constant of a turbocharger. Note outside 0.05–3 s, warning outside 0.01–10 s.
const TURBO_LAG: Rule = Rule::new(
    "turbo-lag",
    "not in the guide: turbochargers of cars take some tenths of a second, of big diesels some seconds",
);
/// Speed at which a rev limiter cuts the engine, against the speeds at which the autobox changes up. Warning if it never gets there.
const REV_LIMITER: Rule = Rule::new(
    "rev-limiter",
    "Troubleshooting: The Vehicle Never Goes Beyond First Gear",
);

pub(super) fn look(subject: &LintedCar<'_>, findings: &mut Findings) {
    let Some(engine) = &subject.engine else {
        return;
    };
    if let Some(turbo) = &engine.turbo {
        lag(turbo, findings);
    }
    if let (Some(limiter), Some(autobox)) = (&engine.limiter, &subject.autobox) {
        limited(engine, limiter, autobox, findings);
    }
}

fn lag(turbo: &TurboParams, findings: &mut Findings) {
    for (n, [_, time]) in turbo.lag.0.iter().enumerate() {
        findings.add(
            graded(*time, ([0.05, 3.0], Note), ([0.01, 10.0], Warning)),
            TURBO_LAG,
            &format!("engine.turbo.lag[{n}]"),
            format!("{time} s to 63 % of the boost"),
            ["0.2 to 1 s in a car".to_owned(), "0.5".to_owned()],
        );
    }
}

/// The gears below the highest must be changed up before the limiter cuts the engine.
fn limited(
    engine: &EngineParams,
    limiter: &LimiterParams,
    autobox: &AutoboxParams,
    findings: &mut Findings,
) {
    let below_highest = autobox.up.split_last().map_or(&[][..], |(_, below)| below);
    for (n, up) in below_highest.iter().enumerate() {
        let speed = up * engine.max_speed;
        findings.add(
            when(speed >= limiter.cuts_above, Warning),
            REV_LIMITER,
            &format!("autobox.up, gear {}", n + 1),
            format!(
                "{up}: {speed:.0} rad/s, but the engine is cut above {} rad/s",
                limiter.cuts_above
            ),
            [
                "changes up below the speed of the cut".to_owned(),
                significant(0.97 * limiter.cuts_above / engine.max_speed),
            ],
        );
    }
}
