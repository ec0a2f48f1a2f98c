//! Every number of the vehicle file.

use three_d::egui::{self, Color32, DragValue, RichText, Ui};

use super::ACCENT;
use crate::app::Showroom;
use crate::garage::Knob;
use crate::guide;
use crate::orders::Order;

pub(super) fn show(ui: &mut Ui, room: &Showroom, orders: &mut Vec<Order>) {
    let garage = &room.garage;
    ui.horizontal_wrapped(|ui| {
        let mut button = |ui: &mut Ui, text: &str, tip: &str, order: Order| {
            if ui.button(text).on_hover_text(tip).clicked() {
                orders.push(order);
            }
        };
        button(ui, "Undo (U)", "Takes the last change back", Order::Undo);
        button(
            ui,
            "A/B (Q)",
            "Changes to the other set: at first, the file as it was",
            Order::Compare,
        );
        button(
            ui,
            "Keep as B",
            "Keeps these numbers as the other set",
            Order::Keep,
        );
        button(ui, "Default", "The file as it was opened", Order::Default);
        button(ui, "Save", "Writes the file, as TOML", Order::Save);
        button(
            ui,
            "Lint",
            "Looks for problems: a short drive of its own",
            Order::Lint,
        );
    });
    if let Some(findings) = &room.lint {
        for finding in findings {
            ui.label(
                RichText::new(finding)
                    .small()
                    .color(Color32::from_rgb(255, 205, 120)),
            );
        }
        if findings.is_empty() {
            ui.label(RichText::new("lint finds nothing").small());
        }
    }
    let mut groups: Vec<(String, Vec<Knob>)> = Vec::new();
    for knob in garage.knobs() {
        let group = group(&knob.path);
        match groups.last_mut() {
            Some((name, knobs)) if *name == group => knobs.push(knob),
            _ => groups.push((group, vec![knob])),
        }
    }
    for (name, knobs) in groups {
        let title = RichText::new(&name).strong().color(ACCENT);
        let open = name.starts_with("axles.0");
        egui::CollapsingHeader::new(title)
            .id_salt(&name)
            .default_open(open)
            .show(ui, |ui| {
                for knob in &knobs {
                    row(ui, knob, &name, orders);
                }
            });
    }
}

/// Numbers of one table stand together: two keys of the path, of axles three.
fn group(path: &str) -> String {
    let parts: Vec<&str> = path.split('.').collect();
    let most = parts.len().saturating_sub(1).clamp(1, 2);
    parts[..most].join(".")
}

/// A number with its unit, its range and its default; what it does on hovering.
fn row(ui: &mut Ui, knob: &Knob, group: &str, orders: &mut Vec<Order>) {
    let advice = guide::advice(&knob.path);
    let short = knob
        .path
        .strip_prefix(group)
        .unwrap_or(&knob.path)
        .trim_start_matches('.');
    let short = if short.is_empty() { &knob.path } else { short };
    ui.horizontal(|ui| {
        let mut value = knob.value;
        let reach = knob.default.unwrap_or(knob.value).abs().max(1e-3);
        let drag = DragValue::new(&mut value)
            .speed(0.01 * reach)
            .max_decimals(4);
        let unit = advice.map_or("", |advice| advice.unit);
        let changed = ui.add_sized([84.0, 18.0], drag).changed();
        let marked = knob.default.is_some_and(|default| default != knob.value);
        let name = format!("{short}  {unit}");
        let text = if marked {
            RichText::new(name).color(ACCENT)
        } else {
            RichText::new(name)
        };
        let label = ui.label(text);
        let default = knob.default.map_or(String::new(), |default| {
            format!("Default {default} {unit}. ")
        });
        let effect = advice.map_or("", |advice| advice.effect);
        label.on_hover_text(format!("{}\n{default}{effect}", knob.path));
        if changed && value != knob.value {
            orders.push(Order::Tune(knob.path.clone(), value));
        }
    });
}
