//! `.tir` files: the parameters of a tire as the industry passes them on (`TeimOrbit`).
//!
//! Three layers, each of which can be used alone:
//!
//! * bytes become text ([`Encoding`]) and text becomes lines,
//! * a [`Document`] is that text, to look keys up and to change them; what is not understood stays in
//!   it, comments too, and comes back byte by byte,
//! * a [`MagicFormulaFile`] is what a document says of a tire: its law, its coefficients in SI units,
//!   what had to be filled in, and what was odd, with line numbers.
//!
//! ```text
//! [SECTION]                  up to the next one; names in any case
//! $ comment                  also with !, and behind values
//! KEY = 1.5d-1 $ comment     numbers, Fortran's too
//! KEY = 'text'               or "text"
//! {pen fz}                   head of a table
//! 0.01 2500                  and a row of it
//! ```
//!
//! A key that stands twice has its later value, one without a value is absent; both are told of
//! ([`Warnings`]), and errors under [`Reading::Strict`]. `MASS` in `[UNITS]` is another key than `MASS`
//! elsewhere. Reading takes time in proportion to the file and memory for few copies of it, and refuses
//! files of more than [`LARGEST_FILE`] bytes.
//!
//! | module | step |
//! |---|---|
//! | `encoding` | bytes ↔ text |
//! | `line`, `number` | what one line says |
//! | `document` | text, looked up and changed |
//! | `units`, `format`, `use_mode` | what the header means |
//! | `reader` | document → tire |
//! | `others` | document → parameters of `PAC89`, `PAC94` and `FIALA` |
//! | `writer` | tire → document |
//! | `convert` | tire → the same in other units, or of the other side |
//! | `validate` | whether the numbers make a tire |

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

pub use document::Document;
pub use encoding::{Encoding, LARGEST_FILE};
pub use error::{TirError, TirFault};
pub use format::Format;
pub use reader::{MagicFormulaFile, Reading, Side};
pub use remark::{Remark, Warning, Warnings};
pub use units::Units;
pub use use_mode::{Contact, Dynamics, Forces, UseMode};
pub use validate::{Finding, excesses, validate};
pub use writer::document_of;
pub(crate) use writer::document_with;

#[cfg(test)]
mod tests;
