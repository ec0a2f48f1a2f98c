//! The life of a car depends on the setup, the seed, its number and its actions alone, to the bit.

use proptest::prelude::*;

use super::*;
use crate::setup::Focus;

/// Cars that differ in everything that is drawn, on hills.
fn various(count: usize) -> Setup {
    let between = |low, high| Uniform { low, high };
    let mut setup = Setup::new(presets::sedan(), count, terrain(GroundSpec::Hills(1)));
    setup.cars.push(presets::sports_car());
    setup.observe = names(&["body", "wheel.*", "engine", "air", "drive", "goal"]);
    setup.rewards = vec![("approach".to_owned(), 1.0), ("sideways".to_owned(), -0.1)];
    setup.randomize = Randomize {
        grip: between(0.4, 1.1),
        payload: between(0.0, 300.0),
        x: between(-50.0, 50.0),
        y: between(-50.0, 50.0),
        heading: between(-3.0, 3.0),
        focus: None,
        speed: between(0.0, 20.0),
        wind: between(0.0, 10.0),
        model: true,
    };
    setup.goal = Some(Goal {
        x: between(20.0, 60.0),
        y: between(-10.0, 10.0),
        heading: between(-0.5, 0.5),
        radius: 1.0,
        angle: 0.2,
        speed: 1.0,
    });
    setup.limits.time = 1.0;
    setup
}

/// Cars that differ in everything that is drawn, anywhere on a track.
fn on_track(count: usize) -> Setup {
    let between = |low, high| Uniform { low, high };
    let mut setup = various(count);
    setup.terrain = terrain(GroundSpec::Track("kart".to_owned())).into();
    setup.observe = names(&["body", "wheel.*", "track"]);
    setup.rewards = ["progress", "off_track", "lap", "impact"]
        .map(|term| (term.to_owned(), 1.0))
        .to_vec();
    setup.goal = None;
    setup.limits.off_track = 1.0;
    setup.randomize = Randomize {
        x: between(0.0, 600.0),
        y: between(-2.0, 2.0),
        heading: between(-0.3, 0.3),
        focus: Some(Focus {
            x: between(100.0, 140.0),
            share: 0.3,
        }),
        ..setup.randomize
    };
    setup
}

/// Tractors with trailers.
fn towing(count: usize) -> Setup {
    let between = |low, high| Uniform { low, high };
    let mut setup = various(count);
    setup.cars = vec![presets::load("tractor").unwrap()];
    setup.trailer = Some(presets::load("trailer").unwrap());
    setup.terrain = terrain(GroundSpec::Flat).into();
    setup.observe = names(&["body", "wheel.*", "trailer", "goal"]);
    setup.randomize.model = false;
    setup.randomize.speed = between(-2.0, 5.0);
    setup
}

/// Number of actions of a life: more than an episode.
const STEPS: usize = 30;

/// The action of a car in a step, by its number.
fn action(car: u64, step: usize) -> [f32; 2] {
    let phase = car as f32 + 0.3 * step as f32;
    [1.0 - 0.3 * (phase % 5.0), (phase % 2.0) - 1.0]
}

/// Bits of everything that cars `cars` of a batch see; each is reset when its episode ends.
fn lives(setup: &Setup, cars: core::ops::Range<u64>) -> Vec<Vec<u32>> {
    let mut batch = Batch::new(setup).unwrap();
    let numbers = setup.first..setup.first + setup.count as u64;
    let wanted: Vec<_> = numbers.clone().map(|car| cars.contains(&car)).collect();
    let mut lives = vec![Vec::new(); setup.count];
    let mut out = Steps::default();
    for step in 0..STEPS {
        let actions: Vec<f32> = numbers.clone().flat_map(|car| action(car, step)).collect();
        batch.step(&actions, &mut out).unwrap();
        let width = batch.columns().len();
        for (n, life) in lives.iter_mut().enumerate() {
            let row = &out.observations[n * width..][..width];
            life.extend(row.iter().chain([&out.rewards[n]]).map(|x| x.to_bits()));
            life.push(u32::from(out.ended[n]) + 2 * u32::from(out.cut[n]));
        }
        let over: Vec<_> = out
            .ended
            .iter()
            .zip(&out.cut)
            .map(|(a, b)| *a || *b)
            .collect();
        batch.reset(Some(&over), None, None).unwrap();
        let mut rows = vec![0.0; setup.count * width];
        batch.observe(&mut rows).unwrap();
        for (life, row) in lives.iter_mut().zip(rows.chunks(width)) {
            life.extend(row.iter().map(|x| x.to_bits()));
        }
    }
    let kept = lives.into_iter().zip(wanted).filter(|(_, wanted)| *wanted);
    kept.map(|(life, _)| life).collect()
}

