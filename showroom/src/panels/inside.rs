//! Friction ellipses, torque flow, strips of every channel.

use egui_plot::{Line, Plot, PlotPoints};
use jounce::telemetry::{
    AirChannel, Channel, EngineChannel, FuelChannel, Ring, SteeringChannel, WheelChannel,
};
use three_d::egui::epaint::EllipseShape;
use three_d::egui::text::{LayoutJob, TextFormat};
use three_d::egui::{self, Align2, Color32, FontId, Rect, RichText, Sense, Stroke, Ui, pos2, vec2};

use super::{ACCENT, flow};
use crate::app::Showroom;
use crate::glass;
use crate::orders::Order;

const COLORS: [Color32; 4] = [
    Color32::from_rgb(255, 176, 59),
    Color32::from_rgb(98, 190, 255),
    Color32::from_rgb(120, 210, 120),
    Color32::from_rgb(240, 110, 130),
];

pub(super) fn show(ui: &mut Ui, room: &Showroom, orders: &mut Vec<Order>) {
    let mut shown = room.inside;
    if ui
        .checkbox(
            &mut shown,
            "forces, struts, planes, swept hits in the picture (X)",
        )
        .changed()
    {
        orders.push(Order::Inside(shown));
    }
    legend(ui);
    ui.label(
        RichText::new("Friction: force over μ · load, per wheel")
            .strong()
            .color(ACCENT),
    );
    ellipses(ui, room);
    transfer(ui, room);
    torque(ui, room);
    strips(ui, room);
}

/// Shows the meaning of the colors in the picture.
pub(super) fn legend(ui: &mut Ui) {
    ui.horizontal_wrapped(|ui| {
        for (name, color) in glass::LEGEND {
            let [red, green, blue, _] = color.to_array().map(|part| (255.0 * part) as u8);
            let mut words = LayoutJob::default();
            let square = TextFormat::simple(
                FontId::proportional(14.0),
                Color32::from_rgb(red, green, blue),
            );
            words.append("■\u{a0}", 0.0, square);
            // One word with its square, so that no line breaks within it.
            let name = name.replace(' ', "\u{a0}");
            let plain = TextFormat::simple(FontId::proportional(14.0), Color32::from_gray(205));
            words.append(&name, 0.0, plain);
            ui.label(words);
        }
    });
}

/// A friction ellipse per wheel with the working point, as large as its load.
fn ellipses(ui: &mut Ui, room: &Showroom) {
    let vehicle = &room.sim.session().driven().vehicle;
    let params = vehicle.model().params();
    ui.horizontal_wrapped(|ui| {
        for (n, wheel) in params.wheels.iter().enumerate() {
            let report = vehicle.wheel_report(n);
            let (response, painter) = ui.allocate_painter(vec2(76.0, 110.0), Sense::hover());
            let center = response.rect.center_top() + vec2(0.0, 38.0);
            let usual = report.rest_mass * 9.81;
            let radius = 33.0 * (report.load / usual.max(1.0)).sqrt().clamp(0.2, 1.25) * 0.8;
            let used = report.grip_used;
            let color = if used > 0.95 {
                Color32::from_rgb(240, 80, 70)
            } else {
                ACCENT
            };
            let axes = vec2(radius * report.lateral_grip.min(1.4), radius);
            let line = Stroke::new(1.5, Color32::from_gray(130));
            painter.add(EllipseShape::stroke(center, axes, line));
            let grip = (report.friction * report.load).max(1.0);
            let point = vec2(-report.lateral_force, -report.longitudinal_force) / grip * radius;
            painter.line_segment([center, center + point], Stroke::new(2.0, color));
            painter.circle_filled(center + point, 3.5, color);
            let text = format!("{}\n{:.2} kN", wheel.name, report.load * 1e-3);
            let (font, gray) = (FontId::proportional(14.0), Color32::from_gray(200));
            let words = painter.layout(text, font, gray, response.rect.width());
            let place = response.rect.left_top() + vec2(4.0, 72.0);
            painter.galley(place, words, gray);
        }
    });
}

