//! A picture of the updates.

use plotters::prelude::*;

use crate::result::Measured;

/// Whose updates are drawn.
const DRAWN: [(&str, RGBColor); 8] = [
    ("physx", RGBColor(30, 30, 30)),
    ("vehicle2", RGBColor(140, 140, 140)),
    ("explicit", RGBColor(0, 114, 178)),
    ("explicit, reports and poses", RGBColor(86, 180, 233)),
    ("rows sedan", RGBColor(0, 158, 115)),
    ("rows sports-car", RGBColor(230, 159, 0)),
    ("rows truck", RGBColor(213, 94, 0)),
    ("rows suv", RGBColor(204, 121, 167)),
];

/// An SVG: time of an update per vehicle over the number of vehicles, both logarithmic.
pub(crate) fn svg(outcome: &Measured) -> Result<String, String> {
    let mut text = String::new();
    draw(outcome, &mut text).map_err(|error| format!("the chart: {error}"))?;
    Ok(text)
}

fn draw(outcome: &Measured, text: &mut String) -> Result<(), Box<dyn core::error::Error>> {
    let area = SVGBackend::with_string(text, (860, 480)).into_drawing_area();
    area.fill(&WHITE)?;
    let most = outcome.vehicles.iter().copied().max().unwrap_or(1).max(2);
    let mut chart = ChartBuilder::on(&area)
        .margin(16)
        .x_label_area_size(40)
        .y_label_area_size(56)
        // Room for the names beside the lines.
        .margin_right(210)
        .build_cartesian_2d((1.0..most as f64).log_scale(), (50.0..20_000.0).log_scale())?;
    chart
        .configure_mesh()
        .x_desc("vehicles")
        .y_desc("update [ns per vehicle]")
        .x_label_formatter(&|n| format!("{n:.0}"))
        .y_label_formatter(&|ns| format!("{ns:.0}"))
        .light_line_style(TRANSPARENT)
        .draw()?;
    let mut names = Vec::new();
    for (name, color) in DRAWN {
        let point = |&count: &usize| Some((count as f64, outcome.time(name, count)?.median));
        let points: Vec<(f64, f64)> = outcome.vehicles.iter().filter_map(point).collect();
        if let Some(&end) = points.last() {
            names.push((chart.backend_coord(&end), name, color));
        }
        chart.draw_series(LineSeries::new(points, color.stroke_width(2)))?;
    }
    names.sort_by_key(|((_, y), _, _)| *y);
    let mut free = i32::MIN;
    for ((x, y), name, color) in names {
        // Names keep a line's distance.
        let y = (y - 7).max(free);
        free = y + 16;
        let style = ("sans-serif", 14).into_font().color(&color);
        area.draw(&Text::new(name, (x + 8, y), style))?;
    }
    area.present()?;
    Ok(())
}
