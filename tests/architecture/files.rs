//! Every file says what it is for, is short, and is part of the build.

use crate::text::{files, read, report, root, rust_files, words_after};
use std::fs;

/// Longest file allowed [lines]; most are a third of it.
const LONGEST_FILE: usize = 500;

/// Longest file of tests allowed [lines]: whoever looks for one law should not have to read past many others.
const LONGEST_TESTS: usize = 300;

/// Longest `docs/architecture.md` allowed [lines]: it is read in one sitting or not at all.
const LONGEST_MAP: usize = 150;

#[test]
fn every_file_says_what_it_is_for_and_is_short() {
    let mut problems = Vec::new();
    for path in rust_files() {
        let text = read(&path);
        let lines = text.lines().count();
        if !text.starts_with("//! ") {
            problems.push(format!("{path}: the first line is not a `//!` header"));
        }
        if lines > LONGEST_FILE {
            problems.push(format!(
                "{path}: {lines} lines, more than {LONGEST_FILE}; is there a second room in it?"
            ));
        }
    }
    let map = read("docs/architecture.md").lines().count();
    if map > LONGEST_MAP {
        problems.push(format!(
            "docs/architecture.md: {map} lines, more than {LONGEST_MAP}"
        ));
    }
    report(&problems);
}

/// Whether a file holds nothing but tests and what they need.
fn holds_tests(path: &str) -> bool {
    path.starts_with("tests/")
        || path.contains("/tests/")
        || path.ends_with("/tests.rs")
        || path.ends_with("_tests.rs")
}

#[test]
fn files_of_tests_hold_one_subject_each() {
    assert!(
        holds_tests("tests/it/contact/limits.rs") && holds_tests("src/physics/forces/tests.rs")
    );
    assert!(
        holds_tests("src/physics/solver/tests/shared_axes.rs") && holds_tests("src/a/b_tests.rs")
    );
    assert!(!holds_tests("src/physics/forces/laws.rs") && !holds_tests("src/contests.rs"));
    let problems: Vec<String> = rust_files()
        .iter()
        .filter(|path| holds_tests(path))
        .map(|path| (path, read(path).lines().count()))
        .filter(|(_, lines)| *lines > LONGEST_TESTS)
        .map(|(path, lines)| {
            format!("{path}: {lines} lines of tests, more than {LONGEST_TESTS}; by subject, please")
        })
        .collect();
    report(&problems);
}

/// Where the module of a file must be declared, and under which name; nothing for the root of a target.
fn declaration(path: &str) -> Option<(Vec<String>, &str)> {
    let (folder, file) = path.rsplit_once('/')?;
    let (folder, name) = match file.strip_suffix(".rs")? {
        "lib" | "main" => return None,
        "mod" => folder.rsplit_once('/')?,
        name => (folder, name),
    };
    let above = ["mod.rs", "lib.rs", "main.rs"].map(|f| format!("{folder}/{f}"));
    Some((
        above.into_iter().chain([format!("{folder}.rs")]).collect(),
        name,
    ))
}

#[test]
fn no_file_is_left_out_of_the_build() {
    let mut problems = Vec::new();
    for path in files("src", "rs").into_iter().chain(files("tests", "rs")) {
        let Some((above, name)) = declaration(&path) else {
            continue;
        };
        let declared = above.iter().any(|file| {
            let text = fs::read_to_string(root().join(file)).unwrap_or_default();
            words_after(&text, "mod ").any(|module| module == name)
        });
        if !declared {
            problems.push(format!(
                "{path}: no `mod {name};` above it, so it is never compiled"
            ));
        }
    }
    report(&problems);
}
