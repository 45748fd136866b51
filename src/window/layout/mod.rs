//! Lays out the panels; what they leave free is the view.

mod gallery;
pub mod hud;
pub mod status;
pub mod toolbar;
pub mod views_menu;

use crate::camera::orbit::Viewport;
use crate::camera::view::View;
use crate::commands::compare::CompareCommand;
use crate::commands::{Command, CommandQueue};
use crate::compare::Comparing;
use crate::papers::Papers;
use crate::pointer::Pointing;
use crate::pointer::drag::{Grip, Pointer};
use crate::session::Session;
use crate::session::pacing::Pacing;
use crate::state::panels::{Bench, Side};
use crate::state::selection::Selection;
use crate::state::shell::Shell;
use crate::state::tool::Mode;
use crate::theme;
use crate::theme::{Palette, colour, size};
use crate::ui;
use bevy::prelude::*;
use bevy_egui::egui::{self, Frame, Margin, Panel, Rect, UiBuilder, pos2};
use bevy_egui::{EguiContexts, EguiPlugin, EguiPrimaryContextPass};
use physics::model::Force;

/// Draws the interface.
pub struct LayoutPlugin;

impl Plugin for LayoutPlugin {
    fn build(&self, app: &mut App) {
        app.add_plugins(EguiPlugin::default())
            .add_systems(EguiPrimaryContextPass, draw);
    }
}

/// What the interface wears: whether its fonts are loaded, its theme, its scale, the widths of its panels.
type Worn = (bool, Option<bool>, f32, Option<[f32; 2]>);

fn draw(
    mut contexts: EguiContexts,
    mut session: ResMut<Session>,
    mut shell: ResMut<Shell>,
    mut view: ResMut<View>,
    mut wishes: ResMut<CommandQueue>,
    pacing: Res<Pacing>,
    pointing: Res<Pointing>,
    mut comparing: ResMut<Comparing>,
    mut papers: ResMut<Papers>,
    mut worn: Local<Worn>,
) -> Result {
    let ctx = contexts.ctx_mut()?.clone();
    if !worn.0 {
        ctx.set_fonts(theme::fonts::fonts());
        // The window's own keys change the scale.
        ctx.options_mut(|o| o.zoom_with_keyboard = false);
        worn.0 = true;
    }
    if worn.1 != Some(shell.dark) {
        theme::dress(&ctx, shell.dark);
        worn.1 = Some(shell.dark);
    }
    if worn.2 != shell.scale {
        ctx.set_zoom_factor(shell.scale);
        worn.2 = shell.scale;
    }
    ui::set_single_keys(&ctx, shell.preferences.single_keys);
    let widths = [shell.preferences.side_width, shell.preferences.plots_width];
    if worn.3.is_some_and(|known| known != widths) {
        // They were set elsewhere, as by a reset: the panels forget what they were dragged to.
        for panel in ["side", "plots"] {
            ctx.data_mut(|data| data.remove::<egui::PanelState>(panel.into()));
        }
    }
    let mut ui = egui::Ui::new(
        ctx.clone(),
        "window".into(),
        UiBuilder::new()
            .layer_id(egui::LayerId::background())
            .max_rect(ctx.viewport_rect()),
    );
    let whole = panels_ui(
        &mut ui,
        &mut session,
        &mut shell,
        &pacing,
        &comparing,
        &mut papers,
        &mut wishes.0,
    );
    worn.3 = Some([shell.preferences.side_width, shell.preferences.plots_width]);
    let [free, below] = crate::compare::panel::legend::lanes_ui(&ui, whole, &mut comparing);
    let painter = ctx
        .layer_painter(egui::LayerId::background())
        .with_clip_rect(free);
    // The other painter keeps to the leader's part.
    let all = painter.with_clip_rect(whole);
    let pull = pull_on_screen(&session, &view, &pointing.pointer);
    // Small views have no room for it, and the table says the same of all lanes.
    if free == whole {
        crate::layout::hud::hud_ui(&painter, free, &session, &pacing, &shell, pull);
    }
    crate::record::overlay_ui::recording_ui(&painter, free, &shell, &pacing);
    study_ui(&ctx, &session, &comparing, &mut wishes.0);
    overlays_ui(&ctx, &session, &mut shell, whole, &mut wishes.0);
    if shell.panels {
        wishes.0.extend(crate::layout::views_menu::views_ui(
            &ctx, &shell, &view, whole,
        ));
    }
    for selection in shell.selection.iter().chain(&shell.pointed) {
        if let Some(at) = point_on_screen(&session, &view, *selection) {
            crate::layout::hud::mark_ui(&painter, at, shell.dark);
        }
    }
    let model = session.simulation.model();
    crate::layers::names_ui::names_ui(&painter, free, model, &view, &shell);
    for (part, poses) in beside(&comparing, &view) {
        crate::layers::names_ui::names_ui(&all, part, model, &poses, &shell);
    }
    crate::pointer::gizmo_ui::handles_ui(&painter, &session, &view, &shell);
    crate::layers::legend_ui::legend_ui(&painter, below, &session, &view, &shell);
    let [x, y] = pointing.pointer.at;
    let pointer = pos2(x as f32, y as f32);
    crate::pointer::gizmo_ui::attach_ui(&painter, &view, &shell, pointer);
    let idle = pointing.pointer.grip == Grip::None;
    let touched = idle
        .then(|| crate::layers::legend_ui::contact_at(&session, &view, &shell, pointing.pointer.at))
        .flatten();
    if let Some(contact) = touched {
        let model = session.simulation.model();
        crate::layers::legend_ui::reading_ui(&painter, free, pointer, contact, model, shell.dark);
    } else if shell.invites {
        crate::layout::hud::invitation_ui(&painter, free, pointer, shell.dark);
    }
    let contact = |s: &Selection| match s {
        Selection::Contact(key) => Some(*key),
        _ => None,
    };
    let marked = shell.pointed.iter().chain(&shell.selection);
    let hovered = touched
        .map(|c| c.key)
        .or(marked.into_iter().find_map(contact));
    if shell.layers.hovered != hovered {
        shell.layers.hovered = hovered;
    }
    cursor(&ctx, &shell, &pointing.pointer, free);
    publish(&ctx, free, &mut view);
    view.linked = linked(&comparing);
    Ok(())
}

