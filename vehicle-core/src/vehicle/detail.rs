//! Levels of detail: less computation for vehicles that are not watched closely.
//!
//! Options, by decreasing cost: wheels that are bodies on an engine's joints, struts and tires as constraints, swept
//! wheels, rays, fewer wheels or another version of the vehicle
//! ([`Vehicle::set_model_with`](crate::Vehicle::set_model_with)), fewer probes ([`Detail::probe_every`]), fewer updates
//! ([`Detail::update_every`]). Vehicles take turns, so that all steps cost about the same. The crate `jounce-jointed-wheels`
//! has all of them as the rungs of a `Ladder`, which [`level_at`] climbs.

use crate::base::checked::{Check, Inspector};

/// How much of a step is computed for a vehicle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum UpdateLevel {
    /// Probe and update.
    #[default]
    Full,
    /// Update on the known ground planes.
    KnownGround,
    /// No update; the motion of the last step continues: [`extrapolate`](crate::phases::extrapolate).
    Extrapolated,
}

/// How often a vehicle probes the ground and is updated. [`Fleet`](crate::Fleet) and plugins raise the update level
/// to [`UpdateLevel::Full`] for vehicles that do not know their ground
/// ([`knows_ground`](crate::phases::knows_ground)), such as those on a body that can move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Detail {
    /// Updates per probe, 1…60. Where the next probe is more than 1/20 s away, the vehicle does not see that the ground ends
    /// before it.
    pub probe_every: u32,
    /// Steps per update, 1…3: at most two steps are extrapolated.
    pub update_every: u32,
}

impl Detail {
    /// Every step is a full one.
    pub const FULL: Self = Self {
        probe_every: 1,
        update_every: 1,
    };

    /// Fewest steps between two probes of a vehicle that sleeps.
    pub const ASLEEP: u32 = 8;

    /// The update level requested in step number `step` for the vehicle at this `index`, which determines its turn;
    /// [`required_level`](crate::phases::required_level) raises it if necessary. Values out of range are
    /// clamped.
    #[must_use]
    pub fn update_level(&self, step: u64, index: u64) -> UpdateLevel {
        let turn = step.wrapping_add(index);
        let update = u64::from(self.update_every.clamp(1, Self::MOST_STEPS));
        let probe = u64::from(self.probe_every.clamp(1, Self::MOST_UPDATES));
        if !turn.is_multiple_of(update) {
            UpdateLevel::Extrapolated
        } else if !(turn / update).is_multiple_of(probe) {
            UpdateLevel::KnownGround
        } else {
            UpdateLevel::Full
        }
    }

    /// This detail with at least [`Detail::ASLEEP`] steps from probe to probe, for a vehicle that sleeps: it needs
    /// one only to see that the ground under it was changed, and each update still asks what else wakes it.
    #[must_use]
    pub fn while_asleep(self) -> Self {
        let fewest = Self::ASLEEP.div_ceil(self.update_every.max(1));
        Self {
            probe_every: self.probe_every.max(fewest),
            ..self
        }
    }

    const MOST_UPDATES: u32 = 60;
    const MOST_STEPS: u32 = 3;
}

impl Default for Detail {
    fn default() -> Self {
        Self::FULL
    }
}

impl Check for Detail {
    fn check(&self, i: &mut Inspector) {
        for (name, every, most) in [
            ("probe_every", self.probe_every, Self::MOST_UPDATES),
            ("update_every", self.update_every, Self::MOST_STEPS),
        ] {
            let rule = alloc::format!("must be within 1..={most}");
            i.rule((1..=most).contains(&every), name, every, "", rule);
        }
    }
}

/// A usual hysteresis of [`level_at`] (–).
pub const HYSTERESIS: f32 = 0.1;

