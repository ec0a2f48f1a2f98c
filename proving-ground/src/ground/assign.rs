//! Which surface the parts of a ground have that a file names: materials of a mesh, values of a mask.

use std::collections::BTreeMap;

use jounce::core::{Fault, MaterialId};
use jounce::file::{FileError, FileFault};

use crate::surface::SurfaceTable;

/// Number of names that a note lists.
const LISTED: usize = 8;

/// Surfaces of named materials.
#[derive(Clone, Debug)]
pub(super) struct SurfaceRules {
    /// File that has the rules, for errors.
    pub(super) file: String,
    /// The surfaces.
    pub(super) table: SurfaceTable,
    /// Name of the surface of each named material.
    pub(super) by_name: BTreeMap<String, String>,
    /// Surface of materials that are neither named nor called like a surface.
    pub(super) default: String,
}

/// Materials of hits, for those of a file.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Assigned {
    /// One for each name.
    pub(super) materials: Vec<MaterialId>,
    /// Remark on names without a rule, where others have one.
    pub(super) note: Option<String>,
}

impl SurfaceRules {
    /// Materials that are called like a surface have it, all others are asphalt.
    pub(super) fn built_in() -> Self {
        Self {
            file: String::new(),
            table: SurfaceTable::built_in(),
            by_name: BTreeMap::new(),
            default: "asphalt".to_owned(),
        }
    }

    /// The materials of hits for these `names`, which are those of a `what`, such as a mesh.
    ///
    /// # Errors
    /// If there is a rule for a name that is not among them.
    pub(super) fn assign(&self, what: &str, names: &[String]) -> Result<Assigned, FileError> {
        let missing = self
            .by_name
            .iter()
            .filter(|(name, _)| !names.contains(name));
        let has = || listed(names.iter().map(String::as_str));
        let faults: Vec<FileFault> = missing
            .map(|(name, surface)| FileFault {
                line: None,
                fault: Fault::new(
                    format!("materials.{name}"),
                    format!("{surface:?}"),
                    "",
                    format!("must be a material of {what}, which has {}", has()),
                ),
            })
            .collect();
        if !faults.is_empty() {
            let file = self.file.clone();
            return Err(FileError::Invalid { file, faults });
        }
        let found = names.iter().map(|name| {
            let surface = self.by_name.get(name).unwrap_or(name);
            self.table.material(surface)
        });
        let found: Vec<Option<MaterialId>> = found.collect();
        let usual = self.table.material(&self.default).unwrap_or_default();
        let without = names
            .iter()
            .zip(&found)
            .filter(|(_, found)| found.is_none());
        let without: Vec<&str> = without.map(|(name, _)| name.as_str()).collect();
        let note = (!without.is_empty() && without.len() < names.len()).then(|| {
            let (surface, names) = (&self.default, listed(without.into_iter()));
            format!("{what}: {names}: without a surface of their own, taken as {surface}")
        });
        Ok(Assigned {
            materials: found.into_iter().map(|id| id.unwrap_or(usual)).collect(),
            note,
        })
    }
}

/// Names as a message lists them: not more than a few.
fn listed<'a>(names: impl ExactSizeIterator<Item = &'a str>) -> String {
    let more = names.len().saturating_sub(LISTED);
    let shown: Vec<String> = names.take(LISTED).map(|name| format!("{name:?}")).collect();
    match more {
        0 => shown.join(", "),
        _ => format!("{} and {more} more", shown.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(names: &[&str]) -> Vec<String> {
        names.iter().map(|&name| name.to_owned()).collect()
    }

    fn rules() -> SurfaceRules {
        let pairs = [("Lake", "ice"), ("Path", "leaves")];
        let by_name = pairs.map(|(name, surface)| (name.to_owned(), surface.to_owned()));
        SurfaceRules {
            file: "g.toml".to_owned(),
            table: SurfaceTable::built_in().with(&[("leaves".to_owned(), 0.4)].into()),
            by_name: by_name.into(),
            default: "wet".to_owned(),
        }
    }

    #[test]
    fn names_have_their_rule_their_own_surface_or_the_default() {
        let names = names(&["gravel", "Lake", "Rock", "Path"]);
        let assigned = rules().assign("m.obj", &names).unwrap();
        let materials: Vec<u32> = assigned.materials.iter().map(|id| id.0).collect();
        assert_eq!(materials, [2, 1, 3, 4]);
        let note = "m.obj: \"Rock\": without a surface of their own, taken as wet";
        assert_eq!(assigned.note.as_deref(), Some(note));
    }

    #[test]
    fn a_mesh_without_surfaces_needs_no_note() {
        let assigned = SurfaceRules::built_in().assign("m.obj", &names(&["", "Rock"]));
        let assigned = assigned.unwrap();
        assert_eq!(assigned.materials, [MaterialId(0); 2]);
        assert_eq!(assigned.note, None);
    }

    #[test]
    fn a_rule_for_no_material_is_refused() {
        let error = rules().assign("m.obj", &names(&["Lake"])).unwrap_err();
        assert_eq!(
            error.to_string(),
            "g.toml: 1 fault(s):\ng.toml: materials.Path = \"leaves\": must be a material of m.obj, which has \"Lake\""
        );
    }
}
