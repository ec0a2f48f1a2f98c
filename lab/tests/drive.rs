//! Short drives in both worlds, and their output files; the command's exit codes.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use rstest::rstest;

const STROLL: &str = "schema = 1\nname = \"stroll\"\ndescription = \"<off & on>\"\n\
                      duration = 4.0\n\
                      [[stages]]\nname = \"go\"\nuntil = { time = 2.0 }\nthrottle = 0.6\n\
                      sine = { amplitude = 0.2, period = 1.0 }\n\
                      [[stages]]\nname = \"stop\"\nuntil = { stopped = true }\nbrake = 1.0\n";

const ROLL: &str = "schema = 1\nname = \"roll\"\ndescription = \"d\"\nduration = 30.0\n\
                    [[stages]]\nname = \"roll\"\nuntil = { distance = 50.0 }\n\
                    hold_speed = 6.0\nkeep_heading = true\n\
                    [[stages]]\nname = \"stop\"\nuntil = { stopped = true }\nbrake = 1.0\n";

fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::create_dir_all(&folder).unwrap();
    folder
}

fn jounce(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_jounce"))
        .args(arguments)
        .output()
        .unwrap()
}

fn stroll(folder: &str, more: &[&str]) -> PathBuf {
    drive(folder, STROLL, more)
}

/// Drives a maneuver; returns the output folder.
fn drive(folder: &str, maneuver: &str, more: &[&str]) -> PathBuf {
    let folder = self::folder(folder);
    let file = folder.join("maneuver.toml");
    fs::write(&file, maneuver).unwrap();
    let [maneuver, out] = [&file, &folder].map(|path| path.to_str().unwrap());
    let mut arguments = vec!["drive", "--maneuver", maneuver, "--out", out];
    arguments.extend(more);
    let output = jounce(&arguments);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    folder
}

fn summary(folder: &Path) -> serde_json::Value {
    let text = fs::read_to_string(folder.join("summary.json")).unwrap();
    serde_json::from_str(&text).unwrap()
}

/// Height of the center of mass after each step (`m`).
fn heights(folder: &Path) -> Vec<f64> {
    let csv = fs::read_to_string(folder.join("telemetry.csv")).unwrap();
    let height = |line: &str| line.split(',').nth(4).unwrap().parse().unwrap();
    csv.lines().skip(1).map(height).collect()
}

#[rstest]
fn a_drive_writes_three_files(
    #[values("standalone", "rapier")] world: &str,
    #[values("flat", "slope:5", "hills:3")] ground: &str,
    #[values("1", "3")] every: &str,
) {
    let name = format!("{world}-{}-{every}", ground.replace(':', "-"));
    let out = stroll(
        &name,
        &["--world", world, "--ground", ground, "--query-every", every],
    );
    let csv = fs::read_to_string(out.join("telemetry.csv")).unwrap();
    let header = csv.lines().next().unwrap();
    for column in [
        "time [s]",
        "speed [m/s]",
        "engine [rpm]",
        "rear left: load [N]",
    ] {
        assert!(header.split(',').any(|c| c == column), "{column}: {header}");
    }
    let summary = summary(&out);
    assert!(summary["max_speed"].as_f64().unwrap() > 2.0, "{summary}");
    assert_eq!(
        (&summary["refused"], &summary["end"]),
        (&0.into(), &"finished".into())
    );
    assert!(
        summary["braking"]["distance"].as_f64().unwrap() > 0.3,
        "{summary}"
    );
}

#[test]
fn the_page_is_self_contained_and_complete() {
    let out = stroll("page", &["sports-car", "--dt", "0.01"]);
    let html = fs::read_to_string(out.join("report.html")).unwrap();
    for outside in ["http:", "https:", "src=", "@import", "url(", "<link"] {
        assert!(!html.contains(outside), "{outside}");
    }
    for hole in ["NaN", "inf%", "inf\""] {
        assert!(!html.contains(hole), "{hole}");
    }
    for part in [
        "sports-car",
        "&lt;off &amp; on&gt;",
        "Wheel load",
        "prefers-color-scheme",
    ] {
        assert!(html.contains(part), "{part}");
    }
    assert_eq!(html.matches("<svg").count(), html.matches("</svg>").count());
}

