//! The report of a run of experiments, as Markdown and as a page for a browser.

use super::{Item, Verdict};
use std::fmt::Write;

/// An item that is done.
#[derive(Debug, Clone)]
pub struct Done {
    /// The item.
    pub item: &'static Item,
    /// Its verdict.
    pub verdict: Verdict,
    /// Name of its table and of its figure without their endings.
    pub stem: String,
}

impl Done {
    /// Whether the verdict is not the expected one.
    pub fn falls(&self) -> bool {
        self.verdict.standing != self.item.expected
    }

    fn outcome(&self) -> String {
        let Verdict { standing, .. } = &self.verdict;
        match (self.falls(), self.item.expected) {
            (true, expected) => format!("{standing}; expected: {expected}"),
            (false, super::Standing::Holds) => standing.to_string(),
            (false, _) => format!("{standing}, as expected"),
        }
    }
}

/// The report as `report.md` and `report.html`, about what was run with such settings.
pub fn write_report(done: &[Done], settings: &[(&str, String)]) -> [String; 2] {
    [markdown(done, settings), html(done, settings)]
}

fn markdown(done: &[Done], settings: &[(&str, String)]) -> String {
    let mut text = String::from("# Papers, reproduced\n\n");
    for (name, value) in settings {
        let _ = writeln!(text, "- {name}: {value}");
    }
    text.push_str("\n| figure | verdict | what was measured |\n|---|---|---|\n");
    for one in done {
        let (name, why) = (one.item.name(), &one.verdict.why);
        let _ = writeln!(text, "| {name} | {} | {why} |", one.outcome());
    }
    for one in done {
        let Item {
            claim,
            place,
            setup,
            ..
        } = one.item;
        let stem = &one.stem;
        let _ = write!(
            text,
            "\n## {}\n\nClaim ({place}): {claim}\n\nRun: {setup}\n\nMeasured: {}\n\nVerdict: **{}**\n\n\
             ![{stem}]({stem}.svg)\n\n[{stem}.csv]({stem}.csv)\n",
            one.item.name(),
            one.verdict.why,
            one.outcome(),
        );
    }
    text
}

/// Text as it may stand in a page.
fn escaped(text: &str) -> String {
    let text = text.replace('&', "&amp;");
    text.replace('<', "&lt;").replace('>', "&gt;")
}

fn html(done: &[Done], settings: &[(&str, String)]) -> String {
    let mut text = String::from(
        "<!doctype html>\n<html lang=\"en\"><meta charset=\"utf-8\"><title>Papers, reproduced</title>\n\
         <style>body{font:16px sans-serif;max-width:62em;margin:2em auto;padding:0 1em}\
         td,th{text-align:left;vertical-align:top;padding:.3em .8em .3em 0}img{max-width:100%}</style>\n\
         <h1>Papers, reproduced</h1>\n<ul>\n",
    );
    for (name, value) in settings {
        let _ = writeln!(text, "<li>{}: {}</li>", escaped(name), escaped(value));
    }
    text.push_str("</ul>\n<table><tr><th>figure<th>verdict<th>what was measured</tr>\n");
    for one in done {
        let cells = [one.item.name(), one.outcome(), one.verdict.why.clone()];
        let [name, outcome, why] = cells.map(|c| escaped(&c));
        let _ = writeln!(text, "<tr><td>{name}<td>{outcome}<td>{why}</tr>");
    }
    text.push_str("</table>\n");
    for one in done {
        let Item {
            claim,
            place,
            setup,
            ..
        } = one.item;
        let (name, stem) = (escaped(&one.item.name()), &one.stem);
        let _ = write!(
            text,
            "<h2>{name}</h2>\n<p>Claim ({}): {}</p>\n<p>Run: {}</p>\n<p>Measured: {}</p>\n<p>Verdict: <b>{}</b></p>\n\
             <p><img src=\"{stem}.svg\" alt=\"{name}\"></p>\n<p><a href=\"{stem}.csv\">{stem}.csv</a></p>\n",
            escaped(place),
            escaped(claim),
            escaped(setup),
            escaped(&one.verdict.why),
            escaped(&one.outcome()),
        );
    }
    text.push_str("</html>\n");
    text
}
