//! Engine, gears and brakes, where the drive's model has them.

use core::f32::consts::PI;

use jounce::drive::{AutoboxParams, BrakeParams, EngineParams, GearboxParams};

use super::finding::{Findings, Rule, Severity, above, below, graded, when};
use super::plausible::{from_rpm, significant};
use super::proportions::is_heavy;
use super::subject::{G, LintedCar, extent};

use Severity::{Error, Note, Warning};

const ENGINE: &str = "Tuning Guide, PxVehicleEngineData";
const AUTOBOX: &str =
    "Tuning Guide, PxVehicleAutoBoxData; Troubleshooting: The Vehicle Never Goes Beyond First Gear";
const TORQUES: &str = "Tuning Guide, PxVehicleWheelData: mMaxBrakeTorque, mMaxHandBrakeTorque";

/// Greatest speed of the engine, `max_speed`. Note outside 150–1300 rad/s, warning outside 50–2500.
const ENGINE_SPEED: Rule = Rule::new(
    "engine-speed",
    "Tuning Guide, PxVehicleEngineData; Troubleshooting: The Engine Rotation Refuses To Spin Quickly",
);
/// Damping rates of the engine. Warning at 0 without throttle, or if they take four times the peak torque.
const ENGINE_DAMPING: Rule = Rule::new("engine-damping", ENGINE);
/// Highest point of the engine's torque curve. Note outside 0.9–1.1, error at 0.
const TORQUE_CURVE: Rule = Rule::new("torque-curve", ENGINE);
/// Each gear ratio over the next. Note outside 1.05–2.2, warning outside 1–4.
const GEAR_STEPS: Rule = Rule::new("gear-steps", "Tuning Guide, PxVehicleGearsData");
/// Latency of the autobox against the time of a change of gears. Warning below 1.5 times, error below once.
const AUTOBOX_LATENCY: Rule = Rule::new("autobox-latency", AUTOBOX);
/// Engine speed after a change up against `down` of the new gear. Warning below.
const AUTOBOX_HUNTING: Rule = Rule::new("autobox-hunting", AUTOBOX);
/// Braking force of all wheels over weight. Warning below 0.5, error at 0.
const BRAKES: Rule = Rule::new("brakes", TORQUES);
/// Share of the braking force on the wheels behind against the weight that they carry, up to 3.5 t. Warning if they lock first
/// at any braking, note at 0.5 g.
const BRAKE_BALANCE: Rule = Rule::new("brakes", "not in the guide: UN Regulation 13-H, annex 5");
/// Braking force of the handbrake over weight. Warning below 0.2.
const HANDBRAKE: Rule = Rule::new("handbrake", TORQUES);

pub(super) fn look(subject: &LintedCar<'_>, findings: &mut Findings) {
    if let Some(engine) = &subject.engine {
        speed(engine, findings);
        engine_damping(engine, findings);
        torque_curve(engine, findings);
    }
    if let Some(gearbox) = &subject.gearbox {
        ratios(gearbox, findings);
        if let Some(autobox) = &subject.autobox {
            latency(autobox, gearbox, findings);
            hunting(autobox, gearbox, findings);
        }
    }
    if !subject.brakes.is_empty() {
        service_brake(subject, findings);
        brake_balance(subject, findings);
        handbrake(subject, findings);
    }
}

fn speed(engine: &EngineParams, findings: &mut Findings) {
    let found = engine.max_speed;
    findings.add(
        graded(found, ([150.0, 1300.0], Note), ([50.0, 2500.0], Warning)),
        ENGINE_SPEED,
        "engine.max_speed",
        format!("{found} rad/s, {:.0} 1/min", 30.0 / PI * found),
        [
            "the manufacturer's value: 200 rad/s for a big diesel, 600 for a car, 1900 for a racing car"
                .to_owned(),
            from_rpm(found).unwrap_or_else(|| "max_speed = 600".to_owned()),
        ],
    );
}

