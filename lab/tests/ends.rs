//! Ends of drives, their start conditions, and repetition of recorded drives, by the command.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use rstest::rstest;

/// A maneuver of one stage.
fn stage(keys: &str) -> String {
    let head = "schema = 1\nname = \"m\"\ndescription = \"d\"\nduration = 30.0\n[[stages]]\nname = \"go\"\n";
    format!("{head}{keys}\n")
}

fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"))
        .join("ends")
        .join(name);
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// `jounce drive` in a folder of its own, which has the maneuver `m.toml` and these files.
fn drive(
    name: &str,
    stage_keys: &str,
    files: &[(&str, &str)],
    arguments: &str,
) -> (PathBuf, Output) {
    let folder = folder(name);
    fs::write(folder.join("m.toml"), stage(stage_keys)).unwrap();
    for (file, text) in files {
        fs::write(folder.join(file), text).unwrap();
    }
    let output = Command::new(env!("CARGO_BIN_EXE_jounce"))
        .current_dir(&folder)
        .arg("drive")
        .args(arguments.split_whitespace())
        .output()
        .unwrap();
    (folder, output)
}

/// A column of the telemetry in a folder.
fn column(folder: &Path, name: &str) -> Vec<f64> {
    let mut table = csv::Reader::from_path(folder.join("out/telemetry.csv")).unwrap();
    let place = table
        .headers()
        .unwrap()
        .iter()
        .position(|column| column == name);
    let place = place.unwrap_or_else(|| panic!("no column {name}"));
    let rows = table
        .records()
        .map(|row| row.unwrap()[place].parse().unwrap());
    rows.collect()
}

const GO: &str = "until = { time = 10.0 }\nthrottle = 0.5\nkeep_heading = true";
/// A road from x = -50 to 400 m, 20 m wide; y is up.
const ROAD: &str = "v -50 0 10\nv 400 0 10\nv 400 0 -10\nv -50 0 -10\nf 1 2 3 4\n";
/// A deck 20 m above it from x = 20 to 60 m.
const DECK: &str = "v 20 20 10\nv 60 20 10\nv 60 20 -10\nv 20 20 -10\nf 5 6 7 8\n";

/// A sedan with the center of mass of a double-decker.
fn tall() -> String {
    let (_, sedan) = jounce::presets::FILES[0];
    sedan.replacen("[0.14, 0.0, 0.54]", "[0.14, 0.0, 1.4]", 1)
}

#[rstest]
#[case::finished("finished", GO, "sedan --ground flat", 0, "written:")]
#[case::parked(
    "parked",
    "until = { time = 3.0 }\nbrake = 1.0",
    "sedan --ground flat",
    0,
    "written:"
)]
#[case::roof(
    "roof",
    "until = { time = 6.0 }\nsteer = 1.0",
    "tall.toml --ground flat --speed 30",
    3,
    "on its roof or side"
)]
#[case::no_grip("no-grip", GO, "sedan --ground flat --friction 0", 3, "never moved")]
#[case::edge(
    "edge",
    GO,
    "sedan --ground mesh:road.obj --start 395,0",
    3,
    "fell off the ground"
)]
#[case::advice(
    "advice",
    GO,
    "sedan --ground mesh:road.obj --start 395,0",
    3,
    "--up z or --up y"
)]
#[case::wrong_axis(
    "wrong-axis",
    GO,
    "sedan --ground mesh:road.obj --up z",
    1,
    "turn it by --up y"
)]
fn ends(
    #[case] name: &str,
    #[case] stage: &str,
    #[case] arguments: &str,
    #[case] code: i32,
    #[case] told: &str,
) {
    let files = [("tall.toml", &*tall()), ("road.obj", ROAD)];
    let (folder, output) = drive(
        name,
        stage,
        &files,
        &format!("{arguments} --maneuver m.toml"),
    );
    let text = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
    assert_eq!(output.status.code(), Some(code), "{text}");
    assert!(text.contains(told), "{text}");
    assert_eq!(folder.join("out/telemetry.csv").exists(), code != 1);
}

#[rstest]
fn a_deck_above_the_road_ends_no_drive(#[values("standalone", "rapier")] world: &str) {
    let files = [("deck.obj", &*format!("{ROAD}{DECK}"))];
    let arguments =
        format!("sedan --maneuver m.toml --ground mesh:deck.obj --start 0,0 --world {world}");
    let (folder, output) = drive(world, GO, &files, &arguments);
    assert!(output.status.success(), "{output:?}");
    let way = column(&folder, "x [m]");
    assert!(way.iter().any(|x| *x > 70.0), "{:?}", way.last());
    assert!(column(&folder, "z [m]").iter().all(|z| *z < 1.0));
}

