//! How a drive ended, by its samples.

use super::End;
use crate::sample::Sample;

/// A car that is on its side or roof has its up axis this much along the world's, or less (–).
const ON_ITS_SIDE: f32 = 0.3;
/// A car that has gone no farther, and turned no more, has not moved (`m`, `rad`).
const STAYED: (f64, f32) = (0.1, 0.02);
/// Throttle from which a car is to drive (–).
const PRESSED: f32 = 0.1;

/// End of a drive that was completed.
pub(super) fn end_of(samples: &[Sample]) -> End {
    let (Some(first), Some(last)) = (samples.first(), samples.last()) else {
        return End::Finished;
    };
    let stayed = |sample: &Sample| {
        let turned = (sample.heading - first.heading).abs();
        let went = sample.position.distance(first.position);
        went < STAYED.0 && turned < STAYED.1
    };
    let drives = |sample: &Sample| {
        let command = &sample.command;
        command.throttle > PRESSED && command.brake + command.handbrake == 0.0
    };
    if last.upright < ON_ITS_SIDE {
        End::OnItsRoof
    } else if samples.iter().any(drives) && samples.iter().all(stayed) {
        End::NeverMoved
    } else {
        End::Finished
    }
}
