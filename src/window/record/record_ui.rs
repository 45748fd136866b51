//! The record panel: what, how large, how fast; films in the making with their progress.

use crate::camera::path::CameraMove;
use crate::commands::Command;
use crate::commands::record::RecordCommand;
use crate::plots::charts;
use crate::record::FilmStatus;
use crate::record::Recording;
use crate::record::{CAMERAS, folder_shown};
use crate::session::Session;
use crate::state::highlight::Highlight;
use crate::state::preferences::Preferences;
use crate::state::recording::{ENDINGS, FilmSubject, Lettering, Quality, RecordSettings};
use crate::state::selection::Selection;
use crate::text::format;
use crate::theme::Palette;
use crate::ui::{Spoken, heading, toggle};
use bevy::prelude::{InMut, Res};
use bevy_egui::egui::{self, DragValue, ProgressBar, RichText, ScrollArea, Ui};
use std::path::Path;
use video::SpeedChange;

/// Sizes that are often wanted.
const SIZES: [([u32; 2], &str); 6] = [
    ([1280, 720], "16:9, web"),
    ([1920, 1080], "16:9, talk"),
    ([2560, 1440], "16:9, large screen"),
    ([3840, 2160], "16:9, 4K"),
    ([1080, 1080], "1:1"),
    ([1080, 1920], "9:16, upright"),
];
/// Speed of slow motion at first.
const SLOW: f64 = 0.1;
/// Frame rates that are often wanted.
const RATES: [f64; 5] = [24.0, 25.0, 30.0, 50.0, 60.0];

/// The panel.
pub fn panel(
    InMut(ui): InMut<Ui>,
    session: Res<Session>,
    highlight: Res<Highlight>,
    preferences: Res<Preferences>,
    recording: Res<Recording>,
) -> Vec<Command> {
    record_ui(ui, &session, &highlight, &preferences, &recording)
}

/// Draws the panel.
pub fn record_ui(
    ui: &mut Ui,
    session: &Session,
    highlight: &Highlight,
    preferences: &Preferences,
    recording: &Recording,
) -> Vec<Command> {
    let mut out = Vec::new();
    ScrollArea::vertical()
        .auto_shrink([false, false])
        .show(ui, |ui| {
            // At the top, where what was just recorded is looked for.
            if !recording.saved.is_empty() {
                heading(ui, "Saved");
                for file in &recording.saved {
                    saved_ui(ui, file, &mut out);
                }
            }
            let mut settings = recording.settings.clone();
            ui.add_enabled_ui(!recording.is_on, |ui| {
                heading(ui, "Video");
                format_ui(ui, &mut settings, session.sample().time);
            });
            heading(ui, "What happens from now on");
            live_ui(ui, recording, &mut settings, &mut out);
            heading(ui, "The scene from its start");
            offline_ui(ui, session, highlight, preferences, &mut settings, &mut out);
            heading(ui, "The run so far");
            let meaning =
                "Draws the run from its first moment to its end, drags included, in the background";
            let past = Command::Film(RecordCommand::Past);
            crate::ui::button(ui, "Film of the run", meaning, past, &mut out);
            heading(ui, "Picture");
            let [w, h] = settings.size;
            let meaning =
                format!("Draws what the view shows at {w} × {h} pixels and saves it as a PNG file");
            let still = Command::Film(RecordCommand::Still);
            crate::ui::button(ui, "Save a picture", &meaning, still, &mut out);
            if !recording.films.is_empty() {
                heading(ui, "Rendering");
                for (place, film) in recording.films.iter().enumerate() {
                    film_ui(ui, place, film, &mut out);
                }
            }
            if settings != recording.settings {
                out.push(Command::Film(RecordCommand::Settings(settings)));
            }
        });
    out
}

