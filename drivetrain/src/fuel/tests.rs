use super::*;
use alloc::vec;
use alloc::vec::Vec;
use approx::assert_relative_eq;
use rstest::rstest;
use vehicle_core::Checked;

/// Petrol in an engine of 1 l.
pub(crate) fn petrol() -> FuelParams {
    FuelParams {
        heating_value: 42.0e6,
        density: 745.0,
        efficiency: 0.4,
        friction: Curve(vec![[0.0, 10.0], [500.0, 20.0]]),
        cut_speed: None,
        map: None,
    }
}

fn mapped() -> FuelParams {
    FuelParams {
        map: Some(SpeedMap {
            speeds: vec![100.0, 300.0],
            rows: vec![(20.0, vec![400.0, 420.0]), (120.0, vec![250.0, 240.0])],
        }),
        ..petrol()
    }
}

/// Of `(T + T_f)·ω/(e·H)`, with friction of 14 N·m at 200 rad/s.
#[rstest]
#[case::load(200.0, 100.0, 114.0 * 200.0 / (0.4 * 42.0e6))]
#[case::idle(75.0, 0.0, 11.5 * 75.0 / (0.4 * 42.0e6))]
#[case::overrun(200.0, -14.0, 0.0)]
#[case::more_overrun(200.0, -50.0, 0.0)]
#[case::standing(0.0, 50.0, 0.0)]
fn a_willans_line_is_straight(#[case] speed: f32, #[case] torque: f32, #[case] expected: f32) {
    assert_relative_eq!(petrol().flow(speed, torque), expected, max_relative = 1e-5);
}

/// Grams per kilowatt-hour of the map at its torques, and half of the least one's flow and of that without load between.
#[rstest]
#[case::point(100.0, 120.0, 250.0 * 12.0)]
#[case::between(200.0, 70.0, 327.5 * 14.0)]
#[case::least(300.0, 20.0, 420.0 * 6.0)]
fn a_map_has_specific_consumptions(#[case] speed: f32, #[case] torque: f32, #[case] grams: f32) {
    let per_hour = 3.6e6 * mapped().flow(speed, torque);
    assert_relative_eq!(per_hour, grams, max_relative = 1e-5);
    let below = mapped().flow(300.0, 10.0);
    let mean = 0.5 * (mapped().flow(300.0, 20.0) + petrol().flow(300.0, 0.0));
    assert_relative_eq!(below, mean, max_relative = 1e-5);
    assert_eq!(mapped().flow(300.0, -200.0), 0.0);
}

/// 1.5 of an idle speed of 80 rad/s is 120 rad/s.
#[rstest]
#[case::cut(0.0, -2.0, 121.0, None, true)]
#[case::too_slow(0.0, -2.0, 119.0, None, false)]
#[case::own_speed(0.0, -2.0, 119.0, Some(110.0), true)]
#[case::throttle(0.1, -2.0, 121.0, None, false)]
#[case::idle_controller(0.0, 0.0, 121.0, None, false)]
fn injection_is_cut_on_overrun(
    #[case] throttle: f32,
    #[case] torque: f32,
    #[case] speed: f32,
    #[case] cut_speed: Option<f32>,
    #[case] cut: bool,
) {
    let work = EngineWork {
        speed,
        torque,
        throttle,
    };
    let fuel = FuelParams {
        cut_speed,
        ..petrol()
    };
    assert_eq!(fuel.flow_in(&work, 80.0) == 0.0, cut);
}

/// An hour of 1 g/s at 240 Hz is 3.6 kg, though single precision would lose a thousandth of it.
#[test]
fn small_parts_are_not_lost() {
    let mut memory = FuelMemory {
        duration: 1.0 / 240.0,
        ..FuelMemory::default()
    };
    let mut values = [0.0; FuelMemory::LENGTH];
    for _ in 0..3600 * 240 {
        memory.add(1e-3);
        memory.write(&mut values);
        memory = FuelMemory::read(&values);
    }
    let used = memory.used(&petrol());
    assert_relative_eq!(used.mass, 3.6, max_relative = 1e-6);
    assert_relative_eq!(used.volume, 3.6 / 745.0, max_relative = 1e-6);
    assert_eq!(used.flow, 1e-3);
    assert_eq!(FuelMemory::read(&values[1..]), FuelMemory::default());
}

#[test]
fn every_fault_is_named() {
    let bad = FuelParams {
        heating_value: 0.0,
        density: -1.0,
        efficiency: 1.1,
        friction: Curve(vec![[0.0, -1.0]]),
        cut_speed: Some(-1.0),
        map: Some(SpeedMap {
            speeds: vec![0.0, 300.0],
            rows: vec![(0.0, vec![300.0, 300.0]), (50.0, vec![300.0, 300.0])],
        }),
    };
    let faults = Checked::new(bad).unwrap_err().0;
    let paths: Vec<&str> = faults.iter().map(|fault| fault.path.as_str()).collect();
    let expected = [
        "heating_value",
        "density",
        "efficiency",
        "friction.[0].y",
        "cut_speed",
        "map.rows[0][0]",
    ];
    assert_eq!(paths, expected);
    assert!(Checked::new(mapped()).is_ok());
}
