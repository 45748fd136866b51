//! Commands about the scene that is open, its method and its clock.

use crate::commands::Command;
use crate::commands::editing::EditCommand;
use crate::commands::playback::PlaybackCommand;
use crate::dispatch::run_system;
use crate::editing;
use crate::methods::budget;
use crate::playback;
use crate::pointer::Pointing;
use crate::scenes::SceneList;
use crate::scenes::opening::{Intent, Opener};
use crate::session::Session;
use crate::session::playback::Playback;
use crate::state::notices::Notices;
use crate::state::workspace::Workspace;
use bevy::prelude::*;
use physics::integrators::{self, Settings};
use physics::scene::Edit;
use std::path::{Path, PathBuf};

/// Begins to open a scene.
pub fn open(world: &mut World, spec: &str) {
    world.resource_mut::<Workspace>().gallery = false;
    world.resource_mut::<Opener>().begin(spec, Intent::Show);
}

/// Begins to open a take.
pub fn open_take(world: &mut World, path: PathBuf) {
    world.resource_mut::<Workspace>().gallery = false;
    run_system(world, playback::run, PlaybackCommand::OpenTake(path));
}

/// Opens what is open once more, unless that has to be asked about.
pub fn reload(world: &mut World) {
    let session = world.resource::<Session>();
    if let Some(path) = session.take().map(Path::to_path_buf) {
        return run_system(world, playback::run, PlaybackCommand::OpenTake(path));
    }
    if editing::saving::asks_to_reload(world) {
        return;
    }
    let spec = crate::scenes::files::spec(world.resource::<Session>());
    open(world, &spec);
}

/// Opens the scene that is so many places further in the list.
pub fn open_neighbour(world: &mut World, places: i32) {
    let list = world.resource::<SceneList>();
    let named = list.catalogue.iter().filter(|e| !e.generated);
    let named: Vec<&str> = named.map(|e| e.spec.as_str()).collect();
    if named.is_empty() {
        return;
    }
    let open_now = &world.resource::<Session>().scene().name;
    let here = named.iter().position(|n| n == open_now);
    let count = named.len() as i32;
    let next = here.map_or(0, |k| (k as i32 + places).rem_euclid(count));
    let spec = named[next as usize].to_owned();
    open(world, &spec);
}

/// Gives up the scene that is being opened.
pub fn cancel(world: &mut World) {
    world.resource_mut::<Opener>().cancel();
}

/// Goes on with the scene that was being opened, as soon as it is ready.
pub fn receive(world: &mut World) {
    let Some(arrival) = world.resource_mut::<Opener>().take() else {
        return;
    };
    let chosen = arrival.intent == Intent::Show;
    if !editing::arrival::arrive(world, arrival) {
        return;
    }
    world.resource_mut::<Pointing>().pointer.drop_all();
    if chosen {
        let speed = world.resource::<Session>().scene().view.speed;
        let mut playback = world.resource_mut::<Playback>();
        playback.play(true);
        playback.seek(speed);
    }
}

/// Goes on with another method.
pub fn integrate_by(world: &mut World, name: &'static str) {
    // What it does to the energy is seen in the plots, which the gallery covers.
    world.resource_mut::<Workspace>().gallery = false;
    if let Ok(method) = integrators::find(name) {
        let edit = Edit::method(&world.resource::<Session>().scene().file, method);
        editing::carry_out::run(world, EditCommand::Amend(Box::new(edit)));
    }
}

/// Goes on with other settings.
pub fn set(world: &mut World, settings: &Settings) {
    let session = world.resource::<Session>();
    let (file, now) = (&session.scene().file, session.settings());
    if let Some(edit) = Edit::settings(file, now, settings) {
        editing::carry_out::run(world, EditCommand::Amend(Box::new(edit)));
    }
}

/// Gives contacts a budget with which time goes as fast as asked, or takes it away.
pub fn toggle_contact_budget(world: &mut World) {
    let speed = world.resource::<Playback>().target();
    match budget::toggled(world.resource::<Session>(), speed) {
        Ok(settings) => set(world, &settings),
        Err(said) => world.resource_mut::<Notices>().setting = Some(said),
    }
}

/// Commands about the clock.
pub fn pace(In(command): In<Command>, mut playback: ResMut<Playback>) {
    match command {
        Command::TogglePlay => {
            let playing = playback.playing;
            playback.play(!playing);
        }
        Command::Step(steps) => {
            playback.play(false);
            playback.due += steps;
        }
        Command::ChangeSpeed(rungs) => playback.change(rungs),
        Command::SetSpeed(rung) => playback.set(rung),
        _ => {}
    }
}
