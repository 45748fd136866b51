//! Files that were saved, opened by the programs of the desktop.

use crate::jobs::Jobs;
use std::path::Path;
use std::process::{Command, Stdio};

/// The program that opens anything as a double click would.
const OPENER: &str = if cfg!(target_os = "macos") {
    "open"
} else if cfg!(windows) {
    "explorer"
} else {
    "xdg-open"
};

/// Opens a file by the program that the desktop has for it.
pub fn play(jobs: &Jobs, file: &Path) -> Result<(), String> {
    start(jobs, Command::new(OPENER).arg(file))
}

/// Shows the folder of a file, with the file marked where the desktop can.
pub fn reveal(jobs: &Jobs, file: &Path) -> Result<(), String> {
    if cfg!(target_os = "macos") {
        return start(jobs, Command::new(OPENER).arg("-R").arg(file));
    }
    if cfg!(windows) {
        let mut marked = std::ffi::OsString::from("/select,");
        marked.push(file);
        return start(jobs, Command::new(OPENER).arg(marked));
    }
    let folder = file.parent().filter(|f| !f.as_os_str().is_empty());
    start(
        jobs,
        Command::new(OPENER).arg(folder.unwrap_or(Path::new("."))),
    )
}

/// Starts a program that goes on by itself.
fn start(jobs: &Jobs, command: &mut Command) -> Result<(), String> {
    let quiet = command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    let started = quiet.spawn();
    let mut child = started.map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => {
            format!("`{OPENER}` is not installed, so the file has to be opened by hand")
        }
        _ => format!("`{OPENER}` could not be started: {error}"),
    })?;
    // It is waited for, so that nothing is left of it when it has ended.
    jobs.detach("Waiting for a program of the desktop", move || {
        let _ = child.wait();
    });
    Ok(())
}
