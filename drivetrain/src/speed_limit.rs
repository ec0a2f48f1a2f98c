//! The speed limiter: it takes the throttle away before a top speed.

use vehicle_core::Inspector;

use crate::response::Responses;

/// Range below a top speed in which the throttle falls to 0: at least this (`m/s`), and this part of the top speed (–). Limiters
/// of trucks stabilize within 5 % of the speed that they are set to (UN Regulation 89).
const RANGE: [f32; 2] = [0.5, 0.01];

impl Responses {
    /// Throttle of a pedal, 0…1, at a forward speed (`m/s`): that of its table, and less from shortly below the top speed
    /// on, where there is none. In proportion, so that speed settles and does not oscillate about the limit.
    #[inline]
    #[must_use]
    pub fn throttle_at(&self, pedal: f32, forward_speed: f32) -> f32 {
        let throttle = self.throttle.at(pedal, forward_speed);
        let limit = if forward_speed < 0.0 {
            self.top_speed_reverse
        } else {
            self.top_speed
        };
        let Some(limit) = limit else {
            return throttle;
        };
        let range = RANGE[0].max(RANGE[1] * limit).min(limit);
        throttle * ((limit - forward_speed.abs()) / range).clamp(0.0, 1.0)
    }

    /// Reports faults of the top speeds.
    pub(crate) fn check_top_speeds(&self, i: &mut Inspector) {
        for (name, limit) in [
            ("top_speed", self.top_speed),
            ("top_speed_reverse", self.top_speed_reverse),
        ] {
            i.positive(name, limit.unwrap_or(1.0), "m/s");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;
    use vehicle_core::Checked;

    #[rstest]
    #[case::slow(10.0, 0.8)]
    #[case::in_the_range(29.75, 0.4)]
    #[case::at_the_limit(30.0, 0.0)]
    #[case::downhill(40.0, 0.0)]
    #[case::backward(-4.5, 0.8)]
    #[case::backward_in_the_range(-4.9, 0.16)]
    #[case::backward_at_the_limit(-6.0, 0.0)]
    fn throttle_falls_before_the_top_speed(#[case] speed: f32, #[case] expected: f32) {
        let responses = Responses {
            top_speed: Some(30.0),
            top_speed_reverse: Some(5.0),
            ..Responses::default()
        };
        let found = responses.throttle_at(0.8, speed);
        assert!((found - expected).abs() < 1e-5, "{found}");
    }

    #[test]
    fn without_top_speed_the_throttle_is_that_of_the_table() {
        assert_eq!(Responses::default().throttle_at(0.7, 200.0), 0.7);
        let forward = Responses {
            top_speed: Some(30.0),
            ..Responses::default()
        };
        assert_eq!(forward.throttle_at(0.7, -40.0), 0.7);
    }

    #[test]
    fn a_top_speed_is_positive() {
        let bad = Responses {
            top_speed: Some(0.0),
            top_speed_reverse: Some(f32::NAN),
            ..Responses::default()
        };
        assert_eq!(Checked::new(bad).unwrap_err().0.len(), 2);
    }
}