/// The parts of the view beside the leader's.
fn linked(comparing: &Comparing) -> Vec<Viewport> {
    let leader = comparing.lanes().get(comparing.leader()).map(|l| l.id);
    let others = comparing
        .cells()
        .iter()
        .filter(|(id, _)| Some(*id) != leader);
    others
        .map(|(_, [left, top, width, height])| Viewport {
            corner: [*left, *top],
            size: [*width, *height],
        })
        .collect()
}

/// The parts of the view beside the leader's, and what is seen in each.
fn beside(comparing: &Comparing, view: &View) -> Vec<(Rect, View)> {
    let leader = comparing.lanes().get(comparing.leader()).map(|l| l.id);
    let others = comparing.cells().iter().filter(|c| Some(c.0) != leader);
    others
        .filter_map(|(id, [left, top, width, height])| {
            let viewport = Viewport {
                corner: [*left, *top],
                size: [*width, *height],
            };
            let seen = View {
                viewport,
                poses: comparing.poses(*id)?.to_vec(),
                ..view.clone()
            };
            let extent = egui::vec2(*width as f32, *height as f32);
            let part = Rect::from_min_size(pos2(*left as f32, *top as f32), extent);
            Some((part, seen))
        })
        .collect()
}

/// The convergence view, if it is open.
fn study_ui(ctx: &egui::Context, session: &Session, comparing: &Comparing, out: &mut Vec<Command>) {
    if !comparing.study.open {
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
                ui, session, comparing,
            ));
        });
    if !open {
        out.push(Command::Compare(CompareCommand::Study(false)));
    }
}

