//! Numbers for the ids of engines that hide theirs.

use core::cell::RefCell;
use core::hash::Hash;
use std::collections::HashMap;

/// Numbers in the order of their first use. For engines that never use an id again.
#[derive(Clone, Debug)]
pub struct IdTable<T>(RefCell<Entries<T>>);

#[derive(Clone, Debug)]
struct Entries<T> {
    ids: Vec<T>,
    numbers: HashMap<T, u64>,
}

impl<T> Default for IdTable<T> {
    fn default() -> Self {
        Self(RefCell::new(Entries {
            ids: Vec::new(),
            numbers: HashMap::new(),
        }))
    }
}

impl<T: Copy + Eq + Hash> IdTable<T> {
    /// The number of an id, a new one if it is asked for the first time.
    pub fn id(&self, id: T) -> u64 {
        let Entries { ids, numbers } = &mut *self.0.borrow_mut();
        *numbers.entry(id).or_insert_with(|| {
            ids.push(id);
            ids.len() as u64 - 1
        })
    }

    /// All ids, in the order of their first use.
    pub fn all(&self) -> Vec<T> {
        self.0.borrow().ids.clone()
    }

    /// The id with a number.
    pub fn get(&self, number: u64) -> Option<T> {
        let number = usize::try_from(number).ok()?;
        self.0.borrow().ids.get(number).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_id_has_one_number() {
        let table = IdTable::default();
        let numbers = ["a", "b", "a"].map(|id| table.id(id));
        assert_eq!(numbers, [0, 1, 0]);
        assert_eq!(
            [0, 1, 2, u64::MAX].map(|n| table.get(n)),
            [Some("a"), Some("b"), None, None]
        );
    }
}
