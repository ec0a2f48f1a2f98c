//! The showroom in a window. With a script, every frame is 1/60 s, and the end is written to files.
#![forbid(unsafe_code)]

mod frames;
mod movie;
mod native;
mod speaker;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use frames::FrameLog;
use jounce::scene::read_text;
use movie::Movie;
use native::{Happening, NativeWindow};
use showroom::app::Showroom;
use showroom::orders::{self, Order, ScriptLine};
use showroom::scene::Look;
use showroom::window::{Shown, live};
use speaker::Speaker;
use three_d::{FrameInput, RenderTarget, SurfaceSettings};

/// Options of the command line.
#[derive(Debug, Default)]
struct Options {
    size: (u32, u32),
    vehicle: Option<String>,
    script: Option<PathBuf>,
    frames: u64,
    samples: u8,
    look: Option<Look>,
    state: Option<PathBuf>,
    picture: Option<PathBuf>,
    movie: Option<PathBuf>,
}

const USAGE: &str = "\
Usage: showroom [OPTIONS] [VEHICLE]

VEHICLE is a vehicle file, or the name of a preset: without it, a sedan. Keys drive it; H shows them all.

  --size WxH         Size of the window, 1280x720 by default
  --samples N        Smooth edges, with N samples per pixel
  --look plain|fine  Draw plainly, or with soft shadows and sky; by default as the renderer is fast
  --script FILE      Obey the orders of a JSON list of {\"frame\": N, \"order\": ...}, besides the keys
  --frames N         End after N frames, 120 with a script, and print how long frames took
  --screenshot FILE  Write the last frame as PNG
  --movie FILE       Write the whole run as an animated PNG
  --state FILE       Write what is shown as JSON, every 0.1 s

With --script or --frames, every frame is 1/60 s; the last three options need one of them.";

/// Frames between two states that are written.
const STATES: u64 = 6;

fn options() -> Result<Options, String> {
    let mut options = Options {
        size: (1280, 720),
        frames: 0,
        ..Options::default()
    };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let mut value = || {
            words
                .next()
                .ok_or_else(|| format!("{word}: a value is missing"))
        };
        match word.as_str() {
            "--size" => {
                let text = value()?;
                let size = text
                    .split_once('x')
                    .and_then(|(w, h)| Some((w.parse().ok()?, h.parse().ok()?)));
                options.size = size.ok_or_else(|| format!("{text}: must be like 1280x720"))?;
            }
            "--samples" => {
                options.samples = value()?
                    .parse()
                    .map_err(|error| format!("--samples: {error}"))?;
            }
            "--look" => options.look = Some(look(&value()?)?),
            "--script" => options.script = Some(value()?.into()),
            "--frames" => {
                options.frames = value()?
                    .parse()
                    .map_err(|error| format!("--frames: {error}"))?;
            }
            "--state" => options.state = Some(value()?.into()),
            "--screenshot" => options.picture = Some(value()?.into()),
            "--movie" => options.movie = Some(value()?.into()),
            name if !name.starts_with('-') => options.vehicle = Some(name.to_owned()),
            other => return Err(format!("{other}: unknown\n{USAGE}")),
        }
    }
    if options.script.is_some() && options.frames == 0 {
        options.frames = 120;
    }
    Ok(options)
}

fn look(name: &str) -> Result<Look, String> {
    match name {
        "plain" => Ok(Look::Plain),
        "fine" => Ok(Look::Fine),
        _ => Err(format!("{name}: must be plain or fine")),
    }
}

fn main() -> ExitCode {
    if std::env::args().any(|word| ["-h", "--help"].contains(&word.as_str())) {
        println!("{USAGE}");
        return ExitCode::SUCCESS;
    }
    match options().and_then(run) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}

