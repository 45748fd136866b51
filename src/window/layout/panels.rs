//! The panels: what they show and change, and where each of them is.

use crate::commands::Command;
use crate::commands::compare::CompareCommand;
use crate::compare::Comparing;
use crate::editing::EditorState;
use crate::palette::PaletteState;
use crate::papers::Papers;
use crate::playback::jobs::BackgroundJobs;
use crate::plots::custom::CustomPlots;
use crate::record::Recording;
use crate::scenes::SceneList;
use crate::scenes::gallery::GalleryState;
use crate::scenes::opening::Opener;
use crate::session::Session;
use crate::session::pacing::Pacing;
use crate::solver::SolverView;
use crate::state::highlight::Highlight;
use crate::state::look::Look;
use crate::state::machine::Machine;
use crate::state::notices::Notices;
use crate::state::panels::{Bench, Side};
use crate::state::preferences::Preferences;
use crate::state::tool::Tool;
use crate::state::workspace::Workspace;
use crate::theme::{self, Palette, colour, size};
use bevy::ecs::system::SystemParam;
use bevy::prelude::*;
use bevy_egui::egui::{self, Frame, Margin, Panel, Rect, Ui, pos2};

/// All that the panels show, and what they change of their own; everything else they ask for by commands.
#[derive(SystemParam)]
pub struct Interface<'w> {
    pub session: ResMut<'w, Session>,
    pub look: ResMut<'w, Look>,
    pub highlight: ResMut<'w, Highlight>,
    pub workspace: ResMut<'w, Workspace>,
    pub preferences: ResMut<'w, Preferences>,
    pub comparing: ResMut<'w, Comparing>,
    pub tool: Res<'w, Tool>,
    pub machine: Res<'w, Machine>,
    pub recording: Res<'w, Recording>,
    pub pacing: Res<'w, Pacing>,
    notices: Res<'w, Notices>,
    jobs: Res<'w, BackgroundJobs>,
    opener: Res<'w, Opener>,
    editor: ResMut<'w, EditorState>,
    custom_plots: ResMut<'w, CustomPlots>,
    solver_view: ResMut<'w, SolverView>,
    scene_list: ResMut<'w, SceneList>,
    gallery: ResMut<'w, GalleryState>,
    palette: ResMut<'w, PaletteState>,
    papers: ResMut<'w, Papers>,
}