fn engine_damping(engine: &EngineParams, findings: &mut Findings) {
    for (name, rate) in [
        ("damping_full_throttle", engine.damping_full_throttle),
        (
            "damping_zero_throttle_engaged",
            engine.damping_zero_throttle_engaged,
        ),
        (
            "damping_zero_throttle_disengaged",
            engine.damping_zero_throttle_disengaged,
        ),
    ] {
        let damped = rate * engine.max_speed / engine.peak_torque;
        // Under throttle, the torque curve says what the engine gives.
        let never_slows = rate == 0.0 && name != "damping_full_throttle";
        let severity = when(never_slows, Warning).or(above(damped, 4.0, Warning));
        findings.add(
            severity,
            ENGINE_DAMPING,
            &format!("engine.{name}"),
            format!(
                "{rate} N·m·s/rad, {:.0} % of the peak torque at full speed",
                100.0 * damped
            ),
            [
                "at most 400 % of it, and above 0 without throttle: otherwise the engine never slows down"
                    .to_owned(),
                format!("{name} = {}", significant(0.2 * engine.peak_torque / engine.max_speed)),
            ],
        );
    }
}

fn torque_curve(engine: &EngineParams, findings: &mut Findings) {
    let values = engine.torque_curve.0.iter().map(|point| point[1]);
    let most = values.clone().fold(0.0, f32::max);
    findings.add(
        when(most <= 0.0, Error).or(when(!(0.9..=1.1).contains(&most), Note)),
        TORQUE_CURVE,
        "engine.torque_curve",
        format!("its highest point is {most}"),
        [
            "1, where the engine has its peak torque".to_owned(),
            "values of 0 to 1, the highest 1".to_owned(),
        ],
    );
}

fn ratios(gearbox: &GearboxParams, findings: &mut Findings) {
    for (n, pair) in gearbox.forward.windows(2).enumerate() {
        let step = pair[0] / pair[1];
        findings.add(
            graded(step, ([1.05, 2.2], Note), ([1.0, 4.0], Warning)),
            GEAR_STEPS,
            &format!("gearbox.forward, gear {} to {}", n + 1, n + 2),
            format!("{} over {} = {step:.2}", pair[0], pair[1]),
            [
                "each ratio below the one before, by a step of 1.1 to 2".to_owned(),
                format!("{:.2}", pair[0] / 1.5),
            ],
        );
    }
}

/// A newly engaged gear must not be changed again at once.
fn latency(autobox: &AutoboxParams, gearbox: &GearboxParams, findings: &mut Findings) {
    let (latency, switch) = (autobox.latency, gearbox.switch_time);
    findings.add(
        when(latency <= switch, Error).or(below(latency, 1.5 * switch, Warning)),
        AUTOBOX_LATENCY,
        "autobox.latency",
        format!("{latency} s, a change of gears takes {switch} s"),
        [
            "well above the switch time: otherwise the gearbox changes back at once".to_owned(),
            format!("latency = {:.1}", 2.0 * switch),
        ],
    );
}

/// Checks that the engine is fast enough for its new gear after a change up.
fn hunting(autobox: &AutoboxParams, gearbox: &GearboxParams, findings: &mut Findings) {
    let gears = gearbox.forward.windows(2).enumerate();
    for (n, pair) in gears {
        let (Some(up), Some(down)) = (autobox.up.get(n), autobox.down.get(n + 1)) else {
            continue;
        };
        let after = up * pair[1] / pair[0];
        findings.add(
            when(after <= *down, Warning),
            AUTOBOX_HUNTING,
            &format!("autobox.down, gear {}", n + 2),
            format!(
                "changes down below {down} of the maximum speed; the change up leaves {after:.2}"
            ),
            [
                "below what the change up leaves: otherwise the gearbox hunts".to_owned(),
                format!("down = {:.2}", 0.85 * after),
            ],
        );
    }
}

/// Braking force available at the rims, over the weight (–).
pub(super) fn of_weight(subject: &LintedCar<'_>, torque: fn(&BrakeParams) -> f32) -> f32 {
    let pairs = subject.brakes.iter().zip(&subject.params.wheels);
    let force: f32 = pairs
        .map(|(brake, wheel)| torque(brake) / wheel.radius)
        .sum();
    force / (subject.params.chassis.mass * G)
}

