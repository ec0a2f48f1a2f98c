//! Gamepads, on platforms that have them.

use jounce::input::CarPad;

/// The first gamepad that moves. Without support, or without a pad, there is none.
pub struct Pads {
    #[cfg(any(feature = "pad", not(target_os = "linux")))]
    all: Option<gilrs::Gilrs>,
    /// Unplugged ones, of which a browser may go on telling the last state.
    #[cfg(any(feature = "pad", not(target_os = "linux")))]
    gone: Vec<gilrs::GamepadId>,
}

impl core::fmt::Debug for Pads {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Pads").finish_non_exhaustive()
    }
}

#[cfg(any(feature = "pad", not(target_os = "linux")))]
impl Pads {
    /// Looks for pads.
    #[must_use]
    pub fn new() -> Self {
        Self {
            all: gilrs::Gilrs::new().ok(),
            gone: Vec::new(),
        }
    }

    /// The state of the first connected pad: triggers, left stick, and the lower button as handbrake.
    pub fn state(&mut self) -> Option<CarPad> {
        use gilrs::{Axis, Button, EventType};
        let all = self.all.as_mut()?;
        while let Some(event) = all.next_event() {
            match event.event {
                EventType::Disconnected => self.gone.push(event.id),
                EventType::Connected => self.gone.retain(|id| *id != event.id),
                _ => {}
            }
        }
        let (_, pad) = all.gamepads().find(|(id, _)| !self.gone.contains(id))?;
        let pressed = |button: Button| {
            pad.button_data(button)
                .map_or(0.0, gilrs::ev::state::ButtonData::value)
        };
        Some(CarPad {
            throttle: pressed(Button::RightTrigger2),
            brake: pressed(Button::LeftTrigger2),
            handbrake: pressed(Button::South),
            steer: pad.value(Axis::LeftStickX),
            ..CarPad::FREE
        })
    }
}

#[cfg(not(any(feature = "pad", not(target_os = "linux"))))]
impl Pads {
    /// Returns no gamepads: they need the feature `pad`.
    #[must_use]
    pub fn new() -> Self {
        Self {}
    }

    /// Returns no gamepad: this build reads none.
    pub fn state(&mut self) -> Option<CarPad> {
        None
    }
}

impl Default for Pads {
    fn default() -> Self {
        Self::new()
    }
}
