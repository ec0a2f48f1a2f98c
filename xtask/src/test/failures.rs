//! Why a test program failed, in a few lines of its output.

/// Most lines of a program; lists of names and messages can be thousands of lines long.
const MOST: usize = 40;
/// Begins the messages of failed tests, and again the list of their names.
const HEADING: &str = "failures:";

/// The failed tests of a program and their messages, from its output; of a program that ended without
/// a list of them, its last lines.
pub(super) fn of(output: &str) -> Vec<&str> {
    let lines: Vec<&str> = output.lines().filter(|line| !is_noise(line)).collect();
    let (Some(begin), Some(end)) = (
        lines
            .windows(2)
            .position(|pair| pair[0] == HEADING && is_test(pair[1])),
        lines.iter().rposition(|line| *line == HEADING),
    ) else {
        return lines[lines.len().saturating_sub(MOST)..].to_vec();
    };
    let names = lines[end + 1..]
        .iter()
        .take_while(|line| line.starts_with("    "));
    let tests = lines[begin + 1..end].chunk_by(|_, next| !is_test(next));
    names
        .copied()
        .chain(tests.flat_map(message))
        .take(MOST)
        .collect()
}

fn is_noise(line: &str) -> bool {
    line.trim().is_empty() || line.starts_with("note: run with `RUST_BACKTRACE")
}

/// Whether a line begins the output of a failed test.
fn is_test(line: &str) -> bool {
    line.starts_with("---- ") && line.ends_with(" stdout ----")
}

/// The output of a failed test, without what it printed before its panic, and without a backtrace.
fn message<'a>(output: &[&'a str]) -> Vec<&'a str> {
    let panic = output
        .iter()
        .position(|line| line.contains(" panicked at "));
    let said = output[panic.unwrap_or(1)..].iter();
    let said = said.take_while(|line| **line != "stack backtrace:");
    output[..1].iter().chain(said).copied().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const OUTPUT: &str = "
running 3 tests
test fine ... ok
test a::rolls ... FAILED
test slides ... FAILED

failures:

---- a::rolls stdout ----
a table
of many lines

thread 'a::rolls' (7) panicked at core/tests/x.rs:12:5:
assertion `left == right` failed
  left: 1
 right: 2
stack backtrace:
   0: core::panicking::panic
note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace

---- slides stdout ----
Error: \"no road\"


failures:
    a::rolls
    slides

test result: FAILED. 1 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s
";

    #[test]
    fn failed_tests_are_named_with_what_they_said_as_they_failed() {
        assert_eq!(
            of(OUTPUT),
            [
                "    a::rolls",
                "    slides",
                "---- a::rolls stdout ----",
                "thread 'a::rolls' (7) panicked at core/tests/x.rs:12:5:",
                "assertion `left == right` failed",
                "  left: 1",
                " right: 2",
                "---- slides stdout ----",
                "Error: \"no road\"",
            ]
        );
    }

    #[test]
    fn a_long_message_is_cut_and_leaves_the_names() {
        let long = OUTPUT.replace("  left: 1\n", &"  left: 1\n".repeat(100));
        let found = of(&long);
        assert_eq!(found.len(), MOST);
        assert_eq!(found[..2], ["    a::rolls", "    slides"]);
    }

    #[test]
    fn a_program_that_dies_has_its_last_lines() {
        let text =
            "a line\n".repeat(MOST) + "test deep ... \nthread 'deep' has overflowed its stack\n";
        let found = of(&text);
        assert_eq!(found.len(), MOST);
        assert_eq!(found[MOST - 1], "thread 'deep' has overflowed its stack");
    }
}
