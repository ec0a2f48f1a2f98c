//! Files in which callgrind counts instructions by address.

use std::collections::BTreeMap;

/// How often the instruction at an address was executed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Executed<'a> {
    /// The object file that it is in.
    pub(crate) object: &'a str,
    /// The function.
    pub(crate) function: &'a str,
    pub(crate) address: u64,
    pub(crate) count: u64,
}

/// All instructions in a file of callgrind's. A line with a position and a count belongs to the object and the function named
/// last, but for the one after `calls=`, which counts what was called.
pub(crate) fn executed(text: &str) -> Vec<Executed<'_>> {
    let (mut objects, mut functions) = (NamesByNumber::new(), NamesByNumber::new());
    let (mut object, mut function, mut address, mut called) = ("", "", 0, false);
    let mut all = Vec::new();
    for line in text.lines() {
        if let Some(named) = line.strip_prefix("ob=") {
            object = name_of(named, &mut objects);
        } else if let Some(named) = line.strip_prefix("cob=") {
            name_of(named, &mut objects);
        } else if let Some(named) = line.strip_prefix("fn=") {
            function = name_of(named, &mut functions);
        } else if let Some(named) = line.strip_prefix("cfn=") {
            name_of(named, &mut functions);
        } else if line.starts_with("calls=") {
            called = true;
        } else if let Some((position, count)) = position_and_count(line, address) {
            address = position;
            if !core::mem::take(&mut called) {
                all.push(Executed {
                    object,
                    function,
                    address,
                    count,
                });
            }
        }
    }
    all
}

/// Names by their numbers.
type NamesByNumber<'a> = BTreeMap<&'a str, &'a str>;

/// A name such as `(12) name`, or `(12)` where it was given before.
fn name_of<'a>(text: &'a str, names: &mut NamesByNumber<'a>) -> &'a str {
    match text.split_once(' ') {
        Some((number, name)) => {
            names.insert(number, name);
            name
        }
        None => names.get(text).copied().unwrap_or(text),
    }
}

/// The address and the count in a line that has both; `+` and `-` count from the `last` address, and `*` is the same.
fn position_and_count(line: &str, last: u64) -> Option<(u64, u64)> {
    let (position, count) = line.split_once(' ')?;
    let address = if position == "*" {
        last
    } else if let Some(way) = position.strip_prefix('+') {
        last + way.parse::<u64>().ok()?
    } else if let Some(way) = position.strip_prefix('-') {
        last - way.parse::<u64>().ok()?
    } else {
        u64::from_str_radix(position.strip_prefix("0x")?, 16).ok()?
    };
    Some((address, count.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Positions follow each other, names are given once, and calls count to what was called.
    #[test]
    fn instructions_are_read() {
        let text = "positions: instr\nevents: Ir\nsummary: 1\nob=(1) /program\nfn=(1) a\n0x10 5\n+4 7\n\
                    cob=(2) /libc\ncfn=(2) b\ncalls=1 0x10\n+4 100\n-8 1\n* 2\nob=(2)\nfn=(2)\n0x10 30\n";
        let found = executed(text);
        let (a, b) = (("/program", "a"), ("/libc", "b"));
        let expected = [
            (a, 0x10, 5),
            (a, 0x14, 7),
            (a, 0x10, 1),
            (a, 0x10, 2),
            (b, 0x10, 30),
        ];
        let expected = expected.map(|((object, function), address, count)| Executed {
            object,
            function,
            address,
            count,
        });
        assert_eq!(found, expected);
    }
}
