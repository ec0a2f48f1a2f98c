//! The figures of every case: what is measured, and what is right.

use core::ops::RangeInclusive;

use super::CaseFigure;
use super::table::{Run, Telemetry};

/// Range of figures that have no lower bound.
const fn at_most(most: f64) -> RangeInclusive<f64> {
    f64::NEG_INFINITY..=most
}

/// Range of figures that have no upper bound.
const fn at_least(least: f64) -> RangeInclusive<f64> {
    least..=f64::INFINITY
}

/// All figures, by the name of their case.
pub(super) const FIGURES: &[CaseFigure] = &[
    CaseFigure {
        case: "block-through-hull",
        what: "farthest center of mass before the block at x = 40 [m]",
        right: 30.0..=38.5,
        measure: |run| drive_against(run, "block"),
    },
    CaseFigure {
        case: "block-through-hull",
        what: "farthest center of mass before the pole at x = 40 [m]",
        right: 30.0..=38.5,
        measure: |run| drive_against(run, "pole"),
    },
    CaseFigure {
        case: "coast-shift-lock",
        what: "hardest braking while an SUV coasts in gear [m/s²]",
        right: at_most(3.0),
        measure: |run| coast(run, "suv"),
    },
    CaseFigure {
        case: "coast-shift-lock",
        what: "hardest braking while a sports car coasts in gear [m/s²]",
        right: at_most(3.0),
        measure: |run| coast(run, "sports-car"),
    },
    CaseFigure {
        case: "coupling-load-negative",
        what: "files refused",
        right: 0.0..=0.0,
        measure: |run| failures(run, &["check caravan.toml"]),
    },
    CaseFigure {
        case: "hold-speed-low",
        what: "speed held [m/s]",
        right: 13.86..=14.14,
        measure: |run| {
            let drive = run.drive("sedan --maneuver m.toml");
            *drive.within("go", "speed [m/s]").last().unwrap()
        },
    },
    CaseFigure {
        case: "idle-drives-through-brake",
        what: "speed under full brake [m/s]",
        right: at_most(0.1),
        measure: |run| {
            run.drive("vehicle.toml --maneuver m.toml")
                .last("speed [m/s]")
        },
    },
    CaseFigure {
        case: "launch-bias",
        what: "largest heading of a symmetric car that spins its wheels [deg]",
        right: at_most(0.001),
        measure: |run| {
            let drive = run.drive("vehicle.toml --maneuver m.toml --ground flat");
            drive.largest("heading [deg]")
        },
    },
    CaseFigure {
        case: "no-rolling-resistance",
        what: "deceleration of a coasting car at 10 km/h [m/s²]",
        right: 0.06..=0.14,
        measure: coasting_deceleration,
    },
    CaseFigure {
        case: "obj-bom",
        what: "drives refused with a byte-order mark",
        right: 0.0..=0.0,
        measure: |run| {
            let refused = run.tries("sedan --maneuver m.toml --ground mesh:refused.obj --up z");
            f64::from(u8::from(refused.is_none()))
        },
    },
    CaseFigure {
        case: "obj-bom",
        what: "height with a byte-order mark, off that without [m]",
        right: 0.0..=0.0,
        measure: |run| {
            let height = |name: &str| {
                let ground = format!("--ground mesh:{name}.obj --up z");
                run.drive(&format!("sedan --maneuver m.toml {ground}"))
                    .last("z [m]")
            };
            (height("silent") - height("plain")).abs()
        },
    },
    CaseFigure {
        case: "overhead-clearance",
        what: "way up a ramp under a ceiling 0.4 m above the roof [m]",
        right: at_least(100.0),
        measure: |run| climb(run, "ramp25-clear0.4").most("x [m]"),
    },
    CaseFigure {
        case: "overhead-clearance",
        what: "way up off that under a ceiling 3 m above the roof [m]",
        right: 0.0..=0.001,
        measure: |run| {
            let way = |name| climb(run, name).most("x [m]");
            (way("ramp25-clear0.4") - way("ramp25-clear3")).abs()
        },
    },
    CaseFigure {
        case: "reverse-at-speed",
        what: "forward speed when reverse engages [m/s]",
        right: at_most(3.0),
        measure: |run| {
            let drive = run.drive("sports-car --maneuver m.toml");
            let (gears, speeds) = (drive.column("gear"), drive.column("forward speed [m/s]"));
            let mut both = gears.iter().zip(speeds);
            both.find(|(gear, _)| **gear < 0.0).map_or(0.0, |(_, v)| v)
        },
    },
    CaseFigure {
        case: "shift-hunting",
        what: "gear changes of a truck in 60 s up 10° at constant throttle",
        right: at_most(1.0),
        measure: |run| gear_changes(run, "truck --ground slope:10"),
    },
    CaseFigure {
        case: "shift-hunting",
        what: "gear changes of a six-wheeled truck in 60 s up 12° at constant throttle",
        right: at_most(1.0),
        measure: |run| gear_changes(run, "truck-6x6 --ground slope:12"),
    },
    CaseFigure {
        case: "step-energy",
        what: "energy after a step of 0.35 m over that before, rays",
        // What springs held before counts only as they give it back.
        right: at_most(1.05),
        measure: |run| energy_over_step(run, "car.toml"),
    },
    CaseFigure {
        case: "step-energy",
        what: "energy after a step of 0.35 m over that before, sweeps",
        // What springs held before counts only as they give it back.
        right: at_most(1.05),
        measure: |run| energy_over_step(run, "car-sweep.toml"),
    },
    CaseFigure {
        case: "sway-step-dependent",
        what: "decay of the sway at 30 Hz over that of the linear model",
        right: 0.97..=1.03,
        measure: |run| sway_decay(run, 30),
    },
    CaseFigure {
        case: "sway-step-dependent",
        what: "decay of the sway at 60 Hz over that of the linear model",
        right: 0.97..=1.03,
        measure: |run| sway_decay(run, 60),
    },
    CaseFigure {
        case: "sway-step-dependent",
        what: "decay of the sway at 240 Hz over that of the linear model",
        right: 0.97..=1.03,
        measure: |run| sway_decay(run, 240),
    },
    CaseFigure {
        case: "tank-slow-pivot",
        what: "yaw rate of a tank that pivots at half throttle [deg/s]",
        right: at_least(10.0),
        measure: |run| {
            let drive = run.drive("tank --maneuver m.toml");
            let rates = drive.within("pivot", "yaw rate [deg/s]");
            let last = &rates[rates.len() / 2..];
            (last.iter().sum::<f64>() / last.len() as f64).abs()
        },
    },
    CaseFigure {
        case: "tir-toml-roundtrip",
        what: "commands that refuse what another one wrote",
        right: 0.0..=0.0,
        measure: |run| {
            let tire = "../../reference/tires/mf61_255_55R20.tir";
            let out = run.out("convert").join("x.toml");
            let (toml, page) = (out.display(), out.with_extension("html"));
            let convert = format!("tire convert {tire} --out {toml}");
            assert!(run.command(&convert).status.success());
            let plot = format!("tire plot {toml} --out {}", page.display());
            failures(run, &[&format!("tire check {toml}"), &plot])
        },
    },
    CaseFigure {
        case: "trailer-jackknife-through",
        what: "largest angle of a caravan pushed backward, standalone [deg]",
        right: 45.0..=75.0,
        measure: |run| jackknife(run, "standalone"),
    },
    #[cfg(feature = "rapier")]
    CaseFigure {
        case: "trailer-jackknife-through",
        what: "largest angle of a caravan pushed backward, Rapier [deg]",
        right: 45.0..=75.0,
        measure: |run| jackknife(run, "rapier"),
    },
];

