//! Panels: dials, and what can be ordered. They read the room and write orders.

mod words;
mod dials;
mod switches;
mod world;
mod tune;
mod flow;
mod inside;
mod time;
mod fleet;

use proving_ground::world::WorldKind;
use three_d::egui::scroll_area::ScrollAreaOutput;
use three_d::egui::{
    self, Color32, Context, CornerRadius, Direction, FontId, RichText, Shape, TextStyle, Ui,
};

use crate::app::Showroom;
use crate::orders::Order;

/// Width below which panels cover the picture (points).
const NARROW: f32 = 700.0;
/// Width of the strip of a panel (points), and its color.
const STRIP: f32 = 360.0;
pub(crate) const BEHIND: Color32 = Color32::from_rgb(22, 25, 30);
const ACCENT: Color32 = Color32::from_rgb(255, 176, 59);

/// Names and titles of the panels.
const PANELS: [(&str, &str); 6] = [
    ("world", "World"),
    ("tune", "Tune"),
    ("inside", "Inside"),
    ("time", "Time"),
    ("fleet", "Fleet"),
    ("help", "Keys"),
];

/// Looks of all panels.
pub(crate) fn dress(context: &Context) {
    let mut visuals = egui::Visuals::dark();
    visuals.panel_fill = Color32::from_rgba_premultiplied(20, 23, 28, 235);
    visuals.window_fill = visuals.panel_fill;
    visuals.selection.bg_fill = Color32::from_rgb(140, 92, 20);
    visuals.window_corner_radius = CornerRadius::same(8);
    visuals.window_shadow = egui::Shadow::NONE;
    visuals.popup_shadow = egui::Shadow::NONE;
    visuals.widgets.noninteractive.fg_stroke.color = Color32::from_gray(205);
    // Buttons stand out from words.
    let edge = |gray: u8| egui::Stroke::new(1.0, Color32::from_gray(gray));
    for (widget, fill, gray) in [
        (
            &mut visuals.widgets.inactive,
            Color32::from_rgb(52, 58, 68),
            92,
        ),
        (
            &mut visuals.widgets.hovered,
            Color32::from_rgb(70, 78, 92),
            150,
        ),
        (
            &mut visuals.widgets.active,
            Color32::from_rgb(92, 100, 116),
            200,
        ),
    ] {
        widget.weak_bg_fill = fill;
        widget.bg_fill = fill;
        widget.bg_stroke = edge(gray);
        widget.corner_radius = CornerRadius::same(5);
        widget.fg_stroke.color = Color32::from_gray(228);
    }
    visuals.weak_text_color = Some(Color32::from_gray(155));
    context.set_visuals(visuals);
    context.all_styles_mut(|style| {
        for (text, size) in [
            (TextStyle::Body, 14.5),
            (TextStyle::Button, 14.5),
            (TextStyle::Small, 14.0),
        ] {
            style.text_styles.insert(text, FontId::proportional(size));
        }
        // Where a processor draws, fading takes seconds.
        style.animation_time = 0.0;
        style.spacing.item_spacing = egui::vec2(6.0, 5.0);
        style.spacing.button_padding = egui::vec2(7.0, 2.5);
    });
}

/// A button that stays pressed while its choice is the present one, with the sentence on its word.
fn choice(ui: &mut Ui, chosen: bool, word: &str) -> egui::Response {
    let response = ui.add(egui::Button::new(word).selected(chosen));
    match words::sentence(word) {
        Some(sentence) => response.on_hover_text(sentence),
        None => response,
    }
}

/// The engine after the present one.
pub(crate) fn next_engine(room: &Showroom) -> String {
    let all = WorldKind::all();
    let now = all
        .iter()
        .position(|kind| *kind == room.sim.session().kind());
    all[(now.unwrap_or(0) + 1) % all.len()].name().to_owned()
}

/// Width (points) of the strip on the left of a screen of this `width` in which an open panel stands, beside the scene: what is
/// hidden is not drawn. On a narrow screen, the panel lies over it.
pub(crate) fn covered(room: &Showroom, width: f32) -> f32 {
    if room.panel.is_some() && width >= NARROW {
        STRIP
    } else {
        0.0
    }
}

/// The order that switches an aid of the car, by its place among them.
pub(crate) fn switched(room: &Showroom, place: usize) -> Option<Order> {
    let aid = room.aids().into_iter().nth(place)?;
    Some(Order::Aid(aid.name, !aid.on))
}

