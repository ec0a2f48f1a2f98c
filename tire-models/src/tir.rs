//! `.tir` files: tire parameters in the industry's exchange format (`TeimOrbit`).
//!
//! Three layers, each usable on its own:
//!
//! * bytes are decoded to text ([`Encoding`]) and text is split into lines,
//! * a [`TirDocument`] is that text, for looking up and changing keys; anything not understood is
//!   kept, comments too, and written back byte for byte,
//! * a [`MagicFormulaFile`] is the tire that a document describes: its law, its coefficients in SI
//!   units, what was filled in, and warnings with line numbers.
//!
//! ```text
//! [SECTION]                  up to the next one; names in any case
//! $ comment                  also with !, and after values
//! KEY = 1.5d-1 $ comment     numbers, Fortran's too
//! KEY = 'text'               or "text"
//! {pen fz}                   head of a table
//! 0.01 2500                  and a row of it
//! ```
//!
//! If a key is repeated, the later value counts; a key without a value is absent; both give
//! [`Warnings`], and errors under [`Reading::Strict`]. `MASS` in `[UNITS]` is not the `MASS` of
//! other sections. Reading takes time in proportion to the file and memory for a few copies of it,
//! and refuses files of more than [`LARGEST_FILE`] bytes.
//!
//! | module | step |
//! |---|---|
//! | `encoding` | bytes ↔ text |
//! | `line`, `number` | contents of one line |
//! | `document` | text, lookup and changes |
//! | `units`, `format`, `use_mode` | what the header means |
//! | `reader` | document → tire |
//! | `others` | document → parameters of `PAC89`, `PAC94` and `FIALA` |
//! | `writer` | tire → document |
//! | `convert` | tire → the same in other units, or for the other side |
//! | `validate` | whether the coefficients are plausible |

mod remark;
mod error;
mod encoding;
mod number;
mod line;
mod document;
mod units;
mod use_mode;
mod format;
mod reader;
mod writer;
mod convert;
mod others;
mod validate;

pub use document::TirDocument;
pub use encoding::{Encoding, LARGEST_FILE};
pub use error::{TirError, TirFault};
pub use format::Format;
pub(crate) use others::inlined;
pub use reader::{MagicFormulaFile, Reading, Side};
pub use remark::{Remark, Warning, Warnings};
pub use units::Units;
pub use use_mode::{ContactMethod, Dynamics, UseMode, WantedForces};
pub use validate::{BrokenRule, excesses, validate};
pub use writer::document_of;
pub(crate) use writer::document_with;

#[cfg(test)]
mod tests;
