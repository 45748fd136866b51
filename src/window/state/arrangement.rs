//! How the panels share the window with the view: rows and columns of tiles, each with the panels behind its tabs.
//!
//! Every panel has a place, also while it is closed. Which of them are open is not said here.

use crate::state::panels::{Dock, PANELS, PanelId};
use crate::theme::size;
use serde::{Deserialize, Serialize};

/// Range of what is taken for the size of a tile (points).
const SIZES: std::ops::RangeInclusive<f32> = 1.0..=16_384.0;

/// A part of the window.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Part {
    /// The three-dimensional view.
    View,
    /// Panels behind each other, in the order of their tabs.
    Tabs(Vec<PanelId>),
    /// Parts from left to right.
    Row(Vec<Cell>),
    /// Parts from top to bottom.
    Column(Vec<Cell>),
}

/// A part of a row or column.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cell {
    /// Width in a row, height in a column (points). The part that holds the view has none: it takes what the others
    /// leave. Where no part holds the view, sizes are shares.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size: Option<f32>,
    /// What it holds.
    pub part: Part,
}

impl Part {
    /// Whether the view is in it.
    pub fn holds_view(&self) -> bool {
        match self {
            Self::View => true,
            Self::Tabs(_) => false,
            Self::Row(cells) | Self::Column(cells) => cells.iter().any(|c| c.part.holds_view()),
        }
    }

    /// The panels in it.
    pub fn panels(&self) -> Vec<PanelId> {
        match self {
            Self::View => Vec::new(),
            Self::Tabs(panels) => panels.clone(),
            Self::Row(cells) | Self::Column(cells) => {
                cells.iter().flat_map(|c| c.part.panels()).collect()
            }
        }
    }

    fn count_views(&self) -> usize {
        match self {
            Self::View => 1,
            Self::Tabs(_) => 0,
            Self::Row(cells) | Self::Column(cells) => {
                cells.iter().map(|c| c.part.count_views()).sum()
            }
        }
    }

    /// The tabs behind which a panel is.
    fn tabs_of(&self, panel: PanelId) -> Option<&Vec<PanelId>> {
        match self {
            Self::View => None,
            Self::Tabs(panels) => panels.contains(&panel).then_some(panels),
            Self::Row(cells) | Self::Column(cells) => {
                cells.iter().find_map(|c| c.part.tabs_of(panel))
            }
        }
    }

    /// The first tabs in which one of some panels is.
    fn tabs_with(&mut self, wanted: &dyn Fn(PanelId) -> bool) -> Option<&mut Vec<PanelId>> {
        match self {
            Self::View => None,
            Self::Tabs(panels) => panels.iter().any(|p| wanted(*p)).then_some(panels),
            Self::Row(cells) | Self::Column(cells) => {
                cells.iter_mut().find_map(|c| c.part.tabs_with(wanted))
            }
        }
    }

    /// The cell whose tabs hold a panel, if it is in a row.
    fn width_of(&mut self, panel: PanelId) -> Option<&mut Option<f32>> {
        let row = matches!(self, Self::Row(_));
        let (Self::Row(cells) | Self::Column(cells)) = self else {
            return None;
        };
        cells.iter_mut().find_map(|cell| match &mut cell.part {
            Self::Tabs(panels) => (row && panels.contains(&panel)).then_some(&mut cell.size),
            part => part.width_of(panel),
        })
    }

    /// The view, to put something in its place.
    fn view(&mut self) -> Option<&mut Self> {
        match self {
            Self::View => Some(self),
            Self::Tabs(_) => None,
            Self::Row(cells) | Self::Column(cells) => cells.iter_mut().find_map(|c| c.part.view()),
        }
    }

    /// Without empty parts, parts of one part, and rows in rows or columns in columns.
    fn simplified(self) -> Option<Self> {
        let is_row = matches!(self, Self::Row(_));
        let cells = match self {
            Self::View => return Some(self),
            Self::Tabs(panels) => return (!panels.is_empty()).then_some(Self::Tabs(panels)),
            Self::Row(cells) | Self::Column(cells) => cells,
        };
        let mut flat = Vec::new();
        for Cell { size, part } in cells {
            match part.simplified() {
                None => {}
                Some(Self::Row(inner)) if is_row => flat.extend(within(inner, size)),
                Some(Self::Column(inner)) if !is_row => flat.extend(within(inner, size)),
                Some(part) => flat.push(Cell { size, part }),
            }
        }
        let held = flat.iter().any(|c| c.part.holds_view());
        for cell in &mut flat {
            match (cell.part.holds_view(), cell.size) {
                (true, _) => cell.size = None,
                (false, None) => cell.size = Some(cell.part.usual(is_row)),
                (false, Some(size)) if held => cell.size = Some(size.round().max(1.0)),
                _ => {}
            }
        }
        match flat.len() {
            0 => None,
            1 => flat.pop().map(|cell| cell.part),
            _ if is_row => Some(Self::Row(flat)),
            _ => Some(Self::Column(flat)),
        }
    }

