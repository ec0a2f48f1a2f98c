//! Models by name: from a table `model = "…"` with parameters to a model.

use core::fmt::{self, Debug};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use serde::Serialize;
use serde::de::DeserializeOwned;
use toml::{Table, Value};
use vehicle_core::{Check, Checked, InvalidParams};

/// Reason why a table does not describe a model.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SpecError {
    /// The table does not name a model.
    #[error("a {noun} needs `model = \"...\"`, one of: {}", known.join(", "))]
    NoModel {
        /// Name of the model to be built: `tire`, `drive`.
        noun: &'static str,
        /// Every registered name, in alphabetical order.
        known: Vec<String>,
    },
    /// No model is registered under this name.
    #[error("no {noun} model is called {name:?}; known are: {}", known.join(", "))]
    UnknownModel {
        /// Name of the model to be built.
        noun: &'static str,
        /// The name in the table.
        name: String,
        /// Every registered name, in alphabetical order.
        known: Vec<String>,
    },
    /// A parameter is missing, misspelled or of the wrong type.
    #[error("{noun} model {model:?}: {source}")]
    Malformed {
        /// Name of the model to be built.
        noun: &'static str,
        /// The name of the model.
        model: String,
        /// Place of the fault: keys and indices such as `curve[1].x`, or `.` for the table itself.
        path: String,
        /// The fault in the table.
        source: Box<toml::de::Error>,
    },
    /// Parameters break their rules.
    #[error("{noun} model {model:?}: {source}")]
    Invalid {
        /// Name of the model to be built.
        noun: &'static str,
        /// The name of the model.
        model: String,
        /// Every rule broken.
        source: InvalidParams,
    },
    /// A reference in a table cannot be resolved.
    #[error("{noun} model {model:?}: {source}")]
    Unresolved {
        /// Name of the model to be built.
        noun: &'static str,
        /// The name of the model.
        model: String,
        /// Key that cannot be resolved, and the reason.
        source: Unresolved,
    },
}

/// Reason why a reference in a table cannot be resolved.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{key} = {value}: {reason}")]
pub struct Unresolved {
    /// The key; for a nested model, preceded by the outer key.
    pub key: String,
    /// Value of the key.
    pub value: String,
    /// The fault, with its place in the referenced file.
    pub reason: String,
}

/// Replaces the references in a table by their contents; files are relative to a folder, if there
/// is one.
pub(crate) type Inline = fn(Table, Option<&Path>) -> Result<Table, Unresolved>;

/// Operations on the parameters of one model.
struct ModelEntry<M: ?Sized> {
    inline: Inline,
    make: Make<M>,
}

type Made<M> = Result<Arc<M>, ModelFailure>;

/// Construction of a model from its parameters.
enum Make<M: ?Sized> {
    Alone(Box<dyn Fn(Table) -> Made<M> + Send + Sync>),
    /// Builds the model on top of another one, described under [`LAW`].
    Over(Box<dyn Fn(Arc<M>, Table) -> Made<M> + Send + Sync>),
}

/// The key of the inner model.
const LAW: &str = "law";

/// An error of a model whose name is known.
enum ModelFailure {
    Unresolved(Unresolved),
    Malformed(String, Box<toml::de::Error>),
    Invalid(InvalidParams),
}

/// Maps names to models.
pub struct Registry<M: ?Sized> {
    noun: &'static str,
    entries: BTreeMap<String, Arc<ModelEntry<M>>>,
}

impl<M: ?Sized> Registry<M> {
    /// An empty registry; errors call its models `noun`.
    #[must_use]
    pub const fn empty(noun: &'static str) -> Self {
        Self {
            noun,
            entries: BTreeMap::new(),
        }
    }

    /// Registers `name` for models that `make` builds from parameters `P`; a later entry replaces
    /// an earlier one.
    #[must_use]
    pub fn with<P>(self, name: &str, make: fn(Checked<P>) -> Arc<M>) -> Self
    where
        P: DeserializeOwned + Check + 'static,
        M: 'static,
    {
        self.with_inline(name, |table, _| Ok(table), make)
    }

    /// Registers `name` for models that `make` builds from parameters `P` and another model,
    /// described under the key `law`: a model that modifies another.
    #[must_use]
    pub fn with_over<P>(self, name: &str, make: fn(Arc<M>, Checked<P>) -> Arc<M>) -> Self
    where
        P: DeserializeOwned + Check + 'static,
        M: 'static,
    {
        let make = move |law, table| Ok(make(law, checked::<P>(table)?));
        self.with_entry(name, |table, _| Ok(table), Make::Over(Box::new(make)))
    }

    /// Registers `name` for models that `make` builds from parameters `P`, whose tables may have references to others.
    pub(crate) fn with_inline<P>(
        self,
        name: &str,
        inline: Inline,
        make: fn(Checked<P>) -> Arc<M>,
    ) -> Self
    where
        P: DeserializeOwned + Check + 'static,
        M: 'static,
    {
        let make = move |table| Ok(make(checked::<P>(table)?));
        self.with_entry(name, inline, Make::Alone(Box::new(make)))
    }

    fn with_entry(mut self, name: &str, inline: Inline, make: Make<M>) -> Self {
        self.entries
            .insert(name.to_owned(), Arc::new(ModelEntry { inline, make }));
        self
    }

