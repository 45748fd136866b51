//! How far constraints give: the springs and dampers that the method `compliant` takes in the place of what is held.

use super::fields::{Field, Form, number_ui};
use crate::app::panels::Spoken;
use crate::model::JointKind;
use crate::scene::{ComplianceFile, JointComplianceFile, Number};
use bevy_egui::egui::Ui;

/// Stiffness that what begins to give begins with [N/m, N·m/rad].
const STIFFNESS: f64 = 1e5;

const GIVES: &str =
    "Stiffness that the method `compliant` takes for what is held here; without it nothing gives";
const DAMPED: &str = "Damping of what gives";

/// Stiffness and damping of what is held, one below the other. True if one was changed.
fn pair_ui(
    ui: &mut Ui,
    form: &Form,
    names: [&str; 2],
    units: [&str; 2],
    stiffness: &mut Option<Number>,
    damping: &mut Number,
) -> bool {
    let field = |k: usize, meaning| Field {
        name: names[k],
        unit: units[k],
        meaning,
    };
    let mut changed = form.ticked(ui, field(0, GIVES), "compliance", stiffness, STIFFNESS);
    if stiffness.is_none() {
        *damping = Number(0.0);
    } else {
        changed |= form.number(ui, field(1, DAMPED), "compliance.damping", &mut damping.0);
    }
    changed
}

/// Rows of a table for a cable. True if something was changed.
pub fn cable_compliance_ui(
    ui: &mut Ui,
    form: &Form,
    compliance: &mut Option<ComplianceFile>,
) -> bool {
    let mut own = compliance.clone().unwrap_or_default();
    let (names, units) = (["stretches", "damped"], ["N/m", "N·s/m"]);
    let changed = pair_ui(ui, form, names, units, &mut own.stiffness, &mut own.damping);
    if changed {
        *compliance = own.stiffness.is_some().then_some(own);
    }
    changed
}

/// Rows of a table for what a joint holds. True if something was changed.
pub fn joint_compliance_ui(
    ui: &mut Ui,
    form: &Form,
    kind: JointKind,
    compliance: &mut Option<JointComplianceFile>,
) -> bool {
    let mut own = compliance.clone().unwrap_or_default();
    let mut changed = false;
    if kind.constrained_translations() > 0 {
        let (names, units) = (["gives (sliding)", "damped"], ["N/m", "N·s/m"]);
        changed |= pair_ui(ui, form, names, units, &mut own.stiffness, &mut own.damping);
    }
    if kind.constrained_rotations() > 0 {
        let (names, units) = (["gives (turning)", "damped"], ["N·m/rad", "N·m·s/rad"]);
        let (stiffness, damping) = (&mut own.stiffness_rotation, &mut own.damping_rotation);
        changed |= pair_ui(ui, form, names, units, stiffness, damping);
    }
    if changed {
        let given = own.stiffness.is_some() || own.stiffness_rotation.is_some();
        *compliance = given.then_some(own);
    }
    changed
}

/// A tick, `spoken` by what it is for, with stiffness and damping behind it in a line: of a limit or a surface. True if
/// something was changed.
pub fn inline_compliance_ui(
    ui: &mut Ui,
    spoken: &str,
    units: [&str; 2],
    compliance: &mut Option<ComplianceFile>,
) -> bool {
    let mut given = compliance.is_some();
    let tick = ui.checkbox(&mut given, "gives").spoken(spoken);
    let mut changed = tick.on_hover_text(GIVES).changed();
    if changed {
        *compliance = given.then(|| ComplianceFile {
            stiffness: Some(Number(STIFFNESS)),
            ..ComplianceFile::default()
        });
    }
    if let Some(own) = compliance {
        let stiffness = own.stiffness.get_or_insert(Number(STIFFNESS));
        changed |= number_ui(ui, &mut stiffness.0, units[0], GIVES, None);
        changed |= number_ui(ui, &mut own.damping.0, units[1], DAMPED, None);
    }
    changed
}
