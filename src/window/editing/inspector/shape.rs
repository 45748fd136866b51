//! Shapes of the selected body: kind, sizes, place, colour, material.

use crate::editing::inspector::foundation::foundations_ui;
use crate::editing::inspector::surface::{ShapeOwner, surface_ui};
use crate::session::Session;
use crate::ui::form::{Field, Form};
use crate::ui::{Spoken, heading};
use bevy_egui::egui::{self, Ui};
use physics::math::{Quat, Vec3};
use physics::model::{Body, BodyId};
use physics::scene::editing::{Amendment, Fresh};
use physics::scene::{
    BodyFile, COLOURS, ColourValue, OrientationFile, RoundFile, SceneFile, ShapeFile, Vector,
};

/// All shapes of a body, and one more.
pub fn shapes_ui(ui: &mut Ui, session: &Session, id: BodyId, form: &mut Form) {
    let scene = &session.scene();
    let body = &session.model().bodies[id.0];
    let Some(file) = scene.file.bodies.get(&body.name) else {
        return;
    };
    heading(ui, "Shapes");
    body_looks_ui(ui, form, file, &scene.file);
    let pieces: Vec<&ShapeFile> = file.shape.iter().chain(&file.shapes).collect();
    let mut remove = None;
    for (k, piece) in pieces.iter().enumerate() {
        let key = match &file.shape {
            Some(_) if k == 0 => "shape".to_owned(),
            Some(_) => format!("shapes.{}", k - 1),
            None => format!("shapes.{k}"),
        };
        ui.horizontal(|ui| {
            if let Some(changed) = kind_ui(ui, piece, body, k) {
                put(form, "shape", with_piece(file, k, changed));
            }
            let meaning = "Take this shape away";
            let others = pieces.len() > 1 || file.inertia.is_some();
            if others {
                let button = ui.small_button("✖").spoken(meaning);
                if button.on_hover_text(meaning).clicked() {
                    remove = Some(k);
                }
            }
        });
        let mut changed = (*piece).clone();
        let mut edited = false;
        form.table(ui, &key, |form, ui| {
            edited |= size_ui(ui, form, &key, &mut changed);
            edited |= place_ui(ui, form, &key, &mut changed);
            edited |= looks_ui(ui, form, (ShapeOwner::Body, &key), &mut changed);
        });
        edited |= surface_ui(
            ui,
            form,
            (ShapeOwner::Body, &key),
            &mut changed,
            &scene.file,
        );
        if scene.file.contact.is_some() {
            edited |= foundations_ui(ui, form, &key, &mut changed);
        }
        if edited {
            put(form, "shape", with_piece(file, k, changed));
        }
    }
    if let Some(k) = remove {
        let mut changed = gathered(file);
        changed.shapes.remove(k);
        put(form, "shape", changed);
    }
    let meaning = "Add a piece to this body";
    ui.menu_button("Add a shape", |ui| {
        for fresh in Fresh::ALL {
            if ui.button(fresh.word()).clicked() {
                let mut changed = gathered(file);
                changed.shapes.push(fresh.shape(reach(body)));
                put(form, "shape", changed);
                ui.close();
            }
        }
    })
    .response
    .on_hover_text(meaning);
}

fn put(form: &mut Form, field: &str, file: BodyFile) {
    let name = form.item.to_owned();
    form.edit(field, vec![Amendment::Body(name, Some(Box::new(file)))]);
}

/// A length that suits the body (m).
fn reach(body: &Body) -> f64 {
    let reach = body.shapes.iter().map(|s| s.geometry.reach());
    reach
        .filter(|r| r.is_finite())
        .fold(0.0, f64::max)
        .max(0.05)
}

/// The body with one of its shapes replaced.
fn with_piece(file: &BodyFile, k: usize, piece: ShapeFile) -> BodyFile {
    let mut changed = file.clone();
    let single = usize::from(changed.shape.is_some());
    match k.checked_sub(single) {
        Some(k) => changed.shapes[k] = piece,
        None => changed.shape = Some(piece),
    }
    changed
}

/// The body with all of its shapes in one list, so that there may be several.
fn gathered(file: &BodyFile) -> BodyFile {
    let mut changed = file.clone();
    changed.shapes = file.shape.iter().chain(&file.shapes).cloned().collect();
    changed.shape = None;
    changed
}

/// What a shape is.
pub fn word(piece: &ShapeFile) -> &'static str {
    let kinds = [
        ("sphere", piece.sphere.is_some()),
        ("box", piece.cuboid.is_some()),
        ("cylinder", piece.cylinder.is_some()),
        ("capsule", piece.capsule.is_some()),
        ("cone", piece.cone.is_some()),
        ("ellipsoid", piece.ellipsoid.is_some()),
        ("hull", piece.hull.is_some()),
        ("mesh", piece.mesh.is_some()),
        ("ground", piece.half_space.is_some()),
        ("height field", piece.height_field.is_some()),
    ];
    kinds.iter().find(|k| k.1).map_or("shape", |k| k.0)
}

