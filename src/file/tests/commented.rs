//! Keys and tables that shipped files show in comments: each can be uncommented alone.

use super::*;

/// Numbers of the lines of each commented key or table of a file, from 0.
fn commented(text: &str) -> Vec<core::ops::Range<usize>> {
    let lines: Vec<&str> = text.lines().collect();
    let mut found = Vec::new();
    let mut next = 0;
    while next < lines.len() {
        let start = next;
        next += 1;
        if !begins(lines[start]) {
            continue;
        }
        let is_table = lines[start].starts_with("# [");
        while next < lines.len()
            && lines[next].starts_with("# ")
            && (is_table || uncommented(&lines[start..next]).parse::<Table>().is_err())
        {
            next += 1;
        }
        found.push(start..next);
    }
    found
}

/// Whether a line begins a commented key or table, not a sentence.
fn begins(line: &str) -> bool {
    let Some(line) = line.strip_prefix("# ") else {
        return false;
    };
    let is_key = |text: &str| {
        let allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-');
        !text.is_empty() && text.chars().all(allowed)
    };
    line.split_once(" = ").is_some_and(|(key, _)| is_key(key))
        || line.starts_with('[') && line.trim_end().ends_with(']')
}

fn uncommented(lines: &[&str]) -> String {
    let each = lines
        .iter()
        .map(|line| line.strip_prefix("# ").unwrap_or(line));
    each.collect::<Vec<_>>().join("\n")
}

/// The file with these of its lines uncommented.
fn with(text: &str, range: &core::ops::Range<usize>) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let parts = [
        lines[..range.start].join("\n"),
        uncommented(&lines[range.clone()]),
        lines[range.end..].join("\n"),
    ];
    parts.join("\n")
}

#[test]
fn each_commented_key_of_a_shipped_file_can_be_uncommented() {
    let shipped = presets::FILES.into_iter();
    let mut count = 0;
    let mut faults = Vec::new();
    for (name, text) in shipped.chain([("the benchmarks' sedan", SEDAN)]) {
        for range in commented(text) {
            count += 1;
            if let Err(error) = Car::parse(&with(text, &range), name) {
                faults.push(error.to_string());
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(count >= 20, "{count} found");
}

#[test]
fn commented_keys_are_told_from_sentences() {
    let text = "a = 1\n# Optional keys: b, of\n# b = [\n#     2,\n# ]   # more\n# c.d = 3\n\n# [e]\n# f = 4\n# g = 5\n\nh = 6\n";
    let found = commented(text);
    assert_eq!(found, [2..5, 5..6, 7..10]);
    assert!(with(text, &found[0]).contains("\nb = [\n    2,\n]   # more\n# c.d"));
    assert!(with(text, &found[2]).ends_with("\n[e]\nf = 4\ng = 5\n\nh = 6"));
}
