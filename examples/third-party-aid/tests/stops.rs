//! The ABS stops a sedan without locking, at every rate alike.

use third_party_aid::Abs;
use third_party_aid::stop::{Stop, stop};

fn stops(abs: Option<Abs>, frictions: [f32; 2]) -> Vec<Stop> {
    let rates = [30.0, 60.0, 120.0, 240.0];
    rates.map(|rate| stop(abs, frictions, rate).unwrap()).into()
}

/// Largest distance of stops over the smallest, less 1.
fn spread(stops: &[Stop]) -> f64 {
    let distances = || stops.iter().map(|stop| stop.distance);
    distances().fold(0.0, f64::max) / distances().fold(f64::MAX, f64::min) - 1.0
}

#[test]
fn it_brakes_harder_than_locked_wheels() {
    for friction in [0.9, 0.3] {
        let locked = stops(None, [friction; 2]);
        let kept = stops(Some(Abs::CAR), [friction; 2]);
        assert!(locked.iter().all(|stop| stop.locked > 2.0), "{locked:?}");
        assert!(kept.iter().all(|stop| stop.locked < 0.1), "{kept:?}");
        assert!(kept[1].distance < 0.85 * locked[1].distance, "{kept:?}");
        assert!(spread(&kept) < 0.01, "{kept:?}");
    }
}

/// Grip on the left, ice on the right: locked wheels turn the car around.
#[test]
fn on_split_friction_the_car_stays_straight() {
    let kept = stops(Some(Abs::CAR), [0.8, 0.1]);
    assert!(
        kept.iter()
            .all(|stop| stop.locked < 0.1 && stop.yaw < 6_f32.to_radians()),
        "{kept:?}"
    );
    // UN R13-H, annex 6, with coefficients k of adhesion: z ≥ 0.75·(4·k_low + k_high)/5.
    let least = 0.75 * (4.0 * 0.1 + 0.8) / 5.0;
    let braking = kept
        .iter()
        .map(|stop| (100.0 / 3.6_f64).powi(2) / (2.0 * 9.81 * stop.distance));
    assert!(braking.clone().all(|z| z > least), "{kept:?}");
    assert!(spread(&kept) < 0.01, "{kept:?}");
    assert!(
        stops(None, [0.8, 0.1])[1].yaw > 1.0,
        "without it, it turns around"
    );
}

#[test]
fn faults_are_told_by_their_keys() {
    let wrong = Abs {
        slip: 1.0,
        build: 0.0,
        select_low: Some([2, 7]),
        ..Abs::CAR
    };
    let sedan = jounce::presets::sedan();
    let aids: [std::sync::Arc<dyn jounce::core::DriverAid>; 1] = [std::sync::Arc::new(wrong)];
    let error = (*sedan.model())
        .clone()
        .with_aids(&aids)
        .unwrap_err()
        .to_string();
    for part in ["aids[0].slip", "aids[0].build", "aids[0].select_low"] {
        assert!(error.contains(part), "{error}");
    }
}
