//! Opening what a command names.

use super::arguments::OpenArguments;
use super::files;
use super::lanes;
use super::output::Failure;
use crate::scene::{self, Scene, Take};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// Opens a scene by name, parameters or path.
pub fn open_scene(name: impl AsRef<OsStr>, sets: &[(String, String)]) -> Result<Scene, Failure> {
    Ok(scene::open(name, sets)?)
}

/// Opens what the window is to show: a scene, or that of a take, whose file comes with it.
pub fn open_for_window(open: &OpenArguments) -> Result<(Scene, Option<PathBuf>), Failure> {
    let outputs = [
        ("--csv", open.csv.as_deref()),
        ("--screenshot", open.screenshot.as_deref()),
    ];
    let path = Path::new(&open.scene);
    if !Take::is_named(path) {
        let scene = open_with_options(&open.scene, &open.options)?;
        files::distinct(&files::of_scene(&scene), &outputs)?;
        return Ok((scene, None));
    }
    if !open.options.is_empty() {
        let why = "a take is shown as it was recorded: --option is for scenes";
        return Err(Failure::Request(format!("{}: {why}", path.display())));
    }
    if open.csv.is_some() {
        let why =
            "--csv is for scenes; `driftless replay TAKE --csv FILE` writes the table of a take";
        return Err(Failure::Request(format!("{}: {why}", path.display())));
    }
    files::distinct(&[path.into()], &outputs)?;
    Ok((Take::open(path)?.scene, Some(path.into())))
}

/// Opens a scene with options of its method, which become part of its text as if they had been chosen in the window.
fn open_with_options(
    name: impl AsRef<OsStr>,
    options: &[(String, String)],
) -> Result<Scene, Failure> {
    let scene = open_scene(&name, &[])?;
    if options.is_empty() {
        return Ok(scene);
    }
    let mut settings = scene.settings;
    lanes::choose(&mut settings.options, &scene.integrator, options)?;
    let sets = lanes::as_set(&settings.options);
    open_scene(name, &sets.into_iter().collect::<Vec<_>>())
}
