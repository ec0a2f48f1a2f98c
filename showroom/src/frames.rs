//! Frame times of a run by a script.

use core::fmt;

/// Frames at the start that do not count: shaders are compiled, caches are cold.
const WARMING: usize = 30;

/// Lengths of frames, and processor time in them.
#[derive(Debug, Default)]
pub(crate) struct FrameLog {
    frames: usize,
    /// Time from each frame to the next (`ms`).
    lengths: Vec<f32>,
    /// The program's processor time when frames began to count, and now (`ms`).
    busy: Option<[f32; 2]>,
}

impl FrameLog {
    /// Notes a frame, with the time since the last one (`ms`).
    pub(crate) fn note(&mut self, length: f32) {
        self.frames += 1;
        if self.frames <= WARMING {
            self.busy = processor_time().map(|now| [now; 2]);
            return;
        }
        self.lengths.push(length);
        if let (Some([_, last]), Some(now)) = (&mut self.busy, processor_time()) {
            *last = now;
        }
    }
}

impl fmt::Display for FrameLog {
    /// Median, 95th and 99th percentile; processor time per frame, of all threads.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut sorted = self.lengths.clone();
        sorted.sort_by(f32::total_cmp);
        let at = |percent: usize| sorted.get(sorted.len() * percent / 100).copied();
        let [Some(median), Some(most), Some(nearly_all)] = [50, 95, 99].map(at) else {
            return write!(f, "too few frames to measure");
        };
        write!(
            f,
            "{} frames: median {median:.1} ms, 95 % below {most:.1}, 99 % below {nearly_all:.1}",
            sorted.len()
        )?;
        match self.busy {
            Some([first, last]) => {
                let each = (last - first) / sorted.len() as f32;
                write!(f, "; processor {each:.1} ms a frame")
            }
            None => Ok(()),
        }
    }
}

/// Processor time of all threads of this program so far (`ms`); `None` where the system does not tell it in a file.
fn processor_time() -> Option<f32> {
    if !cfg!(target_os = "linux") {
        return None;
    }
    used(&std::fs::read_to_string("/proc/self/stat").ok()?)
}

/// User and system time (`ms`) of a `/proc/PID/stat`: fields 14 and 15, in hundredths of a second (proc(5)). The name
/// before them, in parentheses, may hold spaces.
fn used(stat: &str) -> Option<f32> {
    let (_, fields) = stat.rsplit_once(')')?;
    let mut fields = fields.split_whitespace().skip(11);
    let mut ticks = || fields.next()?.parse::<u32>().ok();
    let ticks = ticks()? + ticks()?;
    Some(10.0 * ticks as f32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_of_the_frames_that_count() {
        let mut log = FrameLog::default();
        (0..WARMING).for_each(|_| log.note(500.0));
        assert_eq!(log.to_string(), "too few frames to measure");
        (0..100).for_each(|n| log.note(n as f32));
        let told = log.to_string();
        let lengths = "100 frames: median 50.0 ms, 95 % below 95.0, 99 % below 99.0";
        assert!(told.starts_with(lengths), "{told}");
    }

    #[test]
    fn processor_time_is_behind_the_name() {
        let stat = "7 (a b) c) S 1 1 1 0 -1 4194304 100 0 0 0 250 50 0 0 20 0 3 0";
        assert_eq!(used(stat), Some(3000.0));
        assert_eq!(used("7 (x) S 1"), None);
    }
}