/// Draws the panels and gives back the rectangle they leave free.
fn panels_ui(
    ui: &mut egui::Ui,
    session: &mut Session,
    shell: &mut Shell,
    pacing: &Pacing,
    comparing: &Comparing,
    papers: &mut Papers,
    out: &mut Vec<Command>,
) -> Rect {
    if !shell.panels {
        return ui.available_rect_before_wrap();
    }
    let palette = Palette::of(shell.dark);
    let bar = Frame::new()
        .fill(colour(palette.panel))
        .inner_margin(Margin::symmetric(10, 0));
    let panel = Frame::new()
        .fill(colour(palette.panel))
        .inner_margin(Margin::symmetric(10, 8));
    Panel::top("toolbar")
        .exact_size(size::TOOLBAR)
        .frame(bar)
        .show(ui, |ui| {
            out.extend(crate::layout::toolbar::toolbar_ui(
                ui, session, shell, comparing,
            ))
        });
    if shell.editor.question.is_some() {
        Panel::top("question").frame(panel).show(ui, |ui| {
            out.extend(crate::editing::question_ui::question_ui(ui, shell))
        });
    }
    if session.is_stuck() {
        Panel::top("recovery").frame(panel).show(ui, |ui| {
            out.extend(crate::editing::recovery_ui::recovery_ui(ui, session))
        });
    }
    Panel::bottom("status")
        .exact_size(size::STATUS)
        .frame(bar)
        .show(ui, |ui| {
            out.extend(crate::layout::status::status_ui(ui, session, shell))
        });
    Panel::bottom("transport")
        .exact_size(size::TRANSPORT)
        .frame(bar)
        .show(ui, |ui| {
            out.extend(crate::playback::transport_ui::transport_ui(
                ui, session, pacing,
            ))
        });
    if comparing.is_on() {
        Panel::bottom("lanes")
            .exact_size(crate::compare::panel::table::height(comparing))
            .frame(bar)
            .show(ui, |ui| {
                out.extend(crate::compare::panel::table::lane_table_ui(
                    ui,
                    comparing,
                    pacing.late,
                ))
            });
    }
    shell.pointed.clear();
    let profiled = shell.bench == Some(Bench::Profiler);
    session.simulation.set_profiling(profiled);
    if let Some(mut gallery) = shell.gallery.take() {
        Panel::right("gallery")
            .exact_size(gallery_width(ui.available_width()))
            .frame(panel)
            .show(ui, |ui| {
                gallery::gallery_ui(ui, session, shell, papers, &mut gallery, out);
            });
        shell.gallery = Some(gallery);
        return ui.available_rect_before_wrap();
    }
    if let Some(bench) = shell.bench {
        let (first, least, most) = size::BENCH;
        Panel::bottom("bench")
            .resizable(true)
            .default_size(first)
            .size_range(least..=most)
            .frame(panel)
            .show(ui, |ui| {
                // A panel that has little to show keeps its height.
                ui.set_min_height(ui.available_height());
                match bench {
                    Bench::Solver => out.extend(crate::solver::solver_ui(ui, session, shell)),
                    Bench::Profiler => crate::solver::profiler_ui::profiler_ui(ui, session),
                    Bench::Quantities => {
                        out.extend(crate::plots::custom::quantities_ui(ui, session, shell))
                    }
                }
            });
    }
    if let Some(side) = shell.side {
        let (_, least, most) = size::SIDE;
        let most = most
            .min(size::SIDE_SHARE * ui.available_width())
            .max(0.5 * least);
        let least = least.min(most);
        let shown = Panel::left("side")
            .default_size(shell.preferences.side_width)
            .size_range(least..=most)
            .frame(panel)
            .show(ui, |ui| {
                out.extend(match side {
                    Side::Scenes => crate::scenes::list_ui::browser_ui(ui, session, shell),
                    Side::Inspector => crate::editing::inspector::inspector_ui(ui, session, shell),
                    Side::Settings => crate::settings::settings_ui::settings_ui(ui, session, shell),
                    Side::Record => crate::record::record_ui::record_ui(ui, session, shell),
                    Side::Layers => crate::layers::list_ui::layers_ui(ui, session, shell),
                    Side::Compare => {
                        crate::compare::panel::lanes::compare_ui(ui, session, comparing)
                    }
                });
            });
        // What a narrow window leaves is not what was chosen.
        if most >= shell.preferences.side_width {
            shell.preferences.side_width = shown.response.rect.width();
        }
    }
    if shell.plots || papers.shown().is_some() {
        let (_, least, most) = size::PLOTS;
        let beside = ui.available_width() >= size::PLOTS_ROOM;
        let plots = if beside {
            Panel::right("plots")
                .default_size(shell.preferences.plots_width)
                .size_range(least..=most)
        } else {
            Panel::bottom("plots below")
                .default_size(size::PLOTS_BELOW)
                .resizable(true)
        };
        let shown = plots.frame(panel).show(ui, |ui| {
            out.extend(if papers.shown().is_some() {
                crate::papers::panel_ui::panel_ui(ui, papers)
            } else if comparing.is_on() && comparing.plots {
                crate::compare::panel::overlay::lane_plots_ui(ui, session, shell, comparing)
            } else {
                crate::plots::live_ui::plots_ui(ui, session, shell)
            })
        });
        if beside {
            shell.preferences.plots_width = shown.response.rect.width();
        }
    }
    ui.available_rect_before_wrap()
}

/// How wide the gallery is in a window of such a width [points].
fn gallery_width(window: f32) -> f32 {
    let (share, least, most) = theme::gallery::WIDTH;
    if window < 2.0 * least {
        return window;
    }
    (share * window).clamp(least, most)
}

