//! The tab of a panel, and the cross that closes it.

use crate::theme::{Palette, colour, tabs};
use crate::ui::Spoken;
use bevy_egui::egui::{self, CursorIcon, Id, Rect, Response, RichText, Sense, Stroke, TextStyle};
use bevy_egui::egui::{TextWrapMode, Ui, WidgetInfo, WidgetText, WidgetType, vec2};
use egui_tiles::TabState;

/// Draws a tab; its room for the cross is there also while the cross is not seen, so that nothing moves.
pub fn tab_ui(
    ui: &mut Ui,
    palette: &Palette,
    id: Id,
    title: &str,
    meaning: &str,
    state: &TabState,
) -> Response {
    let text = WidgetText::from(RichText::new(title).small());
    let galley = text.into_galley(
        ui,
        Some(TextWrapMode::Extend),
        f32::INFINITY,
        TextStyle::Small,
    );
    let cross = if state.closable { tabs::CROSS } else { 0.0 };
    let width = galley.size().x + 2.0 * tabs::MARGIN + cross;
    let (_, rect) = ui.allocate_space(vec2(width, ui.available_height()));
    let response = ui
        .interact(rect, id, Sense::click_and_drag())
        .on_hover_cursor(CursorIcon::Grab)
        .on_hover_text(meaning);
    response.widget_info(|| {
        WidgetInfo::selected(WidgetType::Button, ui.is_enabled(), state.active, title)
    });
    if !ui.is_rect_visible(rect) || state.is_being_dragged {
        return response;
    }
    if state.active {
        ui.painter().rect_filled(rect, 0.0, colour(palette.panel));
    }
    let lit = state.active || response.hovered();
    let text = if lit {
        colour(palette.text[0])
    } else {
        palette.faint()
    };
    let at = rect.left_center() + vec2(tabs::MARGIN, -0.5 * galley.size().y);
    ui.painter()
        .galley_with_override_text_color(at, galley, text);
    response
}

/// Draws the cross of a tab that is in front or under the pointer; whether it was clicked.
pub fn cross_ui(
    ui: &mut Ui,
    palette: &Palette,
    tab: &Response,
    title: &str,
    state: &TabState,
) -> bool {
    let centre = tab.rect.right_center() - vec2(0.5 * tabs::CROSS + 0.5 * tabs::MARGIN, 0.0);
    let rect = Rect::from_center_size(centre, egui::Vec2::splat(tabs::CROSS));
    let name = format!("Close {title}");
    let response = ui
        .interact(rect, tab.id.with("close"), Sense::click())
        .on_hover_text("Close; its place is kept")
        .spoken(&name);
    response.widget_info(|| WidgetInfo::labeled(WidgetType::Button, ui.is_enabled(), &name));
    let seen = state.active || tab.contains_pointer() || response.hovered();
    if seen && !state.is_being_dragged && ui.is_rect_visible(rect) {
        let text = match response.hovered() {
            true => colour(palette.text[0]),
            false => palette.faint(),
        };
        let stroke = Stroke::new(1.2, text);
        let arms = Rect::from_center_size(centre, egui::Vec2::splat(0.5 * tabs::CROSS));
        ui.painter()
            .line_segment([arms.left_top(), arms.right_bottom()], stroke);
        ui.painter()
            .line_segment([arms.right_top(), arms.left_bottom()], stroke);
    }
    response.clicked()
}
