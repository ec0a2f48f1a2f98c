//! Every channel of a sports car in a launch, a handbrake turn and a stop: `cargo run --release -p
//! lab --example telemetry`.
//!
//! Writes `out/telemetry.html`.

use core::fmt::Write as _;
use std::path::Path;

use jounce::core::{CarCommand, Command};
use jounce::presets;
use jounce::telemetry::{
    Channel, Colour, EngineChannel, Graph, GraphPoint, Layout, Ring, SAMPLES, Style, Telemetry,
    WheelChannel,
};
use jounce_lab::report::{Sheet, heading, note};
use proving_ground::ProvingError;
use proving_ground::stage::{FREE, GRAVITY, Scene, Setup, Stage};
use proving_ground::world::WorldKind;

/// Rate of the world (`Hz`).
const RATE: f32 = 60.0;
/// Width of a drawing, and height of the one with the screen layout (`px`).
const WIDTH: f32 = 1120.0;
const SCREEN: f32 = 620.0;
/// Height of a graph, and of its title, in a grid of graphs (`px`).
const ROW: f32 = 96.0;
const TITLE: f32 = 22.0;
/// Between graphs (`px`).
const GAP: f32 = 16.0;

/// Launch, handbrake turn, braking: as long as the rings.
fn command(time: f32) -> CarCommand {
    let (throttle, brake, handbrake, steer) = match time {
        ..2.0 => (1.0, 0.0, 0.0, 0.0),
        ..2.5 => (0.0, 0.0, 0.0, 0.25),
        ..3.0 => (0.0, 0.0, 1.0, 0.25),
        _ => (0.0, 0.8, 0.0, -0.2),
    };
    CarCommand {
        throttle,
        brake,
        handbrake,
        steer,
        automatic: true,
        ..FREE
    }
}

/// Drives and records.
fn record() -> Result<Telemetry, ProvingError> {
    let car = presets::sports_car();
    let world = WorldKind::Standalone;
    let mut stage = Stage::new(&Setup { world, car: &car }, &Scene::IN_FIRST, RATE)?;
    let mut telemetry = Telemetry::new(car.model().wheel_count());
    for n in 0..SAMPLES {
        let command = command(n as f32 / RATE);
        stage.step(&command)?;
        telemetry.record(&stage.vehicle, &Command::Car(command), GRAVITY.length());
    }
    Ok(telemetry)
}

/// One graph and its contents.
struct Shown<'a> {
    graph: Graph,
    channel: Channel,
    ring: &'a Ring,
    title: String,
}

impl Shown<'_> {
    /// Box, zero line, colored line, title and range; `height` is that of the drawing, whose y
    /// points down.
    fn svg(&self, height: f32) -> String {
        let [[left, bottom], [right, top]] = self.graph.corners();
        let Style {
            background,
            opacity,
            ..
        } = self.graph.style;
        let Channel { min, max, .. } = self.channel;
        let (top, bottom) = (height - top, height - bottom);
        let mut svg = format!(
            "<rect x=\"{left:.1}\" y=\"{top:.1}\" width=\"{:.1}\" height=\"{:.1}\" fill=\"{}\" \
             fill-opacity=\"{opacity}\" stroke=\"#8888\"/>",
            right - left,
            bottom - top,
            css(background),
        );
        for (colour, points) in runs(self.graph.line(self.channel, self.ring)) {
            let places = points.iter().fold(String::new(), |mut places, [x, y]| {
                // Writing to a string cannot fail.
                let _ = write!(places, "{x:.1},{:.1} ", height - y);
                places
            });
            let _ = write!(
                svg,
                "<polyline points=\"{places}\" fill=\"none\" stroke=\"{}\" stroke-width=\"1.6\"/>",
                css(colour)
            );
        }
        let text = |x: f32, y: f32, anchor: &str, words: &str| {
            format!(
                "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\" font-size=\"12\" \
                 fill=\"currentColor\">{words}</text>"
            )
        };
        svg + &text(left, top - 6.0, "start", &self.title)
            + &text(right, top - 6.0, "end", &format!("{min}…{max}"))
    }
}

fn css([red, green, blue]: Colour) -> String {
    format!("rgb({red},{green},{blue})")
}

/// A line split into pieces of one color, each starting where the last ended.
fn runs(line: impl Iterator<Item = GraphPoint>) -> Vec<(Colour, Vec<[f32; 2]>)> {
    let mut runs: Vec<(Colour, Vec<[f32; 2]>)> = Vec::new();
    for GraphPoint { place, colour } in line {
        match runs.last_mut() {
            Some((last, points)) if *last == colour => points.push(place),
            Some((_, points)) => {
                let from = points.last().copied();
                runs.push((colour, from.into_iter().chain([place]).collect()));
            }
            None => runs.push((colour, vec![place])),
        }
    }
    runs
}

