//! The gallery: cards of scenes with their pictures, files opened before, generators with their parameters.

use crate::commands::Command;
use crate::scenes::Entry;
use crate::scenes::SceneList;
use crate::scenes::files::new_scenes;
use crate::scenes::gallery::pictures::name_of;
use crate::scenes::gallery::{GalleryState, holds, title};
use crate::scenes::textures;
use crate::session::Session;
use crate::state::preferences::Preferences;
use crate::theme::{Palette, colour, gallery as look, size};
use crate::ui::{Spoken, command, heading};
use bevy_egui::egui::{
    self, CornerRadius, DragValue, FontId, Rect, Response, RichText, ScrollArea, Sense, Stroke,
    StrokeKind, Ui, WidgetInfo, WidgetType, vec2,
};
use physics::scene::{Generator, Parameter, Range, generators};

/// Draws the gallery beside the running scene.
pub fn gallery_ui(
    ui: &mut Ui,
    session: &Session,
    preferences: &Preferences,
    scene_list: &SceneList,
    state: &mut GalleryState,
) -> Vec<Command> {
    let mut out = Vec::new();
    header_ui(ui, preferences, scene_list, state, &mut out);
    let found: Vec<&Entry> = scene_list
        .catalogue
        .iter()
        .filter(|e| !e.generated && holds(&searched(e), &state.search))
        .collect();
    let made: Vec<&Generator> = generators()
        .iter()
        .filter(|g| holds(&format!("{} {}", g.name, g.description), &state.search))
        .collect();
    let foot = ui.text_style_height(&egui::TextStyle::Small) + 10.0;
    let height = (ui.available_height() - foot).max(80.0);
    ScrollArea::vertical()
        .auto_shrink([false, false])
        .max_height(height)
        .show(ui, |ui| {
            recent_ui(ui, preferences, &state.search, &mut out);
            let mut groups: Vec<&str> = Vec::new();
            for entry in &found {
                if groups.last() != Some(&entry.group.as_str()) {
                    groups.push(&entry.group);
                }
            }
            for group in groups {
                heading(ui, group);
                let cards: Vec<&Entry> =
                    found.iter().filter(|e| e.group == group).copied().collect();
                cards_ui(ui, &cards, &session.scene().name, &mut out);
            }
            if !made.is_empty() {
                heading(ui, "With parameters");
            }
            for generator in &made {
                generator_ui(ui, generator, state, &mut out);
            }
            if found.is_empty() && made.is_empty() {
                ui.add_space(20.0);
                ui.label("No scene is called that. Fewer words find more.");
            }
        });
    let title = &session.scene().view.title;
    let faint = Palette::worn(ui).faint();
    ui.add(
        egui::Label::new(
            RichText::new(format!("Esc returns to {title}."))
                .small()
                .color(faint),
        )
        .truncate(),
    );
    out
}

/// Everything that a search looks through.
fn searched(entry: &Entry) -> String {
    format!(
        "{} {} {} {}",
        entry.spec, entry.title, entry.group, entry.description
    )
}

/// Title, search, whether it is shown at the start, and the way out.
fn header_ui(
    ui: &mut Ui,
    preferences: &Preferences,
    scene_list: &SceneList,
    state: &mut GalleryState,
    out: &mut Vec<Command>,
) {
    ui.horizontal(|ui| {
        ui.label(RichText::new("Gallery").heading());
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            command(ui, false, "Close", &Command::ToggleGallery, out);
            let mut shown = preferences.gallery_at_start;
            let tick = ui.checkbox(&mut shown, "Show at start").on_hover_text(
                "Whether the program begins with the gallery where no scene is named",
            );
            if tick.changed() {
                out.push(Command::ToggleGalleryAtStart);
            }
            command(ui, false, "Open a file…", &Command::OpenDialog, out);
            ui.menu_button("New ⏷", |ui| {
                for (title, name) in new_scenes() {
                    if ui.button(title).clicked() {
                        out.push(Command::Open(name.into()));
                        ui.close();
                    }
                }
            })
            .response
            .on_hover_text("A new scene: an empty one, or a simple mechanism to begin from");
            let field = egui::TextEdit::singleline(&mut state.search)
                .hint_text("Search")
                .desired_width(f32::INFINITY);
            let field = ui.add(field).on_hover_text(
                "Words that the scene's name or description holds; Enter opens the first",
            );
            let field = field.spoken("Search the gallery");
            if std::mem::take(&mut state.wants_keys) {
                field.request_focus();
            }
            if field.lost_focus() && ui.input(|i| i.key_pressed(egui::Key::Enter)) {
                let mut found = scene_list.catalogue.iter();
                let first = found.find(|e| !e.generated && holds(&searched(e), &state.search));
                out.extend(first.map(|e| Command::Open(e.spec.clone())));
            }
        });
    });
    ui.add_space(2.0);
}

