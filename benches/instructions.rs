//! Instructions of `phases::update`, and of a probe in Rapier, counted by valgrind, so the same on a busy machine: `cargo
//! xtask bench --instructions`.
//!
//! With the name of a case, plays its recorded drives in [`counted`], or drives in Rapier and probes in
//! `counted_probe`, where valgrind counts; without, lists the cases and how many updates or probes each counts.

use core::hint::black_box;
use std::env;

use jounce::core::{CarCommand, Command, Vehicle};
use jounce::file::Car;

#[cfg(feature = "rapier")]
#[path = "peers/src/course.rs"]
mod course;
mod drives;
#[cfg(feature = "rapier")]
#[path = "peers/src/rapier_world.rs"]
mod rapier_world;
#[cfg(feature = "rapier")]
mod probes;

use drives::{Frame, Player, STEPS, explicit, look, ready, record, record_commands};

/// Drives that share the counted updates.
const SHARED: usize = 4;

/// A counted case, by its name.
type Case = (&'static str, fn() -> Playback);

const UPDATES: [Case; 13] = [
    ("sedan", || preset("sedan")),
    ("sedan-with-reports", || {
        Playback::of(&ready("sedan", ""), look)
    }),
    ("sedan-explicit", || explicit_sedan(1)),
    ("sedan-explicit-3-substeps", || explicit_sedan(3)),
    ("sedan-held", || held("")),
    ("sedan-explicit-held", || held(&explicit(1))),
    ("sports-car", || preset("sports-car")),
    ("truck", || preset("truck")),
    ("suv", || preset("suv")),
    ("truck-6x6", || preset("truck-6x6")),
    ("eighteen-wheeler", || preset("eighteen-wheeler")),
    ("tank", || preset("tank")),
    ("tadpole", || preset("tadpole")),
];

fn preset(name: &str) -> Playback {
    Playback::of(&ready(name, ""), |_| ())
}

fn explicit_sedan(substeps: u32) -> Playback {
    Playback::of(&ready("sedan", &explicit(substeps)), |_| ())
}

/// A sedan that brakes hold; it is awake, since it steers.
fn held(keys: &str) -> Playback {
    let braking = Command::Car(CarCommand {
        brake: 0.5,
        steer: 0.1,
        ..CarCommand::default()
    });
    let car = ready("sedan", keys);
    let drives = (0..SHARED).map(|n| record_commands(&car, n, |_, _| braking));
    Playback::of_drives(&car, drives.collect(), |_| ())
}

/// A vehicle in each of some recorded drives.
struct Playback {
    drives: Vec<Vec<Frame>>,
    players: Vec<Player>,
    after: fn(&Vehicle),
}

impl Playback {
    fn of(car: &Car, after: fn(&Vehicle)) -> Self {
        let drives = (0..SHARED).map(|n| record(car, n));
        Self::of_drives(car, drives.collect(), after)
    }

    fn of_drives(car: &Car, drives: Vec<Vec<Frame>>, after: fn(&Vehicle)) -> Self {
        let player = |n| Player::new(&car.model(), &drives, n);
        let players = (0..SHARED).map(player).collect();
        Self {
            drives,
            players,
            after,
        }
    }
}

/// [`STEPS`] updates.
#[inline(never)]
fn counted(playback: &mut Playback) {
    for _ in 0..STEPS / SHARED {
        for player in &mut playback.players {
            player.step(&playback.drives);
            (playback.after)(&player.vehicle);
        }
    }
}

fn main() {
    // Cargo adds options of its own.
    let asked = env::args()
        .skip(1)
        .find(|argument| !argument.starts_with("--"));
    for (name, prepare) in UPDATES {
        match &asked {
            None => println!("{name} {STEPS}"),
            Some(asked) if asked == name => counted(black_box(&mut prepare())),
            Some(_) => {}
        }
    }
    #[cfg(feature = "rapier")]
    for ground in course::CourseGround::ALL {
        let name = format!("probe-on-rapier-{}", ground.name());
        match &asked {
            None => println!("{name} {}", probes::PROBES),
            Some(asked) if *asked == name => probes::drive(ground),
            Some(_) => {}
        }
    }
}
