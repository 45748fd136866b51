//! The window: everything that names Bevy and egui.
//!
//! ```text
//! mouse, keys ──▶ pointer ──▶ Input ──▶ stepping (fixed schedule) ──▶ Session ──▶ View (poses in between)
//!      panels ──▶ CommandQueue ──▶ dispatch ───────────────────────────▲             │
//!                                                                             scene3d draws
//!                                       Session, View ──▶ record: the same scene off-screen ──▶ video files
//! ```
//! The window never writes a state: it steps, sends [`Input`](physics::sim::Input) and loads whole scenes.

#![warn(missing_docs)]
// Units stand in brackets, as in `[m]` and `[N·m]`, which looks like a link to an item of that name.
#![allow(rustdoc::broken_intra_doc_links)]
// A system's parameters and queries say what it reads and writes; bundling them would only hide it.
#![allow(clippy::too_many_arguments, clippy::type_complexity)]

pub mod autorun;
pub mod camera;
pub mod commands;
pub mod compare;
mod dispatch;
pub mod editing;
pub mod error;
pub mod jobs;
pub mod layers;
pub mod layout;
mod mesh;
mod methods;
pub mod palette;
pub mod papers;
pub mod playback;
pub mod plots;
pub mod pointer;
pub mod record;
pub mod scene3d;
pub mod scenes;
pub mod schedule;
pub mod session;
pub mod settings;
pub mod solver;
pub mod state;
mod stepping;
mod text;
pub mod theme;
pub mod ui;

use crate::autorun::OpenOptions;
use crate::camera::view::View;
use crate::commands::compare::CompareCommand;
use crate::commands::playback::PlaybackCommand;
use crate::commands::{Command, CommandQueue};
use crate::dispatch::DispatchPlugin;
use crate::editing::EditorState;
use crate::error::AppError;
use crate::palette::PaletteState;
use crate::playback::PlaybackPlugin;
use crate::plots::custom::CustomPlots;
use crate::plots::store::PlotStore;
use crate::pointer::PointerPlugin;
use crate::record::RecordPlugin;
use crate::session::Session;
use crate::session::events::SceneOpened;
use crate::session::playback::Playback;
use crate::settings::SettingsStore;
use crate::solver::SolverView;
use crate::state::StatePlugin;
use crate::state::notices::Notices;
use crate::state::preferences::Preferences;
use crate::state::workspace::Workspace;
use crate::stepping::SteppingPlugin;
pub use physics::sim::History;

use bevy::prelude::*;
use bevy::window::{PrimaryWindow, WindowResolution};
use physics::scene::Scene;
use std::path::Path;

/// Whether a window can be opened.
///
/// On Linux the window speaks Wayland where there is a compositor, else X11.
pub fn display_available() -> bool {
    #[cfg(all(unix, not(target_os = "macos")))]
    return compositor_answers()
        || std::env::var("DISPLAY").is_ok_and(|name| display_answers(&name));
    #[cfg(not(all(unix, not(target_os = "macos"))))]
    return true;
}

/// Whether a Wayland compositor can be reached, which the window then speaks to. A connection that it inherits is believed.
#[cfg(all(unix, not(target_os = "macos")))]
fn compositor_answers() -> bool {
    use std::env::var_os;
    use std::os::unix::net::UnixStream;

    let inherited = var_os("WAYLAND_SOCKET").is_some_and(|name| !name.is_empty());
    let socket = var_os("WAYLAND_DISPLAY").filter(|name| !name.is_empty());
    let named = socket.is_some_and(|name| {
        // A whole path stands for itself.
        let folder = var_os("XDG_RUNTIME_DIR").unwrap_or_default();
        UnixStream::connect(Path::new(&folder).join(name)).is_ok()
    });
    inherited || named
}

/// Whether an X11 display can be reached. One on another machine is believed to be there.
#[cfg(all(unix, not(target_os = "macos")))]
fn display_answers(name: &str) -> bool {
    use std::os::unix::net::UnixStream;

    let Some((host, rest)) = name.rsplit_once(':') else {
        return false;
    };
    let number = rest.split('.').next().unwrap_or(rest);
    let socket = format!("/tmp/.X11-unix/X{number}");
    !matches!(host, "" | "unix") || UnixStream::connect(socket).is_ok()
}

