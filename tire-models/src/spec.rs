//! Tire models by name: from `model = "michigan"` and its parameters to a [`TireModel`].
//!
//! Registration is explicit. A third party's crate implements [`TireParams`] and is registered by
//! the program that reads the file:
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
    /// The model that they make.
    type Model: TireModel + 'static;

    /// Makes the model; checked parameters cannot fail.
    fn build(params: Checked<Self>) -> Self::Model;

    /// A file's table with all that it refers to in it, so that it stands by itself; files lie relative
    /// to `folder`, of texts without one there are none. By default nothing is referred to.
    ///
    /// # Errors
    /// If what a key refers to is not there or not sound.
    fn inlined(table: Table, folder: Option<&Path>) -> Result<Table, Unresolved> {
        let _ = folder;
        Ok(table)
    }
}

/// Parameters that make a tire model over any other one, whose description a file holds beside them under
/// `law`: a tire that relaxes, or warms up.
pub trait TireOver: Serialize + DeserializeOwned + Check + 'static {
    /// The model that they make.
    type Model: TireModel + 'static;

    /// Makes the model; checked parameters cannot fail.
    fn build(law: Arc<dyn TireModel>, params: Checked<Self>) -> Self::Model;
}

/// Which name stands for which tire model.
pub type TireRegistry = Registry<dyn TireModel>;

impl TireRegistry {
    /// Lets `name` stand for a model over another one, see [`TireOver`].
    #[must_use]
    pub fn register_over<P: TireOver>(self, name: &str) -> Self {
        self.with_over(name, |law, params| Arc::new(P::build(law, params)))
    }

    /// Lets `name` stand for the model with parameters `P`; a later registration replaces an
    /// earlier one.
    #[must_use]
    pub fn register<P: TireParams>(self, name: &str) -> Self {
        self.with_inline(name, P::inlined, |params| Arc::new(P::build(params)))
    }
}
