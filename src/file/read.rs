//! Reads a table into a type and reports every unknown key, missing key and wrong type at once:
//! each fault is recorded, replaced by a stand-in value, and reading continues. Faults within a
//! stand-in are not reported.
//!
//! What is read so is then checked with the rest of the file. A rule that is broken because of a stand-in is no fault of
//! the file: the file is read again with others, and only faults of every reading are reported.

use std::vec;

use serde::de::DeserializeOwned;
use toml::{Table, Value};

use vehicle_core::{Fault, MAX_WHEELS};

use super::message::{self, shown};
use super::path::{find, is_within, replace};

/// Values that stand in for missing and mistyped ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Placeholder {
    /// Small numbers, empty lists and tables, the first of names.
    Small,
    /// Large numbers, lists and tables with something in them, the last of names.
    Large,
    /// Numbers below zero, the rest as if small.
    Negative,
}

impl Placeholder {
    /// The stand-ins with which a file that needed some is read again.
    pub(super) const OTHERS: [Self; 2] = [Self::Large, Self::Negative];

    /// Values to be tried in turn.
    fn values(self) -> Vec<Value> {
        let (number, whole, word, switch) = match self {
            Self::Small => (1.0, 1, "", false),
            Self::Large => (1e6, 100, "?", true),
            Self::Negative => (-1e6, 0, "", false),
        };
        let list = |length| Value::Array(vec![Value::Float(number); length]);
        let (mut lists, mut table) = (vec![list(0), list(1), list(2), list(3)], Table::new());
        if self == Self::Large {
            lists.insert(0, list(MAX_WHEELS));
            table.insert(word.to_owned(), Value::Table(Table::new()));
        }
        let alone = [
            Value::Float(number),
            Value::Integer(whole),
            Value::String(word.to_owned()),
            Value::Boolean(switch),
            Value::Table(table),
        ];
        alone.into_iter().chain(lists).collect()
    }

    /// A table in which others stand in for numbers that are [impossible](is_impossible); `None` if there are none.
    fn mended(self, table: &Value, faults: &[Fault]) -> Option<Table> {
        let impossible = faults.iter().filter(|fault| is_impossible(fault, table));
        let mut mended = table.clone();
        for fault in impossible {
            let instead = find(table, &fault.path).map(|value| self.instead_of(value));
            replace(&mut mended, &fault.path, instead);
        }
        match mended {
            Value::Table(mended) if Value::Table(mended.clone()) != *table => Some(mended),
            _ => None,
        }
    }

    /// The value that stands in for a number or a list of them.
    fn instead_of(self, value: &Value) -> Value {
        let mut alone = self.values().into_iter();
        match value {
            Value::Array(list) => {
                Value::Array(list.iter().map(|value| self.instead_of(value)).collect())
            }
            Value::Integer(_) => alone.nth(1).unwrap_or_else(|| value.clone()),
            _ => alone.next().unwrap_or_else(|| value.clone()),
        }
    }

    /// One of the names that a message expects.
    fn name(self, message: &str) -> Option<Value> {
        let mut known = message::known_names(message)?;
        let name = match self {
            Self::Small | Self::Negative => known.next(),
            Self::Large => known.last(),
        };
        name.map(|name| Value::String(name.to_owned()))
    }
}

/// Faults of a file, collected while it is read.
pub(super) struct FileFindings {
    placeholder: Placeholder,
    /// Values that cannot be read.
    unread: Vec<Fault>,
    /// Values that were read and break a rule.
    pub(super) broken: Vec<Fault>,
    /// Whole paths of the stand-in values.
    stood_in: Vec<String>,
}

impl FileFindings {
    /// Findings of a file before it is read: none.
    pub(super) fn new(placeholder: Placeholder) -> Self {
        Self {
            placeholder,
            unread: Vec::new(),
            broken: Vec::new(),
            stood_in: Vec::new(),
        }
    }

    /// Number of faults.
    pub(super) fn count(&self) -> usize {
        self.unread.len() + self.broken.len()
    }

    /// Notes that something else stands at a path, and why; says what it is to be like.
    pub(super) fn stand_in(&mut self, path: String, fault: Option<Fault>) -> Placeholder {
        self.stood_in.push(path);
        self.unread.extend(fault);
        self.placeholder
    }

