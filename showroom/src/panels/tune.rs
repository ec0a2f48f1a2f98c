//! Every number of the vehicle file.

use jounce_lab::lint::{Finding, Severity};
use three_d::egui::{
    self, Color32, Context, DragValue, Id, Label, RichText, Sense, TextEdit, Ui, UiBuilder,
};

use super::{ACCENT, words};
use crate::app::Showroom;
use crate::bounds::Bounds;
use crate::garage::{Garage, Knob};
use crate::guide;
use crate::orders::Order;
use crate::sliders::Slider;
use crate::spares::Spare;

/// Key under which egui stores the path of the number that takes typed text.
const TYPED: &str = "typed";

fn typed_number(context: &Context) -> Option<(Id, String)> {
    let kept = context.data(|data| data.get_temp::<(Id, String)>(Id::new(TYPED)));
    kept.filter(|(number, _)| context.memory(|memory| memory.has_focus(*number)))
}

/// Path of the number that takes typed text, if any.
pub(super) fn typed(context: &Context) -> Option<String> {
    typed_number(context).map(|(_, path)| path)
}

/// Takes the focus from the number that takes typed text, and forgets the text.
#[cfg(target_arch = "wasm32")]
pub(super) fn leave(context: &Context) {
    if let Some((number, _)) = typed_number(context) {
        context.memory_mut(|memory| memory.surrender_focus(number));
        context.data_mut(|data| data.remove::<String>(number));
    }
}

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
    });
    sliders(ui, garage, orders);
    findings(ui, room, orders);
    let title = RichText::new("all numbers").strong().color(ACCENT);
    egui::CollapsingHeader::new(title)
        .id_salt("all")
        .default_open(true)
        .show(ui, |ui| numbers(ui, garage, orders));
    let title = RichText::new("what it leaves out").strong().color(ACCENT);
    egui::CollapsingHeader::new(title)
        .id_salt("spares")
        .show(ui, |ui| spares(ui, garage, orders));
    let title = RichText::new("all of it, as text").strong().color(ACCENT);
    egui::CollapsingHeader::new(title)
        .id_salt("text")
        .show(ui, |ui| text(ui, garage, orders));
}

/// The six sliders, in two columns.
fn sliders(ui: &mut Ui, garage: &Garage, orders: &mut Vec<Order>) {
    let present = Slider::ALL.map(|slider| (slider, garage.slider(slider)));
    let present: Vec<_> = present
        .into_iter()
        .filter_map(|(slider, factor)| Some((slider, factor?)))
        .collect();
    egui::Grid::new("sliders").num_columns(2).show(ui, |ui| {
        for pair in present.chunks(2) {
            for (slider, factor) in pair {
                ui.vertical(|ui| one_slider(ui, *slider, *factor, orders));
            }
            ui.end_row();
        }
    });
}

fn one_slider(ui: &mut Ui, slider: Slider, factor: f64, orders: &mut Vec<Order>) {
    let (name, what) = slider.words();
    let percent = RichText::new(format!("{name}  {:.0} %", 100.0 * factor));
    let changed = (factor - 1.0).abs() > 5e-4;
    ui.label(if changed {
        percent.color(ACCENT)
    } else {
        percent
    });
    let [least, most] = slider.range();
    let mut next = factor;
    let scale = egui::Slider::new(&mut next, least..=most)
        .show_value(false)
        .step_by(0.01);
    ui.spacing_mut().slider_width = 150.0;
    if ui.add(scale).on_hover_text(what).changed() && next != factor {
        orders.push(Order::Slide(slider, next));
    }
}

/// Every number, in groups in the order of a car.
fn numbers(ui: &mut Ui, garage: &Garage, orders: &mut Vec<Order>) {
    let mut groups: Vec<(String, Vec<Knob>)> = Vec::new();
    for knob in garage.knobs() {
        let group = words::group(&knob.path);
        match groups.iter_mut().find(|(name, _)| *name == group) {
            Some((_, knobs)) => knobs.push(knob),
            None => groups.push((group, vec![knob])),
        }
    }
    groups.sort_by_key(|(name, _)| (words::place(name).0, name.clone()));
    for (name, knobs) in groups {
        let (_, title, what) = words::place(&name);
        let title = RichText::new(title).strong().color(ACCENT);
        let open = name == "axles.0.suspension";
        let group = egui::CollapsingHeader::new(title)
            .id_salt(&name)
            .default_open(open)
            .show(ui, |ui| {
                for knob in &knobs {
                    // Whatever lint says above them, the number in hand stays the same one.
                    let own = UiBuilder::new().id(Id::new(("row", &knob.path)));
                    ui.scope_builder(own, |ui| row(ui, knob, garage, &name, orders));
                }
            });
        group.header_response.on_hover_text(what);
    }
}