fn drawing(shown: &[Shown<'_>], height: f32) -> String {
    let graphs: String = shown.iter().map(|graph| graph.svg(height)).collect();
    format!(
        "<svg viewBox=\"0 0 {WIDTH} {height}\" style=\"width:100%\" role=\"img\" \
         aria-label=\"telemetry\">{graphs}</svg>\n"
    )
}

/// The guide's screen layout: a wheel channel for four wheels, and an engine channel.
fn screen(telemetry: &Telemetry, engine: EngineChannel, wheel: WheelChannel) -> String {
    let layout = Layout::four_wheeler();
    let stretch = |graph: Graph| Graph {
        centre: [graph.centre[0] * WIDTH, graph.centre[1] * SCREEN],
        size: [graph.size[0] * WIDTH, graph.size[1] * SCREEN],
        ..graph
    };
    let names = presets::sports_car().model();
    let mut shown = vec![Shown {
        graph: stretch(layout.engine),
        channel: engine.channel(),
        ring: telemetry.engine(engine),
        title: engine.channel().to_string(),
    }];
    for (n, graph) in layout.wheels.into_iter().enumerate() {
        shown.push(Shown {
            graph: stretch(graph),
            channel: wheel.channel(),
            ring: telemetry.wheel(n, wheel),
            title: format!("{}: {}", names.params().wheels[n].name, wheel.channel()),
        });
    }
    drawing(&shown, SCREEN)
}

/// Graphs in rows of four.
fn grid(channels: &[(Channel, &Ring)]) -> String {
    let rows = channels.len().div_ceil(4);
    let (pitch, line) = ((WIDTH + GAP) / 4.0, ROW + TITLE + GAP);
    let height = rows as f32 * line;
    let shown = channels.iter().enumerate().map(|(n, &(channel, ring))| {
        let (row, column) = (n / 4, n % 4);
        let width = pitch - GAP;
        Shown {
            graph: Graph {
                centre: [
                    column as f32 * pitch + 0.5 * width,
                    height - (row as f32 * line + TITLE + 0.5 * ROW),
                ],
                size: [width, ROW],
                style: Style {
                    opacity: 0.9,
                    ..Style::PHYSX
                },
            },
            channel,
            ring,
            title: channel.to_string(),
        }
    });
    drawing(&shown.collect::<Vec<_>>(), height)
}

fn sheet(telemetry: &Telemetry) -> Sheet {
    let engine = EngineChannel::ALL.map(|channel| (channel.channel(), telemetry.engine(channel)));
    let wheels = WheelChannel::ALL.into_iter().flat_map(|channel| {
        let wheels = 0..telemetry.wheel_count();
        wheels.map(move |wheel| (channel.channel(), telemetry.wheel(wheel, channel)))
    });
    Sheet {
        brand: "jounce example: telemetry".to_owned(),
        title: "The telemetry of a car".to_owned(),
        what: "A sports car is launched, thrown into a corner by the handbrake, and braked. The \
               library keeps the last 256 samples of every channel and provides the points of a \
               graph lie and what colour they have; this page draws them."
            .to_owned(),
        facts: vec![
            ("step", format!("1/{RATE} s")),
            ("samples", SAMPLES.to_string()),
        ],
        sections: vec![
            heading("As on a screen"),
            screen(telemetry, EngineChannel::Speed, WheelChannel::SlipRatio),
            heading("Engine and driver"),
            grid(&engine),
            heading("Wheels: front left, front right, rear left, rear right"),
            grid(&wheels.collect::<Vec<_>>()),
            note(
                "Blue is below a channel's middle, red above. Values beyond a channel's range are \
                 clamped to its box.",
            ),
        ],
    }
}

fn main() -> Result<(), Box<dyn core::error::Error>> {
    let telemetry = record()?;
    let path = sheet(&telemetry).save(Path::new("out"), "telemetry.html")?;
    println!("written: {}", path.display());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_channels_are_full_and_all_graphs_drawn() {
        let telemetry = record().unwrap();
        for channel in WheelChannel::ALL {
            assert!((0..4).all(|n| telemetry.wheel(n, channel).len() == SAMPLES));
        }
        let most = |channel| telemetry.engine(channel).iter().fold(0.0, f32::max);
        assert!(most(EngineChannel::Speed) > 400.0);
        assert_eq!(most(EngineChannel::Brake), 0.8);
        let html = sheet(&telemetry).html();
        let wheels = 4 * WheelChannel::ALL.len();
        assert_eq!(html.matches("<rect").count(), 5 + 8 + wheels);
        assert!(!html.contains("NaN") && !html.contains("http"));
    }

    #[test]
    fn colours_change_without_a_gap() {
        let point = |x: f32, colour| GraphPoint {
            place: [x, 0.0],
            colour,
        };
        let line = [point(0.0, [0; 3]), point(1.0, [9; 3]), point(2.0, [9; 3])];
        let runs = runs(line.into_iter());
        assert_eq!(runs[1].1, [[0.0, 0.0], [1.0, 0.0], [2.0, 0.0]]);
    }
}
