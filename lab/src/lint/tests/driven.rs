//! Numbers of what was driven go together.

use super::proposals::{found, numbers};
use super::*;

fn finding(rule: &str, changes: &[(&str, &str)]) -> Finding {
    found(&sedan_with(changes), rule, "").unwrap()
}

fn close(found: f64, wanted: f64, bound: f64) {
    assert!((found - wanted).abs() <= bound, "{found} for {wanted}");
}

/// A stop may take 2 s, plus the time that 1.5 m/s² takes.
#[test]
fn a_car_with_weak_brakes_is_given_time() {
    let weak = [
        ("max_torque = 1900.0", "max_torque = 20.0"),
        ("max_torque = 950.0", "max_torque = 10.0"),
    ];
    let stops = finding("stops", &weak);
    let [speed, time, before] = numbers(&stops.found)[..] else {
        panic!("{}", stops.found)
    };
    close(numbers(&stops.wanted)[0], 2.0 + before / 1.5, 0.1);
    close(time, 2.0 + before / 1.5, 0.1);
    assert!(speed > 1.0 && speed < before, "{}", stops.found);
}

/// The sedan steers at 20 m/s, and turns with the inertia of its box.
#[test]
fn a_car_that_turns_too_soon_is_told_the_inertia_of_its_box() {
    let nervous = finding(
        "turns-in",
        &[(
            "inertia = [560.0, 2400.0, 2650.0]",
            "inertia = [560.0, 2400.0, 800.0]",
        )],
    );
    let [time, share, speed] = numbers(&nervous.found)[..] else {
        panic!("{}", nervous.found)
    };
    assert!(
        (0.01..0.08).contains(&time) && share == 63.0,
        "{}",
        nervous.found
    );
    close(speed, 20.0, 1.0);
    close(
        numbers(&nervous.proposal)[0],
        125.0 * (4.6 * 4.6 + 1.82 * 1.82),
        1.0,
    );
}

/// Four springs of 100 N/m each leave 1500 kg to the stops.
#[test]
fn a_car_that_sinks_is_told_how_far() {
    let sunk = finding(
        "sinks",
        &[
            (
                FRONT_SPRING,
                "stiffness = 100.0, damping = 300.0, sprung_mass = 409.5",
            ),
            (
                REAR_SPRING,
                "stiffness = 100.0, damping = 300.0, sprung_mass = 333.2",
            ),
        ],
    );
    assert!(
        (80.0..160.0).contains(&numbers(&sunk.found)[0]),
        "{}",
        sunk.found
    );
}

/// An engine of 500 kg·m² reaches little of 680 rad/s in 4 s.
#[test]
fn a_lazy_engine_is_told_its_speeds() {
    let lazy = finding("engine-spins", &[("inertia = 0.22 ", "inertia = 500.0 ")]);
    let told = numbers(&lazy.found);
    assert_eq!(told[1..], [680.0, 4.0]);
    // 230 N·m for 4 s, and more where the torque curve is below 1.
    assert!(told[0] <= 230.0 * 4.0 / 500.0 + 80.0, "{}", lazy.found);
}

/// A tenth of its power moves it a tenth as far.
#[test]
fn a_sluggish_car_is_told_how_far_it_came() {
    let told = numbers(&finding("moves", &[("peak_torque = 230.0 ", "peak_torque = 20.0 ")]).found);
    let [way, time, spin] = told[..] else {
        panic!("{told:?}")
    };
    assert!((0.5..4.0).contains(&way) && time == 4.0, "{told:?}");
    // From a standstill at an even rate, it is twice as fast at the end as on the way.
    close(spin * 0.32, 2.0 * way / time, 0.5 * way / time + 0.1);
}

#[test]
fn a_car_that_rolls_on_hardly_slows_down() {
    let told = numbers(
        &finding(
            "slows-down",
            &[
                ("damping = 0.1\n", "damping = 0.0\n"),
                ("damping = 0.1 ", "damping = 0.0 "),
                (
                    "damping_zero_throttle_engaged = 0.12",
                    "damping_zero_throttle_engaged = 0.0",
                ),
                (
                    "damping_full_throttle = 0.05",
                    "damping_full_throttle = 0.0",
                ),
            ],
        )
        .found,
    );
    let [before, after, time] = told[..] else {
        panic!("{told:?}")
    };
    assert!(
        before > 5.0 && after > 0.99 * before && time == 4.0,
        "{told:?}"
    );
}

/// Steering of 0.1° at full lock: degrees are of a bend, not of a wheel.
#[test]
fn a_car_that_goes_straight_on_is_told_how_little_it_turned() {
    for (lock, low, high) in [("0.1", -1.0, 1.2), ("2.0", 1.0, 9.0)] {
        let changed = format!("max_deg = {lock}");
        let told = numbers(&finding("steers", &[("max_deg = 36.0", &changed)]).found);
        assert!((low..high).contains(&told[0]), "{lock}: {told:?}");
        assert_eq!(told[1..], [3.0, 0.6]);
    }
}

/// Half of a car's grip spins its wheels for some of 4 s.
#[test]
fn a_slippery_car_is_told_how_long_it_spun() {
    let told = numbers(&finding("wheel-spin", &[("model = \"street\", force_height = 0.20",
        "model = \"street\", force_height = 0.20, friction_curve = [[0.0, 0.5], [0.1, 0.5], [1.0, 0.5]]")]).found);
    assert!((2.0..=4.0).contains(&told[0]) && told[1] == 4.0, "{told:?}");
}
