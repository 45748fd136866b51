//! The signs on the buttons of the transport bar, drawn so that they look alike in every font.

use crate::commands::{Command, keys};
use crate::theme::{Palette, colour};
use bevy_egui::egui::{self, Painter, Pos2, Rect, Sense, Shape, Ui, WidgetInfo, WidgetType, vec2};

/// A sign.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Icon {
    /// To the first moment.
    Start,
    /// One step back.
    Back,
    /// Backwards.
    Reverse,
    /// Forwards.
    Play,
    /// Stand still.
    Pause,
    /// One step on.
    On,
    /// To the last moment.
    End,
}

/// Width and height of a button, and half the height of its sign (points).
const EXTENT: (f32, f32, f32) = (26.0, 24.0, 5.5);

/// A button with a sign, which says on hover what it does and by which key.
pub fn icon_ui(
    ui: &mut Ui,
    icon: Icon,
    lit: bool,
    meaning: &str,
    action: Command,
    out: &mut Vec<Command>,
) {
    let (width, height, _) = EXTENT;
    let (rect, response) = ui.allocate_exact_size(vec2(width, height), Sense::click());
    response
        .widget_info(|| WidgetInfo::selected(WidgetType::Button, ui.is_enabled(), lit, meaning));
    let visuals = ui.style().interact_selectable(&response, lit);
    let painter = ui.painter();
    // What cannot be pressed is a sign without a button.
    if ui.is_enabled() {
        painter.rect(
            rect.expand(visuals.expansion),
            visuals.corner_radius,
            visuals.weak_bg_fill,
            visuals.bg_stroke,
            egui::StrokeKind::Inside,
        );
    }
    let palette = Palette::worn(ui);
    let shade = match (ui.is_enabled(), lit) {
        (false, _) => palette.faint().gamma_multiply(0.6),
        (true, true) => visuals.text_color(),
        (true, false) => colour(palette.text[0]),
    };
    draw(painter, rect, icon, shade);
    let hover = match keys::binding(&action).and_then(|b| b.shown(crate::ui::single_keys(ui))) {
        Some(key) => format!("{meaning}  ({key})"),
        None => meaning.to_owned(),
    };
    let response = response
        .on_hover_text(&hover)
        .on_disabled_hover_text(&hover);
    if response.clicked() {
        out.push(action);
    }
}

fn draw(painter: &Painter, rect: Rect, icon: Icon, shade: egui::Color32) {
    let (c, half) = (rect.center(), EXTENT.2);
    let bar = |x: f32, width: f32| {
        let size = vec2(width, 2.0 * half);
        painter.rect_filled(Rect::from_center_size(c + vec2(x, 0.0), size), 0.5, shade);
    };
    // A triangle whose point lies to the right or to the left.
    let triangle = |x: f32, side: f32| {
        let reach = 0.87 * half * side;
        let at = |dx: f32, dy: f32| -> Pos2 { c + vec2(x + dx, dy) };
        let corners = vec![at(-reach, -half), at(-reach, half), at(reach, 0.0)];
        painter.add(Shape::convex_polygon(corners, shade, egui::Stroke::NONE));
    };
    match icon {
        Icon::Start => {
            bar(-5.0, 2.0);
            triangle(1.5, -1.0);
        }
        Icon::End => {
            bar(5.0, 2.0);
            triangle(-1.5, 1.0);
        }
        Icon::Back => {
            triangle(-2.0, -1.0);
            bar(5.5, 2.5);
        }
        Icon::On => {
            triangle(2.0, 1.0);
            bar(-5.5, 2.5);
        }
        Icon::Reverse => triangle(0.0, -1.0),
        Icon::Play => triangle(0.0, 1.0),
        Icon::Pause => {
            bar(-3.0, 3.0);
            bar(3.0, 3.0);
        }
    }
}
