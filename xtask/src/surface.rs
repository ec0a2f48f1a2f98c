//! The public interface of core, as rustdoc describes it: few enough types and methods to be learned, and none that users
//! cannot name.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};

use crate::cargo::{Cargo, finish};
use crate::files::read;

/// Most public types of core, beside the settings of the explicit solver, which few need to name.
const MOST_TYPES: usize = 114;
/// File of the settings that do not count.
const UNCOUNTED: &str = "params/profile/explicit.rs";
/// Most public methods of a type.
const MOST_METHODS: (&str, usize) = ("Vehicle", 30);
/// Prefixes of public items that mention a type of the hidden modules, each with the reason.
const EXCEPTIONS: &[(&str, &str)] = &[
    ("vehicle_core::VehicleModel", "solvers and drives read it"),
    (
        "vehicle_core::drivetrain",
        "drives answer for four wheels at once",
    ),
];

/// Checks the number of public types and methods, and that public items mention only types with a documented path.
pub(crate) fn check(cargo: &Cargo) -> Result<(), String> {
    let description = describe(cargo)?;
    let interface = Interface::of(&description).ok_or("rustdoc's format has changed")?;
    let types = interface.types();
    let (name, most) = MOST_METHODS;
    let methods = interface.methods(name);
    println!(
        "vehicle-core: {} public types, {MOST_TYPES} at most",
        types.len()
    );
    println!(
        "vehicle-core: {} public methods of {name}, {most} at most",
        methods.len()
    );
    let mut faults = Vec::new();
    if types.is_empty() || types.len() > MOST_TYPES {
        faults.push(format!("number of public types: {}", join(&types)));
    }
    if methods.is_empty() || methods.len() > most {
        faults.push(format!(
            "number of public methods of {name}: {}",
            join(&methods)
        ));
    }
    faults.extend(unexcepted(&interface.hidden_mentions(), EXCEPTIONS));
    if faults.is_empty() {
        return Ok(());
    }
    Err(format!(
        "the interface of vehicle-core:\n{}",
        faults.join("\n")
    ))
}

fn join(names: &BTreeSet<&str>) -> String {
    names.iter().copied().collect::<Vec<_>>().join(", ")
}

/// Rustdoc's description of core's public items.
fn describe(cargo: &Cargo) -> Result<Value, String> {
    // Apart: build scripts run again where this variable changes, and all that depends on them.
    let folder = cargo.target().join("interface");
    let target = folder.display().to_string();
    let package = [
        "rustdoc",
        "--quiet",
        "--lib",
        "-p",
        "vehicle-core",
        "--target-dir",
        &target,
    ];
    let format = [
        "--",
        "-Z",
        "unstable-options",
        "--output-format",
        "json",
        "--cap-lints",
        "allow",
    ];
    let arguments = [&package[..], &format].concat();
    // A stable compiler has the format behind a switch for unstable options.
    finish(
        cargo.command(&arguments).env("RUSTC_BOOTSTRAP", "1"),
        &arguments,
    )?;
    let text = read(&folder.join("doc/vehicle_core.json"))?;
    serde_json::from_str(&text).map_err(|error| format!("rustdoc's description: {error}"))
}

/// The mentions of hidden types that no exception covers, and the exceptions that cover none.
fn unexcepted(mentions: &BTreeSet<(String, String)>, exceptions: &[(&str, &str)]) -> Vec<String> {
    let covers = |prefix: &str, item: &str| item.starts_with(prefix);
    let unknown = mentions
        .iter()
        .filter(|(item, _)| !exceptions.iter().any(|(prefix, _)| covers(prefix, item)))
        .map(|(item, hidden)| format!("{item} mentions {hidden}, which users cannot name"));
    let idle = exceptions
        .iter()
        .filter(|(prefix, _)| !mentions.iter().any(|(item, _)| covers(prefix, item)))
        .map(|(prefix, _)| format!("{prefix}: an exception that nothing needs"));
    unknown.chain(idle).collect()
}

/// The public items of a crate.
struct Interface<'a> {
    /// All items that rustdoc describes, by their number.
    index: &'a Map<String, Value>,
    /// Paths of all items that they mention, by their number.
    paths: &'a Map<String, Value>,
    /// Documented paths of items, by their number.
    named: BTreeMap<&'a str, String>,
}

impl<'a> Interface<'a> {
    /// The interface in rustdoc's `description`; `None` if its format is another one.
    fn of(description: &'a Value) -> Option<Self> {
        let mut interface = Self {
            index: description["index"].as_object()?,
            paths: description["paths"].as_object()?,
            named: BTreeMap::new(),
        };
        interface.name(&description["root"], "");
        Some(interface)
    }