    /// Every registered name, in alphabetical order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.entries.keys().map(String::as_str)
    }

    /// The description with all references resolved; files are relative to `folder`.
    ///
    /// # Errors
    /// If the name is missing or unknown, or a reference is missing or invalid.
    pub fn inlined(&self, table: Table, folder: Option<&Path>) -> Result<Table, SpecError> {
        let Description {
            name, params, law, ..
        } = self.described(table, folder)?;
        let law = law.map(|law| within_law(self.inlined(law, folder)));
        Ok(written(name, params, law.transpose()?))
    }

    /// Builds the model that `table` describes: its name under `model`, its parameters in the other
    /// keys.
    ///
    /// # Errors
    /// If the name is missing or unknown, or the parameters do not fit the model. References must
    /// be [inlined](Registry::inlined) first.
    pub fn build(&self, table: Table) -> Result<Arc<M>, SpecError> {
        let Description {
            name,
            entry,
            params,
            law,
        } = self.described(table, None)?;
        let made = match &entry.make {
            Make::Alone(make) => make(params),
            Make::Over(make) => {
                let law = within_law(self.build(law.unwrap_or_default()))?;
                make(law, params)
            }
        };
        made.map_err(|failure| self.error(name, failure))
    }

    /// Reads the model that a table describes, with the contents that it refers to.
    fn described(
        &self,
        mut table: Table,
        folder: Option<&Path>,
    ) -> Result<Description<'_, M>, SpecError> {
        let (noun, known) = (self.noun, || self.names().map(str::to_owned).collect());
        let Some(Value::String(name)) = table.remove("model") else {
            let known = known();
            return Err(SpecError::NoModel { noun, known });
        };
        let Some(entry) = self.entries.get(&name) else {
            let known = known();
            return Err(SpecError::UnknownModel { noun, name, known });
        };
        let law = match entry.make {
            Make::Alone(_) => None,
            Make::Over(_) => match table.remove(LAW) {
                Some(Value::Table(law)) => Some(law),
                other => {
                    let fault = Unresolved {
                        key: LAW.to_owned(),
                        value: other.map_or("nothing".to_owned(), |value| value.to_string()),
                        reason: format!("must be a table that describes a {noun}"),
                    };
                    return Err(self.error(name, ModelFailure::Unresolved(fault)));
                }
            },
        };
        match (entry.inline)(table, folder) {
            Ok(params) => Ok(Description {
                name,
                entry,
                params,
                law,
            }),
            Err(source) => Err(self.error(name, ModelFailure::Unresolved(source))),
        }
    }

    fn error(&self, model: String, failure: ModelFailure) -> SpecError {
        let noun = self.noun;
        match failure {
            ModelFailure::Unresolved(source) => SpecError::Unresolved {
                noun,
                model,
                source,
            },
            ModelFailure::Malformed(path, source) => SpecError::Malformed {
                noun,
                model,
                path,
                source,
            },
            ModelFailure::Invalid(source) => SpecError::Invalid {
                noun,
                model,
                source,
            },
        }
    }
}

/// Parameters as a table. Single-precision numbers appear as written: 0.1, not 0.10000000149011612.
///
/// # Errors
/// If they do not form a table.
///
/// # Panics
/// If TOML cannot read its own output.
pub fn table_of(params: &impl Serialize) -> Result<Table, toml::ser::Error> {
    let text = toml::to_string(params)?;
    Ok(text.parse().expect("the output can be read"))
}

/// The parts of a table.
struct Description<'a, M: ?Sized> {
    name: String,
    entry: &'a ModelEntry<M>,
    params: Table,
    /// The inner table of a model on top of another; empty if missing.
    law: Option<Table>,
}

/// A description reassembled.
fn written(name: String, mut params: Table, law: Option<Table>) -> Table {
    params.insert("model".to_owned(), Value::String(name));
    params.extend(law.map(|law| (LAW.to_owned(), Value::Table(law))));
    params
}

/// Faults of the inner model, under its key.
fn within_law<T>(result: Result<T, SpecError>) -> Result<T, SpecError> {
    result.map_err(|mut error| {
        let beneath = |path: &mut String| *path = format!("{LAW}.{path}");
        match &mut error {
            SpecError::Invalid { source, .. } => {
                source
                    .0
                    .iter_mut()
                    .for_each(|fault| beneath(&mut fault.path));
            }
            SpecError::Unresolved { source, .. } => beneath(&mut source.key),
            SpecError::Malformed { path, .. } => beneath(path),
            _ => {}
        }
        error
    })
}

fn checked<P: DeserializeOwned + Check>(table: Table) -> Result<Checked<P>, ModelFailure> {
    Checked::new(read::<P>(table)?).map_err(ModelFailure::Invalid)
}

fn read<P: DeserializeOwned>(table: Table) -> Result<P, ModelFailure> {
    serde_path_to_error::deserialize(Value::Table(table)).map_err(|error| {
        let path = error.path().to_string();
        ModelFailure::Malformed(path, Box::new(error.into_inner()))
    })
}

impl<M: ?Sized> Clone for Registry<M> {
    fn clone(&self) -> Self {
        Self {
            noun: self.noun,
            entries: self.entries.clone(),
        }
    }
}

impl<M: ?Sized> Debug for Registry<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} models: ", self.noun)?;
        f.debug_set().entries(self.names()).finish()
    }
}
