//! The arrangement as the tree that is drawn and changed by hand, and back again.

use crate::layout::tiles::sizes::{GAP, fitted, is_shown};
use crate::state::arrangement::{Arrangement, Cell, Part};
use crate::state::panels::PanelId;
use crate::state::workspace::front;
use crate::theme::size;
use bevy_egui::egui::{Vec2, vec2};
use egui_tiles::{Container, Linear, LinearDir, Tabs, Tile, TileId, Tiles, Tree};

/// What a tile shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pane {
    View,
    Panel(PanelId),
}

impl Pane {
    /// Its tile, the same in every frame.
    pub fn tile(self) -> TileId {
        match self {
            Self::View => TileId(0),
            Self::Panel(panel) => TileId(1 + panel.place() as u64),
        }
    }
}

/// First tile of those that hold others.
const CONTAINERS: u64 = 1_000;

/// What is open, and how the view shares its room.
#[derive(Clone, Copy)]
pub struct Shown<'a> {
    /// The panels that are open, the one that was brought forward last at the end.
    pub open: &'a [PanelId],
    /// Least part of the room that the view has along a row or column; none means so many points that what lies over it
    /// can be seen.
    pub share: Option<f32>,
}

/// The size of a tile: as it is shown, and as it was chosen (points).
struct Size {
    tile: TileId,
    shown: f32,
    chosen: Option<f32>,
}

/// An arrangement in a room.
pub struct Planted {
    pub tree: Tree<Pane>,
    sizes: Vec<Size>,
    containers: u64,
    /// The tile that was moved last.
    dropped: Option<TileId>,
}

impl Planted {
    /// The tree of an arrangement in so much room.
    pub fn of(arrangement: &Arrangement, shown: Shown, room: Vec2) -> Self {
        let mut planted = Self {
            tree: Tree::empty("tiles"),
            sizes: Vec::new(),
            containers: CONTAINERS,
            dropped: None,
        };
        let root = planted.plant(arrangement.root(), shown, room);
        planted.tree.root = Some(root);
        planted
    }

    fn put(&mut self, id: TileId, tile: Tile<Pane>, visible: bool) -> TileId {
        self.tree.tiles.insert(id, tile);
        self.tree.tiles.set_visible(id, visible);
        id
    }

    fn put_container(&mut self, container: impl Into<Container>, visible: bool) -> TileId {
        self.containers += 1;
        let id = TileId(self.containers);
        self.put(id, Tile::Container(container.into()), visible)
    }

    fn plant(&mut self, part: &Part, shown: Shown, room: Vec2) -> TileId {
        match part {
            Part::View => self.put(Pane::View.tile(), Tile::Pane(Pane::View), true),
            Part::Tabs(panels) => {
                let tile = |panel: &PanelId| {
                    let pane = Pane::Panel(*panel);
                    let visible = shown.open.contains(panel);
                    self.put(pane.tile(), Tile::Pane(pane), visible)
                };
                let mut tabs = Tabs::new(panels.iter().map(tile).collect());
                tabs.active = front(shown.open, panels).map(|p| Pane::Panel(p).tile());
                let visible = tabs.active.is_some();
                self.put_container(tabs, visible)
            }
            Part::Row(cells) => self.plant_linear(cells, LinearDir::Horizontal, shown, room),
            Part::Column(cells) => self.plant_linear(cells, LinearDir::Vertical, shown, room),
        }
    }

    fn plant_linear(&mut self, cells: &[Cell], dir: LinearDir, shown: Shown, room: Vec2) -> TileId {
        let is_row = dir == LinearDir::Horizontal;
        let [along, across] = if is_row {
            [room.x, room.y]
        } else {
            [room.y, room.x]
        };
        let visible: Vec<&Cell> = cells
            .iter()
            .filter(|c| is_shown(&c.part, shown.open))
            .collect();
        let free = (along - GAP * visible.len().saturating_sub(1) as f32).max(0.0);
        let least = shown.share.map_or(size::VIEW_LEAST, |share| share * along);
        let mut sizes = fitted(&visible, free, least).into_iter();
        let mut linear = Linear::new(dir, Vec::new());
        for cell in cells {
            let size = match is_shown(&cell.part, shown.open) {
                true => sizes.next().unwrap_or_default(),
                false => cell.size.unwrap_or_default(),
            };
            let inner = if is_row {
                vec2(size, across)
            } else {
                vec2(across, size)
            };
            let child = self.plant(&cell.part, shown, inner);
            linear.children.push(child);
            linear.shares.set_share(child, size);
            self.sizes.push(Size {
                tile: child,
                shown: size,
                chosen: cell.size,
            });
        }
        self.put_container(linear, !visible.is_empty())
    }

