//! Speed, engine speed, gear and pedals.

use core::f32::consts::PI;

use jounce::core::params::Aerodynamics;
use jounce::core::{CarCommand, VehicleModel};
use proving_ground::gears::{engine_peaks, gear_reaches};
use three_d::egui::{
    self, Align2, Color32, Context, FontId, Mesh, Painter, Pos2, Stroke, Vec2, pos2, vec2,
};

use super::ACCENT;
use crate::app::Showroom;
use crate::app::state::{gear_text, rpm_text, speed_text};

const FACE: Color32 = Color32::from_rgba_premultiplied(14, 16, 20, 215);
const FAINT: Color32 = Color32::from_rgb(120, 126, 134);
const BRIGHT: Color32 = Color32::from_rgb(235, 238, 242);
const RED: Color32 = Color32::from_rgb(232, 66, 52);
/// A dial goes from lower left to lower right.
const FROM: f32 = 0.75 * PI;
const ROUND: f32 = 1.5 * PI;

/// A round dial.
struct Dial<'a> {
    center: Pos2,
    radius: f32,
    /// 0…1, and where red begins.
    share: f32,
    red: f32,
    text: &'a str,
    unit: &'a str,
}

pub(super) fn show(context: &Context, room: &Showroom, narrow: bool) {
    let screen = context.content_rect();
    let painter = context.layer_painter(egui::LayerId::background());
    let report = room.report();
    let radius = if narrow || screen.height() < FLAT {
        46.0
    } else {
        62.0
    };
    let flat = screen.height() < FLAT;
    let pads = if narrow { 92.0 } else { 0.0 };
    // Where a phone lies on its side, fingers are below.
    let low = if flat {
        screen.top() + radius + 46.0
    } else {
        screen.bottom() - radius - 12.0 - pads
    };
    let right = screen.right() - radius - 12.0;
    let top = dial_end(room.model());
    let speed = report.forward_speed.abs();
    Dial {
        center: pos2(right, low),
        radius,
        share: speed * 3.6 / top,
        red: 2.0,
        text: &speed_text(report.forward_speed),
        unit: "km/h",
    }
    .paint(&painter);
    let beside = pos2(right - 2.0 * radius - 14.0, low);
    if let Some(engine_speed) = room.engine_speed() {
        let limit = limit(room).unwrap_or(700.0);
        let full = 1.08 * limit;
        let rpm = rpm_text(engine_speed);
        let dial = Dial {
            center: beside,
            radius,
            share: engine_speed / full,
            red: 0.92 * limit / full,
            text: &rpm,
            unit: "1/min",
        };
        dial.paint(&painter);
    }
    let gear = pos2(right - radius - 7.0, low - 0.72 * radius);
    disc(&painter, gear, 0.3 * radius, FACE);
    painter.text(
        gear,
        Align2::CENTER_CENTER,
        gear_text(report.gear),
        FontId::monospace(0.36 * radius),
        ACCENT,
    );
    pedals(
        &painter,
        pos2(beside.x - radius - 66.0, low),
        radius,
        &room.command(),
    );
    notes(
        &painter,
        room,
        pos2(
            screen.right() - 14.0,
            if flat {
                screen.bottom() - 96.0
            } else {
                low - radius - 12.0
            },
        ),
    );
}

/// Height below which a screen is a phone's on its side (points).
pub(super) const FLAT: f32 = 480.0;
/// End of the speed dial of a car without gears (km/h).
const WITHOUT_GEARS: f32 = 240.0;
/// Ends of dials are multiples of this (km/h): eight marks fall on whole numbers.
const DIAL_STEP: f32 = 40.0;
/// Density of the air (`kg/m³`), with which the greatest speed is estimated.
const AIR_DENSITY: f32 = 1.2;

