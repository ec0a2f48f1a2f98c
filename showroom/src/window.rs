//! The window, or the page's canvas: events in, pictures out.

use three_d::egui;
use three_d::{
    ClearState, Context, CoreError, Event, FrameInput, FrameOutput, GUI, Key, RenderTarget,
    ScissorBox, Viewport,
};

use crate::app::Showroom;
use crate::input::Pedal;
use crate::levers::Lever;
use crate::orders::Order;
use crate::pad::Pads;
use crate::panels;
use crate::scene::{Look, Picture, Scene};

/// A showroom in a window.
pub struct Shown {
    /// The showroom that the window displays.
    pub room: Showroom,
    /// The look of pictures; `None` goes by how fast the renderer is.
    look: Option<Look>,
    /// The gamepads.
    pads: Pads,
    context: Context,
    /// `None` while the graphics context is lost.
    canvas: Option<Canvas>,
}

/// Resources on the graphics card.
struct Canvas {
    scene: Scene,
    gui: GUI,
}

/// Least and greatest distance of the camera, over its usual distance: a fleet's levels are visible from far.
const NEAR: f32 = 0.4;
const FAR: f32 = 12.0;

impl Canvas {
    fn new(context: &Context, look: Option<Look>) -> Result<Self, CoreError> {
        let gui = GUI::new(context);
        panels::dress(gui.context());
        let scene = Scene::new(context, look)?;
        Ok(Self { scene, gui })
    }
}

impl core::fmt::Debug for Shown {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Shown")
            .field("room", &self.room)
            .finish_non_exhaustive()
    }
}

impl Shown {
    /// A showroom on a graphics context; `look` is measured if it is `None`.
    ///
    /// # Errors
    /// If the shaders do not compile.
    pub fn new(room: Showroom, context: &Context, look: Option<Look>) -> Result<Self, CoreError> {
        Ok(Self {
            room,
            look,
            pads: Pads::new(),
            context: context.clone(),
            canvas: Some(Canvas::new(context, look)?),
        })
    }

    /// The graphics context is lost: until [`Shown::renew`], nothing is drawn, and time passes on.
    pub fn lose(&mut self) {
        self.canvas = None;
    }

    /// The graphics context is there again, empty.
    ///
    /// # Errors
    /// If the shaders do not compile.
    pub fn renew(&mut self) -> Result<(), CoreError> {
        self.context = Context::from_gl_context((*self.context).clone())?;
        self.canvas = Some(Canvas::new(&self.context, self.look)?);
        Ok(())
    }

    /// Sets the number that takes typed text, or leaves it as it is.
    #[cfg(target_arch = "wasm32")]
    pub fn type_number(&mut self, number: Option<f64>) {
        if let Some(canvas) = &self.canvas {
            panels::leave(canvas.gui.context());
        }
        let order = self.room.typed.take().zip(number);
        if let Some((path, number)) = order {
            self.room.obey(Order::Tune(path, number));
        }
    }

    /// One frame of `elapsed` (`s`) onto the screen.
    ///
    /// # Errors
    /// If the graphics card refuses.
    pub fn frame(&mut self, input: &mut FrameInput, elapsed: f32) -> Result<(), CoreError> {
        self.room.note_frame(input.elapsed_time as f32);
        let mut orders = Vec::new();
        let room = &self.room;
        if let Some(canvas) = &mut self.canvas {
            canvas.gui.update(
                &mut input.events,
                input.accumulated_time,
                input.viewport,
                input.device_pixel_ratio,
                |ui: &mut egui::Ui| panels::show(ui, room, &mut orders),
            );
            self.room.typed = panels::typed(canvas.gui.context());
        }
        let room = &self.room;
        orders.extend(input.events.iter().filter_map(|event| order(event, room)));
        for order in orders {
            self.room.obey(order);
        }
        if !self.points_at_panel(input) {
            self.mouse(&input.events);
        }
        self.room.driver.hold_pad(self.pads.state());
        let moving = self.room.frame(elapsed);
        let overlay = self.room.overlay(&moving);
        let Some(canvas) = &mut self.canvas else {
            return Ok(());
        };
        let covered = panels::covered(
            &self.room,
            input.viewport.width as f32 / input.device_pixel_ratio,
        );
        let covered = (covered * input.device_pixel_ratio) as u32;
        let target =
            RenderTarget::screen(&self.context, input.viewport.width, input.viewport.height);
        canvas.scene.draw(
            &target,
            &Picture {
                session: self.room.sim.session(),
                moving: &moving,
                camera: &self.room.camera,
                overlay: &overlay,
                fleet: self.room.fleet.as_ref(),
                levels: self.room.panel.as_deref() == Some("fleet"),
                viewport: Viewport {
                    x: covered as i32,
                    width: input.viewport.width - covered,
                    ..input.viewport
                },
            },
        )?;
        if covered > 0 {
            let [red, green, blue, _] = panels::BEHIND.to_normalized_gamma_f32();
            let strip = ScissorBox {
                width: covered,
                ..input.viewport.into()
            };
            // Cleared, not painted: where a processor draws, that costs nothing.
            target.clear_partially(strip, ClearState::color(red, green, blue, 1.0));
        }
        target.write(|| canvas.gui.render())?;
        Ok(())
    }

