//! The text that the rules are about: files, lines of code, words, and which of them are tests.

use std::fs;
use std::path::{Path, PathBuf};

/// The folder of the repository.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// All files with that extension under a folder, as paths relative to the repository, in order.
pub fn files(folder: &str, extension: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut pending = vec![root().join(folder)];
    while let Some(at) = pending.pop() {
        for entry in fs::read_dir(&at).into_iter().flatten() {
            let path: PathBuf = entry.unwrap().path();
            if path.is_dir() {
                pending.push(path);
            } else if path.extension().is_some_and(|e| e == extension) {
                let relative = path.strip_prefix(root()).unwrap();
                found.push(relative.to_str().unwrap().replace('\\', "/"));
            }
        }
    }
    found.sort();
    found
}

/// All files of Rust, of the library, of the program, of tests, benches and examples.
pub fn rust_files() -> Vec<String> {
    ["src", "assets", "scenes", "tests", "benches", "examples"]
        .iter()
        .flat_map(|f| files(f, "rs"))
        .collect()
}

/// The text of a file, by its path relative to the repository.
pub fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|e| panic!("{path}: {e}"))
}

/// The lines of code that are not tests, numbered from 1, without comments.
pub fn code(text: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    let mut lines = text.lines().enumerate();
    while let Some((k, line)) = lines.next() {
        if line.trim() == "#[cfg(test)]" {
            // A block of tests ends the file; anything else is one line.
            match lines.next() {
                Some((_, next)) if !next.ends_with('{') => continue,
                _ => break,
            }
        }
        found.push((k + 1, line.split("//").next().unwrap_or_default()));
    }
    found
}

/// Whether the module above declares a file for tests only, or that of the folder it is in.
pub fn is_test(path: &str) -> bool {
    let (folder, file) = path.rsplit_once('/').unwrap_or(("", path));
    let module = file.trim_end_matches(".rs");
    if folder.ends_with("/tests") {
        return is_test(&format!("{folder}.rs"));
    }
    let above = fs::read_to_string(root().join(folder).join("mod.rs")).unwrap_or_default();
    let lines: Vec<&str> = above.lines().map(str::trim).collect();
    lines
        .windows(2)
        .any(|pair| pair[0] == "#[cfg(test)]" && pair[1].ends_with(&format!("mod {module};")))
}

/// The words that follow `marker` in a line of code.
pub fn words_after<'a>(line: &'a str, marker: &'a str) -> impl Iterator<Item = &'a str> {
    line.match_indices(marker).map(move |(at, _)| {
        let rest = &line[at + marker.len()..];
        let end = rest
            .find(|c: char| !c.is_alphanumeric() && c != '_')
            .unwrap_or(rest.len());
        &rest[..end]
    })
}

/// Fails with all problems at once.
pub fn report(problems: &[String]) {
    assert!(problems.is_empty(), "\n{}\n", problems.join("\n"));
}