/// Level of a vehicle at `distance` (`m`): level `n` ends at `ends[n]` (`m`, ascending), and one more follows
/// the last end. Return to a finer level than `present` takes a distance of less than its end over one plus `hysteresis`
/// (–, ≥ 0; [`HYSTERESIS`]), which prevents flicker.
#[must_use]
pub fn level_at(ends: &[f32], hysteresis: f32, distance: f32, present: usize) -> usize {
    let level = |distance: f32| ends.iter().filter(|end| distance > **end).count();
    let (outer, inner) = (level(distance), level(distance * (1.0 + hysteresis)));
    if outer > present {
        outer
    } else {
        inner.min(present)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use rstest::rstest;

    #[rstest]
    #[case::full(1, 1, "FFFFFFFFFFFF")]
    #[case::fewer_queries(4, 1, "FKKKFKKKFKKK")]
    #[case::fewer_updates(1, 3, "FEEFEEFEEFEE")]
    #[case::both(2, 2, "FEKEFEKEFEKE")]
    #[case::out_of_range(0, 9, "FEEFEEFEEFEE")]
    fn vehicles_take_turns(
        #[case] probe_every: u32,
        #[case] update_every: u32,
        #[case] update_levels: &str,
    ) {
        let detail = Detail {
            probe_every,
            update_every,
        };
        for (index, step) in (0..12).flat_map(|index| (0..12).map(move |step| (index, step))) {
            let expected = match update_levels.as_bytes()[(index + step) % 12] {
                b'F' => UpdateLevel::Full,
                b'K' => UpdateLevel::KnownGround,
                _ => UpdateLevel::Extrapolated,
            };
            assert_eq!(detail.update_level(step as u64, index as u64), expected);
        }
    }

    #[rstest]
    #[case::full(1, 1, 8)]
    #[case::fewer_probes(3, 1, 8)]
    #[case::few_enough(9, 1, 9)]
    #[case::fewer_updates(2, 3, 9)]
    #[case::far(8, 3, 24)]
    #[case::out_of_range(0, 0, 8)]
    fn sleepers_probe_rarely(
        #[case] probe_every: u32,
        #[case] update_every: u32,
        #[case] steps: usize,
    ) {
        let detail = Detail {
            probe_every,
            update_every,
        };
        let probes = |step: &u64| detail.while_asleep().update_level(*step, 0) == UpdateLevel::Full;
        let actual: alloc::vec::Vec<u64> = (0..80).filter(probes).collect();
        assert!(
            actual
                .windows(2)
                .all(|pair| pair[1] - pair[0] == steps as u64),
            "{actual:?}"
        );
        assert!(actual.len() > 2);
    }

    #[rstest]
    #[case(Detail::FULL, 0)]
    #[case(Detail { probe_every: 0, update_every: 4 }, 2)]
    #[case(Detail { probe_every: 61, update_every: 3 }, 1)]
    fn ranges_are_checked(#[case] detail: Detail, #[case] faults: usize) {
        let mut inspector = Inspector::new();
        detail.check(&mut inspector);
        let actual = inspector.verdict().err().map_or(0, |actual| actual.0.len());
        assert_eq!(actual, faults);
    }

    #[rstest]
    #[case::near(50.0, 0, 0)]
    #[case::leaves_at_the_end(101.0, 0, 1)]
    #[case::stays_a_little_within(95.0, 1, 1)]
    #[case::comes_back(90.0, 1, 0)]
    #[case::far_at_once(500.0, 0, 2)]
    #[case::near_at_once(10.0, 2, 0)]
    fn levels_have_hysteresis(#[case] distance: f32, #[case] present: usize, #[case] level: usize) {
        assert_eq!(
            level_at(&[100.0, 300.0], HYSTERESIS, distance, present),
            level
        );
    }

    const ENDS: [f32; 3] = [10.0, 30.0, 31.0];

    proptest! {
        /// Wherever a vehicle moves: it is at once on a level of its distance, within the hysteresis, and stays there
        /// while the distance does. It turns back only after that share of the distance.
        #[test]
        fn levels_follow_the_distance_without_flicker(
            distances in prop::collection::vec(0.0..50.0_f32, 1..40),
            hysteresis in prop_oneof![Just(HYSTERESIS), 0.0..0.5_f32],
        ) {
            let (mut level, mut last) = (0, None);
            for distance in distances {
                let before = level;
                level = level_at(&ENDS, hysteresis, distance, before);
                prop_assert_eq!(level_at(&ENDS, hysteresis, distance, level), level);
                let begins = level.checked_sub(1).map_or(0.0, |n| ENDS[n]);
                let ends = ENDS.get(level).copied().unwrap_or(f32::MAX);
                prop_assert!(distance * (1.0 + hysteresis) > begins && distance <= ends, "{distance} m: {level}");
                if level != before {
                    let outward = level > before;
                    if let Some((at, was)) = last.replace((distance, outward))
                        && was != outward
                    {
                        let ratio = if outward { distance / at } else { at / distance };
                        prop_assert!(ratio > 0.999 + hysteresis, "{at} m, {distance} m");
                    }
                }
            }
        }
    }
}
