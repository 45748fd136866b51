//! Who may use what: modules those below them, files those that do not use them, some files some crates.

use crate::text::{code, files, is_test, read, report, rust_files, words_after};
use std::collections::BTreeSet;

/// Modules from bottom to top. A module may use those of earlier rows; modules of one row do not see each other.
const ROWS: &[&[&str]] = &[
    &["math", "quantity", "stopwatch", "threads"],
    &["linalg"],
    &["model"],
    &["joints"],
    &["forces", "contact"],
    &["solver", "diagnostics"],
    &["kinematics"],
    &["integrators"],
    &["sim"],
    &["scene"],
    &["figures"],
    &["reproduce"],
    &["cli"],
];

/// The window; its tests may name what it names, see [`tests_window`].
const WINDOW: &[&str] = &["src/window/"];

/// Crates that only some files may name: the crate, and what the paths of those files start with.
const QUARANTINE: &[(&str, &[&str])] = &[
    ("bevy", WINDOW),
    ("bevy_egui", WINDOW),
    ("egui", WINDOW),
    ("egui_plot", WINDOW),
    ("egui_extras", WINDOW),
    ("egui_tiles", &["src/window/layout/tiles/"]),
    ("egui_kittest", WINDOW),
    ("rfd", WINDOW),
    ("directories", WINDOW),
    ("notify", &["src/window/editing/watch.rs"]),
    ("parry3d", &["src/physics/contact/parry.rs"]),
    ("ron", &["src/physics/scene/"]),
    ("gltf", &["src/physics/scene/surface/gltf_file.rs"]),
    (
        "base64",
        &["src/physics/scene/surface/", "src/physics/scene/take/"],
    ),
    (
        "exmex",
        &[
            "src/physics/model/signal.rs",
            "src/physics/scene/ground.rs",
            "src/physics/scene/value.rs",
        ],
    ),
    ("csv", &["src/physics/sim/export/", "tests/it/"]),
    ("clap", &["src/cli/", "src/main.rs"]),
    (
        "clarabel",
        &["src/physics/solver/coulomb/tests/clarabel.rs"],
    ),
    ("faer", &["src/reproduce/maximal/general_lu.rs"]),
    ("indicatif", &["src/cli/"]),
    ("plotters", &["src/physics/figures/"]),
    (
        "openh264",
        &["src/video/h264.rs", "tests/it/recording/movie.rs"],
    ),
    ("muxide", &["src/video/mp4.rs"]),
    ("gif", &["src/video/animation.rs"]),
    ("png", &["src/video/still.rs"]),
];

/// Whether a file of `tests/it` is declared for the window only, by itself or with its folder.
fn tests_window(path: &str) -> bool {
    let Some(module) = path
        .strip_prefix("tests/it/")
        .and_then(|p| p.strip_suffix(".rs"))
    else {
        return false;
    };
    // What lies beside the folders belongs to all of them, window or not.
    let Some((folder, name)) = module.split_once('/') else {
        return false;
    };
    let declared = |above: &str, name: &str| {
        let text = read(above);
        let lines: Vec<&str> = text.lines().collect();
        lines.windows(2).any(|pair| {
            let module = pair[1].trim_start_matches("pub ");
            pair[0] == "#[cfg(feature = \"window\")]" && module == format!("mod {name};")
        })
    };
    declared("tests/it/main.rs", folder) || declared(&format!("tests/it/{folder}/mod.rs"), name)
}

/// The row of a module, counted from the bottom.
fn row(module: &str) -> Option<usize> {
    ROWS.iter().position(|row| row.contains(&module))
}

/// `src/physics/joints/mod.rs` belongs to `joints`, `src/cli/mod.rs` to `cli`; the roots of packages and programs to
/// nothing, nor does the window, whose rooms have rules of their own, nor `src/video` and `src/reproduce`, each one room.
pub fn module_of(path: &str) -> Option<&str> {
    let inside = path.strip_prefix("src/")?;
    if ["window/", "video/", "reproduce/"]
        .iter()
        .any(|p| inside.starts_with(p))
    {
        return None;
    }
    let inside = inside.strip_prefix("physics/").unwrap_or(inside);
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

/// Folders whose files import each other one way.
const ONE_WAY: [&str; 3] = [
    "src/cli/",
    "src/physics/scene/",
    "src/physics/sim/comparison/",
];

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
