//! Cars held against closed forms and recorded drives, as a table or one JSON object.

use core::error::Error;
use std::path::Path;

use serde_json::{Value, json};

use vehicle_conformance::validation::{
    BICYCLE, DEVIATIONS, FigureLine, RIDE, Reckoning, bicycle, lines, outdated, ride, unlisted,
};

use crate::{plots, published, recorded, reference};

/// Source of published figures.
const PUBLISHED: &str = "published figures, and a quasi-steady model (tests/reference/published)";

/// Figures of one source.
struct Part {
    name: String,
    source: String,
    found: Vec<Reckoning>,
}

/// Compares everything, prints the results, draws them into a folder if one is given, and returns whether nothing is unexpected.
pub(crate) fn run(json: bool, pictures: Option<&Path>) -> Result<bool, Box<dyn Error>> {
    let closed = |name: &str, source: &str, found| Part {
        name: name.to_owned(),
        source: source.to_owned(),
        found,
    };
    let mut parts = vec![
        closed("bicycle", BICYCLE, bicycle()?),
        closed("ride", RIDE, ride()?),
    ];
    for path in recorded::files()? {
        let (source, found) = recorded::compare(&path)?;
        let name = reference::stem(&path);
        parts.push(Part {
            name,
            source,
            found,
        });
    }
    for path in published::files()? {
        let name = reference::stem(&path);
        parts.push(closed(&name, PUBLISHED, published::compare(&path)?));
    }
    let all: Vec<Reckoning> = parts.iter().flat_map(|part| part.found.clone()).collect();
    let mut bad = unlisted(&all);
    bad.extend(outdated(&all));
    if let Some(folder) = pictures {
        plots::write(&all, folder)?;
    }
    if json {
        println!("{:#}", as_json(&parts, &bad));
    } else {
        print_table(&parts, &all, &bad);
    }
    Ok(bad.is_empty())
}

fn print_table(parts: &[Part], all: &[Reckoning], bad: &[String]) {
    let mut source = "";
    for part in parts {
        if source != part.source {
            source = &part.source;
            println!("\n{source}\n{}", FigureLine::heading());
        }
        lines(&part.found)
            .iter()
            .for_each(|line| println!("{line}"));
    }
    println!();
    for part in parts {
        let line = recorded::line(&part.name, &part.found);
        println!("{line}{}", if line.holds() { "" } else { " FAILED" });
    }
    let within = all.iter().filter(|it| it.holds()).count();
    println!("\n{within} of {} figures within their bounds", all.len());
    for deviation in &DEVIATIONS {
        let at = deviation.at.join("; ");
        println!(
            "known: {}, {}, {at}: {}",
            deviation.subject, deviation.figure, deviation.cause
        );
    }
    bad.iter()
        .for_each(|text| println!("NOT AS IT SHOULD BE: {text}"));
}

fn as_json(parts: &[Part], bad: &[String]) -> Value {
    let figure = |it: &Reckoning| {
        let known = DEVIATIONS.iter().find(|deviation| deviation.lists(it));
        json!({
            "subject": it.subject,
            "figure": it.figure,
            "at": it.at,
            "ours": it.ours,
            "theirs": it.theirs,
            "apart": it.difference(),
            "bound": it.bound,
            "within": it.holds(),
            "cause": known.map(|deviation| deviation.cause),
        })
    };
    let part = |part: &Part| {
        let figures: Vec<Value> = part.found.iter().map(figure).collect();
        json!({ "name": part.name, "source": part.source, "figures": figures })
    };
    let parts: Vec<Value> = parts.iter().map(part).collect();
    json!({ "parts": parts, "unexpected": bad })
}
