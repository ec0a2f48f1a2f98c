//! Ground files, whose format the parent module documents.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use jounce::core::checked::{Check, Inspector};
use jounce::file::read_checked;
use jounce::scene::read_text;
use serde::Deserialize;

use super::assign::SurfaceRules;
use super::{MeshUp, Terrain, mesh};
use crate::error::ProvingError;
use crate::surface::SurfaceTable;

/// The content of a ground file.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct GroundFile {
    /// Version of the format: 1.
    schema: u32,
    mesh: MeshTable,
    /// Name of the surface of each named material.
    #[serde(default)]
    materials: BTreeMap<String, String>,
    /// Friction of every tire (–) on own surfaces.
    #[serde(default)]
    surfaces: BTreeMap<String, f32>,
    /// Surface of other materials.
    #[serde(default = "asphalt")]
    default: String,
}

/// A Wavefront file.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct MeshTable {
    file: PathBuf,
    up: Option<MeshUp>,
}

fn asphalt() -> String {
    SurfaceRules::built_in().default
}

impl Check for GroundFile {
    fn check(&self, i: &mut Inspector) {
        i.rule(self.schema == 1, "schema", self.schema, "", "must be 1");
        i.within("surfaces", |i| {
            for (name, friction) in &self.surfaces {
                i.not_negative(name, *friction, "");
            }
        });
        let table = self.table();
        let rule = format!("must be one of {}", table.names());
        i.within("materials", |i| {
            for (name, surface) in &self.materials {
                let known = table.material(surface).is_some();
                i.rule(known, name, format_args!("{surface:?}"), "", &rule);
            }
        });
        let (surface, known) = (&self.default, table.material(&self.default).is_some());
        i.rule(known, "default", format_args!("{surface:?}"), "", &rule);
    }
}

impl GroundFile {
    fn table(&self) -> SurfaceTable {
        SurfaceTable::built_in().with(&self.surfaces)
    }

    fn rules(&self, file: &Path) -> SurfaceRules {
        SurfaceRules {
            file: file.display().to_string(),
            table: self.table(),
            by_name: self.materials.clone(),
            default: self.default.clone(),
        }
    }
}

/// The ground of the ground file at `path`, called `name`; `up` is the up axis of a mesh if the file has none.
///
/// # Errors
/// If the file, or one that it names, cannot be read or has faults.
pub(super) fn load(name: String, path: &Path, up: MeshUp) -> Result<Terrain, ProvingError> {
    let text = read_text(path).map_err(|source| ProvingError::File {
        path: path.to_owned(),
        source,
    })?;
    let file: GroundFile = read_checked(&text, &path.display().to_string())?;
    let rules = file.rules(path);
    let beside = |other: &Path| path.parent().unwrap_or(Path::new("")).join(other);
    let MeshTable { file, up: own } = &file.mesh;
    mesh::load(name, &beside(file), own.unwrap_or(up), &rules)
}
