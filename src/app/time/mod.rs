//! Moving through time: what a person can ask for, carried out without holding up the window.

mod beside;
mod takes;

pub use beside::BesideStatus;

use super::hands::Hands;
use super::pacing::Pacing;
use super::session::Session;
use super::shell::Shell;
use super::view::View;
use crate::sim::timeline::BranchId;
use bevy::prelude::*;
use std::path::PathBuf;
use std::time::Duration;
use takes::Jobs;

/// Longest time of a frame that goes into steps on the way to another moment.
const SLICE: Duration = Duration::from_millis(30);

/// Wishes about time.
#[derive(Debug, Clone, PartialEq)]
pub enum TimeWish {
    /// Moves to a step of the branch and pauses there.
    Seek(u64),
    /// Moves so many steps back (negative) or on, and pauses there.
    By(i64),
    /// Moves to the first moment; if time runs, it goes on from there.
    Start,
    /// Moves to the last moment of the branch, likewise.
    End,
    /// Plays backwards, or pauses.
    Backwards,
    /// Names the moment shown.
    Bookmark,
    /// Gives a named moment another name, by its place in the list.
    Rename(usize, String),
    /// Takes a name back.
    Unname(usize),
    /// Moves to the named moment so many places later (or earlier, if negative) on the way that time went.
    Named(i32),
    /// Moves to a step of any branch and pauses there.
    Visit(BranchId, u64),
    /// Forgets a branch.
    Remove(BranchId),
    /// Changes the memory for the past [bytes].
    Memory(usize),
    /// Saves the way that time went as a take; no path means the usual place.
    SaveTake(Option<PathBuf>),
    /// Saves what the plots show as a table; no path means the usual place.
    SaveTable(Option<PathBuf>),
    /// Opens a take: its scene, with the recorded run as its past.
    OpenTake(PathBuf),
    /// Replays the way that time went and compares every bit.
    CheckReplay,
    /// Ends work beside the window, by its place in the list.
    Cancel(usize),
    /// Gives up the step that is under way, and pauses.
    GiveUp,
}

/// Wishes about time, and the work beside the window that some of them need.
#[derive(Resource, Default)]
pub struct Travel {
    wishes: Vec<TimeWish>,
    jobs: Jobs,
}

impl Travel {
    /// Takes a wish, to be carried out in this frame.
    pub fn wish(&mut self, wish: TimeWish) {
        self.wishes.push(wish);
    }
}

/// Moves through time.
pub struct TimePlugin;

impl Plugin for TimePlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<Travel>().add_systems(
            Update,
            (carry_out, follow).chain().in_set(super::AppSet::Travel),
        );
    }
}

fn carry_out(
    mut travel: ResMut<Travel>,
    mut session: ResMut<Session>,
    mut shell: ResMut<Shell>,
    mut pacing: ResMut<Pacing>,
    mut view: ResMut<View>,
) {
    let travel = &mut *travel;
    for wish in std::mem::take(&mut travel.wishes) {
        match wish {
            TimeWish::Seek(step) => {
                pacing.play(false);
                session.seek(step);
            }
            TimeWish::By(steps) => {
                pacing.play(false);
                session.seek_by(steps);
            }
            TimeWish::Start => session.seek(0),
            TimeWish::End => session.seek(u64::MAX),
            TimeWish::Backwards => pacing.rewind(),
            TimeWish::Bookmark => bookmark(&mut session, &mut shell),
            TimeWish::Rename(place, name) => session.rename_bookmark(place, name),
            TimeWish::Unname(place) => session.remove_bookmark(place),
            TimeWish::Named(places) => {
                if let Some(step) = named(&session, places) {
                    pacing.play(false);
                    session.seek(step);
                }
            }
            TimeWish::Visit(branch, step) => {
                pacing.play(false);
                session.visit(branch, step);
                view.stand(&session);
            }
            TimeWish::Remove(branch) => {
                session.remove_branch(branch);
            }
            TimeWish::Memory(bytes) => session.set_budget(bytes),
            TimeWish::SaveTake(path) => travel.jobs.save(path, &session),
            TimeWish::SaveTable(path) => travel.jobs.save_table(path, &session),
            TimeWish::OpenTake(path) => travel.jobs.open(path, &session),
            TimeWish::CheckReplay => travel.jobs.check(&session),
            TimeWish::Cancel(place) => travel.jobs.cancel(place),
            TimeWish::GiveUp => {
                pacing.play(false);
                session.stay();
            }
        }
    }
    // A clock that runs backwards asks for its moments itself.
    if !pacing.backwards && session.travel(SLICE) {
        view.stand(&session);
    }
}

/// Names the moment shown by its time.
fn bookmark(session: &mut Session, shell: &mut Shell) {
    let Some(timeline) = session.timeline() else {
        return;
    };
    let name = format!("Bookmark {}", timeline.bookmarks().len() + 1);
    shell.notices.hint(format!(
        "{name} at {}: under Bookmarks it can be named.",
        super::format::clock(session.sample.time)
    ));
    session.bookmark(name);
}

/// The step of the named moment so many places later on the way that time went.
fn named(session: &Session, places: i32) -> Option<u64> {
    let timeline = session.timeline()?;
    let here = session.goal().unwrap_or(session.sample.step);
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

/// Takes in what was done beside the window, and tells how far the rest has got.
fn follow(
    mut travel: ResMut<Travel>,
    mut session: ResMut<Session>,
    mut shell: ResMut<Shell>,
    mut pacing: ResMut<Pacing>,
    mut view: ResMut<View>,
    mut hands: ResMut<Hands>,
) {
    for outcome in travel.jobs.ended(session.generation) {
        if let Some(opened) = outcome.tell(&mut shell) {
            takes::show(opened, &mut session, &mut shell, &mut view);
            hands.pointer.drop_all();
            pacing.play(true);
            pacing.seek(session.scene.view.speed);
        }
    }
    let beside = travel.jobs.status();
    if shell.beside != beside {
        shell.beside = beside;
    }
}
