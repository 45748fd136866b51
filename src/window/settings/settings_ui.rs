//! Settings that change while the simulation runs: gravity, damping, what is shown, solver.

use crate::commands::Command;
use crate::commands::editing::EditCommand;
use crate::editing::inspector::joint::set_damping;
use crate::methods::{budget, cone_ui, options_ui};
use crate::session::Session;
use crate::state::panels::PanelId;
use crate::state::preferences::Preferences;
use crate::state::workspace::Workspace;
use crate::text::format;
use crate::ui::{Spoken, heading};
use bevy::prelude::{InMut, Res};
use bevy_egui::egui::{self, DragValue, ScrollArea, Ui};
use physics::integrators::LinearSolver;
use physics::math::Vec3;
use physics::scene::{Amendment, Edit};

/// The panel.
pub fn panel(
    InMut(ui): InMut<Ui>,
    session: Res<Session>,
    workspace: Res<Workspace>,
    preferences: Res<Preferences>,
) -> Vec<Command> {
    settings_ui(ui, &session, &workspace, &preferences)
}

/// Draws the settings.
pub fn settings_ui(
    ui: &mut Ui,
    session: &Session,
    workspace: &Workspace,
    preferences: &Preferences,
) -> Vec<Command> {
    let mut out = Vec::new();
    ScrollArea::vertical()
        .auto_shrink([false, false])
        .show(ui, |ui| {
            heading(ui, "Physics");
            physics_ui(ui, session, &mut out);
            heading(ui, "Show");
            crate::ui::button(
                ui,
                "Layers …",
                "Frames, forces, velocities, trails, contacts: what is drawn on top of the bodies",
                Command::TogglePanel(PanelId::Layers),
                &mut out,
            );
            ui.horizontal(|ui| {
                ui.label("Interface");
                crate::ui::button(ui, "−", "Smaller interface", Command::Scale(-1), &mut out);
                ui.label(format!("{:.0} %", 100.0 * workspace.scale));
                crate::ui::button(ui, "+", "Larger interface", Command::Scale(1), &mut out);
            });
            let mut plain = preferences.plain_pulls;
            let pulls = ui
                .checkbox(&mut plain, "Drag pulls without Ctrl")
                .on_hover_text(
                    "A drag that begins on a body pulls it; one beside it turns the camera",
                );
            if pulls.changed() {
                out.push(Command::TogglePlainPulls);
            }
            let mut full = preferences.full_resolution;
            let pixels = ui
                .checkbox(&mut full, "View in full resolution")
                .on_hover_text(
                    "Without a graphics card the view is drawn coarser before it becomes slow; this draws all of it always",
                );
            if pixels.changed() {
                out.push(Command::ToggleFullResolution);
            }
            crate::settings::memory_ui::memory_ui(ui, session, &mut out);
            heading(ui, "Solver");
            solver_ui(ui, session, &mut out);
        });
    out
}

/// Gravity and joint damping.
fn physics_ui(ui: &mut Ui, session: &Session, out: &mut Vec<Command>) {
    let model = session.model();
    let mut gravity = model.gravity;
    let before = gravity;
    ui.horizontal(|ui| {
        ui.label("Gravity");
        for (axis, name) in ["x ", "y ", "z "].iter().enumerate() {
            let field = DragValue::new(&mut gravity[axis])
                .speed(0.02)
                .prefix(*name)
                .max_decimals(3);
            let spoken = format!("Gravity along {name}");
            ui.add(field).spoken(&spoken).on_hover_text("m/s²");
        }
    });
    ui.horizontal(|ui| {
        for (name, z) in [("Earth", -9.81), ("Moon", -1.62), ("None", 0.0)] {
            if ui
                .button(name)
                .on_hover_text(format!("{z} m/s² along z"))
                .clicked()
            {
                gravity = Vec3::new(0.0, 0.0, z);
            }
        }
    });
    let [turn, slide] = [
        common(
            model
                .joints
                .iter()
                .filter(|j| j.kind.free_rotations() > 0)
                .map(|j| j.damping_rotation),
        ),
        common(
            model
                .joints
                .iter()
                .filter(|j| j.kind.free_translations() > 0)
                .map(|j| j.damping_translation),
        ),
    ];
    let rotation = damping_ui(ui, "Damping of turning joints", "N·m·s/rad", turn);
    let translation = damping_ui(ui, "Damping of sliding joints", "N·s/m", slide);
    if gravity != before {
        let edit = Edit::merging("gravity", vec![Amendment::Gravity(gravity)]);
        out.push(Command::Edit(EditCommand::Amend(Box::new(edit))));
    }
    if rotation.is_some() || translation.is_some() {
        let mut amendments = Vec::new();
        for joint in &model.joints {
            let Some(mut file) = session.scene().file.joints.get(&joint.name).cloned() else {
                continue;
            };
            let slide = translation.unwrap_or(joint.damping_translation);
            let turn = rotation.unwrap_or(joint.damping_rotation);
            set_damping(&mut file, joint.kind, [slide, turn]);
            amendments.push(Amendment::Joint(joint.name.clone(), Some(Box::new(file))));
        }
        let edit = Edit::merging("damping of all joints", amendments);
        out.push(Command::Edit(EditCommand::Amend(Box::new(edit))));
    }
}

