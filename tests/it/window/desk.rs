//! What the tests of panels show, and what was asked of it.

use bevy::prelude::{App, World};
use bevy_egui::egui::{Ui, Vec2};
use driftless::window::commands::{Command, CommandQueue};
use driftless::window::compare::Comparing;
use driftless::window::editing::EditorState;
use driftless::window::jobs::Jobs;
use driftless::window::palette::PaletteState;
use driftless::window::papers::Papers;
use driftless::window::plots::custom::CustomPlots;
use driftless::window::record::Recording;
use driftless::window::scenes::SceneList;
use driftless::window::scenes::gallery::GalleryState;
use driftless::window::scenes::opening::Opener;
use driftless::window::session::Session;
use driftless::window::session::pacing::Pacing;
use driftless::window::solver::SolverView;
use driftless::window::state::highlight::Highlight;
use driftless::window::state::look::Look;
use driftless::window::state::notices::Notices;
use driftless::window::state::preferences::Preferences;
use driftless::window::state::tool::Tool;
use driftless::window::state::workspace::Workspace;
use egui_kittest::Harness;

/// What panels show, and what was asked of them.
pub struct Desk {
    pub session: Session,
    pub look: Look,
    pub highlight: Highlight,
    pub workspace: Workspace,
    pub notices: Notices,
    pub preferences: Preferences,
    pub recording: Recording,
    pub scene_list: SceneList,
    pub custom_plots: CustomPlots,
    pub editor: EditorState,
    pub solver_view: SolverView,
    pub jobs: Jobs,
    pub opener: Opener,
    pub tool: Tool,
    pub pacing: Pacing,
    pub comparing: Comparing,
    pub papers: Papers,
    pub gallery: GalleryState,
    pub finder: PaletteState,
    pub asked: Vec<Command>,
}

/// A panel, by what is asked of it in a frame.
pub type Panel = fn(&mut Ui, &mut Desk) -> Vec<Command>;

/// A scene as it is when it was opened.
pub fn desk(spec: &str) -> Desk {
    let scene = driftless::scene::open(spec, &[]).expect("the scene is shipped");
    showing(Session::new(scene).expect("the scene runs"))
}

/// A session as it is.
pub fn showing(session: Session) -> Desk {
    let mut look = Look::default();
    look.suit(&session);
    let charts = session.scene.view.charts.clone();
    let custom_plots = CustomPlots {
        known: charts.clone(),
        charts,
        ..CustomPlots::default()
    };
    Desk {
        session,
        look,
        highlight: Highlight::default(),
        workspace: Workspace::default(),
        notices: Notices::default(),
        preferences: Preferences::default(),
        recording: Recording::default(),
        scene_list: SceneList::default(),
        custom_plots,
        editor: EditorState::default(),
        solver_view: SolverView::default(),
        jobs: Jobs::default(),
        opener: Opener::default(),
        tool: Tool::default(),
        pacing: Pacing::default(),
        comparing: Comparing::default(),
        papers: Papers::default(),
        gallery: GalleryState::default(),
        finder: PaletteState::default(),
        asked: Vec::new(),
    }
}

/// Takes out of a window what its panels show, lanes included.
pub fn desk_of(mut app: App) -> Desk {
    let world = app.world_mut();
    let session = world.remove_resource().expect("the window has a session");
    let comparing = world.remove_resource().expect("the window has lanes");
    Desk {
        comparing,
        ..showing(session)
    }
}

/// What panels show, as the resources of a window whose rooms have told what their panels draw.
pub fn world(desk: Desk) -> World {
    let mut world = World::new();
    world.insert_resource(desk.session);
    world.insert_resource(desk.look);
    world.insert_resource(desk.highlight);
    world.insert_resource(desk.workspace);
    world.insert_resource(desk.preferences);
    world.insert_resource(desk.recording);
    world.insert_resource(desk.scene_list);
    world.insert_resource(desk.custom_plots);
    world.insert_resource(desk.editor);
    world.insert_resource(desk.solver_view);
    world.insert_resource(desk.opener);
    world.insert_resource(desk.tool);
    world.insert_resource(desk.comparing);
    world.insert_resource(desk.papers);
    world.init_resource::<CommandQueue>();
    driftless::window::add_panels(&mut world);
    world
}

/// Shows a panel in a room of a size until it comes to rest.
pub fn show(desk: Desk, size: impl Into<Vec2>, panel: Panel) -> Harness<'static, Desk> {
    let mut harness = begin(desk, size, panel);
    harness.run();
    harness
}

/// Shows a panel that may move by itself.
pub fn begin(desk: Desk, size: impl Into<Vec2>, panel: Panel) -> Harness<'static, Desk> {
    let draw = move |ui: &mut Ui, desk: &mut Desk| {
        let asked = panel(ui, desk);
        desk.asked.extend(asked);
    };
    Harness::builder()
        .with_size(size)
        // A few pictures of the gallery are read in each frame.
        .with_max_steps(64)
        .build_ui_state(draw, desk)
}
