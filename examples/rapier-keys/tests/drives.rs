//! The program itself.

use std::process::Command;

/// Numbers of a line of its output: the speed (`km/h`), then the position of each wheel (`m`).
fn numbers(line: &str) -> Vec<f64> {
    let words = line.split([' ', '(', ')']);
    words.filter_map(|word| word.parse().ok()).collect()
}

#[test]
fn keys_drive_the_car_and_its_wheels_are_where_it_is() {
    let program = env!("CARGO_BIN_EXE_rapier-keys");
    let output = Command::new(program).output().expect("it starts");
    assert!(output.status.success(), "{output:?}");
    let text = String::from_utf8(output.stdout).expect("it prints text");
    let seconds: Vec<Vec<f64>> = text.lines().map(numbers).collect();
    assert!(
        seconds.len() == 10 && seconds.iter().all(|line| line.len() == 13),
        "{text}"
    );
    for line in &seconds {
        let wheel = |n: usize| &line[1 + 3 * n..4 + 3 * n];
        let apart = |a: usize, b: usize| {
            let squares = wheel(a).iter().zip(wheel(b)).map(|(a, b)| (a - b).powi(2));
            squares.sum::<f64>().sqrt()
        };
        // The sedan's track and wheelbase, to the digits that are printed and what its mounts yield.
        assert!((apart(0, 1) - 1.56).abs() < 0.03, "{text}");
        assert!((apart(0, 2) - 2.72).abs() < 0.03, "{text}");
        // On the ground, on tires of 0.33 m.
        assert!((0..4).all(|n| (wheel(n)[2] - 0.33).abs() < 0.05), "{text}");
    }
    let (fast, end) = (&seconds[3], &seconds[9]);
    assert!(
        fast[0] > 25.0 && end[0] < -1.0,
        "throttle, then reverse: {text}"
    );
    assert!(fast[2] > 1.0, "the left key turns to the left: {text}");
}
