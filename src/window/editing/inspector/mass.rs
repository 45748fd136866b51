//! Mass and inertia of the selected body.

use crate::session::Session;
use crate::ui::form::{Field, Form};
use crate::ui::heading;
use bevy_egui::egui::Ui;
use physics::math::{Mat3, Vec3};
use physics::model::{Body, BodyId};
use physics::scene::editing::Amendment;
use physics::scene::{BodyFile, Number, Tensor, Vector};

/// Mass, centre of mass and inertia.
pub fn mass_ui(ui: &mut Ui, session: &Session, id: BodyId, form: &mut Form) {
    let body = &session.model().bodies[id.0];
    let Some(file) = session.scene().file.bodies.get(&body.name) else {
        return;
    };
    heading(ui, "Mass");
    let full = ui.id().with("full tensor");
    let mut is_full: bool = ui.data(|d| d.get_temp(full)).unwrap_or(false);
    form.table(ui, "mass", |form, ui| {
        let mut mass = body.mass;
        let field = Field {
            name: "mass",
            unit: "kg",
            meaning: "Mass of the body",
        };
        if form.number(ui, field, "mass", &mut mass) {
            put(form, "mass", with_mass(file, mass));
        }
        let field = Field {
            name: "density",
            unit: "kg/m³",
            meaning: "Density of shapes without their own, in the place of the mass of the body",
        };
        let mut density = file.density;
        let by_density = file.mass.is_none() || density.is_some();
        let has_shapes = file.shape.is_some() || !file.shapes.is_empty();
        if has_shapes
            && file.inertia.is_none()
            && form.ticked(ui, field, "density", &mut density, DENSITY)
        {
            let mut changed = file.clone();
            changed.density = density;
            // Without either a body weighs what its shapes do; with a density it has no mass of its own.
            changed.mass = changed.mass.filter(|_| by_density || density.is_none());
            put(form, "density", changed);
        }
        let mut centre = -body.origin;
        let field = Field {
            name: "centre",
            unit: "m",
            meaning: "Centre of mass in the frame of the scene file; setting it gives the body its own inertia",
        };
        if form.vector(ui, field, "centre", &mut centre) {
            let mut changed = with_inertia(file, body, &body.inertia);
            changed.centre = Some(Vector(centre));
            put(form, "centre of mass", changed);
        }
        let inertia = if is_full {
            full_ui(ui, form, &body.inertia)
        } else {
            principal_ui(ui, form, &body.inertia)
        };
        form.complain(ui, "inertia");
        if let Some(inertia) = inertia {
            put(form, "inertia", with_inertia(file, body, &inertia));
        }
    });
    ui.horizontal(|ui| {
        for (choice, label, meaning) in [
            (
                false,
                "principal",
                "Show the principal moments of inertia; their axes stay",
            ),
            (
                true,
                "full tensor",
                "Show all entries of the tensor, body axes",
            ),
        ] {
            ui.selectable_value(&mut is_full, choice, label)
                .on_hover_text(meaning);
        }
        let has_shapes = file.shape.is_some() || !file.shapes.is_empty();
        let meaning = "Let the shapes give centre of mass and inertia again";
        if file.inertia.is_some()
            && has_shapes
            && ui
                .small_button("from shapes")
                .on_hover_text(meaning)
                .clicked()
        {
            let changed = BodyFile {
                inertia: None,
                centre: None,
                ..file.clone()
            };
            put(form, "inertia", changed);
        }
    });
    ui.data_mut(|d| d.insert_temp(full, is_full));
}

fn put(form: &mut Form, field: &str, file: BodyFile) {
    let name = form.item.to_owned();
    form.edit(field, vec![Amendment::Body(name, Some(Box::new(file)))]);
}

/// A body of this mass; what else would give one goes.
fn with_mass(file: &BodyFile, mass: f64) -> BodyFile {
    let mut changed = file.clone();
    (changed.mass, changed.density) = (Some(Number(mass)), None);
    for shape in changed.shape.iter_mut().chain(&mut changed.shapes) {
        // A piece that weighs nothing goes on to do so.
        if shape.mass.is_none_or(|m| m.0 != 0.0) {
            (shape.mass, shape.density) = (None, None);
        }
    }
    changed
}

/// A body with its own inertia, and mass and centre as they are.
fn with_inertia(file: &BodyFile, body: &Body, inertia: &Mat3) -> BodyFile {
    let mut changed = with_mass(file, body.mass);
    let entry = |r: usize, c: usize| 0.5 * (inertia[(r, c)] + inertia[(c, r)]);
    changed.inertia = Some(Tensor([
        inertia[(0, 0)],
        inertia[(1, 1)],
        inertia[(2, 2)],
        entry(0, 1),
        entry(0, 2),
        entry(1, 2),
    ]));
    changed.centre = (body.origin != Vec3::zeros()).then(|| Vector(-body.origin));
    changed
}

const UNIT: &str = "kg·m²";
/// Density of shapes where none is given (kg/m³).
const DENSITY: f64 = 1000.0;

/// Principal moments; the tensor with changed ones.
fn principal_ui(ui: &mut Ui, form: &Form, inertia: &Mat3) -> Option<Mat3> {
    let eigen = inertia.symmetric_eigen();
    let mut order = [0, 1, 2];
    order.sort_by(|a, b| eigen.eigenvalues[*a].total_cmp(&eigen.eigenvalues[*b]));
    let mut moments = order.map(|k| eigen.eigenvalues[k]);
    let field = Field {
        name: "moments",
        unit: UNIT,
        meaning: "Principal moments of inertia about the centre of mass; none may exceed the sum of the others",
    };
    let names = ["least", "middle", "largest"];
    if !form.numbers(ui, field, "moments", &names, &mut moments) {
        return None;
    }
    let mut values = eigen.eigenvalues;
    for (k, moment) in order.into_iter().zip(moments) {
        values[k] = moment;
    }
    let axes = eigen.eigenvectors;
    Some(axes * Mat3::from_diagonal(&values) * axes.transpose())
}

/// All entries; the tensor with changed ones.
fn full_ui(ui: &mut Ui, form: &Form, inertia: &Mat3) -> Option<Mat3> {
    let mut changed = *inertia;
    let mut edited = false;
    for (name, entries) in [
        ("xx, yy, zz", [(0, 0), (1, 1), (2, 2)]),
        ("xy, xz, yz", [(0, 1), (0, 2), (1, 2)]),
    ] {
        let mut values = entries.map(|e| inertia[e]);
        let field = Field {
            name,
            unit: UNIT,
            meaning: "Entries of the inertia tensor about the centre of mass, body axes",
        };
        let names: Vec<&str> = name.split(", ").collect();
        if form.numbers(ui, field, name, &names, &mut values) {
            for ((r, c), value) in entries.into_iter().zip(values) {
                (changed[(r, c)], changed[(c, r)]) = (value, value);
            }
            edited = true;
        }
    }
    edited.then_some(changed)
}
