//! Files in and out: scenes opened, dropped and remembered; pictures and tables saved.

use crate::camera::view::View;
use crate::commands::{Command, CommandQueue};
use crate::jobs::{Cancel, Job, Jobs};
use crate::scenes::Entry;
use crate::scenes::SceneList;
use crate::scenes::gallery::{self, GalleryState};
use crate::scenes::opening::{Opened, Opener};
use crate::schedule::AppSet;
use crate::session::Session;
use crate::session::events::SceneOpened;
use crate::state::notices::Notices;
use crate::state::preferences::Preferences;
use bevy::prelude::*;
use bevy::render::view::screenshot::{Screenshot, ScreenshotCaptured};
use bevy::tasks::block_on;
use bevy::window::FileDragAndDrop;
use physics::integrators::refusal;
use physics::scene;
use std::path::{Path, PathBuf};

/// A question for a file that the desktop is asking.
#[derive(Resource, Default)]
pub struct Dialog(FileDialog);

/// The answer to a question for a file, once there is one.
#[derive(Default)]
pub struct FileDialog(Option<Job<Option<PathBuf>>>);

impl FileDialog {
    /// Whether it is being asked.
    pub fn is_open(&self) -> bool {
        self.0.is_some()
    }

    /// Lets the desktop ask, without holding up the window.
    pub fn ask(
        &mut self,
        jobs: &Jobs,
        question: impl Future<Output = Option<rfd::FileHandle>> + Send + 'static,
    ) {
        let asked = move |_: &_| block_on(question).map(|file| file.path().to_owned());
        self.0 = Some(jobs.start_unlisted("Asking for a file", Cancel::GivesUp, asked));
    }

    /// The answer, once; an error if the desktop cannot ask.
    pub fn answer(&mut self) -> Option<Result<Option<PathBuf>, String>> {
        let ended = self.0.as_mut()?.take()?;
        self.0 = None;
        Some(ended.map_err(|panicked| panicked.to_string()))
    }
}

/// Opens and drops files.
pub struct FilesPlugin;

impl Plugin for FilesPlugin {
    fn build(&self, app: &mut App) {
        let jobs = app.world_mut().get_resource_or_init::<Jobs>().clone();
        app.insert_resource(SceneList {
            catalogue: catalogue(),
            ..SceneList::default()
        })
        .init_resource::<GalleryState>()
        .insert_resource(Opener::among(&jobs))
        .init_resource::<Dialog>()
        .add_message::<FileDragAndDrop>()
        .init_resource::<Shots>()
        .add_systems(
            Update,
            (answer, drop_file, follow_shots)
                .chain()
                .in_set(AppSet::Listen),
        );
    }
}

