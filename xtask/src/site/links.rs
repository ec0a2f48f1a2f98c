//! Links of a folder of pages, without a network: each leads to a file, and to a heading that is there.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::files::{self, named};

/// Attributes with links.
const ATTRIBUTES: [&str; 2] = ["href=\"", "src=\""];

/// What was looked at.
#[derive(Debug, Default)]
pub(super) struct Checked {
    pub(super) pages: usize,
    pub(super) links: usize,
    /// Page and link of each that leads nowhere.
    pub(super) broken: Vec<String>,
}

/// Checks all pages of a folder except those below `foreign`, which rustdoc makes and checks by its own rules: links to its files count.
pub(super) fn check(folder: &Path, foreign: &Path) -> Result<Checked, String> {
    let mut pages = BTreeMap::new();
    collect(folder, foreign, &mut pages)?;
    let mut checked = Checked {
        pages: pages.len(),
        ..Checked::default()
    };
    for (page, text) in &pages {
        for link in links(text) {
            checked.links += 1;
            if !leads(page, link, &pages) {
                let page = page.strip_prefix(folder).unwrap_or(page);
                checked.broken.push(format!("{}: {link}", page.display()));
            }
        }
    }
    Ok(checked)
}

/// The texts of the pages below a folder, without those below `foreign`.
fn collect(
    folder: &Path,
    foreign: &Path,
    pages: &mut BTreeMap<PathBuf, String>,
) -> Result<(), String> {
    for entry in fs::read_dir(folder).map_err(named(folder))? {
        let path = entry.map_err(named(folder))?.path();
        if path == foreign {
            continue;
        }
        if path.is_dir() {
            collect(&path, foreign, pages)?;
        } else if path.extension().is_some_and(|end| end == "html") {
            let text = files::read(&path)?;
            pages.insert(path, text);
        }
    }
    Ok(())
}

/// Links of a page that stay on the site. Scripts are not read.
fn links(text: &str) -> impl Iterator<Item = &str> {
    let visible = text.split("<script").enumerate().map(|(n, part)| {
        let end = part.find("</script>").filter(|_| n > 0);
        &part[end.unwrap_or(0)..]
    });
    let starts = visible.flat_map(|part| ATTRIBUTES.map(|start| (part, start)));
    let values = starts.flat_map(|(part, start)| part.split(start).skip(1));
    let links = values.filter_map(|rest| rest.split('"').next());
    links.filter(|link| !link.is_empty() && !link.contains(':') && !link.starts_with("//"))
}

/// Whether a link of a page leads to a file, and to its heading.
fn leads(page: &Path, link: &str, pages: &BTreeMap<PathBuf, String>) -> bool {
    let (address, heading) = link.split_once('#').unwrap_or((link, ""));
    let address = address.split('?').next().unwrap_or_default();
    let mut target = page.to_path_buf();
    if !address.is_empty() {
        target = normalized(page.parent().unwrap_or(page), address);
    }
    if target.is_dir() {
        target.push("index.html");
    }
    let Some(text) = pages.get(&target) else {
        return target.is_file();
    };
    heading.is_empty() || text.contains(&format!("id=\"{heading}\""))
}

/// A path relative to a folder, without steps upward.
fn normalized(folder: &Path, address: &str) -> PathBuf {
    let mut path = folder.to_path_buf();
    for step in address.split('/') {
        match step {
            ".." => drop(path.pop()),
            "." | "" => {}
            step => path.push(step.replace("%20", " ")),
        }
    }
    path
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_of_a_page_are_those_to_the_site() {
        let text = "<a href=\"a.html#b\"> <img src=\"c/d.svg\"> <a href=\"https://e.org\">\
                    <script src=\"f.js\">x = 'href=\"g\"';</script><a href=\"h\">";
        let found: Vec<_> = links(text).collect();
        assert_eq!(found, ["a.html#b", "c/d.svg", "h"]);
    }

    #[test]
    fn a_missing_file_and_a_missing_heading_are_broken() {
        let root = std::env::temp_dir().join(format!("links-{}", std::process::id()));
        let inner = root.join("in");
        fs::create_dir_all(&inner).expect("a folder");
        let write = |path: PathBuf, text: &str| files::write(&path, text).expect("a page");
        write(
            root.join("index.html"),
            "<a href=\"in/a.html#x\"><a href=\"in/a.html#y\"><a href=\"in/\">",
        );
        write(
            inner.join("a.html"),
            "<p id=\"x\"><a href=\"../index.html\"><a href=\"#z\"><a href=\"b.html\">",
        );
        let strict = check(&root, &root.join("none")).expect("it is read");
        assert_eq!((strict.pages, strict.links), (2, 6));
        assert_eq!(
            strict.broken,
            [
                "in/a.html: #z",
                "in/a.html: b.html",
                "index.html: in/a.html#y",
                "index.html: in/"
            ]
        );
        let outer = check(&root, &inner).expect("it is read");
        assert_eq!(
            (outer.pages, outer.broken),
            (1, vec!["index.html: in/".to_owned()])
        );
        fs::remove_dir_all(root).expect("it is there");
    }
}