    /// The width that it has at first, or the height (points).
    pub fn usual(&self, width: bool) -> f32 {
        let panels = self.panels();
        let sizes = panels.iter().map(|p| match (p.info().dock, width) {
            (Dock::Side, true) => size::SIDE.0,
            (Dock::Right | Dock::Bottom, true) => size::PLOTS.0,
            (Dock::Right, false) => size::PLOTS_BELOW,
            (Dock::Side | Dock::Bottom, false) => size::BOTTOM.0,
        });
        sizes.fold(size::VIEW_LEAST, f32::max)
    }

    /// The width that it can be made, or the height (points).
    pub fn least(&self, width: bool) -> f32 {
        let panels = self.panels();
        let sizes = panels.iter().map(|p| match (p.info().dock, width) {
            (Dock::Side, true) => size::SIDE.1,
            (Dock::Right | Dock::Bottom, true) => size::PLOTS.1,
            (_, false) => size::BOTTOM.1,
        });
        sizes.fold(size::VIEW_LEAST, f32::max)
    }
}

/// The cells of a part as cells of the part around it, in which it has a size.
fn within(cells: Vec<Cell>, size: Option<f32>) -> Vec<Cell> {
    let held = cells.iter().any(|c| c.part.holds_view());
    let sum: f32 = cells.iter().filter_map(|c| c.size).sum();
    let size = size.filter(|_| !held && sum > 0.0);
    let factor = size.map_or(1.0, |size| size / sum);
    let scaled = cells.into_iter().map(|cell| Cell {
        size: cell.size.map(|size| factor * size),
        ..cell
    });
    scaled.collect()
}

/// Where every panel is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Part", into = "Part")]
pub struct Arrangement(Part);

impl From<Arrangement> for Part {
    fn from(arrangement: Arrangement) -> Self {
        arrangement.0
    }
}

impl TryFrom<Part> for Arrangement {
    type Error = String;

    /// Takes a tree with the view once, and no panel twice. A panel that is nowhere in it gets its place at home.
    fn try_from(part: Part) -> Result<Self, String> {
        match part.count_views() {
            1 => {}
            0 => return Err("the view is nowhere".into()),
            n => return Err(format!("the view is there {n} times")),
        }
        sizes_are_possible(&part)?;
        let panels = part.panels();
        let twice = (1..panels.len()).find(|&k| panels[..k].contains(&panels[k]));
        if let Some(k) = twice {
            return Err(format!("{} is there twice", panels[k].info().title));
        }
        let mut part = part.simplified().ok_or("it is empty")?;
        for row in &PANELS {
            if part.tabs_of(row.panel).is_none() {
                settle(&mut part, row.panel);
                part = part.simplified().ok_or("it is empty")?;
            }
        }
        Ok(Self(part))
    }
}

/// Every size is one that a tile can have.
fn sizes_are_possible(part: &Part) -> Result<(), String> {
    let (Part::Row(cells) | Part::Column(cells)) = part else {
        return Ok(());
    };
    for Cell { size, part } in cells {
        if let Some(size) = size.filter(|size| !SIZES.contains(size)) {
            let [least, most] = [SIZES.start(), SIZES.end()];
            return Err(format!("a size of {size} is not from {least} to {most}"));
        }
        sizes_are_possible(part)?;
    }
    Ok(())
}

/// Puts a panel where those are that share its dock, or beside the view.
fn settle(part: &mut Part, panel: PanelId) {
    let dock = panel.info().dock;
    if let Some(tabs) = part.tabs_with(&|p| p.info().dock == dock) {
        tabs.push(panel);
        return;
    }
    let Some(view) = part.view() else {
        return;
    };
    let tabs = Part::Tabs(vec![panel]);
    *view = match dock {
        Dock::Side => Part::Row(vec![sized(size::SIDE.0, tabs), rest(Part::View)]),
        Dock::Right => Part::Row(vec![rest(Part::View), sized(size::PLOTS.0, tabs)]),
        Dock::Bottom => Part::Column(vec![rest(Part::View), sized(size::BOTTOM.0, tabs)]),
    };
}

fn sized(size: f32, part: Part) -> Cell {
    let size = Some(size);
    Cell { size, part }
}

fn rest(part: Part) -> Cell {
    Cell { size: None, part }
}

/// The panels of some docks, in the order of the table.
fn at_home(docks: &[Dock]) -> Part {
    let rows = PANELS.iter().filter(|row| docks.contains(&row.dock));
    Part::Tabs(rows.map(|row| row.panel).collect())
}