#[test]
fn the_same_drive_writes_the_same_bytes() {
    let files = ["telemetry.csv", "summary.json", "report.html"];
    let [a, b] = ["same-a", "same-b"].map(|name| {
        let out = stroll(name, &["--ground", "flat"]);
        files.map(|file| fs::read(out.join(file)).unwrap())
    });
    assert!(a == b);
}

#[test]
fn a_car_drives_on_a_mesh_and_off_it() {
    let folder = folder("mesh");
    let mesh = folder.join("plate.obj");
    // Y up, 8 m ahead of the center, 3 m to each side.
    fs::write(&mesh, "v -8 1 3\nv 8 1 3\nv 8 1 -3\nv -8 1 -3\nf 1 2 3 4\n").unwrap();
    let ground = format!("mesh:{}", mesh.display());
    for world in ["standalone", "rapier"] {
        let out = stroll("mesh-drive", &["--ground", &ground, "--world", world]);
        let height = heights(&out)[4];
        assert!((height - 1.54).abs() < 0.05, "{world}: {height}");
    }
}

#[rstest]
#[case("steps:0.08", 0.24)]
#[case("ramp:10", 3.473)]
#[case("ramp:-10", -3.473)]
fn both_worlds_agree_on_a_climb(#[case] ground: &str, #[case] climb: f64) {
    let drives = ["standalone", "rapier"].map(|world| {
        let name = format!("climb-{world}-{}", ground.replace(':', "-"));
        drive(&name, ROLL, &["--ground", ground, "--world", world])
    });
    for out in &drives {
        let heights = heights(out);
        let climbed = heights[heights.len() - 1] - heights[0];
        assert!((climbed - climb).abs() < 0.02, "{climbed}");
    }
    for number in ["max_speed", "distance", "duration"] {
        let [a, b] = drives
            .each_ref()
            .map(|out| summary(out)[number].as_f64().unwrap());
        assert!((a - b).abs() < 0.01 * a, "{number}: {a} {b}");
    }
}

#[rstest]
#[case(&["check", "sedan"], 0, "ride frequency")]
#[case(&["check", "no/such.toml"], 1, "no/such.toml: ")]
#[case(&["drive", "no/such.toml"], 1, "no/such.toml: ")]
#[case(&["drive", "--maneuver", "no/such.toml"], 1, "no/such.toml: ")]
#[case(&["drive", "--ground", "mesh:no/such.obj"], 1, "no/such.obj: ")]
#[case(&["drive", "--ground", "heightfield:no/such.txt"], 1, "no/such.txt: ")]
#[case(&["drive", "--ground", "moon"], 2, "must be flat")]
#[case(&["drive", "--ground", "steps:0.8"], 2, "steps:0.8: must be within 0.01..=0.5 m")]
#[case(&["drive", "--ground", "ramp:60"], 2, "ramp:60: must be within -45..=45 degrees")]
#[case(&["drive", "--dt", "0"], 2, "must be within")]
#[case(&["drive", "--start", "9e9,0", "--ground", "hills"], 1, "no ground at the start")]
fn exit_codes(#[case] arguments: &[&str], #[case] code: i32, #[case] said: &str) {
    let output = jounce(arguments);
    let text = [output.stdout, output.stderr].concat();
    let text = String::from_utf8_lossy(&text);
    assert_eq!(output.status.code(), Some(code), "{text}");
    assert!(text.contains(said), "{text}");
}

#[test]
fn every_fault_of_a_vehicle_file_is_reported() {
    let path = folder("faults").join("bad.toml");
    let sedan = jounce::presets::BENCHMARK_SEDAN;
    let bad = sedan.replacen("mass = 1500.0", "mass = -1.0", 1).replacen(
        "radius = 0.32",
        "radius = 0.0",
        1,
    );
    fs::write(&path, bad).unwrap();
    let output = jounce(&["check", path.to_str().unwrap()]);
    let text = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1));
    assert!(
        text.contains("chassis.mass = -1 kg") && text.contains("radius = 0 m"),
        "{text}"
    );
}

