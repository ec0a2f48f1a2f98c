//! Vehicle, engine, course, solver, tires, ghost, trailer, camera.

use jounce::presets;
use proving_ground::course::CourseName;
use proving_ground::world::WorldKind;
use three_d::egui::{RichText, Ui};

use super::{ACCENT, choice};
use crate::app::Showroom;
use crate::camera::View;
use crate::orders::Order;
use crate::parts::Part;

/// A row of choices; the present one is marked.
pub(super) fn choices<'a, T>(
    ui: &mut Ui,
    title: &str,
    all: impl IntoIterator<Item = (&'a str, bool, T)>,
) -> Option<T> {
    ui.label(RichText::new(title).strong().color(ACCENT));
    let mut chosen = None;
    ui.horizontal_wrapped(|ui| {
        for (name, now, value) in all {
            if choice(ui, now, name).clicked() {
                chosen = Some(value);
            }
        }
    });
    ui.add_space(4.0);
    chosen
}

pub(super) fn show(ui: &mut Ui, room: &Showroom, orders: &mut Vec<Order>) {
    let session = room.sim.session();
    let kind = session.kind();
    let engines = || {
        WorldKind::all()
            .iter()
            .map(move |k| (k.name(), *k == kind, k.name().to_owned()))
    };
    orders.extend(choices(ui, "Engine (E): same car, speed kept", engines()).map(Order::Engine));
    let name = &session.driven().car.name;
    let cars = presets::FILES.map(|(known, _)| (known, known == name, known.to_owned()));
    orders.extend(choices(ui, "Vehicle", cars).map(Order::Vehicle));
    let course = session.course().name;
    let courses = CourseName::ALL.map(|c| (c.name(), c == course, c));
    orders.extend(choices(ui, "Course", courses).map(Order::Course));
    type Swap = (&'static str, Part, fn(String) -> Order);
    let parts: [Swap; 4] = [
        ("Solver", Part::Solver, Order::Solver),
        ("Contact", Part::Contact, Order::Contact),
        ("Tire law", Part::Tires, Order::Tires),
        ("Differential", Part::Differential, Order::Differential),
    ];
    let parts = parts.map(|(title, part, order)| (title, part, room.garage.part(part), order));
    let there = || parts.iter().filter(|(_, _, now, _)| !now.is_empty());
    for (title, part, now, order) in there() {
        let names = part.names().iter().map(|n| (*n, n == now, (*n).to_owned()));
        let file = [("as in the file", false, "file".to_owned())];
        orders.extend(choices(ui, title, file.into_iter().chain(names)).map(order));
    }
    let haunted = room.sim.ghost().map(|(name, _)| name);
    let others = engines().map(|(name, ..)| name);
    let others = others.chain(there().flat_map(|(_, part, ..)| part.names().iter().copied()));
    let ghosts = others.map(|name| (name, haunted == Some(name), Some(name.to_owned())));
    let ghosts = core::iter::once(("none", haunted.is_none(), None)).chain(ghosts);
    let title = "Ghost: the same drive with another …";
    orders.extend(choices(ui, title, ghosts).map(Order::Ghost));
    if session.driven().car.coupling.is_some() {
        let towed = session.trailer().map(|towed| towed.car.name.as_str());
        let all = [("none", towed.is_none(), None)].into_iter();
        let names = ["trailer", "semi-trailer"].map(|n| (n, towed == Some(n), Some(n.to_owned())));
        orders.extend(choices(ui, "Trailer", all.chain(names)).map(Order::Trailer));
    }
    let view = room.camera.view;
    let views = View::ALL.into_iter().zip(["chase", "hood", "side", "top"]);
    orders
        .extend(choices(ui, "Camera (C)", views.map(|(v, n)| (n, v == view, v))).map(Order::View));
    let automatic = room.driver.automatic;
    let boxes = [
        ("automatic", automatic, true),
        ("by hand", !automatic, false),
    ];
    orders.extend(choices(ui, "Gears", boxes).map(Order::Automatic));
}
