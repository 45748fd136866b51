//! A sheet that is moved and scaled under a window: drag, wheel, double click to see all of it.

use bevy_egui::egui::{Pos2, Rect, Response, Sense, Ui, Vec2, pos2, vec2};

/// Which part of a sheet is seen.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Framing {
    /// Point of the sheet in the middle.
    pub centre: [f32; 2],
    /// Points of the interface per unit of the sheet; none to see all of it.
    pub scale: Option<f32>,
}

impl Default for Framing {
    fn default() -> Self {
        Self {
            centre: [0.0; 2],
            scale: None,
        }
    }
}

/// A sheet as it lies on the screen.
#[derive(Debug, Clone, Copy)]
pub struct PanZoom {
    /// Where it is seen.
    pub rect: Rect,
    /// Points of the interface per unit.
    pub scale: f32,
    origin: Pos2,
}

/// Largest size of a unit (points).
const LARGEST: f32 = 96.0;
/// Largest size of a unit where everything is seen (points).
const COMFORTABLE: f32 = 64.0;

impl PanZoom {
    /// Lays a sheet of a size out in a rectangle and follows the pointer.
    pub fn show(
        ui: &mut Ui,
        rect: Rect,
        size: Vec2,
        framing: &mut Framing,
        name: &str,
    ) -> (Self, Response) {
        let response = ui.interact(rect, ui.id().with(name), Sense::click_and_drag());
        response.widget_info(|| {
            bevy_egui::egui::WidgetInfo::labeled(bevy_egui::egui::WidgetType::Other, true, name)
        });
        let room = rect.size() - vec2(12.0, 12.0);
        let all = (room.x / size.x)
            .min(room.y / size.y)
            .clamp(1e-3, COMFORTABLE);
        if response.double_clicked() {
            framing.scale = None;
        }
        let mut scale = framing.scale.unwrap_or(all);
        let mut centre = match framing.scale {
            None => (0.5 * size).to_pos2(),
            Some(_) => Pos2::from(framing.centre),
        };
        let mut moved = false;
        if response.dragged() {
            centre -= response.drag_delta() / scale;
            moved = true;
        }
        if let Some(pointer) = response.hover_pos() {
            let (scroll, pinch) = ui.input(|i| (i.smooth_scroll_delta().y, i.zoom_delta()));
            let factor = (0.004 * scroll).exp() * pinch;
            if factor != 1.0 {
                // What is under the pointer stays there.
                let at = centre + (pointer - rect.center()) / scale;
                scale = (scale * factor).clamp(0.5 * all, LARGEST.max(all));
                centre = at - (pointer - rect.center()) / scale;
                moved = true;
            }
        }
        if moved {
            *framing = Framing {
                centre: centre.into(),
                scale: Some(scale),
            };
        }
        let origin = rect.center() - centre.to_vec2() * scale;
        let sheet = Self {
            rect,
            scale,
            origin,
        };
        (sheet, response)
    }

    /// Where a point of the sheet is on the screen.
    pub fn on_screen(&self, x: f32, y: f32) -> Pos2 {
        self.origin + vec2(x, y) * self.scale
    }

    /// The point of the sheet under a point of the screen.
    pub fn under(&self, at: Pos2) -> Pos2 {
        ((at - self.origin) / self.scale).to_pos2()
    }

    /// The part of the sheet that is seen: least and greatest.
    pub fn seen(&self) -> [Pos2; 2] {
        [self.under(self.rect.min), self.under(self.rect.max)]
    }

    /// A square cell of the sheet, at least one pixel large.
    pub fn cell(&self, column: f32, row: f32, gap: f32) -> Rect {
        let from = self.on_screen(column, row);
        let size = (self.scale - gap).max(1.0);
        Rect::from_min_size(pos2(from.x, from.y), vec2(size, size))
    }
}
