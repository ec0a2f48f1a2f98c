//! Surfaces: many ground materials map to one surface type; a table gives the friction of each
//! tire type on each surface type.

use alloc::collections::BTreeMap;
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;

use crate::base::checked::Fault;
use crate::base::ids::MaterialId;

/// A kind of ground in the friction table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SurfaceType(pub u16);

/// A kind of tire in the friction table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct TireType(pub u16);

/// Materials, surface types, and the friction between surfaces and tires.
///
/// May be edited between steps. Unmapped materials have surface type 0; pairs without an entry have friction 1.
/// All friction is multiplied by one grip, 1 by default, for the weather; a vehicle can have [one of its
/// own](crate::Vehicle::set_grip) besides. Factors of individual wheels are
/// their tire type, their [`friction_curve`](crate::params::TireFit::friction_curve), and their tire's
/// [`TireCondition`](crate::contracts::stateful_tire::TireCondition).
///
/// ```
/// use vehicle_core::{SurfaceType, Surfaces, TireType};
///
/// let mut surfaces = Surfaces::new();
/// surfaces.set_friction(SurfaceType(1), TireType(0), 0.9)?;
/// surfaces.set_grip(0.7)?; // It begins to rain.
/// assert_eq!(surfaces.friction(SurfaceType(1), TireType(0)), 0.9 * 0.7);
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Surfaces {
    types: BTreeMap<MaterialId, SurfaceType>,
    /// One row per surface type, one column per tire type.
    friction: Vec<Vec<f32>>,
    /// Factor on all friction.
    #[cfg_attr(feature = "serde", serde(default = "dry"))]
    grip: f32,
}

/// Default grip.
#[cfg(feature = "serde")]
fn dry() -> f32 {
    Surfaces::new().grip
}

impl Default for Surfaces {
    fn default() -> Self {
        Self::new()
    }
}

/// `value` if it is finite and not negative.
///
/// # Errors
/// A fault of `path` otherwise.
pub(crate) fn not_negative(path: impl fmt::Display, value: f32) -> Result<f32, Fault> {
    if value >= 0.0 && value.is_finite() {
        Ok(value)
    } else {
        Err(Fault::new(path, value, "", "must be finite and >= 0"))
    }
}

impl Surfaces {
    /// One surface for every material, friction 1 for every tire.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            types: BTreeMap::new(),
            friction: Vec::new(),
            grip: 1.0,
        }
    }

    /// Maps `material` to the surface type `surface`, replacing an earlier mapping.
    pub fn map(&mut self, material: MaterialId, surface: SurfaceType) {
        self.types.insert(material, surface);
    }

    /// Sets the friction coefficient (–) of a tire type on a surface type.
    ///
    /// # Errors
    /// If `value` is negative or not finite; the table is then unchanged.
    pub fn set_friction(
        &mut self,
        surface: SurfaceType,
        tire: TireType,
        value: f32,
    ) -> Result<(), Fault> {
        let value = not_negative(format_args!("friction of {tire:?} on {surface:?}"), value)?;
        let (row, column) = (usize::from(surface.0), usize::from(tire.0));
        if self.friction.len() <= row {
            self.friction.resize(row + 1, vec![]);
        }
        let row = &mut self.friction[row];
        if row.len() <= column {
            row.resize(column + 1, 1.0);
        }
        row[column] = value;
        Ok(())
    }

    /// Sets the factor on every friction coefficient (–): 1 on a dry day, less in the wet. Applies to wheels
    /// from their next contacts on.
    ///
    /// # Errors
    /// If `value` is negative or not finite; the grip is then unchanged.
    pub fn set_grip(&mut self, value: f32) -> Result<(), Fault> {
        self.grip = not_negative("grip", value)?;
        Ok(())
    }

    /// Factor on every friction coefficient (–).
    #[must_use]
    pub fn grip(&self) -> f32 {
        self.grip
    }

    /// The surface type of a material; 0 if the material is unknown.
    #[inline]
    #[must_use]
    pub fn surface_type(&self, material: MaterialId) -> SurfaceType {
        self.types.get(&material).copied().unwrap_or_default()
    }

    /// Friction coefficient (–) of a tire type on a surface type, with the present grip.
    #[inline]
    #[must_use]
    pub fn friction(&self, surface: SurfaceType, tire: TireType) -> f32 {
        let row = self.friction.get(usize::from(surface.0));
        let dry = row.and_then(|row| row.get(usize::from(tire.0)));
        dry.copied().unwrap_or(1.0) * self.grip
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString as _;

    #[test]
    fn unknown_materials_and_pairs_have_defaults() {
        let mut surfaces = Surfaces::new();
        surfaces.map(MaterialId(7), SurfaceType(2));
        surfaces
            .set_friction(SurfaceType(2), TireType(1), 0.3)
            .unwrap();
        let type_of = |id| surfaces.surface_type(MaterialId(id));
        assert_eq!(type_of(7), SurfaceType(2));
        assert_eq!(type_of(8), SurfaceType(0));
        assert_eq!(surfaces.friction(SurfaceType(2), TireType(1)), 0.3);
        assert_eq!(surfaces.friction(SurfaceType(2), TireType(0)), 1.0);
        assert_eq!(surfaces.friction(SurfaceType(9), TireType(9)), 1.0);
    }

    #[test]
    fn a_bad_coefficient_changes_nothing() {
        let mut surfaces = Surfaces::new();
        let before = surfaces.clone();
        for bad in [-0.1, f32::NAN, f32::INFINITY] {
            let set = surfaces.set_friction(SurfaceType(3), TireType(0), bad);
            assert_eq!(
                set.unwrap_err().to_string(),
                alloc::format!(
                    "friction of TireType(0) on SurfaceType(3) = {bad}: must be finite and >= 0"
                )
            );
        }
        assert_eq!(surfaces, before);
    }

    #[test]
    fn the_grip_scales_every_friction() {
        let mut surfaces = Surfaces::new();
        surfaces
            .set_friction(SurfaceType(2), TireType(1), 0.8)
            .unwrap();
        surfaces.set_grip(0.5).unwrap();
        assert_eq!(surfaces.grip(), 0.5);
        assert_eq!(surfaces.friction(SurfaceType(2), TireType(1)), 0.4);
        assert_eq!(surfaces.friction(SurfaceType(0), TireType(0)), 0.5);
        // Friction that is set in the wet is that of a dry day.
        surfaces
            .set_friction(SurfaceType(0), TireType(0), 0.6)
            .unwrap();
        surfaces.set_grip(1.0).unwrap();
        assert_eq!(surfaces.friction(SurfaceType(0), TireType(0)), 0.6);
    }

    #[test]
    fn a_bad_grip_changes_nothing() {
        let mut surfaces = Surfaces::default();
        for bad in [-0.1, f32::NAN, f32::INFINITY] {
            let error = surfaces.set_grip(bad).unwrap_err().to_string();
            assert_eq!(
                error,
                alloc::format!("grip = {bad}: must be finite and >= 0")
            );
        }
        assert_eq!(surfaces, Surfaces::new());
    }
}
