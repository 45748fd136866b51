//! What is written on a film: the strip of plots beside the view, and the names of lanes.

use crate::camera::orbit::Viewport;
use crate::camera::view::View;
use crate::compare::Comparing;
use crate::session::Session;
use crate::state::highlight::Highlight;
use crate::state::look::Look;
use crate::state::recording::Lettering;
use crate::text::format;
use crate::theme;
use crate::theme::{Palette, colour, size};
use crate::ui::plugin::InterfacePlugin;
use bevy::prelude::*;
use bevy_egui::egui::{self, Frame, Margin, Panel, RichText, UiBuilder};
use bevy_egui::{EguiContexts, EguiPrimaryContextPass};
use std::sync::Arc;

/// Draws it.
pub struct StripPlugin {
    /// What is written.
    pub lettering: Lettering,
}

/// What is written.
#[derive(Resource, Debug, Clone)]
struct Written(Lettering);

/// Height of a picture in which text has the size that it has in the window [pixels].
const HEIGHT: f32 = 720.0;
/// Part of the width that the strip takes, and in large type.
const SHARE: (f32, f32) = (0.3, 0.4);
/// How much larger large type is.
const LARGE: f32 = 1.5;
/// Sizes of title and caption (points).
const LINES: (f32, f32) = (28.0, 20.0);
/// Their distance from the edge of the view (points).
const EDGE: f32 = 16.0;
/// Margin of the board that they are on (points).
const BOARD: egui::Vec2 = egui::vec2(12.0, 6.0);

/// The time that is shown (s).
#[derive(Resource, Debug, Clone, Copy, Default)]
pub struct ShownTime(pub f64);

impl Plugin for StripPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<ShownTime>()
            .insert_resource(Written(self.lettering.clone()))
            .add_plugins(InterfacePlugin)
            .add_systems(EguiPrimaryContextPass, draw);
    }
}

fn draw(
    mut contexts: EguiContexts,
    session: Res<Session>,
    shown: Res<ShownTime>,
    canvas: Res<crate::scene3d::lighting::Canvas>,
    written: Res<Written>,
    mut comparing: ResMut<Comparing>,
    mut look: ResMut<Look>,
    highlight: Res<Highlight>,
    mut view: ResMut<View>,
    mut dressed: Local<bool>,
) -> Result {
    let ctx = contexts.ctx_mut()?.clone();
    let Written(lettering) = &*written;
    let large = if lettering.large { LARGE } else { 1.0 };
    let zoom = large * canvas.size.min_element() as f32 / HEIGHT;
    if !*dressed {
        ctx.set_fonts(theme::fonts::fonts());
        theme::apply(&ctx, look.dark);
        ctx.set_zoom_factor(zoom);
        *dressed = true;
    }
    let all = ctx.viewport_rect();
    let mut ui = egui::Ui::new(
        ctx.clone(),
        "film".into(),
        UiBuilder::new()
            .layer_id(egui::LayerId::background())
            .max_rect(all),
    );
    if lettering.plots {
        let share = if lettering.large { SHARE.1 } else { SHARE.0 };
        strip_ui(
            &mut ui, share, &session, &comparing, &mut look, &highlight, shown.0,
        );
    }
    let whole = ui.available_rect_before_wrap();
    let [free, under, beside] = crate::compare::panel::legend::lanes_ui(&ui, whole, &mut comparing);
    view.viewport = Viewport {
        corner: [free.left(), free.top()].map(f64::from),
        size: [free.width(), free.height()].map(|x| f64::from(x.max(1.0))),
    };
    view.points = ctx.pixels_per_point();
    let title = Inscription::new(&ctx, free, &lettering.title, LINES.0, look.dark);
    let room = title.above(free, under, beside);
    title.draw(&ctx, room, look.dark);
    let caption = Inscription::new(&ctx, free, &lettering.caption, LINES.1, look.dark);
    let room = caption.below(free);
    caption.draw(&ctx, room, look.dark);
    Ok(())
}

/// Words over what is seen, centred at its upper or lower edge, on a board of its own so that it can be read on anything.
struct Inscription(Arc<egui::Galley>);

impl Inscription {
    fn new(ctx: &egui::Context, free: egui::Rect, words: &str, height: f32, dark: bool) -> Self {
        let painter = ctx.layer_painter(egui::LayerId::background());
        let font = egui::FontId::proportional(height);
        let text = colour(Palette::of(dark).text[0]);
        Self(painter.layout(words.into(), font, text, 0.9 * free.width()))
    }