/// Runs `work` in a pool of so many threads, if there are threads.
fn on_threads<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> T {
    #[cfg(feature = "rayon")]
    return rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .unwrap()
        .install(work);
    #[cfg(not(feature = "rayon"))]
    {
        let _ = threads;
        work()
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn a_life_does_not_depend_on_company_worlds_or_threads(
        first in 0_u64..12, count in 1_usize..24, arena in 1_usize..30, threads in 1_usize..5,
        setup in prop::sample::select(vec![various as fn(usize) -> Setup, on_track, towing]),
    ) {
        let mut alone = setup(12);
        alone.arena = 64;
        let mut with_others = setup(count);
        (with_others.first, with_others.arena) = (first, arena);
        let shared = first..12.min(first + count as u64);
        let expected = lives(&alone, shared.clone());
        prop_assert!(!expected.is_empty());
        let found = on_threads(threads, || lives(&with_others, shared));
        prop_assert!(found == expected);
    }

    #[test]
    fn an_episode_that_is_saved_and_restored_goes_on_unchanged(
        steps in 0_usize..19, mask in proptest::collection::vec(any::<bool>(), 5),
        setup in prop::sample::select(vec![various as fn(usize) -> Setup, on_track, towing]),
    ) {
        let mut batch = Batch::new(&setup(5)).unwrap();
        let go = |batch: &mut Batch, steps: core::ops::Range<usize>| {
            let mut out = Steps::default();
            for step in steps {
                let actions: Vec<f32> = (0..5).flat_map(|car| action(car, step)).collect();
                batch.step(&actions, &mut out).unwrap();
            }
            out
        };
        go(&mut batch, 0..steps);
        let saved = batch.snapshot(None).unwrap();
        let unbroken = go(&mut batch, steps..steps + 8);
        let later = batch.snapshot(None).unwrap();
        batch.reset(Some(&mask), None, None).unwrap();
        let mut other = setup(5);
        other.arena = 2;
        let mut other = Batch::new(&other).unwrap();
        for batch in [&mut batch, &mut other] {
            batch.restore(&saved, None).unwrap();
            prop_assert_eq!(&batch.snapshot(None).unwrap(), &saved);
            let again = go(batch, steps..steps + 8);
            prop_assert!(again == unbroken);
            prop_assert!(batch.snapshot(None).unwrap() == later);
        }
    }
}

#[test]
fn a_new_seed_begins_the_first_episode_of_a_new_batch() {
    let mut reset = Batch::new(&various(6)).unwrap();
    drive(&mut reset, &[1.0, 0.3], 7);
    reset.reset(None, Some(9), None).unwrap();
    let mut setup = various(6);
    setup.seed = 9;
    let mut new = Batch::new(&setup).unwrap();
    assert_eq!(reset.snapshot(None).unwrap(), new.snapshot(None).unwrap());
    let [a, b] = [&mut reset, &mut new].map(|batch| drive(batch, &[0.5, -0.2], 5));
    assert_eq!(a, b);
    let other = Batch::new(&various(6)).unwrap();
    assert_ne!(other.snapshot(None).unwrap(), new.snapshot(None).unwrap());
}

#[test]
fn a_masked_reset_leaves_other_cars_alone() {
    let mut batch = Batch::new(&various(4)).unwrap();
    drive(&mut batch, &[1.0, 0.0], 4);
    let others = [true, false, true, true];
    let before = batch.snapshot(Some(&others)).unwrap();
    let distance = column(&batch, "goal.distance")[1];
    batch
        .reset(Some(&[false, true, false, false]), None, None)
        .unwrap();
    assert_eq!(batch.snapshot(Some(&others)).unwrap(), before);
    assert_ne!(column(&batch, "goal.distance")[1], distance);
}
