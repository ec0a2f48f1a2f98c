//! `cargo xtask site`: one folder with the page to drive on, the book, the documentation of the crates, benchmarks and pictures.

mod links;
mod pictures;

use std::fs;
use std::path::Path;

use clap::Args;

use crate::cargo::Cargo;
use crate::files::{self, named};
use crate::progress::told;
use crate::{book, showroom};

/// Crates whose documentation is on the site.
const DOCUMENTED: [&str; 6] = [
    "jounce",
    "vehicle-core",
    "jounce-proving-ground",
    "jounce-batch",
    "jounce-lab",
    "vehicle-conformance",
];
const FEATURES: &str = "jounce/rapier,jounce/rayon,jounce/typetag,jounce-batch/rayon";

#[derive(Debug, Args)]
pub(crate) struct Site {
    /// Do not drive on it in a browser
    #[arg(long)]
    unseen: bool,
}

impl Site {
    pub(crate) fn run(&self, cargo: &Cargo) -> Result<(), String> {
        let out = cargo.target().join("site");
        files::remove(&out)?;
        fs::create_dir_all(&out).map_err(named(&out))?;
        told("1/6 page to drive on", || page(cargo, &out.join("drive")))?;
        told("2/6 book", || {
            files::copy_folder(&book::pages(cargo)?, &out.join("book"))
        })?;
        told("3/6 documentation of the crates", || {
            documentation(cargo, &out.join("api"))
        })?;
        told("4/6 front and pictures", || front(cargo, &out))?;
        told("5/6 links", || check_links(&out))?;
        if !self.unseen {
            told("6/6 browser", || see(cargo, &out))?;
        }
        println!("{}", out.display());
        Ok(())
    }
}

fn page(cargo: &Cargo, to: &Path) -> Result<(), String> {
    let built = showroom::page(cargo)?;
    files::copy_folder(&built.ok_or("the site has no front without its page")?, to)
}

/// Documents the crates anew: the folder may have pages of others.
fn documentation(cargo: &Cargo, to: &Path) -> Result<(), String> {
    let made = cargo.target().join("doc");
    files::remove(&made)?;
    let mut arguments = vec![
        "doc",
        "--release",
        "--no-deps",
        "--lib",
        "--features",
        FEATURES,
    ];
    arguments.extend(DOCUMENTED.iter().flat_map(|name| ["-p", name]));
    cargo.run(&arguments)?;
    files::copy_folder(&made, to)
}

fn front(cargo: &Cargo, out: &Path) -> Result<(), String> {
    files::copy(
        &cargo.root().join("site/index.html"),
        &out.join("index.html"),
    )?;
    let count = pictures::write(cargo.root(), &out.join("pictures"))?;
    println!("{count} pictures");
    Ok(())
}

fn check_links(out: &Path) -> Result<(), String> {
    let checked = links::check(out, &out.join("api"))?;
    let (pages, links, broken) = (checked.pages, checked.links, checked.broken);
    println!("{pages} pages, {links} links, {} broken", broken.len());
    if broken.is_empty() {
        Ok(())
    } else {
        Err(format!("{}\nlead nowhere", broken.join("\n")))
    }
}

/// Drives on the site, on a desk and on a phone.
fn see(cargo: &Cargo, out: &Path) -> Result<(), String> {
    let seen = cargo.target().join("site-pictures");
    fs::create_dir_all(&seen).map_err(named(&seen))?;
    showroom::browse(&cargo.root().join("site/drive.mjs"), out, &seen)?;
    println!("pictures: {}", seen.display());
    Ok(())
}