fn failures(run: &Run, commands: &[&str]) -> f64 {
    let fails = |command: &&&str| !run.command(command).status.success();
    commands.iter().filter(fails).count() as f64
}

fn drive_against(run: &Run, obstacle: &str) -> f64 {
    let ground = format!("--ground mesh:{obstacle}.obj --up z --start 0,0");
    run.drive(&format!("sedan --maneuver m.toml {ground}"))
        .most("x [m]")
}

fn climb(run: &Run, ground: &str) -> Telemetry {
    let ground = format!("--ground mesh:{ground}.obj --up z --start 0,0");
    run.drive(&format!("vehicle.toml --maneuver m.toml {ground}"))
}

fn coast(run: &Run, car: &str) -> f64 {
    let drive = run.drive(&format!("{car} --maneuver m.toml"));
    let time = drive.within("coast", "time [s]");
    let speed = drive.within("coast", "forward speed [m/s]");
    // Over a fifth of a second, as passengers feel it.
    let span = time.iter().take_while(|t| **t < time[0] + 0.2).count();
    let pairs = speed.iter().zip(&speed[span..]);
    let losses = pairs.map(|(before, after)| (before - after) / (time[span] - time[0]));
    losses.fold(0.0, f64::max)
}

fn coasting_deceleration(run: &Run) -> f64 {
    let drive = run.drive("vehicle.toml --maneuver m.toml --dt 1/30");
    let time = drive.within("coast", "time [s]");
    let speed = drive.within("coast", "speed [m/s]");
    let below = |v: f64| speed.iter().position(|speed| *speed < v);
    // From 11 to 9 km/h.
    match (below(11.0 / 3.6), below(9.0 / 3.6)) {
        (Some(from), Some(to)) => (speed[from] - speed[to]) / (time[to] - time[from]),
        _ => (speed[0] - speed[speed.len() - 1]) / (time[time.len() - 1] - time[0]),
    }
}

