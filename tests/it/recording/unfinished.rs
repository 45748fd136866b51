//! Films that do not come to their end: requests that are refused, and interrupts that leave what was drawn.

use crate::recording::record::{program, record, said, scratch, skipped};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// A program that is ended with the test.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        // It has usually left by itself.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Frames of a sequence in the making.
fn drawn(folder: &Path) -> usize {
    let parts = std::fs::read_dir(folder)
        .unwrap()
        .map(|e| e.unwrap().path());
    let part = parts
        .into_iter()
        .find(|p| p.extension().is_some_and(|e| e == "part"));
    part.map_or(0, |p| std::fs::read_dir(p).map_or(0, Iterator::count))
}

/// Whether interrupts are ignored here and by what is started from here, as they are in the background of a shell without
/// job control.
fn ignores_interrupts() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|l| l.strip_prefix("SigIgn:"));
    // SIGINT is the second signal.
    ignored.is_some_and(|mask| u64::from_str_radix(mask.trim(), 16).is_ok_and(|m| m & 2 != 0))
}

#[test]
#[cfg(unix)]
fn what_was_drawn_before_an_interrupt_is_kept() {
    if ignores_interrupts() {
        println!("skipped: interrupts are ignored where the tests were started");
        return;
    }
    let folder = scratch("interrupt");
    let words = [
        "scene.ron",
        "-o",
        "frames",
        "--size",
        "160x90",
        "--duration",
        "1000",
        "--draft",
    ];
    let mut program = program(&folder, &words);
    let mut running = Running(
        program
            .stderr(Stdio::piped())
            .stdout(Stdio::null())
            .spawn()
            .unwrap(),
    );
    let start = Instant::now();
    while drawn(&folder) < 4 {
        if running.0.try_wait().unwrap().is_some() {
            let child = std::mem::replace(&mut running.0, Command::new("true").spawn().unwrap());
            assert!(
                skipped(&child.wait_with_output().unwrap()),
                "it left too early"
            );
            return;
        }
        assert!(
            start.elapsed() < Duration::from_secs(600),
            "nothing is drawn"
        );
        sleep(Duration::from_millis(20));
    }
    let interrupt = Command::new("kill")
        .args(["-INT", &running.0.id().to_string()])
        .status();
    assert!(interrupt.unwrap().success());
    let status = running.0.wait().unwrap();
    assert_eq!(status.code(), Some(1), "it did not do all that was asked");
    let kept = std::fs::read_dir(folder.join("frames")).unwrap().count();
    assert!((4..29_000).contains(&kept), "{kept}");
    assert_eq!(drawn(&folder), 0, "nothing is left beside it");
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn wrong_requests_are_answered_before_anything_is_drawn() {
    let folder = scratch("wrong");
    for (words, status, part) in [
        (&["scene.ron", "-o", "a.avi"][..], 2, "expected .mp4"),
        (
            &["scene.ron", "-o", "a.mp4", "--size", "641x360"],
            2,
            "640x360",
        ),
        (
            &["scene.ron", "-o", "a.gif", "--fps", "60"],
            2,
            "at most 50",
        ),
        (
            &["scene.ron", "-o", "a.mp4", "--camera", "moon"],
            2,
            "follow=BODY",
        ),
        (
            &["scene.ron", "-o", "a.mp4", "--camera", "follow=cube"],
            2,
            "ball",
        ),
        (&["no_scene", "-o", "a.mp4"], 2, "no scene or file"),
        (
            &["scene.ron", "-o", "none/a.mp4"],
            1,
            "cannot write none/a.mp4",
        ),
        (
            &["scene.ron", "-o", "a.mp4", "--integrator", "newton"],
            2,
            "newton",
        ),
    ] {
        let output = record(&folder, words);
        let said = said(&output);
        assert_eq!(output.status.code(), Some(status), "{words:?}: {said}");
        assert!(said.contains(part), "{words:?}: {said}");
    }
    assert_eq!(
        std::fs::read_dir(&folder).unwrap().count(),
        1,
        "only the scene is there"
    );
    std::fs::remove_dir_all(folder).unwrap();
}
