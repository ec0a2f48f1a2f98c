//! Time of `phases::update`: 1 to 1000 sedans (and, as `magic-formula`, SUVs) in mixed driving on
//! a plane.
//!
//! Drives are recorded first; the timed loop plays them back. At the end of a recording the vehicle is reset to its
//! start. Medians: `cargo xtask bench`.

use core::time::Duration;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use jounce::core::Vehicle;
use jounce::file::Car;

mod drives;

use drives::{DRIVES, Frame, Player, explicit, look, ready, record};

/// Vehicles per update.
const COUNTS: [usize; 3] = [1, 100, 1000];

fn measure(criterion: &mut Criterion, name: &str, car: &Car, after: fn(&Vehicle)) {
    let model = car.model();
    let drives: Vec<Vec<Frame>> = (0..DRIVES).map(|n| record(car, n)).collect();
    let mut group = criterion.benchmark_group("update");
    group
        .sample_size(50)
        .warm_up_time(Duration::from_millis(500))
        .measurement_time(Duration::from_secs(2));
    for count in COUNTS {
        let player = |n| Player::new(&model, &drives, n);
        let mut players: Vec<Player> = (0..count).map(player).collect();
        group.throughput(Throughput::Elements(count as u64));
        group.bench_function(BenchmarkId::new(name, count), |bench| {
            bench.iter(|| {
                for player in &mut players {
                    player.step(&drives);
                    after(&player.vehicle);
                }
            });
        });
    }
    group.finish();
}

fn update(criterion: &mut Criterion) {
    let sedan = |keys: &str| ready("sedan", keys);
    let fine = "rows = { max_substep = 0.008333334 }";
    measure(criterion, "as-shipped", &sedan(""), |_| {});
    measure(criterion, "fine", &sedan(fine), |_| {});
    measure(criterion, "report-and-poses", &sedan(""), look);
    measure(criterion, "magic-formula", &ready("suv", ""), |_| {});
    measure(
        criterion,
        "explicit-1-substep",
        &sedan(&explicit(1)),
        |_| {},
    );
    measure(
        criterion,
        "explicit-3-substeps",
        &sedan(&explicit(3)),
        |_| {},
    );
}

criterion_group!(benches, update);
criterion_main!(benches);