    /// The arrangement after it was changed by hand, by a tile that was dropped or by a border; none if the view would be
    /// behind a tab.
    pub fn harvest(&mut self, dropped: Option<TileId>) -> Option<Arrangement> {
        self.dropped = dropped;
        let part = self.part(self.tree.root?)?;
        Arrangement::try_from(part).ok()
    }

    fn part(&self, tile: TileId) -> Option<Part> {
        match self.tree.tiles.get(tile)? {
            Tile::Pane(Pane::View) => Some(Part::View),
            Tile::Pane(Pane::Panel(panel)) => Some(Part::Tabs(vec![*panel])),
            Tile::Container(Container::Linear(linear)) => {
                let is_row = linear.dir == LinearDir::Horizontal;
                let cells = linear.children.iter().map(|child| {
                    let part = self.part(*child)?;
                    let size = self.size(linear, *child, &part, is_row);
                    Some(Cell { size, part })
                });
                let cells = cells.collect::<Option<Vec<_>>>()?;
                Some(if is_row {
                    Part::Row(cells)
                } else {
                    Part::Column(cells)
                })
            }
            Tile::Container(container) => self.tabs(container),
        }
    }

    /// Tabs after something may have been dropped on them: on a side of the panel in front, which is meant for that side of
    /// all of them, or among them.
    fn tabs(&self, container: &Container) -> Option<Part> {
        let parts = container.children().map(|child| self.part(*child));
        let parts = parts.collect::<Option<Vec<_>>>()?;
        if parts.iter().any(Part::holds_view) {
            return None;
        }
        let mut panels: Vec<_> = parts.iter().flat_map(Part::panels).collect();
        let split = self.dropped.and_then(|dropped| {
            let children = container.children();
            let mut inner = children.filter_map(|t| self.tree.tiles.get_container(*t));
            inner.find_map(|c| match c {
                Container::Linear(l) if l.children.contains(&dropped) => Some((dropped, l)),
                _ => None,
            })
        });
        let Some((dropped, linear)) = split else {
            return Some(Part::Tabs(panels));
        };
        let beside = self.part(dropped)?;
        panels.retain(|p| !beside.panels().contains(p));
        let mut cells = [Part::Tabs(panels), beside].map(|part| Cell { size: None, part });
        if linear.children.first() == Some(&dropped) {
            cells.reverse();
        }
        Some(match linear.dir {
            LinearDir::Horizontal => Part::Row(cells.into()),
            LinearDir::Vertical => Part::Column(cells.into()),
        })
    }

    /// The size chosen for a part: as it was, unless it was changed by hand; for one that is new there, that at first.
    fn size(&self, linear: &Linear, tile: TileId, part: &Part, is_row: bool) -> Option<f32> {
        if part.holds_view() {
            return None;
        }
        let held = |t: &TileId| self.part(*t).is_some_and(|p| p.holds_view());
        let beside_view = linear.children.iter().any(held);
        let share = linear.shares.iter().find(|(t, _)| **t == tile);
        let Some((_, share)) = share else {
            // Beside others alone it takes as much as they have on average.
            let known = || linear.shares.iter().map(|s| *s.1);
            let count = known().count();
            return Some(match beside_view || count == 0 {
                true => part.usual(is_row),
                false => known().sum::<f32>() / count as f32,
            });
        };
        let known = self.sizes.iter().find(|s| s.tile == tile);
        match known {
            Some(size) if size.shown == *share && size.chosen.is_some() => size.chosen,
            _ if beside_view => Some(share.max(part.least(is_row))),
            _ => Some(share.max(1.0)),
        }
    }

    /// The panels that are in front by hand, where others were.
    pub fn brought(&self, shown: Shown) -> Vec<PanelId> {
        let tabs = self.tree.tiles.tiles().filter_map(|tile| match tile {
            Tile::Container(Container::Tabs(tabs)) => Some(tabs),
            _ => None,
        });
        let mut brought: Vec<_> = tabs
            .filter_map(|tabs| {
                let panels: Vec<_> = tabs
                    .children
                    .iter()
                    .filter_map(|t| self.panel(*t))
                    .collect();
                let active = self.panel(tabs.active?)?;
                (front(shown.open, &panels) != Some(active)).then_some(active)
            })
            .collect();
        // Tiles are in no order.
        brought.sort_by_key(|p| p.place());
        brought
    }

    /// The panel that a tile shows.
    pub fn panel(&self, tile: TileId) -> Option<PanelId> {
        panel(&self.tree.tiles, tile)
    }
}

/// The panel that a tile shows.
pub fn panel(tiles: &Tiles<Pane>, tile: TileId) -> Option<PanelId> {
    match tiles.get_pane(&tile)? {
        Pane::Panel(panel) => Some(*panel),
        Pane::View => None,
    }
}