    /// Whether the mouse is over a panel, or over the strip in which one stands.
    fn points_at_panel(&self, input: &FrameInput) -> bool {
        let Some(canvas) = &self.canvas else {
            return false;
        };
        let context = canvas.gui.context();
        let strip = panels::covered(&self.room, context.content_rect().width());
        let place = context.pointer_hover_pos();
        let over = place.is_some_and(|place| {
            place.x < strip
                || context
                    .layer_id_at(place)
                    .is_some_and(|layer| layer.order != egui::Order::Background)
        });
        let dragged = input.events.iter().any(|event| {
            matches!(
                event,
                Event::MouseMotion {
                    button: Some(_),
                    ..
                }
            )
        });
        over && !dragged
    }

    /// Dragging turns the camera, the wheel moves it.
    fn mouse(&mut self, events: &[Event]) {
        let camera = &mut self.room.camera;
        for event in events {
            match event {
                Event::MouseMotion {
                    button: Some(_),
                    delta,
                    handled: false,
                    ..
                } => camera.orbit -= 0.006 * delta.0,
                Event::MouseWheel {
                    delta,
                    handled: false,
                    ..
                } => {
                    camera.zoom = (camera.zoom * (1.0 - 0.001 * delta.1)).clamp(NEAR, FAR);
                }
                Event::PinchGesture {
                    delta,
                    handled: false,
                    ..
                } => {
                    camera.zoom = (camera.zoom * (1.0 - *delta)).clamp(NEAR, FAR);
                }
                _ => {}
            }
        }
    }
}

/// Control that a driver's key presses; `None` for other keys.
#[must_use]
pub fn pedal(key: Key) -> Option<Pedal> {
    Some(match key {
        Key::W | Key::ArrowUp => Pedal::Throttle,
        Key::S | Key::ArrowDown => Pedal::Brake,
        Key::A | Key::ArrowLeft => Pedal::Left,
        Key::D | Key::ArrowRight => Pedal::Right,
        Key::Space => Pedal::Handbrake,
        Key::PageUp => Pedal::GearUp,
        Key::PageDown => Pedal::GearDown,
        Key::Z => Pedal::Clutch,
        Key::I => Pedal::Starter,
        _ => return None,
    })
}

/// The order of an event, if it is one.
fn order(event: &Event, room: &Showroom) -> Option<Order> {
    match event {
        Event::KeyPress {
            kind,
            handled: false,
            ..
        } => match pedal(*kind) {
            Some(pedal) => Some(Order::Press(pedal, true)),
            None => key(*kind, room),
        },
        // Released even over a panel.
        Event::KeyRelease { kind, .. } => Some(Order::Press(pedal(*kind)?, false)),
        _ => None,
    }
}

/// Order of a key that is none of the driver's.
fn key(key: Key, room: &Showroom) -> Option<Order> {
    let toggled = |name: &str| match room.panel.as_deref() == Some(name) {
        true => Order::Panel(None),
        false => Order::Panel(Some(name.to_owned())),
    };
    Some(match key {
        Key::C => Order::View(room.camera.view.next()),
        Key::R => Order::Upright,
        Key::Backspace => Order::Restart,
        Key::E => Order::Engine(panels::next_engine(room)),
        Key::P => Order::Pause(!room.sim.paused),
        Key::N => Order::Step,
        Key::M => Order::Pace(if room.sim.pace < 1.0 { 1.0 } else { 0.2 }),
        Key::B => Order::Rewind(2.0),
        Key::X => Order::Inside(!room.inside),
        Key::U => Order::Undo,
        #[cfg(not(target_arch = "wasm32"))]
        Key::V => Order::Sound(!room.sound),
        Key::Q => Order::Compare,
        Key::K => Order::Lever(Lever::ManualClutch),
        Key::G => Order::Lever(Lever::Range),
        Key::T => Order::Lever(Lever::Retarder),
        Key::O => Order::Lever(Lever::PowerTakeOff),
        Key::F => Order::FrameTime(!room.frame_time_shown),
        Key::Num6 => panels::switched(room, 0)?,
        Key::Num7 => panels::switched(room, 1)?,
        Key::Num8 => panels::switched(room, 2)?,
        Key::Num9 => panels::switched(room, 3)?,
        Key::Num0 => panels::switched(room, 4)?,
        Key::Num1 => toggled("world"),
        Key::Num2 => toggled("tune"),
        Key::Num3 => toggled("inside"),
        Key::Num4 => toggled("time"),
        Key::Num5 => toggled("fleet"),
        Key::H => toggled("help"),
        _ => return None,
    })
}

/// Runs a frame of the window's own length.
pub fn live(shown: &mut Shown, mut input: FrameInput) -> FrameOutput {
    let elapsed = (input.elapsed_time * 1e-3) as f32;
    if let Err(error) = shown.frame(&mut input, elapsed) {
        shown.room.fault = Some(error.to_string());
    }
    FrameOutput::default()
}