/// Path of the number of the vehicle file that takes typed text, if any.
pub(crate) fn typed(context: &Context) -> Option<String> {
    tune::typed(context)
}

/// Takes the focus from the number that takes typed text, and forgets the text.
#[cfg(target_arch = "wasm32")]
pub(crate) fn leave(context: &Context) {
    tune::leave(context);
}

/// Shows everything but the scene.
pub(crate) fn show(ui: &mut Ui, room: &Showroom, orders: &mut Vec<Order>) {
    let context = ui.ctx().clone();
    let screen = context.content_rect();
    let narrow = screen.width() < NARROW;
    bar(&context, room, orders);
    if let Some(name) = &room.panel {
        let mut frame = egui::Frame::window(&context.global_style());
        if !narrow {
            // The strip has its color already.
            frame.fill = Color32::TRANSPARENT;
        }
        // Beside it, 8 points remain, and within it as many.
        let width = if narrow { screen.width() } else { STRIP } - 32.0;
        let height = if narrow {
            0.5 * screen.height()
        } else {
            screen.height() - 150.0
        };
        egui::Window::new("panel")
            .frame(frame)
            .title_bar(false)
            .resizable(false)
            .fixed_pos(egui::pos2(8.0, if narrow { 84.0 } else { 46.0 }))
            .fixed_size(egui::vec2(width, height))
            .show(&context, |ui| {
                let scrolled = egui::ScrollArea::vertical()
                    .auto_shrink([false, true])
                    .max_height(height)
                    .show(ui, |ui| body(ui, name, room, orders));
                if !narrow {
                    fade(ui, &scrolled);
                }
            });
    }
    if let Some(fault) = &room.fault {
        fault_window(&context, fault, room.sim.pace, orders);
    }
    dials::show(&context, room, narrow);
    switches::show(&context, room, narrow, orders);
    if room.panel.is_some() {
        return;
    }
    if room.untouched {
        welcome(&context, narrow || screen.height() < dials::FLAT);
    }
    if room.inside && !narrow {
        let area = egui::Area::new("legend".into()).fixed_pos(egui::pos2(8.0, 46.0));
        area.show(&context, |ui| {
            dark().show(ui, |ui| {
                ui.set_max_width(context.content_rect().width() - 30.0);
                inside::legend(ui);
            });
        });
    }
}

/// Fades the edges of a scroll area that hides more above or below. egui fades into the color of a window, which is
/// absent here.
fn fade(ui: &Ui, scrolled: &ScrollAreaOutput<()>) {
    let fade = ui.spacing().scroll.fade;
    let (area, above) = (scrolled.inner_rect.expand(3.0), scrolled.state.offset.y);
    let below = scrolled.content_size.y - scrolled.inner_rect.height() - above;
    let top = area.with_max_y(area.top() + fade.size);
    let bottom = area.with_min_y(area.bottom() - fade.size);
    for (hidden, area, direction) in [
        (above, top, Direction::TopDown),
        (below, bottom, Direction::BottomUp),
    ] {
        let share = fade.strength * (hidden / fade.size).clamp(0.0, 1.0);
        let colors = [BEHIND.gamma_multiply(share), Color32::TRANSPARENT];
        ui.painter()
            .add(Shape::gradient_rect(area, direction, colors));
    }
}

/// Lists the first keys to press, until something is pressed.
fn welcome(context: &Context, small: bool) {
    const FIRST: [(&str, &str); 4] = [
        ("W A S D or arrows", "drive"),
        ("Space", "handbrake"),
        ("E", "swap the engine"),
        ("X", "see the forces"),
    ];
    let area = egui::Area::new("welcome".into()).interactable(false);
    area.anchor(
        egui::Align2::CENTER_CENTER,
        [0.0, -0.22 * context.content_rect().height()],
    )
    .show(context, |ui| {
        dark().inner_margin(12).show(ui, |ui| {
            ui.vertical_centered(|ui| {
                let text = if small {
                    "Hold the throttle to drive"
                } else {
                    "Hold W to drive"
                };
                ui.label(RichText::new(text).size(22.0).strong().color(ACCENT));
            });
            if !small {
                egui::Grid::new("first").num_columns(2).show(ui, |ui| {
                    for (key, what) in FIRST {
                        ui.label(RichText::new(key).strong());
                        ui.label(what);
                        ui.end_row();
                    }
                });
            }
        });
    });
}

