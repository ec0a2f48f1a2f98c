//! Files of JSON lines.

use std::path::Path;

use serde_json::Value;

use crate::reference;

/// The objects of a file, one per line.
///
/// # Errors
/// If the file cannot be read or a line is not JSON.
pub(crate) fn rows(path: &Path) -> Result<Vec<Value>, String> {
    let text = reference::text(path).map_err(|error| error.to_string())?;
    let row = |(n, line)| {
        serde_json::from_str(line)
            .map_err(|source| format!("{}:{}: {source}", path.display(), n + 1))
    };
    text.lines().enumerate().map(row).collect()
}
