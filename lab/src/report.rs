//! The report: one page of HTML with everything in it, readable on a laptop and on a phone, by
//! day and by night.
//!
//! Curves are SVG that stretches with the page; their labels are text beside and above it, so that
//! they keep their size.

mod curve;
mod map;
mod page;
mod relief;
mod strip;
mod strips;
mod svg;

pub use page::page;
