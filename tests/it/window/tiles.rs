//! The tiles: panels moved, put behind each other, closed and opened again with the pointer, in windows of every size.

use crate::window::accessible::controls;
use crate::window::fixture::{self, fixture};
use bevy::prelude::World;
use bevy_egui::egui::{Rect, Ui, UiBuilder, Vec2};
use driftless::window::layout::tiles::tiles_ui;
use driftless::window::state::arrangement::Arrangement;
use driftless::window::state::panels::{PANELS, PanelId};
use driftless::window::state::workspace::Workspace;
use driftless::window::theme::fonts::fonts;
use driftless::window::theme::{size, tabs};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT, Queryable};

/// A room with tiles, and the rectangle of the view in it.
struct Tiled {
    world: World,
    view: Rect,
}

impl Tiled {
    fn workspace(&self) -> &Workspace {
        self.world.resource()
    }
}

type Room = Harness<'static, Tiled>;

/// Tiles of a window of a size with some panels open.
fn room(size: impl Into<Vec2>, open: &[PanelId]) -> Room {
    let mut fixture = fixture("pendulum");
    fixture.workspace.open = open.to_vec();
    let tiled = Tiled {
        world: fixture::world(fixture),
        view: Rect::NOTHING,
    };
    let draw = |ui: &mut Ui, tiled: &mut Tiled| {
        // Without the margin that a test has around everything.
        let whole = UiBuilder::new().max_rect(ui.ctx().content_rect());
        ui.scope_builder(whole, |ui| tiled.view = tiles_ui(&mut tiled.world, ui));
    };
    let builder = Harness::builder().with_size(size).with_max_steps(64);
    let mut harness = builder.build_ui_state(draw, tiled);
    harness.ctx.set_fonts(fonts());
    harness.run_steps(4);
    harness
}

fn tab(room: &Room, panel: PanelId) -> Rect {
    let title = panel.info().title;
    let mut named = room.get_all_by_label(title);
    // The tab is the first thing of a panel that says its title.
    named.next().expect("it has a tab").rect()
}

/// Drags what is at a place to another.
fn drag(room: &mut Room, from: Rect, to: bevy_egui::egui::Pos2) {
    let from = from.left_center() + Vec2::new(12.0, 0.0);
    room.hover_at(from);
    room.run_steps(1);
    room.drag_at(from);
    room.run_steps(1);
    for share in [0.1, 0.4, 0.7, 1.0, 1.0] {
        room.hover_at(from.lerp(to, share));
        room.run_steps(1);
    }
    room.drop_at(to);
    room.run_steps(3);
}

fn close(room: &mut Room, panel: PanelId) {
    let name = format!("Close {}", panel.info().title);
    let at = room.get_by_label(&name).rect().center();
    room.hover_at(at);
    room.drag_at(at);
    room.drop_at(at);
    room.run_steps(3);
}

#[test]
fn the_view_has_what_the_panels_leave_and_nothing_of_it_is_covered() {
    let wide = room([1280.0, 614.0], &[PanelId::Plots]);
    let view = wide.state().view;
    assert_eq!(view.left_top(), [0.0, 0.0].into());
    assert_eq!(view.height(), 614.0);
    // The window's width without the plots and the line beside them.
    assert_eq!(view.width(), 1280.0 - size::PLOTS.0 - 1.0);
    let bare = room([1280.0, 614.0], &[]);
    assert_eq!(bare.state().view.size(), [1280.0, 614.0].into());
}

#[test]
fn a_panel_is_moved_by_its_tab_closed_and_opened_again_where_it_was() {
    let mut room = room([1280.0, 614.0], &[PanelId::Plots, PanelId::Layers]);
    assert_eq!(tab(&room, PanelId::Layers).left(), 0.0);
    // To the lower half of the plots.
    let plots = tab(&room, PanelId::Plots);
    let lower = [1280.0 - 0.5 * size::PLOTS.0, 0.8 * 614.0];
    let from = tab(&room, PanelId::Layers);
    drag(&mut room, from, lower.into());
    let moved = tab(&room, PanelId::Layers);
    assert!(
        moved.left() >= plots.left() && moved.top() > 100.0,
        "{moved:?}"
    );
    assert_eq!(
        room.state().view.left(),
        0.0,
        "its former place is the view's"
    );
    let kept = room.state().workspace().arrangement.clone();
    assert_ne!(kept, Arrangement::default());

    close(&mut room, PanelId::Layers);
    assert_eq!(room.state().workspace().open, [PanelId::Plots]);
    assert!(room.query_by_label("Close Layers").is_none());
    assert_eq!(room.state().workspace().arrangement, kept);
    room.state_mut()
        .world
        .resource_mut::<Workspace>()
        .toggle(PanelId::Layers);
    room.run_steps(3);
    assert_eq!(tab(&room, PanelId::Layers), moved);

    room.state_mut()
        .world
        .resource_mut::<Workspace>()
        .reset_layout();
    room.run_steps(3);
    let fresh = Workspace::default();
    assert_eq!(*room.state().workspace(), fresh);
}

