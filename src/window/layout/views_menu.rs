//! The menu of views in the corner of the view: along axes, kept ones, cameras that move by themselves.

use crate::camera::motion::{CameraMode, NamedView};
use crate::camera::view::{Axis, View};
use crate::commands::Command;
use crate::session::Session;
use crate::state::preferences::Preferences;
use crate::ui::{Spoken, command, toggle};
use bevy_egui::egui::containers::menu::{MenuButton, MenuConfig};
use bevy_egui::egui::{self, Align2, Button, PopupCloseBehavior, Rect, TextWrapMode, Ui, vec2};

/// Draws the menu into the lower right corner of the view.
pub fn views_ui(
    ctx: &egui::Context,
    session: &Session,
    preferences: &Preferences,
    seen: &View,
    view: Rect,
) -> Vec<Command> {
    let mut out = Vec::new();
    let views = preferences.views(&session.scene().name);
    let (mode, below) = (seen.motion.mode, seen.floor.is_none());
    egui::Area::new("views".into())
        .order(egui::Order::Middle)
        .fixed_pos(view.right_bottom() - vec2(10.0, 10.0))
        .pivot(Align2::RIGHT_BOTTOM)
        .show(ctx, |ui| {
            let label = match mode {
                CameraMode::Still => "View",
                CameraMode::Turning => "View: circling",
                CameraMode::Following(_) => "View: following",
            };
            let stays = PopupCloseBehavior::CloseOnClickOutside;
            // The room at the right of the corner says nothing about that of the button.
            let button = Button::new(label).wrap_mode(TextWrapMode::Extend);
            let (button, _) = MenuButton::from_button(button.frame_when_inactive(true))
                .config(MenuConfig::new().close_behavior(stays))
                .ui(ui, |ui| menu_ui(ui, views, mode, below, &mut out));
            button.on_hover_text("Directions, kept views, cameras that move by themselves");
        });
    out
}

fn menu_ui(
    ui: &mut Ui,
    views: &[NamedView],
    mode: CameraMode,
    below: bool,
    out: &mut Vec<Command>,
) {
    ui.set_min_width(230.0);
    ui.horizontal(|ui| {
        for (label, axis) in [
            ("Front", Axis::Front),
            ("Side", Axis::Side),
            ("Top", Axis::Top),
        ] {
            command(ui, false, label, &Command::Look(axis), out);
        }
    });
    ui.horizontal(|ui| {
        command(ui, false, "Scene's view", &Command::SceneView, out);
        command(ui, false, "Frame all", &Command::FrameAll, out);
        command(ui, below, "Below floor", &Command::ToggleBelow, out);
    });
    ui.horizontal(|ui| {
        let turning = mode == CameraMode::Turning;
        command(ui, turning, "Circle", &Command::ToggleTurning, out);
        let following = matches!(mode, CameraMode::Following(_));
        command(
            ui,
            following,
            "Follow selected",
            &Command::ToggleFollowing,
            out,
        );
    });
    ui.separator();
    for (k, view) in views.iter().enumerate() {
        ui.horizontal(|ui| {
            let meaning = format!("Go to {}", view.name);
            toggle(ui, false, "▶", &meaning, Command::GoToView(k), out);
            let mut text = view.name.clone();
            let field = ui
                .add(egui::TextEdit::singleline(&mut text).desired_width(130.0))
                .on_hover_text("Name of this view");
            let field = field.spoken(&format!("Name of {}", view.name));
            if field.changed() {
                out.push(Command::RenameView(k, text));
            }
            let meaning = format!("Forget {}", view.name);
            toggle(ui, false, "✖", &meaning, Command::ForgetView(k), out);
        });
    }
    if views.is_empty() {
        ui.label("No view of this scene is kept yet.");
    }
    command(ui, false, "Keep this view", &Command::KeepView, out);
    ui.separator();
    command(ui, false, "Reset layout", &Command::ResetLayout, out);
}
