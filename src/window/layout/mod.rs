//! Lays out the panels; what they leave free is the view.

mod gallery;
pub mod hud;
mod panels;
pub mod status;
pub mod tiles;
pub mod toolbar;
pub mod views_menu;

use crate::camera::orbit::Viewport;
use crate::camera::view::View;
use crate::commands::CommandQueue;
use crate::compare::Comparing;
use crate::layout::panels::Interface;
use crate::pointer::Pointing;
use crate::pointer::drag::{DragKind, Pointer};
use crate::scene3d::resolution::Resolution;
use crate::session::Session;
use crate::state::highlight::Highlight;
use crate::state::look::Look;
use crate::state::panels::PanelId;
use crate::state::preferences::Preferences;
use crate::state::selection::Selection;
use crate::state::tool::{Mode, Tool};
use crate::state::workspace::Workspace;
use crate::theme;
use crate::ui;
use crate::ui::panels::AddPanel;
use crate::ui::plugin::InterfacePlugin;
use bevy::ecs::system::SystemState;
use bevy::prelude::*;
use bevy_egui::egui::{self, Rect, UiBuilder, pos2};
use bevy_egui::{EguiContexts, EguiPrimaryContextPass};
use physics::model::ContactKey;
use physics::scene::editing::Section;

/// Draws the interface.
pub struct LayoutPlugin;

impl Plugin for LayoutPlugin {
    fn build(&self, app: &mut App) {
        app.add_plugins(InterfacePlugin)
            .add_systems(EguiPrimaryContextPass, draw);
    }
}

/// What the interface wears: whether its fonts are loaded, its theme, its scale.
type Worn = (bool, Option<bool>, f32);

/// What the panel of this room draws.
pub fn add_panels(world: &mut World) {
    world.add_panel(PanelId::Plots, panels::plots_panel);
}

fn draw(
    world: &mut World,
    contexts: &mut SystemState<EguiContexts>,
    mut worn: Local<Worn>,
) -> Result {
    let ctx = contexts.get_mut(world)?.ctx_mut()?.clone();
    wear(world, &ctx, &mut worn);
    let mut ui = egui::Ui::new(
        ctx.clone(),
        "window".into(),
        UiBuilder::new()
            .layer_id(egui::LayerId::background())
            .max_rect(ctx.viewport_rect()),
    );
    // What the view is drawn into, where that is not the window.
    if let Some(picture) = world
        .get_resource::<Resolution>()
        .and_then(Resolution::texture)
    {
        let whole = Rect::from_min_max(pos2(0.0, 0.0), pos2(1.0, 1.0));
        let behind = ctx.layer_painter(egui::LayerId::background());
        behind.image(picture, ctx.viewport_rect(), whole, egui::Color32::WHITE);
    }
    let [view, room] = panels::panels_ui(world, &mut ui);
    let mut over = ui.new_child(UiBuilder::new().max_rect(view));
    panels::run(world, over_the_view, &mut over);
    let reach = ctx.global_style().interaction.resize_grab_radius_side;
    let mut taken = tiles::borders(view, room, reach);
    // While something of the interface is dragged, nothing is of the view.
    taken.extend(ctx.dragged_id().map(|_| view));
    let floating = &mut world.resource_mut::<View>().floating;
    floating.extend(taken.iter().map(edges));
    Ok(())
}

/// Left, top, right and bottom of a rectangle.
fn edges(r: &Rect) -> [f64; 4] {
    [r.left(), r.top(), r.right(), r.bottom()].map(f64::from)
}

/// Gives the interface the theme and the scale that are set.
fn wear(world: &World, ctx: &egui::Context, worn: &mut Worn) {
    let dark = world.resource::<Look>().dark;
    let scale = world.resource::<Workspace>().scale;
    if !worn.0 {
        ctx.set_fonts(theme::fonts::fonts());
        // The window's own keys change the scale.
        ctx.options_mut(|o| o.zoom_with_keyboard = false);
        worn.0 = true;
    }
    if worn.1 != Some(dark) {
        theme::apply(ctx, dark);
        worn.1 = Some(dark);
    }
    if worn.2 != scale {
        ctx.set_zoom_factor(scale);
        worn.2 = scale;
    }
    ui::set_single_keys(ctx, world.resource::<Preferences>().single_keys);
}

/// Draws what lies over the view, and tells the others where the view is.
fn over_the_view(
    InMut(ui): InMut<egui::Ui>,
    mut interface: Interface,
    mut view: ResMut<View>,
    mut queue: ResMut<CommandQueue>,
    pointing: Res<Pointing>,
) {
    let ctx = ui.ctx().clone();
    let out = &mut queue.0;
    let whole = ui.available_rect_before_wrap();
    let [free, below, left] =
        crate::compare::panel::legend::lanes_ui(ui, whole, &mut interface.comparing);
    interface.overlays_ui(&ctx, whole, out);
    // Nothing of the view is left beside a gallery that takes the whole width.
    if interface.workspace.panels && whole.width() > theme::size::VIEW_LEAST {
        out.extend(crate::layout::views_menu::views_ui(
            &ctx,
            &interface.session,
            &interface.preferences,
            &view,
            whole,
        ));
    }
    let hovered = marks_ui(
        &ctx,
        [whole, free, below, left],
        &interface,
        &view,
        &pointing,
    );
    if interface.look.layers.hovered != hovered {
        interface.look.layers.hovered = hovered;
    }
    cursor(&ctx, &interface.highlight, &interface.tool, &pointing, free);
    publish(&ctx, free, &mut view);
    view.linked = linked(&interface.comparing);
}