impl Interface<'_> {
    /// Draws the panels and gives back the rectangle they leave free.
    pub fn panels_ui(&mut self, ui: &mut Ui, out: &mut Vec<Command>) -> Rect {
        if !self.workspace.panels {
            return ui.available_rect_before_wrap();
        }
        let palette = Palette::of(self.look.dark);
        let frame = |x, y| {
            Frame::new()
                .fill(colour(palette.panel))
                .inner_margin(Margin::symmetric(x, y))
        };
        let (bar, panel) = (frame(10, 0), frame(10, 8));
        self.bars_ui(ui, bar, panel, out);
        self.highlight.pointed.clear();
        let profiled = self.workspace.bench == Some(Bench::Profiler);
        self.session.simulation.set_profiling(profiled);
        if self.workspace.gallery {
            let width = gallery_width(ui.available_width());
            let gallery = Panel::right("gallery").exact_size(width).frame(panel);
            gallery.show(ui, |ui| {
                crate::layout::gallery::gallery_ui(
                    ui,
                    &self.session,
                    &self.preferences,
                    &self.scene_list,
                    &mut self.papers,
                    &mut self.gallery,
                    out,
                );
            });
            return ui.available_rect_before_wrap();
        }
        if let Some(bench) = self.workspace.bench {
            let (first, least, most) = size::BENCH;
            Panel::bottom("bench")
                .resizable(true)
                .default_size(first)
                .size_range(least..=most)
                .frame(panel)
                .show(ui, |ui| {
                    // A panel that has little to show keeps its height.
                    ui.set_min_height(ui.available_height());
                    out.extend(self.bench_ui(ui, bench));
                });
        }
        if let Some(side) = self.workspace.side {
            let (_, least, most) = size::SIDE;
            let most = most
                .min(size::SIDE_SHARE * ui.available_width())
                .max(0.5 * least);
            let least = least.min(most);
            let shown = Panel::left("side")
                .default_size(self.preferences.side_width)
                .size_range(least..=most)
                .frame(panel)
                .show(ui, |ui| out.extend(self.side_ui(ui, side)));
            // What a narrow window leaves is not what was chosen.
            if most >= self.preferences.side_width {
                self.preferences.side_width = shown.response.rect.width();
            }
        }
        if self.workspace.plots || self.papers.shown().is_some() {
            let (_, least, most) = size::PLOTS;
            let beside = ui.available_width() >= size::PLOTS_ROOM;
            let plots = if beside {
                Panel::right("plots")
                    .default_size(self.preferences.plots_width)
                    .size_range(least..=most)
            } else {
                Panel::bottom("plots below")
                    .default_size(size::PLOTS_BELOW)
                    .resizable(true)
            };
            let shown = plots
                .frame(panel)
                .show(ui, |ui| out.extend(self.plots_ui(ui)));
            if beside {
                self.preferences.plots_width = shown.response.rect.width();
            }
        }
        ui.available_rect_before_wrap()
    }

    /// The bars above and below everything else.
    fn bars_ui(&mut self, ui: &mut Ui, bar: Frame, panel: Frame, out: &mut Vec<Command>) {
        let toolbar = Panel::top("toolbar").exact_size(size::TOOLBAR).frame(bar);
        toolbar.show(ui, |ui| {
            out.extend(crate::layout::toolbar::toolbar_ui(
                ui,
                &self.session,
                &self.look,
                &self.workspace,
                &self.recording,
                &self.comparing,
            ));
        });
        if let Some(question) = &mut self.editor.question {
            Panel::top("question").frame(panel).show(ui, |ui| {
                out.extend(crate::editing::question_ui::question_ui(ui, question));
            });
        }
        if self.session.is_stuck() {
            Panel::top("recovery").frame(panel).show(ui, |ui| {
                out.extend(crate::editing::recovery_ui::recovery_ui(ui, &self.session));
            });
        }
        let status = Panel::bottom("status").exact_size(size::STATUS).frame(bar);
        status.show(ui, |ui| {
            out.extend(crate::layout::status::status_ui(
                ui,
                &self.session,
                &self.notices,
                &self.jobs,
            ));
        });
        let transport = Panel::bottom("transport").exact_size(size::TRANSPORT);
        transport.frame(bar).show(ui, |ui| {
            out.extend(crate::playback::transport_ui::transport_ui(
                ui,
                &self.session,
                &self.pacing,
            ));
        });
        if self.comparing.is_on() {
            let height = crate::compare::panel::table::height(&self.comparing);
            let lanes = Panel::bottom("lanes").exact_size(height).frame(bar);
            lanes.show(ui, |ui| {
                out.extend(crate::compare::panel::table::lane_table_ui(
                    ui,
                    &self.comparing,
                    self.pacing.late,
                ));
            });
        }
    }

    /// One of the panels at the side.
    fn side_ui(&mut self, ui: &mut Ui, side: Side) -> Vec<Command> {
        let Self {
            session,
            look,
            highlight,
            workspace,
            preferences,
            recording,
            comparing,
            editor,
            tool,
            opener,
            scene_list,
            ..
        } = self;
        match side {
            Side::Scenes => {
                crate::scenes::list_ui::scene_list_ui(ui, session, preferences, scene_list)
            }
            Side::Inspector => crate::editing::inspector::inspector_ui(
                ui, session, highlight, editor, opener, tool,
            ),
            Side::Settings => {
                crate::settings::settings_ui::settings_ui(ui, session, workspace, preferences)
            }
            Side::Record => {
                crate::record::record_ui::record_ui(ui, session, highlight, preferences, recording)
            }
            Side::Layers => crate::layers::list_ui::layers_ui(ui, session, look, highlight),
            Side::Compare => crate::compare::panel::lanes::compare_ui(ui, session, comparing),
        }
    }

    /// One of the panels below the view.
    fn bench_ui(&mut self, ui: &mut Ui, bench: Bench) -> Vec<Command> {
        let Self {
            session,
            look,
            highlight,
            custom_plots,
            solver_view,
            ..
        } = self;
        match bench {
            Bench::Solver => crate::solver::solver_ui(ui, session, highlight, solver_view),
            Bench::Profiler => {
                crate::solver::profiler_ui::profiler_ui(ui, session);
                Vec::new()
            }
            Bench::Quantities => {
                crate::plots::custom::quantities_ui(ui, session, look, highlight, custom_plots)
            }
        }
    }

    fn plots_ui(&mut self, ui: &mut Ui) -> Vec<Command> {
        let Self {
            session,
            look,
            highlight,
            comparing,
            papers,
            ..
        } = self;
        if papers.shown().is_some() {
            crate::papers::panel_ui::panel_ui(ui, papers)
        } else if comparing.is_on() && comparing.plots {
            crate::compare::panel::overlay::lane_plots_ui(ui, session, look, comparing)
        } else {
            crate::plots::live_ui::plots_ui(ui, session, look, highlight)
        }
    }

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