/// What lies over the view for a choice.
fn overlays_ui(
    ctx: &egui::Context,
    session: &Session,
    shell: &mut Shell,
    free: Rect,
    out: &mut Vec<Command>,
) {
    if shell.help {
        shell.help = crate::palette::help_ui::help_ui(ctx, shell.preferences.single_keys);
    }
    if let Some(opening) = &shell.opening {
        out.extend(crate::scenes::opening_ui::opening_ui(
            ctx, opening, free, shell.dark,
        ));
    }
    if let Some(mut search) = shell.palette.take() {
        match crate::palette::palette_ui::palette_ui(ctx, session, shell, &mut search) {
            Some((name, action)) => {
                shell.preferences.note(&name);
                out.push(action);
            }
            None => shell.palette = Some(search),
        }
    }
}

/// Where the mouse spring begins and ends on the screen.
fn pull_on_screen(session: &Session, view: &View, pointer: &Pointer) -> Option<[egui::Pos2; 2]> {
    let on_screen = |p| {
        view.orbit
            .project(&view.viewport, p)
            .map(|[x, y]| pos2(x as f32, y as f32))
    };
    match &pointer.grip {
        Grip::Turn(turn) => {
            let held = view.poses.get(turn.body.0)? * nalgebra::Point3::from(turn.point);
            let [x, y] = pointer.at;
            Some([on_screen(&held.coords)?, pos2(x as f32, y as f32)])
        }
        _ => {
            let [held, goal] = session.pull_line(&view.poses)?;
            Some([on_screen(&held)?, on_screen(&goal)?])
        }
    }
}

/// Where a joint, a contact point or the point of attack of a force is on the screen.
fn point_on_screen(session: &Session, view: &View, selection: Selection) -> Option<egui::Pos2> {
    let point = match selection {
        Selection::Joint(joint) => {
            let joint = session.simulation.model().joints.get(joint.0)?;
            let anchor = nalgebra::Point3::from(joint.child_frame.anchor);
            (view.poses.get(joint.child.0)? * anchor).coords
        }
        Selection::Contact(key) => {
            let mut contacts = session.simulation.state().contacts.iter();
            contacts.find(|c| c.key == key)?.point
        }
        Selection::Wrench(force) => match session.simulation.model().forces.get(force)? {
            Force::Wrench { body, point, .. } => {
                (view.poses.get(body.0)? * nalgebra::Point3::from(*point)).coords
            }
            Force::Spring { .. } => return None,
        },
        Selection::Body(_)
        | Selection::Cable(_)
        | Selection::Spring(_)
        | Selection::Coupling(_) => return None,
    };
    let [x, y] = view.orbit.project(&view.viewport, &point)?;
    Some(pos2(x as f32, y as f32))
}

/// A hand over what can be pulled.
fn cursor(ctx: &egui::Context, shell: &Shell, pointer: &Pointer, free: Rect) {
    let [x, y] = pointer.at;
    let inside = free.contains(pos2(x as f32, y as f32));
    match pointer.grip {
        Grip::Pull(_) | Grip::Turn(_) | Grip::Handle(_) => {
            ctx.set_cursor_icon(egui::CursorIcon::Grabbing)
        }
        _ if shell.editor.mode != Mode::Select && inside => {
            ctx.set_cursor_icon(egui::CursorIcon::Crosshair)
        }
        _ if shell.editor.handle.is_some() && inside => ctx.set_cursor_icon(egui::CursorIcon::Grab),
        _ if shell.can_pull && inside => ctx.set_cursor_icon(egui::CursorIcon::Grab),
        _ => {}
    }
}

/// Tells the rest of the program which part of the window is whose.
fn publish(ctx: &egui::Context, free: Rect, view: &mut View) {
    let corner = [free.left(), free.top()].map(f64::from);
    let extent = [free.width(), free.height()].map(|x| f64::from(x.max(1.0)));
    view.viewport = Viewport {
        corner,
        size: extent,
    };
    view.points = ctx.zoom_factor();
    view.typing = ctx.egui_wants_keyboard_input();
    let layers = ctx.memory(|m| m.areas().visible_layer_ids());
    let areas = layers
        .iter()
        .filter(|l| !matches!(l.order, egui::Order::Background | egui::Order::Tooltip));
    let rects = areas.filter_map(|l| Some(egui::AreaState::load(ctx, l.id)?.rect()));
    view.floating = rects
        .map(|r| [r.left(), r.top(), r.right(), r.bottom()].map(f64::from))
        .collect();
}