/// The end of a car's speed dial (km/h): the speed that its gears allow and that its engine's power sustains in the air, rounded up.
fn dial_end(model: &VehicleModel) -> f32 {
    let reaches = gear_reaches(model);
    let Some(reach) = reaches.last() else {
        return WITHOUT_GEARS;
    };
    let drag = |air: &Aerodynamics| AIR_DENSITY * air.area * air.drag.at(0.0);
    let drag = model.params().aerodynamics.as_ref().map_or(0.0, drag);
    let in_air = if drag > 0.0 {
        let power = engine_peaks(model).map_or(0.0, |engine| engine.power);
        (2.0 * power / drag).cbrt()
    } else {
        f32::INFINITY
    };
    let top = 3.6 * reach.speed.min(in_air);
    DIAL_STEP * (top / DIAL_STEP).ceil().max(1.0)
}

/// Greatest speed of the engine, as the file says (`rad/s`).
fn limit(room: &Showroom) -> Option<f32> {
    room.garage
        .value("drivetrain.engine.max_speed")
        .map(|speed| speed as f32)
}

impl Dial<'_> {
    fn at(&self, share: f32, radius: f32) -> Pos2 {
        let angle = FROM + ROUND * share;
        self.center + vec2(angle.cos(), angle.sin()) * radius
    }

    fn arc(&self, painter: &Painter, from: f32, to: f32, stroke: Stroke) {
        let points = (0..=24_u8)
            .map(|n| self.at(from + (to - from) * f32::from(n) / 24.0, 0.88 * self.radius));
        painter.line(points.collect(), stroke);
    }

    fn paint(&self, painter: &Painter) {
        disc(painter, self.center, self.radius, FACE);
        self.arc(painter, 0.0, 1.0, Stroke::new(3.0, Color32::from_gray(60)));
        let share = self.share.clamp(0.0, 1.0);
        let color = if share > self.red { RED } else { ACCENT };
        self.arc(painter, 0.0, share, Stroke::new(4.0, color));
        if self.red < 1.0 {
            self.arc(painter, self.red, 1.0, Stroke::new(2.0, RED));
        }
        for n in 0..=8_u8 {
            let share = f32::from(n) / 8.0;
            let ends = [
                self.at(share, 0.76 * self.radius),
                self.at(share, 0.84 * self.radius),
            ];
            painter.line_segment(ends, Stroke::new(1.5, FAINT));
        }
        painter.line_segment(
            [
                self.at(share, 0.50 * self.radius),
                self.at(share, 0.82 * self.radius),
            ],
            Stroke::new(2.5, BRIGHT),
        );
        painter.text(
            self.center,
            Align2::CENTER_CENTER,
            self.text,
            FontId::monospace(0.40 * self.radius),
            BRIGHT,
        );
        let below = self.center + vec2(0.0, 0.42 * self.radius);
        painter.text(
            below,
            Align2::CENTER_CENTER,
            self.unit,
            FontId::proportional((0.19 * self.radius).max(14.0)),
            FAINT,
        );
    }
}

/// A disc with a soft rim. From it inwards, every second corner is cut off: a fan's slivers cost a processor several times
/// the pixels that they show.
fn disc(painter: &Painter, center: Pos2, radius: f32, color: Color32) {
    const SIDES: u32 = 64;
    let soft = 0.5 / painter.pixels_per_point();
    let mut mesh = Mesh::default();
    for n in 0..SIDES {
        let around = Vec2::angled(2.0 * PI * n as f32 / SIDES as f32);
        mesh.colored_vertex(center + around * (radius - soft), color);
        mesh.colored_vertex(center + around * (radius + soft), Color32::TRANSPARENT);
        let (here, next) = (2 * n, 2 * ((n + 1) % SIDES));
        mesh.add_triangle(here, here + 1, next);
        mesh.add_triangle(here + 1, next + 1, next);
    }
    let mut cut = 1;
    while cut < SIDES / 2 {
        for n in (0..SIDES).step_by(2 * cut as usize) {
            mesh.add_triangle(2 * n, 2 * (n + cut), 2 * ((n + 2 * cut) % SIDES));
        }
        cut *= 2;
    }
    painter.add(mesh);
}