/// A dark rounded ground for words over the picture.
fn dark() -> egui::Frame {
    egui::Frame::new()
        .fill(Color32::from_rgba_premultiplied(20, 23, 28, 225))
        .inner_margin(6)
        .corner_radius(8)
}

fn body(ui: &mut Ui, name: &str, room: &Showroom, orders: &mut Vec<Order>) {
    match name {
        "world" => world::show(ui, room, orders),
        "tune" => tune::show(ui, room, orders),
        "inside" => inside::show(ui, room, orders),
        "time" => time::show(ui, room, orders),
        "fleet" => fleet::show(ui, room, orders),
        _ => help(ui),
    }
}

/// The row of buttons on top.
fn bar(context: &Context, room: &Showroom, orders: &mut Vec<Order>) {
    let area = egui::Area::new("bar".into()).fixed_pos(egui::pos2(8.0, 6.0));
    area.show(context, |ui| {
        dark().show(ui, |ui| {
            ui.set_max_width(context.content_rect().width() - 30.0);
            ui.horizontal_wrapped(|ui| {
                ui.label(RichText::new("JOUNCE").strong().color(ACCENT));
                for (name, title) in PANELS {
                    let open = room.panel.as_deref() == Some(name);
                    if choice(ui, open, title).clicked() {
                        orders.push(Order::Panel((!open).then(|| name.to_owned())));
                    }
                }
                #[cfg(not(target_arch = "wasm32"))]
                if choice(ui, room.sound, "Sound")
                    .on_hover_text("The engine's note and the squeal of tires (V)")
                    .clicked()
                {
                    orders.push(Order::Sound(!room.sound));
                }
                let session = room.sim.session();
                let car = &session.driven().car.name;
                let text = match &room.fleet {
                    Some(fleet) => format!("{} × {car}", fleet.count()),
                    None => {
                        let (engine, course) = (session.world().name(), session.course().name);
                        format!("{car} · {engine} · {}", course.name())
                    }
                };
                ui.label(RichText::new(text).color(Color32::from_gray(165)));
            });
        });
    });
}

fn fault_window(context: &Context, fault: &str, pace: f32, orders: &mut Vec<Order>) {
    egui::Window::new("Refused")
        .anchor(egui::Align2::CENTER_TOP, [0.0, 90.0])
        .collapsible(false)
        .resizable(false)
        .show(context, |ui| {
            egui::ScrollArea::vertical()
                .max_height(180.0)
                .show(ui, |ui| {
                    ui.label(RichText::new(fault).color(Color32::from_rgb(255, 140, 120)));
                });
            ui.label(RichText::new("Nothing has changed; the last good car drives on.").weak());
            if ui.button("Close").clicked() {
                // An order that changes nothing clears it.
                orders.push(Order::Pace(pace));
            }
        });
}

fn help(ui: &mut Ui) {
    const KEYS: [(&str, &str); 26] = [
        ("W S, up, down", "accelerate; brake, then reverse"),
        ("A D, left, right", "steer"),
        ("Space", "handbrake"),
        ("PgUp PgDn", "gears, with automatic off"),
        ("K, Z", "work the clutch by hand; its pedal"),
        ("I", "starter, after a stall"),
        ("G", "range of the gearbox"),
        ("T", "step of the retarder"),
        ("O", "power take-off"),
        ("6 to 0", "driver aids on and off"),
        ("F", "how long frames take"),
        ("C", "camera: chase, hood, side, top"),
        ("drag, wheel", "turn and move the camera"),
        ("E", "next engine, at this speed"),
        ("R", "onto the wheels"),
        ("Backspace", "back to the start"),
        ("B", "back by two seconds"),
        ("P, N", "pause, one step"),
        ("M", "slow motion"),
        ("X", "see inside"),
        ("U", "undo a change"),
        ("Q", "compare A and B"),
        ("Tab, Enter", "to the next number; takes it"),
        ("V", "sound, in the window; ♪ on the page"),
        ("1 to 5", "panels"),
        ("H", "this list"),
    ];
    egui::Grid::new("keys")
        .num_columns(2)
        .striped(true)
        .show(ui, |ui| {
            for (key, what) in KEYS {
                ui.label(RichText::new(key).strong().color(ACCENT));
                ui.label(what);
                ui.end_row();
            }
        });
}