/// A file that was saved, to be looked at.
fn saved_ui(ui: &mut Ui, file: &Path, out: &mut Vec<Command>) {
    ui.horizontal(|ui| {
        let play = Command::Film(RecordCommand::Play(file.into()));
        crate::ui::button(ui, "Play", "Opens it in the desktop's player", play, out);
        let reveal = Command::Film(RecordCommand::Reveal(file.into()));
        let meaning = "Shows it in the desktop's file manager";
        crate::ui::button(ui, "Show in folder", meaning, reveal, out);
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        ui.add(egui::Label::new(RichText::new(name).small()).truncate())
            .on_hover_text(file.display().to_string());
    });
}

/// Kind of file, size, rate, speed.
fn format_ui(ui: &mut Ui, settings: &mut RecordSettings, now: f64) {
    let kind = ENDINGS.iter().find(|e| e.0 == settings.ending);
    egui::ComboBox::from_id_salt("format")
        .selected_text(kind.map_or("", |e| e.1))
        .width(180.0)
        .show_ui(ui, |ui| {
            for (ending, name) in ENDINGS {
                ui.selectable_value(&mut settings.ending, ending, name);
            }
        })
        .response
        .spoken("Kind of file")
        .on_hover_text("Kind of file");
    let faint = Palette::worn(ui).faint();
    let folder = folder_shown();
    ui.add(
        egui::Label::new(
            RichText::new(format!("Saved in {folder}"))
                .small()
                .color(faint),
        )
        .truncate(),
    )
    .on_hover_text(folder);
    ui.horizontal(|ui| {
        for (edge, name) in settings.size.iter_mut().zip(["width", "height"]) {
            ui.add(DragValue::new(edge).range(16..=16_384).speed(2.0))
                .spoken(&format!("Picture {name}"))
                .on_hover_text(format!("Picture {name} [pixels]"));
        }
        egui::ComboBox::from_id_salt("size")
            .selected_text("Size")
            .width(70.0)
            .show_ui(ui, |ui| {
                for ([w, h], meant) in SIZES {
                    let text = format!("{w} × {h}   {meant}");
                    ui.selectable_value(&mut settings.size, [w, h], text);
                }
            })
            .response
            .spoken("Usual sizes")
            .on_hover_text("Usual sizes");
    });
    ui.horizontal(|ui| {
        egui::ComboBox::from_id_salt("rate")
            .selected_text(format!("{} frames per second", settings.fps))
            .width(180.0)
            .show_ui(ui, |ui| {
                for fps in RATES {
                    ui.selectable_value(&mut settings.fps, fps, format!("{fps}"));
                }
            })
            .response
            .spoken("Frame rate")
            .on_hover_text("Frame k shows the time k · speed / rate after the first, exactly");
    });
    ui.horizontal(|ui| {
        let mut own = settings.speed.is_some();
        ui.checkbox(&mut own, "Speed")
            .on_hover_text("Simulated seconds per second of video; if off, the pace of the window");
        if own {
            let speed = settings.speed.get_or_insert(1.0);
            ui.add(
                DragValue::new(speed)
                    .prefix("×")
                    .range(1e-4..=1e4)
                    .speed(0.01),
            )
            .spoken("Speed of the video")
            .on_hover_text("Simulated seconds per second of video");
        } else {
            settings.speed = None;
        }
    });
    changes_ui(ui, settings, now);
    ui.horizontal(|ui| {
        ui.checkbox(&mut settings.lettering.plots, "Plots")
            .on_hover_text("A strip of plots beside the view");
        charts_ui(ui, &mut settings.lettering);
        let mut draft = settings.quality == Quality::Draft;
        ui.checkbox(&mut draft, "Draft")
            .on_hover_text("Faster without a graphics card: no shadows, hard edges");
        settings.quality = if draft { Quality::Draft } else { Quality::Good };
    });
    ui.horizontal(|ui| {
        ui.checkbox(&mut settings.lettering.large, "Large type")
            .on_hover_text("Text that can be read from the last row of a hall; fewer plots");
    });
    let Lettering { title, caption, .. } = &mut settings.lettering;
    for (line, name, meaning) in [
        (title, "Title", "A line above the view"),
        (caption, "Caption", "A line below the view"),
    ] {
        let line = egui::TextEdit::singleline(line).hint_text(name);
        ui.add(line.desired_width(264.0))
            .on_hover_text(meaning)
            .spoken(name);
    }
}