/// The largest of the values; none if there are no values.
fn common(values: impl Iterator<Item = f64>) -> Option<f64> {
    values.fold(None, |most, x| Some(most.map_or(x, |m: f64| m.max(x))))
}

/// A damping for all joints that have it; some new value if it was changed.
fn damping_ui(ui: &mut Ui, name: &str, unit: &str, now: Option<f64>) -> Option<f64> {
    let mut value = now?;
    let changed = ui
        .horizontal(|ui| {
            ui.label(name);
            let field = DragValue::new(&mut value)
                .speed(0.002)
                .range(0.0..=1e6)
                .max_decimals(4);
            ui.add(field)
                .spoken(name)
                .on_hover_text(format!("{unit}; sets all joints alike"))
                .changed()
        })
        .inner;
    changed.then_some(value)
}

/// Linear solver, iteration limit, options of the method.
fn solver_ui(ui: &mut Ui, session: &Session, out: &mut Vec<Command>) {
    let mut settings = *session.settings();
    let before = settings;
    egui::ComboBox::from_label("linear solver")
        .selected_text(solver(settings.linear_solver))
        .show_ui(ui, |ui| {
            for choice in [
                LinearSolver::Articulated,
                LinearSolver::BlockLdu,
                LinearSolver::Dense,
            ] {
                ui.selectable_value(&mut settings.linear_solver, choice, solver(choice));
            }
        })
        .response
        .on_hover_text("What solves the linear system of an iteration; all give the same motion");
    let unilateral = session.model().has_unilateral();
    if unilateral {
        cone_ui::choice_ui(ui, &mut settings);
    }
    let structure = session.structure();
    let spent = structure.map(|s| s.operations);
    for (choice, count) in [
        (LinearSolver::Articulated, spent.map(|s| s.articulated)),
        (LinearSolver::BlockLdu, spent.map(|s| s.block_ldu)),
        (LinearSolver::Dense, spent.map(|s| s.dense)),
    ] {
        ui.horizontal(|ui| {
            ui.label(solver(choice));
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                let count = count.map_or("…".into(), format::grouped);
                ui.monospace(format!("{count} mult."))
                    .on_hover_text("Multiplications of one factorisation and solve");
            });
        });
    }
    ui.label(
        structure.map_or("Counting what each solver spends …".into(), |s| {
            format!(
                "{} nodes, {} blocks filled in ({} without the order)",
                s.nodes.len(),
                s.fill(),
                s.unordered_fill
            )
        }),
    );
    ui.horizontal(|ui| {
        ui.label("Most iterations");
        ui.add(DragValue::new(&mut settings.max_iterations).range(1..=1000))
            .spoken("Most iterations")
            .on_hover_text("Newton iterations after which a step is retried another way");
    });
    let method = session.integrator();
    if !method.options.is_empty() {
        heading(ui, &format!("Options of {}", method.name));
        options_ui::options_ui(ui, method, &mut settings.options, "");
        budget::budget_ui(ui, session, out);
    }
    if unilateral {
        heading(ui, "Last step");
        cone_ui::figures_ui(ui, session);
    }
    if settings != before {
        out.push(Command::Settings(settings));
    }
}

fn solver(choice: LinearSolver) -> &'static str {
    match choice {
        LinearSolver::Articulated => "articulated",
        LinearSolver::BlockLdu => "block LDU",
        LinearSolver::Dense => "dense",
    }
}
