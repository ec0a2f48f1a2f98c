//! Many cars, and what they cost.

use jounce::core::Detail;
use three_d::egui::{RichText, Ui};

use super::ACCENT;
use super::world::choices;
use crate::app::Showroom;
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
