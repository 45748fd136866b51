//! Compare mode: which lanes run, what they have come to, how they part, and how errors fall with the step.

pub mod lanes;
pub mod legend;
pub mod overlay;
pub mod study;
pub mod table;

use crate::commands::Command;
use crate::commands::compare::CompareCommand;
use crate::compare::Comparing;
use crate::text::format;
use crate::theme::{Palette, Shade, colour};
use bevy_egui::egui::{Color32, Painter, Rect, Ui, Vec2, pos2, vec2};

/// A command about lanes.
fn asked(asked: CompareCommand) -> Command {
    Command::Compare(asked)
}

/// What a lane is called: its method, its step (`always`, or where the leader's is another), and what else sets it
/// apart from the leader.
fn name(comparing: &Comparing, place: usize, always: bool) -> String {
    let spec = &comparing.lanes()[place].spec;
    let first = &comparing.lanes()[comparing.leader()].spec;
    let mut name = spec.integrator.clone();
    if always || spec.settings.dt != first.settings.dt {
        name += &format!(", {}", format::duration(spec.settings.dt));
    }
    if spec.settings.tolerance != first.settings.tolerance {
        name += &format!(", tol {:.0e}", spec.settings.tolerance);
    }
    if spec.settings.friction != first.settings.friction {
        name += &format!(
            ", {}",
            crate::methods::cone_ui::cone(spec.settings.friction)
        );
    }
    for (option, value) in spec.settings.options.chosen() {
        let same = |(o, v)| o == option && v == value;
        if !first.settings.options.chosen().any(same) {
            name += &format!(", {} {value}", option.replace('_', " "));
        }
    }
    if spec.perturbation != 0.0 {
        name += &format!(", shifted by {}", format::quantity(spec.perturbation, "m"));
    }
    name
}

/// The colour of a lane as the interface wears it.
fn shade(ui: &Ui, comparing: &Comparing, place: usize) -> Color32 {
    colour(comparing.shade(place, Palette::worn(ui)).colour)
}

/// A chip in the colour of a lane: full for the leader, a rim for ghosts; split where its lines are dashed.
fn chip(painter: &Painter, rect: Rect, look: Shade, leads: bool) {
    let shade = colour(look.colour);
    let parts: &[[f32; 2]] = if look.dashed {
        &[[0.0, 0.42], [0.58, 1.0]]
    } else {
        &[[0.0, 1.0]]
    };
    for [from, to] in parts {
        let at = |share: f32| rect.left() + share * rect.width();
        let part = Rect::from_min_max(pos2(at(*from), rect.top()), pos2(at(*to), rect.bottom()));
        if leads {
            painter.rect_filled(part, 2.0, shade);
        } else {
            painter.rect_filled(part, 2.0, shade.gamma_multiply(0.35));
            let inside = bevy_egui::egui::StrokeKind::Inside;
            painter.rect_stroke(part, 2.0, (1.5, shade), inside);
        }
    }
}

/// Room for a chip in a line of the interface.
fn chip_ui(ui: &mut Ui, comparing: &Comparing, place: usize) {
    let extent: Vec2 = vec2(14.0, 14.0);
    let (rect, _) = ui.allocate_exact_size(extent, bevy_egui::egui::Sense::hover());
    let look = comparing.shade(place, Palette::worn(ui));
    chip(ui.painter(), rect, look, place == comparing.leader());
}
