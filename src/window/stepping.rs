//! Steps in Bevy's fixed schedule, at the simulation's own step size, within the frame's share of time.
//!
//! Bevy's clock says only how many steps are due. Simulated time is the simulation's own count of its own steps.

use crate::camera::view::View;
use crate::compare::Comparing;
use crate::record::film::screen::Screening;
use crate::schedule::AppSet;
use crate::session::Session;
use crate::session::background::Headway;
use crate::session::observer::Tap;
use crate::session::playback::Playback;
use bevy::prelude::*;
use std::time::Duration;

/// Longest frame whose time is made up for; after a longer one, time has stood still.
///
/// The frame's share of time for steps already keeps slow frames from breeding slower ones.
const LONGEST: Duration = Duration::from_millis(600);

/// Runs the simulation.
pub struct SteppingPlugin;

impl Plugin for SteppingPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<Playback>()
            .add_systems(
                RunFixedMainLoop,
                (
                    set_clock,
                    collect.run_if(not(crate::record::film::screen::is_filmed)),
                )
                    .chain()
                    .in_set(AppSet::Clock),
            )
            .add_systems(Startup, |mut clock: ResMut<Time<Virtual>>| {
                clock.set_max_delta(LONGEST)
            })
            .add_systems(
                Startup,
                |session: Res<Session>, mut playback: ResMut<Playback>| {
                    playback.seek(session.scene().view.speed)
                },
            )
            .init_resource::<Screening>()
            .add_systems(
                FixedUpdate,
                tick.run_if(not(crate::record::film::screen::is_filmed)),
            )
            .add_systems(
                RunFixedMainLoop,
                (
                    single_steps,
                    interpolate.run_if(not(crate::record::film::screen::is_filmed)),
                    crate::record::film::screen::advance,
                )
                    .chain()
                    .in_set(AppSet::Pose),
            );
    }
}

/// Simulated time at the last frame, from which the pace is measured.
#[derive(Default)]
struct LastFrame(Option<(u64, f64)>);

fn set_clock(
    session: Res<Session>,
    real: Res<Time<Real>>,
    mut playback: ResMut<Playback>,
    mut last: Local<LastFrame>,
    mut clock: ResMut<Time<Virtual>>,
    mut fixed: ResMut<Time<Fixed>>,
) {
    let now = session.sample().time;
    if let Some((generation, then)) = last.0.replace((session.generation(), now))
        && generation == session.generation()
    {
        let moved = if playback.backwards {
            then - now
        } else {
            now - then
        };
        // A jump to another moment is no pace.
        if moved >= 0.0 {
            playback.end_frame(moved, real.delta_secs_f64());
        }
    }
    playback.begin_frame(real.delta());
    let step = Duration::from_secs_f64(session.settings().dt).max(Duration::from_nanos(1));
    if fixed.timestep() != step {
        fixed.set_timestep(step);
    }
    if clock.relative_speed_f64() != playback.target() {
        clock.set_relative_speed_f64(playback.target());
    }
    match (playback.playing, clock.is_paused()) {
        (true, true) => clock.unpause(),
        (false, false) => clock.pause(),
        _ => {}
    }
}

/// Takes a step in that was taken in the background. One that is late is followed by the next at once; one that came
/// in time leaves that to the clock.
fn collect(
    mut session: ResMut<Session>,
    mut playback: ResMut<Playback>,
    mut fixed: ResMut<Time<Fixed>>,
    comparing: Res<Comparing>,
) {
    // On the way to another moment the way itself asks for its steps.
    if !session.is_stepping() || session.goal().is_some() || !playback.playing {
        return;
    }
    let overdue = session.is_overdue(playback.target());
    let headway = playback.book(|| session.go_on());
    if headway == Headway::Taken && overdue {
        fixed.discard_overstep(Duration::MAX);
        step(&mut session, &mut playback, &mut fixed, &comparing);
    } else {
        follow(headway, &mut playback, &mut fixed);
    }
}

fn tick(
    mut session: ResMut<Session>,
    mut playback: ResMut<Playback>,
    mut fixed: ResMut<Time<Fixed>>,
    comparing: Res<Comparing>,
) {
    step(&mut session, &mut playback, &mut fixed, &comparing);
}

/// One step of the clock.
fn step(
    session: &mut Session,
    playback: &mut Playback,
    fixed: &mut Time<Fixed>,
    comparing: &Comparing,
) {
    // On the way to another moment time waits; a clock that runs backwards is always on such a way.
    if !playback.playing || (session.goal().is_some() && !playback.backwards) {
        return;
    }
    // A film of this session that is drawn too slowly holds time up before it takes all memory.
    let is_full = session.tap.as_ref().is_some_and(Tap::is_full);
    // Lanes beside this session that are behind hold it up likewise.
    let left = playback.left();
    let behind = !playback.book(|| comparing.wait(left));
    playback.late |= behind;
    if !playback.has_time() || behind || is_full {
        // What cannot be done in time is left out: time runs slower, the window stays alive.
        fixed.discard_overstep(Duration::MAX);
        return;
    }
    let (left, backwards) = (playback.left(), playback.backwards);
    let headway = playback.book(|| match backwards {
        true if session.waits_for_edit() => Headway::UnderWay,
        true if session.step_back(left) => Headway::Taken,
        true => Headway::Failed,
        false => session.go_on(),
    });
    follow(headway, playback, fixed);
}

/// Lets time wait for a step that is under way, and stand still where one failed.
fn follow(headway: Headway, playback: &mut Playback, fixed: &mut Time<Fixed>) {
    match headway {
        Headway::Taken => {}
        Headway::UnderWay => {
            playback.late = true;
            fixed.discard_overstep(Duration::MAX);
        }
        Headway::Failed => playback.play(false),
    }
}

/// Steps asked for one by one.
fn single_steps(
    mut session: ResMut<Session>,
    mut playback: ResMut<Playback>,
    comparing: Res<Comparing>,
) {
    while playback.due > 0
        && session.goal().is_none()
        && comparing.wait(playback.left())
        && playback.has_time()
    {
        match playback.book(|| session.go_on()) {
            Headway::Taken => playback.due -= 1,
            Headway::UnderWay => break,
            Headway::Failed => playback.due = 0,
        }
    }
}

/// Poses between the last two states, as far as the clock has got between them.
fn interpolate(
    session: Res<Session>,
    playback: Res<Playback>,
    fixed: Res<Time<Fixed>>,
    mut view: ResMut<View>,
) {
    // Where steps are late there is nothing to wait for between them.
    let fraction = if playback.playing && !session.is_stepping() {
        fixed.overstep_fraction_f64().min(1.0)
    } else {
        1.0
    };
    view.time = session.time_at(fraction);
    view.poses.clear();
    view.poses.extend(session.poses_at(fraction));
}
