//! One page with all pictures of book and documents.

use std::fs;
use std::path::{Path, PathBuf};

use crate::files::{self, named};

/// Where pictures lie in the repository.
const FOLDERS: [&str; 4] = ["book/src/img", "docs", "docs/validation", "showroom"];
const HEAD: &str = "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n\
    <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>Pictures of Jounce</title>\n\
    <style>body{font:16px system-ui,sans-serif;margin:1em auto;max-width:1200px;padding:0 1em;color:#1b2226;background:#fcfdfc}\
    main{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,360px),1fr));gap:1.5em}\
    figure{margin:0}img{width:100%;height:auto}</style>\n\
    <p><a href=\"../index.html\">Jounce</a>, <a href=\"../book/index.html\">book</a></p>\n\
    <h1>Pictures</h1>\n<p>Each is drawn by driving.</p>\n<main>\n";

/// Copies the pictures into a folder, with a page that shows them; returns how many.
pub(super) fn write(root: &Path, folder: &Path) -> Result<usize, String> {
    fs::create_dir_all(folder).map_err(named(folder))?;
    let mut page = HEAD.to_owned();
    let mut count = 0;
    for place in FOLDERS {
        for path in pictures(&root.join(place))? {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            files::copy(&path, &folder.join(&*name))?;
            let told = title(&path)?;
            page += &format!(
                "<figure><a href=\"{name}\"><img src=\"{name}\" alt=\"{told}\" loading=\"lazy\"></a><figcaption>{told}</figcaption></figure>\n"
            );
            count += 1;
        }
    }
    files::write(&folder.join("index.html"), &(page + "</main>\n</html>\n"))?;
    Ok(count)
}

/// The pictures of a folder, in the order of their names.
fn pictures(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let entries = fs::read_dir(folder).map_err(named(folder))?;
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.retain(|path| {
        path.extension()
            .is_some_and(|end| end == "svg" || end == "png")
    });
    paths.sort();
    Ok(paths)
}

/// The title of a picture: what it says of itself, or its name.
fn title(path: &Path) -> Result<String, String> {
    let name = path
        .file_stem()
        .unwrap_or_default()
        .to_string_lossy()
        .replace('-', " ");
    if path.extension().is_none_or(|end| end != "svg") {
        return Ok(name);
    }
    let text = files::read(path)?;
    let own = text
        .split_once("<title>")
        .and_then(|(_, rest)| rest.split_once("</title>"));
    Ok(own.map_or(name, |(title, _)| title.replace('"', "&quot;")))
}
