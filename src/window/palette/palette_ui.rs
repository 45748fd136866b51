//! The command palette: a field, and below it what answers.

use crate::commands::Command;
use crate::palette::{Choice, PaletteState, choices, find, typed};
use crate::scenes::SceneList;
use crate::session::Session;
use crate::state::preferences::Preferences;
use crate::theme::{Palette, colour, search as look, size};
use crate::ui::Spoken;
use bevy_egui::egui::{
    self, Align2, CornerRadius, FontId, Key, Response, Sense, Ui, WidgetInfo, WidgetType, pos2,
    vec2,
};

/// Most finds that are listed; more letters bring up the others.
const MOST: usize = 120;

/// What was chosen: the name by which it is remembered, and what it does.
pub type Chosen = (String, Command);

/// Draws the palette over the window.
pub fn palette_ui(
    ctx: &egui::Context,
    session: &Session,
    dark: bool,
    preferences: &Preferences,
    scene_list: &SceneList,
    state: &mut PaletteState,
) -> Option<Chosen> {
    let palette = Palette::of(dark);
    let frame = egui::Frame::window(&ctx.global_style())
        .fill(colour(palette.panel))
        .inner_margin(8);
    egui::Area::new("palette".into())
        .order(egui::Order::Foreground)
        .anchor(Align2::CENTER_TOP, [0.0, look::TOP])
        .show(ctx, |ui| {
            frame
                .show(ui, |ui| {
                    body_ui(ui, session, dark, preferences, scene_list, state)
                })
                .inner
        })
        .inner
}

fn body_ui(
    ui: &mut Ui,
    session: &Session,
    dark: bool,
    preferences: &Preferences,
    scene_list: &SceneList,
    state: &mut PaletteState,
) -> Option<Chosen> {
    let width = look::WIDTH.min(ui.ctx().viewport_rect().width() - 40.0);
    ui.set_width(width);
    let field = egui::TextEdit::singleline(&mut state.search)
        .hint_text("Any action, scene or setting")
        .desired_width(f32::INFINITY);
    let field = ui
        .add(field)
        .on_hover_text("Letters may be left out; Enter does the first");
    let field = field.spoken("Search everything");
    if !state.has_keys {
        field.request_focus();
        state.has_keys = true;
    }
    let all = choices(session, preferences, scene_list);
    let typed = typed(scene_list, &state.search);
    let mut found: Vec<&Choice> = typed.iter().collect();
    found.extend(find(&all, &state.search, &preferences.done));
    found.truncate(MOST);
    if field.changed() {
        state.chosen = 0;
    }
    let [up, down, enter] =
        ui.input(|i| [Key::ArrowUp, Key::ArrowDown, Key::Enter].map(|key| i.key_pressed(key)));
    let last = found.len().saturating_sub(1);
    if down {
        state.chosen += 1;
    }
    if up {
        state.chosen = state.chosen.saturating_sub(1);
    }
    state.chosen = state.chosen.min(last);
    let mut done = enter.then_some(state.chosen);
    ui.spacing_mut().item_spacing.y = 0.0;
    egui::ScrollArea::vertical()
        .max_height(look::HEIGHT)
        .auto_shrink([false, true])
        .show(ui, |ui| {
            for (k, choice) in found.iter().enumerate() {
                let response = entry_ui(ui, choice, k == state.chosen, dark);
                if k == state.chosen && (up || down) {
                    response.scroll_to_me(None);
                }
                if response.clicked() {
                    done = Some(k);
                }
            }
        });
    if found.is_empty() {
        ui.label("Nothing is called that.");
    }
    let choice = found.get(done?).filter(|c| !c.refused)?;
    Some((choice.id(), choice.action.clone()))
}

/// One entry.
fn entry_ui(ui: &mut Ui, choice: &Choice, chosen: bool, dark: bool) -> Response {
    let palette = Palette::of(dark);
    let extent = vec2(ui.available_width(), look::ENTRY);
    let (rect, response) = ui.allocate_exact_size(extent, Sense::click());
    let (spoken, able) = (choice.id(), !choice.refused);
    response.widget_info(|| WidgetInfo::selected(WidgetType::Button, able, chosen, &spoken));
    if !ui.is_rect_visible(rect) {
        return response;
    }
    let [_, hovered, pressed] = palette.button.map(colour);
    if chosen || response.hovered() {
        let fill = if chosen { pressed } else { hovered };
        ui.painter()
            .rect_filled(rect, CornerRadius::same(size::CORNER), fill);
    }
    let faint = palette.faint();
    let text = if choice.refused {
        faint
    } else {
        colour(palette.text[0])
    };
    let (small, normal, _) = size::TEXT;
    let middle = rect.center().y;
    let painter = ui.painter().with_clip_rect(rect.intersect(ui.clip_rect()));
    let group = FontId::proportional(small);
    painter.text(
        pos2(rect.left() + 8.0, middle),
        Align2::LEFT_CENTER,
        &choice.group,
        group.clone(),
        faint,
    );
    let right = match choice.key {
        Some(key) => {
            let at = pos2(rect.right() - 8.0, middle);
            painter
                .text(at, Align2::RIGHT_CENTER, key, group.clone(), faint)
                .left()
        }
        None => rect.right(),
    };
    // What does not fit ends with an ellipsis.
    let line = |said: &str, font: FontId, left: f32, colour| {
        let mut job = egui::text::LayoutJob::simple_singleline(said.to_owned(), font, colour);
        job.wrap = egui::text::TextWrapping::truncate_at_width(right - 12.0 - left);
        let galley = ui.fonts_mut(|fonts| fonts.layout_job(job));
        let end = left + galley.size().x;
        painter.galley(pos2(left, middle - 0.5 * galley.size().y), galley, colour);
        end
    };
    let name = FontId::proportional(normal);
    let end = line(&choice.name, name, rect.left() + 84.0, text) + 12.0;
    if right - 12.0 - end > 20.0 && !choice.detail.is_empty() {
        line(&choice.detail, group, end, faint);
    }
    response
}
