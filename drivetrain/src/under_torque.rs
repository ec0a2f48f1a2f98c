//! Changes of gears under torque: clutches of the gearbox change its ratio while they transmit torque.

/// Ratio of a gearbox (–), and torque that its clutches transmit at most (`N·m`), at its input.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct EngagedGear {
    pub(crate) ratio: f32,
    pub(crate) capacity: f32,
}

/// A change of gears at the start of a substep.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ChangeUnderTorque {
    /// Total ratios of the last and the next gear (–).
    pub(crate) ratios: [f32; 2],
    /// Torque on the gearbox's input (`N·m`), its speed (`rad/s`), and what turns with it (`kg·m²`).
    pub(crate) torque: f32,
    pub(crate) speed: f32,
    pub(crate) inertia: f32,
    /// Mean spin of the wheels (`rad/s`).
    pub(crate) spin: f32,
    /// Time since the change began, and the time that it takes (`s`).
    pub(crate) time: f32,
    pub(crate) total: f32,
    /// Length of the substep (`s`).
    pub(crate) duration: f32,
    /// Torque up to which the clutches close (`N·m`), and on the way out of neutral.
    pub(crate) most: f32,
    pub(crate) out_of_neutral: f32,
}

impl ChangeUnderTorque {
    /// Ratio and capacity. That clutch slips which the torque lets slip (the next gear's in a change up under power), and transmits
    /// as much as brings the input to the next gear's speed by the end.
    pub(crate) fn engaged(&self) -> EngagedGear {
        let [last, next] = self.ratios;
        if last * next <= 0.0 {
            let part = (self.time / self.total).clamp(0.0, 1.0);
            return EngagedGear {
                ratio: next,
                capacity: part * self.out_of_neutral,
            };
        }
        let left = (self.total - self.time).max(self.duration);
        let slowing = self.inertia * (self.speed - next * self.spin) / left;
        let smaller = if last.abs() < next.abs() { last } else { next };
        let larger = if last.abs() < next.abs() { next } else { last };
        let drives = self.torque >= 0.0;
        let size = (self.torque + slowing) * 1.0_f32.copysign(self.torque);
        EngagedGear {
            ratio: if drives { smaller } else { larger },
            capacity: size.clamp(0.0, self.most),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    /// A change from 10 to 6 at 30 rad/s of the wheels, of which half is left: the input slows by 120 rad/s in 0.2 s, or gains as much.
    #[rstest]
    #[case::up_under_power([10.0, 6.0], 200.0, 300.0, 6.0, 200.0 + 0.1 * 120.0 / 0.2)]
    #[case::down_under_power([6.0, 10.0], 200.0, 180.0, 6.0, 200.0 - 0.1 * 120.0 / 0.2)]
    #[case::down_while_coasting([6.0, 10.0], -50.0, 180.0, 10.0, 50.0 + 0.1 * 120.0 / 0.2)]
    #[case::up_while_coasting([10.0, 6.0], -50.0, 300.0, 10.0, 0.0)]
    #[case::beyond_the_plates([10.0, 6.0], 900.0, 300.0, 6.0, 500.0)]
    #[case::out_of_neutral([0.0, 10.0], 200.0, 0.0, 10.0, 80.0)]
    fn the_slipping_clutch_brings_the_input_to_the_next_gear(
        #[case] ratios: [f32; 2],
        #[case] torque: f32,
        #[case] speed: f32,
        #[case] ratio: f32,
        #[case] capacity: f32,
    ) {
        let change = ChangeUnderTorque {
            ratios,
            torque,
            speed,
            inertia: 0.1,
            spin: 30.0,
            time: 0.2,
            total: 0.4,
            duration: 0.01,
            most: 500.0,
            out_of_neutral: 160.0,
        };
        let found = change.engaged();
        assert_eq!(found.ratio, ratio);
        assert!((found.capacity - capacity).abs() < 1e-3, "{found:?}");
    }
}
