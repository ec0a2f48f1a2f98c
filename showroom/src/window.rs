//! The window, or the page's canvas: events in, pictures out.

use three_d::egui;
use three_d::{Context, CoreError, Event, FrameInput, FrameOutput, GUI, Key, RenderTarget};

use crate::app::Showroom;
use crate::fleet::FleetShow;
use crate::input::Pedal;
use crate::orders::Order;
use crate::pad::Pads;
use crate::panels;
use crate::scene::{Picture, Scene};

/// A showroom in a window.
pub struct Shown {
    /// What is shown.
    pub room: Showroom,
    /// Whether a pad drives.
    pads: Pads,
    scene: Scene,
    gui: GUI,
}

impl core::fmt::Debug for Shown {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Shown").field("room", &self.room).finish_non_exhaustive()
    }
}

impl Shown {
    /// A showroom on a graphics context.
    ///
    /// # Errors
    /// If the shaders do not compile.
    pub fn new(room: Showroom, context: &Context) -> Result<Self, CoreError> {
        let gui = GUI::new(context);
        panels::dress(gui.context());
        Ok(Self {
            room,
            pads: Pads::new(),
            scene: Scene::new(context)?,
            gui,
        })
    }

    /// One frame of `elapsed` (`s`) onto a target.
    ///
    /// # Errors
    /// If the graphics card refuses.
    pub fn frame(
        &mut self,
        input: &mut FrameInput,
        elapsed: f32,
        target: &RenderTarget<'_>,
    ) -> Result<(), CoreError> {
        let mut orders = Vec::new();
        let room = &self.room;
        self.gui.update(
            &mut input.events,
            input.accumulated_time,
            input.viewport,
            input.device_pixel_ratio,
            |ui: &mut egui::Ui| panels::show(ui, room, &mut orders),
        );
        orders.extend(input.events.iter().filter_map(|event| order(event, room)));
        for order in orders {
            self.room.obey(order);
        }
        self.mouse(&input.events);
        self.room.driver.hold_pad(self.pads.state());
        let moving = self.room.frame(elapsed);
        let overlay = self.room.overlay(&moving);
        let fleet = self.room.fleet.as_ref().map(FleetShow::places).unwrap_or_default();
        self.scene.draw(
            target,
            &Picture {
                session: self.room.sim.session(),
                moving: &moving,
                camera: &self.room.camera,
                overlay: &overlay,
                fleet: &fleet,
            },
        )?;
        target.write(|| self.gui.render())?;
        Ok(())
    }

    /// Dragging turns the camera, the wheel moves it.
    fn mouse(&mut self, events: &[Event]) {
        let camera = &mut self.room.camera;
        for event in events {
            match event {
                Event::MouseMotion { button: Some(_), delta, handled: false, .. } => camera.orbit -= 0.006 * delta.0,
                Event::MouseWheel { delta, handled: false, .. } => {
                    camera.zoom = (camera.zoom * (1.0 - 0.001 * delta.1)).clamp(0.4, 4.0);
                }
                Event::PinchGesture { delta, handled: false, .. } => {
                    camera.zoom = (camera.zoom * (1.0 - *delta)).clamp(0.4, 4.0);
                }
                _ => {}
            }
        }
    }
}

/// What a key of the driver does.
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
        _ => return None,
    })
}

/// The order of an event, if it is one.
fn order(event: &Event, room: &Showroom) -> Option<Order> {
    match event {
        Event::KeyPress { kind, handled: false, .. } => match pedal(*kind) {
            Some(pedal) => Some(Order::Press(pedal, true)),
            None => key(*kind, room),
        },
        // Released even over a panel.
        Event::KeyRelease { kind, .. } => Some(Order::Press(pedal(*kind)?, false)),
        _ => None,
    }
}

/// What other keys do.
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
        Key::Q => Order::Compare,
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
    let context = input.context.clone();
    let (width, height) = (input.viewport.width, input.viewport.height);
    let target = RenderTarget::screen(&context, width, height);
    if let Err(error) = shown.frame(&mut input, elapsed, &target) {
        shown.room.fault = Some(error.to_string());
    }
    FrameOutput::default()
}
