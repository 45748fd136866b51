//! The window: everything that names Bevy and egui.
//!
//! ```text
//! pointer, keys ──▶ hands ──▶ Input ──▶ clockwork (fixed schedule) ──▶ Session ──▶ View (poses in between)
//!      panels ──▶ Wishes ──▶ apply ─────────────────────────────────────▲             │
//!                                                                  figures, glyphs, studio draw
//! ```
//! The window never writes a state: it steps, sends [`Input`](crate::sim::Input) and loads whole scenes.

mod actions;
mod apply;
mod clockwork;
pub mod convert;
mod errand;
mod extent;
mod figures;
mod files;
mod format;
mod glyphs;
mod grip;
mod hands;
mod history;
mod keys;
mod layout;
mod meshes;
mod orbit;
mod pacing;
pub mod panels;
mod session;
mod shell;
mod studio;
mod theme;
mod view;

pub use actions::{Action, Axis, Layer, Selection, Side};
pub use apply::ApplyPlugin;
pub use clockwork::ClockworkPlugin;
pub use errand::OpenOptions;
pub use grip::{Grip, Modifiers};
pub use hands::{Hands, HandsPlugin, Wishes};
pub use history::History;
pub use orbit::{Orbit, Viewport};
pub use pacing::Pacing;
pub use session::{PullReading, Session};
pub use shell::{Entry, Level, Notices, PlotView, Shell};
pub use view::View;

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
    /// What is drawn follows what was simulated.
    Draw,
}

/// Why the window cannot be opened.
#[derive(Debug, thiserror::Error)]
pub enum AppError {
    /// There is nowhere to open it.
    #[error(
        "there is no display: neither DISPLAY nor WAYLAND_DISPLAY is set; `driftless run` simulates without a window"
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
        error: csv::Error,
    },
    /// The picture was asked for but not saved.
    #[error("{0}")]
    Picture(String),
    /// The window ended with an error.
    #[error("the window ended with exit status {0}; the log says why")]
    Window(u8),
}

/// Whether a window can be opened.
pub fn display_available() -> bool {
    let set = |name| std::env::var_os(name).is_some_and(|v: std::ffi::OsString| !v.is_empty());
    !cfg!(all(unix, not(target_os = "macos"))) || set("DISPLAY") || set("WAYLAND_DISPLAY")
}

/// Everything of the window that needs no graphics card: simulation, pointer, keys, wishes.
///
/// The tests run it without a window.
pub fn core_plugins(app: &mut App, session: Session, shell: Shell) {
    app.insert_resource(View::of(&session))
        .insert_resource(session)
        .insert_resource(shell)
        .configure_sets(Update, AppSet::Apply.before(AppSet::Draw))
        .add_plugins((
            ClockworkPlugin,
            HandsPlugin,
            ApplyPlugin,
            files::FilesPlugin,
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
    let mut shell = Shell {
        catalogue: files::catalogue(),
        recent: files::recent(),
        ..Shell::default()
    };
    shell.scene_opened(&session);
    shell
        .notices
        .hint("Ctrl + drag pulls a body. F1 shows everything else.");
    let mut app = App::new();
    app.add_plugins(
        DefaultPlugins
            .set(WindowPlugin {
                primary_window: Some(Window {
                    title: format!("{} - Driftless", session.scene.name),
                    name: Some("driftless".into()),
                    resolution: WindowResolution::new(1280, 720),
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
    app.add_plugins((
        layout::LayoutPlugin,
        studio::StudioPlugin,
        figures::FiguresPlugin,
        glyphs::GlyphsPlugin,
    ));
    errand::run(app, options)
}
