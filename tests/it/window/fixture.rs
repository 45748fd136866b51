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
use driftless::window::session::playback::Playback;
use driftless::window::solver::SolverView;
use driftless::window::state::highlight::Highlight;
use driftless::window::state::look::Look;
use driftless::window::state::notices::Notices;
use driftless::window::state::preferences::Preferences;
use driftless::window::state::tool::Tool;
use driftless::window::state::workspace::Workspace;
use driftless::window::theme::fonts::fonts;
use egui_kittest::Harness;

/// What panels show, and what was asked of them.
pub struct Fixture {
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
    pub playback: Playback,
    pub comparing: Comparing,
    pub papers: Papers,
    pub gallery: GalleryState,
    pub palette: PaletteState,
    pub asked: Vec<Command>,
}

/// A panel, by what is asked of it in a frame.
pub type Panel = fn(&mut Ui, &mut Fixture) -> Vec<Command>;

/// A scene as it is when it was opened.
pub fn fixture(spec: &str) -> Fixture {
    let scene = driftless::scene::open(spec, &[]).expect("the scene is shipped");
    showing(Session::new(scene).expect("the scene runs"))
}

/// A session as it is.
pub fn showing(session: Session) -> Fixture {
    let mut look = Look::default();
    look.suit(&session);
    let charts = session.scene().view.charts.clone();
    let custom_plots = CustomPlots {
        known: charts.clone(),
        charts,
        ..CustomPlots::default()
    };
    Fixture {
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
        playback: Playback::default(),
        comparing: Comparing::default(),
        papers: Papers::default(),
        gallery: GalleryState::default(),
        palette: PaletteState::default(),
        asked: Vec::new(),
    }
}

/// Takes out of a window what its panels show, lanes included.
pub fn fixture_of(mut app: App) -> Fixture {
    let world = app.world_mut();
    let session = world.remove_resource().expect("the window has a session");
    let comparing = world.remove_resource().expect("the window has lanes");
    Fixture {
        comparing,
        ..showing(session)
    }
}

/// What panels show, as the resources of a window whose rooms have told what their panels draw.
pub fn world(fixture: Fixture) -> World {
    let mut world = World::new();
    world.insert_resource(fixture.session);
    world.insert_resource(fixture.look);
    world.insert_resource(fixture.highlight);
    world.insert_resource(fixture.workspace);
    world.insert_resource(fixture.preferences);
    world.insert_resource(fixture.recording);
    world.insert_resource(fixture.scene_list);
    world.insert_resource(fixture.custom_plots);
    world.insert_resource(fixture.editor);
    world.insert_resource(fixture.solver_view);
    world.insert_resource(fixture.opener);
    world.insert_resource(fixture.tool);
    world.insert_resource(fixture.comparing);
    world.insert_resource(fixture.papers);
    world.init_resource::<CommandQueue>();
    driftless::window::add_panels(&mut world);
    world
}

/// Shows a panel in a room of a size until it comes to rest.
pub fn show(fixture: Fixture, size: impl Into<Vec2>, panel: Panel) -> Harness<'static, Fixture> {
    let mut harness = begin(fixture, size, panel);
    harness.run();
    harness
}

/// Shows a panel that may move by itself.
pub fn begin(fixture: Fixture, size: impl Into<Vec2>, panel: Panel) -> Harness<'static, Fixture> {
    let draw = move |ui: &mut Ui, fixture: &mut Fixture| {
        let asked = panel(ui, fixture);
        fixture.asked.extend(asked);
    };
    let harness = Harness::builder()
        .with_size(size)
        // A few pictures of the gallery are read in each frame.
        .with_max_steps(64)
        .build_ui_state(draw, fixture);
    harness.ctx.set_fonts(fonts());
    harness
}
