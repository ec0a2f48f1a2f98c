//! Builds the book and checks every link in its pages: `jounce-book BOOK OUT`, as `cargo xtask book` starts it.
//!
//! Some pages of the repository become chapters at the end. A link to any other file of it, such as `../../docs/TIRES.md`, becomes one
//! to a copy beside the pages.
#![forbid(unsafe_code)]

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::rc::Rc;

use mdbook_core::book::{Book, BookItem, Chapter};
use mdbook_driver::MDBook;
use mdbook_preprocessor::{Preprocessor, PreprocessorContext};

/// Folder of the chapters.
const CHAPTERS: &str = "book/src";
/// Pages of the repository that are chapters, too: file, name, page.
const MEASURED: [(&str, &str, &str); 4] = [
    ("docs/VEHICLES.md", "Vehicles", "vehicles.md"),
    ("docs/PERFORMANCE.md", "Benchmarks", "benchmarks.md"),
    ("docs/VALIDATION.md", "Validation", "validation.md"),
    ("tests/TRUST.md", "Trust", "trust.md"),
];
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
    let repository = root.join("..");
    let outside = Outside {
        named: Rc::clone(&named),
        repository: repository.clone(),
    };
    book.with_preprocessor(outside);
    book.build()?;
    let mut faults = Vec::new();
    for file in named.borrow().iter() {
        let copy = out.join(copy_of(file));
        fs::create_dir_all(copy.parent().unwrap_or(out))?;
        if fs::copy(file_of(&repository, file), &copy).is_err() {
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

/// Copy of a file of the repository: a picture, or text that a browser shows. Without `.md`, which mdBook would make `.html`.
fn copy_of(file: &str) -> String {
    if file.ends_with(".svg") || file.ends_with(".png") {
        format!("{COPIES}/{file}")
    } else {
        format!("{COPIES}/{}.txt", file.replace('.', "-"))
    }
}

/// The file that a link to a file or a folder leads to.
fn file_of(repository: &Path, link: &str) -> PathBuf {
    let path = repository.join(link);
    let inside = ["README.md", "Cargo.toml"].map(|name| path.join(name));
    let found = inside.into_iter().find(|file| file.is_file());
    found.unwrap_or(path)
}

/// Adds pages of the repository, leads links to its other files to copies, and notes these files.
struct Outside {
    named: Rc<RefCell<BTreeSet<String>>>,
    repository: PathBuf,
}

impl Preprocessor for Outside {
    fn name(&self) -> &str {
        "outside"
    }

    fn run(&self, _: &PreprocessorContext, mut book: Book) -> mdbook_core::errors::Result<Book> {
        book.for_each_chapter_mut(|chapter| {
            chapter.content = self.led(&chapter.content, CHAPTERS);
        });
        book.push_item(BookItem::PartTitle("Measured".to_owned()));
        for (file, name, page) in MEASURED {
            let text = fs::read_to_string(self.repository.join(file))?;
            let folder = file.rsplit_once('/').map_or("", |(folder, _)| folder);
            let text = self.led(&text, folder);
            book.push_item(Chapter::new(name, text, page, Vec::new()));
        }
        Ok(book)
    }
}

impl Outside {
    /// A page of a folder of the repository, with its links as they are in the book; those in programs are none.
    fn led(&self, text: &str, folder: &str) -> String {
        let blocks = text.split("```").enumerate();
        let led = blocks.map(|(n, block)| {
            if n % 2 == 1 {
                return block.to_owned();
            }
            let mut parts = block.split("](");
            let first = parts.next().unwrap_or_default().to_owned();
            parts.fold(first, |text, part| {
                let (link, rest) = part.split_once(')').unwrap_or((part, ""));
                format!("{text}]({}){rest}", self.target(link, folder))
            })
        });
        led.collect::<Vec<_>>().join("```")
    }

    /// What a link leads to in the book.
    fn target(&self, link: &str, folder: &str) -> String {
        let (file, heading) = link.split_at(link.find('#').unwrap_or(link.len()));
        if file.is_empty() || file.contains(':') {
            return link.to_owned();
        }
        let file = normalized(folder, file);
        let measured = MEASURED.iter().find(|(path, ..)| *path == file);
        let chapter = file.strip_prefix(CHAPTERS).map(|file| &file[1..]);
        match measured.map(|(.., page)| *page).or(chapter) {
            Some(page) => format!("{page}{heading}"),
            None => {
                let copy = copy_of(&file);
                self.named.borrow_mut().insert(file);
                copy
            }
        }
    }
}

/// A path from the root of the repository, of a file that a page in `folder` names.
fn normalized(folder: &str, file: &str) -> String {
    let mut steps: Vec<&str> = folder.split('/').filter(|step| !step.is_empty()).collect();
    for step in file.split('/') {
        match step {
            ".." => drop(steps.pop()),
            "." => {}
            step => steps.push(step),
        }
    }
    steps.join("/")
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
