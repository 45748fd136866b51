//! A relation between joint coordinates: screw, gear, rack, or any linear one.

use crate::commands::Command;
use crate::session::Session;
use crate::text::format;
use crate::ui::form::{Field, Form, pick_ui};
use crate::ui::number::number_ui;
use crate::ui::{Spoken, heading, row, table};
use bevy_egui::egui::Ui;
use physics::model::{JointKind, Model};
use physics::scene::editing::{Amendment, Section};
use physics::scene::{CouplingFile, Number, SceneError, TermFile};

/// What a coupling can be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Gear,
    Screw,
    Rack,
    Terms,
}

impl Kind {
    fn of(file: &CouplingFile) -> Self {
        match file {
            CouplingFile { gear: Some(_), .. } => Self::Gear,
            CouplingFile { screw: Some(_), .. } => Self::Screw,
            CouplingFile { rack: Some(_), .. } => Self::Rack,
            _ => Self::Terms,
        }
    }

    fn word(self) -> &'static str {
        match self {
            Self::Gear => "gear",
            Self::Screw => "screw",
            Self::Rack => "rack and pinion",
            Self::Terms => "linear relation",
        }
    }

    /// A coupling of this kind between joints that can be; `None` where there are none.
    fn of_joints(self, joints: &Joints) -> Option<CouplingFile> {
        let first = |names: &[String], k: usize| names.get(k).cloned();
        let mut file = CouplingFile::default();
        match self {
            Self::Gear => {
                file.gear = Some((first(&joints.turning, 0)?, first(&joints.turning, 1)?));
                file.ratio = Some(Number(1.0));
            }
            Self::Screw => {
                file.screw = Some(first(&joints.cylindrical, 0)?);
                file.pitch = Some(Number(0.01));
            }
            Self::Rack => {
                file.rack = Some((first(&joints.turning, 0)?, first(&joints.sliding, 0)?));
                file.radius = Some(Number(0.1));
            }
            Self::Terms => file.terms = vec![term(first(&joints.free, 0)?)],
        }
        Some(file)
    }
}

fn term(joint: String) -> TermFile {
    TermFile {
        joint,
        coordinate: 0,
        factor: Number(1.0),
    }
}

/// Names of joints by what they can be coupled by.
struct Joints {
    turning: Vec<String>,
    sliding: Vec<String>,
    cylindrical: Vec<String>,
    free: Vec<String>,
}

impl Joints {
    fn of(model: &Model) -> Self {
        let named = |fits: &dyn Fn(JointKind) -> bool| -> Vec<String> {
            let joints = model.joints.iter().filter(|j| fits(j.kind));
            joints.map(|j| j.name.clone()).collect()
        };
        let free = |kind: JointKind| (kind.free_translations(), kind.free_rotations());
        Self {
            turning: named(&|kind| free(kind) == (0, 1)),
            sliding: named(&|kind| free(kind) == (1, 0)),
            cylindrical: named(&|kind| free(kind) == (1, 1)),
            free: named(&|kind| kind.freedoms() > 0),
        }
    }
}

/// Draws the fields of a coupling.
pub fn coupling_ui(
    ui: &mut Ui,
    session: &Session,
    coupling: usize,
    errors: &[SceneError],
    out: &mut Vec<Command>,
) {
    let model = session.model();
    let name = &model.couplings[coupling].name;
    let Some(file) = session.scene().file.couplings.get(name) else {
        return;
    };
    let mut form = Form {
        path: format!("couplings.{name}"),
        item: name,
        errors,
        out,
    };
    form.name_ui(ui, Section::Couplings);
    table(ui, "coupling now", |ui| {
        let force = session.state().coupling_forces.get(coupling);
        let force = force.copied().unwrap_or_default();
        row(ui, "multiplier", format::quantity(force, ""));
    });
    heading(ui, "Coupling");
    let joints = Joints::of(model);
    let mut changed = file.clone();
    let mut edited = false;
    form.table(ui, "coupling", |form, ui| {
        form.complain(ui, "");
        let now = Kind::of(file);
        let kinds = [Kind::Gear, Kind::Screw, Kind::Rack, Kind::Terms];
        let possible = |k: &Kind| *k == now || k.of_joints(&joints).is_some();
        let kinds = kinds.into_iter().filter(possible);
        let kinds: Vec<(Kind, String)> = kinds.map(|k| (k, k.word().into())).collect();
        let field = Field {
            name: "kind",
            unit: "",
            meaning: "Which relation holds; only what the joints allow is listed",
        };
        let mut kind = now;
        if form.choice(ui, field, "kind", &mut kind, &kinds)
            && let Some(new) = kind.of_joints(&joints)
        {
            changed = new;
            edited = true;
        }
        edited |= pair_ui(ui, form, &joints, &mut changed);
    });
    if Kind::of(&changed) == Kind::Terms {
        edited |= terms_ui(ui, &mut form, model, &joints, &mut changed.terms);
    }
    if edited {
        let put = Amendment::Coupling(name.clone(), Some(Box::new(changed)));
        form.edit("coupling", vec![put]);
    }
}

