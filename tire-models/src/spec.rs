//! Tire models by name: from `model = "michigan"` and its parameters to a [`TireModel`].
//!
//! Registration is explicit. A third-party crate implements [`TireParams`], and the program that
//! reads the file registers it:
//!
//! ```
//! use tire_models::{LinearParams, MagicFormulaParams, TireRegistry};
//!
//! let registry = TireRegistry::with_builtins().register::<LinearParams>("acme");
//! let table = toml::from_str(
//!     r#"
//!     model = "acme"
//!     slip_stiffness = 20.0
//!     cornering_stiffness = 15.0
//!     camber_stiffness = 1.0
//!     trail = 0.03
//!     "#,
//! )?;
//! let tire = registry.build(table)?;
//! # let _ = tire;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::path::Path;
use std::sync::Arc;

use serde::Serialize;
use serde::de::DeserializeOwned;
use toml::Table;
use vehicle_core::{Check, Checked, TireModel};

use crate::registry::{Registry, Unresolved};

/// Parameters that a file can hold and that make a tire model.
pub trait TireParams: Serialize + DeserializeOwned + Check + 'static {
    /// Model that the parameters make.
    type Model: TireModel + 'static;

    /// Builds the model; checked parameters cannot fail.
    fn build(params: Checked<Self>) -> Self::Model;

    /// A file's table with all references resolved; files are relative to `folder`, and text
    /// without a folder has none. By default there are no references.
    ///
    /// # Errors
    /// If a reference is missing or invalid.
    fn inlined(table: Table, folder: Option<&Path>) -> Result<Table, Unresolved> {
        let _ = folder;
        Ok(table)
    }
}

/// Parameters that make a tire model over any other one, whose description a file holds beside them under
/// `law`: a tire that relaxes, or warms up.
pub trait TireOver: Serialize + DeserializeOwned + Check + 'static {
    /// Model that the parameters make.
    type Model: TireModel + 'static;

    /// Builds the model; checked parameters cannot fail.
    fn build(law: Arc<dyn TireModel>, params: Checked<Self>) -> Self::Model;
}

/// Maps names to tire models.
pub type TireRegistry = Registry<dyn TireModel>;

impl TireRegistry {
    /// Registers `name` for a model on top of another, see [`TireOver`].
    #[must_use]
    pub fn register_over<P: TireOver>(self, name: &str) -> Self {
        self.with_over(name, |law, params| Arc::new(P::build(law, params)))
    }

    /// Registers `name` for the model with parameters `P`; a later registration replaces an earlier
    /// one.
    #[must_use]
    pub fn register<P: TireParams>(self, name: &str) -> Self {
        self.with_inline(name, P::inlined, |params| Arc::new(P::build(params)))
    }
}
