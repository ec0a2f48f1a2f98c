//! Effect of each number of a vehicle file: the sentence of the book's guides, or one of our own.

mod besides;

use std::sync::LazyLock;

use besides::BESIDES;

/// The chapters with tables of keys.
const CHAPTERS: [&str; 4] = [
    include_str!("../../book/src/tuning.md"),
    include_str!("../../book/src/tires.md"),
    include_str!("../../book/src/differentials.md"),
    include_str!("../../book/src/powertrains.md"),
];

/// Path and sentence of each row of the book's tables.
static BOOK: LazyLock<Vec<(String, String)>> =
    LazyLock::new(|| CHAPTERS.iter().flat_map(|page| rows(page)).collect());

/// The rows of the tables of a page that begin with `| key |`.
fn rows(page: &str) -> Vec<(String, String)> {
    let tables = page
        .split("\n\n")
        .filter(|table| table.starts_with("| key |"));
    let rows = tables.flat_map(|table| {
        let more = table
            .lines()
            .next()
            .is_some_and(|head| head.contains("more of it"));
        let sentence = move |effect: &str| {
            if more {
                format!("More of it: {effect}.")
            } else {
                format!("{effect}.")
            }
        };
        table.lines().skip(2).filter_map(move |line| {
            let cells: Vec<&str> = line.split('|').map(str::trim).collect();
            Some((
                cells.get(1)?.trim_matches('`').to_owned(),
                sentence(cells.get(4)?),
            ))
        })
    });
    rows.collect()
}

/// A path without indices of lists and names of tires.
pub(crate) fn general(path: &str) -> String {
    let mut keys: Vec<&str> = path
        .split('.')
        .filter(|key| key.parse::<usize>().is_err())
        .collect();
    if keys.len() > 2 && keys[0] == "tires" {
        keys.remove(1);
    }
    keys.join(".")
}

/// Effect of the number at a path. Where the book has rows for several axles, the last describes axles without a row.
#[must_use]
pub fn advice(path: &str) -> Option<&'static str> {
    let same = |known: &str| {
        path.strip_prefix(known)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    };
    let exact = BOOK.iter().find(|(known, _)| same(known));
    let alike = || {
        BOOK.iter()
            .rev()
            .find(|(known, _)| general(known) == general(path))
    };
    if let Some((_, sentence)) = exact.or_else(alike) {
        return Some(sentence);
    }
    // A parallel hybrid's clutch, gearbox and autobox have the keys of others.
    if let Some(part) = path.strip_prefix("drivetrain.parallel.") {
        return advice(&format!("drivetrain.{part}"));
    }
    // Of a list or a table within, the keys around it speak.
    let path = general(path);
    let ends = core::iter::successors(Some(&*path), |path| Some(path.rsplit_once('.')?.0));
    let ending = |path: &str, known: &str| {
        path.strip_suffix(known)
            .is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
    };
    ends.into_iter()
        .find_map(|path| BESIDES.iter().find(|(known, _)| ending(path, known)))
        .map(|(_, sentence)| *sentence)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::garage::Garage;

    #[test]
    fn every_number_of_every_preset_has_a_sentence() {
        let knobs =
            jounce::presets::FILES.map(|(name, text)| Garage::open(name, text).unwrap().knobs());
        let without = knobs
            .iter()
            .flatten()
            .filter(|knob| advice(&knob.path).is_none());
        let without: Vec<_> = without.map(|knob| &knob.path).collect();
        assert!(without.is_empty(), "{without:?}");
    }

    #[test]
    fn sentences_are_the_books() {
        assert!(BOOK.len() > 40, "{} rows", BOOK.len());
        let (front, rear) = ("axles.0.suspension.damping", "axles.1.suspension.damping");
        assert!(advice(front).unwrap().contains("lose the ground on bumps"));
        assert_ne!(advice(rear), advice(front));
        assert_eq!(advice("axles.2.suspension.damping"), advice(rear));
        assert_eq!(
            advice("tires.eco.lat_stiff_x"),
            advice("tires.street.lat_stiff_x")
        );
        assert!(advice("chassis.inertia.2").unwrap().contains("slower roll"));
        assert!(advice("axles.1.damping").unwrap().contains("bearing"));
        assert_eq!(advice("nothing.here"), None);
    }
}