#[test]
fn a_drive_begins_and_takes_place_as_asked() {
    let coast = "until = { time = 0.5 }\nkeep_heading = true";
    let first = |name: &str, arguments: &str, wanted: &str| {
        let arguments = format!("sedan --maneuver m.toml --ground flat {arguments}");
        let (folder, output) = drive(name, coast, &[], &arguments);
        assert!(output.status.success(), "{output:?}");
        column(&folder, wanted)
    };
    let speed = first("speed", "--speed 20", "forward speed [m/s]");
    assert!(
        speed[0] == 20.0 && (19.0..20.0).contains(&speed[10]),
        "{speed:?}"
    );
    let spin = first("spin", "--speed 20", "rear left: spin [rad/s]");
    assert!((spin[0] * 0.33 - 20.0).abs() < 0.01);
    assert_eq!(first("gear", "--speed 20 --gear 2", "gear")[0], 2.0);
    let gears = [
        first("slow", "--speed 3", "gear")[0],
        first("fast", "--speed 30", "gear")[0],
    ];
    assert!(gears[0] == 1.0 && gears[1] > 2.0, "{gears:?}");
    // Free fall: ½·g·t², in 0.1 s.
    for (gravity, fall) in [("9.81", 0.049), ("1.62", 0.0081)] {
        let name = format!("fall-{gravity}");
        let z = first(
            &name,
            &format!("--height 3 --gravity {gravity} --dt 1/200"),
            "z [m]",
        );
        assert!((z[0] - 3.54).abs() < 0.001, "{}", z[0]);
        assert!((z[0] - z[20] - fall).abs() < 0.1 * fall, "{}", z[0] - z[20]);
    }
    let pushed = first("wind", "--wind 0,30", "y [m]");
    let calm = first("calm", "", "y [m]");
    assert!(
        pushed.last() > calm.last() && pushed.last() > Some(&0.001),
        "{:?}",
        pushed.last()
    );
    let forward = first("air", "--speed 20 --wind -10,0", "air speed [m/s]");
    assert!((forward[2] - 30.0).abs() < 0.2, "{}", forward[2]);
}

#[test]
fn a_repeated_drive_writes_the_same_telemetry() {
    let weave = "until = { time = 4.0 }\nthrottle = 0.6\nsine = { amplitude = 0.3, period = 1.0 }";
    let (folder, output) = drive(
        "repeat",
        weave,
        &[],
        "sedan --maneuver m.toml --ground slope:3 --speed 8 --record r.csv",
    );
    assert!(output.status.success(), "{output:?}");
    let telemetry = || fs::read(folder.join("out/telemetry.csv")).unwrap();
    let before = telemetry();
    fs::remove_file(folder.join("out/telemetry.csv")).unwrap();
    let (_, output) = drive("repeat", weave, &[], "sedan --speed 8 --input r.csv");
    assert!(output.status.success(), "{output:?}");
    assert!(before == telemetry());
}

/// A sedan with the ladder that its file shows, or without its first rung.
fn on_a_ladder(from: usize) -> String {
    let (_, sedan) = jounce::presets::FILES[0];
    let rungs = [
        "{ name = \"rigid wheels\", wheels = \"rigid\", friction = 1.0, end = 8.0 }",
        "{ name = \"rays\", wheels = \"rays\", end = 32.0 }",
        "{ name = \"three wheels\", three_wheeler = \"tadpole\" }",
    ];
    let rungs = rungs[from..].join(", ");
    format!("{sedan}\n[ladder]\nhysteresis = 0.1\nrungs = [{rungs}]\n")
}

#[test]
fn a_ladder_of_detail_is_obeyed_or_refused() {
    let files = [
        ("rigid.toml", &*on_a_ladder(0)),
        ("rays.toml", &*on_a_ladder(1)),
    ];
    let go = |arguments: &str| {
        let arguments = format!("{arguments} --maneuver m.toml --ground flat --world rapier");
        drive(
            "ladder",
            "until = { time = 1.0 }\nthrottle = 0.3",
            &files,
            &arguments,
        )
    };
    let (_, refused) = go("rigid.toml");
    let told = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert_eq!(refused.status.code(), Some(1), "{told}");
    assert!(
        told.contains("\"rigid wheels\"") && told.contains("--distance 8"),
        "{told}"
    );
    let wheels = |arguments: &str| {
        let (folder, output) = go(arguments);
        assert!(output.status.success(), "{output:?}");
        let text = fs::read_to_string(folder.join("out/telemetry.csv")).unwrap();
        let head = text.lines().next().unwrap().to_owned();
        let loaded = column(&folder, "rear left: load [N]").last() > Some(&100.0);
        let of = head
            .split(',')
            .filter(|name| name.ends_with(": load [N]"))
            .count();
        (of, loaded)
    };
    assert_eq!(wheels("rigid.toml --distance 10"), (4, true));
    assert_eq!(wheels("rays.toml"), (4, true));
    let (count, loaded) = wheels("rays.toml --distance 50");
    assert!(count < 4 || !loaded, "{count} wheels");
}
