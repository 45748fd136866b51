//! The house rules as text checks: layering, quarantined crates, file headers and sizes, citations, documents.
//!
//! Nothing here links the library, so the rules hold for every feature set at once.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Modules from bottom to top. A module may use those of earlier rows; modules of one row do not see each other.
const ROWS: &[&[&str]] = &[
    &["math", "quantity", "stopwatch"],
    &["linalg"],
    &["model"],
    &["joints"],
    &["forces", "contact"],
    &["solver", "diagnostics"],
    &["kinematics"],
    &["integrators"],
    &["sim"],
    &["scene"],
    &["video", "figures"],
    &["cli", "app"],
];

/// The window; its tests may name what it names, see [`tests_window`].
const WINDOW: &[&str] = &["src/app/"];

/// Crates that only some files may name: the crate, and what the paths of those files start with.
const QUARANTINE: &[(&str, &[&str])] = &[
    ("bevy", WINDOW),
    ("bevy_egui", WINDOW),
    ("egui", WINDOW),
    ("egui_plot", WINDOW),
    ("egui_kittest", WINDOW),
    ("rfd", &["src/app/"]),
    ("directories", &["src/app/"]),
    ("notify", &["src/app/editing/watch.rs"]),
    ("parry3d", &["src/contact/parry.rs"]),
    ("ron", &["src/scene/"]),
    ("gltf", &["src/scene/surface/gltf_file.rs"]),
    ("base64", &["src/scene/surface/", "src/scene/take/"]),
    (
        "exmex",
        &[
            "src/model/signal.rs",
            "src/scene/ground.rs",
            "src/scene/value.rs",
        ],
    ),
    ("csv", &["src/sim/export/", "tests/it/"]),
    ("clap", &["src/cli/", "src/main.rs"]),
    ("indicatif", &["src/cli/"]),
    ("plotters", &["src/figures/"]),
    (
        "openh264",
        &["src/video/h264.rs", "tests/it/recording/movie.rs"],
    ),
    ("muxide", &["src/video/mp4.rs"]),
    ("gif", &["src/video/animation.rs"]),
    ("png", &["src/video/still.rs"]),
];

/// Longest file allowed [lines]; most are a third of it.
const LONGEST_FILE: usize = 500;

/// Longest `docs/architecture.md` allowed [lines]: it is read in one sitting or not at all.
const LONGEST_MAP: usize = 150;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// All files with that extension under a folder, as paths relative to the repository, in order.
fn files(folder: &str, extension: &str) -> Vec<String> {
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

fn rust_files() -> Vec<String> {
    ["src", "tests", "benches"]
        .iter()
        .flat_map(|f| files(f, "rs"))
        .collect()
}

fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|e| panic!("{path}: {e}"))
}

