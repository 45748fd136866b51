//! The toolbar: scene, integrator, step and tolerance, and what is shown.

use crate::commands::Command;
use crate::commands::record::RecordCommand;
use crate::compare::Comparing;
use crate::editing::inspector::tools::edit_keys_ui;
use crate::methods::list_ui::integrators_ui;
use crate::record::Recording;
use crate::session::Session;
use crate::state::look::Look;
use crate::state::panels::{PANELS, PanelButton, PanelInfo};
use crate::state::workspace::Workspace;
use crate::theme::{Palette, colour, icons, size};
use crate::ui::icons::{Face, icon_ui};
use crate::ui::{Spoken, button, toggle};
use bevy_egui::egui::{self, Align, Layout, RichText, Ui, vec2};

/// Draws the toolbar. What has no room goes into a menu at its end.
pub fn toolbar_ui(
    ui: &mut Ui,
    session: &Session,
    look: &Look,
    workspace: &Workspace,
    recording: &Recording,
    comparing: &Comparing,
) -> Vec<Command> {
    let mut out = Vec::new();
    let room = ui.available_width();
    let [wide, middle, titled, narrow] = size::TOOLBAR_ROOM.map(|least| room >= least);
    ui.horizontal_centered(|ui| {
        for row in placed(PanelButton::Lead) {
            // Beside the signs of all panels it would leave the scene's name no room.
            let worded = match wide {
                true => room >= size::TOOLBAR_REST + size::TOOLBAR_TITLE,
                false => titled,
            };
            panel_ui(ui, row, workspace, worded, &mut out);
        }
        if narrow {
            let title = RichText::new(title(session)).strong();
            // Its end is cut before anything is pushed out.
            let width = if wide {
                (room - size::TOOLBAR_REST).clamp(size::TOOLBAR_TITLE, 0.25 * room)
            } else {
                0.16 * room
            };
            ui.allocate_ui(vec2(width, ui.available_height()), |ui| {
                ui.add(egui::Label::new(title).truncate());
            });
            edit_keys_ui(ui, session, &mut out);
            ui.separator();
        }
        out.extend(integrators_ui(ui, session, middle));
        if narrow {
            compare_ui(ui, workspace, comparing, &mut out);
        }
        if middle {
            out.extend(step_and_tolerance_ui(ui, session));
        }
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            if wide {
                window_ui(ui, look, &mut out);
                ui.separator();
                ui.scope(|ui| {
                    ui.spacing_mut().item_spacing.x = 3.0;
                    // From the right to the left.
                    for row in placed(PanelButton::Row).rev() {
                        panel_ui(ui, row, workspace, false, &mut out);
                    }
                });
            } else {
                ui.menu_button("Panels ⏷", |ui| {
                    if !narrow {
                        compare_ui(ui, workspace, comparing, &mut out);
                    }
                    if !middle {
                        out.extend(step_and_tolerance_ui(ui, session));
                        ui.separator();
                    }
                    for row in placed(PanelButton::Row) {
                        panel_ui(ui, row, workspace, true, &mut out);
                    }
                    ui.separator();
                    window_ui(ui, look, &mut out);
                })
                .response
                .on_hover_text("Panels, theme and help");
            }
            record_ui(ui, recording, &mut out);
        });
    });
    out
}

/// The panels whose buttons are in one place.
fn placed(place: PanelButton) -> impl DoubleEndedIterator<Item = &'static PanelInfo> {
    PANELS.iter().filter(move |row| row.button == place)
}

/// The button of a panel: its sign, and its title where there is room. Lit while it can be seen.
fn panel_ui(
    ui: &mut Ui,
    row: &PanelInfo,
    workspace: &Workspace,
    worded: bool,
    out: &mut Vec<Command>,
) {
    let face = Face {
        icon: row.icon,
        name: row.title,
        worded,
    };
    let lit = workspace.is_seen(row.panel);
    let meaning = format!("{}: {}", row.title, row.meaning);
    icon_ui(
        ui,
        face,
        lit,
        &meaning,
        Command::TogglePanel(row.panel),
        out,
    );
}

/// The panel of methods beside each other, lit while there are any.
fn compare_ui(ui: &mut Ui, workspace: &Workspace, comparing: &Comparing, out: &mut Vec<Command>) {
    for row in placed(PanelButton::Methods) {
        let lit = workspace.is_seen(row.panel) || comparing.is_on();
        let asked = Command::TogglePanel(row.panel);
        let label = format!("+ {}", row.title.to_lowercase());
        toggle(ui, lit, &label, row.meaning, asked, out);
    }
}

/// Help and theme.
fn window_ui(ui: &mut Ui, look: &Look, out: &mut Vec<Command>) {
    button(ui, "?", "Help", Command::ToggleHelp, out);
    let (icon, name) = if look.dark {
        (icons::LIGHT, "Light")
    } else {
        (icons::DARK, "Dark")
    };
    let face = Face::sign(icon, name);
    icon_ui(ui, face, false, name, Command::ToggleTheme, out);
}

/// The button that begins and ends a recording.
fn record_ui(ui: &mut Ui, recording: &Recording, out: &mut Vec<Command>) {
    let (label, meaning) = if recording.is_on {
        ("⏹", "End the recording")
    } else {
        ("⏺", "Record a video")
    };
    let red = colour(Palette::worn(ui).failure);
    ui.scope(|ui| {
        ui.visuals_mut().override_text_color = Some(red);
        let live = Command::Film(RecordCommand::Live);
        toggle(ui, recording.is_on, label, meaning, live, out);
    });
}

/// What the scene is called.
fn title(session: &Session) -> &str {
    let view = &session.scene().view;
    if view.title.is_empty() {
        &session.scene().name
    } else {
        &view.title
    }
}

/// Step size and tolerance, changed live.
fn step_and_tolerance_ui(ui: &mut Ui, session: &Session) -> Vec<Command> {
    let mut settings = *session.settings();
    let before = settings;
    let mut milliseconds = settings.dt * 1e3;
    let speed = 0.01 * milliseconds;
    let field = egui::DragValue::new(&mut milliseconds)
        .speed(speed)
        .range(1e-3..=1e3)
        .max_decimals(4)
        .prefix("dt ")
        .suffix(" ms");
    if ui
        .add(field)
        .spoken("Step size")
        .on_hover_text("Step size: drag, or click and type")
        .changed()
    {
        settings.dt = milliseconds * 1e-3;
    }
    egui::ComboBox::from_id_salt("tolerance")
        .selected_text(format!("tol {:.0e}", settings.tolerance))
        .width(84.0)
        .show_ui(ui, |ui| {
            for exponent in 4..=12 {
                let tolerance = 10f64.powi(-exponent);
                // As written in a scene file, not with the rounding of a power.
                let tolerance = format!("{tolerance:.0e}").parse().unwrap_or(tolerance);
                ui.selectable_value(&mut settings.tolerance, tolerance, format!("1e-{exponent}"));
            }
        })
        .response
        .spoken("Newton tolerance")
        .on_hover_text(
            "Newton tolerance: largest unbalanced force, relative to the forces handled, and largest joint error, relative to the size of the joint, accepted",
        );
    if settings == before {
        Vec::new()
    } else {
        vec![Command::Settings(settings)]
    }
}
