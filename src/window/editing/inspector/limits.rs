//! Joint limits and cables: what they hold now.

use crate::session::Session;
use crate::text::format;
use crate::ui::{heading, row, table};
use bevy_egui::egui::{RichText, Ui};
use physics::diagnostics::attachment_point;
use physics::model::{JointId, LimitState, Model};

/// What the limits of a joint hold.
pub fn limits_ui(ui: &mut Ui, session: &Session, id: JointId) {
    let model = session.model();
    let joint = &model.joints[id.0];
    if joint.limits.is_empty() {
        return;
    }
    let first = first_limit(model, id);
    let now = &session.state().limits;
    let slides = joint.kind.free_translations();
    heading(ui, "Limits now");
    table(ui, "limits", |ui| {
        for (k, limit) in joint.limits.iter().enumerate() {
            let (unit, force) = if limit.coordinate < slides {
                ("m", "N")
            } else {
                ("rad", "N·m")
            };
            let held = now.get(first + k).copied().unwrap_or_default();
            let name = format!("coordinate {}", limit.coordinate + 1);
            row(ui, &name, holds(&held, unit, force));
        }
    });
}

/// What a cable holds.
pub fn cable_ui(ui: &mut Ui, session: &Session, cable: usize) {
    let model = session.model();
    let state = session.state();
    let joint_limits: usize = model.joints.iter().map(|j| j.limits.len()).sum();
    let held = state.limits.get(joint_limits + cable);
    let held = held.copied().unwrap_or_default();
    let data = &model.cables[cable];
    let [a, b] = [0, 1].map(|k| attachment_point(state, &data.ends[k]));
    ui.label(RichText::new(&data.name).strong());
    table(ui, "cable", |ui| {
        row(ui, "distance", format::quantity((b - a).norm(), "m"));
        row(ui, "slack", format::quantity(held.gap, "m"));
        row(ui, "tension", format::quantity(held.force, "N"));
    });
}

/// Where the limits of a joint begin among the limits of a state.
fn first_limit(model: &Model, id: JointId) -> usize {
    model.joints[..id.0].iter().map(|j| j.limits.len()).sum()
}

/// What a limit does, in words.
fn holds(limit: &LimitState, unit: &str, force: &str) -> String {
    if limit.force == 0.0 {
        format!("free by {}", format::quantity(limit.gap, unit))
    } else {
        format!("held by {}", format::quantity(limit.force, force))
    }
}
