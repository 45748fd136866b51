//! The tiles: the view and the panels around it, which can be moved, put behind each other, resized and closed.

mod sizes;
mod tabs;
mod tree;

use crate::commands::CommandQueue;
use crate::layout::tiles::sizes::{GAP, needed};
use crate::layout::tiles::tabs::{cross_ui, tab_ui};
use crate::layout::tiles::tree::{Pane, Planted, Shown, panel};
use crate::papers::Papers;
use crate::state::look::Look;
use crate::state::panels::{Dock, PanelId};
use crate::state::workspace::Workspace;
use crate::theme::{self, Palette, colour, size};
use crate::ui::panels::panel_ui;
use bevy::prelude::*;
use bevy_egui::egui::{self, Color32, Id, Rect, Response, Stroke, StrokeKind, Ui, UiBuilder, vec2};
use bevy_egui::egui::{Painter, Style, Visuals, WidgetText};
use egui_tiles::{Behavior, EditAction, ResizeState, SimplificationOptions, TabState, TileId};
use egui_tiles::{Tiles, UiResponse};

/// Draws the open panels around the view and takes what is done with them; gives back the rectangle of the view.
pub fn tiles_ui(world: &mut World, ui: &mut Ui) -> Rect {
    let room = ui.available_rect_before_wrap();
    let figure = world.resource::<Papers>().shown().is_some();
    let workspace = world.resource::<Workspace>();
    let mut open = workspace.open.clone();
    // The plots show a figure also while they are closed, unless another panel is in their place.
    if figure && workspace.in_front_of(PanelId::Plots).is_none() {
        open.push(PanelId::Plots);
    }
    let is_narrow = needed(workspace.arrangement.root(), &open) > room.width();
    if workspace.is_narrow != is_narrow {
        world.resource_mut::<Workspace>().is_narrow = is_narrow;
    }
    let shown = Shown {
        open: &open,
        share: is_narrow.then_some(1.0 - size::SIDE_SHARE),
    };
    let arrangement = world.resource::<Workspace>().arranged();
    let mut planted = Planted::of(arrangement, shown, room.size());
    let dragged = planted.tree.dragged_id(ui.ctx());
    let palette = Palette::of(world.resource::<Look>().dark);
    let mut tiling = Tiling {
        world,
        palette,
        view: room,
        edits: Vec::new(),
        closed: None,
        wider: Vec::new(),
    };
    planted.tree.ui(&mut tiling, ui);
    let Tiling {
        view,
        edits,
        closed,
        wider,
        ..
    } = tiling;
    let mut workspace = Reach(world);
    let dropped = edits.contains(&EditAction::TileDropped);
    if dropped || edits.contains(&EditAction::TileResized) {
        workspace.arrange(planted.harvest(dragged.filter(|_| dropped)));
    }
    let brought = match dropped {
        true => dragged
            .and_then(|tile| planted.panel(tile))
            .into_iter()
            .collect(),
        false => planted.brought(shown),
    };
    for panel in brought {
        workspace.bring(panel);
    }
    for (panel, width) in wider {
        workspace.widen(panel, width);
    }
    if let Some(panel) = closed {
        workspace.close(panel);
    }
    view
}

/// The workspace, which is touched only where something changes.
struct Reach<'w>(&'w mut World);

impl Reach<'_> {
    fn workspace(&mut self) -> Mut<'_, Workspace> {
        self.0.resource_mut::<Workspace>()
    }

    fn arrange(&mut self, arrangement: Option<crate::state::arrangement::Arrangement>) {
        if let Some(arrangement) = arrangement {
            *self.workspace().arranged_mut() = arrangement;
        }
    }

    fn bring(&mut self, panel: PanelId) {
        if self.0.resource::<Workspace>().is_open(panel) {
            self.workspace().open(panel);
        }
    }

    fn widen(&mut self, panel: PanelId, width: f32) {
        self.workspace().arranged_mut().widen(panel, width);
    }

    fn close(&mut self, panel: PanelId) {
        self.workspace().close(panel);
    }
}

/// How tiles look and what they hold.
struct Tiling<'w> {
    world: &'w mut World,
    palette: &'static Palette,
    view: Rect,
    edits: Vec<EditAction>,
    closed: Option<PanelId>,
    /// Panels that hold more than their width, with the width that they need.
    wider: Vec<(PanelId, f32)>,
}

impl Tiling<'_> {
    /// Draws a panel and takes what is asked for in it.
    fn panel_ui(&mut self, panel: PanelId, ui: &mut Ui) {
        let rect = ui.max_rect();
        ui.painter()
            .rect_filled(rect, 0.0, colour(self.palette.panel));
        let margin = theme::tabs::PANEL;
        // Its controls are the same ones wherever it is moved to.
        let id = Id::new(("panel", panel));
        let inside = UiBuilder::new()
            .id(id)
            .max_rect(rect.shrink2(margin.into()));
        let mut ui = ui.new_child(inside);
        let asked = panel_ui(self.world, panel, &mut ui);
        self.world.resource_mut::<CommandQueue>().0.extend(asked);
        let (_, _, most) = size::SIDE;
        let wanted = (ui.min_rect().width() + 2.0 * margin[0]).min(most);
        if panel.info().dock == Dock::Side && wanted > rect.width() + 1.0 {
            self.wider.push((panel, wanted.ceil()));
        }
    }

    /// Whether what is dropped where the pointer is would be put behind a tab with the view.
    fn would_cover(&self, painter: &Painter, parent: Option<Rect>) -> bool {
        let pointer = painter.ctx().input(|i| i.pointer.interact_pos());
        let holds = |parent: &Rect| parent.expand(1.0).contains_rect(self.view);
        let (Some(at), Some(parent)) = (pointer, parent.filter(holds)) else {
            return false;
        };
        let middle = parent
            .split_top_bottom_at_y(parent.top() + theme::tabs::BAR)
            .1
            .center();
        let [left, right] = [0.25, 0.75].map(|s| egui::lerp(parent.x_range(), s));
        let [top, bottom] = [0.25, 0.75].map(|s| egui::lerp(parent.y_range(), s));
        let centre = parent.center();
        let sides = [
            egui::pos2(left, centre.y),
            egui::pos2(right, centre.y),
            egui::pos2(centre.x, top),
            egui::pos2(centre.x, bottom),
        ];
        let far = |p: egui::Pos2| p.distance(at) > middle.distance(at);
        sides.into_iter().all(far)
    }
}