    /// Whether any value stands in for one of the file.
    pub(super) fn patched(&self) -> bool {
        !self.stood_in.is_empty()
    }

    /// The faults that do not depend on stand-ins; `others` is what was found with other ones.
    pub(super) fn shared(self, others: &[Self]) -> Vec<Fault> {
        let made_up = |fault: &Fault| {
            let mut stood_in = self.stood_in.iter();
            stood_in.any(|path| is_within(&fault.path, path))
                || others.iter().any(|found| !found.broken.contains(fault))
        };
        let broken = self.broken.into_iter().filter(|fault| !made_up(fault));
        self.unread.into_iter().chain(broken).collect()
    }
}

/// The result of `attempt` on a table, or every fault that is one of the file: not those that follow from missing,
/// mistyped or impossible values.
pub(super) fn every_fault<T>(
    table: &Table,
    attempt: impl Fn(Table, &mut FileFindings) -> Option<T>,
) -> Result<T, Vec<Fault>> {
    let attempt = |table: &Table, placeholder| {
        let mut findings = FileFindings::new(placeholder);
        match attempt(table.clone(), &mut findings) {
            Some(made) => Ok(made),
            None => Err(findings),
        }
    };
    attempt(table, Placeholder::Small).map_err(|findings| {
        let again = Placeholder::OTHERS.into_iter();
        let again = again.filter(|_| findings.patched());
        let others: Vec<FileFindings> = again.filter_map(|s| attempt(table, s).err()).collect();
        let faults = findings.shared(&others);
        let whole = Value::Table(table.clone());
        let mended = |placeholder: Placeholder| {
            let table = placeholder.mended(&whole, &faults)?;
            let found = attempt(&table, placeholder).err();
            Some(found.map_or_else(Vec::new, |found| {
                found.unread.into_iter().chain(found.broken).collect()
            }))
        };
        let all = [
            Placeholder::Small,
            Placeholder::Large,
            Placeholder::Negative,
        ];
        let mended: Vec<Vec<Fault>> = all.into_iter().filter_map(mended).collect();
        let own = |fault: &Fault| {
            is_impossible(fault, &whole) || mended.iter().all(|found| found.contains(fault))
        };
        faults.iter().filter(|fault| own(fault)).cloned().collect()
    })
}

/// Whether a fault is that of a number in the table, or a list of them, that breaks a rule of its own: the sign or range that
/// it must have, whatever the others are.
fn is_impossible(fault: &Fault, table: &Value) -> bool {
    let of_its_own = ["must be finite", "must be within "];
    let is_own = of_its_own.iter().any(|rule| fault.rule.starts_with(rule));
    is_own && find(table, &fault.path).is_some_and(are_numbers)
}

fn are_numbers(value: &Value) -> bool {
    match value {
        Value::Float(_) | Value::Integer(_) => true,
        Value::Array(list) => {
            !list.is_empty() && list.iter().all(|x| x.is_float() || x.is_integer())
        }
        _ => false,
    }
}

/// Reason why a value cannot be read: its path, in serde's terms, and the message.
pub(super) struct Unread {
    pub(super) path: String,
    pub(super) message: String,
}

/// Maximum number of repairs before reading gives up: as many axles as wheels take some 1,500.
const MOST_REPAIRS: usize = 4000;

/// Reads `table`, located under `prefix` in its file; `None` if it is beyond repair.
pub(super) fn read<T: DeserializeOwned>(
    table: Table,
    prefix: &str,
    findings: &mut FileFindings,
) -> Option<T> {
    read_by(table, prefix, findings, deserialized)
}

/// A table as a type, or the first reason why it is none.
pub(super) fn deserialized<T: DeserializeOwned>(table: Table) -> Result<T, Unread> {
    serde_path_to_error::deserialize(Value::Table(table)).map_err(|error| Unread {
        path: error.path().to_string(),
        message: error.inner().message().to_owned(),
    })
}