/// Where the speed of the video changes: slow motion from the moment shown, and what can be changed of it.
fn changes_ui(ui: &mut Ui, settings: &mut RecordSettings, now: f64) {
    let mut gone = None;
    for (k, change) in settings.changes.iter_mut().enumerate() {
        ui.horizontal(|ui| {
            ui.label("from");
            ui.add(
                DragValue::new(&mut change.from)
                    .suffix(" s")
                    .max_decimals(3)
                    .speed(0.01),
            )
            .spoken(&format!("Time of speed change {}", k + 1))
            .on_hover_text("Simulated time from which this speed holds");
            ui.add(
                DragValue::new(&mut change.speed)
                    .prefix("×")
                    .range(1e-4..=1e4)
                    .speed(0.01),
            )
            .spoken(&format!("Speed from change {} on", k + 1))
            .on_hover_text("Simulated seconds per second of video from then on");
            let remove = ui
                .button("✖")
                .spoken(&format!("Remove speed change {}", k + 1));
            if remove
                .on_hover_text("Remove this change of speed")
                .clicked()
            {
                gone = Some(k);
            }
        });
    }
    if let Some(k) = gone {
        settings.changes.remove(k);
    }
    let meaning = "Slow motion, or another speed, from the moment shown on; its time and speed can be changed";
    if ui
        .button("Change speed here")
        .on_hover_text(meaning)
        .clicked()
    {
        settings.changes.push(SpeedChange {
            from: now,
            speed: SLOW,
        });
        settings.changes.sort_by(|a, b| a.from.total_cmp(&b.from));
    }
}

/// What the menu of plots is for.
const WHICH: &str = "Which plots the film shows";

/// Which plots a film shows: those of the window, or others.
fn charts_ui(ui: &mut Ui, lettering: &mut Lettering) {
    ui.add_enabled_ui(lettering.plots, |ui| {
        ui.menu_button("Which ⏷", |ui| {
            let as_window = lettering.charts.is_none();
            if ui.radio(as_window, "As in the window").clicked() {
                lettering.charts = None;
            }
            ui.separator();
            for plot in charts::ALL {
                let mut on = lettering.charts.as_ref().is_some_and(|c| c.contains(&plot));
                if ui.checkbox(&mut on, charts::name(plot)).clicked() {
                    let chosen = lettering.charts.get_or_insert_default();
                    chosen.retain(|p| *p != plot);
                    if on {
                        chosen.push(plot);
                    }
                }
            }
        })
        .response
        .on_hover_text(WHICH)
        .on_disabled_hover_text(WHICH);
    });
}

/// Recording of what happens.
fn live_ui(
    ui: &mut Ui,
    recording: &Recording,
    settings: &mut RecordSettings,
    out: &mut Vec<Command>,
) {
    ui.add_enabled_ui(!recording.is_on, |ui| {
        ui.horizontal(|ui| {
            for (subject, name, meaning) in [
                (
                    FilmSubject::View,
                    "View",
                    "Drawn at the size above while the window goes on",
                ),
                (
                    FilmSubject::Window,
                    "Window with panels",
                    "As large as the window; time waits for every frame",
                ),
            ] {
                ui.selectable_value(&mut settings.subject, subject, name)
                    .on_hover_text(meaning);
            }
        });
    });
    ui.checkbox(&mut settings.countdown, "Countdown")
        .on_hover_text("Three seconds pass before a recording begins");
    let (label, meaning) = if recording.countdown.is_some() {
        ("⏹ Cancel", "Ends the countdown; nothing is recorded")
    } else if recording.is_on {
        (
            "⏹ Stop",
            "Ends the recording; what was recorded is drawn to its end",
        )
    } else {
        ("⏺ Record", "Records every moment from now on, once")
    };
    let live = Command::Film(RecordCommand::Live);
    toggle(ui, recording.is_on, label, meaning, live, out);
}

