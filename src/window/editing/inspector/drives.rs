//! Springs, drives and limits of the selected joint.

use crate::editing::inspector::compliance::inline_compliance_ui;
use crate::editing::inspector::signal::signal_ui;
use crate::session::Session;
use crate::theme::Palette;
use crate::ui::form::Form;
use crate::ui::number::number_ui;
use crate::ui::{Spoken, heading};
use bevy_egui::egui::{self, RichText, Ui};
use physics::model::{JointId, JointKind};
use physics::scene::{ActuatorFile, JointFile, JointSpringFile, LimitFile, Number, PdFile};

/// Draws them; `joint` is changed in place. The word for what was changed, if anything was.
pub fn drives_ui(
    ui: &mut Ui,
    session: &Session,
    id: JointId,
    form: &mut Form,
    joint: &mut JointFile,
) -> Option<&'static str> {
    let kind = session.model().joints[id.0].kind;
    if kind.freedoms() == 0 {
        return None;
    }
    let now = session.coordinates(id);
    let mut changed = None;
    if springs_ui(ui, form, kind, &now, joint) {
        changed = Some("spring");
    }
    if limits_ui(ui, form, kind, &now, joint) {
        changed = Some("limit");
    }
    if actuators_ui(ui, form, kind, joint) {
        changed = Some("drive");
    }
    changed
}

/// Units of a coordinate and of a force along it.
fn units(kind: JointKind, coordinate: usize) -> [&'static str; 2] {
    if coordinate < kind.free_translations() {
        ["m", "N"]
    } else {
        ["rad", "N·m"]
    }
}

/// A heading with a button that adds one more.
fn head(ui: &mut Ui, title: &str, add: &str) -> bool {
    ui.horizontal(|ui| {
        heading(ui, title);
        let button = ui.small_button("+").spoken(add);
        button.on_hover_text(add).clicked()
    })
    .inner
}

/// The coordinate that something acts on, and a button that takes it away; true if another was chosen.
fn coordinate_ui(
    ui: &mut Ui,
    id: impl std::hash::Hash + std::fmt::Debug,
    kind: JointKind,
    coordinate: &mut usize,
    remove: &mut bool,
) -> bool {
    let before = *coordinate;
    if kind.freedoms() > 1 {
        egui::ComboBox::from_id_salt(id)
            .selected_text(format!("coordinate {}", before + 1))
            .width(90.0)
            .show_ui(ui, |ui| {
                for k in 0..kind.freedoms() {
                    let free = if k < kind.free_translations() {
                        "slides"
                    } else {
                        "turns"
                    };
                    ui.selectable_value(coordinate, k, format!("coordinate {} ({free})", k + 1));
                }
            })
            .response
            .spoken("Coordinate")
            .on_hover_text("Which coordinate of the joint it acts on, translations first");
    }
    let button = ui.small_button("✖").spoken("Take it away");
    *remove |= button.on_hover_text("Take it away").clicked();
    *coordinate != before
}

/// A number beside its name in one line.
fn inline(ui: &mut Ui, name: &str, value: &mut f64, unit: &str, meaning: &str) -> bool {
    let faint = Palette::worn(ui).faint();
    let label = ui.label(RichText::new(name).small().color(faint));
    number_ui(ui, value, unit, meaning, Some(label.id))
}

fn springs_ui(
    ui: &mut Ui,
    form: &mut Form,
    kind: JointKind,
    now: &[f64],
    joint: &mut JointFile,
) -> bool {
    let mut changed = false;
    if head(
        ui,
        "Springs of the joint",
        "Add a spring on a coordinate, relaxed as it is now",
    ) {
        joint.springs.push(JointSpringFile {
            coordinate: 0,
            stiffness: Number(1.0),
            rest: Number(now[0]),
        });
        changed = true;
    }
    let mut gone = None;
    for (k, spring) in joint.springs.iter_mut().enumerate() {
        let [unit, force] = units(kind, spring.coordinate);
        ui.horizontal_wrapped(|ui| {
            let stiffness = format!("{force}/{unit}");
            let meaning = "Force or torque per displacement";
            changed |= inline(
                ui,
                "stiffness",
                &mut spring.stiffness.0,
                &stiffness,
                meaning,
            );
            let meaning = "Coordinate at which it is relaxed";
            changed |= inline(ui, "rest", &mut spring.rest.0, unit, meaning);
            let mut remove = false;
            let id = (&form.path, "spring", k);
            changed |= coordinate_ui(ui, id, kind, &mut spring.coordinate, &mut remove);
            if remove {
                gone = Some(k);
            }
        });
    }
    if let Some(k) = gone {
        joint.springs.remove(k);
        changed = true;
    }
    form.say(ui, "springs");
    changed
}

