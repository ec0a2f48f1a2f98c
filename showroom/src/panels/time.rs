//! Pause, slow motion, rewinding, recordings.

use three_d::egui::{RichText, Slider, Ui};

use super::ACCENT;
use crate::app::Showroom;
use crate::orders::Order;

pub(super) fn show(ui: &mut Ui, room: &Showroom, orders: &mut Vec<Order>) {
    let session = room.sim.session();
    let time = session.steps() as f64 * f64::from(session.dt());
    ui.label(
        RichText::new(format!("{time:.2} s, step {}", session.steps()))
            .strong()
            .color(ACCENT),
    );
    ui.horizontal_wrapped(|ui| {
        let paused = room.sim.paused;
        if ui
            .button(if paused { "Go on (P)" } else { "Pause (P)" })
            .clicked()
        {
            orders.push(Order::Pause(!paused));
        }
        if ui.button("One step (N)").clicked() {
            orders.push(Order::Step);
        }
        for seconds in [1.0, 2.0, 5.0, 10.0] {
            if ui.button(format!("−{seconds:.0} s")).clicked() {
                orders.push(Order::Rewind(seconds));
            }
        }
    });
    let mut pace = room.sim.pace;
    if ui
        .add(Slider::new(&mut pace, 0.05..=1.0).text("pace (M)"))
        .changed()
    {
        orders.push(Order::Pace(pace));
    }
    ui.add_space(6.0);
    ui.label(RichText::new("Recording").strong().color(ACCENT));
    let recording = session.recording();
    ui.label(format!(
        "{} events, digest {}",
        recording.entries.len(),
        recording.hash
    ));
    if ui.button("Save the recording").clicked() {
        orders.push(Order::SaveRecording);
    }
    ui.label(RichText::new("`jounce replay FILE` repeats it to the same digest.").small());
    if ui.button("Repeat from its start").clicked()
        && let Ok(text) = serde_json::to_string(recording)
    {
        orders.push(Order::Replay(text));
    }
}