    /// The item with a number, its kind, and the properties of its kind.
    fn item(&self, id: &Value) -> Option<(&'a str, &'a Value, &'a str, &'a Value)> {
        let (key, item) = self.index.get_key_value(&id.to_string())?;
        let (kind, inner) = item["inner"].as_object()?.iter().next()?;
        Some((key, item, kind, inner))
    }

    /// Names an item and, if it is a module, all that it exports.
    fn name(&mut self, id: &Value, within: &str) {
        let Some((key, item, kind, inner)) = self.item(id) else {
            return;
        };
        if kind == "use" {
            return match self.item(&inner["id"]) {
                Some((_, _, "module", module)) if inner["is_glob"] == true => {
                    items(module, "items").for_each(|id| self.name(id, within));
                }
                _ => self.name(&inner["id"], within),
            };
        }
        let name = item["name"].as_str().unwrap_or_default();
        let path = match within {
            "" => name.to_owned(),
            _ => format!("{within}::{name}"),
        };
        if self.named.contains_key(key) {
            return;
        }
        self.named.insert(key, path.clone());
        if kind == "module" {
            items(inner, "items").for_each(|id| self.name(id, &path));
        }
    }

    /// Named items of the kinds that count as types.
    fn types(&self) -> BTreeSet<&str> {
        let counts = |key: &str| {
            let item = &self.index[key];
            let file = item["span"]["filename"].as_str().unwrap_or_default();
            let is_type = ["struct", "enum", "union", "trait", "type_alias"]
                .iter()
                .any(|kind| item["inner"].get(kind).is_some());
            is_type && !file.ends_with(UNCOUNTED)
        };
        let named = self.named.iter().filter(|(key, _)| counts(key));
        named.map(|(_, path)| path.as_str()).collect()
    }

    /// Public methods of the type with this name, over all its blocks.
    fn methods(&self, name: &str) -> BTreeSet<&'a str> {
        let of_type = |key: &&&str| self.index[**key]["name"] == name;
        let types = self.named.keys().filter(of_type);
        let blocks = types.flat_map(|key| items(&self.index[*key]["inner"]["struct"], "impls"));
        let blocks = blocks.filter_map(|id| self.item(id));
        let own = blocks.filter(|(_, _, _, block)| block["trait"].is_null());
        let members = own.flat_map(|(_, _, _, block)| items(block, "items"));
        let members = members.filter_map(|id| self.item(id));
        let functions = members.filter(|(_, _, kind, _)| *kind == "function");
        functions
            .filter_map(|(_, item, ..)| item["name"].as_str())
            .collect()
    }

    /// Named items and their members, each with a type that it mentions and that has no documented path.
    fn hidden_mentions(&self) -> BTreeSet<(String, String)> {
        let mut found = BTreeSet::new();
        for (key, path) in &self.named {
            self.examine(&self.index[*key], path, &mut found);
        }
        found
    }

    /// Examines an item and its members, except for those of a module, which have names of their own.
    fn examine(&self, item: &Value, path: &str, found: &mut BTreeSet<(String, String)>) {
        let Some((kind, inner)) = item["inner"].as_object().and_then(|all| all.iter().next())
        else {
            return;
        };
        let derived = inner["is_synthetic"] == true || !inner["blanket_impl"].is_null();
        if kind == "module" || kind == "impl" && derived {
            return;
        }
        let mut mentioned = Vec::new();
        mentions(inner, &mut mentioned);
        for (id, written) in mentioned {
            if let Some(hidden) = self.hidden(id, written) {
                found.insert((path.to_owned(), hidden));
            }
        }
        for (_, member, kind, inner) in members(inner).filter_map(|id| self.item(id)) {
            let path = match (kind, inner["trait"]["path"].as_str()) {
                ("impl", Some(of)) => format!("{path} as {of}"),
                ("impl", None) => path.to_owned(),
                _ => format!("{path}::{}", member["name"].as_str().unwrap_or_default()),
            };
            self.examine(member, &path, found);
        }
    }

    /// The path of an item of this crate that has no documented one.
    fn hidden(&self, id: &Value, written: &str) -> Option<String> {
        let key = id.to_string();
        if self.named.contains_key(key.as_str()) {
            return None;
        }
        let Some(known) = self.paths.get(&key) else {
            return Some(written.to_owned());
        };
        let words = known["path"].as_array()?.iter().filter_map(Value::as_str);
        (known["crate_id"] == 0).then(|| words.collect::<Vec<_>>().join("::"))
    }
}

