//! Many cars, and what they cost.

use jounce::core::Detail;
use three_d::egui::{Id, RichText, Slider, Ui};

use super::ACCENT;
use super::world::choices;
use crate::app::Showroom;
use crate::fleet::MOST;
use crate::orders::Order;

pub(super) fn show(ui: &mut Ui, room: &Showroom, orders: &mut Vec<Order>) {
    let now = room
        .fleet
        .as_ref()
        .map_or(0, crate::fleet::FleetShow::count);
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
        ui.label("Cars of the present kind on a plain, in the standalone world.");
        return;
    };
    let Detail {
        probe_every: probed,
        update_every: updated,
    } = fleet.detail;
    let levels = [
        ("every step", 1),
        ("every 2nd", 2),
        ("every 4th", 4),
        ("every 8th", 8),
    ];
    let looks = levels.map(|(name, n)| (name, n == probed, Order::Detail(n, updated)));
    orders.extend(choices(ui, "They look for the ground", looks));
    let updates = [("every step", 1), ("every 2nd", 2), ("every 3rd", 3)];
    let updates = updates.map(|(name, n)| (name, n == updated, Order::Detail(probed, n)));
    orders.extend(choices(ui, "They are updated", updates));
    ui.label(
        RichText::new("Cost of a step by phase")
            .strong()
            .color(ACCENT),
    );
    let cost = fleet.cost;
    for (name, ms) in [
        ("probe", cost.probe),
        ("update", cost.update),
        ("apply", cost.apply),
        ("world", cost.world),
    ] {
        let each = 1e6 * ms / now.max(1) as f32;
        ui.monospace(format!("{name:<7}{ms:>8.2} ms {each:>8.0} ns per car"));
    }
}
