//! The report page.

use crate::drive::Drive;
use crate::summary::Summary;

/// The whole page.
#[must_use]
pub fn page(drive: &Drive, summary: &Summary) -> String {
    format!("{} {}", drive.samples.len(), summary.distance)
}
