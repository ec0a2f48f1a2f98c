//! The page: what its scripts may ask, and the start.

use std::cell::RefCell;

use three_d::{FrameOutput, SurfaceSettings, Window, WindowSettings};
use wasm_bindgen::prelude::*;

use crate::app::Showroom;
use crate::orders::Order;
use crate::window::{Shown, live};

thread_local! {
    /// The showroom of the page. Only borrowed within a call of the page.
    static SHOWN: RefCell<Option<Shown>> = const { RefCell::new(None) };
}

fn with<T>(what: impl FnOnce(&mut Shown) -> T) -> Option<T> {
    SHOWN.with(|shown| shown.borrow_mut().as_mut().map(what))
}

/// Opens the showroom in the page's first canvas.
///
/// # Errors
/// As a text, if there is no WebGL 2.
#[wasm_bindgen]
pub fn showroom_start() -> Result<(), JsValue> {
    console_error_panic_hook::set_once();
    let told = |error: &dyn core::fmt::Display| JsValue::from_str(&error.to_string());
    let room = Showroom::new().map_err(|error| told(&error))?;
    let window = Window::new(WindowSettings {
        surface_settings: SurfaceSettings {
            multisamples: 0,
            ..SurfaceSettings::default()
        },
        ..WindowSettings::default()
    });
    let window = window.map_err(|error| told(&error))?;
    let shown = Shown::new(room, &window.gl(), None).map_err(|error| told(&error))?;
    SHOWN.with(|place| *place.borrow_mut() = Some(shown));
    window
        .render_loop(|input| with(|shown| live(shown, input)).unwrap_or_else(FrameOutput::default));
    Ok(())
}

/// Everything that is displayed, as JSON.
#[wasm_bindgen]
pub fn showroom_state() -> String {
    let state = with(|shown| serde_json::to_string(&shown.room.state()));
    state.and_then(Result::ok).unwrap_or_default()
}

/// Path of the number that takes typed text, if any.
#[wasm_bindgen]
pub fn showroom_typed() -> Option<String> {
    with(|shown| shown.room.typed.clone()).flatten()
}

/// Sets the number that takes typed text, or leaves it as it is: where a screen has no keys, the page asks for it.
#[wasm_bindgen]
pub fn showroom_type(number: Option<f64>) {
    with(|shown| shown.type_number(number));
}

/// Pitch (`Hz`) and level of the engine's sound, then of the tires'.
#[wasm_bindgen]
pub fn showroom_heard() -> Vec<f32> {
    let heard = with(|shown| shown.room.heard()).unwrap_or_default();
    vec![
        heard.engine_pitch,
        heard.engine_level,
        heard.squeal_pitch,
        heard.squeal_level,
    ]
}

/// Obeys an order, given as JSON; returns why not, if it cannot be read.
#[wasm_bindgen]
pub fn showroom_order(order: &str) -> Option<String> {
    match serde_json::from_str::<Order>(order) {
        Ok(order) => {
            with(|shown| shown.room.obey(order));
            None
        }
        Err(error) => Some(error.to_string()),
    }
}

/// The graphics context has been lost, or is there again.
#[wasm_bindgen]
pub fn showroom_context(lost: bool) {
    with(|shown| {
        if lost {
            shown.lose();
        } else if let Err(error) = shown.renew() {
            shown.room.fault = Some(error.to_string());
        }
    });
}
