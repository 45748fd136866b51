//! The choice of lanes, how they are drawn, and what can be done with them.

use crate::commands::Command;
use crate::commands::compare::{CompareCommand, LaneArrangement};
use crate::compare::panel::{asked, chip_ui};
use crate::compare::{Comparing, LaneChoice};
use crate::methods::cone_ui;
use crate::methods::list_ui::methods_ui;
use crate::methods::options_ui::options_ui;
use crate::session::Session;
use crate::text::format;
use crate::theme::{Palette, colour};
use crate::ui::{Spoken, button, heading, toggle};
use bevy::prelude::{InMut, Res};
use bevy_egui::egui::{self, DragValue, Id, RichText, ScrollArea, Ui};
use physics::integrators::find;
use physics::model::Model;
use physics::sim::comparison::LaneSpec;

/// Sizes of a perturbation to choose from: powers of ten (m).
const SIZES: std::ops::RangeInclusive<i32> = 3..=12;

/// The panel.
pub fn panel(
    InMut(ui): InMut<Ui>,
    session: Res<Session>,
    comparing: Res<Comparing>,
) -> Vec<Command> {
    compare_ui(ui, &session, &comparing)
}

/// Draws the panel.
pub fn compare_ui(ui: &mut Ui, session: &Session, comparing: &Comparing) -> Vec<Command> {
    let mut out = Vec::new();
    ScrollArea::vertical()
        .auto_shrink([false, false])
        .show(ui, |ui| {
            lanes_ui(ui, session, comparing, &mut out);
            heading(ui, "Sensitivity (Lyapunov)");
            perturbation_ui(ui, comparing, &mut out);
            heading(ui, "Convergence");
            toggle(
                ui,
                comparing.study.open,
                "Convergence study",
                "Error against step size and time: runs methods over a ladder of steps, in the background",
                asked(CompareCommand::Study(!comparing.study.open)),
                &mut out,
            );
        });
    out
}

fn lanes_ui(ui: &mut Ui, session: &Session, comparing: &Comparing, out: &mut Vec<Command>) {
    heading(ui, "Runs");
    if !comparing.is_on() {
        let faint = Palette::worn(ui).faint();
        let text = "Choose a method: it runs beside that of the toolbar, from the same state, under the same user input.";
        ui.label(RichText::new(text).small().color(faint));
        ui.add_space(4.0);
        let settings = *session.settings();
        if let Some(name) = methods_ui(ui, session, &settings, None) {
            out.push(asked(CompareCommand::Add(LaneSpec::beside(name, settings))));
        }
        return;
    }
    for (place, choice) in comparing.lanes().iter().enumerate() {
        lane_ui(ui, session, comparing, place, choice, out);
        ui.separator();
    }
    ui.horizontal(|ui| {
        let settings = comparing.lanes()[comparing.leader()].spec.settings;
        ui.menu_button("Add a run ⏷", |ui| {
            ui.set_min_width(380.0);
            if let Some(name) = methods_ui(ui, session, &settings, None) {
                out.push(asked(CompareCommand::Add(LaneSpec::beside(name, settings))));
                ui.close();
            }
        })
        .response
        .on_hover_text("One more method; all runs start again from the state of the reference");
        let all = "Restarts all runs from the state of the reference";
        button(
            ui,
            "Synchronise",
            all,
            asked(CompareCommand::Synchronise),
            out,
        );
    });
    let end = "Continues with the reference alone";
    button(ui, "End comparing", end, asked(CompareCommand::End), out);
    let plots = asked(CompareCommand::Plots(!comparing.plots));
    let meaning = "Plot all runs; if off, the reference alone";
    toggle(ui, comparing.plots, "Plot all runs", meaning, plots, out);
    heading(ui, "Drawn");
    ui.horizontal(|ui| {
        for (arrangement, label, meaning) in [
            (
                LaneArrangement::Ghosts,
                "Ghosts",
                "The reference solid, the others as ghosts around it",
            ),
            (
                LaneArrangement::SideBySide,
                "Side by side",
                "A view for each, all seen from the same place",
            ),
        ] {
            let lit = comparing.arrangement == arrangement;
            let arrange = asked(CompareCommand::Arrange(arrangement));
            toggle(ui, lit, label, meaning, arrange, out);
        }
    });
    if comparing.arrangement == LaneArrangement::Ghosts {
        let mut spacing = comparing.spacing;
        let field = DragValue::new(&mut spacing)
            .speed(0.01)
            .prefix("spacing ")
            .suffix(" m")
            .max_decimals(3);
        let meaning = "Draws each ghost so much further to the right than the one before";
        let field = ui.add(field).spoken("Spacing of ghosts");
        if field.on_hover_text(meaning).changed() {
            out.push(asked(CompareCommand::Space(spacing)));
        }
    }
}

