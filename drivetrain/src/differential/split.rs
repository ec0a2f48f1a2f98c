//! How shafts of different speeds share a torque.

/// Whether all spins turn the same way, none standing.
pub(super) fn same_way(spins: &[f32]) -> bool {
    spins.iter().all(|&spin| spin > 0.0) || spins.iter().all(|&spin| spin < 0.0)
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
/// they are limited, so that nothing jumps.
pub(super) fn limit(shares: &mut [f32], spins: &[f32], bias: f32) {
    if shares.len() < 2 {
        return;
    }
    let (sum, magnitudes) = spins
        .iter()
        .fold((0.0, 0.0), |(s, m), spin| (s + spin, m + spin.abs()));
    let before: f32 = shares.iter().sum();
    let forward = |spin: f32| (spin * f32::signum(sum)).max(0.0);
    let all: f32 = spins.iter().map(|&spin| forward(spin)).sum();
    let together = if magnitudes > 0.0 {
        sum.abs() / magnitudes
    } else {
        0.0
    };
    let others = (spins.len() - 1) as f32;
    for (share, &spin) in shares.iter_mut().zip(spins) {
        let own = forward(spin);
        let excess = excess(own, (all - own).max(0.0) / others, bias, CREEP);
        // Rounding could leave none.
        *share *= (1.0 - together * excess).max(f32::EPSILON);
    }
    let after: f32 = shares.iter().sum();
    if after > 0.0 {
        shares.iter_mut().for_each(|share| *share *= before / after);
    }
}
