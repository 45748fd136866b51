//! The rooms of the window: which may use which.

use crate::text::{code, files, is_test, read, report, words_after};

/// Rooms from bottom to top. A room may use those of earlier rows; rooms of one row do not see each other.
const ROWS: &[&[&str]] = &[
    &["error", "schedule", "theme", "text"],
    &["mesh", "jobs"],
    &["session"],
    &["camera"],
    &["state"],
    &["commands"],
    &["ui"],
    &["scene3d"],
    &["pointer", "scenes", "plots", "solver", "methods", "layers"],
    &["playback", "papers"],
    &["editing", "compare"],
    &["record"],
    &["settings", "palette"],
    &["layout"],
    &["stepping", "dispatch", "autorun"],
];

fn row(room: &str) -> Option<usize> {
    ROWS.iter().position(|row| row.contains(&room))
}

/// The room of a file; the root of the window is above all of them.
fn room_of(path: &str) -> Option<&str> {
    let first = path.strip_prefix("src/window/")?.split('/').next()?;
    let name = first.strip_suffix(".rs").unwrap_or(first);
    (name != "lib").then_some(name)
}

#[test]
fn rooms_of_the_window_use_only_what_is_below_them() {
    let mut problems = Vec::new();
    let all = files("src/window", "rs");
    for path in all.iter().filter(|path| !is_test(path)) {
        let Some(own) = room_of(path) else {
            continue;
        };
        let Some(own_row) = row(own) else {
            problems.push(format!("{path}: room `{own}` has no row in {}", file!()));
            continue;
        };
        for (number, line) in code(&read(path)) {
            for used in words_after(line, "crate::").filter(|used| *used != own) {
                if row(used).is_none_or(|r| r >= own_row) {
                    problems.push(format!(
                        "{path}:{number}: `{own}` uses `{used}`, which is not below it"
                    ));
                }
            }
        }
    }
    report(&problems);
}

#[test]
fn a_name_of_a_type_of_the_window_is_that_of_one_type() {
    let mut places = std::collections::BTreeMap::<String, Vec<String>>::new();
    for path in files("src/window", "rs") {
        for (number, line) in code(&read(&path)) {
            for word in ["struct ", "enum ", "trait ", "type "] {
                // Types of a trait are its own affair, as are those within functions and tests.
                let line = line.strip_prefix("pub ").unwrap_or(line);
                let line = line.strip_prefix("pub(crate) ").unwrap_or(line);
                let line = line.strip_prefix("pub(super) ").unwrap_or(line);
                let Some(rest) = line.strip_prefix(word) else {
                    continue;
                };
                let name = rest.split(|c: char| !c.is_alphanumeric()).next();
                let name = name.unwrap_or_default().to_owned();
                places
                    .entry(name)
                    .or_default()
                    .push(format!("{path}:{number}"));
            }
        }
    }
    let twice = places.into_iter().filter(|(_, at)| at.len() > 1);
    let problems: Vec<String> = twice
        .map(|(name, at)| format!("`{name}` is the name of {}", at.join(" and of ")))
        .collect();
    report(&problems);
}
