//! Pictures of figures over frequency and speed: ours, and theirs dashed.

use core::error::Error;
use std::fs;
use std::path::Path;

use glam::DVec2;
use jounce_lab::report::{ChartCurve, Picture, PicturePanel};
use vehicle_conformance::validation::Reckoning;

/// A picture: the name of its file, what it shows, its axis, and of each panel the title, how subjects end and the figure.
struct Plot {
    file: &'static str,
    what: &'static str,
    across: &'static str,
    panels: &'static [(&'static str, &'static str, &'static str)],
}

const PLOTS: [Plot; 3] = [
    Plot {
        file: "yaw.svg",
        what: "Yaw rate over steering angle, over frequency, of three cars and of the bicycle model (dashed)",
        across: "frequency [Hz]",
        panels: &[
            ("yaw gain [1/s]", ", bicycle model", "yaw gain [1/s]"),
            ("yaw phase [°]", ", bicycle model", "yaw phase [°]"),
        ],
    },
    Plot {
        file: "ride.svg",
        what: "Motion of the body over motion of the ground, over frequency, of three cars and in closed form (dashed)",
        across: "frequency [Hz]",
        panels: &[
            ("quarter car", ", quarter car", "transmissibility"),
            (
                "half car, over the front axle",
                ", half car",
                "transmissibility, front axle",
            ),
            (
                "half car, over the rear axle",
                ", half car",
                "transmissibility, rear axle",
            ),
        ],
    },
    Plot {
        file: "bends.svg",
        what: "Greatest lateral acceleration over speed, of two cars with downforce and of a quasi-steady model (dashed)",
        across: "speed [km/h]",
        panels: &[(
            "lateral acceleration [m/s²]",
            ", quasi-steady",
            "lateral acceleration [m/s²]",
        )],
    },
];

/// Writes every picture into a folder.
///
/// # Errors
/// If there are no figures for one, or it cannot be written.
pub(crate) fn write(found: &[Reckoning], folder: &Path) -> Result<(), Box<dyn Error>> {
    fs::create_dir_all(folder)?;
    for plot in &PLOTS {
        let unit = plot
            .across
            .trim_end_matches(']')
            .rsplit('[')
            .next()
            .unwrap_or_default();
        let panels: Vec<PicturePanel> = plot
            .panels
            .iter()
            .map(|(title, ending, figure)| {
                let of = |it: &&Reckoning| it.subject.ends_with(ending) && it.figure == *figure;
                let found: Vec<&Reckoning> = found.iter().filter(of).collect();
                PicturePanel::new(*title, curves(&found, ending, unit))
            })
            .collect();
        if panels.iter().any(|panel| panel.curves.is_empty()) {
            return Err(format!("{}: there are no figures for it", plot.file).into());
        }
        let picture = Picture {
            what: plot.what.to_owned(),
            across: plot.across,
            panels,
        };
        fs::write(folder.join(plot.file), picture.svg())?;
    }
    Ok(())
}

/// Two curves per car.
fn curves(found: &[&Reckoning], ending: &str, unit: &str) -> Vec<ChartCurve> {
    let mut names: Vec<&str> = found.iter().map(|it| it.subject.as_str()).collect();
    names.dedup();
    let both = |(color, name): (usize, &&str)| {
        let points = |of: fn(&Reckoning) -> f64| -> Vec<DVec2> {
            let own = found.iter().filter(|it| it.subject == **name);
            own.filter_map(|it| Some(DVec2::new(place(&it.at, unit)?, of(it))))
                .collect()
        };
        let name = name.trim_end_matches(ending);
        let theirs = ChartCurve {
            dashed: true,
            ..ChartCurve::new("", color, points(|it| it.theirs))
        };
        [ChartCurve::new(name, color, points(|it| it.ours)), theirs]
    };
    names.iter().enumerate().flat_map(both).collect()
}

/// The number before a unit at the start of a figure's conditions.
fn place(at: &str, unit: &str) -> Option<f64> {
    let (number, rest) = at.split_once(' ')?;
    rest.starts_with(unit).then(|| number.parse().ok())?
}
