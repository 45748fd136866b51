//! The `driftless` program: opens the window where there is one, and runs commands without it.

use driftless::cli::{self, OpenArguments, Request};
use std::process::ExitCode;

fn main() -> ExitCode {
    match cli::parse() {
        Request::Open(open) => window(&open),
        Request::Command(command) => cli::execute(&command),
    }
}

#[cfg(feature = "app")]
fn window(open: &OpenArguments) -> ExitCode {
    use driftless::app;

    if !app::display_available() {
        return cli::run_instead(open, "There is no display, so this runs without a window.");
    }
    let options = app::OpenOptions {
        run_for: open.run_for,
        screenshot: open.screenshot.clone(),
        csv: open.csv.clone(),
    };
    let opened = cli::open_scene(&open.scene, &[]).and_then(|scene| {
        app::open(scene, options).map_err(|error| cli::Failure::Window(error.to_string()))
    });
    cli::exit_code(opened)
}

#[cfg(not(feature = "app"))]
fn window(open: &OpenArguments) -> ExitCode {
    cli::run_instead(
        open,
        "This build has no window (it was made with --no-default-features), so this runs without one.",
    )
}
