//! The examples, each to its end: what they claim they assert themselves.

#[path = "../../../examples/contacts.rs"]
mod contacts;
#[path = "../../../examples/controller.rs"]
mod controller;
#[cfg(feature = "video")]
#[path = "../../../examples/film.rs"]
mod film;
#[path = "../../../examples/integrator.rs"]
mod integrator;
#[path = "../../../examples/lqr.rs"]
mod lqr;
#[path = "../../../examples/pendulum.rs"]
mod pendulum;
#[path = "../../../examples/sweep.rs"]
mod sweep;

#[test]
fn every_example_runs_to_its_end() {
    type Program = fn() -> Result<(), Box<dyn std::error::Error>>;
    let examples: &[(&str, Program)] = &[
        ("contacts", contacts::main),
        ("controller", controller::main),
        #[cfg(feature = "video")]
        ("film", film::main),
        ("integrator", integrator::main),
        ("lqr", lqr::main),
        ("pendulum", pendulum::main),
        ("sweep", sweep::main),
    ];
    for (name, main) in examples {
        main().unwrap_or_else(|e| panic!("{name}: {e}"));
    }
    // None is forgotten here.
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("examples");
    let files = std::fs::read_dir(folder).expect("there are examples");
    let mut names: Vec<String> = files
        .map(|file| {
            file.expect("it is listed")
                .file_name()
                .to_string_lossy()
                .into_owned()
        })
        .collect();
    names.sort_unstable();
    let known = [
        "contacts",
        "controller",
        "film",
        "integrator",
        "lqr",
        "pendulum",
        "sweep",
    ];
    assert_eq!(names, known.map(|name| format!("{name}.rs")));
}

/// The first program of a reader is short: imports, body and all that stands between them.
#[test]
fn the_first_program_has_twenty_lines_at_most() {
    let text = include_str!("../../../examples/controller.rs");
    let lines = text
        .lines()
        .filter(|line| !line.trim().is_empty() && !line.starts_with("//"));
    assert!(lines.count() <= 20);
}
