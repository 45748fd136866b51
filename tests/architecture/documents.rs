//! What documents cite is in the bibliography, and what they name exists.

use crate::text::{files, read, report, root, rust_files, words_after};
use std::collections::BTreeSet;

/// Keys of citations such as `[Brüdigam2023 eq. 16]`: letters, a year, then what is cited or the end.
pub fn citations(text: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for part in text.split('[').skip(1) {
        let letters: usize = part
            .chars()
            .take_while(|c| c.is_alphabetic())
            .map(char::len_utf8)
            .sum();
        let rest = &part[letters..];
        let digits = rest.chars().take_while(char::is_ascii_digit).count();
        let ends = matches!(rest[digits..].chars().next(), Some(' ' | ']' | ',' | ';'));
        if letters > 2 && digits == 4 && ends {
            found.insert(part[..letters + 4].to_owned());
        }
    }
    found
}

#[test]
fn every_source_cited_is_in_the_bibliography() {
    let bibliography = read("docs/reference/papers.md");
    let known: BTreeSet<String> = bibliography
        .lines()
        .filter(|line| line.starts_with("- **["))
        .flat_map(citations)
        .collect();
    assert!(
        !known.is_empty(),
        "docs/reference/papers.md lists no source as `- **[Key]** ...`"
    );
    let mut problems = Vec::new();
    for path in rust_files().into_iter().chain(files("docs", "md")) {
        for key in citations(&read(&path)).difference(&known) {
            problems.push(format!(
                "{path}: [{key}] is not in docs/reference/papers.md"
            ));
        }
    }
    report(&problems);
}

/// What a document names between backquotes.
fn quoted(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

/// Whether Rust text defines an item of that name.
pub fn defines(text: &str, item: &str) -> bool {
    ["fn", "struct", "enum", "trait", "const", "type", "mod"]
        .iter()
        .any(|keyword| words_after(text, &format!("{keyword} ")).any(|name| name == item))
}

#[test]
fn documents_name_only_what_exists() {
    let mut problems = Vec::new();
    for page in files("docs", "md")
        .into_iter()
        .chain(["README.md".to_owned()])
    {
        for name in quoted(&read(&page)) {
            let folders = [
                "src/",
                "tests/",
                "benches/",
                "examples/",
                "docs/",
                "scenes/",
                ".ci/",
            ];
            if !folders.iter().any(|f| name.starts_with(f)) || name.contains([' ', '*', '<', '{']) {
                continue;
            }
            let (path, item) = name
                .split_once("::")
                .map_or((name, None), |(p, i)| (p, Some(i)));
            if !root().join(path).exists() {
                problems.push(format!("{page}: `{path}` does not exist"));
            } else if let Some(item) = item
                && !defines(&read(path), item)
            {
                problems.push(format!("{page}: `{path}` defines no `{item}`"));
            }
        }
    }
    report(&problems);
}