fn run(options: Options) -> Result<(), String> {
    let mut room = Showroom::new().map_err(|error| error.to_string())?;
    if let Some(name) = &options.vehicle {
        let order = match read_text(name) {
            Ok(text) => Order::Open(name.clone(), text),
            Err(_) => Order::Vehicle(name.clone()),
        };
        room.obey(order);
    }
    let lines = match &options.script {
        Some(path) => {
            let text = read_text(path).map_err(|error| format!("{}: {error}", path.display()))?;
            orders::script(&text).map_err(|error| format!("{}: {error}", path.display()))?
        }
        None => Vec::new(),
    };
    let settings = SurfaceSettings {
        vsync: options.frames == 0,
        multisamples: options.samples,
        ..SurfaceSettings::default()
    };
    let window = NativeWindow::new("Jounce showroom", options.size, settings);
    let window = window.map_err(|error| format!("no window: {error}"))?;
    let mut shown =
        Shown::new(room, window.context(), options.look).map_err(|error| error.to_string())?;
    let mut script = ScriptRun {
        movie: options.movie.clone().map(Movie::new),
        lines,
        options,
        frame: 0,
        log: FrameLog::default(),
    };
    let mut speaker = Speaker::default();
    window.run(move |happening| match happening {
        Happening::Frame(input) => {
            speaker.follow(&mut shown.room);
            if script.options.frames == 0 {
                return !live(&mut shown, input).exit;
            }
            script.frame(&mut shown, input)
        }
        Happening::Dropped(path) => {
            drop_onto(&mut shown.room, &path);
            true
        }
        Happening::Away => {
            shown.room.obey(Order::Release);
            true
        }
    })
}

/// Opens a file that is dropped onto the window: a recording, or a vehicle.
fn drop_onto(room: &mut Showroom, path: &Path) {
    let name = path.display().to_string();
    match read_text(path) {
        Ok(text) if path.extension().is_some_and(|end| end == "json") => {
            room.obey(Order::Replay(text));
        }
        Ok(text) => room.obey(Order::Open(name, text)),
        Err(error) => room.fault = Some(format!("{name}: {error}")),
    }
}

/// A run by a script.
struct ScriptRun {
    lines: Vec<ScriptLine>,
    options: Options,
    frame: u64,
    movie: Option<Movie>,
    log: FrameLog,
}

impl ScriptRun {
    /// Draws a frame; returns whether the script has another one.
    fn frame(&mut self, shown: &mut Shown, mut input: FrameInput) -> bool {
        for line in self.lines.iter().filter(|line| line.frame == self.frame) {
            shown.room.obey(line.order.clone());
        }
        self.frame += 1;
        self.log.note(input.elapsed_time as f32);
        if self.movie.is_some() {
            // How long a machine takes is no part of the picture.
            input.elapsed_time = 0.0;
        }
        let drawn = shown.frame(&mut input, 1.0 / 60.0);
        let target = input.screen();
        if let Some(movie) = &mut self.movie {
            movie.look(self.frame, &target);
        }
        let done = drawn
            .map_err(|error| error.to_string())
            .and_then(|()| self.tell(shown))
            .and_then(|()| self.finish(&target));
        if let Err(error) = &done {
            eprintln!("{error}");
        }
        done.is_ok() && self.frame < self.options.frames
    }

    /// Writes the displayed state, every few frames and after the last one.
    fn tell(&self, shown: &Shown) -> Result<(), String> {
        let due = self.frame.is_multiple_of(STATES) || self.frame == self.options.frames;
        let Some(path) = self.options.state.as_ref().filter(|_| due) else {
            return Ok(());
        };
        let text = serde_json::to_string_pretty(&shown.room.state());
        let text = text.map_err(|error| error.to_string())?;
        // At once: whoever reads it meanwhile reads a whole one.
        let draft = path.with_extension("draft");
        let written = std::fs::write(&draft, text).and_then(|()| std::fs::rename(&draft, path));
        written.map_err(|error| format!("{}: {error}", path.display()))
    }

    /// Writes the pictures after the last frame.
    fn finish(&self, target: &RenderTarget<'_>) -> Result<(), String> {
        if self.frame < self.options.frames {
            return Ok(());
        }
        println!("{}", self.log);
        if let Some(path) = &self.options.picture {
            write_picture(path, target).map_err(|error| format!("{}: {error}", path.display()))?;
        }
        if let Some(movie) = &self.movie {
            let failed = |error| format!("{}: {error}", movie.path().display());
            movie.write().map_err(failed)?;
        }
        Ok(())
    }
}

fn write_picture(
    path: &PathBuf,
    target: &RenderTarget<'_>,
) -> Result<(), Box<dyn core::error::Error>> {
    let pixels: Vec<[u8; 4]> = target.read_color();
    let opaque = pixels.iter().flat_map(|[r, g, b, _]| [*r, *g, *b]);
    let file = std::io::BufWriter::new(std::fs::File::create(path)?);
    let mut encoder = png::Encoder::new(file, target.width(), target.height());
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    encoder
        .write_header()?
        .write_image_data(&opaque.collect::<Vec<u8>>())?;
    Ok(())
}
