//! Opening what a command names.

use super::arguments::OpenArguments;
use super::files;
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
        let scene = open_scene(&open.scene, &[])?;
        files::distinct(&files::of_scene(&scene), &outputs)?;
        return Ok((scene, None));
    }
    if open.csv.is_some() {
        let why =
            "--csv is for scenes; `driftless replay TAKE --csv FILE` writes the table of a take";
        return Err(Failure::Request(format!("{}: {why}", path.display())));
    }
    files::distinct(&[path.into()], &outputs)?;
    Ok((Take::open(path)?.scene, Some(path.into())))
}
