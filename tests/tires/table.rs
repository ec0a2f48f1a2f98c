//! A table of numbers with a header line: comma-separated, no quotes.

use std::fs;
use std::path::Path;

/// A table.
pub(crate) struct Table {
    /// Names of columns.
    pub(crate) columns: Vec<String>,
    /// Cells of each row, verbatim.
    rows: Vec<Vec<String>>,
}

/// One row of a table.
pub(crate) struct Row<'a> {
    columns: &'a [String],
    cells: &'a [String],
}

impl Table {
    /// Reads a file.
    pub(crate) fn read(path: &Path) -> Result<Self, String> {
        let at = |what: String| format!("{}: {what}", path.display());
        let text = fs::read_to_string(path).map_err(|error| at(error.to_string()))?;
        let split = |line: &str| line.split(',').map(|cell| cell.trim().to_owned()).collect();
        let mut lines = text.lines();
        let columns: Vec<String> = lines.next().map(split).unwrap_or_default();
        let rows: Vec<Vec<String>> = lines.filter(|line| !line.is_empty()).map(split).collect();
        if rows.is_empty() {
            return Err(at("no rows".to_owned()));
        }
        if let Some(n) = rows.iter().position(|row| row.len() != columns.len()) {
            let (found, wanted) = (rows[n].len(), columns.len());
            return Err(at(format!("row {} has {found} cells of {wanted}", n + 1)));
        }
        Ok(Self { columns, rows })
    }

    /// Every row.
    pub(crate) fn rows(&self) -> impl Iterator<Item = Row<'_>> {
        self.rows.iter().map(|cells| Row {
            columns: &self.columns,
            cells,
        })
    }
}

impl Row<'_> {
    /// The text of a cell.
    pub(crate) fn text(&self, column: &str) -> Result<&str, String> {
        let index = self.columns.iter().position(|name| name == column);
        let index = index.ok_or_else(|| format!("no column {column}"))?;
        Ok(&self.cells[index])
    }

    /// The number of a cell; `None` if it is blank.
    pub(crate) fn number(&self, column: &str) -> Result<Option<f64>, String> {
        let text = self.text(column)?;
        if text.is_empty() {
            return Ok(None);
        }
        let number = text
            .parse()
            .map_err(|_| format!("{column}: {text:?} is not a number"))?;
        Ok(Some(number))
    }

    /// The number of a cell that may not be blank.
    pub(crate) fn given(&self, column: &str) -> Result<f64, String> {
        self.number(column)?
            .ok_or_else(|| format!("{column} is blank"))
    }
}