/// All scenes that have a name.
pub fn catalogue() -> Vec<Entry> {
    let shipped = scene::shipped().iter().map(|s| Entry {
        spec: s.name.into(),
        title: s.title.clone(),
        group: s.group.into(),
        description: s.description.clone(),
        generated: false,
    });
    let generated = scene::generators().iter().map(|g| Entry {
        spec: example(g),
        title: gallery::title(g),
        group: "With parameters".into(),
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

/// Goes on with a scene that was opened; a wrong one never replaces the one that runs.
pub fn adopt(world: &mut World, spec: &str, opened: Opened) -> bool {
    let mut session = world.resource_mut::<Session>();
    let keep_camera =
        session.scene().name == spec || session.scene().path.as_deref() == Some(Path::new(spec));
    let used = session.integrator();
    let chosen = session.has_another_method();
    match opened {
        Ok(next) => session.give_way(*next),
        Err(error) => {
            world.resource_mut::<Notices>().scene = Some(error);
            return false;
        }
    }
    // A scene brings its own method; whoever chose another one should know why it is not kept.
    if chosen && session.replaced().is_none() && refusal(used, session.model()).is_some() {
        session.say_replaced(used);
    }
    let path = session.scene().path.clone();
    show_opened(world, path, keep_camera);
    true
}

/// Looks at a scene that has taken the place of another, remembers its file and tells everybody.
pub fn show_opened(world: &mut World, path: Option<PathBuf>, keep_camera: bool) {
    world.trigger(SceneOpened);
    if let Some(path) = path {
        world.resource_mut::<Preferences>().remember(path);
    }
    world.resource_scope(|world, mut view: Mut<View>| {
        let orbit = view.orbit;
        view.open(world.resource::<Session>());
        if keep_camera {
            view.orbit = orbit;
        }
    });
}

/// What opens the scene that is open once more.
pub fn spec(session: &Session) -> String {
    match &session.scene().path {
        Some(path) => path.display().to_string(),
        None => session.scene().name.clone(),
    }
}

/// Asks for a file without holding up the window.
pub fn ask(In(()): In<()>, mut dialog: ResMut<Dialog>, jobs: Res<Jobs>) {
    if dialog.0.is_open() {
        return;
    }
    let question = rfd::AsyncFileDialog::new()
        .set_title("Open a scene or a take")
        .add_filter("Driftless scene or take", &["ron", "take"])
        .pick_file();
    dialog.0.ask(&jobs, question);
}

fn answer(
    mut dialog: ResMut<Dialog>,
    mut queue: ResMut<CommandQueue>,
    mut notices: ResMut<Notices>,
) {
    let Some(answer) = dialog.0.answer() else {
        return;
    };
    match answer {
        Err(error) => notices.file = Some(error),
        Ok(Some(path)) => queue.0.push(Command::Open(path.display().to_string())),
        Ok(None) => notices.hint("No file was chosen. A file can also be dropped here, or its path typed into the list of scenes."),
    }
}

fn drop_file(
    mut drops: MessageReader<FileDragAndDrop>,
    mut queue: ResMut<CommandQueue>,
    mut notices: ResMut<Notices>,
) {
    for drop in drops.read() {
        match drop {
            FileDragAndDrop::DroppedFile { path_buf, .. } => {
                queue.0.push(Command::Open(path_buf.display().to_string()));
            }
            FileDragAndDrop::HoveredFile { path_buf, .. } => {
                let name = path_buf.file_name().unwrap_or_default().to_string_lossy();
                notices.hint(format!("Drop to open {name}"));
            }
            FileDragAndDrop::HoveredFileCanceled { .. } => notices.hint = None,
        }
    }
}

/// A name in the current directory that no file has yet, nor any of those that will be written. Without an ending, that
/// of a folder.
pub fn free_name(scene: &str, ending: &str, taken: &[PathBuf]) -> PathBuf {
    free_name_in(Path::new(""), scene, ending, taken)
}

/// The same in a folder; an empty one is that which the program was started in.
pub fn free_name_in(folder: &Path, scene: &str, ending: &str, taken: &[PathBuf]) -> PathBuf {
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
        folder.join(match ending {
            "" => stem,
            ending => format!("{stem}.{ending}"),
        })
    };
    (0..)
        .map(name)
        .find(|p| !p.exists() && !taken.contains(p))
        .unwrap_or_else(|| name(0))
}

/// What a new scene can begin from: what it is called, and the name that opens it.
pub fn new_scenes() -> impl Iterator<Item = (&'static str, &'static str)> {
    const FIRST: [(&str, &str); 6] = [
        ("Empty, with a floor", "empty"),
        ("Pendulum", "pendulum"),
        ("Double pendulum", "double_pendulum"),
        ("Four-bar linkage", "four_bar"),
        ("Box on a floor", "box_on_floor"),
        ("Cart with a pole", "cart"),
    ];
    FIRST.into_iter()
}

/// Saves a picture of the window; it is compressed and written in the background.
pub fn photograph(commands: &mut Commands, path: PathBuf) {
    commands.spawn(Screenshot::primary_window()).observe(
        move |captured: On<ScreenshotCaptured>, mut shots: ResMut<Shots>, jobs: Res<Jobs>| {
            let (image, file) = (captured.image.clone(), path.clone());
            let save = move |_: &_| {
                let image = image.try_into_dynamic().map_err(|e| e.to_string())?;
                image.to_rgb8().save(&file).map_err(|e| e.to_string())
            };
            let what = format!("Saving {}", path.display());
            shots
                .saving
                .push((path.clone(), jobs.start(what, Cancel::Never, save)));
        },
    );
}

/// Pictures of the window.
#[derive(Resource, Default)]
pub struct Shots {
    /// How many are saved, or could not be.
    pub done: u32,
    saving: Vec<(PathBuf, Job<Result<(), String>>)>,
}

/// Says what became of pictures.
fn follow_shots(mut shots: ResMut<Shots>, mut notices: ResMut<Notices>) {
    let mut ended = Vec::new();
    shots.saving.retain_mut(|(path, job)| {
        let saved = job.take();
        let waits = saved.is_none();
        let saved = saved.map(|s| s.unwrap_or_else(|panicked| Err(panicked.to_string())));
        ended.extend(saved.map(|saved| (path.clone(), saved)));
        waits
    });
    for (path, saved) in ended {
        shots.done += 1;
        match saved {
            Ok(()) => {
                notices.file = None;
                notices.hint(format!("Saved {}", path.display()));
            }
            Err(error) => notices.file = Some(format!("{}: {error}", path.display())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_new_scene_can_be_opened_and_every_template_is_one() {
        for (title, name) in new_scenes() {
            assert!(scene::open(name, &[]).is_ok(), "{title}");
        }
        for template in scene::templates() {
            assert!(
                new_scenes().any(|n| n.1 == template.name),
                "{}",
                template.name
            );
        }
    }

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