#[test]
fn tabs_bring_forward_what_is_behind_and_a_tab_can_be_put_among_others() {
    let open = [PanelId::Plots, PanelId::Layers, PanelId::Inspector];
    let mut room = room([1280.0, 614.0], &open);
    assert!(room.state().workspace().is_seen(PanelId::Inspector));
    let at = tab(&room, PanelId::Layers).center();
    room.hover_at(at);
    room.drag_at(at);
    room.drop_at(at);
    room.run_steps(3);
    assert!(room.state().workspace().is_seen(PanelId::Layers));
    // Onto the middle of the plots: behind one bar of tabs with them.
    let from = tab(&room, PanelId::Layers);
    let middle = [1280.0 - 0.5 * size::PLOTS.0, 0.5 * (614.0 + tabs::BAR)];
    drag(&mut room, from, middle.into());
    let workspace = room.state().workspace();
    let behind = workspace.arrangement.tabs_of(PanelId::Plots);
    assert_eq!(behind, [PanelId::Plots, PanelId::Layers]);
    assert!(workspace.is_seen(PanelId::Layers) && workspace.is_seen(PanelId::Inspector));
}

#[test]
fn nothing_is_put_behind_a_tab_with_the_view() {
    let mut room = room([1280.0, 614.0], &[PanelId::Plots, PanelId::Layers]);
    let view = room.state().view;
    let from = tab(&room, PanelId::Layers);
    let middle = view.center() + Vec2::new(0.0, 0.5 * tabs::BAR);
    drag(&mut room, from, middle);
    assert_eq!(room.state().workspace().arrangement, Arrangement::default());
    assert_eq!(room.state().view, view);
    // Beside it there is room.
    let from = tab(&room, PanelId::Layers);
    let below = view.center_bottom() - Vec2::new(0.0, 0.2 * view.height());
    drag(&mut room, from, below);
    assert!(room.state().view.height() < view.height());
}

#[test]
fn borders_are_dragged_and_the_view_takes_the_growth_of_the_window() {
    let mut room = room([1280.0, 614.0], &[PanelId::Plots]);
    let border = room.state().view.right() + 0.5;
    let grab = |x: f32| Rect::from_min_size([x - 12.0, 300.0].into(), Vec2::ZERO);
    drag(&mut room, grab(border), [border - 80.0, 300.0].into());
    let width = |room: &Room| room.ctx.content_rect().right() - room.state().view.right() - 1.0;
    assert!(
        (width(&room) - size::PLOTS.0 - 80.0).abs() <= 1.0,
        "{}",
        width(&room)
    );
    let chosen = width(&room);
    room.set_size([1600.0, 614.0].into());
    room.run_steps(3);
    assert!((width(&room) - chosen).abs() < 0.5, "{}", width(&room));
    // No narrower than what can be read.
    let border = room.state().view.right() + 0.5;
    drag(&mut room, grab(border), [border + 400.0, 300.0].into());
    room.run_steps(2);
    assert!(
        (width(&room) - size::PLOTS.1).abs() < 0.5,
        "{}",
        width(&room)
    );
}

#[test]
fn a_narrow_window_shows_the_same_panels_and_leaves_the_layout_as_it_is() {
    let open = [PanelId::Plots, PanelId::Inspector];
    for width in [400.0, 533.0, 640.0, 800.0, 1024.0, 1029.0, 1040.0, 2560.0] {
        for height in [254.0, 534.0, 1300.0] {
            let room = room([width, height], &open);
            let tiled = room.state();
            let beside = width >= size::PLOTS_ROOM + size::SIDE.0;
            assert_eq!(tiled.workspace().is_narrow, !beside, "{width}");
            // One with room for it makes the tile of the inspector as wide as its fields.
            if !beside {
                assert_eq!(tiled.workspace().arrangement, Arrangement::default());
            }
            let whole = Rect::from_min_size([0.0, 0.0].into(), [width, height].into());
            let view = tiled.view;
            assert!(whole.contains_rect(view), "{width} {height}: {view:?}");
            assert!(view.width() >= size::VIEW_LEAST && view.height() >= size::VIEW_LEAST);
            for panel in open {
                let tab = tab(&room, panel);
                assert!(whole.contains_rect(tab), "{width} {height}: {tab:?}");
                assert!(
                    !view.intersects(tab.shrink(0.5)),
                    "{width} {height}: {tab:?}"
                );
            }
            let plots = tab(&room, PanelId::Plots);
            assert_eq!(plots.top() > 0.0, !beside, "{width}: below the view");
        }
    }
}

#[test]
fn every_panel_has_a_tab_and_a_cross_with_names_that_are_read_aloud() {
    for row in &PANELS {
        let room = room([1280.0, 614.0], &[row.panel]);
        let labels = controls(room.root()).into_iter();
        let labels: Vec<_> = labels.filter_map(|c| c.accesskit_node().label()).collect();
        let close = format!("Close {}", row.title);
        for wanted in [row.title, &close] {
            assert!(labels.iter().any(|l| l == wanted), "{wanted}: {labels:?}");
        }
    }
}