/// Columns of the pedals with their letters: clutch, brake, throttle, handbrake.
const PEDALS: [(&str, Color32); 4] = [
    ("C", Color32::from_rgb(110, 170, 240)),
    ("B", RED),
    ("T", Color32::from_rgb(88, 190, 96)),
    ("H", ACCENT),
];

/// Clutch, brake, throttle, handbrake as columns; steering as a bar below.
fn pedals(painter: &Painter, corner: Pos2, radius: f32, command: &CarCommand) {
    let values = [
        command.clutch,
        command.brake,
        command.throttle,
        command.handbrake,
    ];
    let high = 0.90 * radius;
    let frame = egui::Rect::from_min_size(
        corner - vec2(10.0, 0.62 * radius),
        vec2(80.0, 1.1 * radius + 26.0),
    );
    painter.rect_filled(frame, 6.0, FACE);
    for (n, (value, (letter, color))) in values.into_iter().zip(PEDALS).enumerate() {
        let left = corner.x + 16.0 * n as f32;
        let bottom = corner.y + 0.55 * radius - 14.0;
        painter.text(
            pos2(left + 6.0, bottom + 1.0),
            Align2::CENTER_TOP,
            letter,
            FontId::monospace(14.0),
            FAINT,
        );
        let column = |share: f32| {
            egui::Rect::from_min_max(pos2(left, bottom - share * high), pos2(left + 12.0, bottom))
        };
        painter.rect_filled(column(1.0), 2.0, Color32::from_gray(45));
        painter.rect_filled(column(value), 2.0, color);
    }
    let middle = pos2(corner.x + 30.0, corner.y + 0.55 * radius + 11.0);
    painter.line_segment(
        [middle - vec2(27.0, 0.0), middle + vec2(27.0, 0.0)],
        Stroke::new(2.0, Color32::from_gray(70)),
    );
    painter.circle_filled(middle + vec2(27.0 * command.steer, 0.0), 4.0, BRIGHT);
}

/// Writes the notes beside the dials: frame time, the ghost's distance, time that stands still, refusals.
fn notes(painter: &Painter, room: &Showroom, corner: Pos2) {
    let mut lines = Vec::new();
    if room.frame_time_shown {
        lines.push(format!("frame {:.1} ms", room.frame_time()));
    }
    if let Some((other, apart)) = room.sim.ghost() {
        lines.push(format!("ghost, {other}: {apart:.3} m away"));
    }
    if room.sim.paused {
        lines.push("paused".to_owned());
    } else if room.sim.pace < 1.0 {
        lines.push(format!("{:.0} % speed", 100.0 * room.sim.pace));
    }
    if let Some(refusal) = room.sim.session().refusal() {
        lines.push(refusal.to_owned());
    }
    let session = room.sim.session();
    if session.bodies().boxes.len() < session.course().boxes.len() {
        let engine = session.world().name();
        lines.push(format!(
            "{engine} has no loose boxes here: E for another engine"
        ));
    }
    lines.extend(room.told.clone());
    for (n, line) in lines.iter().enumerate() {
        let place = corner - vec2(0.0, 18.0 * n as f32);
        let font = FontId::proportional(14.0);
        painter.text(
            place + vec2(1.0, 1.0),
            Align2::RIGHT_BOTTOM,
            line,
            font.clone(),
            Color32::BLACK,
        );
        painter.text(place, Align2::RIGHT_BOTTOM, line, font, BRIGHT);
    }
}

#[cfg(test)]
mod tests {
    use super::dial_end;

    /// One scale for each car, a little beyond the speed that it reaches.
    #[test]
    fn a_speed_dial_ends_beyond_the_cars_top_speed() {
        // Measured: 205, 311 and 216 km/h; the tractor's gears allow 52.
        let cars = ["sedan", "sports-car", "suv", "tractor", "skateboard"];
        let ends = cars.map(|name| dial_end(&jounce::presets::by_name(name).unwrap().model()));
        assert_eq!(ends, [240.0, 360.0, 280.0, 80.0, 240.0]);
    }
}
