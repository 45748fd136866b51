//! Every word that the room of the papers says.

use reproduce::{Item, Paper, Standing, Verdict};

pub const SCENES: (&str, &str) = ("Scenes", "Scenes and generators to open");
pub const PAPERS: (&str, &str) = (
    "Papers",
    "Figures and tables of papers, to be run and judged here",
);
pub const CLOSE_GALLERY: &str = "Close";
pub const SEARCH: (&str, &str, &str) = (
    "Search the figures",
    "Search",
    "Words that a figure's number, title or claim holds; Enter runs the first",
);
pub const NOTHING: &str = "No figure is called that. Fewer words find more.";
pub const QUICK: (&str, &str) = ("Quick", "Runs less than the paper: seconds to minutes");
pub const FULL: (&str, &str) = ("Full", "Runs what the paper ran: up to hours");
pub const CLOSE: (&str, &str) = ("Close", "Closes the figure; a run goes on");
pub const CANCEL: (&str, &str) = ("Cancel", "Ends the run; its plot stays as it is");
pub const RUN: (&str, &str) = ("Run", "Opens its scene and runs it");
pub const AGAIN: (&str, &str) = ("Run again", "Opens its scene and runs it anew");
pub const OPEN: (&str, &str) = (
    "Open this scene",
    "Closes the figure and leaves its scene to you",
);
pub const OPEN_MENU: &str = "Open this scene ⏷";
pub const OPEN_ON: (&str, &str) = (
    "and let the run go on",
    "The figure is found in the gallery under Papers when it is done",
);
pub const OPEN_END: (&str, &str) = ("and end the run", "What there is of its plot is kept");
pub const CLAIM: &str = "Claim";
pub const WHAT_RUNS: &str = "What is run";
pub const SEEN: &str = "In the view";
pub const VERDICT: &str = "Verdict";
pub const MEASURED: &str = "What was measured";
pub const EXPECTED: &str = "expected";
pub const NOT_RUN: &str = "not run yet";
pub const CANCELLED: &str = "cancelled";
pub const FAILED: &str = "failed";
pub const LACKING: &str = "needs robots";
pub const NO_POINTS: &str = "The plot grows as soon as the first points are there.";
pub const PROGRESS: &str = "How far the run has come";
pub const NO_PLOT: &str = "Run it to see its plot.";
pub const AS_PAPER: &str = "Dashed: what the paper claims.";
pub const TIMED: &str = "Its times are those beside an open window, which takes its share of the machine; the command line measures them alone.";
pub const LEFT: &str = "The run goes on; the figure is in the gallery under Papers.";
pub const PANIC: &str = "the run failed in a way that is not foreseen; the log says where";

/// A figure as it is cited: `Figure 12a`, `Table 4`, or what is claimed beside them.
pub fn number(figure: &str) -> String {
    let digit = |text: &str| text.starts_with(|c: char| c.is_ascii_digit());
    match (figure.strip_prefix('t'), figure.split_once('-')) {
        (Some(table), _) if digit(table) => format!("Table {table}"),
        (_, Some((figure, of))) if digit(figure) => format!("Figure {figure}, {of}"),
        _ if digit(figure) => format!("Figure {figure}"),
        _ => format!("Beside the figures: {figure}"),
    }
}

/// The same with its paper, as the palette lists it.
pub fn cited(paper: &str, figure: &str) -> String {
    let number = number(figure);
    let mut rest = number.chars();
    let first = rest.next().map(|c| c.to_lowercase().to_string());
    format!("{paper}, {}{}", first.unwrap_or_default(), rest.as_str())
}

/// A paper as the heading of its figures.
pub fn heading(paper: &Paper) -> String {
    format!("{}: {}", paper.authors, paper.title)
}

/// A claim as a sentence.
pub fn sentence(text: &str) -> String {
    let mut rest = text.chars();
    let first = rest.next().map(|c| c.to_uppercase().to_string());
    let end = if text.ends_with('.') { "" } else { "." };
    format!("{}{}{end}", first.unwrap_or_default(), rest.as_str())
}

/// A verdict in a few words.
pub fn standing(item: &Item, verdict: &Verdict) -> String {
    let said = verdict.standing.to_string();
    match (verdict.standing == item.expected, item.expected) {
        (true, Standing::Holds) => said,
        (true, _) => format!("{said}, as expected"),
        (false, expected) => format!("{said}; {EXPECTED}: {expected}"),
    }
}

/// What is expected of a figure that was not run.
pub fn expected(item: &Item) -> String {
    format!("{NOT_RUN}; {EXPECTED}: {}", item.expected)
}

/// How many of all figures were run, and how they stand.
pub fn count(all: usize, [hold, differ, unjudged, lacking]: [usize; 4]) -> String {
    let run = hold + differ + unjudged;
    let mut text = format!("{run} of {all} run; claims that hold: {hold}, that differ: {differ}");
    if unjudged > 0 {
        text += &format!(", that cannot be judged: {unjudged}");
    }
    text + &format!("; {lacking} need robots")
}

/// How far a run has come.
pub fn progress(part: f64) -> String {
    format!("{:.0} %", 100.0 * part)
}

/// What a run took.
pub fn took(effort: &str, duration: &str) -> String {
    format!("{effort} run, {duration}")
}

/// How far a run has come, on its card.
pub fn running(part: f64) -> String {
    format!("running, {}", progress(part))
}

/// The whole claim, and where it is made or what a figure lacks.
pub fn hover(claim: &str, place: &str) -> String {
    sentence(&format!("{claim} ({place})"))
}
