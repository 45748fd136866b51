//! Edits that are not saved, kept in the folder of the settings: after a crash they can be gone on with.

use crate::editing::{EditorState, Question};
use crate::jobs::{Cancel, Job, Jobs};
use crate::scenes::files;
use crate::session::Session;
use crate::state::draft::Draft;
use crate::state::notices::Notices;
use bevy::prelude::*;
use physics::scene;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Shortest time between two drafts.
const PACE: Duration = Duration::from_millis(500);
/// First line of a draft.
const MARK: &str =
    "// A draft of Driftless: edits that were not saved, of the scene named in the next line.";
/// What stands in front of the scene in the second line.
const OF: &str = "// ";
/// Longest name of a draft's file, without its ending.
const LONGEST: usize = 180;

/// Where drafts are kept: beside the settings.
pub fn folder(settings: Option<&Path>) -> Option<PathBuf> {
    Some(settings?.join("drafts"))
}

/// The file of the draft of a scene; names that differ never share one.
fn file_of(folder: &Path, spec: &str) -> PathBuf {
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    let coded = |c: char| {
        let mut buffer = [0; 4];
        let bytes = c.encode_utf8(&mut buffer).bytes();
        bytes.map(|b| format!("%{b:02x}")).collect::<String>()
    };
    let code = |c: char| if plain(c) { c.into() } else { coded(c) };
    let name: String = spec.chars().map(code).collect();
    // The end of a path tells more than its beginning.
    let name = &name[name.len().saturating_sub(LONGEST)..];
    folder.join(format!("{name}.ron"))
}

/// The text of the draft of what is open, if there is anything to keep.
fn draft(session: &Session) -> Option<String> {
    let spec = files::spec(session);
    let spec = spec.lines().next().unwrap_or_default();
    let text = session.document().is_modified();
    text.then(|| format!("{MARK}\n{OF}{spec}\n{}", session.scene().text))
}

/// A file for the draft of what is open that holds no other draft.
fn free_file(session: &Session, folder: &Path) -> PathBuf {
    let spec = files::spec(session);
    let more = (2..).map(|k| format!("{spec} {k}"));
    let names = std::iter::once(spec.clone()).chain(more);
    let mut files = names.map(|name| file_of(folder, &name));
    files
        .find(|f| !f.exists())
        .expect("there are more numbers than files")
}

fn write(file: &Path, text: &str) -> std::io::Result<()> {
    file.parent().map_or(Ok(()), std::fs::create_dir_all)?;
    scene::replace_file(file, text.as_bytes())
}

/// Keeps the edits of what is open now, before it gives way to something else.
pub fn store(world: &mut World) {
    let (session, editor) = (world.resource::<Session>(), world.resource::<EditorState>());
    let (Some(folder), Some(text)) = (&editor.drafts, draft(session)) else {
        return;
    };
    let file = editor.draft.clone();
    let file = file.unwrap_or_else(|| free_file(session, folder));
    let name = &session.scene().name;
    match write(&file, &text) {
        Ok(()) => {
            let said = format!("The unsaved edits of {name} are kept; the next start offers them.");
            world.resource_mut::<Notices>().hint(said);
            world.resource_mut::<EditorState>().draft = Some(file);
        }
        Err(error) => {
            let said = format!("{}: {error}", file.display());
            world.resource_mut::<Notices>().file = Some(said);
        }
    }
}

/// Keeps the edits while one works, in the background; takes the draft away when there is nothing to keep any more.
pub fn keep(
    session: Res<Session>,
    mut editor: ResMut<EditorState>,
    time: Res<Time<Real>>,
    mut exits: MessageReader<AppExit>,
    mut kept: Local<(u64, u64, Duration)>,
    jobs: Res<Jobs>,
    mut writing: Local<Option<Job<()>>>,
) {
    let now = (session.generation(), session.document().revision());
    let leaves = exits.read().next().is_some();
    let changed = now != (kept.0, kept.1);
    if let Some(job) = &mut *writing {
        match job.take() {
            // One after the other, so that the last one stays.
            None if !leaves => return,
            None => {}
            Some(Ok(())) => *writing = None,
            Some(Err(panicked)) => {
                bevy::log::error!("{panicked}; unsaved edits are not kept");
                *writing = None;
            }
        }
    }
    if !changed || (time.elapsed().saturating_sub(kept.2) < PACE && !leaves) {
        return;
    }
    let Some(folder) = editor.drafts.clone() else {
        return;
    };
    *kept = (now.0, now.1, time.elapsed());
    let Some(text) = draft(&session) else {
        if let Some(file) = editor.draft.take() {
            discard(&file);
        }
        return;
    };
    let file = editor.draft.clone();
    let file = file.unwrap_or_else(|| free_file(&session, &folder));
    editor.draft = Some(file.clone());
    let write = move || {
        if let Err(error) = write(&file, &text) {
            bevy::log::error!("{}: {error}; unsaved edits are not kept", file.display());
        }
    };
    if leaves {
        // What is being written is waited for.
        *writing = None;
        write();
    } else {
        *writing = Some(jobs.start_unlisted("Keeping a draft", Cancel::Never, move |_| write()));
    }
}

/// Drafts in a folder, newest first.
pub fn all(folder: &Path) -> Vec<Draft> {
    let files = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let read = |path: PathBuf| {
        let text = std::fs::read_to_string(&path).ok()?;
        let rest = text
            .strip_prefix(MARK)?
            .strip_prefix('\n')?
            .strip_prefix(OF)?;
        let (spec, text) = rest.split_once('\n')?;
        Some(Draft {
            spec: spec.into(),
            text: text.into(),
            kept: path.metadata().and_then(|m| m.modified()).ok()?,
            file: path,
        })
    };
    let mut found: Vec<Draft> = files.filter_map(|f| read(f.path())).collect();
    found.sort_by(|a, b| b.kept.cmp(&a.kept).then(a.file.cmp(&b.file)));
    found
}

/// The next draft to ask about.
pub fn next(editor: &EditorState) -> Option<Draft> {
    let folder = editor.drafts.as_deref()?;
    all(folder).into_iter().next()
}

/// Asks about what an earlier session left.
pub fn offer(mut editor: ResMut<EditorState>) {
    if editor.question.is_none() {
        editor.question = next(&editor).map(Question::Draft);
    }
}

/// Takes a draft away.
pub fn discard(file: &Path) {
    if let Err(error) = std::fs::remove_file(file) {
        bevy::log::warn!("{}: {error}", file.display());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::SystemTime;

    #[test]
    fn different_scenes_have_different_drafts() {
        let folder = Path::new("x");
        let names = [
            "chain:links=20",
            "chain_links_20",
            "a/b.ron",
            "a_b.ron",
            "ä",
        ];
        let files: std::collections::BTreeSet<_> = names.map(|n| file_of(folder, n)).into();
        assert_eq!(files.len(), names.len());
        let long = file_of(folder, &"/long".repeat(100));
        assert!(long.file_name().is_some_and(|n| n.len() <= LONGEST + 4));
    }

    #[test]
    fn ages_are_told_in_the_unit_that_suits() {
        let age = |seconds: u64| {
            Draft {
                file: PathBuf::new(),
                spec: String::new(),
                text: String::new(),
                kept: SystemTime::now() - Duration::from_secs(seconds),
            }
            .age()
        };
        assert_eq!(
            [5, 61, 7300, 200_000].map(age),
            ["a moment ago", "1 minute ago", "2 hours ago", "2 days ago"]
        );
    }
}