/// One lane: its method and settings, whether and where it is drawn.
fn lane_ui(
    ui: &mut Ui,
    session: &Session,
    comparing: &Comparing,
    place: usize,
    choice: &LaneChoice,
    out: &mut Vec<Command>,
) {
    let leads = place == comparing.leader();
    let mut spec = choice.spec.clone();
    ui.push_id(choice.id, |ui| {
        ui.horizontal(|ui| {
            chip_ui(ui, comparing, place);
            egui::ComboBox::from_id_salt("method")
                .selected_text(spec.integrator.as_str())
                .width(124.0)
                .height(600.0)
                .show_ui(ui, |ui| {
                    ui.set_min_width(380.0);
                    let chosen = Some(spec.integrator.as_str());
                    if let Some(name) = methods_ui(ui, session, &spec.settings, chosen) {
                        spec = LaneSpec {
                            perturbation: spec.perturbation,
                            ..LaneSpec::beside(name, spec.settings)
                        };
                    }
                })
                .response
                .spoken(&format!("Method of run {}", place + 1))
                .on_hover_text(format!("Method of run {}", place + 1));
            if leads {
                let faint = Palette::worn(ui).faint();
                ui.label(RichText::new("reference").small().color(faint))
                    .on_hover_text("The other runs are compared with it; it is drawn solid");
                return;
            }
            let mut drawn = choice.drawn;
            if ui
                .checkbox(&mut drawn, "drawn")
                .spoken(&format!("Draw run {}", place + 1))
                .on_hover_text("Draw this run")
                .changed()
            {
                out.push(asked(CompareCommand::Draw(place, drawn)));
            }
            let remove = format!("Takes {} out", spec.integrator);
            button(ui, "✖", &remove, asked(CompareCommand::Remove(place)), out);
        });
        settings_ui(ui, session.model(), place, &mut spec);
        if !leads && comparing.arrangement == LaneArrangement::Ghosts {
            offset_ui(ui, place, choice, out);
        }
    });
    if let Some(reason) = why_not(comparing, choice, session) {
        let shade = colour(Palette::worn(ui).failure);
        ui.label(RichText::new(&reason).small().color(shade))
            .on_hover_text(&reason);
    }
    if spec != choice.spec {
        out.push(asked(CompareCommand::Change(place, spec)));
    }
}

/// Why a lane stands still, if it does.
fn why_not(comparing: &Comparing, choice: &LaneChoice, session: &Session) -> Option<String> {
    let sheet = comparing.sheet()?;
    let failure = sheet.lane(choice.id)?.failure.as_ref()?;
    let info = find(&choice.spec.integrator).ok()?;
    // A method that cannot run the scene has stood still from the beginning.
    Some(
        session
            .refusal(info)
            .map(|r| r.reason.clone())
            .unwrap_or_else(|| format!("{}, at {}", failure.error, format::clock(failure.time))),
    )
}

