//! How shafts of different speeds share a torque.

/// Whether all spins turn the same way, none standing.
pub(super) fn same_way(spins: &[f32]) -> bool {
    spins.iter().all(|&spin| spin > 0.0) || spins.iter().all(|&spin| spin < 0.0)
}

/// Spins of two axles as differentials compare them: a wheel that is off counts as turning as its
/// mate does, and an axle that is off as the other one.
pub(super) fn turning(spins: [f32; 4], off: [bool; 4]) -> [f32; 4] {
    let [a, b, c, d] = core::array::from_fn(|n| {
        let mate = n ^ 1;
        spins[if off[n] && !off[mate] { mate } else { n }]
    });
    match off {
        [true, true, ..] => [c, d, c, d],
        [.., true, true] => [a, b, a, b],
        _ => [a, b, c, d],
    }
}

/// Slower than this, a smooth differential is hardly limited [rad/s].
pub(super) const CREEP: f32 = 0.5;

/// How far the faster of two shafts is beyond `bias` times the slower one, over its speed: −1…1,
/// positive if the first is the faster one. Speeds ≥ 0 [rad/s].
pub(super) fn excess(first: f32, second: f32, bias: f32, creep: f32) -> f32 {
    let (fast, slow) = (first.max(second), first.min(second));
    let excess = (fast - bias * slow).max(0.0) / (fast + creep);
    if first >= second { excess } else { -excess }
}

/// Shares of two shafts: `split` for the first without excess, else less for the faster one. Their
/// sum is 1.
pub(super) fn shared(split: f32, excess: f32) -> (f32, f32) {
    let (a, b) = (split * (1.0 - excess), (1.0 - split) * (1.0 + excess));
    let sum = a + b;
    if sum > 0.0 {
        (a / sum, b / sum)
    } else {
        (split, 1.0 - split)
    }
}

/// Takes from the `shares` of shafts with these spins [rad/s] that turn beyond `bias` times the
/// mean of the others, and gives to those that others turn beyond; the sum stays. Two shafts share
/// as by [`shared`] when they turn the same way; the more they turn against each other, the less
/// they are limited, so that nothing jumps. Shafts without a spin are off: they are not compared, and
/// their shares stay.
pub(super) fn limit(shares: &mut [f32], spins: &[Option<f32>], bias: f32) {
    let turning = || spins.iter().flatten();
    let count = turning().count();
    if count < 2 {
        return;
    }
    let (sum, magnitudes) = turning().fold((0.0, 0.0), |(s, m), spin| (s + spin, m + spin.abs()));
    let before = of_turning(shares, spins);
    let forward = |spin: f32| (spin * f32::signum(sum)).max(0.0);
    let all: f32 = turning().map(|&spin| forward(spin)).sum();
    let together = if magnitudes > 0.0 {
        sum.abs() / magnitudes
    } else {
        0.0
    };
    let others = (count - 1) as f32;
    for (share, spin) in shares.iter_mut().zip(spins) {
        let Some(spin) = *spin else { continue };
        let own = forward(spin);
        let excess = excess(own, (all - own).max(0.0) / others, bias, CREEP);
        // Rounding could leave none.
        *share *= (1.0 - together * excess).max(f32::EPSILON);
    }
    let after = of_turning(shares, spins);
    if after > 0.0 {
        for (share, _) in shares.iter_mut().zip(spins).filter(|(_, s)| s.is_some()) {
            *share *= before / after;
        }
    }
}

/// Sum of the shares of shafts that are on.
fn of_turning(shares: &[f32], spins: &[Option<f32>]) -> f32 {
    let on = shares.iter().zip(spins).filter(|(_, spin)| spin.is_some());
    on.map(|(share, _)| share).sum()
}
