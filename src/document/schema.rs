//! Versions of documents, and the migration from each to the next.

use toml::{Table, Value};

/// Migrates a table from one version to the next.
///
/// # Errors
/// With what it cannot migrate.
pub type Migration = fn(&mut Table) -> Result<(), String>;

/// Name and versions of a kind of document.
#[derive(Clone, Copy, Debug)]
pub struct Schema {
    /// The kind's name in documents.
    pub name: &'static str,
    /// The migrations from version 1 to 2, from 2 to 3, and so on.
    pub steps: &'static [Migration],
}

/// Reason why a document was refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SchemaError {
    /// The document is of another kind, or does not state its kind.
    #[error("document = {found}: must be {expected:?}")]
    Kind {
        /// Kind that the document states.
        found: String,
        /// The expected kind.
        expected: &'static str,
    },
    /// The document's version is unknown.
    #[error("schema = {found}: must be {}", known(*newest))]
    Version {
        /// Version that the document states.
        found: String,
        /// The newest known version.
        newest: u32,
    },
    /// The document has an older version, in a format that cannot be migrated.
    #[error("schema = {found}: binary documents must be of schema {newest}")]
    Binary {
        /// Version of the document.
        found: u32,
        /// The current version.
        newest: u32,
    },
    /// A migration failed.
    #[error("from schema {from} to {}: {reason}", from + 1)]
    Step {
        /// The version before the migration.
        from: u32,
        /// The reason.
        reason: String,
    },
}

fn known(newest: u32) -> String {
    match newest {
        1 => "1".to_owned(),
        newest => format!("1 to {newest}"),
    }
}

impl Schema {
    /// A kind of document with only one version.
    #[must_use]
    pub const fn first(name: &'static str) -> Self {
        Self { name, steps: &[] }
    }

    /// The current version.
    #[must_use]
    pub const fn version(&self) -> u32 {
        self.steps.len() as u32 + 1
    }

    /// Adds name and version to a table.
    pub(super) fn mark(&self, table: &mut Table) {
        table.insert("document".to_owned(), Value::String(self.name.to_owned()));
        let version = i64::from(self.version());
        table.insert("schema".to_owned(), Value::Integer(version));
    }

    /// Migrates a table to the current version and removes name and version from it.
    ///
    /// # Errors
    /// If it is of another kind or version, or a migration fails.
    pub fn upgrade(&self, table: &mut Table) -> Result<(), SchemaError> {
        let kind = table.remove("document");
        if kind.as_ref().and_then(Value::as_str) != Some(self.name) {
            return Err(SchemaError::Kind {
                found: shown(kind.as_ref()),
                expected: self.name,
            });
        }
        self.upgrade_unnamed(table)
    }

    /// Brings a table of an earlier version up to this schema; unlike for [`Schema::upgrade`], it need not state its kind.
    ///
    /// # Errors
    /// If it is of an unknown version, or a migration fails.
    pub fn upgrade_unnamed(&self, table: &mut Table) -> Result<(), SchemaError> {
        let found = table.remove("schema");
        let version = found.as_ref().and_then(Value::as_integer);
        let known = |version: &i64| (1..=i64::from(self.version())).contains(version);
        let Some(version) = version.filter(known) else {
            return Err(SchemaError::Version {
                found: shown(found.as_ref()),
                newest: self.version(),
            });
        };
        for (step, from) in self.steps.iter().zip(1..).skip(version as usize - 1) {
            step(table).map_err(|reason| SchemaError::Step { from, reason })?;
        }
        Ok(())
    }

    /// Checks that a document of this kind and version can be read directly.
    pub(super) fn require(&self, name: &str, version: u32) -> Result<(), SchemaError> {
        if name != self.name {
            return Err(SchemaError::Kind {
                found: format!("{name:?}"),
                expected: self.name,
            });
        }
        let newest = self.version();
        match version {
            version if version == newest => Ok(()),
            found if found < newest => Err(SchemaError::Binary { found, newest }),
            found => Err(SchemaError::Version {
                found: found.to_string(),
                newest,
            }),
        }
    }
}

fn shown(value: Option<&Value>) -> String {
    value.map_or("nothing".to_owned(), ToString::to_string)
}
