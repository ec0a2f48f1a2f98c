//! Common parts of all pages, and custom pages.

use std::fs;
use std::path::{Path, PathBuf};

use super::svg::escape;
use crate::error::LabError;

const STYLE: &str = include_str!("style.css");

/// A whole page: title, HTML body and scripts.
pub(super) fn shell(title: &str, main: &str, scripts: &str) -> String {
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n\
         <title>{}</title>\n<style>\n{STYLE}</style>\n</head>\n\
         <body>\n<main>\n{main}</main>\n{scripts}</body>\n</html>\n",
        escape(title)
    )
}

/// A page with a heading and sections: charts, plans and tables.
#[derive(Clone, Debug, Default)]
pub struct Sheet {
    /// Text above the heading.
    pub brand: String,
    /// The heading.
    pub title: String,
    /// Description in a few sentences.
    pub what: String,
    /// Names and values of settings.
    pub facts: Vec<(&'static str, String)>,
    /// Sections as HTML, from top to bottom.
    pub sections: Vec<String>,
}

impl Sheet {
    /// The page: one self-contained HTML file.
    #[must_use]
    pub fn html(&self) -> String {
        let facts = self.facts.iter();
        let facts = facts.map(|(name, value)| format!("<li>{name} <b>{}</b></li>", escape(value)));
        let main = format!(
            "<header>\n<p class=\"brand\">{}</p>\n<h1>{}</h1>\n<p class=\"what\">{}</p>\n\
             <ul class=\"facts\">{}</ul>\n</header>\n{}",
            escape(&self.brand),
            escape(&self.title),
            escape(&self.what),
            facts.collect::<String>(),
            self.sections.concat(),
        );
        shell(&self.title, &main, "")
    }

    /// Writes the page into a folder, which is created if needed; returns the file's path.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn save(&self, folder: &Path, name: &str) -> Result<PathBuf, LabError> {
        let path = folder.join(name);
        let failed = |source| LabError::File {
            path: path.clone(),
            source,
        };
        fs::create_dir_all(folder).map_err(failed)?;
        fs::write(&path, self.html()).map_err(failed)?;
        Ok(path)
    }
}

/// A heading between sections.
#[must_use]
pub fn heading(text: &str) -> String {
    format!("<h2>{}</h2>\n", escape(text))
}

/// Explanatory text between sections.
#[must_use]
pub fn note(text: &str) -> String {
    format!("<p class=\"how\">{}</p>\n", escape(text))
}

/// A list under a title, collapsed unless `open`; empty without items.
#[must_use]
pub fn list(title: &str, items: &[String], open: bool) -> String {
    if items.is_empty() {
        return String::new();
    }
    let rows = items
        .iter()
        .map(|item| format!("<li>{}</li>", escape(item)));
    format!(
        "<details class=\"remarks\"{}>\n<summary>{}</summary>\n<ul>{}</ul>\n</details>\n",
        if open { " open" } else { "" },
        escape(title),
        rows.collect::<String>()
    )
}

/// Sections side by side if there is room.
#[must_use]
pub fn abreast(sections: &[String]) -> String {
    format!("<div class=\"abreast\">\n{}</div>\n", sections.concat())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sheet() -> Sheet {
        Sheet {
            brand: "jounce < test".to_owned(),
            title: "a & b".to_owned(),
            what: "what > why".to_owned(),
            facts: vec![("loads", "1 & 2".to_owned()), ("friction", "1".to_owned())],
            sections: vec![
                heading("First & last"),
                note("5 < 6"),
                list("odd", &["a < b".to_owned(), "c".to_owned()], true),
                list("folded", &["d".to_owned()], false),
                list("empty", &[], true),
                abreast(&["<p>left</p>".to_owned(), "<p>right</p>".to_owned()]),
            ],
        }
    }

    #[test]
    fn a_page_has_all_that_was_put_on_it_in_its_order() {
        let html = sheet().html();
        let parts = [
            "<!doctype html>\n<html lang=\"en\">",
            "<title>a &amp; b</title>",
            STYLE,
            "<p class=\"brand\">jounce &lt; test</p>",
            "<h1>a &amp; b</h1>",
            "<p class=\"what\">what &gt; why</p>",
            "<li>loads <b>1 &amp; 2</b></li><li>friction <b>1</b></li>",
            "<h2>First &amp; last</h2>\n",
            "<p class=\"how\">5 &lt; 6</p>\n",
            "<details class=\"remarks\" open>\n<summary>odd</summary>\n\
             <ul><li>a &lt; b</li><li>c</li></ul>\n</details>\n",
            "<details class=\"remarks\">\n<summary>folded</summary>\n<ul><li>d</li></ul>\n</details>\n",
            "<div class=\"abreast\">\n<p>left</p><p>right</p></div>\n",
            "</main>\n</body>\n</html>\n",
        ];
        let mut rest = html.as_str();
        for part in parts {
            let at = rest.find(part).unwrap_or_else(|| panic!("{part}: {rest}"));
            rest = &rest[at + part.len()..];
        }
        assert!(rest.is_empty() && !html.contains("empty"), "{html}");
    }

    #[test]
    fn a_page_is_written_into_a_folder_that_is_made() {
        let folder = std::env::temp_dir().join(format!("sheet-{}/new", std::process::id()));
        let path = sheet().save(&folder, "page.html").unwrap();
        assert_eq!(path, folder.join("page.html"));
        assert_eq!(fs::read_to_string(&path).unwrap(), sheet().html());
        let error = sheet().save(&path, "page.html").unwrap_err().to_string();
        fs::remove_dir_all(folder.parent().unwrap()).unwrap();
        assert!(error.contains("page.html"), "{error}");
    }
}
