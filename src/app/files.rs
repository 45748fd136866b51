//! Files in and out: scenes opened, dropped and remembered; pictures and tables saved.

use super::actions::Action;
use super::hands::Wishes;
use super::session::{Session, replacement};
use super::shell::{Entry, Shell};
use super::view::View;
use crate::integrators::refusal;
use crate::scene;
use bevy::prelude::*;
use bevy::render::view::screenshot::{Screenshot, ScreenshotCaptured};
use bevy::tasks::{IoTaskPool, Task, block_on, poll_once};
use bevy::window::FileDragAndDrop;
use std::path::{Path, PathBuf};

/// Most files remembered.
const REMEMBERED: usize = 12;

/// A question for a file that the desktop is asking.
#[derive(Resource, Default)]
pub struct Dialog(Option<Task<Option<PathBuf>>>);

/// Opens and drops files.
pub struct FilesPlugin;

impl Plugin for FilesPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<Dialog>()
            .add_message::<FileDragAndDrop>()
            .add_systems(Update, (answer, drop_file).before(super::AppSet::Apply));
    }
}

/// All scenes that have a name.
pub fn catalogue() -> Vec<Entry> {
    let shipped = scene::shipped().iter().map(|s| Entry {
        spec: s.name.into(),
        description: s.description.clone(),
        generated: false,
    });
    let generated = scene::generators().iter().map(|g| Entry {
        spec: example(g),
        description: g.description.into(),
        generated: true,
    });
    shipped.chain(generated).collect()
}

/// A generator with its parameters as they are where none is given.
fn example(generator: &scene::Generator) -> String {
    let values = generator
        .parameters
        .iter()
        .map(|p| format!("{}={}", p.name, p.default));
    format!(
        "{}:{}",
        generator.name,
        values.collect::<Vec<_>>().join(",")
    )
}

/// Opens a scene; a wrong one never replaces the one that runs.
pub fn open(spec: &str, session: &mut Session, shell: &mut Shell, view: &mut View) -> bool {
    let keep_camera =
        session.scene.name == spec || session.scene.path.as_deref() == Some(Path::new(spec));
    let used = session.simulation.integrator();
    let chosen = used.name != session.scene.integrator;
    let opened = scene::open(spec, &[])
        .map_err(|e| e.to_string())
        .and_then(|s| session.replace(s).map_err(|e| e.to_string()));
    if let Err(error) = opened {
        shell.notices.scene = Some(error);
        return false;
    }
    // A scene brings its own method; whoever chose another one should know why it is not kept.
    if chosen && session.replaced.is_none() && refusal(used, session.simulation.model()).is_some() {
        session.replaced = Some(replacement(used, session.simulation.integrator()));
    }
    shell.scene_opened(session);
    if let Some(path) = session.scene.path.clone() {
        remember(path, shell);
    }
    let orbit = view.orbit;
    view.open(session);
    if keep_camera {
        view.orbit = orbit;
    }
    true
}

/// What opens the scene that is open once more.
pub fn spec(session: &Session) -> String {
    match &session.scene.path {
        Some(path) => path.display().to_string(),
        None => session.scene.name.clone(),
    }
}

/// Asks for a file without holding up the window.
pub fn ask(dialog: &mut Dialog) {
    if dialog.0.is_some() {
        return;
    }
    let question = rfd::AsyncFileDialog::new()
        .set_title("Open a scene or a take")
        .add_filter("Driftless scene or take", &["ron", "take"])
        .pick_file();
    dialog.0 =
        Some(IoTaskPool::get().spawn(async move { question.await.map(|f| f.path().to_owned()) }));
}

fn answer(mut dialog: ResMut<Dialog>, mut wishes: ResMut<Wishes>, mut shell: ResMut<Shell>) {
    let Some(task) = &mut dialog.0 else {
        return;
    };
    let Some(answer) = block_on(poll_once(task)) else {
        return;
    };
    dialog.0 = None;
    match answer {
        Some(path) => wishes.0.push(Action::Open(path.display().to_string())),
        None => shell.notices.hint("No file was chosen. A file can also be dropped here, or its path typed into the list of scenes."),
    }
}