fn gear_changes(run: &Run, car_on_ground: &str) -> f64 {
    let drive = run.drive(&format!("{car_on_ground} --maneuver m.toml"));
    let (time, gears) = (drive.column("time [s]"), drive.column("target gear"));
    let late = time.iter().position(|t| *t > 30.0).unwrap();
    let pairs = gears[late..].windows(2);
    pairs.filter(|pair| pair[0] != pair[1]).count() as f64
}

/// Largest energy of the second stage over that when it began: kinetic energy, and what height adds.
fn energy_over_step(run: &Run, car: &str) -> f64 {
    let drive = run.drive(&format!("{car} --maneuver m.toml --ground steps:0.35"));
    let [time, x, y, z] = ["time [s]", "x [m]", "y [m]", "z [m]"].map(|name| drive.column(name));
    let energy = |n: usize| {
        let speed = |of: &[f64]| (of[n] - of[n - 1]) / (time[n] - time[n - 1]);
        let squares = [&x, &y, &z].map(|of| speed(of) * speed(of));
        0.5 * squares.iter().sum::<f64>() + 9.81 * z[n]
    };
    // The first stage ends after 12 m.
    let start = x.iter().position(|now| *now >= x[0] + 12.0).unwrap();
    let ground = 9.81 * z[start];
    let energies = (start..x.len()).map(|n| energy(n) - ground);
    energies.fold(0.0, f64::max) / (energy(start) - ground)
}

/// Rate at which the sway decays after the kick, over that of the linear car–trailer model (1.677 1/s).
///
/// Samples of a decaying swing obey `y(t + 2τ) = a·y(t + τ) + b·y(t)` with `b = −exp(2·σ·τ)`, for any τ (Prony's method).
fn sway_decay(run: &Run, rate: u32) -> f64 {
    let drive = run.drive(&format!(
        "towcar.toml --tow caravan.toml --maneuver m.toml --dt 1/{rate}"
    ));
    let yaw = drive.within("free", "yaw rate [deg/s]");
    let lag = rate as usize / 5;
    // In the first second, the kick's faster motions fade.
    let swings = &yaw[rate as usize..5 * rate as usize];
    let [mut xx, mut xy, mut yy, mut xz, mut yz] = [0.0; 5];
    for n in 0..swings.len() - 2 * lag {
        let (y, x, z) = (swings[n], swings[n + lag], swings[n + 2 * lag]);
        xx += x * x;
        xy += x * y;
        yy += y * y;
        xz += x * z;
        yz += y * z;
    }
    let b = (xx * yz - xy * xz) / (xx * yy - xy * xy);
    let tau = lag as f64 / f64::from(rate);
    (-b).ln() / (2.0 * tau) / -1.677
}

fn jackknife(run: &Run, world: &str) -> f64 {
    let drive = run.drive(&format!(
        "towcar.toml --tow caravan.toml --maneuver m.toml --world {world}"
    ));
    drive.summary("/towed/peak_angle").to_degrees()
}
