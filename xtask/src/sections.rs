//! Parts of documents that commands print.

use std::path::Path;

use crate::files;

/// Line after such a part.
const END: &str = "<!-- end -->\n";

/// Replaces what `command` has printed into a document.
///
/// # Errors
/// If the document has no such part.
pub(crate) fn store(page: &Path, command: &str, text: &str) -> Result<(), String> {
    let begin = format!("<!-- begin: {command} -->\n");
    let stored = replaced(&files::read(page)?, &begin, text);
    let stored = stored.ok_or_else(|| format!("{}: no `{}`", page.display(), begin.trim()))?;
    files::write(page, &stored)
}

fn replaced(page: &str, begin: &str, text: &str) -> Option<String> {
    let (before, rest) = page.split_once(begin)?;
    let (_, after) = rest.split_once(END)?;
    Some(format!("{before}{begin}{text}{END}{after}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_part_of_a_command_changes() {
        let page = |one: &str, other: &str| format!("# A\n<1>\n{one}{END}b\n<2>\n{other}{END}c\n");
        let changed = replaced(&page("old\n", "kept\n"), "<1>\n", "new\n");
        assert_eq!(changed, Some(page("new\n", "kept\n")));
        assert_eq!(replaced("# A\n", "<1>\n", "new\n"), None);
        assert_eq!(replaced("<1>\n", "<1>\n", "new\n"), None);
    }
}
