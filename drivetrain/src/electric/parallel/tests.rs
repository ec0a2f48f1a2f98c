use super::*;
use crate::electric::tests::{parallel, parallel_with};
use approx::assert_relative_eq;
use rstest::rstest;

/// A hybrid in a gear of 8 whose wheels turn with 25 rad/s: the input, with 200 rad/s. Its battery has the charge at which the engine
/// charges with half of 8 kW.
fn input() -> ParallelInput {
    ParallelInput {
        memory: EngineMemory {
            running: true,
            ..EngineMemory::default()
        },
        engine_speed: 200.0,
        input_speed: 200.0,
        spin: 25.0,
        speed: 7.5,
        torque: 480.0,
        direction: 1.0,
        ratio: 8.0,
        charge: 0.5,
        duration: 1.0 / 60.0,
    }
}

fn demand(input: &ParallelInput) -> ParallelDemand {
    let params = parallel().params().clone();
    let engine = params.engine.unwrap();
    params.parallel.unwrap().demand(&engine, input)
}

/// Torque that leaves the engine (`N·m`).
fn net(demand: &ParallelDemand, speed: f32) -> f32 {
    demand.coupling.torque - demand.coupling.damping * speed
}

/// The engine gives what the driver asks, and 4 kW for the battery; no more than its 120 N·m. The motor has the rest.
#[rstest]
#[case::charges(480.0, 0.5, 60.0 + 20.0)]
#[case::kept(480.0, 0.6, 60.0)]
#[case::discharges(480.0, 0.7, 60.0 - 20.0)]
#[case::boosted(1600.0, 0.6, 120.0)]
#[case::reverse(480.0, 0.6, 60.0)]
fn the_engine_gives_the_request_and_the_charge(
    #[case] torque: f32,
    #[case] charge: f32,
    #[case] expected: f32,
) {
    let forward = ParallelInput {
        torque,
        charge,
        ..input()
    };
    let reverse = ParallelInput {
        direction: -1.0,
        ratio: -8.0,
        spin: -25.0,
        ..forward
    };
    for input in [forward, reverse] {
        assert_relative_eq!(net(&demand(&input), 200.0), expected, max_relative = 1e-4);
    }
}

/// The clutch starts the engine where the input turns fast enough, its starter where it does not; it closes by itself once the engine
/// fires.
#[rstest]
#[case::turning(0.0, 200.0, 50.0, false)]
#[case::creeping(0.0, 40.0, 0.0, true)]
#[case::closed(200.0, 200.0, f32::INFINITY, false)]
fn a_standing_engine_is_started(
    #[case] engine_speed: f32,
    #[case] input_speed: f32,
    #[case] capacity: f32,
    #[case] starter: bool,
) {
    let demand = demand(&ParallelInput {
        engine_speed,
        input_speed,
        ..input()
    });
    assert_eq!(demand.coupling.capacity, Some(capacity));
    if engine_speed == 0.0 {
        assert_eq!(demand.coupling.torque, 0.0);
        assert_eq!(demand.coupling.idle_torque > 40.0, starter);
    }
}

/// Below 10 kW a standing engine stays off, below 6 kW a running one stops; the clutch is then open. Neutral stops it, too.
#[rstest]
#[case::starts(false, 11_000.0, 1.0, true)]
#[case::stays_off(false, 9000.0, 1.0, false)]
#[case::goes_on(true, 7000.0, 1.0, true)]
#[case::stops(true, 5000.0, 1.0, false)]
#[case::neutral(true, 11_000.0, 0.0, false)]
fn the_engine_runs_by_the_request(
    #[case] running: bool,
    #[case] power: f32,
    #[case] direction: f32,
    #[case] expected: bool,
) {
    let mut at = ParallelInput {
        torque: power / 25.0,
        direction,
        ..input()
    };
    at.charge = 0.6;
    at.memory.running = running;
    let demand = demand(&at);
    assert_eq!(demand.memory.running, expected);
    assert_eq!(demand.coupling.capacity == Some(0.0), !expected);
    assert_eq!(demand.memory.target, if expected { 200.0 } else { 0.0 });
}

#[test]
fn every_fault_is_found() {
    let bad = parallel_with(|params| {
        let parallel = params.parallel.as_mut().unwrap();
        parallel.clutch.pedal = Some(crate::ClutchPedalParams {
            bite_point: 0.7,
            closed_point: 0.3,
        });
        parallel.input_torque = Some(0.0);
        parallel.cranking_torque = 0.0;
        parallel.efficiency = 1.1;
        parallel.gearbox.final_ratio = 0.0;
        parallel.stop_power = 1e6;
    });
    let faults = bad.unwrap_err().0;
    let paths = faults.iter().map(|fault| fault.path.as_str());
    let expected = [
        "parallel.clutch.pedal",
        "parallel.input_torque",
        "parallel.cranking_torque",
        "parallel.gearbox.final_ratio",
        "parallel.efficiency",
        "parallel.stop_power",
    ];
    assert!(paths.eq(expected), "{faults:?}");
}

/// One without an engine, and one beside a power split, are refused.
#[test]
fn it_needs_an_engine_alone() {
    let paths = |change: fn(&mut crate::ElectricDriveParams)| {
        let faults = parallel_with(change).unwrap_err().0;
        faults.into_iter().map(|fault| fault.path).next().unwrap()
    };
    assert_eq!(paths(|params| params.engine = None), "engine");
    let split = |params: &mut crate::ElectricDriveParams| {
        params.power_split = crate::electric::tests::hybrid()
            .params()
            .power_split
            .clone();
    };
    assert_eq!(paths(split), "parallel");
}
