//! The bits of the golden drives on this platform.

use golden_drives::{cases, hashes, stored_hashes};

#[test]
fn drives_give_the_stored_bits() {
    let (found, stored) = (hashes().unwrap(), stored_hashes().unwrap());
    print!("{found}");
    let other = |line: &&str| !stored.lines().any(|known| known == *line);
    let others: Vec<&str> = found.lines().filter(other).collect();
    assert!(
        others.is_empty(),
        "not as stored; if the change is intended, run `cargo xtask bless`:\n{}",
        others.join("\n")
    );
    assert_eq!(stored.lines().count(), cases().len());
}

#[test]
fn the_same_drive_gives_the_same_bits() {
    let case = cases()[1];
    assert_eq!(case.record().unwrap(), case.record().unwrap());
}
