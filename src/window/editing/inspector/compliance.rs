//! How far constraints give: the springs and dampers that the method `compliant` takes in the place of what is held.

use crate::ui::Spoken;
use crate::ui::form::{Field, Form};
use crate::ui::number::number_ui;
use bevy_egui::egui::{ComboBox, Ui};
use physics::model::JointKind;
use physics::scene::{ComplianceFile, HertzFile, JointComplianceFile, Number};

/// Stiffness that what begins to give begins with (N/m, N·m/rad).
const STIFFNESS: f64 = 1e5;

/// Hertz contact that a surface begins with: steel, with edges as round as a pencil's.
const STEEL: HertzFile = HertzFile {
    modulus: Number(2.1e11),
    poisson: Number(0.3),
    damping: Number(0.0),
    radius: Some(Number(0.01)),
};

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

/// A tick, `spoken` by what it is for, with stiffness and damping behind it in a line: of a limit. True if
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
        changed |= spring_ui(ui, own, units);
    }
    changed
}

/// Stiffness and damping in a line.
fn spring_ui(ui: &mut Ui, own: &mut ComplianceFile, units: [&str; 2]) -> bool {
    let stiffness = own.stiffness.get_or_insert(Number(STIFFNESS));
    let changed = number_ui(ui, &mut stiffness.0, units[0], GIVES, None);
    number_ui(ui, &mut own.damping.0, units[1], DAMPED, None) || changed
}

/// What a surface does under its load: nothing, what a spring and a damper do, or what a round elastic body does.
#[derive(Clone, Copy, PartialEq)]
enum Gives {
    Nothing,
    Spring,
    Hertz,
}

impl Gives {
    const ALL: [(Self, &str); 3] = [
        (Self::Nothing, "rigid"),
        (Self::Spring, "spring"),
        (Self::Hertz, "Hertz"),
    ];
}

/// How a surface gives, with its numbers behind it in a line. True if something was changed.
pub fn surface_compliance_ui(
    ui: &mut Ui,
    id: impl std::hash::Hash + std::fmt::Debug,
    compliance: &mut Option<ComplianceFile>,
    hertz: &mut Option<HertzFile>,
) -> bool {
    let now = match (&compliance, &hertz) {
        (None, None) => Gives::Nothing,
        (Some(_), _) => Gives::Spring,
        (None, Some(_)) => Gives::Hertz,
    };
    let mut chosen = now;
    let meaning = "How the surface gives under its load, for the method `compliant`; other methods take it as rigid";
    let shown = Gives::ALL.iter().find(|g| g.0 == now);
    ComboBox::from_id_salt((id, "gives"))
        .selected_text(shown.map_or("", |g| g.1))
        .width(56.0)
        .show_ui(ui, |ui| {
            for (kind, name) in Gives::ALL {
                ui.selectable_value(&mut chosen, kind, name);
            }
        })
        .response
        .spoken("The surface gives")
        .on_hover_text(meaning);
    if chosen != now {
        *compliance = (chosen == Gives::Spring).then(|| ComplianceFile {
            stiffness: Some(Number(STIFFNESS)),
            ..ComplianceFile::default()
        });
        *hertz = (chosen == Gives::Hertz).then_some(STEEL);
    }
    let mut changed = chosen != now;
    if let Some(own) = compliance {
        changed |= spring_ui(ui, own, ["N/m", "N·s/m"]);
    }
    if let Some(own) = hertz {
        changed |= hertz_ui(ui, own);
    }
    changed
}

fn hertz_ui(ui: &mut Ui, own: &mut HertzFile) -> bool {
    let radius = own.radius.get_or_insert(Number(0.0));
    let mut changed = false;
    for (value, unit, meaning) in [
        (&mut own.modulus.0, "Pa", "Young's modulus"),
        (&mut own.poisson.0, "ν", "Poisson's ratio"),
        (&mut own.damping.0, "N·s/m^1.5", DAMPED),
        (
            &mut radius.0,
            "m",
            "Radius of curvature of what has none of its own: corners, edges, faces; 0 where nothing needs it",
        ),
    ] {
        changed |= number_ui(ui, value, unit, meaning, None);
    }
    if radius.0 == 0.0 {
        own.radius = None;
    }
    changed
}
