//! Springs and cables between points.

use crate::commands::Command;
use crate::editing::inspector::compliance::cable_compliance_ui;
use crate::session::Session;
use crate::text::format;
use crate::ui::form::{Field, Form};
use crate::ui::{heading, row, table};
use bevy_egui::egui::Ui;
use physics::diagnostics::attachment_point;
use physics::math::Vec3;
use physics::model::Force;
use physics::scene::editing::{Amendment, Section};
use physics::scene::{AttachmentFile, SceneError, SceneFile};

/// A spring.
pub fn spring_ui(
    ui: &mut Ui,
    session: &Session,
    spring: usize,
    errors: &[SceneError],
    out: &mut Vec<Command>,
) {
    let model = session.model();
    let Force::Spring {
        name,
        ends,
        rest,
        stiffness,
        ..
    } = &model.forces[spring]
    else {
        return;
    };
    let state = session.state();
    let [a, b] = [0, 1].map(|k| attachment_point(state, &ends[k]));
    let length = (b - a).norm();
    table(ui, "spring now", |ui| {
        row(ui, "length", format::quantity(length, "m"));
        let pull = stiffness * (length - rest);
        // A compressed spring pushes.
        let name = if pull < 0.0 {
            "pushes with"
        } else {
            "pulls with"
        };
        row(ui, name, format::quantity(pull.abs(), "N"));
    });
    let Some(file) = session.scene().file.springs.get(name) else {
        return;
    };
    let mut form = Form {
        path: format!("springs.{name}"),
        item: name,
        errors,
        out,
    };
    let mut changed = file.clone();
    let mut edited = false;
    form.name_ui(ui, Section::Springs);
    heading(ui, "Spring");
    form.table(ui, "spring", |form, ui| {
        let field = |name, unit, meaning| Field {
            name,
            unit,
            meaning,
        };
        let stiffness = field("stiffness", "N/m", "Force per stretch");
        edited |= form.number(ui, stiffness, "stiffness", &mut changed.stiffness.0);
        let relaxed = field("rest", "m", "Length at which it is relaxed");
        edited |= form.optional(ui, relaxed, "rest", &mut changed.rest, *rest);
        let damping = field("damping", "N·s/m", "Viscous damping along the line");
        edited |= form.number(ui, damping, "damping", &mut changed.damping.0);
        edited |= end_ui(
            ui,
            form,
            &session.scene().file,
            ["from", "from"],
            &mut changed.from,
        );
        edited |= end_ui(
            ui,
            form,
            &session.scene().file,
            ["to", "to"],
            &mut changed.to,
        );
    });
    if edited {
        let put = Amendment::Spring(name.clone(), Some(Box::new(changed)));
        form.edit("spring", vec![put]);
    }
}

/// A cable.
pub fn cable_ui(
    ui: &mut Ui,
    session: &Session,
    cable: usize,
    errors: &[SceneError],
    out: &mut Vec<Command>,
) {
    let data = &session.model().cables[cable];
    let Some(file) = session.scene().file.cables.get(&data.name) else {
        return;
    };
    let mut form = Form {
        path: format!("cables.{}", data.name),
        item: &data.name,
        errors,
        out,
    };
    let mut changed = file.clone();
    let mut edited = false;
    form.name_ui(ui, Section::Cables);
    heading(ui, "Cable");
    form.table(ui, "cable", |form, ui| {
        let length = Field {
            name: "length",
            unit: "m",
            meaning: "Its ends are never farther apart than this",
        };
        edited |= form.optional(ui, length, "length", &mut changed.length, data.length);
        let bounce = Field {
            name: "bounces",
            unit: "",
            meaning: "Coefficient of restitution when it becomes taut, 0 to 1",
        };
        edited |= form.number(ui, bounce, "restitution", &mut changed.restitution.0);
        edited |= cable_compliance_ui(ui, form, &mut changed.compliance);
        let file = &session.scene().file;
        edited |= end_ui(ui, form, file, ["from", "ends.0"], &mut changed.ends.0);
        edited |= end_ui(ui, form, file, ["to", "ends.1"], &mut changed.ends.1);
    });
    if edited {
        let put = Amendment::Cable(data.name.clone(), Some(Box::new(changed)));
        form.edit("cable", vec![put]);
    }
}

/// The body and the point that one end is fixed to: what the end is called, and its key in the file.
fn end_ui(
    ui: &mut Ui,
    form: &Form,
    file: &SceneFile,
    [name, key]: [&'static str; 2],
    end: &mut AttachmentFile,
) -> bool {
    let mut names = vec![("world".to_owned(), "world".to_owned())];
    names.extend(file.bodies.names().map(|n| (n.to_owned(), n.to_owned())));
    let body = Field {
        name,
        unit: "",
        meaning: "What this end is fixed to",
    };
    let path = format!("{key}.body");
    let changed = form.choice(ui, body, &path, &mut end.body, &names);
    let point = Field {
        name: "at",
        unit: "m",
        meaning: "The point in the frame of the body, or in the world",
    };
    let path = format!("{key}.point");
    form.optional_vector(ui, point, &path, &mut end.point, Vec3::zeros()) || changed
}
