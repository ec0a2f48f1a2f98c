//! First words of doc comments: on a page of the documentation, nothing stands before them.

/// Openings that refer to a neighbor of the item.
const REFERRING: [&str; 3] = ["The same", "Those", "As"];
/// Beginnings of the lines of a doc comment.
const MARKERS: [&str; 2] = ["///", "//!"];

/// Doc comments of a text that begin with such an opening: line, from 1, and opening.
pub(crate) fn referring(text: &str) -> impl Iterator<Item = (usize, &'static str)> {
    let mut before = None;
    text.lines().enumerate().filter_map(move |(n, line)| {
        let marked = MARKERS.into_iter().find_map(|marker| {
            let words = line.trim_start().strip_prefix(marker)?;
            Some((marker, words.trim_start()))
        });
        let begins = marked.map(|(marker, _)| marker) != before;
        before = marked.map(|(marker, _)| marker);
        let (_, words) = marked.filter(|_| begins)?;
        let opening = REFERRING
            .into_iter()
            .find(|opening| begins_with(words, opening))?;
        Some((n + 1, opening))
    })
}

/// Whether a text begins with these words, not only with their letters.
fn begins_with(text: &str, words: &str) -> bool {
    let rest = text.strip_prefix(words);
    rest.is_some_and(|rest| !rest.starts_with(char::is_alphanumeric))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_lines_that_refer_to_a_neighbor_are_found() {
        let lines = [
            "//! Those of a page.",
            "",
            "/// Speed.",
            "/// The same as before.",
            "fn a() {}",
            "    /// As `a`.",
            "    b: f32,",
            "/// The same: mutable.",
            "//! As [`a`].",
        ];
        let text = lines.join("\n");
        let found: Vec<_> = referring(&text).collect();
        assert_eq!(found, [(1, "Those"), (6, "As"), (8, "The same"), (9, "As")]);
    }

    #[test]
    fn other_openings_stand_alone() {
        let lines = [
            "/// Assembles a car.",
            "fn a() {}",
            "// The same, in a comment.",
            "fn b() {}",
            "/// These numbers.",
        ];
        assert_eq!(referring(&lines.join("\n")).count(), 0);
    }
}
