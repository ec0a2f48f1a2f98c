//! Files that are saved: into the present folder, or as a download of the page.

/// Saves a text.
#[cfg(not(target_arch = "wasm32"))]
pub(crate) fn save(name: &str, text: &str) -> Result<(), String> {
    std::fs::write(name, text).map_err(|error| format!("{name}: {error}"))
}

/// Offers a text as a download.
#[cfg(target_arch = "wasm32")]
pub(crate) fn save(name: &str, text: &str) -> Result<(), String> {
    showroom_offer(name, text);
    Ok(())
}

#[cfg(target_arch = "wasm32")]
#[wasm_bindgen::prelude::wasm_bindgen]
extern "C" {
    /// Offers a text as a download of this name; a function of the page.
    fn showroom_offer(name: &str, text: &str);
}