/// Files opened before.
fn recent_ui(ui: &mut Ui, preferences: &Preferences, search: &str, out: &mut Vec<Command>) {
    let found: Vec<_> = preferences
        .recent
        .iter()
        .filter(|path| holds(&path.display().to_string(), search))
        .collect();
    if found.is_empty() {
        return;
    }
    heading(ui, "Recent files");
    ui.horizontal_wrapped(|ui| {
        for path in found {
            let name = path
                .file_name()
                .unwrap_or(path.as_os_str())
                .to_string_lossy();
            let button = egui::Button::selectable(false, name).frame_when_inactive(true);
            if ui
                .add(button)
                .on_hover_text(path.display().to_string())
                .clicked()
            {
                out.push(Command::Open(path.display().to_string()));
            }
        }
    });
}

/// Cards beside and below each other.
fn cards_ui(ui: &mut Ui, cards: &[&Entry], open: &str, out: &mut Vec<Command>) {
    let width = ui.available_width();
    let columns = ((width + size::GAP) / (look::CARD + size::GAP))
        .floor()
        .max(1.0);
    let card = (width + size::GAP) / columns - size::GAP;
    ui.spacing_mut().item_spacing = vec2(size::GAP, size::GAP);
    for row in cards.chunks(columns as usize) {
        ui.horizontal_top(|ui| {
            for entry in row {
                if card_ui(ui, entry, card, entry.spec == open).clicked() {
                    out.push(Command::Open(entry.spec.clone()));
                }
            }
        });
    }
}

/// A card: picture, title, two lines of description.
fn card_ui(ui: &mut Ui, entry: &Entry, width: f32, open: bool) -> Response {
    let picture_height = width / look::ASPECT;
    let extent = vec2(width, picture_height + look::WORDS);
    let (rect, response) = ui.allocate_exact_size(extent, Sense::click());
    response.widget_info(|| WidgetInfo::selected(WidgetType::Button, true, open, &entry.title));
    if !ui.is_rect_visible(rect) {
        return response;
    }
    let palette = Palette::worn(ui);
    let [rest, hovered, _] = palette.button.map(colour);
    let lit = response.hovered() || response.has_focus();
    let corner = CornerRadius::same(size::CORNER);
    ui.painter()
        .rect_filled(rect, corner, if lit { hovered } else { rest });
    let frame = Rect::from_min_size(rect.min, vec2(width, picture_height));
    let top = CornerRadius {
        sw: 0,
        se: 0,
        ..corner
    };
    textures::paint(ui, &entry.spec, frame, top);
    let left = rect.left() + 8.0;
    let words = width - 16.0;
    let text = colour(palette.text[0]);
    let title = line(ui, &entry.title, size::TEXT.1, words, 1, text);
    ui.painter()
        .galley(egui::pos2(left, frame.bottom() + 6.0), title, text);
    let faint = palette.faint();
    let description = line(ui, &entry.description, size::TEXT.0, words, 2, faint);
    ui.painter()
        .galley(egui::pos2(left, frame.bottom() + 25.0), description, faint);
    if lit || open {
        let stroke = Stroke::new(if lit { 2.0 } else { 1.0 }, colour(palette.accent));
        ui.painter()
            .rect_stroke(rect, corner, stroke, StrokeKind::Inside);
    }
    response
}

