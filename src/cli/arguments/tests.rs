//! Words of the command line and what they mean, and what is said of wrong ones.

use super::*;
use clap::CommandFactory;
use std::fs;
use std::path::Path;

fn parsed(words: &[&str]) -> Result<Request, clap::Error> {
    Arguments::try_parse_from([&["driftless"], words].concat()).map(Request::from)
}

#[test]
fn the_definition_is_sound() {
    Arguments::command().debug_assert();
}

#[test]
fn a_bare_word_is_a_scene_and_nothing_is_the_default_scene() {
    for (words, scene) in [(&[][..], scene::DEFAULT), (&["four_bar"], "four_bar")] {
        let Ok(Request::Open(open)) = parsed(words) else {
            panic!("{words:?} does not open the window");
        };
        assert_eq!(open.scene, scene);
        assert_eq!(open.gallery, words.is_empty());
    }
}

#[test]
fn threads_are_asked_for_behind_every_command() {
    for (words, threads) in [
        (&["run", "pendulum", "--threads", "3"][..], Some(3)),
        (&["check", "pendulum", "--threads", "1"], Some(1)),
        (&["open", "pendulum", "--threads=2"], Some(2)),
        (&["pendulum", "--threads", "2"], Some(2)),
        (&["replay", "a.take"], None),
    ] {
        let parsed = Arguments::try_parse_from([&["driftless"], words].concat());
        let found = parsed.expect("it is right").threads;
        assert_eq!(found.map(NonZeroUsize::get), threads, "{words:?}");
    }
}

#[test]
fn values_and_their_errors() {
    let Ok(Request::Command(Command::Run(run))) = parsed(&[
        "run",
        "chain:links=3,angle=30",
        "--dt",
        "1e-3",
        "--set",
        "gravity=[0,0,-1.62]",
        "--set",
        "a.b=c=d",
        "--linear-solver",
        "block-ldu",
        "--friction",
        "linearised-8",
        "--contact-solver",
        "interior-point",
        "--contacts",
        "forces.csv",
        "--every",
        "10",
        "--json",
    ]) else {
        panic!("does not parse");
    };
    assert_eq!(run.scene, "chain:links=3,angle=30");
    assert_eq!(run.dt, Some(1e-3));
    assert_eq!(run.linear_solver, Some(LinearSolver::BlockLdu));
    assert_eq!(run.friction, Some(FrictionCone::Linearised(8)));
    assert_eq!(run.contact_solver.as_deref(), Some("interior-point"));
    assert_eq!(run.contacts, Some(PathBuf::from("forces.csv")));
    let Ok(Request::Record(record)) = parsed(&[
        "record", "pendulum", "-o", "a.mp4", "--size", "640x360", "--speed", "0.5", "--plots",
    ]) else {
        panic!("does not parse");
    };
    assert_eq!(record.size, [640, 360]);
    assert_eq!(
        (record.speed, record.fps, record.plots),
        (Some(0.5), 30.0, true)
    );
    let sets = [("gravity", "[0,0,-1.62]"), ("a.b", "c=d")];
    assert_eq!(run.sets, sets.map(|(p, v)| (p.to_owned(), v.to_owned())));

    for (words, part) in [
        (&["run", "pendulum", "--dt", "-1"][..], "a number above 0"),
        (
            &["run", "pendulum", "--duration", "inf"],
            "a number above 0",
        ),
        (&["run", "pendulum", "--set", "gravity"], "PATH=VALUE"),
        (
            &["run", "pendulum", "--change", "dt=0.1"],
            "TIME:PATH=VALUE",
        ),
        (&["run", "pendulum", "--change", "-1:dt=0.1"], "not below 0"),
        (&["run", "pendulum", "--linear-solver", "lu"], "articulated"),
        (
            &["run", "pendulum", "--friction", "linearised-5"],
            "even number of edges",
        ),
        (
            &["run", "pendulum", "--contact-solver", "lemke"],
            "interior-point",
        ),
        (
            &["run", "pendulum", "--steps", "3", "--duration", "1"],
            "cannot be used with",
        ),
        (&["run", "pendulum", "--every", "0"], "0 is not in 1.."),
        (&["run", "pendulum", "--threads", "0"], "zero"),
        (
            &["record", "pendulum", "-o", "a.mp4", "--size", "640"],
            "1920x1080",
        ),
        (&["record", "pendulum"], "--output"),
        (
            &["record", "pendulum", "-o", "a.mp4", "--fps", "0"],
            "a number above 0",
        ),
    ] {
        let shown = parsed(words).expect_err("is wrong").to_string();
        assert!(shown.contains(part), "{words:?}: {shown}");
    }
}

/// Lines of the fenced blocks of `sh` in a page, those that a backslash goes on in joined.
fn shell_lines(page: &str) -> Vec<String> {
    let mut found = Vec::new();
    for rest in page.split("```sh\n").skip(1) {
        let block = rest.split("```").next().unwrap_or_default();
        let joined = block.replace("\\\n", " ");
        found.extend(joined.lines().map(|line| line.trim().to_owned()));
    }
    found
}

/// The words of a line, without comment; those between double quotes are one.
fn words(line: &str) -> Vec<String> {
    let line = line.split(" #").next().unwrap_or_default();
    let mut found = vec![String::new()];
    let mut quoted = false;
    for c in line.chars() {
        match c {
            '"' => quoted = !quoted,
            ' ' if !quoted => found.push(String::new()),
            c => found.last_mut().expect("never empty").push(c),
        }
    }
    found.retain(|word| !word.is_empty());
    found
}

/// Files of Markdown in a folder and in those inside it.
fn pages(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder of documents") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            found.extend(pages(&path));
        } else if path.extension().is_some_and(|e| e == "md") {
            found.push(path);
        }
    }
    found.sort();
    found
}

#[test]
fn the_commands_in_the_documents_are_understood() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut documents = pages(&root.join("docs"));
    documents.push(root.join("README.md"));
    let (mut count, mut problems) = (0, Vec::new());
    for page in documents {
        let text = fs::read_to_string(&page).expect("a page in UTF-8");
        for line in shell_lines(&text) {
            let words = words(&line);
            if words.first().is_none_or(|program| program != "driftless") {
                continue;
            }
            count += 1;
            if let Err(error) = Arguments::try_parse_from(&words) {
                problems.push(format!("{}: {line}\n{error}", page.display()));
            }
        }
    }
    // Far fewer would mean that they are no longer found.
    assert!(count > 30, "only {count} commands");
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}
