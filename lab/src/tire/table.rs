//! Tables of numbers with a header line, as CSV.

use core::fmt::Write as _;
use std::path::Path;

use jounce::tires::frames::TireFrame;

use super::columns::{Column, INPUTS, TableUnits};
use crate::error::LabError;

/// A table.
#[derive(Clone, Debug)]
pub(super) struct Table {
    /// The source file.
    pub name: String,
    /// Columns of the table.
    pub columns: Vec<&'static Column>,
    /// Cells of each row; blank ones are `None`.
    pub rows: Vec<Vec<Option<f64>>>,
}

/// Separator of the cells of a table, by its header line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
enum Separator {
    Comma = b',',
    /// Separator of spreadsheets in countries where a comma is the decimal point.
    Semicolon = b';',
    Tab = b'\t',
}

impl Separator {
    fn of(text: &[u8]) -> Self {
        let head = text.split(|&byte| byte == b'\n').next().unwrap_or_default();
        let others = [Self::Semicolon, Self::Tab].into_iter();
        let mut found = others.filter(|other| head.contains(&(*other as u8)));
        found.next().unwrap_or(Self::Comma)
    }

    /// The number of a cell, with a decimal comma where commas do not separate.
    fn number(self, cell: &str) -> Option<f64> {
        match self {
            Self::Comma => cell.parse().ok(),
            Self::Semicolon | Self::Tab => cell.replacen(',', ".", 1).parse().ok(),
        }
    }
}

/// Axes, signs and units of a table.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Terms {
    /// Axes and signs.
    pub frame: TireFrame,
    /// Units.
    pub units: TableUnits,
}

impl Terms {
    /// Axes and units of the tire laws: ISO-W, SI.
    pub(super) const ISO_W: Self = Self {
        frame: TireFrame::IsoW,
        units: TableUnits::SI,
    };
}

impl Table {
    /// Reads a table with columns among those `known`. There must be a column Fz. Cells are
    /// separated by commas, or by semicolons or tabs if the header line has some; then numbers may
    /// have a decimal comma.
    ///
    /// # Errors
    /// If it is not a table, a column is unknown or repeated, or a cell is not a finite number;
    /// cells may be blank in columns that are not inputs.
    pub(super) fn read<'a>(
        path: &Path,
        known: impl Iterator<Item = &'static Column> + Clone + 'a,
    ) -> Result<Self, LabError> {
        let text = std::fs::read(path).map_err(|source| LabError::File {
            path: path.to_owned(),
            source,
        })?;
        let separator = Separator::of(&text);
        let mut reader = csv::ReaderBuilder::new()
            .delimiter(separator as u8)
            .trim(csv::Trim::All)
            .from_reader(&*text);
        let mut table = Self {
            name: path.display().to_string(),
            columns: Vec::new(),
            rows: Vec::new(),
        };
        let head = reader
            .headers()
            .map_err(|error| table.fault(None, error.to_string()))?;
        for name in head {
            let column = known.clone().find(|column| column.name == name);
            let column = column.filter(|column| !table.columns.contains(column));
            table.columns.push(column.ok_or_else(|| {
                let names: Vec<_> = known.clone().map(|column| column.name).collect();
                let names = names.join(", ");
                table.fault(
                    None,
                    format!("column {name:?}: must be one of {names}, once"),
                )
            })?);
        }
        if table.place("Fz").is_none() {
            return Err(table.fault(None, "there must be a column Fz".to_owned()));
        }
        for record in reader.records() {
            let record = record.map_err(|error| table.fault(None, error.to_string()))?;
            let row = table.row(&record, separator)?;
            table.rows.push(row);
        }
        Ok(table)
    }

    fn row(
        &self,
        record: &csv::StringRecord,
        separator: Separator,
    ) -> Result<Vec<Option<f64>>, LabError> {
        let cells = self.columns.iter().zip(record);
        let numbers = cells.map(|(column, cell)| {
            if cell.is_empty() && !INPUTS.contains(column) {
                return Ok(None);
            }
            let number = separator.number(cell).filter(|number| number.is_finite());
            number.map(Some).ok_or_else(|| {
                let rule = format!("{} = {cell:?}: must be a finite number", column.name);
                self.fault(record.position().map(csv::Position::line), rule)
            })
        });
        numbers.collect()
    }

    /// Index of a column.
    pub(super) fn place(&self, name: &str) -> Option<usize> {
        self.columns.iter().position(|column| column.name == name)
    }

    /// Converts the numbers to other axes, signs and units; mirrored if `mirror`.
    pub(super) fn convert(&mut self, from: Terms, to: Terms, mirror: bool) {
        for (place, column) in self.columns.iter().enumerate() {
            let factor = from.units.factor(column) / to.units.factor(column);
            for cell in self.rows.iter_mut().filter_map(|row| row[place].as_mut()) {
                let x = from.frame.convert(to.frame, column.quantity, *cell);
                let x = if mirror {
                    column.quantity.mirrored(x)
                } else {
                    x
                };
                // No change without a conversion, and no negative zero.
                *cell = x * factor + 0.0;
            }
        }
    }

    /// The table as CSV.
    pub(super) fn csv(&self) -> String {
        let head: Vec<_> = self.columns.iter().map(|column| column.name).collect();
        let mut text = head.join(",") + "\n";
        for row in &self.rows {
            for (place, cell) in row.iter().enumerate() {
                let comma = if place == 0 { "" } else { "," };
                // Writing to a string cannot fail.
                let _ = match cell {
                    Some(number) => write!(text, "{comma}{number}"),
                    None => write!(text, "{comma}"),
                };
            }
            text.push('\n');
        }
        text
    }

    /// A fault of the table, with a line if it has one.
    pub(super) fn fault(&self, line: Option<u64>, message: String) -> LabError {
        let message = match line {
            Some(line) => format!("line {line}: {message}"),
            None => message,
        };
        LabError::Syntax {
            file: self.name.clone(),
            message,
        }
    }
}
