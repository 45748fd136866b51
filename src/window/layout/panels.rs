//! Where the panels are, and the bars above and below everything else.

use crate::commands::compare::CompareCommand;
use crate::commands::{Command, CommandQueue};
use crate::compare::Comparing;
use crate::editing::EditorState;
use crate::jobs::Jobs;
use crate::layout::tiles::tiles_ui;
use crate::palette::PaletteState;
use crate::papers::Papers;
use crate::record::Recording;
use crate::scenes::SceneList;
use crate::scenes::gallery::GalleryState;
use crate::scenes::opening::Opener;
use crate::session::Session;
use crate::session::playback::Playback;
use crate::state::highlight::Highlight;
use crate::state::look::Look;
use crate::state::machine::Machine;
use crate::state::notices::Notices;
use crate::state::panels::PanelId;
use crate::state::preferences::Preferences;
use crate::state::tool::Tool;
use crate::state::workspace::Workspace;
use crate::theme::{self, Palette, colour, size};
use bevy::ecs::system::SystemParam;
use bevy::prelude::*;
use bevy_egui::egui::{self, Frame, Margin, Panel, Rect, Ui, pos2};

/// Draws the bars and the open panels; gives back the rectangle of the view, and the room that it shares with panels.
pub fn panels_ui(world: &mut World, ui: &mut Ui) -> [Rect; 2] {
    world.resource_mut::<Highlight>().pointed.clear();
    let workspace = world.resource::<Workspace>();
    let (panels, gallery) = (workspace.panels, workspace.gallery);
    let profiled = workspace.is_open(PanelId::Profiler);
    let mut session = world.resource_mut::<Session>();
    session.set_profiling(profiled);
    if !panels {
        return [ui.available_rect_before_wrap(); 2];
    }
    run(world, bars, ui);
    if gallery {
        let palette = Palette::of(world.resource::<Look>().dark);
        let frame = frame(palette, 10, 8);
        let width = gallery_width(ui.available_width());
        let room = Panel::right("gallery").exact_size(width).frame(frame);
        room.show(ui, |ui| run(world, gallery_panel, ui));
        return [ui.available_rect_before_wrap(); 2];
    }
    let room = ui.available_rect_before_wrap();
    [tiles_ui(world, ui), room]
}

/// What a panel is drawn on.
fn frame(palette: &Palette, x: i8, y: i8) -> Frame {
    Frame::new()
        .fill(colour(palette.panel))
        .inner_margin(Margin::symmetric(x, y))
}

/// Draws with a system.
pub fn run<M: 'static>(
    world: &mut World,
    system: impl IntoSystem<InMut<'static, Ui>, (), M> + 'static,
    ui: &mut Ui,
) {
    if let Err(error) = world.run_system_cached_with(system, ui) {
        // Its parameters are resources that the window always has.
        bevy::log::error!("a part of the window was not drawn: {error}");
    }
}

/// The plots: those of a figure that is shown, of the lanes, or of the session.
pub fn plots_panel(
    InMut(ui): InMut<Ui>,
    session: Res<Session>,
    highlight: Res<Highlight>,
    comparing: Res<Comparing>,
    papers: Res<Papers>,
    mut look: ResMut<Look>,
) -> Vec<Command> {
    if papers.shown().is_some() {
        crate::papers::panel_ui::panel_ui(ui, &papers)
    } else if comparing.is_on() && comparing.plots {
        crate::compare::panel::overlay::lane_plots_ui(ui, &session, &mut look, &comparing)
    } else {
        crate::plots::live_ui::plots_ui(ui, &session, &mut look, &highlight)
    }
}

fn gallery_panel(
    InMut(ui): InMut<Ui>,
    session: Res<Session>,
    preferences: Res<Preferences>,
    scene_list: Res<SceneList>,
    mut papers: ResMut<Papers>,
    mut gallery: ResMut<GalleryState>,
    mut queue: ResMut<CommandQueue>,
) {
    crate::layout::gallery::gallery_ui(
        ui,
        &session,
        &preferences,
        &scene_list,
        &mut papers,
        &mut gallery,
        &mut queue.0,
    );
}