/// Step size, tolerance, friction cone and options of a lane.
fn settings_ui(ui: &mut Ui, model: &Model, place: usize, spec: &mut LaneSpec) {
    let lane = format!("of run {}", place + 1);
    let settings = &mut spec.settings;
    ui.horizontal(|ui| {
        ui.add_space(18.0);
        let mut milliseconds = settings.dt * 1e3;
        let speed = 0.01 * milliseconds;
        let name = format!("Step size {lane}");
        let changed = settled(ui, &name, &mut milliseconds, |value| {
            DragValue::new(value)
                .speed(speed)
                .range(1e-3..=1e3)
                .max_decimals(4)
                .prefix("dt ")
                .suffix(" ms")
        });
        if changed {
            settings.dt = milliseconds * 1e-3;
        }
        egui::ComboBox::from_id_salt("tolerance")
            .selected_text(format!("tol {:.0e}", settings.tolerance))
            .width(78.0)
            .show_ui(ui, |ui| {
                for exponent in 4..=12 {
                    // As written in a scene file, not with the rounding of a power.
                    let tolerance = format!("1e-{exponent}");
                    if let Ok(value) = tolerance.parse() {
                        ui.selectable_value(&mut settings.tolerance, value, tolerance);
                    }
                }
            })
            .response
            .spoken(&format!("Tolerance {lane}"))
            .on_hover_text("Newton tolerance, relative to forces and sizes");
    });
    if model.contact.is_some() {
        ui.horizontal(|ui| {
            ui.add_space(18.0);
            egui::ComboBox::from_id_salt("friction")
                .selected_text(cone_ui::cone(settings.friction))
                .width(160.0)
                .show_ui(ui, |ui| cone_ui::cones_ui(ui, &mut settings.friction))
                .response
                .spoken(&format!("Friction cone {lane}"))
                .on_hover_text("What bounds the friction force of a contact");
        });
    }
    if let Ok(method) = find(&spec.integrator) {
        let options = &mut spec.settings.options;
        ui.indent(("options", place), |ui| {
            options_ui(ui, method, options, &format!(" {lane}"));
        });
    }
}

/// A number that counts when it has been let go of, so that dragging it does not begin all lanes anew at every step.
fn settled(
    ui: &mut Ui,
    name: &str,
    value: &mut f64,
    field: impl FnOnce(&mut f64) -> DragValue<'_>,
) -> bool {
    let id: Id = ui.id().with(name);
    let mut draft = ui.data(|d| d.get_temp(id)).unwrap_or(*value);
    let response = ui
        .add(field(&mut draft))
        .spoken(name)
        .on_hover_text("Step size: drag, or click and type; counts when let go");
    if response.changed() {
        ui.data_mut(|d| d.insert_temp(id, draft));
    }
    if response.drag_stopped() || response.lost_focus() {
        ui.data_mut(|d| d.remove_temp::<f64>(id));
        let changed = draft != *value;
        *value = draft;
        return changed;
    }
    false
}

/// How far from its place a ghost is drawn.
fn offset_ui(ui: &mut Ui, place: usize, choice: &LaneChoice, out: &mut Vec<Command>) {
    let mut offset = choice.offset;
    ui.horizontal(|ui| {
        ui.add_space(18.0);
        ui.spacing_mut().item_spacing.x = 4.0;
        for (axis, name) in ["x ", "y ", "z "].iter().enumerate() {
            let field = DragValue::new(&mut offset[axis])
                .speed(0.01)
                .prefix(*name)
                .max_decimals(2);
            ui.add(field)
                .spoken(&format!("Offset of run {} along {name}", place + 1))
                .on_hover_text("Drawn so far from its place [m]");
        }
    });
    if offset != choice.offset {
        out.push(asked(CompareCommand::Offset(place, offset)));
    }
}

/// The same method twice.
fn perturbation_ui(ui: &mut Ui, comparing: &Comparing, out: &mut Vec<Command>) {
    ui.horizontal(|ui| {
        egui::ComboBox::from_id_salt("perturbation")
            .selected_text(format!("shift {:.0e} m", comparing.perturbation))
            .width(104.0)
            .show_ui(ui, |ui| {
                for exponent in SIZES {
                    let text = format!("1e-{exponent}");
                    let Ok(size) = text.parse::<f64>() else {
                        continue;
                    };
                    let chosen = size == comparing.perturbation;
                    if ui.selectable_label(chosen, format!("{text} m")).clicked() {
                        out.push(asked(CompareCommand::Size(size)));
                    }
                }
            })
            .response
            .spoken("Size of the perturbation")
            .on_hover_text("Configuration distance between the initial states of the two runs");
        let run = asked(CompareCommand::Perturb);
        let meaning = "Runs the method of the toolbar a second time, from a state at this distance";
        button(ui, "Run twin", meaning, run, out);
    });
    if let Some(growth) = comparing.growth() {
        let [from, to] = growth.times.map(format::clock);
        ui.label(format!("Lyapunov exponent ≈ {}", format::quantity(growth.rate, "1/s")))
            .on_hover_text(format!(
                "Growth rate of the distance, fitted from {from} to {to}; tends to the largest Lyapunov exponent"
            ));
    }
}
