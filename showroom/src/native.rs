//! The native window and its loop. three-d's own loop keeps to itself that the keyboard has gone elsewhere.

use core::error::Error;
use std::env;
use std::path::PathBuf;

use three_d::{Context, FrameInput, FrameInputGenerator, SurfaceSettings, WindowedContext};
use winit::dpi::LogicalSize;
use winit::event::{Event, WindowEvent};
use winit::event_loop::{ControlFlow, EventLoop};
use winit::window::{Window, WindowBuilder};

/// Variables of which one names the display on Linux.
const DISPLAYS: [&str; 3] = ["WAYLAND_DISPLAY", "WAYLAND_SOCKET", "DISPLAY"];

/// An event of a window.
pub(crate) enum Happening {
    /// A frame is due.
    Frame(FrameInput),
    /// The keyboard goes elsewhere: releases of held keys will not be reported.
    Away,
    /// A file is dropped onto it.
    Dropped(PathBuf),
}

/// A window of this size (points), with a graphics context.
pub(crate) struct NativeWindow {
    events: EventLoop<()>,
    window: Window,
    graphics: WindowedContext,
}

impl NativeWindow {
    pub(crate) fn new(
        title: &str,
        (width, height): (u32, u32),
        settings: SurfaceSettings,
    ) -> Result<Self, Box<dyn Error>> {
        // The library of windows would panic.
        if cfg!(target_os = "linux") && DISPLAYS.iter().all(|name| env::var_os(name).is_none()) {
            return Err(format!(
                "no display to open a window on: set one of {}",
                DISPLAYS.join(", ")
            )
            .into());
        }
        let events = EventLoop::new();
        let window = WindowBuilder::new()
            .with_title(title)
            .with_inner_size(LogicalSize::new(width, height))
            .build(&events)?;
        window.focus_window();
        let lean = SurfaceSettings {
            multisamples: 0,
            ..settings
        };
        let graphics = WindowedContext::from_winit_window(&window, settings)
            .or_else(|_| WindowedContext::from_winit_window(&window, lean))?;
        Ok(Self {
            events,
            window,
            graphics,
        })
    }

    pub(crate) fn context(&self) -> &Context {
        &self.graphics
    }

    /// Calls `happens` with everything that happens; ends the program when it returns whether to go on as false, or the
    /// window is closed.
    pub(crate) fn run(self, mut happens: impl FnMut(Happening) -> bool + 'static) -> ! {
        let Self {
            events,
            window,
            graphics,
        } = self;
        let mut inputs = FrameInputGenerator::from_winit_window(&window);
        events.run(move |event, _, flow| match event {
            Event::MainEventsCleared => window.request_redraw(),
            Event::RedrawRequested(_) => {
                let goes_on = happens(Happening::Frame(inputs.generate(&graphics)));
                let drawn = graphics.swap_buffers().is_ok();
                *flow = if goes_on && drawn {
                    ControlFlow::Poll
                } else {
                    ControlFlow::Exit
                };
            }
            Event::WindowEvent { event, .. } => {
                inputs.handle_winit_window_event(&event);
                match event {
                    WindowEvent::Resized(size) => graphics.resize(size),
                    WindowEvent::ScaleFactorChanged { new_inner_size, .. } => {
                        graphics.resize(*new_inner_size);
                    }
                    WindowEvent::Focused(false) => {
                        happens(Happening::Away);
                    }
                    WindowEvent::DroppedFile(path) => {
                        happens(Happening::Dropped(path));
                    }
                    WindowEvent::CloseRequested => *flow = ControlFlow::Exit,
                    _ => {}
                }
            }
            _ => {}
        })
    }
}
