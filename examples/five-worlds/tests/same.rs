//! The programs themselves: the same drive on every world.

use std::process::Command;

/// Position (`m`) and speed (`m/s`) for each second of a program's output.
fn seconds(program: &str) -> Vec<[f64; 2]> {
    let output = Command::new(program).output().expect("it starts");
    assert!(output.status.success(), "{program}: {output:?}");
    let text = String::from_utf8(output.stdout).expect("it prints text");
    text.lines()
        .map(|line| {
            let words: Vec<&str> = line.split_whitespace().collect();
            [1, 3].map(|n| {
                words[n]
                    .parse()
                    .unwrap_or_else(|_| panic!("{program}: {line}"))
            })
        })
        .collect()
}

#[test]
fn every_world_lets_the_car_drive_alike() {
    let judge = seconds(env!("CARGO_BIN_EXE_standalone"));
    assert_eq!(judge.len(), 10);
    assert!(judge[4][1] > 15.0 && judge[9][1] == 0.0, "{judge:?}");
    let readme = concat!(env!("CARGO_MANIFEST_DIR"), "/../../README.md");
    let readme = std::fs::read_to_string(readme).expect("the readme is there");
    let told = format!("All stop after {:.2} m", judge[9][0]);
    assert!(readme.contains(&told), "not in README.md: {told}");
    let engines = [
        #[cfg(feature = "rapier")]
        env!("CARGO_BIN_EXE_rapier"),
        #[cfg(feature = "avian")]
        env!("CARGO_BIN_EXE_avian"),
        #[cfg(feature = "box3d")]
        env!("CARGO_BIN_EXE_box3d"),
        #[cfg(feature = "jolt")]
        env!("CARGO_BIN_EXE_jolt"),
    ];
    for engine in engines {
        let others = seconds(engine);
        assert_eq!(others.len(), judge.len(), "{engine}");
        for (own, other) in judge.iter().zip(others) {
            // 0.5 % of the distance, 1 % of the speed, and the rounding of the output.
            assert!(
                (own[0] - other[0]).abs() < 0.005 * own[0] + 0.01,
                "{engine}: {other:?}"
            );
            assert!(
                (own[1] - other[1]).abs() < 0.01 * own[1] + 0.01,
                "{engine}: {other:?}"
            );
        }
    }
}