/// The kind of a shape; another shape of about the same size if another kind is taken.
fn kind_ui(ui: &mut Ui, piece: &ShapeFile, body: &Body, k: usize) -> Option<ShapeFile> {
    let now = word(piece);
    let mut taken = None;
    egui::ComboBox::from_id_salt((&body.name, "kind", k))
        .selected_text(now)
        .show_ui(ui, |ui| {
            for fresh in Fresh::ALL {
                if ui
                    .selectable_label(fresh.word() == now, fresh.word())
                    .clicked()
                    && fresh.word() != now
                {
                    taken = Some(fresh);
                }
            }
        })
        .response
        .spoken("Kind of shape")
        .on_hover_text("What the shape is");
    let shape = body.shapes.get(k)?;
    let fresh = taken?.shape(2.0 * shape.geometry.reach() * 0.8);
    let (x, y, z) = shape.pose.rotation.euler_angles();
    let turned = (x, y, z) != (0.0, 0.0, 0.0);
    Some(ShapeFile {
        at: Some(Vector(shape.pose.translation.vector - body.origin)),
        orientation: turned.then(|| euler(Vec3::new(x, y, z))),
        from: None,
        to: None,
        sphere: fresh.sphere,
        cuboid: fresh.cuboid,
        cylinder: fresh.cylinder,
        capsule: fresh.capsule,
        cone: fresh.cone,
        ellipsoid: fresh.ellipsoid,
        hull: None,
        mesh: None,
        // Faces are others, or there are none.
        foundations: Vec::new(),
        ..piece.clone()
    })
}

fn euler(radians: Vec3) -> OrientationFile {
    OrientationFile {
        euler: Some(Vector(radians)),
        ..OrientationFile::default()
    }
}

/// Colour and material of a body, which its shapes have where they name none.
fn body_looks_ui(ui: &mut Ui, form: &mut Form, file: &BodyFile, scene: &SceneFile) {
    let mut changed = file.clone();
    let mut edited = None;
    form.table(ui, "looks", |form, ui| {
        let (mut colour, mut choices) = colours(changed.colour.as_ref(), "automatic");
        let field = Field {
            name: "colour",
            unit: "",
            meaning: "Colour of shapes without their own",
        };
        if form.choice(ui, field, "colour", &mut colour, &choices) {
            changed.colour = (!colour.is_empty()).then_some(ColourValue::Text(colour));
            edited = Some("colour");
        }
        let materials = scene.contact.iter().flat_map(|c| c.materials.names());
        choices = materials.map(|m| (m.to_owned(), m.to_owned())).collect();
        if choices.len() < 2 {
            return;
        }
        choices.insert(0, (String::new(), "the first".to_owned()));
        let mut material = changed.material.clone().unwrap_or_default();
        let field = Field {
            name: "material",
            unit: "",
            meaning: "What surfaces without their own material are made of",
        };
        if form.choice(ui, field, "material", &mut material, &choices) {
            changed.material = (!material.is_empty()).then_some(material);
            edited = Some("material");
        }
    });
    if let Some(field) = edited {
        put(form, field, changed);
    }
}

/// The word for a colour of the file, and all that can be chosen; `otherwise` is said where there is none.
fn colours(now: Option<&ColourValue>, otherwise: &str) -> (String, Vec<(String, String)>) {
    let colour = match now {
        Some(ColourValue::Text(name)) => name.clone(),
        Some(ColourValue::Channels(_)) => "own".into(),
        None => String::new(),
    };
    let mut choices = vec![(String::new(), otherwise.to_owned())];
    choices.extend(COLOURS.iter().map(|c| (c.0.to_owned(), c.0.to_owned())));
    if !choices.iter().any(|c| c.0 == colour) {
        choices.push((colour.clone(), colour.clone()));
    }
    (colour, choices)
}

