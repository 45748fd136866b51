//! What is published holds what it needs: a package is built from its own folder alone.

use crate::text::{code, read, report, rust_files};

/// Folders of the packages of the workspace, the innermost first; the root is the empty one.
fn packages() -> Vec<String> {
    let manifest = read("Cargo.toml");
    let members = list(&manifest, "members");
    let mut packages: Vec<String> = members.iter().map(|member| format!("{member}/")).collect();
    packages.sort_by_key(|folder| std::cmp::Reverse(folder.len()));
    packages.push(String::new());
    packages
}

/// The words in the list of that key of a manifest.
fn list<'a>(manifest: &'a str, key: &str) -> Vec<&'a str> {
    let start = format!("\n{key} = [");
    let (_, rest) = manifest
        .split_once(&start)
        .expect("the manifest has the list");
    let (items, _) = rest.split_once(']').expect("the list ends");
    items.split('"').skip(1).step_by(2).collect()
}

/// Paths that the code of a file includes when it is compiled, as it writes them.
fn included(text: &str) -> Vec<&str> {
    let lines = code(text).into_iter().map(|(_, line)| line);
    let after = lines.flat_map(|line| {
        let marks = ["include_str!(", "include_bytes!("];
        marks
            .into_iter()
            .filter_map(move |mark| line.split_once(mark))
    });
    // What a macro puts together begins with the folder.
    after
        .filter_map(|(_, rest)| rest.split('"').nth(1))
        .collect()
}

/// A path from the folder of a file, relative to the repository.
fn resolved(file: &str, path: &str) -> String {
    let mut parts: Vec<&str> = file.split('/').collect();
    parts.pop();
    for part in path.split('/') {
        if part == ".." {
            parts.pop();
        } else {
            parts.push(part);
        }
    }
    parts.join("/")
}

#[test]
fn no_package_is_compiled_from_files_outside_itself() {
    let packages = packages();
    let of = |path: &str| {
        packages
            .iter()
            .find(|folder| path.starts_with(folder.as_str()))
    };
    let manifest = read("Cargo.toml");
    let left_out = list(&manifest, "exclude");
    let mut problems = Vec::new();
    let mut seen = 0;
    for file in rust_files()
        .iter()
        .filter(|file| !file.starts_with("tests/"))
    {
        for path in included(&read(file)) {
            seen += 1;
            let path = resolved(file, path);
            let excluded = left_out
                .iter()
                .any(|folder| format!("/{path}").starts_with(folder));
            if of(&path) != of(file) || excluded {
                problems.push(format!("{file}: {path} is not in its package"));
            }
        }
    }
    assert!(seen > 10, "the files that are included were found: {seen}");
    report(&problems);
}

#[test]
fn packages_say_the_same_of_themselves() {
    let wanted = [
        "version",
        "edition",
        "rust-version",
        "license",
        "keywords",
        "categories",
    ];
    let mut problems = Vec::new();
    for folder in packages() {
        let manifest = read(&format!("{folder}Cargo.toml"));
        for key in wanted {
            if !manifest.contains(&format!("\n{key}.workspace = true")) {
                problems.push(format!(
                    "{folder}Cargo.toml: `{key}` is not that of the workspace"
                ));
            }
        }
        if !manifest.contains("\ndescription = ") {
            problems.push(format!("{folder}Cargo.toml: no description"));
        }
    }
    report(&problems);
}
