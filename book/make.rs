//! Builds the book and checks every link in its pages: `jounce-book BOOK OUT`, as `cargo xtask book` starts it.
//!
//! A link to a file of the repository, such as `../../docs/TIRES.md`, becomes one to a copy beside the pages.
#![forbid(unsafe_code)]

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::rc::Rc;

use mdbook_core::book::Book;
use mdbook_driver::MDBook;
use mdbook_preprocessor::{Preprocessor, PreprocessorContext};

/// Beginning of a link to a file of the repository, from a chapter.
const OUTSIDE: &str = "](../../";
/// Folder of the copies of linked files.
const COPIES: &str = "repository";

fn main() -> ExitCode {
    let arguments: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    let [book, out] = &arguments[..] else {
        eprintln!("usage: jounce-book BOOK OUT");
        return ExitCode::FAILURE;
    };
    match make(book, out) {
        Ok(faults) if faults.is_empty() => ExitCode::SUCCESS,
        Ok(faults) => {
            faults.iter().for_each(|fault| eprintln!("{fault}"));
            ExitCode::FAILURE
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

/// Builds the book; returns broken links.
fn make(root: &Path, out: &Path) -> Result<Vec<String>, Box<dyn Error>> {
    let mut book = MDBook::load(root)?;
    book.config.build.build_dir = std::path::absolute(out)?;
    let named = Rc::new(RefCell::new(BTreeSet::new()));
    book.with_preprocessor(Outside(Rc::clone(&named)));
    book.build()?;
    let mut faults = Vec::new();
    for file in named.borrow().iter() {
        let copy = out.join(copy_of(file));
        fs::create_dir_all(copy.parent().unwrap_or(out))?;
        if fs::copy(root.join("..").join(file), &copy).is_err() {
            faults.push(format!("{file}: not a file of the repository"));
        }
    }
    let mut pages = 0;
    for entry in fs::read_dir(out)? {
        let page = entry?.path();
        if page.extension().is_some_and(|end| end == "html") {
            pages += 1;
            faults.extend(broken(&page)?);
        }
    }
    println!(
        "{pages} pages, {} files of the repository: {} broken link(s)",
        named.borrow().len(),
        faults.len()
    );
    Ok(faults)
}

/// Copy of a file of the repository: text that a browser shows. Without `.md`, which mdBook would make `.html`.
fn copy_of(file: &str) -> String {
    format!("{COPIES}/{}.txt", file.replace('.', "-"))
}

/// Leads links to files of the repository to their copies, and notes the files.
struct Outside(Rc<RefCell<BTreeSet<String>>>);

impl Preprocessor for Outside {
    fn name(&self) -> &str {
        "outside"
    }

    fn run(&self, _: &PreprocessorContext, mut book: Book) -> mdbook_core::errors::Result<Book> {
        book.for_each_chapter_mut(|chapter| {
            let mut parts = chapter.content.split(OUTSIDE);
            let mut text = parts.next().unwrap_or_default().to_owned();
            for part in parts {
                let (link, rest) = part.split_once(')').unwrap_or((part, ""));
                let file = link.split('#').next().unwrap_or(link);
                self.0.borrow_mut().insert(file.to_owned());
                text += &format!("]({}){rest}", copy_of(file));
            }
            chapter.content = text;
        });
        Ok(book)
    }
}

/// Links of a page whose file or heading does not exist.
fn broken(page: &Path) -> Result<Vec<String>, Box<dyn Error>> {
    let html = fs::read_to_string(page)?;
    let folder = page.parent().unwrap_or(Path::new("."));
    let links = ["href=\"", "src=\""]
        .into_iter()
        .flat_map(|start| html.split(start).skip(1));
    let mut faults = BTreeSet::new();
    for link in links.filter_map(|rest| rest.split('"').next()) {
        if link.contains(':') || link.is_empty() {
            continue;
        }
        let (file, heading) = link.split_once('#').unwrap_or((link, ""));
        let target = if file.is_empty() {
            page.to_path_buf()
        } else {
            folder.join(file)
        };
        let found = match heading {
            "" => target.exists(),
            _ => fs::read_to_string(&target)
                .is_ok_and(|text| text.contains(&format!("id=\"{heading}\""))),
        };
        if !found {
            faults.insert(format!("{}: {link} leads nowhere", page.display()));
        }
    }
    Ok(faults.into_iter().collect())
}