/// A text of at most so many lines.
fn line(
    ui: &Ui,
    text: &str,
    height: f32,
    width: f32,
    rows: usize,
    shade: egui::Color32,
) -> std::sync::Arc<egui::Galley> {
    let font = FontId::proportional(height);
    let mut job = egui::text::LayoutJob::simple(text.into(), font, shade, width);
    job.wrap.max_rows = rows;
    job.wrap.overflow_character = Some('…');
    ui.fonts_mut(|fonts| fonts.layout_job(job))
}

/// A generator: picture, description, parameters, and the button that opens it.
fn generator_ui(
    ui: &mut Ui,
    generator: &'static Generator,
    state: &mut GalleryState,
    out: &mut Vec<Command>,
) {
    let palette = Palette::worn(ui);
    let frame = egui::Frame::new()
        .fill(colour(palette.well))
        .corner_radius(CornerRadius::same(size::CORNER))
        .inner_margin(8);
    frame.show(ui, |ui| {
        ui.set_width(ui.available_width());
        ui.horizontal_top(|ui| {
            let extent = vec2(look::CARD * 0.72, look::CARD * 0.72 / look::ASPECT);
            let (rect, _) = ui.allocate_exact_size(extent, Sense::hover());
            textures::paint(
                ui,
                &name_of(generator),
                rect,
                CornerRadius::same(size::CORNER),
            );
            ui.vertical(|ui| {
                let spec = state.spec(generator);
                ui.horizontal(|ui| {
                    let open = egui::Button::new(title(generator));
                    if ui
                        .add(open)
                        .on_hover_text(format!("Opens {spec}"))
                        .clicked()
                    {
                        out.push(Command::Open(spec));
                    }
                });
                let faint = palette.faint();
                ui.label(RichText::new(generator.description).small().color(faint));
                // Cells of one width: a line that breaks between them would not know where.
                let room = ui.available_width();
                let columns = (room / look::PARAMETER).floor().max(1.0);
                let cell = vec2(room / columns - ui.spacing().item_spacing.x, 26.0);
                for row in generator.parameters.chunks(columns as usize) {
                    ui.horizontal(|ui| {
                        for parameter in row {
                            let line = egui::Layout::left_to_right(egui::Align::Center);
                            ui.allocate_ui_with_layout(cell, line, |ui| {
                                ui.set_min_size(cell);
                                parameter_ui(ui, generator, parameter, state);
                            });
                        }
                    });
                }
            });
        });
    });
}

/// The value of a parameter.
fn parameter_ui(
    ui: &mut Ui,
    generator: &Generator,
    parameter: &'static Parameter,
    state: &mut GalleryState,
) {
    let before = state.value(generator, parameter.name);
    let hover = format!("{}; {}", parameter.meaning, parameter.range);
    let spoken = format!("{} of {}", parameter.name, generator.name);
    let mut after = before.clone();
    let faint = Palette::worn(ui).faint();
    ui.label(RichText::new(parameter.name).small().color(faint));
    let field = match parameter.range {
        Range::Choice(words) => {
            let salt = (generator.name, parameter.name);
            let chosen = egui::ComboBox::from_id_salt(salt)
                .selected_text(&before)
                .width(80.0)
                .show_ui(ui, |ui| {
                    for word in words {
                        ui.selectable_value(&mut after, (*word).into(), *word);
                    }
                });
            chosen.response
        }
        Range::Number(low, high) => {
            let mut value: f64 = before.parse().unwrap_or(low);
            let speed = (0.01 * value.abs()).max(1e-3);
            let field = DragValue::new(&mut value).range(low..=high).speed(speed);
            let field = ui.add(field);
            if field.changed() {
                after = value.to_string();
            }
            field
        }
        Range::Whole(low, high) | Range::Odd(low, high) => {
            let odd = matches!(parameter.range, Range::Odd(..));
            let mut value: u32 = before.parse().unwrap_or(low);
            let field = ui.add(DragValue::new(&mut value).range(low..=high).speed(0.2));
            if field.changed() {
                // Half way between two odd numbers the upper one is meant, unless there is none.
                let even = odd && value.is_multiple_of(2);
                after = match even {
                    true if value < high => value + 1,
                    true => value - 1,
                    false => value,
                }
                .to_string();
            }
            field
        }
    };
    field.spoken(&spoken).on_hover_text(hover);
    if after != before {
        state.choose(generator, parameter.name, after);
    }
}