/// The bars above and below everything else.
fn bars(
    InMut(ui): InMut<Ui>,
    session: Res<Session>,
    look: Res<Look>,
    workspace: Res<Workspace>,
    recording: Res<Recording>,
    comparing: Res<Comparing>,
    notices: Res<Notices>,
    jobs: Res<Jobs>,
    playback: Res<Playback>,
    mut editor: ResMut<EditorState>,
    mut queue: ResMut<CommandQueue>,
) {
    let out = &mut queue.0;
    let palette = Palette::of(look.dark);
    let (bar, panel) = (frame(palette, 10, 0), frame(palette, 10, 8));
    let toolbar = Panel::top("toolbar").exact_size(size::TOOLBAR).frame(bar);
    toolbar.show(ui, |ui| {
        out.extend(crate::layout::toolbar::toolbar_ui(
            ui, &session, &look, &workspace, &recording, &comparing,
        ));
    });
    if let Some(question) = &mut editor.question {
        Panel::top("question").frame(panel).show(ui, |ui| {
            out.extend(crate::editing::question_ui::question_ui(ui, question));
        });
    }
    if session.is_stuck() {
        Panel::top("recovery").frame(panel).show(ui, |ui| {
            out.extend(crate::editing::recovery_ui::recovery_ui(ui, &session));
        });
    }
    let status = Panel::bottom("status").exact_size(size::STATUS).frame(bar);
    status.show(ui, |ui| {
        out.extend(crate::layout::status::status_ui(
            ui, &session, &notices, &jobs,
        ));
    });
    let transport = Panel::bottom("transport").exact_size(size::TRANSPORT);
    transport.frame(bar).show(ui, |ui| {
        out.extend(crate::playback::transport_ui::transport_ui(
            ui, &session, &playback,
        ));
    });
    if comparing.is_on() {
        let height = crate::compare::panel::table::height(&comparing);
        let lanes = Panel::bottom("lanes").exact_size(height).frame(bar);
        lanes.show(ui, |ui| {
            out.extend(crate::compare::panel::table::lane_table_ui(
                ui,
                &comparing,
                playback.late,
            ));
        });
    }
}

/// All that lies over the view, and what it changes of its own; everything else it asks for by commands.
#[derive(SystemParam)]
pub struct Interface<'w> {
    pub session: Res<'w, Session>,
    pub look: ResMut<'w, Look>,
    pub highlight: Res<'w, Highlight>,
    pub workspace: ResMut<'w, Workspace>,
    pub preferences: ResMut<'w, Preferences>,
    pub comparing: ResMut<'w, Comparing>,
    pub tool: Res<'w, Tool>,
    pub machine: Res<'w, Machine>,
    pub recording: Res<'w, Recording>,
    pub playback: Res<'w, Playback>,
    opener: Res<'w, Opener>,
    scene_list: Res<'w, SceneList>,
    palette: ResMut<'w, PaletteState>,
}

impl Interface<'_> {
    /// What lies over the view for a choice.
    pub fn overlays_ui(&mut self, ctx: &egui::Context, free: Rect, out: &mut Vec<Command>) {
        self.study_ui(ctx, out);
        if self.workspace.help {
            self.workspace.help =
                crate::palette::help_ui::help_ui(ctx, self.preferences.single_keys);
        }
        if let Some(opening) = &self.opener.status() {
            out.extend(crate::scenes::opening_ui::opening_ui(
                ctx,
                opening,
                free,
                self.look.dark,
            ));
        }
        if !self.workspace.palette {
            return;
        }
        let chosen = crate::palette::palette_ui::palette_ui(
            ctx,
            &self.session,
            self.look.dark,
            &self.preferences,
            &self.scene_list,
            &mut self.palette,
        );
        if let Some((name, command)) = chosen {
            self.workspace.palette = false;
            self.preferences.note(&name);
            out.push(command);
        }
    }

    /// The convergence view, if it is open.
    fn study_ui(&self, ctx: &egui::Context, out: &mut Vec<Command>) {
        if !self.comparing.study.open {
            return;
        }
        let mut open = true;
        egui::Window::new("Convergence")
            .open(&mut open)
            .collapsible(false)
            .resizable(false)
            .default_pos(pos2(290.0, 120.0))
            .show(ctx, |ui| {
                out.extend(crate::compare::panel::study::study_ui(
                    ui,
                    &self.session,
                    &self.comparing,
                ));
            });
        if !open {
            out.push(Command::Compare(CompareCommand::Study(false)));
        }
    }
}

/// How wide the gallery is in a window of such a width (points).
fn gallery_width(window: f32) -> f32 {
    let (share, least, most) = theme::gallery::WIDTH;
    if window < 2.0 * least {
        return window;
    }
    (share * window).clamp(least, most)
}