#[test]
fn lint_finds_fails_and_speaks_json() {
    let sound = jounce(&["lint", "sedan", "--dt", "1/120"]);
    let text = String::from_utf8_lossy(&sound.stdout);
    assert!(sound.status.success(), "{text}");
    assert_eq!(text.trim(), "sedan: 0 error(s), 0 warning(s), 0 note(s)");
    let airless = jounce(&["lint", "delta", "--dt", "1/120"]);
    let text = String::from_utf8_lossy(&airless.stdout);
    assert!(airless.status.success(), "{text}");
    let note = "note [aerodynamics] aerodynamics: none: the gears allow 158 km/h";
    assert!(text.contains(note), "{text}");
    let path = folder("lint").join("gears.toml");
    let (_, sedan) = jounce::presets::FILES[0];
    fs::write(&path, sedan.replacen("[3.6, 2.05,", "[3.6, 4.05,", 1)).unwrap();
    let unsound = jounce(&["lint", path.to_str().unwrap(), "--json"]);
    assert_eq!(unsound.status.code(), Some(1));
    let findings: serde_json::Value = serde_json::from_slice(&unsound.stdout).unwrap();
    assert_eq!(findings[0]["severity"], "error");
    assert_eq!(
        findings[0]["place"], "drivetrain.gearbox.forward[1]",
        "{findings}"
    );
}

/// The first object of a trace of PhysX 5's `vehicle2`.
fn vehicle2_header() -> serde_json::Value {
    let trace = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../tests/reference/physx/traces_vehicle2/v2_tank_snippet.jsonl.gz"
    );
    let text = proving_ground::text::read(trace.as_ref()).unwrap();
    serde_json::from_str(text.lines().next().unwrap()).unwrap()
}

#[test]
fn traces_of_vehicle2_are_replayed() {
    let mut header = vehicle2_header();
    header["header"]["frames"] = 120.into();
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("vehicle2.json");
    fs::write(&path, header.to_string()).unwrap();
    let output = jounce(&["trace", path.to_str().unwrap()]);
    assert!(output.status.success(), "{output:?}");
    let text = String::from_utf8(output.stdout).unwrap();
    let last: serde_json::Value = serde_json::from_str(text.lines().last().unwrap()).unwrap();
    assert_eq!((text.lines().count(), &last["f"]), (120, &119.into()));
    let driven = last["p"][2].as_f64().unwrap();
    assert!(driven > 0.0, "{driven}");
    // Throttle, brakes, thrusts of the schedule.
    assert_eq!(last["in"], serde_json::json!([1.0, 0.0, 0.0, 0.5, 0.5]));
}

#[rstest]
#[case::word(&["params", "diff_type"], "locked".into(), "not supported: differential locked")]
#[case::wheels(&["params", "wheels"], serde_json::json!([]), "not supported: brake_multipliers: 4 values, 0 wheels")]
#[case::missing(&["params", "engine_moi"], serde_json::Value::Null, "invalid type: null")]
#[case::fault(&["params", "mass"], (-1.0).into(), "mass = -1")]
fn unsupported_vehicle2_headers_are_reported(
    #[case] keys: &[&str],
    #[case] value: serde_json::Value,
    #[case] told: &str,
) {
    let mut header = vehicle2_header();
    let place = keys
        .iter()
        .fold(&mut header["header"], |at, key| &mut at[key]);
    *place = value;
    let name = format!("vehicle2-{}.json", keys.join("-"));
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::write(&path, header.to_string()).unwrap();
    let output = jounce(&["trace", path.to_str().unwrap()]);
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(!output.status.success() && text.contains(told), "{text}");
}

/// A closed pipe, such as `head`'s, must not make the command panic.
#[test]
fn a_closed_pipe_is_not_an_error() {
    let trace = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../tests/reference/physx/traces/mix_base.jsonl.gz"
    );
    let mut child = Command::new(env!("CARGO_BIN_EXE_jounce"))
        .args(["trace", trace])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{output:?}");
    assert!(output.stderr.is_empty(), "{output:?}");
}

