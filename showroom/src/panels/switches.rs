//! Lamps and switches of driver aids, and the car's levers: only those that the car has.

use three_d::egui::{self, Align2, Button, Color32, Context, RichText, Ui};

use super::{ACCENT, dark};
use crate::app::{ShownAid, Showroom};
use crate::levers::{Lever, LeverSet, position};
use crate::orders::Order;

/// Activity from which an aid's lamp is lit (–).
const ACTS: f32 = 0.02;
/// Keys of the first aids.
const AID_KEYS: [&str; 5] = ["6", "7", "8", "9", "0"];

/// Short names of aids, and what each does.
const AIDS: [(&str, &str, &str); 15] = [
    ("speed-limiter", "LIMIT", "Fades torque near a speed."),
    (
        "cruise-control",
        "CRUISE",
        "Keeps a speed, and the distance to a vehicle ahead.",
    ),
    ("hill-descent", "HDC", "Keeps a slow speed downhill."),
    (
        "hill-hold",
        "HOLD",
        "Holds the car on a slope until it drives off.",
    ),
    ("parking-brake", "PARK", "Holds the standing car."),
    (
        "launch-control",
        "LAUNCH",
        "Holds engine speed and slip at the start.",
    ),
    (
        "torque-vectoring",
        "TV",
        "Brakes inner wheels under power, so that the car turns in.",
    ),
    (
        "rollover-mitigation",
        "ROLL",
        "Brakes before the inner wheels lift.",
    ),
    (
        "trailer-sway-control",
        "SWAY",
        "Brakes while a trailer swings.",
    ),
    (
        "stability-control",
        "ESC",
        "Brakes single wheels against too much and too little yaw.",
    ),
    (
        "traction-control",
        "TCS",
        "Keeps driven wheels from spinning.",
    ),
    ("brake-fade", "FADE", "Lets hot discs brake less."),
    (
        "brake-distribution",
        "EBD",
        "Keeps rear wheels from locking before front wheels.",
    ),
    ("abs", "ABS", "Keeps braking wheels from locking."),
    (
        "valve-abs",
        "ABS",
        "Keeps braking wheels from locking, by valves.",
    ),
];

pub(super) fn show(context: &Context, room: &Showroom, narrow: bool, orders: &mut Vec<Order>) {
    let aids = room.aids();
    let set = room.garage.levers();
    let levers = Lever::ALL
        .into_iter()
        .filter(|lever| set.positions(*lever) > 1);
    let levers: Vec<Lever> = levers.filter(|_| room.fleet.is_none()).collect();
    if aids.is_empty() && levers.is_empty() {
        return;
    }
    let flat = context.content_rect().height() < super::dials::FLAT;
    let (side, offset) = if narrow {
        (Align2::CENTER_BOTTOM, [0.0, -212.0])
    } else if flat {
        (Align2::LEFT_TOP, [8.0, 46.0])
    } else {
        (Align2::LEFT_BOTTOM, [8.0, -8.0])
    };
    let shift = super::covered(room, context.content_rect().width());
    let area = egui::Area::new("switches".into()).anchor(side, [offset[0] + shift, offset[1]]);
    area.show(context, |ui| {
        dark().show(ui, |ui| {
            ui.horizontal(|ui| {
                for (place, aid) in aids.iter().enumerate() {
                    switch(ui, aid, place, orders);
                }
                for lever in levers {
                    handle(ui, lever, room, &set, orders);
                }
            });
        });
    });
}

/// The lamp of an aid, which is its switch.
fn switch(ui: &mut Ui, aid: &ShownAid, place: usize, orders: &mut Vec<Order>) {
    let known = AIDS.iter().find(|(name, ..)| *name == aid.name);
    let (label, what) = known.map_or((aid.name.as_str(), ""), |(_, label, what)| (label, what));
    let acts = aid.activity > ACTS;
    let text = RichText::new(label).strong();
    let text = match (aid.on, acts) {
        (false, _) => text.strikethrough().color(Color32::from_gray(120)),
        (true, true) => text.color(Color32::BLACK),
        (true, false) => text.color(Color32::from_gray(225)),
    };
    let mut button = Button::new(text);
    if acts {
        button = button.fill(ACCENT);
    }
    let key = AID_KEYS
        .get(place)
        .map_or(String::new(), |key| format!(" ({key})"));
    let state = if aid.on { "on" } else { "off" };
    let tip = format!("{what} Now {state}; a click switches it{key}.");
    if ui.add(button).on_hover_text(tip).clicked() {
        orders.push(Order::Aid(aid.name.clone(), !aid.on));
    }
}

/// A lever with its position.
fn handle(ui: &mut Ui, lever: Lever, room: &Showroom, set: &LeverSet, orders: &mut Vec<Order>) {
    let (name, key, what) = match lever {
        Lever::ManualClutch => (
            "CLUTCH",
            "K",
            "Leaves the clutch to your foot: Z presses its pedal, I starts a stalled engine.",
        ),
        Lever::Range => ("RANGE", "G", "Changes to the next range of the gearbox."),
        Lever::Retarder => ("RETARDER", "T", "Brakes by the retarder, step by step."),
        Lever::PowerTakeOff => ("PTO", "O", "Drives an implement by the power take-off."),
    };
    let (at, positions) = (position(lever, &room.driver.levers), set.positions(lever));
    let text = match lever {
        Lever::Range => format!("{name} {}", at + 1),
        _ if positions > 2 => format!("{name} {at}"),
        _ => name.to_owned(),
    };
    let on = at > 0;
    let text = RichText::new(text).strong();
    let text = text.color(if on {
        Color32::BLACK
    } else {
        Color32::from_gray(225)
    });
    let mut button = Button::new(text);
    if on {
        button = button.fill(Color32::from_rgb(120, 200, 255));
    }
    if ui
        .add(button)
        .on_hover_text(format!("{what} ({key})"))
        .clicked()
    {
        orders.push(Order::Lever(lever));
    }
}
