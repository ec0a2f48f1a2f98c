//! Parameters of the small laws' tables: `small_model_params.json`.

use std::path::Path;

use crate::reference;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

/// Name of the file, without its extension.
pub(crate) const FILE: &str = "small_model_params";

/// Sets of parameters by name, in groups of which only the names of sets matter.
pub(crate) struct Parameters(Map<String, Value>);

impl Parameters {
    /// Reads the file next to a table; without a file there are no sets.
    pub(crate) fn beside(table: &Path) -> Result<Self, String> {
        Self::read(&table.with_file_name(format!("{FILE}.json")))
    }

    /// Reads a file; without one there are no sets.
    pub(crate) fn read(path: &Path) -> Result<Self, String> {
        if !path.exists() {
            return Ok(Self(Map::new()));
        }
        let text = reference::text(path).map_err(|error| error.to_string())?;
        let map = serde_json::from_str(&text);
        map.map(Self)
            .map_err(|error| format!("{}: {error}", path.display()))
    }

    /// A set of parameters.
    pub(crate) fn set<P: DeserializeOwned>(&self, name: &str) -> Result<P, String> {
        let found = self.0.values().find_map(|group| group.get(name));
        let found = found.ok_or_else(|| format!("no parameters {name}"))?;
        serde_json::from_value(found.clone()).map_err(|error| format!("{name}: {error}"))
    }
}
