//! Saving the scene as it was edited, and reading its file again.

use crate::camera::view::View;
use crate::commands::editing::EditCommand;
use crate::commands::{Command, CommandQueue};
use crate::editing::queue::EditQueue;
use crate::editing::{EditorState, Question, drafts, plots};
use crate::jobs::Jobs;
use crate::plots::custom::CustomPlots;
use crate::scenes::files;
use crate::scenes::opening::{Intent, Opener};
use crate::session::Session;
use crate::state::notices::Notices;
use crate::state::preferences::Preferences;
use bevy::prelude::*;
use physics::scene::{self, CameraFile, Scene, Vector};
use std::path::Path;

/// A question for a file that the desktop is asking.
#[derive(Resource, Default)]
pub struct SaveDialog(files::FileDialog);

/// The view as a scene file has it.
pub fn camera(view: &View) -> CameraFile {
    CameraFile {
        eye: Vector(view.orbit.eye()),
        target: Vector(view.orbit.focus),
        up: None,
    }
}

/// Saves to the scene's own file, or asks.
pub fn save(world: &mut World) {
    let session = world.resource::<Session>();
    match session.scene().path.clone() {
        Some(path) if session.document().lost_comments().is_empty() => write(world, &path),
        _ => ask_where(world),
    }
}

/// Asks where to save, and says which comments will be lost.
pub fn ask_where(world: &mut World) {
    let session = world.resource::<Session>();
    let path = session.scene().path.clone();
    let path = path.unwrap_or_else(|| files::free_name(&session.scene().name, "ron", &[]));
    let lost = session.document().lost_comments();
    let question = Question::Save {
        path: path.display().to_string(),
        lost: lost.into_iter().map(str::to_owned).collect(),
    };
    world.resource_mut::<EditorState>().question = Some(question);
}

/// Saves to a file, which is replaced only when all is written. The scene is then that file's.
pub fn write(world: &mut World, path: &Path) {
    // As they are seen, whether or not they were changed just now.
    if plots::write(world) {
        let write = EditCommand::Write(path.to_owned());
        return EditQueue::hold_first(world, write);
    }
    let mut session = world.resource_mut::<Session>();
    let scene = &session.scene();
    let written = write_meshes(scene, path)
        .and_then(|()| scene::replace_file(path, scene.text.as_bytes()).map_err(|e| e.to_string()));
    if let Err(error) = written {
        let said = format!("{}: {error}; nothing was saved", path.display());
        world.resource_mut::<Notices>().file = Some(said);
        return;
    }
    session.mark_saved(path);
    let charts = session.scene().file.charts.clone();
    world.resource_mut::<CustomPlots>().of_file = charts;
    let mut editor = world.resource_mut::<EditorState>();
    editor.question = None;
    if let Some(draft) = editor.draft.take() {
        drafts::discard(&draft);
    }
    let mut notices = world.resource_mut::<Notices>();
    notices.file = None;
    notices.hint(format!("Saved {}", path.display()));
    world
        .resource_mut::<Preferences>()
        .remember(path.to_owned());
}

/// Puts the mesh files of a scene beside its new file. A file that is there and holds something else is left alone.
fn write_meshes(scene: &Scene, path: &Path) -> Result<(), String> {
    let folder = |p: &Path| p.parent().map(Path::to_owned).unwrap_or_default();
    let (to, from) = (folder(path), scene.path.as_deref().map(folder));
    if from.as_ref() == Some(&to) {
        return Ok(());
    }
    for (name, bytes) in &scene.meshes {
        let there = to.join(name);
        match std::fs::read(&there) {
            Ok(old) if old == **bytes => {}
            Ok(_) => {
                let name = there.display();
                return Err(format!(
                    "{name} is another file than the mesh of this scene; choose another folder"
                ));
            }
            // The program brings its own.
            Err(_) if scene::is_shipped_mesh(name, bytes) => {}
            Err(_) => {
                there
                    .parent()
                    .map_or(Ok(()), std::fs::create_dir_all)
                    .and_then(|()| scene::replace_file(&there, bytes))
                    .map_err(|e| format!("{}: {e}", there.display()))?;
            }
        }
    }
    Ok(())
}

/// Asks before reading the scene again would lose edits; true if it does.
pub fn asks_to_reload(world: &mut World) -> bool {
    let asks = world.resource::<Session>().document().is_modified();
    if asks {
        world.resource_mut::<EditorState>().question = Some(Question::Reload);
    }
    asks
}

/// Begins to read the scene again.
pub fn reload(world: &mut World) {
    let session = world.resource::<Session>();
    let of = (session.generation(), session.document().revision());
    let spec = files::spec(session);
    world
        .resource_mut::<Opener>()
        .begin(&spec, Intent::Again { of });
}

/// Asks the desktop where to save, without holding up the window, and takes its answer.
pub fn answer(
    mut dialog: ResMut<SaveDialog>,
    mut queue: ResMut<CommandQueue>,
    mut notices: ResMut<Notices>,
    session: Res<Session>,
    jobs: Res<Jobs>,
) {
    let asked = queue.0.contains(&Command::Edit(EditCommand::Browse));
    if asked && !dialog.0.is_open() {
        let name = format!("{}.ron", session.scene().name);
        let question = rfd::AsyncFileDialog::new()
            .set_title("Save the scene")
            .set_file_name(name)
            .add_filter("Driftless scene", &["ron"])
            .save_file();
        dialog.0.ask(&jobs, question);
    }
    let Some(answer) = dialog.0.answer() else {
        return;
    };
    match answer {
        Err(error) => notices.file = Some(error),
        // The desktop has asked whether a file may be replaced.
        Ok(Some(path)) => queue.0.push(Command::Edit(EditCommand::Write(path))),
        Ok(None) => notices.hint("No file was chosen. Its path can be typed into the bar."),
    }
}
