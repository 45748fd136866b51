//! What the command line does with files: nothing that is read is overwritten, nothing is written twice.

use crate::commands::cli::{driftless, folder, text};
use std::fs;
use std::path::{Path, PathBuf};

const SCENE: &str = r#"(version: 1, bodies: {"a": (mass: 1, inertia: (1, 1, 1))},
 joints: {"j": (kind: revolute, child: "a", child_anchor: (0, 0, 1), axis: (1, 0, 0), at: 1)})"#;

/// A tetrahedron.
const MESH: &str = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";

/// A folder of its own with a scene, a scene with a mesh, and a take.
fn fixture(name: &str) -> PathBuf {
    let at = folder().join(name);
    // What an earlier run left, its links above all.
    let _ = fs::remove_dir_all(&at);
    fs::create_dir_all(&at).unwrap();
    fs::write(at.join("in.ron"), SCENE).unwrap();
    fs::write(at.join("rock.obj"), MESH).unwrap();
    let mesh = r#"(version: 1, bodies: {"a": (shape: (mesh: (file: "rock.obj")))})"#;
    fs::write(at.join("mesh.ron"), mesh).unwrap();
    let [scene, take] = [path(&at, "in.ron"), path(&at, "t.take")];
    let made = driftless(&["run", &scene, "--steps", "3", "--take", &take]);
    assert_eq!(made.status.code(), Some(0), "{}", text(&made.stderr));
    at
}

fn path(at: &Path, name: &str) -> String {
    at.join(name).to_str().unwrap().to_owned()
}

#[test]
fn an_output_never_overwrites_an_input_and_two_outputs_are_never_one_file() {
    let at = fixture("distinct");
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("in.ron", at.join("link.csv")).unwrap();
        std::os::unix::fs::symlink("q", at.join("soft")).unwrap();
    }
    fs::hard_link(at.join("in.ron"), at.join("hard.csv")).unwrap();
    let inputs = ["in.ron", "rock.obj", "mesh.ron", "t.take"];
    let before: Vec<Vec<u8>> = inputs.map(|n| fs::read(at.join(n)).unwrap()).into();
    // Words that stand for themselves begin with two hyphens or are numbers; the others are files.
    let wrong: &[&[&str]] = &[
        // All of these used to empty the scene, the mesh or the take that they read.
        &["run", "in.ron", "--csv", "in.ron"],
        &["run", "in.ron", "--take", "in.ron"],
        &["run", "in.ron", "--contacts", "./in.ron"],
        &["run", "in.ron", "--csv", "hard.csv"],
        #[cfg(unix)]
        &["run", "in.ron", "--csv", "link.csv"],
        &["run", "mesh.ron", "--csv", "rock.obj"],
        &["compare", "in.ron", "--csv", "in.ron"],
        &["converge", "in.ron", "--csv", "in.ron"],
        &["converge", "in.ron", "--svg", "in.ron"],
        &["replay", "t.take", "--csv", "t.take"],
        &["replay", "t.take", "--contacts", "t.take"],
        &["open", "in.ron", "--csv", "in.ron"],
        // And these wrote one file through two handles.
        &["run", "in.ron", "--csv", "q", "--take", "q"],
        &["run", "in.ron", "--csv", "q", "--contacts", "q"],
        #[cfg(unix)]
        &["run", "in.ron", "--csv", "q", "--take", "soft"],
        &["converge", "in.ron", "--csv", "v", "--svg", "v"],
        &["replay", "t.take", "--csv", "q", "--contacts", "q"],
    ];
    for words in wrong {
        let mut given: Vec<String> = vec![words[0].into()];
        given.extend(words[1..].iter().map(|w| match w.starts_with("--") {
            true => (*w).to_owned(),
            false => path(&at, w),
        }));
        let given: Vec<&str> = given.iter().map(String::as_str).collect();
        let done = driftless(&given);
        let said = text(&done.stderr);
        assert_eq!(done.status.code(), Some(2), "{words:?}: {said}");
        assert!(said.contains("a file of its own"), "{words:?}: {said}");
        for (name, before) in inputs.iter().zip(&before) {
            assert_eq!(&fs::read(at.join(name)).unwrap(), before, "{words:?}");
        }
        assert!(
            !at.join("q").exists() && !at.join("v").exists(),
            "{words:?}"
        );
    }
}

#[test]
fn outputs_that_hold_nothing_may_be_the_same() {
    if !cfg!(unix) {
        return;
    }
    let words = [
        "run",
        "pendulum",
        "--steps",
        "2",
        "--csv",
        "/dev/null",
        "--take",
        "/dev/null",
    ];
    let done = driftless(&words);
    assert_eq!(done.status.code(), Some(0), "{}", text(&done.stderr));
}

#[test]
fn two_runs_on_one_take_do_not_mix() {
    let at = fixture("alone");
    let take = at.join("t.take");
    // Another run, as far as the file is concerned.
    let other = fs::File::options().write(true).open(&take).unwrap();
    other.lock().unwrap();
    let before = fs::read(&take).unwrap();
    let [scene, take] = [path(&at, "in.ron"), path(&at, "t.take")];
    let words = ["run", &scene, "--steps", "5", "--take", &take];
    let done = driftless(&words);
    assert_eq!(done.status.code(), Some(1));
    assert!(text(&done.stderr).contains("another run is writing it"));
    assert_eq!(fs::read(&take).unwrap(), before);
    drop(other);
    assert_eq!(driftless(&words).status.code(), Some(0));
    assert_eq!(driftless(&["replay", &take]).status.code(), Some(0));
}

#[test]
fn a_byte_order_mark_is_taken_and_what_is_not_utf_8_is_refused_with_its_place() {
    let at = fixture("encoding");
    let marked = [b"\xef\xbb\xbf", SCENE.as_bytes()].concat();
    fs::write(at.join("marked.ron"), marked).unwrap();
    let done = driftless(&["check", &path(&at, "marked.ron")]);
    assert_eq!(done.status.code(), Some(0), "{}", text(&done.stderr));
    fs::write(at.join("latin.ron"), b"(version: 1,\n title: \"caf\xe9\")").unwrap();
    let done = driftless(&["check", &path(&at, "latin.ron")]);
    assert_eq!(done.status.code(), Some(2));
    let said = text(&done.stderr);
    assert!(
        said.contains("latin.ron:2:13") && said.contains("UTF-8"),
        "{said}"
    );
}

#[test]
#[cfg(unix)]
fn paths_that_are_no_text_work() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let at = fixture("bytes").join(OsStr::from_bytes(b"caf\xe9"));
    fs::create_dir_all(&at).unwrap();
    let [scene, mesh] = ["mesh.ron", "rock.obj"].map(|n| at.join(n));
    fs::copy(at.parent().unwrap().join("mesh.ron"), &scene).unwrap();
    fs::write(mesh, MESH).unwrap();
    let run = |words: &[&OsStr]| {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_driftless"));
        let done = command.args(words).output().unwrap();
        assert_eq!(done.status.code(), Some(0), "{}", text(&done.stderr));
    };
    run(&["check".as_ref(), scene.as_ref()]);
    let csv = at.join(OsStr::from_bytes(b"\xff.csv"));
    run(&[
        "run".as_ref(),
        scene.as_ref(),
        "--steps".as_ref(),
        "2".as_ref(),
        "--csv".as_ref(),
        csv.as_ref(),
    ]);
    assert!(csv.exists());
}
