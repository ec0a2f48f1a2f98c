//! Questions on one stream, answered on another.

use core::fmt::Display;
use core::str::FromStr;
use std::io::{self, BufRead, Write};

/// Asks for what is not known yet.
pub(super) struct Questions<'a> {
    input: &'a mut dyn BufRead,
    output: &'a mut dyn Write,
    /// Whether no question is asked: by request, or since the input has ended.
    silent: bool,
}

impl<'a> Questions<'a> {
    /// Questions to `output`, answered by lines of `input`, or none if `silent`.
    pub(super) fn new(input: &'a mut dyn BufRead, output: &'a mut dyn Write, silent: bool) -> Self {
        Self {
            input,
            output,
            silent,
        }
    }

    /// Returns the known value, else the answer, else the default: also at the end of the input.
    ///
    /// # Errors
    /// If a stream fails.
    pub(super) fn ask<T: FromStr<Err = String> + Clone + Display>(
        &mut self,
        known: &Option<T>,
        question: &str,
        default: T,
    ) -> io::Result<T> {
        let answer = self.ask_option(known, question, &default.to_string())?;
        Ok(answer.unwrap_or(default))
    }

    /// Returns the known value, else the answer, if there is any.
    ///
    /// # Errors
    /// If a stream fails.
    pub(super) fn ask_option<T: FromStr<Err = String> + Clone>(
        &mut self,
        known: &Option<T>,
        question: &str,
        default: &str,
    ) -> io::Result<Option<T>> {
        if known.is_some() {
            return Ok(known.clone());
        }
        while !self.silent {
            write!(self.output, "{question} [{default}]: ")?;
            self.output.flush()?;
            let mut line = String::new();
            if self.input.read_line(&mut line)? == 0 {
                self.silent = true;
                writeln!(self.output)?;
            }
            let answer = line.trim();
            if answer.is_empty() {
                return Ok(None);
            }
            match answer.parse() {
                Ok(answer) => return Ok(Some(answer)),
                Err(rule) => writeln!(self.output, "  {answer}: {rule}")?,
            }
        }
        Ok(None)
    }
}