/// Everything of the window that needs no graphics card: simulation, pointer, keys, commands.
///
/// The tests run it without a window.
pub fn core_plugins(app: &mut App, session: Session) {
    crate::schedule::order(app);
    app.insert_resource(View::of(&session))
        .insert_resource(session.jobs().clone())
        .insert_resource(session)
        .init_resource::<SolverView>()
        .init_resource::<PaletteState>()
        .add_plugins((
            StatePlugin,
            SteppingPlugin,
            PointerPlugin,
            DispatchPlugin,
            RecordPlugin,
            PlaybackPlugin,
            crate::compare::follow::ComparePlugin,
            crate::papers::PapersPlugin,
            crate::scenes::files::FilesPlugin,
            crate::plots::store::PlotStorePlugin,
            crate::settings::PreferencesPlugin,
            crate::camera::moving::CameraPlugin,
            editing::EditingPlugin,
        ));
    add_panels(app.world_mut());
}

/// What every panel draws, told by its room.
pub fn add_panels(world: &mut World) {
    for room in [
        scenes::add_panels,
        plots::add_panels,
        solver::add_panels,
        layers::add_panels,
        editing::add_panels,
        compare::add_panels,
        record::add_panels,
        settings::add_panels,
        layout::add_panels,
    ] {
        room(world);
    }
}

/// Opens the window on a scene and returns when it is closed.
pub fn open(scene: Scene, options: OpenOptions) -> Result<(), AppError> {
    if !display_available() {
        return Err(AppError::NoDisplay);
    }
    let mut session = Session::new(scene)?;
    if let Some(path) = &options.csv {
        let failed = |error| AppError::Record {
            path: path.clone(),
            error,
        };
        session.record(path).map_err(failed)?;
    }
    let title = crate::dispatch::title(&session);
    // A display that has answered may be gone by now.
    let mut app = crate::autorun::spared(|| engine(title))?;
    core_plugins(&mut app, session);
    app.add_plugins((
        layout::LayoutPlugin,
        crate::scene3d::ScenePlugin,
        crate::compare::ghosts::GhostsPlugin,
        crate::compare::views::ViewsPlugin,
    ));
    let world = app.world_mut();
    remember(world, options.config.as_deref());
    world.trigger(SceneOpened);
    let gallery = options.gallery && world.resource::<Preferences>().gallery_at_start;
    world.resource_mut::<Workspace>().gallery = gallery;
    world
        .resource_mut::<Notices>()
        .hint(crate::layout::status::STANDING);
    let mut queue = world.resource_mut::<CommandQueue>();
    if let Some(take) = &options.take {
        queue
            .0
            .push(Command::Time(PlaybackCommand::OpenTake(take.clone())));
    }
    let lanes = options.lanes.iter().cloned();
    queue
        .0
        .extend(lanes.map(|lane| Command::Compare(CompareCommand::Add(lane))));
    if options.take.is_some() {
        // Time waits until the take is there.
        world.resource_mut::<Playback>().play(false);
    }
    crate::autorun::run(app, options)
}

/// What draws and what hears of the desktop.
fn engine(title: String) -> App {
    let mut app = App::new();
    app.add_plugins(
        DefaultPlugins
            .set(WindowPlugin {
                primary_window: Some(Window {
                    title,
                    name: Some("driftless".into()),
                    ..default()
                }),
                ..default()
            })
            .set(bevy::log::LogPlugin {
                filter: "warn,wgpu=error,naga=error,winit=error,sctk_adwaita=off,bevy_egui=error,bevy_render::renderer=error".into(),
                ..default()
            }),
    );
    app
}

/// Reads what earlier times have left in the folder of the settings.
fn remember(world: &mut World, config: Option<&Path>) {
    let folder = crate::settings::folder(config);
    let plots = crate::plots::store::place(folder.as_deref());
    world.resource_mut::<CustomPlots>().kept = PlotStore::read(plots);
    world.resource_mut::<EditorState>().drafts = editing::drafts::folder(folder.as_deref());
    if let Some(folder) = folder {
        let store = SettingsStore::read(&folder, world);
        world.insert_resource(store);
    }
    let [width, height] = world.resource::<Preferences>().window;
    let mut windows = world.query_filtered::<&mut Window, With<PrimaryWindow>>();
    for mut window in windows.iter_mut(world) {
        window.resolution = WindowResolution::new(width, height);
    }
}
