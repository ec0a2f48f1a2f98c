//! Many cars, their levels of detail, and the time that they take.

use glam::Vec3;
use three_d::egui::{Color32, Grid, Id, RichText, Slider, Ui};

use super::ACCENT;
use super::world::choices;
use crate::app::Showroom;
use crate::fleet::{FleetShow, MOST};
use crate::levels;
use crate::orders::Order;

/// Color of cars in full detail, as they are without levels.
const PAINT: Vec3 = Vec3::new(0.87, 0.30, 0.27);

pub(super) fn show(ui: &mut Ui, room: &Showroom, orders: &mut Vec<Order>) {
    let now = room.fleet.as_ref().map_or(0, FleetShow::count);
    let counts = [
        ("one car", 0),
        ("20", 20),
        ("100", 100),
        ("500", 500),
        ("1000", 1000),
        ("5000", 5000),
    ];
    let counts = counts.map(|(name, count)| (name, count == now, count));
    orders.extend(choices(ui, "Cars", counts).map(Order::Fleet));
    let id = Id::new("cars");
    let mut count = ui.data(|data| data.get_temp(id)).unwrap_or(now.max(1));
    let slider = ui.add(
        Slider::new(&mut count, 1..=MOST)
            .logarithmic(true)
            .text("cars"),
    );
    // Made anew only once the hand rests.
    if slider.drag_stopped() || (slider.changed() && !slider.dragged()) {
        orders.push(Order::Fleet(count));
    }
    ui.data_mut(|data| {
        if slider.dragged() {
            data.insert_temp(id, count);
        } else {
            data.remove_temp::<usize>(id);
        }
    });
    let Some(fleet) = &room.fleet else {
        ui.label("Cars of the present kind on a plain, in the standalone world. You drive the one in their middle.");
        return;
    };
    levels(ui, fleet, orders);
    costs(ui, fleet);
}

/// Shows the choice of a level of detail, and the number of cars on each.
fn levels(ui: &mut Ui, fleet: &FleetShow, orders: &mut Vec<Order>) {
    let rungs = fleet.ladder().rungs();
    let held = fleet.held();
    let by_distance = [("by distance from the camera", held.is_none(), None)];
    let all = rungs.iter().enumerate();
    let all = all.map(|(n, rung)| (rung.name.as_str(), held == Some(n), Some(n)));
    let all = by_distance.into_iter().chain(all);
    orders.extend(choices(ui, "Detail", all).map(Order::Detail));
    let (ends, counts) = (fleet.ladder().ends(), fleet.on_levels());
    Grid::new("levels").num_columns(3).show(ui, |ui| {
        for (n, (rung, count)) in rungs.iter().zip(counts).enumerate() {
            let color = levels::paint(n).unwrap_or(PAINT);
            let [red, green, blue] = (color * 255.0).to_array().map(|part| part as u8);
            ui.label(RichText::new(&rung.name).color(Color32::from_rgb(red, green, blue)));
            ui.label(match (n.checked_sub(1).map(|n| ends[n]), ends.get(n)) {
                (_, Some(end)) => format!("to {end:.0} m"),
                (Some(from), None) => format!("from {from:.0} m"),
                (None, None) => "everywhere".to_owned(),
            });
            ui.monospace(format!("{count:>5} cars"));
            ui.end_row();
        }
    });
    ui.label(
        RichText::new(
            "Painted so while this panel is open; the camera goes far with the mouse's wheel.",
        )
        .weak(),
    );
    ui.add_space(4.0);
}

fn costs(ui: &mut Ui, fleet: &FleetShow) {
    ui.label(
        RichText::new("Cost of a step by phase")
            .strong()
            .color(ACCENT),
    );
    let cost = fleet.cost;
    let phases = [
        ("levels", cost.levels),
        ("probe", cost.probe),
        ("update", cost.update),
        ("apply", cost.apply),
        ("world", cost.world),
    ];
    let sum = phases.iter().map(|(_, ms)| ms).sum();
    for (name, ms) in phases.into_iter().chain([("all", sum)]) {
        let each = 1e6 * ms / fleet.count().max(1) as f32;
        ui.monospace(format!("{name:<7}{ms:>8.2} ms {each:>8.0} ns per car"));
    }
}