fn limits_ui(
    ui: &mut Ui,
    form: &mut Form,
    kind: JointKind,
    now: &[f64],
    joint: &mut JointFile,
) -> bool {
    let mut changed = false;
    let free = (0..kind.freedoms()).find(|k| !joint.limits.iter().any(|l| l.coordinate == *k));
    if head(
        ui,
        "Limits",
        "Keep a coordinate within a range about where it is now",
    ) && let Some(coordinate) = free
    {
        joint.limits.push(LimitFile {
            coordinate,
            lower: Some(Number(now[coordinate] - 1.0)),
            upper: Some(Number(now[coordinate] + 1.0)),
            ..LimitFile::default()
        });
        changed = true;
    }
    let mut gone = None;
    for (k, limit) in joint.limits.iter_mut().enumerate() {
        let [unit, force] = units(kind, limit.coordinate);
        ui.horizontal_wrapped(|ui| {
            for (name, bound, otherwise, meaning) in [
                (
                    "from",
                    &mut limit.lower,
                    -1.0,
                    "Least value of the coordinate",
                ),
                (
                    "to",
                    &mut limit.upper,
                    1.0,
                    "Largest value of the coordinate",
                ),
            ] {
                let mut is_bound = bound.is_some();
                if ui
                    .checkbox(&mut is_bound, name)
                    .on_hover_text(meaning)
                    .changed()
                {
                    *bound = is_bound.then_some(Number(otherwise));
                    changed = true;
                }
                if let Some(bound) = bound {
                    changed |= number_ui(ui, &mut bound.0, unit, meaning, None);
                }
            }
            let meaning = "Coefficient of restitution, 0 to 1";
            changed |= inline(ui, "bounces", &mut limit.restitution.0, "", meaning);
            let per = [format!("{force}/{unit}"), format!("{force}·s/{unit}")];
            let per = [per[0].as_str(), per[1].as_str()];
            changed |= inline_compliance_ui(ui, "The limit gives", per, &mut limit.compliance);
            let mut remove = false;
            let id = (&form.path, "limit", k);
            changed |= coordinate_ui(ui, id, kind, &mut limit.coordinate, &mut remove);
            if remove {
                gone = Some(k);
            }
        });
    }
    if let Some(k) = gone {
        joint.limits.remove(k);
        changed = true;
    }
    form.say(ui, "limits");
    changed
}

fn actuators_ui(ui: &mut Ui, form: &mut Form, kind: JointKind, joint: &mut JointFile) -> bool {
    let mut changed = false;
    if head(
        ui,
        "Drives",
        "Drive a coordinate by a force or torque that may change with time",
    ) {
        joint.actuators.push(ActuatorFile::default());
        changed = true;
    }
    let mut gone = None;
    for (k, drive) in joint.actuators.iter_mut().enumerate() {
        let [unit, force] = units(kind, drive.coordinate);
        ui.horizontal_wrapped(|ui| {
            let meaning = format!("Force or torque [{force}]: a number, or an expression in t");
            let id = (form.path.clone(), "command", k);
            changed |= signal_ui(ui, id, "command", &mut drive.command, &meaning);
            let mut has_limit = drive.limit.is_some();
            let meaning = "Bound on the magnitude of the force or torque";
            if ui
                .checkbox(&mut has_limit, "at most")
                .on_hover_text(meaning)
                .changed()
            {
                drive.limit = has_limit.then_some(Number(100.0));
                changed = true;
            }
            if let Some(limit) = &mut drive.limit {
                changed |= number_ui(ui, &mut limit.0, force, meaning, None);
            }
            let mut remove = false;
            let id = (&form.path, "drive", k);
            changed |= coordinate_ui(ui, id, kind, &mut drive.coordinate, &mut remove);
            if remove {
                gone = Some(k);
            }
        });
        ui.horizontal_wrapped(|ui| {
            changed |= control_ui(ui, &form.path, k, [unit, force], drive);
        });
    }
    if let Some(k) = gone {
        joint.actuators.remove(k);
        changed = true;
    }
    form.say(ui, "actuators");
    changed
}

/// The law by which a drive follows a wanted coordinate.
fn control_ui(
    ui: &mut Ui,
    path: &str,
    k: usize,
    [unit, force]: [&str; 2],
    drive: &mut ActuatorFile,
) -> bool {
    let mut changed = false;
    let mut controls = drive.pd.is_some();
    let meaning = "Adds a force that leads the coordinate to a wanted value: a PD controller";
    if ui
        .checkbox(&mut controls, "follows")
        .on_hover_text(meaning)
        .changed()
    {
        let pd = PdFile {
            stiffness: Number(10.0),
            damping: Number(1.0),
            ..PdFile::default()
        };
        drive.pd = controls.then_some(pd);
        changed = true;
    }
    let Some(pd) = &mut drive.pd else {
        return changed;
    };
    let meaning = format!("Wanted coordinate [{unit}]: a number, or an expression in t");
    changed |= signal_ui(
        ui,
        (path.to_owned(), "target", k),
        "target",
        &mut pd.target,
        &meaning,
    );
    let meaning = format!("Wanted rate [{unit}/s]: a number, or an expression in t");
    changed |= signal_ui(
        ui,
        (path.to_owned(), "rate", k),
        "rate",
        &mut pd.rate,
        &meaning,
    );
    let gain = format!("{force}/{unit}");
    changed |= inline(ui, "gain", &mut pd.stiffness.0, &gain, "Proportional gain");
    let gain = format!("{force}·s/{unit}");
    changed | inline(ui, "damping", &mut pd.damping.0, &gain, "Derivative gain")
}
