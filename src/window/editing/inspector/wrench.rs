//! A force and a torque on a body.

use crate::commands::Command;
use crate::editing::inspector::signal::signal_ui;
use crate::session::Session;
use crate::ui::form::{Field, Form};
use crate::ui::heading;
use bevy_egui::egui::Ui;
use physics::model::Force;
use physics::scene::editing::{Amendment, Section};
use physics::scene::{AxesFile, SceneError, Signals};

/// Draws the fields of a force on a body.
pub fn wrench_ui(
    ui: &mut Ui,
    session: &Session,
    force: usize,
    errors: &[SceneError],
    out: &mut Vec<Command>,
) {
    let model = session.model();
    let Force::Wrench {
        name, body, point, ..
    } = &model.forces[force]
    else {
        return;
    };
    let Some(file) = session.scene().file.wrenches.get(name) else {
        return;
    };
    let mut form = Form {
        path: format!("wrenches.{name}"),
        item: name,
        errors,
        out,
    };
    form.name_ui(ui, Section::Wrenches);
    heading(ui, "Force on a body");
    let mut changed = file.clone();
    let mut edited = false;
    form.table(ui, "wrench", |form, ui| {
        let field = |name, unit, meaning| Field {
            name,
            unit,
            meaning,
        };
        let names = session.scene().file.bodies.names();
        let names: Vec<(String, String)> = names.map(|n| (n.into(), n.into())).collect();
        let on = field("body", "", "What it pushes and turns");
        edited |= form.choice(ui, on, "body", &mut changed.body, &names);
        let at = field(
            "at",
            "m",
            "Point of application in the frame of the body; initially its centre of mass",
        );
        let mut place = changed.point;
        let centre = point - model.bodies[body.0].origin;
        if form.optional_vector(ui, at, "point", &mut place, centre) {
            changed.point = place;
            edited = true;
        }
        let axes = [
            (AxesFile::World, "of the world".to_owned()),
            (AxesFile::Body, "of the body".to_owned()),
        ];
        let meaning = "Axes of force and torque; those of the body turn with it";
        edited |= form.choice(
            ui,
            field("axes", "", meaning),
            "axes",
            &mut changed.axes,
            &axes,
        );
        edited |= signals_ui(ui, form, ("force", "N"), &mut changed.force);
        edited |= signals_ui(ui, form, ("torque", "N·m"), &mut changed.torque);
    });
    if edited {
        let put = Amendment::Wrench(name.clone(), Some(Box::new(changed)));
        form.edit("force", vec![put]);
    }
}

/// Three functions of time, one for each axis.
fn signals_ui(ui: &mut Ui, form: &Form, (what, unit): (&str, &str), signals: &mut Signals) -> bool {
    let mut changed = false;
    for (axis, signal) in ["x", "y", "z"].into_iter().zip(&mut signals.0) {
        let meaning = format!("The {what} along {axis} [{unit}]: a number, or an expression in t");
        let id = (form.path.clone(), what, axis);
        changed |= signal_ui(ui, id, &format!("{what} {axis}"), signal, &meaning);
        ui.end_row();
    }
    form.complain(ui, what);
    changed
}
