//! Forces of tires over slip.

use core::error::Error;
use std::sync::Arc;

use glam::DVec2;
use jounce::core::{TireInput, TireModel};
use jounce::tires::TireRegistry;
use jounce_lab::report::{ChartCurve, Picture, PicturePanel};

/// Name in the legend, and the table of a vehicle file.
const LAWS: [(&str, &str); 3] = [
    (
        "michigan",
        "model = 'michigan'\nlat_stiff_x = 2.0\nlat_stiff_y = 14.0\nlong_stiff_per_g = 4500.0\ncamber_stiff_per_g = 0.0",
    ),
    (
        "magic-formula",
        "model = 'magic-formula'\npreset = 'suv-255-55-r20'",
    ),
    ("friction", "model = 'friction'"),
];
/// (`N`)
const LOAD: f32 = 4000.0;
const POINTS: usize = 100;

/// A tire at a slip or a slip angle.
fn input(slip_ratio: f32, tan_slip_angle: f32) -> TireInput {
    const SPEED: f32 = 20.0;
    TireInput {
        slip_ratio,
        tan_slip_angle,
        forward_speed: SPEED,
        lateral_speed: SPEED * tan_slip_angle,
        rim_speed: SPEED * (1.0 + slip_ratio),
        radius: 0.35,
        load: LOAD,
        rest_load: LOAD,
        friction: 1.0,
        gravity: 9.81,
        ..TireInput::default()
    }
}

/// Longitudinal force over slip, and lateral force over the tangent of the slip angle.
pub(crate) fn picture() -> Result<String, Box<dyn Error>> {
    let registry = TireRegistry::with_builtins();
    let mut tires: Vec<(&str, Arc<dyn TireModel>)> = Vec::new();
    for (name, table) in LAWS {
        tires.push((name, registry.build(table.parse()?)?));
    }
    let panel = |title, force: fn(&dyn TireModel, f32) -> f32| {
        let curves = tires.iter().enumerate().map(|(color, (name, tire))| {
            let point = |n: usize| {
                let slip = 0.5 * n as f32 / POINTS as f32;
                DVec2::new(slip.into(), f64::from(force(&**tire, slip)) / 1e3)
            };
            ChartCurve::new(*name, color, (0..=POINTS).map(point).collect())
        });
        PicturePanel::new(title, curves.collect())
    };
    let picture = Picture {
        what: "Forces of three tires under 4 kN over slip".to_owned(),
        across: "slip ratio, or tangent of the slip angle",
        panels: vec![
            panel("driving force, kN", |tire, slip| {
                tire.forces(&input(slip, 0.0)).longitudinal
            }),
            panel("side force, kN", |tire, slip| {
                -tire.forces(&input(0.0, slip)).lateral
            }),
        ],
    };
    Ok(picture.svg())
}
