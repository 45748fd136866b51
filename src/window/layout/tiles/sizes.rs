//! How large tiles are: what was chosen for the panels, and the rest for the view.

use crate::state::arrangement::{Cell, Part};
use crate::state::panels::PanelId;
use crate::theme::size;

/// Width of the line between tiles (points).
pub const GAP: f32 = 1.0;

/// Whether anything of a part is to be seen: the view, or a panel that is open.
pub fn is_shown(part: &Part, open: &[PanelId]) -> bool {
    part.holds_view() || part.panels().iter().any(|p| open.contains(p))
}

/// The width that the view and what is open beside it need (points).
pub fn needed(part: &Part, open: &[PanelId]) -> f32 {
    let shown = |cell: &&Cell| is_shown(&cell.part, open);
    match part {
        Part::View => size::PLOTS_ROOM - size::PLOTS.0,
        Part::Tabs(_) => 0.0,
        Part::Column(cells) => {
            let holds = cells.iter().find(|c| c.part.holds_view());
            holds.map_or(0.0, |cell| needed(&cell.part, open))
        }
        Part::Row(cells) => {
            let widths = cells.iter().filter(shown).map(|cell| match cell.size {
                None => needed(&cell.part, open),
                // One that was made wider can be made less wide again.
                Some(width) => width.min(cell.part.usual(true)),
            });
            widths.sum()
        }
    }
}

/// The sizes of the parts of a row or column in so much room (points): those that were chosen, the rest for the one that
/// holds the view, which has `least` at least. Without the view, all of the room in the same proportions.
pub fn fitted(cells: &[&Cell], room: f32, least: f32) -> Vec<f32> {
    let sizes = cells.iter().map(|c| c.size.unwrap_or(0.0));
    let sum: f32 = sizes.clone().sum();
    let held = cells.iter().any(|c| c.part.holds_view());
    let others = if held {
        sum.min((room - least).max(0.0))
    } else {
        room
    };
    let factor = if sum > 0.0 { others / sum } else { 1.0 };
    let rest = (room - others).max(0.0);
    let part = |(cell, size): (&&Cell, f32)| match cell.part.holds_view() {
        true => rest,
        false => factor * size,
    };
    cells.iter().zip(sizes).map(part).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::arrangement::Arrangement;
    use crate::state::panels::PanelId::{Inspector, Plots, Solver};

    fn cell(size: f32) -> Cell {
        Cell {
            size: Some(size),
            part: Part::Tabs(vec![Plots]),
        }
    }

    const VIEW: Cell = Cell {
        size: None,
        part: Part::View,
    };

    #[test]
    fn panels_keep_their_size_and_the_view_takes_what_the_window_grows() {
        let (a, b) = (cell(270.0), cell(372.0));
        let cells = [&a, &VIEW, &b];
        assert_eq!(fitted(&cells, 1280.0, 100.0), [270.0, 638.0, 372.0]);
        assert_eq!(fitted(&cells, 2560.0, 100.0), [270.0, 1918.0, 372.0]);
        // With too little room the view has its least, the others what is left in proportion.
        assert_eq!(fitted(&cells, 421.0, 100.0), [135.0, 100.0, 186.0]);
        assert_eq!(fitted(&[&a, &b], 321.0, 100.0), [135.0, 186.0]);
        assert_eq!(fitted(&cells, 50.0, 100.0), [0.0, 50.0, 0.0]);
    }

    #[test]
    fn the_room_that_is_needed_is_that_of_what_is_open_beside_the_view() {
        let arrangement = Arrangement::default();
        let width = |open: &[PanelId]| needed(arrangement.root(), open);
        assert_eq!(width(&[Plots]), size::PLOTS_ROOM);
        assert_eq!(width(&[Plots, Inspector]), size::PLOTS_ROOM + size::SIDE.0);
        let bare = size::PLOTS_ROOM - size::PLOTS.0;
        assert_eq!(width(&[Solver]), bare, "it is below the view");
        let mut wide = arrangement.clone();
        wide.widen(Plots, 800.0);
        assert_eq!(needed(wide.root(), &[Plots]), size::PLOTS_ROOM);
    }
}
