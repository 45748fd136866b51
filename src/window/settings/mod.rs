//! Settings of the window that outlast it: one file in the person's configuration folder.
//!
//! It is JSON, which the program writes for other purposes already: numbers of up to fifteen digits come back as they
//! were, every entry can be read by itself when another one is wrong, and any editor shows it. A change is on the disk
//! half a second later; a file that was not understood is kept beside the new one.

mod entries;
mod file;
mod memory_ui;
pub mod settings_ui;
#[cfg(test)]
mod tests;

use crate::jobs::{Cancel, Job, Jobs};
use crate::record::Recording;
use crate::schedule::AppSet;
use crate::settings::file::SettingsFile;
use crate::state::arrangement::Arrangement;
use crate::state::look::Look;
use crate::state::notices::Notices;
use crate::state::panels::PanelId;
use crate::state::preferences::Preferences;
use crate::state::workspace::Workspace;
use crate::ui::panels::AddPanel;
use bevy::ecs::message::MessageCursor;
use bevy::prelude::*;
use bevy::window::{PrimaryWindow, WindowMode};
use std::path::{Path, PathBuf};

/// How often it is looked whether something has changed (s).
const PAUSE: f32 = 0.5;
/// What the job is called that writes them.
const WRITING: &str = "Writing the settings";
/// Names the folder of the settings.
const VARIABLE: &str = "DRIFTLESS_CONFIG_DIR";

/// The folder of the settings: the one named on the command line, the one in the environment, that of the person.
pub fn folder(named: Option<&Path>) -> Option<PathBuf> {
    let environment = std::env::var_os(VARIABLE).filter(|dir| !dir.is_empty());
    let person = || {
        let dirs = directories::ProjectDirs::from("", "", "driftless")?;
        Some(dirs.config_dir().to_owned())
    };
    named
        .map(PathBuf::from)
        .or_else(|| environment.map(PathBuf::from))
        .or_else(person)
}

/// What keeps the settings; without it, nothing is remembered.
#[derive(Resource)]
pub struct SettingsStore {
    file: SettingsFile,
    writing: Option<Job<Result<(), String>>>,
    waited: f32,
}

impl SettingsStore {
    /// Reads what is remembered, and says in the notices what was wrong.
    pub fn read(folder: &Path, world: &mut World) -> Self {
        let (file, problems) = SettingsFile::read(folder, world);
        if !problems.is_empty() {
            world.resource_mut::<Notices>().memory = Some(format!(
                "Some of {} is not understood; the rest is taken.\n{}",
                file.path().display(),
                problems.join("\n")
            ));
        }
        let recent = &mut world.resource_mut::<Preferences>().recent;
        recent.retain(|path| path.exists());
        Self {
            file,
            writing: None,
            waited: 0.0,
        }
    }
}

/// All settings as they are at first; what was collected stays.
pub fn reset(world: &mut World) {
    let mut fresh = World::new();
    fresh.init_resource::<Look>();
    fresh.init_resource::<Workspace>();
    fresh.init_resource::<Preferences>();
    fresh.init_resource::<Recording>();
    for entry in entries::ENTRIES.iter().filter(|e| !e.collected) {
        (entry.set)(world, &(entry.get)(&fresh))
            .expect("what is there at first keeps its own rule");
    }
    world.resource_mut::<Workspace>().narrow = Arrangement::narrow();
}

/// Keeps the settings.
pub struct PreferencesPlugin;

impl Plugin for PreferencesPlugin {
    fn build(&self, app: &mut App) {
        app.add_systems(
            Update,
            (fit_window, keep.run_if(resource_exists::<SettingsStore>))
                .chain()
                .in_set(AppSet::KeepSettings),
        )
        .add_systems(
            Last,
            keep_last
                .run_if(resource_exists::<SettingsStore>)
                .in_set(AppSet::KeepSettings),
        );
    }
}

/// The window has the size that is remembered, unless a person gives it another.
fn fit_window(
    mut preferences: ResMut<Preferences>,
    mut known: Local<Option<[u32; 2]>>,
    mut windows: Query<&mut Window, With<PrimaryWindow>>,
) {
    let Some(mut window) = windows.iter_mut().next() else {
        return;
    };
    if window.mode != WindowMode::Windowed {
        return;
    }
    let wanted = preferences.window;
    if known.is_some_and(|k| k != wanted) {
        window
            .resolution
            .set_physical_resolution(wanted[0], wanted[1]);
    }
    let now = window.physical_size().to_array();
    if now != wanted && now.iter().all(|edge| *edge > 0) {
        preferences.window = now;
    }
    *known = Some(now);
}

/// Writes what has changed, in the background.
fn keep(world: &mut World) {
    let waited = world.resource::<Time<Real>>().delta_secs();
    world.resource_scope(|world, mut store: Mut<SettingsStore>| {
        store.waited += waited;
        if store.waited < PAUSE {
            return;
        }
        if let Some(job) = &mut store.writing {
            let Some(ended) = job.take() else {
                return;
            };
            store.writing = None;
            if let Err(error) = ended.unwrap_or_else(|panicked| Err(panicked.to_string())) {
                world.resource_mut::<Notices>().memory = Some(error);
            }
        }
        store.waited = 0.0;
        if let Some(change) = store.file.change(world) {
            let jobs = world.resource::<Jobs>();
            let write = jobs.start_unlisted(WRITING, Cancel::Never, move |_| change.write());
            store.writing = Some(write);
        }
    });
}

/// Writes what has changed before the program ends.
fn keep_last(world: &mut World, mut exits: Local<MessageCursor<AppExit>>) {
    let messages = world.resource::<Messages<AppExit>>();
    if exits.read(messages).next().is_none() {
        return;
    }
    world.resource_scope(|world, mut store: Mut<SettingsStore>| {
        let writing = store.writing.take().and_then(Job::finish);
        let writing = writing.map_or(Ok(()), |ended| {
            ended.unwrap_or_else(|panicked| Err(panicked.to_string()))
        });
        let last = store.file.change(world).map_or(Ok(()), |c| c.write());
        // Nobody is left to read a status line.
        for error in [writing, last].into_iter().filter_map(Result::err) {
            bevy::log::error!("{error}");
        }
    });
}

/// What the panel of this room draws.
pub fn add_panels(world: &mut World) {
    world.add_panel(PanelId::Settings, settings_ui::panel);
}