/// Draws what lies over the view without being touched: figures, names, handles, legends. Gives back the contact that
/// the pointer is over or a panel points at.
fn marks_ui(
    ctx: &egui::Context,
    [whole, free, below, left]: [Rect; 4],
    interface: &Interface,
    view: &View,
    pointing: &Pointing,
) -> Option<ContactKey> {
    let Interface {
        session,
        look,
        highlight,
        tool,
        comparing,
        playback,
        ..
    } = interface;
    let painter = ctx
        .layer_painter(egui::LayerId::background())
        .with_clip_rect(free);
    // The other painter keeps to the leader's part.
    let all = painter.with_clip_rect(whole);
    let pull = pull_on_screen(session, view, &pointing.pointer);
    // Small views have no room for it, and the table says the same of all lanes.
    if free == whole {
        let info = interface
            .workspace
            .info
            .then_some(interface.machine.as_ref());
        crate::layout::hud::hud_ui(&painter, [free, left], session, playback, look, info, pull);
    }
    crate::record::overlay_ui::recording_ui(&painter, free, look, &interface.recording, playback);
    for selection in highlight.selection.iter().chain(&highlight.pointed) {
        if let Some(at) = point_on_screen(session, view, *selection) {
            crate::layout::hud::mark_ui(&painter, at, look.dark);
        }
    }
    let model = session.model();
    crate::layers::names_ui::names_ui(&painter, free, model, view, look);
    for (part, poses) in beside(comparing, view) {
        crate::layers::names_ui::names_ui(&all, part, model, &poses, look);
    }
    let handle = pointing.handle;
    crate::pointer::gizmo_ui::handles_ui(&painter, session, view, look, highlight, tool, handle);
    crate::layers::legend_ui::legend_ui(&painter, below, session, view, look);
    let [x, y] = pointing.pointer.at;
    let pointer = pos2(x as f32, y as f32);
    let at = &pointing.pointer;
    crate::pointer::gizmo_ui::attach_ui(&painter, session, view, look, tool, at);
    let idle = pointing.pointer.drag_kind == DragKind::None;
    let touched = idle
        .then(|| crate::layers::legend_ui::contact_at(session, view, look, pointing.pointer.at))
        .flatten();
    if let Some(contact) = touched {
        crate::layers::legend_ui::reading_ui(&painter, free, pointer, contact, model, look.dark);
    } else if highlight.invites {
        crate::layout::hud::invitation_ui(&painter, free, pointer, look.dark);
    }
    let marked = highlight.pointed.iter().chain(&highlight.selection);
    touched
        .map(|c| c.key)
        .or(marked.into_iter().find_map(|s| s.as_contact()))
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

/// Where the mouse spring begins and ends on the screen.
fn pull_on_screen(session: &Session, view: &View, pointer: &Pointer) -> Option<[egui::Pos2; 2]> {
    let on_screen = |p| {
        view.orbit
            .project(&view.viewport, p)
            .map(|[x, y]| pos2(x as f32, y as f32))
    };
    match &pointer.drag_kind {
        DragKind::Turn(turn) => {
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

/// Where what is selected is on the screen; bodies have an outline instead.
fn point_on_screen(session: &Session, view: &View, selection: Selection) -> Option<egui::Pos2> {
    let point = match selection {
        Selection::Item(item) if item.section == Section::Bodies => return None,
        Selection::Item(item) => item.position(session.model(), &view.poses)?,
        Selection::Contact(key) => {
            let mut contacts = session.state().contacts.iter();
            contacts.find(|c| c.key == key)?.point
        }
    };
    let [x, y] = view.orbit.project(&view.viewport, &point)?;
    Some(pos2(x as f32, y as f32))
}

/// A hand over what can be pulled.
fn cursor(
    ctx: &egui::Context,
    highlight: &Highlight,
    tool: &Tool,
    pointing: &Pointing,
    free: Rect,
) {
    let [x, y] = pointing.pointer.at;
    let inside = free.contains(pos2(x as f32, y as f32));
    match pointing.pointer.drag_kind {
        DragKind::Pull(_) | DragKind::Turn(_) | DragKind::Handle(_) => {
            ctx.set_cursor_icon(egui::CursorIcon::Grabbing)
        }
        _ if tool.mode != Mode::Select && inside => {
            ctx.set_cursor_icon(egui::CursorIcon::Crosshair)
        }
        _ if pointing.handle.is_some() && inside => ctx.set_cursor_icon(egui::CursorIcon::Grab),
        _ if highlight.can_pull && inside => ctx.set_cursor_icon(egui::CursorIcon::Grab),
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
    view.floating = rects.map(|r| edges(&r)).collect();
}
