//! Keeps the lanes with the session: hands on what was done, has them begin anew where the session went elsewhere,
//! and finds the moment that all are drawn at.

use crate::camera::view::View;
use crate::commands::compare::LaneArrangement;
use crate::compare::board::Sheet;
use crate::compare::commands::tell;
use crate::compare::worker::Order;
use crate::compare::{Comparing, SessionMoment};
use crate::scenes::files;
use crate::schedule::AppSet;
use crate::session::Session;
use crate::session::playback::Playback;
use crate::state::look::Look;
use crate::state::notices::Notices;
use bevy::prelude::*;
use physics::sim::Change;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// Longest wait for the lanes before a frame of a film.
const LANES_OF_FILM: Duration = Duration::from_secs(2);

/// Runs lanes beside the session.
pub struct ComparePlugin;

impl Plugin for ComparePlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<Comparing>()
            .add_systems(
                RunFixedMainLoop,
                (hand_on, place).chain().in_set(AppSet::Lanes),
            )
            .add_systems(Update, keep_up.in_set(AppSet::Compare));
    }
}

/// Sends the inputs of this frame's steps, and gives the lanes the rest of the frame's time for steps.
fn hand_on(
    mut session: ResMut<Session>,
    mut comparing: ResMut<Comparing>,
    mut playback: ResMut<Playback>,
) {
    if !comparing.is_on() {
        return;
    }
    comparing.feed(&mut session);
    let start = Instant::now();
    if playback.filmed {
        // Every frame of a film shows all lanes at its own time, however long they take.
        while !comparing.wait(LANES_OF_FILM) && start.elapsed() < LANES_OF_FILM {}
        return;
    }
    let left = playback.left();
    playback.book(|| comparing.wait(left));
}

/// Finds where all lanes are drawn: at the same time, which every one that runs has reached.
fn place(
    session: Res<Session>,
    look: Res<Look>,
    playback: Res<Playback>,
    mut comparing: ResMut<Comparing>,
    mut view: ResMut<View>,
) {
    let comparing = &mut *comparing;
    comparing.stands.clear();
    comparing.read_velocities(look.layers.any_velocity());
    // While the session is led through its past there is nothing to draw beside it.
    if !comparing.is_on() || comparing.stale || !comparing.agrees(&session) {
        return;
    }
    let leader = comparing.lanes[comparing.leader].id;
    let reached = |sheet: &Sheet| sheet.lane(leader).and_then(|l| l.reached());
    let Some(reached) = comparing.sheet().and_then(|sheet| reached(&sheet)) else {
        return;
    };
    let mut at = view.time.min(reached);
    if playback.playing && !playback.filmed {
        // A lane with longer steps has passed what lies one of them behind.
        at -= comparing.lag();
    }
    comparing.stand_at(at, &session, &look.layers);
    if let Some(poses) = comparing.poses(leader)
        && poses.len() == view.poses.len()
    {
        view.time = at;
        view.poses.clone_from_slice(poses);
    }
}

/// Brings lanes and session together where they parted.
fn keep_up(
    mut session: ResMut<Session>,
    mut notices: ResMut<Notices>,
    mut comparing: ResMut<Comparing>,
    mut known: Local<Option<(u64, String)>>,
) {
    let spec = files::spec(&session);
    let scene = (session.generation(), spec);
    let before = known.replace(scene.clone());
    if before.as_ref().is_some_and(|b| b.1 != scene.1) {
        comparing.study.leave();
        if comparing.is_on() {
            comparing.stop(&mut session);
            comparing.arrangement = LaneArrangement::default();
            notices.hint("Comparing has ended with the scene that was open before.");
        }
    }
    comparing.study.follow();
    if !comparing.is_on() {
        return;
    }
    comparing.receive(&mut session, &mut notices);
    if comparing.link.as_ref().is_some_and(|l| !l.is_alive()) {
        comparing.stop(&mut session);
        notices.setting = Some("The other runs have stopped; comparing has ended.".into());
        return;
    }
    if comparing.hands_over {
        return;
    }
    if !comparing.stale && comparing.agrees(&session) {
        comparing.unsettled = None;
        return;
    }
    let now = SessionMoment::of(&session);
    // Lanes that were never begun, or were asked to begin anew, do so at once; while the session is led through its
    // past they wait until it rests, or goes on by steps of its own.
    let rests = comparing.unsettled.as_ref() == Some(&now);
    let asked = comparing.stale || comparing.mark.is_none() || session.followed.is_none();
    comparing.unsettled = Some(now);
    if (asked || rests)
        && comparing.wait(Duration::ZERO)
        && let Err(error) = comparing.begin(&mut session)
    {
        comparing.stop(&mut session);
        notices.setting = Some(format!("Comparing has ended: {error}"));
    }
}

impl Comparing {
    /// Whether the lanes read their velocities, which are drawn from the next state on.
    pub(crate) fn read_velocities(&mut self, wanted: bool) {
        let Some(link) = &mut self.link else {
            return;
        };
        let before = link.velocities.swap(wanted, Ordering::Relaxed);
        if wanted && !before {
            link.send(Order::Look);
        }
    }

    /// Takes in what the lanes have to tell: a state to go on from, a file.
    fn receive(&mut self, session: &mut Session, notices: &mut Notices) {
        let Some(link) = &self.link else {
            return;
        };
        let written = link.board().read().written.take();
        let is_done = link.is_done(Duration::ZERO);
        let handed = is_done.then(|| link.board().read().handed.take());
        if let Some(written) = written {
            tell(notices, written);
        }
        let (true, Some(handed)) = (self.hands_over, handed) else {
            return;
        };
        self.hands_over = false;
        let Some(handed) = handed else {
            notices.setting = Some(
                "That run cannot be the reference: it has stopped, or its method cannot run the scene."
                    .into(),
            );
            return;
        };
        let place = self.lanes.iter().position(|l| l.id == handed.id);
        let Some(place) = place.filter(|_| self.agrees(session)) else {
            // The session has gone elsewhere in the meantime.
            self.stale = true;
            return;
        };
        let spec = self.lanes[place].spec.clone();
        let turned = self.turn_session(session, &spec).and_then(|()| {
            let change = Change::Mechanism(handed.mechanism);
            session.change(change).map_err(|e| e.to_string())
        });
        match turned {
            Ok(()) => {
                self.pass_on_perturbation(place);
                self.leader = place;
                session.followed = Some(Vec::new());
                self.mark = Some(SessionMoment::of(session));
            }
            Err(error) => {
                notices.setting = Some(error);
                self.stale = true;
            }
        }
    }

    /// A leader is where it is: whoever led before is the one that is moved when all begin anew.
    fn pass_on_perturbation(&mut self, place: usize) {
        let size = std::mem::take(&mut self.lanes[place].spec.perturbation);
        if size != 0.0 {
            self.lanes[self.leader].spec.perturbation = size;
        }
    }
}
