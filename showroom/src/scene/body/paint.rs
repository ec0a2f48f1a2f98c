//! Colors of vehicles; the alpha is the gloss.

use glam::Vec4;

pub(super) const GLASS: Vec4 = Vec4::new(0.10, 0.13, 0.17, 1.0);
pub(super) const TRIM: Vec4 = Vec4::new(0.13, 0.13, 0.14, 0.2);
pub(super) const STEEL: Vec4 = Vec4::new(0.34, 0.35, 0.37, 0.4);
pub(super) const RIM: Vec4 = Vec4::new(0.70, 0.72, 0.75, 0.8);
pub(super) const RUBBER: Vec4 = Vec4::new(0.09, 0.09, 0.10, 0.1);
pub(super) const CANVAS: Vec4 = Vec4::new(0.80, 0.81, 0.82, 0.3);
pub(super) const WOOD: Vec4 = Vec4::new(0.58, 0.42, 0.26, 0.1);
pub(super) const PLATE: Vec4 = Vec4::new(0.92, 0.91, 0.84, 0.1);
pub(super) const SKIN: Vec4 = Vec4::new(0.82, 0.62, 0.50, 0.0);
pub(super) const DENIM: Vec4 = Vec4::new(0.20, 0.27, 0.42, 0.0);

pub(super) const RED: Vec4 = Vec4::new(0.74, 0.13, 0.11, 0.9);
pub(super) const BLUE: Vec4 = Vec4::new(0.13, 0.30, 0.62, 0.9);
pub(super) const ORANGE: Vec4 = Vec4::new(0.90, 0.42, 0.06, 0.9);
pub(super) const GREEN: Vec4 = Vec4::new(0.12, 0.34, 0.23, 0.8);
pub(super) const SILVER: Vec4 = Vec4::new(0.62, 0.65, 0.69, 0.9);
pub(super) const WHITE: Vec4 = Vec4::new(0.88, 0.89, 0.90, 0.8);
pub(super) const YELLOW: Vec4 = Vec4::new(0.88, 0.68, 0.10, 0.8);
pub(super) const OLIVE: Vec4 = Vec4::new(0.31, 0.34, 0.20, 0.1);
pub(super) const FIELD: Vec4 = Vec4::new(0.16, 0.44, 0.18, 0.6);
