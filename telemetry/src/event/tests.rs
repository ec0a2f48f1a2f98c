use super::VehicleEvent::{
    AidBegins, AidEnds, EngineStalls, EngineStarts, EngineStops, GearGrinds, LimiterBegins,
    LimiterEnds, LockUpCloses, LockUpOpens, ShiftBegins, ShiftEnds, SlipBegins, SlipEnds,
};
use super::*;
use rstest::rstest;

/// Length of a step (`s`).
const STEP: f32 = 0.01;

const ENGINE: WatchedEngine = WatchedEngine {
    idle_speed: 100.0,
    limit: 600.0,
    is_controlled: false,
};

/// First gear at 200 rad/s, without throttle.
const DRIVING: WatchedStep = WatchedStep {
    duration: STEP,
    engine_speed: 200.0,
    throttle: 0.0,
    gears: [Gear::FIRST; 2],
    lever: None,
    lock_up: 0.0,
};

/// A wheel that rolls at 20 m/s with this slip.
fn rolling(slip_ratio: f32) -> WheelSlip {
    WheelSlip {
        slip_ratio,
        slip_angle: 0.0,
        speeds: [20.0; 2],
        in_air: false,
    }
}

/// Events of steps, with the index of their step.
fn events(engine: WatchedEngine, steps: &[WatchedStep]) -> Vec<(usize, VehicleEvent)> {
    let mut watcher = EventWatcher::new(Some(engine), 0, 0);
    let mut told = vec![];
    for (n, step) in steps.iter().enumerate() {
        let none = core::iter::empty();
        watcher.watch_step(step, none, core::iter::empty(), &mut |event| {
            told.push((n, event));
        });
    }
    told
}

/// Events of one wheel and one aid whose slip and activity are these in steps of 0.1 s.
fn of_one(slip: impl Fn(f32) -> WheelSlip, values: &[f32]) -> Vec<(usize, VehicleEvent)> {
    let mut watcher = EventWatcher::new(None, 1, 1);
    let mut told = vec![];
    for (n, value) in values.iter().enumerate() {
        let step = WatchedStep {
            duration: 0.1,
            ..DRIVING
        };
        let (wheels, aids) = ([slip(*value)], [*value]);
        watcher.watch_step(&step, wheels.into_iter(), aids.into_iter(), &mut |event| {
            told.push((n, event));
        });
    }
    told
}

#[rstest]
#[case::stalls(false, EngineStalls)]
#[case::stops(true, EngineStops)]
fn an_engine_starts_and_ends(#[case] is_controlled: bool, #[case] ends: VehicleEvent) {
    let engine = WatchedEngine {
        is_controlled,
        ..ENGINE
    };
    let speeds = [100.0, 40.0, 20.0, 0.0, 70.0, 90.0, 60.0];
    let steps = speeds.map(|engine_speed| WatchedStep {
        engine_speed,
        ..DRIVING
    });
    assert_eq!(events(engine, &steps), [(2, ends), (5, EngineStarts)]);
}

/// A change is told at its beginning and its end, also one that ends within a step, or to another gear than it began.
#[test]
fn gears_change() {
    let [first, second, third] = [Gear::FIRST, Gear(2), Gear(3)];
    let between = Gear::NEUTRAL;
    let gears = [
        [first, first],
        [between, second],
        [between, second],
        [second, second],
        [third, third],
        [between, second],
        [between, third],
        [third, third],
    ];
    let steps = gears.map(|gears| WatchedStep { gears, ..DRIVING });
    let begins = |from, to| ShiftBegins { from, to };
    let expected = [
        (1, begins(first, second)),
        (3, ShiftEnds { gear: second }),
        (4, begins(second, third)),
        (4, ShiftEnds { gear: third }),
        (5, begins(third, second)),
        (6, begins(between, third)),
        (7, ShiftEnds { gear: third }),
    ];
    assert_eq!(events(ENGINE, &steps), expected);
}

/// A lever in a gear that does not go in grinds once per try; neutral goes in, and so does a gear that is being engaged.
#[test]
fn a_refused_gear_grinds() {
    let second = Some(Gear(2));
    let levers = [None, second, second, Some(Gear::NEUTRAL), second, None];
    let steps = levers.map(|lever| WatchedStep { lever, ..DRIVING });
    let grinds = GearGrinds { gear: Gear(2) };
    assert_eq!(events(ENGINE, &steps), [(1, grinds), (4, grinds)]);
    let goes_in = WatchedStep {
        lever: second,
        gears: [Gear::NEUTRAL, Gear(2)],
        ..DRIVING
    };
    let told = events(ENGINE, &[DRIVING, goes_in]);
    assert!(
        told.iter()
            .all(|(_, event)| !matches!(event, GearGrinds { .. }))
    );
}

/// The limiter pulses; its end is told once it has been over for 0.2 s. Without throttle, nothing limits.
#[test]
fn a_limiter_is_told_once() {
    let step = |engine_speed, throttle| WatchedStep {
        engine_speed,
        throttle,
        duration: 0.1,
        ..DRIVING
    };
    let pulses = [590.0, 595.0, 560.0, 595.0, 560.0, 560.0, 560.0].map(|speed| step(speed, 1.0));
    assert_eq!(
        events(ENGINE, &pulses),
        [(1, LimiterBegins), (5, LimiterEnds)]
    );
    assert_eq!(events(ENGINE, &[step(600.0, 0.0); 3]), []);
}

#[test]
fn a_lock_up_clutch_closes_and_opens() {
    let steps = [0.0, 0.5, 1.0, 0.5, 0.0, 0.0].map(|lock_up| WatchedStep { lock_up, ..DRIVING });
    assert_eq!(
        events(ENGINE, &steps),
        [(2, LockUpCloses), (4, LockUpOpens)]
    );
}

/// Tires and aids begin at once, and end after 0.2 s.
#[test]
fn tires_slide_and_aids_act() {
    let told = of_one(rolling, &[0.0, 0.3, 0.0, 0.3, 0.0, 0.0, 0.0]);
    let expected = [
        (1, SlipBegins { wheel: 0 }),
        (1, AidBegins { aid: 0 }),
        (5, SlipEnds { wheel: 0 }),
        (5, AidEnds { aid: 0 }),
    ];
    assert_eq!(told, expected);
}

/// Standing wheels and wheels in the air do not slide; those that spin at a standstill and those that slide sideways do.
#[rstest]
#[case::stands(WheelSlip { speeds: [0.1, 0.2], ..rolling(1.0) }, false)]
#[case::spins(WheelSlip { speeds: [0.0, 5.0], ..rolling(1.0) }, true)]
#[case::air(WheelSlip { in_air: true, ..rolling(1.0) }, false)]
#[case::sideways(WheelSlip { slip_angle: -0.3, ..rolling(0.0) }, true)]
fn only_rolling_wheels_slide(#[case] slip: WheelSlip, #[case] slides: bool) {
    let told = of_one(|_| slip, &[0.0]);
    assert_eq!(told == [(0, SlipBegins { wheel: 0 })], slides);
}