/// Sizes of a shape. True if one was changed.
pub fn size_ui(ui: &mut Ui, form: &Form, key: &str, piece: &mut ShapeFile) -> bool {
    let path = |field: &str| format!("{key}.{field}");
    let size = |name, meaning| Field {
        name,
        unit: "m",
        meaning,
    };
    let radius = size("radius", "Radius");
    let mut changed = false;
    if let Some(sphere) = &mut piece.sphere {
        changed |= form.number(ui, radius, &path("sphere.radius"), &mut sphere.radius.0);
    }
    if let Some(cuboid) = &mut piece.cuboid {
        let field = size("edges", "Edge lengths along x, y and z");
        changed |= form.vector(ui, field, &path("box.size"), &mut cuboid.size.0);
    }
    if let Some(ellipsoid) = &mut piece.ellipsoid {
        let field = size("half-axes", "Half-axes along x, y and z");
        changed |= form.vector(ui, field, &path("ellipsoid.radii"), &mut ellipsoid.radii.0);
    }
    let rounds = [
        ("cylinder", &mut piece.cylinder),
        ("capsule", &mut piece.capsule),
        ("cone", &mut piece.cone),
    ];
    for (word, round) in rounds {
        let Some(RoundFile { radius: r, length }) = round else {
            continue;
        };
        changed |= form.number(ui, radius, &path(&format!("{word}.radius")), &mut r.0);
        if let Some(length) = length {
            let field = size(
                "length",
                "Length along the axis; a capsule's caps come on top",
            );
            changed |= form.number(ui, field, &path(&format!("{word}.length")), &mut length.0);
        }
    }
    let (word, file) = match (&mut piece.mesh, &mut piece.hull) {
        (Some(mesh), _) => ("mesh", Some((&mut mesh.file, &mut mesh.scale))),
        (_, Some(hull)) => ("hull", hull.file.as_mut().map(|f| (f, &mut hull.scale))),
        _ => ("", None),
    };
    if let Some((name, scale)) = file {
        let field = Field {
            name: "file",
            unit: "",
            meaning: "Mesh file, by its path from the folder of the scene",
        };
        changed |= form.text(ui, field, &path(&format!("{word}.file")), name);
        let field = Field {
            name: "scale",
            unit: "",
            meaning: "Factor of the lengths in the file",
        };
        changed |= form.optional(ui, field, &path(&format!("{word}.scale")), scale, 1.0);
    }
    changed
}

/// Where a shape is in its body. True if it was changed.
pub fn place_ui(ui: &mut Ui, form: &Form, key: &str, piece: &mut ShapeFile) -> bool {
    let path = |field: &str| format!("{key}.{field}");
    let length = |name, meaning| Field {
        name,
        unit: "m",
        meaning,
    };
    if let (Some(from), Some(to)) = (&mut piece.from, &mut piece.to) {
        let field = length("from", "Lower end of the axis in the frame of the body");
        let changed = form.vector(ui, field, &path("from"), &mut from.0);
        let field = length("to", "Upper end of the axis in the frame of the body");
        return form.vector(ui, field, &path("to"), &mut to.0) || changed;
    }
    let field = length("centre", "Centre in the frame of the body");
    let mut changed = form.optional_vector(ui, field, &path("at"), &mut piece.at, Vec3::zeros());
    let turned = turn(piece.orientation.as_ref());
    let mut degrees = turned.map(f64::to_degrees);
    let field = Field {
        name: "rotation",
        unit: "°",
        meaning: "Rotations about the x, y and z axes of the body, in this order",
    };
    if form.vector(ui, field, &path("orientation"), &mut degrees) {
        piece.orientation = Some(euler(degrees.map(f64::to_radians)));
        changed = true;
    }
    changed
}

/// Rotations about x, y and z of an orientation of the file (rad).
pub fn turn(file: Option<&OrientationFile>) -> Vec3 {
    let Some(file) = file else {
        return Vec3::zeros();
    };
    let rotation = match (&file.euler, &file.axis, &file.angle, &file.quaternion) {
        (Some(euler), ..) => return euler.0,
        (_, Some(axis), Some(angle), _) => axis
            .0
            .try_normalize(1e-12)
            .map_or(Quat::identity(), |a| Quat::from_scaled_axis(a * angle.0)),
        (.., Some(q)) => match q.0[..] {
            [w, x, y, z] => Quat::from_quaternion(nalgebra::Quaternion::new(w, x, y, z)),
            _ => Quat::identity(),
        },
        _ => Quat::identity(),
    };
    let (x, y, z) = rotation.euler_angles();
    Vec3::new(x, y, z)
}

/// Colour of a shape. True if it was changed.
pub fn looks_ui(
    ui: &mut Ui,
    form: &Form,
    (owner, key): (ShapeOwner, &str),
    piece: &mut ShapeFile,
) -> bool {
    let path = |field: &str| format!("{key}.{field}");
    let mut changed = false;
    let (mut colour, choices) = colours(piece.colour.as_ref(), owner.plain());
    let field = Field {
        name: "colour",
        unit: "",
        meaning: "Colour of this shape",
    };
    if form.choice(ui, field, &path("colour"), &mut colour, &choices) {
        piece.colour = (!colour.is_empty()).then_some(ColourValue::Text(colour));
        changed = true;
    }
    changed
}
