//! Which kinds of instructions an update executes: callgrind's counts by address, and what stands there.
//!
//! Arithmetic is the floor of a solver in four lanes; the rest brings numbers to it, and decides.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use crate::callgrind;
use crate::case_table::CaseTable;
use crate::files;

/// Kinds of instructions, in the order of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum InstructionKind {
    FourNumbers,
    OneNumber,
    LaneOrder,
    Copies,
    Memory,
    Others,
}

impl InstructionKind {
    const ALL: [(Self, &'static str); 6] = [
        (Self::FourNumbers, "arithmetic of four numbers at once"),
        (Self::OneNumber, "arithmetic of one number"),
        (Self::LaneOrder, "order of lanes"),
        (Self::Copies, "copies of numbers between registers"),
        (Self::Memory, "loads and stores of numbers"),
        (Self::Others, "integers, addresses, branches, calls"),
    ];

    /// The kind of an instruction of x86-64 in Intel's syntax.
    fn of(mnemonic: &str, operands: &str) -> Self {
        const ARITHMETIC: [&str; 14] = [
            "add", "sub", "mul", "div", "sqrt", "min", "max", "and", "or", "xor", "cmp", "ucomi",
            "comi", "cvt",
        ];
        const ORDER: [&str; 6] = ["shuf", "unpck", "movlh", "movhl", "pshuf", "punpck"];
        let starts = |with: &[&str]| with.iter().any(|start| mnemonic.starts_with(start));
        if !operands.contains("xmm") || mnemonic.starts_with("movmsk") {
            return Self::Others;
        }
        if starts(&ORDER) {
            return Self::LaneOrder;
        }
        let zero = operands.split_once(',').is_some_and(|(a, b)| a == b);
        if mnemonic.starts_with("mov") || (zero && mnemonic.contains("xor")) {
            let memory = operands.contains('[');
            return if memory { Self::Memory } else { Self::Copies };
        }
        let one = mnemonic.contains("ss") || mnemonic.contains("sd");
        if one && starts(&ARITHMETIC) {
            Self::OneNumber
        } else if starts(&ARITHMETIC) || mnemonic.starts_with('p') {
            Self::FourNumbers
        } else {
            Self::Others
        }
    }
}

/// A table of the kinds of instructions of some cases, whose counts of so many `updates` of `program` lie in `folder`.
///
/// # Errors
/// If no program tells what stands at an address.
pub(crate) fn table(
    program: &Path,
    folder: &Path,
    cases: &[&str],
    updates: &BTreeMap<String, u64>,
) -> Result<String, String> {
    let kinds = disassembled(program)
        .ok_or("kinds of instructions: objdump for x86-64 is missing, and a table would be lost")?;
    let read = |case: &&str| {
        let text = files::read(&folder.join(case))?;
        Ok(by_kind(&text, program, &kinds))
    };
    let counts: Vec<BTreeMap<InstructionKind, u64>> =
        cases.iter().map(read).collect::<Result<_, String>>()?;
    let mut table = CaseTable::new("kind of instruction", cases, updates);
    for (kind, name) in InstructionKind::ALL {
        table.row(name, |case| *counts[case].get(&kind).unwrap_or(&0));
    }
    Ok(table.text())
}

/// Kinds of all instructions of a program, by address.
fn disassembled(program: &Path) -> Option<BTreeMap<u64, InstructionKind>> {
    if cfg!(not(target_arch = "x86_64")) {
        return None;
    }
    let arguments = ["--disassemble", "--no-show-raw-insn", "-M", "intel"];
    let output = Command::new("objdump")
        .args(arguments)
        .arg(program)
        .output();
    let output = output.ok().filter(|output| output.status.success())?;
    let text = String::from_utf8_lossy(&output.stdout);
    Some(text.lines().filter_map(instruction).collect())
}

/// An instruction in a line of objdump's, as `3c5bfa:` and `test eax,eax` after a tab.
fn instruction(line: &str) -> Option<(u64, InstructionKind)> {
    let (address, rest) = line.split_once(":\t")?;
    let address = u64::from_str_radix(address.trim(), 16).ok()?;
    let (mnemonic, operands) = rest.split_once(' ').unwrap_or((rest, ""));
    Some((address, InstructionKind::of(mnemonic, operands.trim())))
}

/// Sums up a file of callgrind's. Of other object files than the program, nothing is known.
fn by_kind(
    text: &str,
    program: &Path,
    kinds: &BTreeMap<u64, InstructionKind>,
) -> BTreeMap<InstructionKind, u64> {
    let mut counts = BTreeMap::new();
    for executed in callgrind::executed(text) {
        let own = Path::new(executed.object) == program;
        let kind = kinds.get(&executed.address).filter(|_| own);
        *counts
            .entry(*kind.unwrap_or(&InstructionKind::Others))
            .or_default() += executed.count;
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::*;
    use InstructionKind::{Copies, FourNumbers, LaneOrder, Memory, OneNumber, Others};

    #[test]
    fn kinds_are_read_from_lines() {
        let kind = |line: &str| instruction(line).map(|(_, kind)| kind);
        for (line, expected) in [
            ("  3c5c47:\taddps  xmm1,XMMWORD PTR [rbx+0x10]", FourNumbers),
            ("  3c5c47:\tcmpleps xmm1,xmm2", FourNumbers),
            ("  3c5c47:\tandnps xmm1,XMMWORD PTR [rbx]", FourNumbers),
            ("  3c5c47:\tpcmpeqd xmm1,xmm2", FourNumbers),
            ("  3c5c47:\tmulss  xmm0,xmm1", OneNumber),
            ("  3c5c47:\tucomiss xmm0,xmm1", OneNumber),
            ("  3c5c47:\tcvttss2si eax,xmm1", OneNumber),
            ("  3c5c47:\tshufps xmm1,xmm1,0x0", LaneOrder),
            ("  3c5c47:\tmovhlps xmm1,xmm2", LaneOrder),
            ("  3c5c47:\tmovaps xmm1,xmm2", Copies),
            ("  3c5c47:\txorps  xmm1,xmm1", Copies),
            ("  3c5c47:\tmovups XMMWORD PTR [rsp+0x10],xmm2", Memory),
            ("  3c5c47:\tmovss  xmm2,DWORD PTR [rsp]", Memory),
            ("  3c5c47:\tmovmskps eax,xmm1", Others),
            ("  3c5c47:\tmov    rax,QWORD PTR [rsp]", Others),
            ("  3c5c47:\tret", Others),
        ] {
            assert_eq!(kind(line), Some(expected), "{line}");
        }
        assert_eq!(kind("0000000000001000 <_init>:"), None);
    }

    /// Addresses in other files are not the program's.
    #[test]
    fn counts_are_those_of_the_program() {
        let text = "ob=(1) /program\nfn=(1) a\n0x10 5\n0x14 7\nob=(2) /libc\nfn=(2) b\n0x10 30\nob=(1)\n0x10 1\n";
        let kinds = [(0x10, FourNumbers), (0x14, Memory)].into();
        let expected = [(FourNumbers, 6), (Memory, 7), (Others, 30)].into();
        assert_eq!(by_kind(text, Path::new("/program"), &kinds), expected);
    }
}
