//! Files of the open scene that change on the disk: read again at once, or asked about where edits would be lost.

use crate::editing::{EditorState, Question, saving};
use crate::scenes::opening::{Intent, Opener};
use crate::session::Session;
use crate::state::notices::Notices;
use bevy::prelude::*;
use notify::{RecommendedWatcher, RecursiveMode, Watcher};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// How long a file is left in peace after a change: editors write in several steps.
const CALM: Duration = Duration::from_millis(120);

/// What is watched.
#[derive(Default)]
pub struct Watch {
    /// Of which scene, by its generation and file.
    of: Option<(u64, Option<PathBuf>)>,
    watcher: Option<RecommendedWatcher>,
    /// Set by the watcher whenever anything changes in the folders of the scene's files.
    stirred: Arc<AtomicBool>,
    /// When the files are to be looked at.
    due: Option<Duration>,
}

/// Reads the scene again when its files have changed.
pub fn look(
    mut watch: Local<Watch>,
    time: Res<Time<Real>>,
    session: Res<Session>,
    mut editor: ResMut<EditorState>,
    mut notices: ResMut<Notices>,
    mut opener: ResMut<Opener>,
    mut commands: Commands,
) {
    let of = (session.generation(), session.scene().path.clone());
    if watch.of.as_ref() != Some(&of) {
        watch.watcher = start(&session, &watch.stirred);
        watch.of = Some(of);
    }
    if watch.stirred.swap(false, Ordering::Relaxed) {
        watch.due = Some(time.elapsed() + CALM);
    }
    if watch.due.is_none_or(|due| time.elapsed() < due) {
        return;
    }
    watch.due = None;
    let Some(path) = session.scene().path.clone() else {
        return;
    };
    let again = opener.is_opening(|i| matches!(i, Intent::Again { .. }));
    if !again && opener.is_opening(|_| true) {
        // Another scene is on its way. Should it not come, this one is looked at again.
        watch.due = Some(time.elapsed() + CALM);
        return;
    }
    // A file that is gone for a moment comes back with another event.
    let Ok(bytes) = std::fs::read(&path) else {
        return;
    };
    // What is no text is read again too, so that its error is shown.
    let text = physics::scene::decode(&path.to_string_lossy(), &bytes).unwrap_or_default();
    let same = session.document().saved_text(session.scene()) == text;
    if same && meshes_are_the_same(&session, &path) {
        if again {
            opener.cancel();
        }
        if std::mem::take(&mut editor.broken) {
            // Mended by taking the change back.
            notices.scene = None;
        }
        return;
    }
    if session.document().is_modified() {
        editor.question = Some(Question::Changed(path));
        return;
    }
    commands.queue(saving::reload);
}

/// Watches the folders of the scene's files.
fn start(session: &Session, stirred: &Arc<AtomicBool>) -> Option<RecommendedWatcher> {
    let path = session.scene().path.as_ref()?;
    let home = folder(path);
    let meshes = session.scene().meshes.keys().map(|name| home.join(name));
    let files: BTreeSet<PathBuf> = meshes.chain([path.clone()]).collect();
    let folders: BTreeSet<PathBuf> = files.iter().map(|f| folder(f)).collect();
    let names: BTreeSet<_> = files
        .iter()
        .filter_map(|f| f.file_name().map(ToOwned::to_owned))
        .collect();
    let stirred = stirred.clone();
    let told = move |event: notify::Result<notify::Event>| {
        // What was missed counts as changed.
        let ours = event.is_err()
            || event.is_ok_and(|e| {
                let named = |p: &PathBuf| p.file_name().is_some_and(|n| names.contains(n));
                !e.kind.is_access() && e.paths.iter().any(named)
            });
        if ours {
            stirred.store(true, Ordering::Relaxed);
        }
    };
    let mut watcher = match notify::recommended_watcher(told) {
        Ok(watcher) => watcher,
        Err(error) => {
            bevy::log::warn!("changes of files are not seen: {error}");
            return None;
        }
    };
    for folder in folders {
        // A mesh that the program brings has no folder.
        if folder.is_dir()
            && let Err(error) = watcher.watch(&folder, RecursiveMode::NonRecursive)
        {
            bevy::log::warn!(
                "{}: changes of files are not seen: {error}",
                folder.display()
            );
        }
    }
    Some(watcher)
}

fn folder(path: &Path) -> PathBuf {
    match path.parent() {
        Some(parent) if parent != Path::new("") => parent.to_owned(),
        _ => PathBuf::from("."),
    }
}

/// Whether the mesh files hold what the scene was made with; one that is not there is one that the program brings.
fn meshes_are_the_same(session: &Session, path: &Path) -> bool {
    let home = folder(path);
    session
        .scene()
        .meshes
        .iter()
        .all(|(name, bytes)| std::fs::read(home.join(name)).map_or(true, |now| now == **bytes))
}