/// Shows the findings of lint about the present numbers.
fn findings(ui: &mut Ui, room: &Showroom, orders: &mut Vec<Order>) {
    let watch = &room.watch;
    let (notes, grave): (Vec<_>, Vec<_>) = watch
        .findings
        .iter()
        .partition(|finding| finding.severity == Severity::Note);
    let tell = |ui: &mut Ui, findings: &[&Finding], color: Color32| {
        for finding in findings {
            ui.label(RichText::new(finding.to_string()).small().color(color));
        }
    };
    tell(ui, &grave, Color32::from_rgb(255, 165, 110));
    if !notes.is_empty() {
        let title = RichText::new(format!("lint: {} notes", notes.len())).small();
        egui::CollapsingHeader::new(title)
            .id_salt("notes")
            .show(ui, |ui| tell(ui, &notes, Color32::from_gray(190)));
    }
    ui.horizontal(|ui| {
        let text = match (watch.findings.is_empty(), watch.driven) {
            (true, true) => "lint finds nothing",
            (true, false) => "lint finds nothing without a drive",
            (false, true) => "by rules and a drive",
            (false, false) => "by rules without a drive",
        };
        ui.label(RichText::new(text).small().weak());
        let tip = "Also those findings that take a drive of some seconds, beside this one";
        if !watch.driven && ui.small_button("Drive now").on_hover_text(tip).clicked() {
            orders.push(Order::Lint);
        }
    });
}

/// A number with its unit and its range; default and what it does on hovering, or below at a click on its name.
fn row(ui: &mut Ui, knob: &Knob, garage: &Garage, group: &str, orders: &mut Vec<Order>) {
    let short = knob.path.strip_prefix(group).unwrap_or(&knob.path);
    let short = short.trim_start_matches('.');
    let short = if short.is_empty() { &knob.path } else { short };
    let bounds = garage.bounds(&knob.path);
    let unit = bounds.map_or("", |bounds| &bounds.unit);
    let line = ui.horizontal_wrapped(|ui| {
        let mut value = knob.value;
        let reach = knob.default.unwrap_or(knob.value).abs().max(1e-3);
        let drag = DragValue::new(&mut value)
            .speed(0.01 * reach)
            .max_decimals(4)
            // Half a typed number is none.
            .update_while_editing(false);
        let number = ui.add_sized([84.0, 18.0], drag);
        if number.has_focus() {
            let typed = (number.id, knob.path.clone());
            ui.data_mut(|data| data.insert_temp(Id::new(TYPED), typed));
        }
        let changed = number.changed();
        let changes = knob.default.is_some_and(|default| default != knob.value);
        let name = RichText::new(format!("{short}  {unit}"));
        let name = if changes { name.color(ACCENT) } else { name };
        let asked = ui.add(Label::new(name).sense(Sense::click())).clicked();
        if let Some(bounds) = bounds {
            // One word, so that no line breaks within it.
            let range = bounds.to_string().replace(' ', "\u{a0}");
            ui.label(RichText::new(range).size(14.0).weak());
        }
        if changed && value != knob.value {
            orders.push(Order::Tune(knob.path.clone(), value));
        }
        asked
    });
    // One in sight per frame: each takes some readings of the file.
    let asked = orders.iter().any(|order| matches!(order, Order::Ask(_)));
    if !asked && garage.wonders(&knob.path) && ui.is_rect_visible(line.response.rect) {
        orders.push(Order::Ask(knob.path.clone()));
    }
    let id = Id::new(&knob.path);
    let open = ui.data(|data| data.get_temp(id).unwrap_or(false)) != line.inner;
    ui.data_mut(|data| data.insert_temp(id, open));
    if open {
        ui.label(RichText::new(details(knob, bounds)).small());
    } else {
        line.response
            .on_hover_ui(|ui| drop(ui.label(details(knob, bounds))));
    }
}

/// Known details of a number.
fn details(knob: &Knob, bounds: Option<&Bounds>) -> String {
    let unit = bounds.map_or("", |bounds| &bounds.unit);
    let range = bounds.map_or(String::new(), |bounds| format!("Range: {bounds} {unit}\n"));
    let default = knob.default.map_or(String::new(), |default| {
        format!("Default: {default} {unit}\n")
    });
    let effect = guide::advice(&knob.path).unwrap_or_default();
    format!("{}\n{range}{default}{effect}", knob.path)
}

/// Offers the entries that the file leaves out; they are added with the values that the library uses for them.
fn spares(ui: &mut Ui, garage: &Garage, orders: &mut Vec<Order>) {
    let Some(spares) = garage.spares() else {
        orders.push(Order::Seek);
        return;
    };
    for Spare { path, value } in spares {
        let line = ui.horizontal_wrapped(|ui| {
            if ui.small_button("Add").clicked() {
                orders.push(Order::Add(path.clone()));
            }
            ui.label(path);
        });
        let effect = guide::advice(path).unwrap_or_default();
        line.response
            .on_hover_ui(|ui| drop(ui.label(format!("{path} = {value}\n{effect}"))));
    }
}

/// The file itself, for words, and tables that are chosen as a whole.
fn text(ui: &mut Ui, garage: &Garage, orders: &mut Vec<Order>) {
    let (id, now) = (Id::new("text of the file"), garage.text());
    let kept = ui.data(|data| data.get_temp::<String>(id));
    let mut text = kept.unwrap_or_else(|| now.clone());
    let rows = TextEdit::multiline(&mut text)
        .code_editor()
        .desired_rows(14);
    let edited = ui.add(rows.desired_width(f32::INFINITY)).changed();
    ui.horizontal(|ui| {
        if ui.button("Take it").clicked() {
            orders.push(Order::Write(text.clone()));
        }
        if ui.button("As it was").clicked() {
            text.clone_from(&now);
        }
    });
    ui.data_mut(|data| {
        if text == now {
            data.remove_temp::<String>(id);
        } else if edited {
            data.insert_temp(id, text);
        }
    });
}
