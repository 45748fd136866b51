//! Joint limits and cables: what they hold now, and their bounds, which can be changed.

use super::{Spoken, heading, row, table};
use crate::app::actions::Action;
use crate::app::format;
use crate::app::session::Session;
use crate::diagnostics::attachment_point;
use crate::model::{Joint, JointId, Model, StopState};
use bevy_egui::egui::{DragValue, RichText, Ui};

/// The limits of a joint; `changed` is edited in place. True if something was changed.
pub fn limits_ui(ui: &mut Ui, session: &Session, id: JointId, changed: &mut Joint) -> bool {
    if changed.limits.is_empty() {
        return false;
    }
    let model = session.simulation.model();
    let first = first_stop(model, id);
    let stops = &session.simulation.state().stops;
    let slides = changed.kind.free_translations();
    let mut edited = false;
    heading(ui, "Limits");
    table(ui, "limits", |ui| {
        for (k, limit) in changed.limits.iter_mut().enumerate() {
            let (unit, force) = if limit.coordinate < slides {
                ("m", "N")
            } else {
                ("rad", "N·m")
            };
            let stop = stops.get(first + k).copied().unwrap_or_default();
            let name = format!("coordinate {}", limit.coordinate + 1);
            row(ui, &name, holds(&stop, unit, force));
            let (below, above) = (f64::NEG_INFINITY..=limit.upper, limit.lower..=f64::INFINITY);
            for (name, bound, range) in [
                ("from", &mut limit.lower, below),
                ("to", &mut limit.upper, above),
            ] {
                ui.label(RichText::new(name).small());
                if bound.is_finite() {
                    let field = DragValue::new(bound)
                        .speed(0.005)
                        .range(range)
                        .max_decimals(4)
                        .suffix(format!(" {unit}"));
                    edited |= ui
                        .add(field)
                        .spoken(&format!("Limit of the coordinate, {name}"))
                        .on_hover_text("The coordinate stays on this side of it")
                        .changed();
                } else {
                    ui.label(RichText::new("no bound").small());
                }
                ui.end_row();
            }
        }
    });
    edited
}

/// A cable.
pub fn cable_ui(ui: &mut Ui, session: &Session, cable: usize, out: &mut Vec<Action>) {
    let model = session.simulation.model();
    let state = session.simulation.state();
    let joint_limits: usize = model.joints.iter().map(|j| j.limits.len()).sum();
    let stop = state.stops.get(joint_limits + cable);
    let stop = stop.copied().unwrap_or_default();
    let data = &model.cables[cable];
    let [from, to] = data
        .ends
        .map(|e| e.body.map_or("world", |b| model.bodies[b.0].name.as_str()));
    let [a, b] = [0, 1].map(|k| attachment_point(state, &data.ends[k]));
    ui.label(RichText::new(&data.name).strong());
    let mut length = data.length;
    table(ui, "cable", |ui| {
        row(ui, "holds", format!("{from} and {to}"));
        row(ui, "distance", format::quantity((b - a).norm(), "m"));
        row(ui, "slack", format::quantity(stop.gap, "m"));
        row(ui, "tension", format::quantity(stop.force, "N"));
        ui.label(RichText::new("length").small());
        let field = DragValue::new(&mut length)
            .speed(0.002)
            .range(1e-6..=1e6)
            .max_decimals(4)
            .suffix(" m");
        ui.add(field)
            .spoken("Length")
            .on_hover_text("Its ends are never farther apart than this");
        ui.end_row();
    });
    if length != data.length {
        let mut changed = model.clone();
        changed.cables[cable].length = length;
        out.push(Action::Model(Box::new(changed)));
    }
}

/// Where the limits of a joint begin among the stops of a state.
fn first_stop(model: &Model, id: JointId) -> usize {
    model.joints[..id.0].iter().map(|j| j.limits.len()).sum()
}

/// What a stop does, in words.
fn holds(stop: &StopState, unit: &str, force: &str) -> String {
    if stop.force == 0.0 {
        format!("free by {}", format::quantity(stop.gap, unit))
    } else {
        format!("held by {}", format::quantity(stop.force, force))
    }
}
