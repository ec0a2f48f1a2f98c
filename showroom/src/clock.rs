//! Time outside, natively and on the page.

/// A clock that has been started.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Clock {
    #[cfg(not(target_arch = "wasm32"))]
    start: std::time::Instant,
    #[cfg(target_arch = "wasm32")]
    start: f64,
}

impl Clock {
    /// Starts a clock.
    #[must_use]
    pub(crate) fn start() -> Self {
        Self {
            #[cfg(not(target_arch = "wasm32"))]
            start: std::time::Instant::now(),
            #[cfg(target_arch = "wasm32")]
            start: now(),
        }
    }

    /// Time since (`ms`).
    #[must_use]
    pub(crate) fn ms(&self) -> f32 {
        #[cfg(not(target_arch = "wasm32"))]
        return self.start.elapsed().as_secs_f32() * 1e3;
        #[cfg(target_arch = "wasm32")]
        return (now() - self.start) as f32;
    }
}

#[cfg(target_arch = "wasm32")]
fn now() -> f64 {
    let clock = web_sys::window().and_then(|window| window.performance());
    clock.map_or(0.0, |clock| clock.now())
}