fn service_brake(subject: &LintedCar<'_>, findings: &mut Findings) {
    let share = of_weight(subject, |brake| brake.max_torque);
    findings.add(
        when(share <= 0.0, Error).or(below(share, 0.5, Warning)),
        BRAKES,
        "brakes.max_torque",
        format!("{share:.2} of the weight in sum"),
        [
            "at least 0.5, as the law requires for cars; about 1 locks the wheels".to_owned(),
            format!("{:.1} times the torques", 0.8 / share.max(1e-3)),
        ],
    );
}

/// Deceleration (g) up to which rear wheels must not lock before front ones.
const BALANCED: f32 = 0.5;

/// Rear wheels that lock first turn a car around: at `BALANCED`, or however gently it brakes.
fn brake_balance(subject: &LintedCar<'_>, findings: &mut Findings) {
    let Some(balance) = BrakeBalance::of(subject) else {
        return;
    };
    let (braked, light) = (balance.braked, balance.carried(BALANCED));
    findings.add(
        above(braked, balance.carried(0.0), Warning).or(above(braked, light, Note)),
        BRAKE_BALANCE,
        "brakes.max_torque of the wheels behind",
        format!(
            "{:.0} % of the braking on {:.0} % of the weight at {BALANCED} g",
            100.0 * braked,
            100.0 * light
        ),
        [
            "no more of the braking than of the weight: where the rear locks first, the car turns around"
                .to_owned(),
            format!("{:.2} times their torques", balance.cure(BALANCED)),
        ],
    );
}

/// The wheels behind the center of mass.
struct BrakeBalance {
    /// Share of the braking force (–).
    braked: f32,
    /// Share of the weight at rest (–).
    rests: f32,
    /// Share of the weight that moves ahead at a deceleration of 1 g (–).
    moves: f32,
}

impl BrakeBalance {
    /// The balance of a car whose wheels are braked and loaded each by itself.
    fn of(subject: &LintedCar<'_>) -> Option<Self> {
        let (mass, center) = subject.params.chassis.on_wheels();
        let [mut force, mut carried, mut place] = [[0.0_f32; 2]; 3];
        for (n, wheel) in subject.wheels() {
            let end = usize::from(wheel.position.x < center.x);
            let on = wheel.suspension.sprung_mass + wheel.unsprung_mass();
            let torque = subject.brakes.get(n)?.max_torque;
            force[end] += torque / wheel.radius;
            carried[end] += on;
            place[end] += on * wheel.position.x;
        }
        // Tracks turn all of their wheels alike, and a trailer leans on what tows it.
        let support = subject.params.chassis.support.is_some();
        // Heavier vehicles brake by UN Regulation 13.
        let free = !is_heavy(subject) && !support && subject.steering_angle(1.0, 0.0) > 0.0;
        let whole = force[0] + force[1];
        let [ahead, behind] = [0, 1].map(|end| place[end] / carried[end]);
        let ground = extent(subject.wheels().map(|(_, w)| w.position.z - w.radius))[0];
        (free && whole > 0.0 && !carried.contains(&0.0)).then(|| Self {
            braked: force[1] / whole,
            rests: carried[1] / mass,
            moves: (center.z - ground) / (ahead - behind),
        })
    }

    /// Share of the weight that they carry at a deceleration (g).
    fn carried(&self, deceleration: f32) -> f32 {
        self.rests - deceleration * self.moves
    }

    /// Factor on their torques with which both ends lock together at a deceleration (g).
    fn cure(&self, deceleration: f32) -> f32 {
        let carried = self.carried(deceleration).max(0.0);
        carried * (1.0 - self.braked) / ((1.0 - carried) * self.braked)
    }
}

fn handbrake(subject: &LintedCar<'_>, findings: &mut Findings) {
    let share = of_weight(subject, |brake| brake.max_handbrake_torque);
    findings.add(
        below(share, 0.2, Warning),
        HANDBRAKE,
        "brakes.max_handbrake_torque",
        format!("{share:.2} of the weight in sum"),
        [
            "at least 0.2, enough to hold on a slope of 20 %".to_owned(),
            format!("{:.1} times the torques", 0.3 / share.max(1e-3)),
        ],
    );
}
