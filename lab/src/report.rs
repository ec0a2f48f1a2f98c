//! The report: one self-contained HTML page, readable on a laptop and on a phone, in light and dark
//! mode.
//!
//! Curves are SVG that stretches with the page; their labels are text beside and above it, so that
//! they keep their size. [`Sheet`]s are custom pages of [`Chart`]s over time, [`Carpet`]s over
//! anything else, [`Plan`]s and [`ReportTable`]s.

mod svg;
mod curve;
mod carpet;
mod chart;
mod window;
mod profile;
mod relief;
mod map;
mod picture;
mod sheet;
mod strip;
mod strips;
mod energy;
mod page;
mod plan;
mod table;

#[cfg(test)]
mod tests;

pub use carpet::{AxisQuantity, Carpet, FamilyCurve, Place, figures, readout};
pub use chart::{Chart, Scale};
pub use curve::ChartCurve;
pub use page::page;
pub use picture::{Picture, PicturePanel, map_picture};
pub use plan::{Pin, Plan};
pub use profile::profile;
pub use sheet::{Sheet, abreast, heading, list, note};
pub use table::ReportTable;
pub use window::{Window, outline};
