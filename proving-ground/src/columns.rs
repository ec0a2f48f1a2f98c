//! Tables as text.

use core::fmt::Write as _;

/// Formats lines of cells as text with aligned columns: the first left-aligned, the others
/// right-aligned, two spaces apart.
#[must_use]
pub fn lined_up<'a>(lines: impl Iterator<Item = &'a Vec<String>> + Clone) -> String {
    let width = |column: usize| {
        let cells = lines.clone().filter_map(|line| line.get(column));
        cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let mut text = String::new();
    for line in lines.clone() {
        for (column, cell) in line.iter().enumerate() {
            let width = width(column);
            // Writing to a string cannot fail.
            let _ = if column == 0 {
                write!(text, "{cell:<width$}")
            } else {
                write!(text, "  {cell:>width$}")
            };
        }
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_line_up() {
        let cells = |row: [&str; 2]| row.map(str::to_owned).to_vec();
        let lines = [cells(["car", "drift [mm]"]), cells(["a sedan", "0.5"])];
        assert_eq!(
            lined_up(lines.iter()),
            "car      drift [mm]\na sedan         0.5\n"
        );
    }
}
