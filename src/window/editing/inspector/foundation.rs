//! Elastic foundations on the faces of a shape: how finely they are divided, how thick and how stiff they are.

use crate::ui::Spoken;
use crate::ui::form::{Field, Form};
use bevy_egui::egui::Ui;
use physics::model::Face;
use physics::scene::{FoundationFile, Number, ShapeFile};

/// The face of a half-space, and of a foundation that names none.
const TOP: &str = "+z";
/// Elements, depth (m), modulus (Pa), viscosity (Pa·s) and extent on a half-space (m) of a new foundation.
const FRESH: (usize, f64, f64, f64, f64) = (10, 0.05, 1e5, 1e3, 1.0);

/// The foundations of a box or of the ground, and one more. True if something was changed.
pub fn foundations_ui(ui: &mut Ui, form: &mut Form, key: &str, piece: &mut ShapeFile) -> bool {
    let faces: &[&str] = match (&piece.cuboid, &piece.half_space) {
        (Some(_), _) => &Face::NAMES,
        (_, Some(_)) => &[TOP],
        _ => return false,
    };
    let is_ground = piece.half_space.is_some();
    let taken: Vec<String> = piece.foundations.iter().map(face).collect();
    let mut edited = false;
    let mut gone = None;
    for (k, foundation) in piece.foundations.iter_mut().enumerate() {
        let key = format!("{key}.foundations.{k}");
        ui.horizontal(|ui| {
            ui.label(format!("Foundation on {}", taken[k]));
            let meaning = "Take this foundation away: the face is what its material is";
            let button = ui.small_button("✖").spoken(meaning);
            if button.on_hover_text(meaning).clicked() {
                gone = Some(k);
            }
        });
        form.table(ui, &key, |form, ui| {
            if !is_ground {
                edited |= face_ui(ui, form, &key, foundation, (faces, &taken));
            }
            edited |= layer_ui(ui, form, &key, foundation);
        });
    }
    if let Some(k) = gone {
        piece.foundations.remove(k);
        edited = true;
    }
    let meaning = "Cover a face with springs and dampers that give one by one, for the method `compliant`; others take it as rigid";
    let bare = faces.iter().find(|f| !taken.iter().any(|t| t == *f));
    if let Some(bare) = bare
        && ui
            .small_button("+ foundation")
            .on_hover_text(meaning)
            .clicked()
    {
        piece.foundations.push(fresh(bare, is_ground));
        edited = true;
    }
    edited
}

fn face(foundation: &FoundationFile) -> String {
    foundation.face.clone().unwrap_or_else(|| TOP.to_owned())
}

fn fresh(face: &str, is_ground: bool) -> FoundationFile {
    let (elements, depth, modulus, damping, extent) = FRESH;
    FoundationFile {
        face: (face != TOP).then(|| face.to_owned()),
        elements: (elements, elements),
        extent: is_ground.then_some((Number(extent), Number(extent))),
        depth: Number(depth),
        modulus: Number(modulus),
        damping: Number(damping),
    }
}

/// The face, among those that have no foundation yet.
fn face_ui(
    ui: &mut Ui,
    form: &Form,
    key: &str,
    foundation: &mut FoundationFile,
    (faces, taken): (&[&str], &[String]),
) -> bool {
    let mut now = face(foundation);
    let open = |f: &&&str| **f == now || !taken.iter().any(|t| t == **f);
    let choices: Vec<(String, String)> = faces
        .iter()
        .filter(open)
        .map(|f| ((*f).to_owned(), (*f).to_owned()))
        .collect();
    let field = Field {
        name: "face",
        unit: "",
        meaning: "The face, by the axis of the shape along which it looks",
    };
    let changed = form.choice(ui, field, &format!("{key}.face"), &mut now, &choices);
    if changed {
        foundation.face = (now != TOP).then_some(now);
    }
    changed
}

/// Division, extent, depth, modulus and viscosity.
fn layer_ui(ui: &mut Ui, form: &Form, key: &str, foundation: &mut FoundationFile) -> bool {
    let path = |field: &str| format!("{key}.{field}");
    let field = |name, unit, meaning| Field {
        name,
        unit,
        meaning,
    };
    let names = ["first", "second"];
    let (a, b) = foundation.elements;
    let mut counts = [a as f64, b as f64];
    let division = field(
        "elements",
        "",
        "Number of elements along the two axes of the face",
    );
    let mut changed = form.numbers(ui, division, &path("elements"), &names, &mut counts);
    if changed {
        // What is no number of elements is refused with the reason when the scene is read.
        let [a, b] = counts.map(|x| x.round() as usize);
        foundation.elements = (a, b);
    }
    if let Some((a, b)) = &mut foundation.extent {
        let mut lengths = [a.0, b.0];
        let extent = field(
            "extent",
            "m",
            "Lengths along these axes about the origin of the ground",
        );
        if form.numbers(ui, extent, &path("extent"), &names, &mut lengths) {
            foundation.extent = Some((Number(lengths[0]), Number(lengths[1])));
            changed = true;
        }
    }
    for (field, name, value) in [
        (
            field("depth", "m", "Depth of the layer, down to its rigid base"),
            "depth",
            &mut foundation.depth,
        ),
        (
            field(
                "modulus",
                "Pa",
                "An element has the stiffness modulus · area / depth",
            ),
            "modulus",
            &mut foundation.modulus,
        ),
        (
            field(
                "damping",
                "Pa·s",
                "An element has the damping damping · area / depth",
            ),
            "damping",
            &mut foundation.damping,
        ),
    ] {
        changed |= form.number(ui, field, &path(name), &mut value.0);
    }
    changed
}
