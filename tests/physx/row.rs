//! One row of a function table: inputs by name, outputs by name.

use core::cell::RefCell;
use std::collections::BTreeSet;

use glam::{Quat, Vec3};
use serde_json::Value;

use crate::rounding::Ways;
use crate::tables::is_output;
use proving_ground::scenario as axes;

/// A row being read; records which inputs were used, so that unknown columns are detected.
pub(crate) struct Row<'a> {
    value: &'a Value,
    used: RefCell<BTreeSet<String>>,
    /// Whether the row's inputs are rounded otherwise than in the file.
    is_variant: bool,
}

impl<'a> Row<'a> {
    pub(crate) fn new(value: &'a Value) -> Self {
        Self {
            value,
            used: RefCell::new(BTreeSet::new()),
            is_variant: false,
        }
    }

    /// A row of [`rounded`](Self::rounded) inputs.
    pub(crate) fn variant(value: &'a Value) -> Self {
        Self {
            is_variant: true,
            ..Self::new(value)
        }
    }

    /// The row with every input moved by its rounding, up or down as the variant says. Whole numbers are exact.
    pub(crate) fn rounded(value: &Value, variant: u32) -> Value {
        let mut rounded = value.clone();
        let inputs = rounded.as_object_mut().expect("a row is an object");
        let mut ways = Ways::new(variant);
        for (_, input) in inputs.iter_mut().filter(|(key, _)| !is_output(key)) {
            ways.take(input);
        }
        rounded
    }

    /// Whether the row's inputs are rounded otherwise than in the file.
    pub(crate) const fn is_variant(&self) -> bool {
        self.is_variant
    }

    fn get(&self, key: &str) -> &'a Value {
        self.used.borrow_mut().insert(key.to_owned());
        self.value
            .get(key)
            .unwrap_or_else(|| panic!("unknown schema: no column {key}"))
    }

    /// Marks a column as known although it has no effect.
    pub(crate) fn ignore(&self, key: &str) {
        let _ = self.get(key);
    }

    pub(crate) fn number(&self, key: &str) -> f32 {
        number(self.get(key)) as f32
    }

    pub(crate) fn count(&self, key: &str) -> u32 {
        self.number(key) as u32
    }

    /// `None` for JSON's null.
    pub(crate) fn optional(&self, key: &str) -> Option<f32> {
        let value = self.get(key);
        (!value.is_null()).then(|| number(value) as f32)
    }

    /// `None` for this word.
    pub(crate) fn unless_word(&self, key: &str, word: &str) -> Option<f32> {
        let value = self.get(key);
        (value.as_str() != Some(word)).then(|| number(value) as f32)
    }

    pub(crate) fn flag(&self, key: &str) -> bool {
        truth(self.get(key))
    }

    pub(crate) fn text(&self, key: &str) -> &'a str {
        self.get(key).as_str().expect("a string")
    }

    pub(crate) fn list(&self, key: &str) -> Vec<f32> {
        numbers(self.get(key))
            .into_iter()
            .map(|x| x as f32)
            .collect()
    }

    pub(crate) fn flags(&self, key: &str) -> Vec<bool> {
        let list = self.get(key).as_array().expect("a list");
        list.iter().map(truth).collect()
    }

    pub(crate) fn four(&self, key: &str) -> [f32; 4] {
        self.list(key).try_into().expect("four numbers")
    }

    /// A vector in our axes.
    pub(crate) fn vector(&self, key: &str) -> Vec3 {
        axes::from_physx(self.list(key).try_into().expect("three numbers"))
    }

    /// A rotation in our axes.
    pub(crate) fn rotation(&self, key: &str) -> Quat {
        axes::rotation_from_physx(self.four(key))
    }

    /// A nested object.
    pub(crate) fn nested(&self, key: &str) -> Self {
        Self::new(self.get(key))
    }

    /// A list of objects.
    pub(crate) fn objects(&self, key: &str) -> Vec<Self> {
        let list = self.get(key).as_array().expect("a list");
        list.iter().map(Self::new).collect()
    }

    /// A list of objects, empty for JSON's null.
    pub(crate) fn optional_objects(&self, key: &str) -> Vec<Self> {
        let list = self.get(key).as_array();
        list.map_or(vec![], |list| list.iter().map(Self::new).collect())
    }

    /// Unused inputs: the schema of the table is unknown.
    pub(crate) fn unknown(&self) -> Vec<String> {
        let used = self.used.borrow();
        self.value
            .as_object()
            .expect("a row is an object")
            .keys()
            .filter(|key| !is_output(key) && !used.contains(*key))
            .cloned()
            .collect()
    }
}

/// A number; non-finite ones are strings.
pub(crate) fn number(value: &Value) -> f64 {
    match value {
        Value::String(text) => match text.as_str() {
            "nan" => f64::NAN,
            "inf" => f64::INFINITY,
            "-inf" => f64::NEG_INFINITY,
            other => panic!("{other} is not a number"),
        },
        Value::Bool(b) => f64::from(u8::from(*b)),
        other => other.as_f64().expect("a number"),
    }
}

fn truth(value: &Value) -> bool {
    value.as_bool().unwrap_or_else(|| number(value) != 0.0)
}

/// Numbers of a scalar or of a list, nested lists flattened.
pub(crate) fn numbers(value: &Value) -> Vec<f64> {
    match value {
        Value::Array(list) => list.iter().flat_map(numbers).collect(),
        other => vec![number(other)],
    }
}