/// Reads a table by `attempt`, with stand-ins for what is missing or mistyped, and records the faults.
pub(super) fn read_by<T>(
    table: Table,
    prefix: &str,
    findings: &mut FileFindings,
    attempt: impl Fn(Table) -> Result<T, Unread>,
) -> Option<T> {
    let mut value = Value::Table(table);
    let placeholder = findings.placeholder;
    // Where something stands in, and what may still be tried there.
    let mut stood_in: Vec<(String, vec::IntoIter<Value>)> = Vec::new();
    for _ in 0..MOST_REPAIRS {
        let Value::Table(table) = &value else {
            break;
        };
        let Unread { path, message } = match attempt(table.clone()) {
            Ok(read) => return Some(read),
            Err(error) => error,
        };
        let path = message::place(&path, &message);
        if !stood_in.iter().any(|(known, _)| is_within(&path, known)) {
            let fault = fault(prefix, &path, &value, &message);
            findings.unread.push(fault);
        }
        if message.starts_with(message::UNKNOWN_KEY) {
            if !replace(&mut value, &path, None) {
                break;
            }
            continue;
        }
        // Another stand-in has other parts.
        stood_in.retain(|(known, _)| *known == path || !is_within(known, &path));
        let known = stood_in.iter().position(|(known, _)| *known == path);
        let place = known.unwrap_or_else(|| {
            findings.stood_in.push(within(prefix, &path));
            stood_in.push((path.clone(), placeholder.values().into_iter()));
            stood_in.len() - 1
        });
        let next = placeholder.name(&message);
        let Some(stand_in) = next.or_else(|| stood_in[place].1.next()) else {
            break;
        };
        if !replace(&mut value, &path, Some(stand_in)) {
            break;
        }
    }
    None
}

fn within(prefix: &str, path: &str) -> String {
    match (prefix.is_empty(), path.is_empty()) {
        (true, _) => path.to_owned(),
        (_, true) => prefix.to_owned(),
        _ => format!("{prefix}.{path}"),
    }
}

fn fault(prefix: &str, path: &str, value: &Value, text: &str) -> Fault {
    Fault {
        path: within(prefix, path),
        value: find(value, path).map_or("nothing".to_owned(), shown),
        rule: message::rule(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Deserialize;

    #[derive(Debug, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    enum Color {
        Red,
        Green,
    }

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Inner {
        depth: f32,
        count: usize,
    }

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Outer {
        name: String,
        color: Color,
        inner: Vec<Inner>,
    }

    fn read_text(text: &str) -> (Option<Outer>, Vec<String>) {
        let mut findings = FileFindings::new(Placeholder::Small);
        let value = read(text.parse().unwrap(), "", &mut findings);
        let faults = findings.unread.iter().map(ToString::to_string).collect();
        (value, faults)
    }

    #[test]
    fn a_valid_table_has_no_faults() {
        let (value, faults) =
            read_text("name = 'a'\ncolor = 'green'\ninner = [{ depth = 2, count = 3 }]");
        let value = value.unwrap();
        assert!(faults.is_empty());
        assert!(matches!(value.color, Color::Green) && !matches!(value.color, Color::Red));
        assert_eq!((value.name.as_str(), value.inner[0].count), ("a", 3));
        assert_eq!(value.inner[0].depth, 2.0);
    }

    #[test]
    fn all_faults_are_found_at_once() {
        let (value, faults) = read_text(
            "nam = 'a'\ncolor = 'blue'\ninner = [{ depth = 'x', count = 1 }, { dept = 1.0, count = -3 }]",
        );
        let text = faults.join("\n");
        for path in [
            "nam ",
            "name ",
            "color ",
            "inner[0].depth ",
            "inner[1].dept ",
            "inner[1].depth ",
            "inner[1].count ",
        ] {
            assert!(
                faults.iter().any(|f| f.starts_with(path)),
                "{path} in\n{text}"
            );
        }
        assert_eq!(faults.len(), 7, "{text}");
        assert!(value.is_some());
    }

    #[test]
    fn contents_of_a_missing_list_are_not_reported() {
        for text in [
            "name = 'a'\ncolor = 'red'",
            "name = 'a'\ncolor = 'red'\ninner = 3",
        ] {
            let (value, faults) = read_text(text);
            assert_eq!(faults.len(), 1, "{faults:?}");
            assert!(faults[0].starts_with("inner = "), "{faults:?}");
            assert!(value.unwrap().inner.is_empty());
        }
        let (_, faults) = read_text("name = 'a'\ncolor = 'red'\ninner = [3.0]");
        assert_eq!(faults, ["inner[0] = 3.0: must be a table"]);
    }
}