fn drop_file(
    mut drops: MessageReader<FileDragAndDrop>,
    mut wishes: ResMut<Wishes>,
    mut shell: ResMut<Shell>,
) {
    for drop in drops.read() {
        match drop {
            FileDragAndDrop::DroppedFile { path_buf, .. } => {
                wishes.0.push(Action::Open(path_buf.display().to_string()));
            }
            FileDragAndDrop::HoveredFile { path_buf, .. } => {
                let name = path_buf.file_name().unwrap_or_default().to_string_lossy();
                shell.notices.hint(format!("Drop to open {name}"));
            }
            FileDragAndDrop::HoveredFileCanceled { .. } => shell.notices.hint = None,
        }
    }
}

/// Where the list of recent files is kept.
pub fn recent_list() -> Option<PathBuf> {
    let dirs = directories::ProjectDirs::from("", "", "driftless")?;
    Some(dirs.data_local_dir().join("recent_files.txt"))
}

/// The files opened in earlier sessions that still exist, newest first.
pub fn recent(list: Option<&Path>) -> Vec<PathBuf> {
    let text = list.and_then(|list| std::fs::read_to_string(list).ok());
    text.unwrap_or_default()
        .lines()
        .map(PathBuf::from)
        .filter(|p| p.exists())
        .take(REMEMBERED)
        .collect()
}

/// Puts a file at the head of the list.
pub fn remember(path: PathBuf, shell: &mut Shell) {
    let recent = &mut shell.recent;
    let path = path.canonicalize().unwrap_or(path);
    recent.retain(|p| *p != path);
    recent.insert(0, path);
    recent.truncate(REMEMBERED);
    let Some(list) = &shell.recent_list else {
        return;
    };
    let text: String = recent
        .iter()
        .map(|p| format!("{}\n", p.display()))
        .collect();
    let written = list
        .parent()
        .map_or(Ok(()), std::fs::create_dir_all)
        .and_then(|()| std::fs::write(list, text));
    // The list is a convenience; a home directory that cannot be written to is no reason to complain aloud.
    if let Err(error) = written {
        bevy::log::debug!("{}: {error}", list.display());
    }
}

/// A name in the current directory that no file has yet, nor any of those that will be written. Without an ending, that
/// of a folder.
pub fn free_name(scene: &str, ending: &str, taken: &[PathBuf]) -> PathBuf {
    let stem: String = scene
        .chars()
        .map(|c| {
            if c.is_alphanumeric() || "-_".contains(c) {
                c
            } else {
                '_'
            }
        })
        .collect();
    let name = |k: u32| {
        let stem = if k == 0 {
            stem.clone()
        } else {
            format!("{stem}-{k}")
        };
        PathBuf::from(match ending {
            "" => stem,
            ending => format!("{stem}.{ending}"),
        })
    };
    (0..)
        .map(name)
        .find(|p| !p.exists() && !taken.contains(p))
        .unwrap_or_else(|| name(0))
}

/// Saves a picture of the window.
pub fn photograph(commands: &mut Commands, path: PathBuf) {
    commands.spawn(Screenshot::primary_window()).observe(
        move |captured: On<ScreenshotCaptured>,
              mut shell: ResMut<Shell>,
              mut shots: ResMut<Shots>| {
            shots.0 += 1;
            let saved = captured
                .image
                .clone()
                .try_into_dynamic()
                .map_err(|e| e.to_string())
                .and_then(|image| image.to_rgb8().save(&path).map_err(|e| e.to_string()));
            match saved {
                Ok(()) => {
                    shell.notices.file = None;
                    shell.notices.hint(format!("Saved {}", path.display()));
                }
                Err(error) => shell.notices.file = Some(format!("{}: {error}", path.display())),
            }
        },
    );
}

/// Pictures taken so far.
#[derive(Resource, Default)]
pub struct Shots(pub u32);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_neither_on_the_disk_nor_promised() {
        let name = |taken: &[&str]| {
            let taken: Vec<PathBuf> = taken.iter().map(PathBuf::from).collect();
            let free = ["mp4", ""].map(|ending| free_name("a film:x=1", ending, &taken));
            free.map(|p| p.display().to_string())
        };
        assert_eq!(name(&[]), ["a_film_x_1.mp4", "a_film_x_1"]);
        assert_eq!(
            name(&["a_film_x_1.mp4"]),
            ["a_film_x_1-1.mp4", "a_film_x_1"]
        );
        // The tests run beside the manifest.
        assert_eq!(
            free_name("Cargo", "toml", &[]),
            PathBuf::from("Cargo-1.toml")
        );
    }
}
