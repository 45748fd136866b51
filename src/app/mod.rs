//! The window: everything that names Bevy and egui.
//!
//! ```text
//! pointer, keys ──▶ hands ──▶ Input ──▶ clockwork (fixed schedule) ──▶ Session ──▶ View (poses in between)
//!      panels ──▶ Wishes ──▶ apply ─────────────────────────────────────▲             │
//!                                                                  figures, glyphs, studio draw
//!                                       Session, View ──▶ film: the same room off-screen ──▶ video files
//! ```
//! The window never writes a state: it steps, sends [`Input`](crate::sim::Input) and loads whole scenes.

// A system's parameters and queries say what it reads and writes; bundling them would only hide it.
#![allow(clippy::too_many_arguments, clippy::type_complexity)]

mod actions;
mod apply;
mod camcorder;
mod clockwork;
pub mod compare;
mod convert;
pub mod editing;
mod errand;
mod extent;
mod figures;
mod files;
pub mod film;
mod finder;
mod format;
mod fuzzy;
pub mod gallery;
mod glyphs;
mod grip;
mod ground;
mod habits;
mod hands;
mod hues;
mod keepsake;
mod keys;
pub mod layers;
mod layout;
mod meshes;
mod opening;
mod orbit;
mod pacing;
pub mod panels;
pub mod preferences;
mod ropes;
mod session;
mod shell;
mod sketch;
mod studio;
mod surfaces;
mod theme;
mod time;
mod touches;
mod view;
mod views;
mod wardrobe;

pub use crate::sim::History;
pub use actions::{Action, Axis, Bench, Layer, Selection, Side};
pub use apply::ApplyPlugin;
pub use camcorder::{CamcorderPlugin, FilmWish};
pub use clockwork::ClockworkPlugin;
pub use compare::{CompareWish, Comparing};
pub use editing::EditWish;
pub use errand::OpenOptions;
pub use finder::FinderState;
pub use grip::{Grip, Modifiers};
pub use habits::Habits;
pub use hands::{Hands, HandsPlugin, Wishes};
pub use layers::{LayerStyle, Layers, TrailPoint};
pub use opening::{OpeningStatus, Stage};
pub use orbit::{Orbit, Viewport};
pub use pacing::Pacing;
pub use session::{Headway, Mark, PullReading, Session};
pub use shell::{Entry, FilmStatus, Level, Notices, PlotView, Shell};
pub use theme::{dress, fonts};
pub use time::{BesideStatus, TimePlugin, TimeWish};
pub use touches::{Touch, Touches};
pub use view::View;
pub use views::{CameraMode, NamedView};

use crate::scene::Scene;
use bevy::prelude::*;
use bevy::window::WindowResolution;
use std::path::PathBuf;

/// Order of what happens in a frame, beside Bevy's own.
#[derive(SystemSet, Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AppSet {
    /// Pointer and keys are read.
    Input,
    /// Wishes are carried out.
    Apply,
    /// Time is moved.
    Travel,
    /// What is drawn follows what was simulated.
    Draw,
}

/// Why the window cannot be opened.
#[derive(Debug, thiserror::Error)]
pub enum AppError {
    /// There is nowhere to open it.
    #[error(
        "there is no display: DISPLAY names none that answers; `driftless run` simulates without a window"
    )]
    NoDisplay,
    /// The scene cannot run.
    #[error(transparent)]
    Simulation(#[from] crate::sim::SimulationError),
    /// The table cannot be written.
    #[error("{path}: {error}")]
    Record {
        /// The file.
        path: PathBuf,
        /// What went wrong.
        error: std::io::Error,
    },
    /// The picture was asked for but not saved.
    #[error("{0}")]
    Picture(String),
    /// The window ended with an error.
    #[error("the window ended with exit status {0}; the log says why")]
    Window(u8),
}

/// Whether a window can be opened.
///
/// On Linux the window speaks X11, which Wayland desktops offer as well.
pub fn display_available() -> bool {
    #[cfg(all(unix, not(target_os = "macos")))]
    return std::env::var("DISPLAY").is_ok_and(|name| display_answers(&name));
    #[cfg(not(all(unix, not(target_os = "macos"))))]
    return true;
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

/// Everything of the window that needs no graphics card: simulation, pointer, keys, wishes.
///
/// The tests run it without a window.
pub fn core_plugins(app: &mut App, session: Session, shell: Shell) {
    app.insert_resource(View::of(&session))
        .insert_resource(session)
        .insert_resource(shell)
        .configure_sets(
            Update,
            (AppSet::Apply, AppSet::Travel, AppSet::Draw).chain(),
        )
        .add_plugins((
            ClockworkPlugin,
            HandsPlugin,
            ApplyPlugin,
            CamcorderPlugin,
            TimePlugin,
            compare::ComparePlugin,
            files::FilesPlugin,
            keepsake::KeepsakePlugin,
            preferences::PreferencesPlugin,
            views::ViewsPlugin,
            editing::EditingPlugin,
        ));
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
    let folder = preferences::folder(options.config.as_deref());
    let mut shell = Shell {
        catalogue: files::catalogue(),
        own: panels::Own {
            kept: keepsake::Keepsake::read(keepsake::place(folder.as_deref())),
            ..Default::default()
        },
        desk: editing::Desk {
            drafts: editing::drafts_folder(folder.as_deref()),
            ..Default::default()
        },
        ..Shell::default()
    };
    let preferences = folder.map(|folder| preferences::Preferences::read(&folder, &mut shell));
    shell.scene_opened(&session);
    if options.gallery && shell.habits.gallery_at_start {
        shell.gallery = Some(gallery::GalleryState::default());
    }
    shell
        .notices
        .hint("Ctrl + drag pulls a body. F1 shows everything else.");
    let [width, height] = shell.habits.window;
    let mut app = App::new();
    app.add_plugins(
        DefaultPlugins
            .set(WindowPlugin {
                primary_window: Some(Window {
                    title: apply::title(&session),
                    name: Some("driftless".into()),
                    resolution: WindowResolution::new(width, height),
                    ..default()
                }),
                ..default()
            })
            .set(bevy::log::LogPlugin {
                filter: "warn,wgpu=error,naga=error,winit=error,bevy_egui=error,bevy_render::renderer=error".into(),
                ..default()
            }),
    );
    core_plugins(&mut app, session, shell);
    if let Some(preferences) = preferences {
        app.insert_resource(preferences);
    }
    app.add_plugins((
        layout::LayoutPlugin,
        studio::StudioPlugin,
        ground::GroundPlugin,
        figures::FiguresPlugin,
        glyphs::GlyphsPlugin,
        ropes::RopesPlugin,
        layers::LayersPlugin,
        compare::GhostsPlugin,
        compare::ViewsPlugin,
    ));
    if let Some(take) = &options.take {
        // Time waits until the take is there.
        app.world_mut().resource_mut::<Pacing>().play(false);
        let mut travel = app.world_mut().resource_mut::<time::Travel>();
        travel.wish(TimeWish::OpenTake(take.clone()));
    }
    let mut comparing = app.world_mut().resource_mut::<Comparing>();
    let lanes = options.lanes.iter().cloned().map(CompareWish::Add);
    lanes.for_each(|lane| comparing.wish(lane));
    errand::run(app, options)
}
