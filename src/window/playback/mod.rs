//! Moving through time: what a person can ask for, carried out without holding up the window.

mod menus_ui;
mod scrub_ui;
mod takes;
pub mod transport_ui;

use crate::camera::view::View;
use crate::commands::playback::PlaybackCommand;
use crate::jobs::Jobs;
use crate::playback::takes::TakeJobs;
use crate::schedule::AppSet;
use crate::session::Session;
use crate::session::playback::Playback;
use crate::state::notices::Notices;
use bevy::prelude::*;
use std::time::Duration;

/// Longest time of a frame that goes into steps on the way to another moment.
const SLICE: Duration = Duration::from_millis(30);

/// The way to another moment, and work on takes in the background.
#[derive(Resource, Default)]
pub struct Travel {
    jobs: TakeJobs,
}

/// Moves through time.
pub struct PlaybackPlugin;

impl Plugin for PlaybackPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<Travel>()
            .add_systems(Update, (travel, follow).chain().in_set(AppSet::Travel));
    }
}

/// Carries a command out.
pub fn run(
    In(command): In<PlaybackCommand>,
    mut travel: ResMut<Travel>,
    mut session: ResMut<Session>,
    mut notices: ResMut<Notices>,
    mut playback: ResMut<Playback>,
    mut view: ResMut<View>,
    jobs: Res<Jobs>,
) {
    match command {
        PlaybackCommand::Seek(step) => {
            playback.play(false);
            session.seek(step);
        }
        PlaybackCommand::By(steps) => {
            playback.play(false);
            session.seek_by(steps);
        }
        PlaybackCommand::Start => session.seek(0),
        PlaybackCommand::End => session.seek(u64::MAX),
        PlaybackCommand::Backwards => playback.rewind(),
        PlaybackCommand::Bookmark => bookmark(&mut session, &mut notices),
        PlaybackCommand::Rename(place, name) => session.rename_bookmark(place, name),
        PlaybackCommand::Unname(place) => session.remove_bookmark(place),
        PlaybackCommand::Named(places) => {
            if let Some(step) = named(&session, places) {
                playback.play(false);
                session.seek(step);
            }
        }
        PlaybackCommand::Visit(branch, step) => {
            playback.play(false);
            session.visit(branch, step);
            view.stand(&session);
        }
        PlaybackCommand::Remove(branch) => {
            session.remove_branch(branch);
        }
        PlaybackCommand::Memory(bytes) => session.set_budget(bytes),
        PlaybackCommand::SaveTake(path) => travel.jobs.save(&jobs, path, &session),
        PlaybackCommand::SaveTable(path) => travel.jobs.save_table(&jobs, path, &session),
        PlaybackCommand::OpenTake(path) => travel.jobs.open(&jobs, path, &session),
        PlaybackCommand::CheckReplay => travel.jobs.check(&jobs, &session),
        PlaybackCommand::GiveUp => {
            playback.play(false);
            session.stay();
        }
    }
}

/// Goes on towards the moment that was asked for.
fn travel(mut session: ResMut<Session>, mut view: ResMut<View>, playback: Res<Playback>) {
    // A clock that runs backwards asks for its moments itself.
    if !playback.backwards && session.travel(SLICE) {
        view.stand(&session);
    }
}

/// Names the moment shown by its time.
fn bookmark(session: &mut Session, notices: &mut Notices) {
    let Some(timeline) = session.timeline() else {
        return;
    };
    let name = format!("Bookmark {}", timeline.bookmarks().len() + 1);
    notices.hint(format!(
        "{name} at {}: under Bookmarks it can be named.",
        crate::text::format::clock(session.sample().time)
    ));
    session.bookmark(name);
}

/// The step of the named moment so many places later on the way that time went.
fn named(session: &Session, places: i32) -> Option<u64> {
    let timeline = session.timeline()?;
    let here = session.goal().unwrap_or(session.sample().step);
    let mut steps: Vec<u64> = timeline
        .bookmarks()
        .iter()
        .filter(|b| timeline.is_on_way(b.branch, b.step))
        .map(|b| b.step)
        .collect();
    steps.sort_unstable();
    steps.dedup();
    let last = steps.len().checked_sub(1)?;
    let place = if places > 0 {
        let after = steps.partition_point(|s| *s <= here);
        (after <= last).then(|| (after + places as usize - 1).min(last))?
    } else {
        let before = steps.partition_point(|s| *s < here);
        let back = places.unsigned_abs() as usize;
        (before > 0).then(|| before.saturating_sub(back))?
    };
    Some(steps[place])
}

/// Takes in what was done in the background.
fn follow(
    mut commands: Commands,
    mut travel: ResMut<Travel>,
    session: Res<Session>,
    mut notices: ResMut<Notices>,
) {
    for outcome in travel.jobs.ended(session.generation()) {
        if let Some(opened) = outcome.tell(&mut notices) {
            commands.queue(move |world: &mut World| takes::show(opened, world));
        }
    }
}
