//! The transport bar: play, step, back and forth in time, the scrub bar, speed, bookmarks and branches.

use crate::commands::Command;
use crate::commands::playback::PlaybackCommand;
use crate::playback::menus_ui::{bookmarks_ui, branches_ui, menus_ui, take_ui};
use crate::playback::scrub_ui::scrub_ui;
use crate::session::Session;
use crate::session::playback::{LADDER, Playback};
use crate::text::format;
use crate::theme::icons::{self, Icon};
use crate::theme::{Palette, colour, size};
use crate::ui::icons::{Face, icon_ui};
use crate::ui::{Spoken, button};
use bevy_egui::egui::{self, Align, Layout, RichText, Ui};

/// Draws the transport bar.
pub fn transport_ui(ui: &mut Ui, session: &Session, playback: &Playback) -> Vec<Command> {
    let mut out = Vec::new();
    let [for_menus, for_speed] = size::TRANSPORT_ROOM;
    let room = ui.available_width();
    ui.horizontal_centered(|ui| {
        ui.spacing_mut().item_spacing.x = 5.0;
        buttons_ui(ui, session, playback, &mut out);
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            if room < for_menus {
                menus_ui(ui, session, &mut out);
            } else {
                take_ui(ui, session, &mut out);
                branches_ui(ui, session, &mut out);
                bookmarks_ui(ui, session, &mut out);
            }
            // The keys for speed work without it.
            if room >= for_speed {
                speed_ui(ui, playback, &mut out);
            }
            time_ui(ui, session);
            scrub_ui(ui, session, &mut out);
        });
    });
    out
}

/// Start, back, backwards, play, on, end.
fn buttons_ui(ui: &mut Ui, session: &Session, playback: &Playback, out: &mut Vec<Command>) {
    let [first, _] = session.timeline().map_or([0, 0], |t| t.span());
    let at_start = session.sample().step <= first;
    let forwards = playback.playing && !playback.backwards;
    let backwards = playback.playing && playback.backwards;
    let mut sign = |ui: &mut Ui, able: bool, icon: Icon, lit: bool, name: &str, asked: Command| {
        ui.add_enabled_ui(able, |ui| {
            icon_ui(ui, Face::sign(icon, name), lit, name, asked, out);
        });
    };
    let to_start = Command::Time(PlaybackCommand::Start);
    sign(
        ui,
        !at_start,
        icons::START,
        false,
        "To the first moment",
        to_start,
    );
    let back = Command::Time(PlaybackCommand::By(-1));
    sign(ui, !at_start, icons::BACK, false, "One step back", back);
    let (icon, name) = if backwards {
        (icons::PAUSE, "Pause the play backwards")
    } else {
        (icons::REVERSE, "Play backwards")
    };
    let reverse = Command::Time(PlaybackCommand::Backwards);
    sign(ui, !at_start || backwards, icon, backwards, name, reverse);
    let (icon, name) = if forwards {
        (icons::PAUSE, "Pause")
    } else {
        (icons::PLAY, "Play")
    };
    sign(ui, true, icon, forwards, name, Command::TogglePlay);
    sign(ui, true, icons::ON, false, "One step", Command::Step(1));
    let to_end = Command::Time(PlaybackCommand::End);
    sign(
        ui,
        session.is_past(),
        icons::END,
        false,
        "To the last moment",
        to_end,
    );
}

/// The moment shown; in the past also how much lies ahead.
fn time_ui(ui: &mut Ui, session: &Session) {
    let palette = Palette::worn(ui);
    let now = format::clock(session.sample().time);
    let end = format::clock(session.span()[1]);
    let (text, shade) = if session.is_past() {
        (format!("{now} of {end}"), colour(palette.accent))
    } else {
        (now, colour(palette.text[0]))
    };
    // As wide in the past as at the end, so that the bar keeps its length while it is dragged.
    let font = egui::TextStyle::Monospace.resolve(ui.style());
    let widest = format!("{end} of {end}");
    let measure = |text: String| ui.painter().layout_no_wrap(text, font.clone(), shade);
    let (galley, room) = (measure(text), measure(widest).size().x);
    let size = egui::vec2(room, ui.available_height());
    let (rect, response) = ui.allocate_exact_size(size, egui::Sense::hover());
    let label = galley.text().to_owned();
    response
        .widget_info(|| egui::WidgetInfo::labeled(egui::WidgetType::Label, true, label.clone()));
    let corner = rect.right_center() - egui::vec2(galley.size().x, 0.5 * galley.size().y);
    ui.painter().galley(corner, galley, shade);
    response.on_hover_text(format!("Simulated time; step {}", session.sample().step));
}

/// The speed asked for, and the one that is reached.
fn speed_ui(ui: &mut Ui, playback: &Playback, out: &mut Vec<Command>) {
    ui.separator();
    let (text, shade) = reached(ui, playback);
    ui.label(RichText::new(text).monospace().small().color(shade))
        .on_hover_text("Simulated seconds per second of the clock on the wall");
    button(ui, "+", "Faster", Command::ChangeSpeed(1), out);
    egui::ComboBox::from_id_salt("speed")
        .selected_text(format::factor(playback.target()))
        .width(58.0)
        .show_ui(ui, |ui| {
            for (rung, speed) in LADDER.iter().enumerate().rev() {
                if ui
                    .selectable_label(rung == playback.rung, format::factor(*speed))
                    .clicked()
                {
                    out.push(Command::SetSpeed(rung));
                }
            }
        })
        .response
        .spoken("Speed")
        .on_hover_text("Speed asked for, as a factor of real time");
    button(ui, "−", "Slower", Command::ChangeSpeed(-1), out);
    ui.separator();
}

/// The factor reached, in the colour of a warning where it falls behind.
fn reached(ui: &Ui, playback: &Playback) -> (String, egui::Color32) {
    let palette = Palette::worn(ui);
    match playback.measured() {
        None => ("paused".into(), palette.faint()),
        Some(factor) => {
            let behind = playback.late && factor < 0.9 * playback.target();
            let shade = if behind {
                colour(palette.warning)
            } else {
                palette.faint()
            };
            (format!("×{factor:5.2}"), shade)
        }
    }
}