impl Default for Arrangement {
    /// Every panel in its dock.
    fn default() -> Self {
        let above = Part::Row(vec![
            sized(size::SIDE.0, at_home(&[Dock::Side])),
            rest(Part::View),
            sized(size::PLOTS.0, at_home(&[Dock::Right])),
        ]);
        let bottom = sized(size::BOTTOM.0, at_home(&[Dock::Bottom]));
        Self(Part::Column(vec![rest(above), bottom]))
    }
}

impl Arrangement {
    /// That of a window that has no room for plots beside the view: they are below it, with the bottom.
    pub fn narrow() -> Self {
        let below = at_home(&[Dock::Right, Dock::Bottom]);
        let beside = Part::Column(vec![rest(Part::View), sized(size::PLOTS_BELOW, below)]);
        let side = sized(size::SIDE.0, at_home(&[Dock::Side]));
        Self(Part::Row(vec![side, rest(beside)]))
    }

    /// The tree.
    pub fn root(&self) -> &Part {
        &self.0
    }

    /// The panels behind whose tabs a panel is, itself among them.
    pub fn tabs_of(&self, panel: PanelId) -> &[PanelId] {
        self.0.tabs_of(panel).map_or(&[], Vec::as_slice)
    }

    /// Gives the tile of a panel another width (points), if it has one of its own.
    pub fn widen(&mut self, panel: PanelId, width: f32) {
        if let Some(size @ Some(_)) = self.0.width_of(panel) {
            *size = Some(width.round());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn read(value: Value) -> Result<Arrangement, String> {
        serde_json::from_value(value).map_err(|e| e.to_string())
    }

    #[test]
    fn every_panel_is_once_in_both_arrangements_and_both_are_read_as_they_are_written() {
        for arrangement in [Arrangement::default(), Arrangement::narrow()] {
            let mut panels = arrangement.root().panels();
            panels.sort_by_key(|p| p.place());
            assert_eq!(panels, PANELS.map(|row| row.panel));
            let written = serde_json::to_value(&arrangement).unwrap();
            assert_eq!(read(written), Ok(arrangement));
        }
    }

    #[test]
    fn what_is_missing_settles_at_home_and_what_is_needless_goes() {
        let bare = read(json!("view")).unwrap();
        assert_eq!(
            bare.tabs_of(PanelId::Layers),
            Arrangement::default().tabs_of(PanelId::Layers)
        );
        assert!(bare.tabs_of(PanelId::Plots).contains(&PanelId::Plots));
        // A row in a row takes its size, as if its cells had been there at once.
        let nested = read(json!({"row": [
            {"size": 300, "part": {"row": [
                {"size": 1, "part": {"tabs": ["scenes"]}},
                {"size": 2, "part": {"tabs": ["layers", "inspector", "settings", "record", "compare"]}},
            ]}},
            {"part": {"column": [{"part": "view"}]}},
            {"size": 400, "part": {"tabs": ["plots", "solver", "profiler", "quantities"]}},
            {"size": 50, "part": {"tabs": []}},
        ]}))
        .unwrap();
        let flat = read(json!({"row": [
            {"size": 100, "part": {"tabs": ["scenes"]}},
            {"size": 200, "part": {"tabs": ["layers", "inspector", "settings", "record", "compare"]}},
            {"part": "view"},
            {"size": 400, "part": {"tabs": ["plots", "solver", "profiler", "quantities"]}},
        ]}));
        assert_eq!(Ok(nested), flat);
    }

    #[test]
    fn what_no_window_can_show_is_refused_in_words() {
        for (value, said) in [
            (json!({"tabs": ["plots"]}), "the view is nowhere"),
            (
                json!({"row": [{"part": "view"}, {"part": "view"}]}),
                "the view is there 2 times",
            ),
            (
                json!({"row": [{"part": "view"}, {"part": {"tabs": ["plots", "plots"]}}]}),
                "Plots is there twice",
            ),
            (
                json!({"row": [{"part": "view"}, {"size": -3, "part": {"tabs": ["plots"]}}]}),
                "a size of -3 is not from 1 to 16384",
            ),
            (
                json!({"row": [{"part": "view"}, {"part": {"tabs": ["cellar"]}}]}),
                "cellar",
            ),
            (json!({"heap": []}), "heap"),
        ] {
            let problem = read(value).unwrap_err();
            assert!(problem.contains(said), "{said}: {problem}");
        }
    }

    #[test]
    fn a_width_is_given_to_tiles_in_rows_alone() {
        let mut arrangement = Arrangement::default();
        arrangement.widen(PanelId::Inspector, 311.4);
        let known = arrangement.clone();
        arrangement.widen(PanelId::Solver, 500.0);
        assert_eq!(arrangement, known, "the bottom has a height");
        let written = serde_json::to_value(&arrangement).unwrap();
        assert_eq!(written["column"][0]["part"]["row"][0]["size"], 311.0);
    }
}