/// Shows the load shares of the ends and of the sides; the white lines are shares at rest.
fn transfer(ui: &mut Ui, room: &Showroom) {
    ui.label(RichText::new("Load").strong().color(ACCENT));
    let [ends, sides] = room.load_shares();
    balance(ui, ["front", "rear"], ends);
    balance(ui, ["left", "right"], sides);
}

/// A bar that two ends share.
fn balance(ui: &mut Ui, ends: [&str; 2], [now, rest]: [f32; 2]) {
    let size = vec2(ui.available_width().min(320.0), 17.0);
    let (response, painter) = ui.allocate_painter(size, Sense::hover());
    let area = response.rect;
    let x = |share: f32| area.left() + share.clamp(0.0, 1.0) * area.width();
    let part = |from: f32, to: f32| {
        Rect::from_min_max(pos2(x(from), area.top()), pos2(x(to), area.bottom()))
    };
    painter.rect_filled(part(0.0, now), 3.0, Color32::from_rgb(150, 100, 30));
    painter.rect_filled(part(now, 1.0), 3.0, Color32::from_rgb(38, 76, 104));
    painter.vline(x(rest), area.y_range(), Stroke::new(2.0, Color32::WHITE));
    for (align, place, name, share) in [
        (
            Align2::LEFT_CENTER,
            area.left_center() + vec2(5.0, 0.0),
            ends[0],
            now,
        ),
        (
            Align2::RIGHT_CENTER,
            area.right_center() - vec2(5.0, 0.0),
            ends[1],
            1.0 - now,
        ),
    ] {
        let text = format!("{name} {:.0} %", 100.0 * share);
        painter.text(
            place,
            align,
            text,
            FontId::proportional(14.0),
            Color32::from_gray(235),
        );
    }
}

/// Engine → clutch → gears → axles → wheels.
fn torque(ui: &mut Ui, room: &Showroom) {
    ui.label(
        RichText::new("Torque out of each part, N m")
            .strong()
            .color(ACCENT),
    );
    flow::show(ui, room);
    if let Some(engine) = room.report().engine {
        let text = format!(
            "{:.0} rad/s, clutch slips {:.1} rad/s, ratio {:.2}",
            engine.speed, engine.clutch_slip, engine.ratio
        );
        ui.label(RichText::new(text).small());
    }
}

fn strips(ui: &mut Ui, room: &Showroom) {
    let telemetry = room.sim.telemetry();
    egui::CollapsingHeader::new("Engine and driver").show(ui, |ui| {
        for channel in EngineChannel::ALL {
            strip(
                ui,
                channel.channel(),
                [telemetry.engine(channel)].into_iter(),
            );
        }
    });
    egui::CollapsingHeader::new("Wheels")
        .default_open(true)
        .show(ui, |ui| {
            for channel in WheelChannel::ALL {
                let wheels = (0..telemetry.wheel_count()).map(|n| telemetry.wheel(n, channel));
                strip(ui, channel.channel(), wheels);
            }
        });
    if room.report().steering.is_some() {
        egui::CollapsingHeader::new("Steering wheel").show(ui, |ui| {
            for channel in SteeringChannel::ALL {
                let ring = telemetry.steering(channel);
                strip(ui, channel.channel(), [ring].into_iter());
            }
        });
    }
    if room.report().fuel.is_some() {
        egui::CollapsingHeader::new("Fuel").show(ui, |ui| {
            for channel in FuelChannel::ALL {
                strip(ui, channel.channel(), [telemetry.fuel(channel)].into_iter());
            }
        });
    }
    egui::CollapsingHeader::new("Air").show(ui, |ui| {
        for channel in AirChannel::ALL {
            strip(ui, channel.channel(), [telemetry.air(channel)].into_iter());
        }
    });
}

/// Height of a strip (points).
const STRIP: f32 = 54.0;
/// Allowed error of a strip's line (points), below what can be seen.
const HIDDEN: f32 = 0.25;