/// The lines of code that are not tests, numbered from 1, without comments.
fn code(text: &str) -> Vec<(usize, &str)> {
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
fn is_test(path: &str) -> bool {
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

/// Whether a file of `tests/it` is declared for the window only, by itself or with its folder.
fn tests_window(path: &str) -> bool {
    let Some(module) = path
        .strip_prefix("tests/it/")
        .and_then(|p| p.strip_suffix(".rs"))
    else {
        return false;
    };
    let (folder, name) = module.split_once('/').unwrap_or(("", module));
    let declared = |above: &str, name: &str| {
        let text = read(above);
        let lines: Vec<&str> = text.lines().collect();
        lines.windows(2).any(|pair| {
            let module = pair[1].trim_start_matches("pub ");
            pair[0] == "#[cfg(feature = \"app\")]" && module == format!("mod {name};")
        })
    };
    declared("tests/it/main.rs", folder) || declared(&format!("tests/it/{folder}/mod.rs"), name)
}

/// The words that follow `marker` in a line of code.
fn words_after<'a>(line: &'a str, marker: &'a str) -> impl Iterator<Item = &'a str> {
    line.match_indices(marker).map(move |(at, _)| {
        let rest = &line[at + marker.len()..];
        let end = rest
            .find(|c: char| !c.is_alphanumeric() && c != '_')
            .unwrap_or(rest.len());
        &rest[..end]
    })
}

/// Fails with all problems at once.
fn report(problems: &[String]) {
    assert!(problems.is_empty(), "\n{}\n", problems.join("\n"));
}

/// The row of a module, counted from the bottom.
fn row(module: &str) -> Option<usize> {
    ROWS.iter().position(|row| row.contains(&module))
}

/// `src/joints/mod.rs` and `src/joints.rs` belong to `joints`; `src/lib.rs` and `src/main.rs` to nothing.
fn module_of(path: &str) -> Option<&str> {
    let inside = path.strip_prefix("src/")?;
    let first = inside.split('/').next()?;
    let name = first.strip_suffix(".rs").unwrap_or(first);
    (!matches!(name, "lib" | "main")).then_some(name)
}

#[test]
fn modules_use_only_what_is_below_them() {
    let mut problems = Vec::new();
    for path in files("src", "rs").into_iter().filter(|path| !is_test(path)) {
        let Some(own) = module_of(&path) else {
            continue;
        };
        let Some(own_row) = row(own) else {
            problems.push(format!(
                "{path}: module `{own}` has no row in the layering of {}",
                file!()
            ));
            continue;
        };
        for (number, line) in code(&read(&path)) {
            for used in words_after(line, "crate::").filter(|used| *used != own) {
                let known = row(used);
                if used.is_empty() {
                    problems.push(format!(
                        "{path}:{number}: one `use crate::` line per module, please"
                    ));
                } else if known.is_none_or(|r| r >= own_row) {
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
fn foreign_crates_stay_in_their_rooms() {
    let mut problems = Vec::new();
    for path in rust_files() {
        if path == file!() {
            continue;
        }
        for (number, line) in code(&read(&path)) {
            for (name, rooms) in QUARANTINE {
                let named = line.match_indices(name).any(|(at, _)| {
                    let word = |c: char| c.is_alphanumeric() || c == '_';
                    let before = line[..at].chars().next_back();
                    let used_in_place = line[at + name.len()..].starts_with("::");
                    let imported = line.trim_end().ends_with(&format!("use {name};"));
                    !before.is_some_and(word) && (used_in_place || imported)
                });
                let window = rooms == &WINDOW && tests_window(&path);
                if named && !window && !rooms.iter().any(|room| path.starts_with(room)) {
                    problems.push(format!(
                        "{path}:{number}: only {} may name `{name}`",
                        rooms.join(", ")
                    ));
                }
            }
        }
    }
    report(&problems);
}

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

/// Folders whose files import each other one way.
const ONE_WAY: [&str; 3] = ["src/cli/", "src/scene/", "src/sim/comparison/"];

#[test]
fn files_of_a_folder_import_each_other_one_way() {
    let mut problems = Vec::new();
    for folder in ONE_WAY {
        let name = |path: &str| Some(path.strip_prefix(folder)?.strip_suffix(".rs")?.to_owned());
        let own = files(folder.trim_end_matches('/'), "rs");
        let own: Vec<(String, String)> = own
            .iter()
            .filter_map(|path| Some((name(path)?, path.clone())))
            .filter(|(name, _)| !name.contains('/') && name != "mod" && name != "tests")
            .collect();
        assert!(own.len() > 2, "{folder}");
        let mut imports: Vec<(String, BTreeSet<String>)> = own
            .iter()
            .map(|(name, path)| {
                let text = read(path);
                let used = code(&text)
                    .into_iter()
                    .flat_map(|(_, line)| words_after(line, "super::").map(str::to_owned))
                    .filter(|used| own.iter().any(|(other, _)| other == used));
                (name.clone(), used.collect())
            })
            .collect();
        // What imports nothing that is left can go; a circle stays.
        loop {
            let left: BTreeSet<String> = imports.iter().map(|(name, _)| name.clone()).collect();
            let before = imports.len();
            imports.retain(|(_, used)| used.iter().any(|u| left.contains(u)));
            if imports.len() == before {
                break;
            }
        }
        let circle: Vec<&str> = imports.iter().map(|(name, _)| name.as_str()).collect();
        if !circle.is_empty() {
            problems.push(format!("{folder}: a circle among {}", circle.join(", ")));
        }
    }
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
    for path in files("src", "rs")
        .into_iter()
        .chain(files("tests/it", "rs"))
    {
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

/// Keys of citations such as `[Brüdigam2023 eq. 16]`: letters, a year, then what is cited or the end.
fn citations(text: &str) -> BTreeSet<String> {
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
    let bibliography = read("docs/papers.md");
    let known: BTreeSet<String> = bibliography
        .lines()
        .filter(|line| line.starts_with("- **["))
        .flat_map(citations)
        .collect();
    assert!(
        !known.is_empty(),
        "docs/papers.md lists no source as `- **[Key]** ...`"
    );
    let mut problems = Vec::new();
    for path in rust_files().into_iter().chain(files("docs", "md")) {
        for key in citations(&read(&path)).difference(&known) {
            problems.push(format!("{path}: [{key}] is not in docs/papers.md"));
        }
    }
    report(&problems);
}

/// What a document names between backquotes.
fn quoted(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

/// Whether Rust text defines an item of that name.
fn defines(text: &str, item: &str) -> bool {
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
            let folders = ["src/", "tests/", "benches/", "docs/", "scenes/", ".ci/"];
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

#[test]
fn nothing_listens_to_gamepads() {
    let lock = read("Cargo.lock");
    assert!(
        lock.contains("name = \"winit\""),
        "the window is in the lock file"
    );
    for name in ["gilrs", "bevy_gilrs"] {
        let line = format!("name = \"{name}\"");
        assert!(
            !lock.contains(&line),
            "{name} would let a gamepad move things"
        );
    }
}

#[test]
fn the_rules_themselves_catch_what_they_should() {
    assert_eq!(module_of("src/joints/mod.rs"), Some("joints"));
    assert_eq!(module_of("src/cli.rs"), Some("cli"));
    assert_eq!(module_of("src/lib.rs"), None);
    let used: Vec<&str> = words_after(
        "use crate::sim::{A, B}; crate::model::x(crate::{y})",
        "crate::",
    )
    .collect();
    assert_eq!(used, ["sim", "model", ""]);
    let text = "see [Brüdigam2023 eq. 16], [Lee2016], array[2023], [Vec3], [Short20 a], [x2020 b]";
    let keys: Vec<String> = citations(text).into_iter().collect();
    assert_eq!(keys, ["Brüdigam2023", "Lee2016"]);
    assert!(defines("pub(crate) fn drift(a: f64)", "drift"));
    assert!(!defines("pub fn drift_rate()", "drift"));
    let text = "//! a\n#[cfg(test)]\nmod b;\nuse c; // d\n#[cfg(test)]\nmod tests {\nuse e;";
    assert_eq!(code(text), [(1, ""), (4, "use c; ")]);
    assert!(is_test("src/forces/tests.rs") && !is_test("src/forces/laws.rs"));
    assert!(is_test("src/solver/tests/shared_axes.rs"));
}
