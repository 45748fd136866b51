//! Carries commands out, in the order in which they were made: the only place where keys and panels change anything.

mod scene;
mod view;
mod workspace;

use crate::commands::editing::EditCommand;
use crate::commands::playback::PlaybackCommand;
use crate::commands::{Command, CommandQueue};
use crate::compare;
use crate::editing;
use crate::jobs::Jobs;
use crate::papers;
use crate::playback;
use crate::record;
use crate::scenes::files;
use crate::schedule::AppSet;
use crate::session::Session;
use crate::state::notices::Notices;
use bevy::prelude::*;
use bevy::window::{MonitorSelection, PrimaryWindow, WindowMode};
use physics::scene::Take;
use physics::sim::Correction;

/// Carries commands out.
pub struct DispatchPlugin;

impl Plugin for DispatchPlugin {
    fn build(&self, app: &mut App) {
        let after = (tell_corrections, set_title, warn, tell_failures)
            .chain()
            .in_set(AppSet::Tell);
        app.init_resource::<CommandQueue>()
            .add_systems(Update, (dispatch.in_set(AppSet::Apply), after));
    }
}

/// What the window is called.
pub fn title(session: &Session) -> String {
    format!("{} - Driftless", session.scene().name)
}

/// Says so when a step had to be relaxed.
fn warn(session: Res<Session>, mut notices: ResMut<Notices>, mut known: Local<u64>) {
    let relaxed = session.outcomes().relaxed;
    if relaxed > *known && !session.is_past() {
        notices.warn(format!(
            "The contacts of {relaxed} of {} steps were not solved exactly: sliding ones were lifted a little. \
             A smaller dt helps.",
            session.sample().step
        ));
    }
    *known = relaxed;
}

/// Says what a change moved beside what was asked for.
fn tell_corrections(mut session: ResMut<Session>, mut notices: ResMut<Notices>) {
    // Asked for by reading first, so that what depends on the session sees a change only where there is one.
    if session.corrected().is_some()
        && let Some(corrected) = session.take_corrected()
    {
        notices.warn(told(&corrected));
    }
}

/// What a change moved beside what was asked for, as a sentence.
fn told(corrected: &Correction) -> String {
    let text = corrected.to_string();
    let mut letters = text.chars();
    let first = letters.next().map(|c| c.to_uppercase().to_string());
    format!("{}{}.", first.unwrap_or_default(), letters.as_str())
}

/// Says what has failed in the background and nobody else tells of.
fn tell_failures(jobs: Res<Jobs>, mut notices: ResMut<Notices>) {
    if let Some(panicked) = jobs.failures().last() {
        notices.job = Some(panicked.to_string());
    }
}

fn set_title(session: Res<Session>, mut windows: Query<&mut Window, With<PrimaryWindow>>) {
    let title = title(&session);
    for mut window in &mut windows {
        if window.title != title {
            window.title.clone_from(&title);
        }
    }
}

fn dispatch(world: &mut World) {
    // Before the commands: what one of them begins is not there in the same frame, however fast it is compiled.
    editing::carry_out::receive(world);
    let commands = std::mem::take(&mut world.resource_mut::<CommandQueue>().0);
    for command in commands {
        carry_out(world, command);
    }
    scene::receive(world);
}

/// Runs a feature's own system with the command that it is for.
fn run_system<In, M>(
    world: &mut World,
    system: impl IntoSystem<In, (), M> + 'static,
    command: In::Inner<'_>,
) where
    In: SystemInput + 'static,
    M: 'static,
{
    if let Err(error) = world.run_system_cached_with(system, command) {
        // Its parameters are resources that the window always has.
        bevy::log::error!("a command was not carried out: {error}");
    }
}

fn carry_out(world: &mut World, command: Command) {
    match command {
        Command::Film(command) => run_system(world, record::run, command),
        Command::Time(command) => run_system(world, playback::run, command),
        Command::Compare(command) => run_system(world, compare::commands::run, command),
        Command::Papers(command) => run_system(world, papers::carry_out, command),
        Command::Edit(command) => editing::carry_out::run(world, command),
        Command::ExportCsv(path) => {
            run_system(world, playback::run, PlaybackCommand::SaveTable(path))
        }
        Command::Open(path) if Take::is_named(&path) => scene::open_take(world, path.into()),
        Command::Open(spec) => scene::open(world, &spec),
        Command::OpenDialog => run_system(world, files::ask, ()),
        Command::Reload => scene::reload(world),
        Command::Neighbour(places) => scene::open_neighbour(world, places),
        Command::CancelOpening => scene::cancel(world),
        Command::CancelJob(id) => world.resource::<Jobs>().cancel(id),
        Command::Integrator(name) => scene::integrate_by(world, name),
        Command::Settings(settings) => scene::set(world, &settings),
        Command::ToggleContactBudget => scene::toggle_contact_budget(world),
        Command::Reset => editing::carry_out::run(world, EditCommand::Restart),
        Command::TogglePlay | Command::Step(_) | Command::ChangeSpeed(_) | Command::SetSpeed(_) => {
            run_system(world, scene::pace, command)
        }
        Command::FrameSelection
        | Command::FrameAll
        | Command::SceneView
        | Command::ToggleBelow
        | Command::Look(_)
        | Command::KeepView
        | Command::GoToView(_)
        | Command::RenameView(..)
        | Command::ForgetView(_)
        | Command::ToggleTurning
        | Command::ToggleFollowing => run_system(world, view::run, command),
        Command::Screenshot(path) => {
            let session = world.resource::<Session>();
            let path = path.unwrap_or_else(|| files::free_name(&session.scene().name, "png", &[]));
            files::photograph(&mut world.commands(), path);
        }
        Command::ToggleFullscreen => run_system(world, toggle_fullscreen, ()),
        Command::ResetSettings => workspace::reset_settings(world),
        Command::Quit => {
            world.write_message(AppExit::Success);
        }
        shown => run_system(world, workspace::run, shown),
    }
    world.flush();
}

fn toggle_fullscreen(_: In<()>, mut windows: Query<&mut Window, With<PrimaryWindow>>) {
    for mut window in &mut windows {
        window.mode = match window.mode {
            WindowMode::Windowed => WindowMode::BorderlessFullscreen(MonitorSelection::Current),
            _ => WindowMode::Windowed,
        };
    }
}
