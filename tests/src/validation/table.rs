//! Reckonings of one subject and figure as a line.

use core::fmt;

use super::{Apart, Reckoning};

/// All reckonings of a figure of one subject.
#[derive(Clone, Debug, PartialEq)]
pub struct FigureLine {
    /// Number of figures.
    pub count: usize,
    /// Number of figures outside their bounds.
    pub outside: usize,
    /// Figure that is farthest from the reference.
    pub worst: Reckoning,
}

/// One line per subject and figure, in the order in which they come.
#[must_use]
pub fn lines(found: &[Reckoning]) -> Vec<FigureLine> {
    let mut lines: Vec<FigureLine> = Vec::new();
    for it in found {
        let same = |line: &&mut FigureLine| {
            line.worst.subject == it.subject && line.worst.figure == it.figure
        };
        let outside = usize::from(!it.holds());
        match lines.iter_mut().find(same) {
            None => lines.push(FigureLine {
                count: 1,
                outside,
                worst: it.clone(),
            }),
            Some(line) => {
                line.count += 1;
                line.outside += outside;
                // One without a number is the worst there is.
                let off = it.difference().abs();
                if off.is_nan() || off > line.worst.difference().abs() {
                    line.worst = it.clone();
                }
            }
        }
    }
    lines
}

/// Widths of the columns of subject and figure.
const WIDTHS: [usize; 2] = [30, 40];

impl FigureLine {
    /// The heading of a table of lines.
    #[must_use]
    pub fn heading() -> String {
        let [subject, figure] = WIDTHS;
        format!(
            "{:<5}{:<subject$}{:<figure$}{:>3} {:>10} {:>10} {:>10} {:>8}  worst at",
            "", "subject", "figure", "of", "ours", "theirs", "apart", "bound"
        )
    }
}

impl fmt::Display for FigureLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [subject, figure] = WIDTHS;
        let worst = &self.worst;
        let verdict = if self.outside == 0 { "in" } else { "OUT" };
        let unit = match worst.apart {
            Apart::Percent => "%",
            Apart::Points => "",
        };
        write!(
            f,
            "{verdict:<5}{:<subject$}{:<figure$}{:>3} {:>10.4} {:>10.4} {:>10} {:>8}  {}",
            worst.subject,
            worst.figure,
            self.count,
            worst.ours,
            worst.theirs,
            format!("{:.2}{unit}", worst.difference()),
            format!("{:.1}{unit}", worst.bound),
            worst.at
        )?;
        if self.outside > 0 {
            write!(f, " ({} outside)", self.outside)?;
        }
        Ok(())
    }
}