impl Behavior<Pane> for Tiling<'_> {
    fn pane_ui(&mut self, ui: &mut Ui, _: TileId, pane: &mut Pane) -> UiResponse {
        match *pane {
            Pane::View => self.view = ui.max_rect(),
            Pane::Panel(panel) => self.panel_ui(panel, ui),
        }
        UiResponse::None
    }

    fn tab_title_for_pane(&mut self, pane: &Pane) -> WidgetText {
        match pane {
            Pane::View => "View".into(),
            Pane::Panel(panel) => panel.info().title.into(),
        }
    }

    fn tab_title_for_tile(&mut self, tiles: &Tiles<Pane>, tile: TileId) -> WidgetText {
        // What is dragged by its bar of tabs is called by the one in front.
        let front = tiles
            .get_container(tile)
            .and_then(|c| c.active_children(tiles).next());
        let pane = tiles.get_pane(&front.unwrap_or(tile)).copied();
        self.tab_title_for_pane(&pane.unwrap_or(Pane::View))
    }

    fn is_tab_closable(&self, tiles: &Tiles<Pane>, tile: TileId) -> bool {
        let workspace = self.world.resource::<Workspace>();
        panel(tiles, tile).is_some_and(|p| workspace.is_open(p))
    }

    fn tab_ui(
        &mut self,
        tiles: &mut Tiles<Pane>,
        ui: &mut Ui,
        id: Id,
        tile: TileId,
        state: &TabState,
    ) -> Response {
        let title = self.tab_title_for_tile(tiles, tile);
        let meaning = panel(tiles, tile).map_or("", |p| p.info().meaning);
        let response = tab_ui(ui, self.palette, id, title.text(), meaning, state);
        let crossed = state.closable && cross_ui(ui, self.palette, &response, title.text(), state);
        if crossed || (state.closable && response.middle_clicked()) {
            self.closed = panel(tiles, tile);
        }
        response
    }

    fn drag_ui(&mut self, tiles: &Tiles<Pane>, ui: &mut Ui, tile: TileId) {
        let title = self.tab_title_for_tile(tiles, tile);
        egui::Frame::popup(ui.style()).show(ui, |ui| ui.label(title));
    }

    fn tab_bar_height(&self, _: &Style) -> f32 {
        theme::tabs::BAR
    }

    fn gap_width(&self, _: &Style) -> f32 {
        GAP
    }

    fn min_size(&self) -> f32 {
        size::VIEW_LEAST
    }

    fn simplification_options(&self) -> SimplificationOptions {
        // An arrangement has been simplified already, and its places must stay while their panels are closed.
        SimplificationOptions::OFF
    }

    fn resize_stroke(&self, _: &Style, state: ResizeState) -> Stroke {
        match state {
            ResizeState::Idle => Stroke::new(GAP, colour(self.palette.line)),
            _ => Stroke::new(2.0 * GAP, colour(self.palette.accent)),
        }
    }

    fn tab_bar_color(&self, _: &Visuals) -> Color32 {
        colour(self.palette.well)
    }

    fn dragged_overlay_color(&self, _: &Visuals) -> Color32 {
        colour(self.palette.panel).gamma_multiply(0.5)
    }

    fn paint_drag_preview(
        &self,
        _: &Visuals,
        painter: &Painter,
        parent: Option<Rect>,
        preview: Rect,
    ) {
        if self.would_cover(painter, parent) {
            return;
        }
        let accent = colour(self.palette.accent);
        let fill = accent.gamma_multiply(0.25);
        let stroke = Stroke::new(1.0, accent);
        painter.rect(preview, 0.0, fill, stroke, StrokeKind::Inside);
    }

    fn on_edit(&mut self, edit: EditAction) {
        self.edits.push(edit);
    }
}

/// The strips of the view from which the borders to its neighbours are dragged.
pub fn borders(view: Rect, room: Rect, reach: f32) -> Vec<Rect> {
    let [width, height] = [vec2(reach, view.height()), vec2(view.width(), reach)];
    let strips = [
        (
            view.left() - room.left(),
            Rect::from_min_size(view.min, width),
        ),
        (
            room.right() - view.right(),
            Rect::from_min_size(view.max - width, width),
        ),
        (
            view.top() - room.top(),
            Rect::from_min_size(view.min, height),
        ),
        (
            room.bottom() - view.bottom(),
            Rect::from_min_size(view.max - height, height),
        ),
    ];
    let beside = strips.into_iter().filter(|(gap, _)| *gap > 0.5 * GAP);
    beside.map(|(_, strip)| strip).collect()
}