/// The last samples of a channel, one line per wheel; only their space where they are scrolled out of sight.
fn strip<'a>(ui: &mut Ui, channel: Channel, rings: impl Iterator<Item = &'a Ring>) {
    let title = ui.label(RichText::new(channel.to_string()).small());
    let place = Rect::from_min_size(title.rect.left_bottom(), vec2(ui.available_width(), STRIP));
    if !ui.is_rect_visible(place.expand(8.0)) {
        ui.allocate_space(place.size());
        return;
    }
    let plot = Plot::new(channel.name)
        .height(STRIP)
        .show_axes([false, true])
        .show_grid(false)
        .show_x(false)
        .allow_drag(false)
        .allow_zoom(false)
        .allow_scroll(false)
        .include_x(0.0)
        .include_x(jounce::telemetry::SAMPLES as f64);
    let rings: Vec<&Ring> = rings.collect();
    let all = rings.iter().flat_map(|ring| ring.iter());
    let (low, high) = all.fold((f32::MAX, f32::MIN), |(low, high), sample| {
        (low.min(sample), high.max(sample))
    });
    let off = f64::from(HIDDEN / STRIP * (high - low));
    plot.show(ui, |plot| {
        for (n, ring) in rings.into_iter().enumerate() {
            let points = PlotPoints::from(fewer(ring.iter().map(f64::from), off));
            let line = Line::new(format!("{} {n}", channel.name), points);
            plot.line(line.color(COLORS[n % 4]).width(1.2));
        }
    });
}

/// A line through samples one apart with fewer corners, none of what is left out further than `off` from it: the swinging door
/// (E. H. Bristol, Swinging Door Trending, ISA 1990). Where a processor draws, corners cost.
fn fewer(samples: impl Iterator<Item = f64>, off: f64) -> Vec<[f64; 2]> {
    const OPEN: [f64; 2] = [f64::NEG_INFINITY, f64::INFINITY];
    let mut line: Vec<[f64; 2]> = Vec::new();
    let mut door = OPEN;
    let mut last = None;
    for [x, y] in samples.enumerate().map(|(x, y)| [x as f64, y]) {
        let slope = |from: [f64; 2], to: f64| (to - from[1]) / (x - from[0]);
        let Some(before) = last.replace([x, y]) else {
            line.push([x, y]);
            continue;
        };
        let from = line[line.len() - 1];
        let straight = slope(from, y);
        let within = door[0] <= straight && straight <= door[1];
        let from = if within { from } else { before };
        if !within {
            line.push(before);
            door = OPEN;
        }
        door = [
            door[0].max(slope(from, y - off)),
            door[1].min(slope(from, y + off)),
        ];
    }
    line.extend(last);
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Height of a line at `x`.
    fn at(line: &[[f64; 2]], x: f64) -> f64 {
        let end = line.iter().position(|corner| corner[0] >= x).unwrap();
        let ([a, b], [c, d]) = (line[end.saturating_sub(1)], line[end]);
        if c > a {
            b + (d - b) * (x - a) / (c - a)
        } else {
            d
        }
    }

    #[test]
    fn lines_with_fewer_corners_are_where_the_samples_are() {
        let wave = |n: usize| (0.07 * n as f64).sin() + if n > 130 { 2.0 } else { 0.0 };
        for (off, most) in [(0.0, 240), (0.004, 100), (0.02, 50)] {
            let line = fewer((0..240).map(wave), off);
            for n in 0..240 {
                assert!(
                    (at(&line, n as f64) - wave(n)).abs() <= off + 1e-12,
                    "{off} {n}"
                );
            }
            assert!(line.len() <= most, "{off}: {}", line.len());
        }
        let level = fewer([3.0; 50].into_iter(), 0.0);
        assert_eq!(level, [[0.0, 3.0], [49.0, 3.0]]);
        assert!(fewer([].into_iter(), 0.1).is_empty());
    }
}