/// The numbers in a list of an item.
fn items<'a>(inner: &'a Value, list: &str) -> impl Iterator<Item = &'a Value> + use<'a> {
    inner[list].as_array().into_iter().flatten()
}

/// Members of a type, a trait, a block or a variant.
fn members(inner: &Value) -> impl Iterator<Item = &Value> {
    let lists = ["items", "impls", "variants"].into_iter();
    let fields = inner["kind"].as_object().into_iter().flat_map(Map::values);
    // Fields have names, or are a list.
    let fields = fields.flat_map(|kind| kind["fields"].as_array().or(kind.as_array()));
    lists
        .flat_map(|list| items(inner, list))
        .chain(fields.flatten())
}

/// Numbers and names of all items that a part of a description mentions.
fn mentions<'a>(part: &'a Value, found: &mut Vec<(&'a Value, &'a str)>) {
    match part {
        Value::Object(fields) => {
            if let (Some(id @ Value::Number(_)), Some(path)) =
                (fields.get("id"), fields.get("path"))
            {
                found.push((id, path.as_str().unwrap_or_default()));
            }
            fields.values().for_each(|field| mentions(field, found));
        }
        Value::Array(list) => list.iter().for_each(|element| mentions(element, found)),
        _ => (),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn item(name: &str, inner: Value) -> Value {
        json!({ "name": name, "inner": inner })
    }

    /// A crate with the struct `Open`, whose method `get` returns `Hidden` of a hidden module, and whose blanket block does too.
    fn description() -> Value {
        let hidden = json!({ "resolved_path": { "path": "Hidden", "id": 9 } });
        let foreign = json!({ "resolved_path": { "path": "Vec", "id": 8 } });
        json!({
            "root": 0,
            "index": {
                "0": item("krate", json!({ "module": { "items": [1, 2] } })),
                "1": item("", json!({ "use": { "id": 3, "name": "open", "is_glob": true } })),
                "2": item("", json!({ "use": { "id": 5, "name": "Open", "is_glob": false } })),
                "3": item("open", json!({ "module": { "items": [4, 5] } })),
                "4": item("MOST", json!({ "constant": {} })),
                "5": item("Open", json!({ "struct": { "kind": { "plain": { "fields": [10] } }, "impls": [6, 7] } })),
                "6": item("", json!({ "impl": { "trait": null, "items": [11, 12], "is_synthetic": false } })),
                "7": item("", json!({ "impl": {
                    "trait": { "path": "Into", "id": 8, "args": hidden }, "items": [], "blanket_impl": foreign
                } })),
                "9": item("Hidden", json!({ "struct": { "kind": "unit", "impls": [] } })),
                "10": item("field", json!({ "struct_field": foreign })),
                "11": item("get", json!({ "function": { "sig": { "inputs": [], "output": hidden } } })),
                "12": item("LEAST", json!({ "assoc_const": {} })),
            },
            "paths": {
                "5": { "crate_id": 0, "path": ["krate", "open", "Open"] },
                "8": { "crate_id": 2, "path": ["alloc", "vec", "Vec"] },
                "9": { "crate_id": 0, "path": ["krate", "inner", "Hidden"] },
            },
        })
    }

    #[test]
    fn types_and_methods_with_documented_paths_count() {
        let description = description();
        let interface = Interface::of(&description).unwrap();
        assert_eq!(join(&interface.types()), "krate::Open");
        assert_eq!(join(&interface.methods("Open")), "get");
        assert!(interface.methods("Hidden").is_empty());
    }

    #[test]
    fn a_mention_of_a_hidden_type_is_found() {
        let description = description();
        let mentions = Interface::of(&description).unwrap().hidden_mentions();
        let expected = ("krate::Open::get", "krate::inner::Hidden");
        let expected = BTreeSet::from([(expected.0.to_owned(), expected.1.to_owned())]);
        assert_eq!(mentions, expected);
        assert_eq!(unexcepted(&mentions, &[]).len(), 1);
        assert!(unexcepted(&mentions, &[("krate::Open::g", "")]).is_empty());
        assert_eq!(
            unexcepted(&mentions, &[("krate::Open", ""), ("krate::Shut", "")]).len(),
            1
        );
    }

    #[test]
    fn another_format_is_noticed() {
        assert!(Interface::of(&json!({ "index": [] })).is_none());
    }
}
