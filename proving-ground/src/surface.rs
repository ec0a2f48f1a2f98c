//! Surfaces of the ground by name, and the friction of tires on them.

use std::collections::BTreeMap;

use jounce::core::{MaterialId, SurfaceType, Surfaces, TireType};

/// Cover of the ground: the material of a collider.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cover {
    /// Friction 1.
    Asphalt,
    /// Friction 0.1.
    Ice,
    /// Friction 0.6.
    Gravel,
    /// Friction 0.7.
    Wet,
}

impl Cover {
    /// All covers, in the order of their materials and surface types.
    pub const ALL: [Self; 4] = [Self::Asphalt, Self::Ice, Self::Gravel, Self::Wet];

    /// Name of the cover in ground files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Asphalt => "asphalt",
            Self::Ice => "ice",
            Self::Gravel => "gravel",
            Self::Wet => "wet",
        }
    }

    /// Friction of every tire on it (–).
    #[must_use]
    pub const fn friction(self) -> f32 {
        match self {
            Self::Asphalt => 1.0,
            Self::Ice => 0.1,
            Self::Gravel => 0.6,
            Self::Wet => 0.7,
        }
    }

    /// The cover of a surface type that a wheel reports.
    #[must_use]
    pub fn of(surface: SurfaceType) -> Self {
        let known = Self::ALL.get(usize::from(surface.0));
        known.copied().unwrap_or(Self::Asphalt)
    }

    /// Material of the cover.
    #[must_use]
    pub const fn material(self) -> MaterialId {
        MaterialId(self as u32)
    }

    /// The friction of every cover, for vehicles on a course.
    #[must_use]
    pub fn surfaces() -> Surfaces {
        SurfaceTable::built_in().surfaces()
    }
}

/// Tire types that the table of friction has columns for.
const TIRE_TYPES: u16 = 8;

/// Surfaces by name, each with the friction of every tire on it (–): those of [`Cover`], and others. A surface's place in
/// the list is its material and its surface type.
#[derive(Clone, Debug, PartialEq)]
pub struct SurfaceTable(Vec<(String, f32)>);

impl SurfaceTable {
    /// The surfaces of [`Cover`].
    #[must_use]
    pub fn built_in() -> Self {
        let named = |cover: Cover| (cover.name().to_owned(), cover.friction());
        Self(Cover::ALL.map(named).to_vec())
    }

    /// This table with other surfaces; one whose name it has already takes the other friction (–).
    ///
    /// Frictions that are negative or not finite count as 1.
    #[must_use]
    pub fn with(mut self, others: &BTreeMap<String, f32>) -> Self {
        for (name, &friction) in others {
            match self.0.iter_mut().find(|(known, _)| known == name) {
                Some(known) => known.1 = friction,
                None => self.0.push((name.clone(), friction)),
            }
        }
        self
    }

    /// Material of the surface with this name; `None` if there is none.
    #[must_use]
    pub fn material(&self, name: &str) -> Option<MaterialId> {
        let place = self.0.iter().position(|(known, _)| known == name)?;
        u32::try_from(place).ok().map(MaterialId)
    }

    /// All names, as a message lists them.
    #[must_use]
    pub fn names(&self) -> String {
        let names: Vec<_> = self.0.iter().map(|(name, _)| name.as_str()).collect();
        names.join(", ")
    }

    /// The friction of every surface, for vehicles.
    #[must_use]
    pub fn surfaces(&self) -> Surfaces {
        let mut surfaces = Surfaces::new();
        for (place, (_, friction)) in (0..u16::MAX).zip(&self.0) {
            let surface = SurfaceType(place);
            surfaces.map(MaterialId(place.into()), surface);
            for tire in 0..TIRE_TYPES {
                // An invalid friction leaves the table as it is: 1.
                let _ = surfaces.set_friction(surface, TireType(tire), *friction);
            }
        }
        surfaces
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn covers_have_their_friction() {
        let surfaces = Cover::surfaces();
        for cover in Cover::ALL {
            let surface = surfaces.surface_type(cover.material());
            assert_eq!(Cover::of(surface), cover);
            assert_eq!(surfaces.friction(surface, TireType(0)), cover.friction());
            let named = SurfaceTable::built_in().material(cover.name());
            assert_eq!(named, Some(cover.material()));
        }
    }

    #[test]
    fn others_are_added_and_replace_those_of_their_name() {
        let others = [("leaves".to_owned(), 0.4), ("ice".to_owned(), 0.2)];
        let table = SurfaceTable::built_in().with(&others.into());
        assert_eq!(table.names(), "asphalt, ice, gravel, wet, leaves");
        let surfaces = table.surfaces();
        let friction = |name: &str| {
            let surface = surfaces.surface_type(table.material(name).unwrap());
            surfaces.friction(surface, TireType(3))
        };
        assert_eq!(
            [friction("leaves"), friction("ice"), friction("wet")],
            [0.4, 0.2, 0.7]
        );
        assert_eq!(table.material("mud"), None);
    }
}