    /// Its place at the upper edge, and `under` the names of lanes where it reaches what is `beside` them no more.
    fn above(&self, free: egui::Rect, under: egui::Rect, beside: egui::Rect) -> egui::Rect {
        let at = |top: f32| {
            let middle = egui::pos2(free.center().x, top + EDGE);
            egui::Align2::CENTER_TOP.anchor_size(middle, self.0.size())
        };
        let room = at(free.top());
        match room.right() + BOARD.x > beside.right() {
            true => at(under.top()),
            false => room,
        }
    }

    fn below(&self, free: egui::Rect) -> egui::Rect {
        let at = free.center_bottom() - egui::vec2(0.0, EDGE);
        egui::Align2::CENTER_BOTTOM.anchor_size(at, self.0.size())
    }

    fn draw(self, ctx: &egui::Context, room: egui::Rect, dark: bool) {
        if self.0.is_empty() {
            return;
        }
        let palette = Palette::of(dark);
        let painter = ctx.layer_painter(egui::LayerId::background());
        let corner = f32::from(size::CORNER);
        let board = colour(palette.panel).gamma_multiply(0.85);
        painter.rect_filled(room.expand2(BOARD), corner, board);
        painter.galley(room.min, self.0, colour(palette.text[0]));
    }
}

/// The strip: title, time, and plots.
fn strip_ui(
    ui: &mut egui::Ui,
    share: f32,
    session: &Session,
    comparing: &Comparing,
    look: &mut Look,
    highlight: &Highlight,
    shown: f64,
) {
    let all = ui.max_rect();
    let palette = Palette::of(look.dark);
    let frame = Frame::new()
        .fill(colour(palette.panel))
        .inner_margin(Margin::symmetric(10, 8));
    // Beside a wide picture, below a high one.
    let panel = if all.width() >= all.height() {
        Panel::right("strip").exact_size((share * all.width()).round())
    } else {
        Panel::bottom("strip").exact_size((share * all.height()).round())
    };
    panel.resizable(false).frame(frame).show(ui, |ui| {
        let shown_by = &session.scene().view;
        ui.horizontal(|ui| {
            let title = if shown_by.title.is_empty() {
                &session.scene().name
            } else {
                &shown_by.title
            };
            ui.add(egui::Label::new(RichText::new(title).size(size::TEXT.1).strong()).truncate());
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                ui.label(
                    RichText::new(format::clock(shown))
                        .monospace()
                        .size(size::TEXT.1),
                );
            });
        });
        if comparing.is_on() {
            ui.add_space(4.0);
            crate::compare::panel::overlay::lane_charts_ui(ui, session, look, comparing);
            return;
        }
        let method = format!(
            "{}, steps of {}",
            session.integrator().name,
            format::duration(session.settings().dt)
        );
        let shade = palette.method(session.integrator().name, 0);
        ui.label(RichText::new(method).small().color(colour(shade.colour)));
        ui.add_space(4.0);
        // Nobody has a hand on a film.
        let _ = crate::plots::live_ui::charts_ui(ui, session, look, highlight);
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is at hand of a film of two lanes: the view, what their names leave below them and at their left.
    fn rooms(width: f32) -> [egui::Rect; 3] {
        let free = egui::Rect::from_min_size(egui::Pos2::ZERO, egui::vec2(width, 240.0));
        let mut under = free;
        *under.top_mut() += 42.0;
        let mut beside = free;
        *beside.right_mut() -= 220.0;
        [free, under, beside]
    }

    /// Upper edge of a title in a view of this width, which does not lie on the names.
    fn place(ctx: &egui::Context, width: f32) -> f32 {
        let [free, under, beside] = rooms(width);
        let line = Inscription::new(ctx, free, "Joints that do not drift", LINES.0, true);
        let room = line.above(free, under, beside).expand2(BOARD);
        let corner = egui::pos2(beside.right(), 0.0);
        let names = egui::Rect::from_min_max(corner, egui::pos2(free.right(), under.top()));
        assert!(room.width() > 100.0, "letters have a width: {room}");
        assert!(!room.intersects(names), "{room} on {names} in {free}");
        room.top()
    }

    #[test]
    fn a_title_does_not_lie_on_the_names_of_lanes() {
        let ctx = egui::Context::default();
        ctx.set_fonts(theme::fonts::fonts());
        let mut places = Vec::new();
        let mut output = ctx.run_ui(egui::RawInput::default(), |ui| {
            places = [300.0, 512.0, 1600.0].map(|w| place(ui.ctx(), w)).to_vec();
        });
        // Nothing is drawn.
        output.textures_delta.clear();
        // Where there is room beside them it stays at the edge.
        assert!(places[0] > places[2] && places[1] > places[2], "{places:?}");
    }
}