/// An ABS that acts is in the figures, the telemetry and the report; a car without aids has no word of them.
#[test]
fn aids_that_act_are_in_every_file() {
    let stop = "schema = 1\nname = \"stop\"\ndescription = \"d\"\nduration = 12.0\n\
                [[stages]]\nname = \"stop\"\nuntil = { stopped = true }\nbrake = 1.0\n";
    let out = drive(
        "aids",
        stop,
        &["sports-car", "--speed", "25", "--ground", "flat"],
    );
    let summary = summary(&out);
    let aid = &summary["aids"][0];
    assert_eq!(aid["name"], "abs");
    assert!(aid["time"].as_f64().unwrap() > 1.0, "{aid}");
    let table = fs::read_to_string(out.join("telemetry.csv")).unwrap();
    let mut table = csv::Reader::from_reader(table.as_bytes());
    let place = table
        .headers()
        .unwrap()
        .iter()
        .position(|name| name == "abs [1]");
    let acts = |row: csv::StringRecord| &row[place.unwrap()] == "1.0000";
    assert!(
        table
            .records()
            .flatten()
            .filter(|row| acts(row.clone()))
            .count()
            > 60
    );
    let page = fs::read_to_string(out.join("report.html")).unwrap();
    assert!(page.contains("Driver aids"));

    let out = stroll("no-aids", &[]);
    let page = fs::read_to_string(out.join("report.html")).unwrap();
    assert!(self::summary(&out)["aids"].is_null() && !page.contains("Driver aids"));
}

/// A racing driver laps a track in either world; its laps are in the output, the summary and the map.
#[rstest]
fn a_race_has_its_laps_in_every_output(#[values("standalone", "rapier")] world: &str) {
    let out = folder(&format!("race-{world}"));
    let to = out.to_str().unwrap();
    let output = jounce(&[
        "drive", "sedan", "--track", "kart", "--laps", "2", "--world", world, "--out", to,
    ]);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    for part in [
        "race on track kart",
        "best lap",
        "lap 1 ",
        "lap 2 ",
        "within the edges",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert!(!text.contains("beyond the edges"), "{text}");
    let laps = summary(&out)["laps"].clone();
    let times = [0, 1].map(|n| laps[n]["time"].as_f64().unwrap());
    assert!(
        times[1] < times[0] && (40.0..50.0).contains(&times[1]),
        "{times:?}"
    );
    let page = fs::read_to_string(out.join("report.html")).unwrap();
    for part in [
        "class=\"track\"",
        "class=\"gate\"",
        "class=\"ideal\"",
        "<td>lap 2</td>",
    ] {
        assert!(page.contains(part), "{part}");
    }
}

/// A maneuver is driven on the ground of a track, from its start on.
#[test]
fn a_maneuver_is_driven_on_a_track() {
    let out = drive("on-a-track", ROLL, &["--ground", "track:road-course"]);
    let page = fs::read_to_string(out.join("report.html")).unwrap();
    assert!(page.contains("class=\"track\"") && !page.contains("class=\"ideal\""));
    assert!(summary(&out)["laps"].is_null());
}

#[rstest]
#[case::unknown(&["--track", "ovel"], "ovel: neither a file nor a preset, did you mean oval?")]
#[case::with_maneuver(&["--track", "oval", "--maneuver", "brake"], "cannot be used with")]
#[case::with_ground(&["--track", "oval", "--ground", "flat"], "cannot be used with")]
#[case::with_start(&["--track", "oval", "--start", "0,0"], "cannot be used with")]
#[case::laps_alone(&["--laps", "3"], "--track")]
#[case::line_alone(&["--line", "center"], "--track")]
#[case::no_laps(&["--track", "oval", "--laps", "0"], "0 is not in 1..=1000")]
#[case::other_line(&["--track", "oval", "--line", "outer"], "racing, center")]
fn what_does_not_fit_a_race_is_refused(#[case] more: &[&str], #[case] told: &str) {
    let output = jounce(&[&["drive", "sedan"][..], more].concat());
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success() && text.contains(told), "{text}");
}

#[test]
fn a_faulty_track_is_named_with_its_lines() {
    let file = folder("faulty-track").join("loop.csv");
    fs::write(&file, "0,0,3,3\n90,0,3,0\n90,x,3,3\n0,90,3,3\n").unwrap();
    let output = jounce(&["drive", "sedan", "--track", file.to_str().unwrap()]);
    let text = String::from_utf8_lossy(&output.stderr);
    for told in [
        "loop.csv:2: w_tr_left_m = 0 m: must be finite and > 0",
        "loop.csv:3: y_m = \"x\": must be a number",
    ] {
        assert!(text.contains(told), "{told}: {text}");
    }
}