/// The joints and the number of a gear, a screw or a rack.
fn pair_ui(ui: &mut Ui, form: &Form, joints: &Joints, file: &mut CouplingFile) -> bool {
    let mut edited = false;
    let mut joint = |ui: &mut Ui, (name, meaning), key, value: &mut String, of: &[String]| {
        let field = Field {
            name,
            unit: "",
            meaning,
        };
        let choices: Vec<(String, String)> = of.iter().map(|n| (n.clone(), n.clone())).collect();
        edited |= form.choice(ui, field, key, value, &choices);
    };
    if let Some((first, second)) = &mut file.gear {
        joint(
            ui,
            ("first", "A joint that turns"),
            "gear.0",
            first,
            &joints.turning,
        );
        let meaning = "The joint by whose turns the ratio is counted";
        joint(ui, ("second", meaning), "gear.1", second, &joints.turning);
    }
    if let Some(screw) = &mut file.screw {
        let meaning = "The cylindrical joint that advances as it turns";
        joint(ui, ("joint", meaning), "screw", screw, &joints.cylindrical);
    }
    if let Some((pinion, rack)) = &mut file.rack {
        joint(
            ui,
            ("pinion", "The joint that turns"),
            "rack.0",
            pinion,
            &joints.turning,
        );
        joint(
            ui,
            ("rack", "The joint that slides"),
            "rack.1",
            rack,
            &joints.sliding,
        );
    }
    for (name, unit, meaning, key, value) in [
        (
            "ratio",
            "",
            "Turns of the first joint per turn of the second; negative for opposite senses",
            "ratio",
            &mut file.ratio,
        ),
        (
            "pitch",
            "m",
            "Advance per turn; negative for a left-hand thread",
            "pitch",
            &mut file.pitch,
        ),
        (
            "radius",
            "m",
            "Displacement of the rack per radian of the pinion",
            "radius",
            &mut file.radius,
        ),
    ] {
        if let Some(Number(value)) = value {
            let field = Field {
                name,
                unit,
                meaning,
            };
            edited |= form.number(ui, field, key, value);
        }
    }
    edited
}

/// The terms of a linear relation.
fn terms_ui(
    ui: &mut Ui,
    form: &mut Form,
    model: &Model,
    joints: &Joints,
    terms: &mut Vec<TermFile>,
) -> bool {
    let mut edited = false;
    let mut gone = None;
    let several = terms.len() > 1;
    ui.label("The sum of these stays as it is:");
    for (k, term) in terms.iter_mut().enumerate() {
        ui.horizontal_wrapped(|ui| {
            let meaning = "Factor of the coordinate";
            edited |= number_ui(ui, &mut term.factor.0, "×", meaning, None);
            let id = (&form.path, "term", k);
            edited |= pick_ui(ui, id, &mut term.joint, &joints.free, "Joint of the term");
            let known = model.joint(&term.joint).map(|j| model.joints[j.0].kind);
            let freedoms = known.map_or(1, JointKind::freedoms);
            if freedoms > 1 {
                let names: Vec<String> = (0..freedoms).map(|c| (c + 1).to_string()).collect();
                let mut shown = (term.coordinate + 1).to_string();
                let id = (&form.path, "coordinate", k);
                if pick_ui(ui, id, &mut shown, &names, "Coordinate, translations first") {
                    let at = names.iter().position(|n| *n == shown);
                    term.coordinate = at.unwrap_or(term.coordinate);
                    edited = true;
                }
            }
            let meaning = "Take this term away";
            let button = ui.small_button("✖").spoken(meaning);
            if several && button.on_hover_text(meaning).clicked() {
                gone = Some(k);
            }
        });
    }
    if let Some(k) = gone {
        terms.remove(k);
        edited = true;
    }
    let meaning = "Add the coordinate of another joint";
    let more = joints
        .free
        .iter()
        .find(|n| !terms.iter().any(|t| t.joint == **n));
    if let Some(more) = more
        && ui.small_button("+ term").on_hover_text(meaning).clicked()
    {
        terms.push(term(more.clone()));
        edited = true;
    }
    form.say(ui, "terms");
    edited
}
