//! Tables, as text and as HTML.

use core::fmt;

use proving_ground::columns::lined_up;

use super::svg::escape;

/// A table; the first column is text, the others are numbers.
#[derive(Clone, Debug, Default)]
pub struct ReportTable {
    /// Column headings with units.
    pub head: Vec<String>,
    /// Rows with as many cells as the head.
    pub rows: Vec<Vec<String>>,
}

impl ReportTable {
    /// The table as HTML.
    #[must_use]
    pub fn html(&self) -> String {
        let line = |cells: &[String], tag: &str| {
            let cells = cells.iter();
            let cells = cells.map(|cell| format!("<{tag}>{}</{tag}>", escape(cell)));
            format!("<tr>{}</tr>\n", cells.collect::<String>())
        };
        let rows = self.rows.iter().map(|row| line(row, "td"));
        format!(
            "<div class=\"figures\"><table>\n<thead>{}</thead>\n<tbody>\n{}</tbody>\n</table></div>\n",
            line(&self.head, "th"),
            rows.collect::<String>()
        )
    }
}

impl fmt::Display for ReportTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lines = core::iter::once(&self.head).chain(&self.rows);
        f.write_str(&lined_up(lines))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_line_up_and_names_are_escaped() {
        let cells = |row: [&str; 2]| row.map(str::to_owned).to_vec();
        let table = ReportTable {
            head: cells(["car", "drift [mm]"]),
            rows: vec![cells(["<sedan>", "0.5"])],
        };
        assert_eq!(
            table.to_string(),
            "car      drift [mm]\n<sedan>         0.5\n"
        );
        assert!(
            table
                .html()
                .contains("<tr><td>&lt;sedan&gt;</td><td>0.5</td></tr>")
        );
    }
}