/// Films from the scene's start.
fn offline_ui(
    ui: &mut Ui,
    session: &Session,
    highlight: &Highlight,
    preferences: &Preferences,
    settings: &mut RecordSettings,
    out: &mut Vec<Command>,
) {
    ui.horizontal(|ui| {
        ui.add(
            DragValue::new(&mut settings.duration)
                .suffix(" s")
                .range(1e-3..=1e5)
                .speed(0.1),
        )
        .spoken("Duration of the film")
        .on_hover_text("Simulated time to show");
        camera_ui(ui, session, highlight, settings);
    });
    ui.horizontal(|ui| {
        let keep = "Keeps this view; the camera of the film goes through all that were kept";
        crate::ui::button(
            ui,
            "Add view",
            keep,
            Command::Film(RecordCommand::KeepView),
            out,
        );
        let views = preferences.views(&session.scene().name).len();
        if views > 0 {
            let through = Command::Film(RecordCommand::ThroughViews);
            let lit = matches!(settings.camera, CameraMove::Through(_));
            let meaning =
                "The camera of the film goes through the views that were kept, in their order";
            toggle(ui, lit, "Through views", meaning, through, out);
            ui.label(format!("{views} views"));
        }
    });
    let meaning = "Draws the scene from its start in the background, every frame exact";
    crate::ui::button(
        ui,
        "Make a film",
        meaning,
        Command::Film(RecordCommand::FromStart),
        out,
    );
}

/// How the camera moves.
fn camera_ui(ui: &mut Ui, session: &Session, highlight: &Highlight, settings: &mut RecordSettings) {
    let name = match &settings.camera {
        CameraMove::Through(_) => "Through views".into(),
        CameraMove::Follow(body) => format!("With {body}"),
        plain => CAMERAS
            .iter()
            .find(|c| c.1 == *plain)
            .map_or(String::new(), |c| c.0.into()),
    };
    egui::ComboBox::from_id_salt("camera")
        .selected_text(name)
        .width(120.0)
        .show_ui(ui, |ui| {
            for (name, camera) in CAMERAS {
                ui.selectable_value(&mut settings.camera, camera, name);
            }
            if let Some(body) = highlight.selection.and_then(Selection::as_body) {
                let name = &session.model().bodies[body.0].name;
                let follow = CameraMove::Follow(name.clone());
                ui.selectable_value(&mut settings.camera, follow, format!("With {name}"));
            }
        })
        .response
        .spoken("Camera of the film")
        .on_hover_text("Camera; select a body to have it followed");
}

/// One film in the making.
fn film_ui(ui: &mut Ui, place: usize, film: &FilmStatus, out: &mut Vec<Command>) {
    let faint = Palette::worn(ui).faint();
    let path = film.path.display().to_string();
    ui.add(egui::Label::new(RichText::new(&path).small()).truncate())
        .on_hover_text(path);
    let done = film.done;
    match film.frames {
        Some(all) => {
            let share = done as f32 / all.max(1) as f32;
            ui.add(ProgressBar::new(share).text(format!("{done} of {all} frames")));
        }
        None => {
            let text = format!("{done} frames, to {}", format::clock(film.time));
            ui.label(RichText::new(text).small().color(faint));
        }
    }
    if film.stops {
        ui.label(RichText::new("ending").small().color(faint));
    } else {
        let keep = "Ends it with the frames that are drawn; they are kept";
        crate::ui::button(
            ui,
            "Stop",
            keep,
            Command::Film(RecordCommand::Stop(place)),
            out,
        );
    }
}
