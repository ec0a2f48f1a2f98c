//! Documents: parameters, states and whole vehicles, written and read in any format of serde.
//!
//! ```
//! use jounce::core::VehicleState;
//! use jounce::document::Document;
//!
//! let car = jounce::presets::sedan();
//! let text = toml::to_string(&Document(car.spec().clone()))?;
//! assert!(text.starts_with("document = \"vehicle\"\nname = \"sedan\"\nschema = 7\n"));
//! let Document(read): Document<jounce::document::VehicleSpec> = toml::from_str(&text)?;
//! assert_eq!(read.build(&jounce::document::Registries::with_builtins())?.params(), car.model().params());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A [`Document`] states its kind and its schema version. Older versions are migrated by functions,
//! one per version step, on its tables; an unknown version is refused with an error that names
//! both. Unknown fields are refused everywhere. Values round-trip bit for bit; with JSON, if the
//! reader is exact (`serde_json` with its feature `float_roundtrip`). Formats that are not
//! self-describing, such as postcard, cannot be migrated: only the current schema is read from
//! them.
//!
//! | module | what |
//! |---|---|
//! | [`schema`] | versions, and the migration from each to the next |
//! | [`spec`] | tire and drive models by name |
//! | [`vehicle`] | everything that defines a vehicle model |
#![cfg_attr(
    feature = "typetag",
    doc = "| [`tagged`] | models that register themselves |"
)]

pub mod schema;
pub(crate) mod spelling;
mod profile_steps;
mod state_steps;
pub mod spec;
pub mod vehicle;
#[cfg(feature = "typetag")]
pub mod tagged;

use std::borrow::Cow;

use driver_input::{
    AutoReverse, CarHands, CarSmoothing, CounterSteer, ReverseSpeeds, TankHands, TankSmoothing,
};
use serde::de::{DeserializeOwned, Error as _};
use serde::ser::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use tire_models::table_of;
use toml::{Table, Value};
use vehicle_core::{Command, VehicleParams, VehicleState};

pub use schema::{Migration, Schema, SchemaError};
pub use spec::{DriveRegistry, ModelSpec, Models, Registries, drives_with_builtins};
pub use vehicle::{VehicleSpec, VehicleSpecError};

/// Contents of a document.
pub trait Record: Serialize + DeserializeOwned {
    /// Name and versions of the record.
    const SCHEMA: Schema;
}

impl Record for VehicleParams {
    const SCHEMA: Schema = Schema {
        name: "vehicle-parameters",
        steps: profile_steps::OF_PARAMS,
    };
}

impl Record for VehicleState {
    const SCHEMA: Schema = Schema {
        name: "vehicle-state",
        steps: &[
            state_steps::grip_by_solver,
            |state| {
                state_steps::without_braking(state)?;
                state_steps::forget_the_last_step(state)
            },
            state_steps::forget_the_ground,
            state_steps::tires_among_extras,
            state_steps::name_the_last_step,
            // In schema 6, all aids were on.
            |_| Ok(()),
        ],
    };
}

impl Record for Command {
    const SCHEMA: Schema = Schema::first("command");
}

impl Record for CarSmoothing {
    // Schema 1 had no grip control, and without its key there is none.
    const SCHEMA: Schema = Schema {
        name: "car-smoothing",
        steps: &[|_| Ok(())],
    };
}

impl Record for TankSmoothing {
    const SCHEMA: Schema = Schema {
        name: "tank-smoothing",
        steps: &[|smoothing| spelling::to_present_keys(smoothing, "")],
    };
}

impl Record for ReverseSpeeds {
    const SCHEMA: Schema = Schema::first("reverse-speeds");
}

impl Record for CounterSteer {
    const SCHEMA: Schema = Schema::first("counter-steer");
}

impl Record for CarHands {
    const SCHEMA: Schema = Schema::first("car-hands");
}

impl Record for TankHands {
    const SCHEMA: Schema = Schema::first("tank-hands");
}

impl Record for AutoReverse {
    const SCHEMA: Schema = Schema::first("auto-reverse");
}

/// A record with the name and version of its schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Document<T>(
    /// The contents.
    pub T,
);

impl<T: Record> Serialize for Document<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let schema = T::SCHEMA;
        if !serializer.is_human_readable() {
            return (schema.name, schema.version(), &self.0).serialize(serializer);
        }
        let mut table = table_of(&self.0).map_err(S::Error::custom)?;
        schema.mark(&mut table);
        table.serialize(serializer)
    }
}

impl<'de, T: Record> Deserialize<'de> for Document<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        if !deserializer.is_human_readable() {
            return deserialize_binary(deserializer);
        }
        let mut table = Table::deserialize(deserializer)?;
        T::SCHEMA.upgrade(&mut table).map_err(D::Error::custom)?;
        T::deserialize(Value::Table(table))
            .map(Self)
            .map_err(D::Error::custom)
    }
}

/// The contents after the version can only be read if the version is known.
fn deserialize_binary<'de, T: Record, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Document<T>, D::Error> {
    struct Parts<T>(core::marker::PhantomData<T>);

    impl<'de, T: Record> serde::de::Visitor<'de> for Parts<T> {
        type Value = Document<T>;

        fn expecting(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
            write!(f, "a document of {}", T::SCHEMA.name)
        }

        fn visit_seq<A: serde::de::SeqAccess<'de>>(
            self,
            mut parts: A,
        ) -> Result<Self::Value, A::Error> {
            let missing = |n| A::Error::invalid_length(n, &"name, version and content");
            let name: Cow<'_, str> = parts.next_element()?.ok_or_else(|| missing(0))?;
            let version: u32 = parts.next_element()?.ok_or_else(|| missing(1))?;
            T::SCHEMA
                .require(&name, version)
                .map_err(A::Error::custom)?;
            let content = parts.next_element()?.ok_or_else(|| missing(2))?;
            Ok(Document(content))
        }
    }

    deserializer.deserialize_tuple(3, Parts(core::marker::PhantomData))
}

#[cfg(test)]
mod tests;
