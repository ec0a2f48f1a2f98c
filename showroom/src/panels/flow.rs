//! Torque as a picture: engine, clutch, gears, axles and wheels from left to right, lines as thick as what they carry.

use three_d::egui::{Align2, Color32, FontId, Painter, Pos2, Rect, Sense, Stroke, Ui, pos2, vec2};

use super::ACCENT;
use crate::app::Showroom;
use crate::flow::TorqueFlow;

/// Height of a wheel's line (points).
const LINE: f32 = 19.0;
const BOX: [f32; 2] = [48.0, 36.0];
const FACE: Color32 = Color32::from_rgb(44, 49, 57);
const DRIVES: Color32 = Color32::from_rgb(90, 190, 110);
const BRAKES: Color32 = Color32::from_rgb(226, 96, 80);

pub(super) fn show(ui: &mut Ui, room: &Showroom) {
    let flow = TorqueFlow::of(&room.sim.session().driven().vehicle);
    let wheels: usize = flow.axles.iter().map(|axle| axle.wheels.len()).sum();
    let height = (LINE * wheels as f32).max(BOX[1]) + 8.0;
    let (response, painter) =
        ui.allocate_painter(vec2(ui.available_width(), height), Sense::hover());
    let picture = FlowPicture {
        painter,
        area: response.rect,
        // The thickest line is the greatest torque on an axle now.
        greatest: flow
            .axles
            .iter()
            .fold(100.0, |most: f32, axle| most.max(axle.torque.abs())),
    };
    picture.paint(&flow);
}

struct FlowPicture {
    painter: Painter,
    area: Rect,
    greatest: f32,
}

impl FlowPicture {
    fn paint(&self, flow: &TorqueFlow) {
        let middle = self.area.center().y;
        let x = |share: f32| self.area.left() + share * self.area.width();
        let gears = pos2(x(0.385), middle);
        if let Some(engine) = flow.engine {
            let (motor, clutch) = (pos2(x(0.075), middle), pos2(x(0.23), middle));
            self.line(motor, clutch, engine.engine);
            self.line(clutch, gears, engine.clutch);
            self.place(motor, "engine", engine.engine);
            self.place(clutch, "clutch", engine.clutch);
        }
        let mut row = self.area.top() + 4.0;
        for (n, axle) in flow.axles.iter().enumerate() {
            let center = pos2(x(0.55), row + 0.5 * LINE * axle.wheels.len() as f32);
            if flow.engine.is_some() {
                self.line(gears, center, axle.torque);
            }
            for (name, torque) in &axle.wheels {
                let end = pos2(x(0.665), row + 0.5 * LINE);
                self.line(center, end, *torque);
                let text = format!("{name} {}", whole(*torque));
                self.text(end + vec2(4.0, 0.0), Align2::LEFT_CENTER, &text);
                row += LINE;
            }
            let name = format!("axle {}{}", n + 1, if axle.locked { " lock" } else { "" });
            self.place(center, &name, axle.torque);
        }
        if let Some(engine) = flow.engine {
            self.place(gears, "gears", engine.gears);
        }
    }

    /// A part with the torque that leaves it.
    fn place(&self, center: Pos2, name: &str, torque: f32) {
        let size = vec2(BOX[0].min(0.145 * self.area.width()), BOX[1]);
        self.painter
            .rect_filled(Rect::from_center_size(center, size), 5.0, FACE);
        self.text(center - vec2(0.0, 8.0), Align2::CENTER_CENTER, name);
        self.painter.text(
            center + vec2(0.0, 8.0),
            Align2::CENTER_CENTER,
            whole(torque),
            FontId::proportional(14.0),
            ACCENT,
        );
    }

    fn text(&self, place: Pos2, align: Align2, text: &str) {
        self.painter.text(
            place,
            align,
            text,
            FontId::proportional(14.0),
            Color32::from_gray(205),
        );
    }

    fn line(&self, from: Pos2, to: Pos2, torque: f32) {
        let thick = 1.0 + 9.0 * (torque.abs() / self.greatest).min(1.0);
        let color = if torque < 0.0 { BRAKES } else { DRIVES };
        let color = if torque.abs() < 1.0 {
            Color32::from_gray(90)
        } else {
            color
        };
        self.painter
            .line_segment([from, to], Stroke::new(thick, color));
    }
}

/// Rounded, without the sign of a zero.
fn whole(torque: f32) -> f32 {
    torque.round() + 0.0
}
