//! The menus of the transport bar: bookmarks, the other ways that time went, takes.

use crate::commands::playback::PlaybackCommand;
use crate::commands::record::RecordCommand;
use crate::commands::{Command, keys};
use crate::session::Session;
use crate::text::format;
use crate::theme::Palette;
use crate::ui::Spoken;
use bevy_egui::egui::containers::menu::{MenuButton, MenuConfig};
use bevy_egui::egui::{
    Align, Button, Layout, Popup, PopupCloseBehavior, RichText, ScrollArea, TextEdit, Ui, vec2,
};
use physics::sim::Timeline;
use physics::sim::timeline::BranchId;

/// Greatest height of a list, and its width (points).
const HEIGHT: f32 = 260.0;
const LIST: f32 = 310.0;
/// Least width of a button with a count, so that the bar keeps its length when there is one more (points).
const WIDTH: f32 = 120.0;

/// The list of bookmarks.
pub fn bookmarks_ui(ui: &mut Ui, session: &Session, out: &mut Vec<Command>) {
    let Some(timeline) = session.timeline() else {
        return;
    };
    let count = timeline.bookmarks().len();
    let label = counted("Bookmarks", count);
    let open = ui
        .add(Button::new(label).min_size(vec2(WIDTH, 0.0)))
        .on_hover_text("Moments with a name: add one, go to one");
    menu(&open, |ui| bookmark_list_ui(ui, session, out));
}

/// The bookmarks themselves, and what adds one.
fn bookmark_list_ui(ui: &mut Ui, session: &Session, out: &mut Vec<Command>) {
    let Some(timeline) = session.timeline() else {
        return;
    };
    let count = timeline.bookmarks().len();
    let add = asked(PlaybackCommand::Bookmark);
    crate::ui::button(ui, "Add here", "Names the moment shown", add, out);
    if count == 0 {
        ui.separator();
        let binding = keys::binding(&asked(PlaybackCommand::Bookmark));
        let key = binding.and_then(|b| b.shown(crate::ui::single_keys(ui)));
        let key = key.unwrap_or("*Add here*");
        faint(
            ui,
            format!("No bookmarks yet. {key} names the moment shown."),
        );
        return;
    }
    ui.separator();
    ScrollArea::vertical().max_height(HEIGHT).show(ui, |ui| {
        // In the order of their times, not of their making.
        let mut listed: Vec<_> = timeline.bookmarks().iter().enumerate().collect();
        listed.sort_by(|a, b| a.1.time.total_cmp(&b.1.time));
        for (place, bookmark) in listed {
            ui.horizontal(|ui| {
                let time = format::clock(bookmark.time);
                let go = format!("Go to {}", bookmark.name);
                if ui
                    .button(RichText::new(time).monospace())
                    .on_hover_text(go)
                    .clicked()
                {
                    out.push(asked(PlaybackCommand::Visit(
                        bookmark.branch,
                        bookmark.step,
                    )));
                }
                let mut name = bookmark.name.clone();
                let field = TextEdit::singleline(&mut name)
                    .desired_width(150.0)
                    .hint_text("name");
                let spoken = format!("Name of {}", bookmark.name);
                let field = ui.add(field).spoken(&spoken).on_hover_text("Its name");
                if field.changed() {
                    out.push(asked(PlaybackCommand::Rename(place, name)));
                }
                let forget = format!("Remove {}", bookmark.name);
                let button = ui.button("✖").spoken(&forget);
                if button.on_hover_text(forget).clicked() {
                    out.push(asked(PlaybackCommand::Unname(place)));
                }
            });
        }
    });
}

/// All menus in one, where the bar has no room for each.
pub fn menus_ui(ui: &mut Ui, session: &Session, out: &mut Vec<Command>) {
    let config = MenuConfig::new().close_behavior(PopupCloseBehavior::CloseOnClickOutside);
    let (open, _) = MenuButton::new("⋯").config(config).ui(ui, |ui| {
        ui.menu_button("Bookmarks", |ui| bookmark_list_ui(ui, session, out));
        ui.menu_button("Branches", |ui| branch_list_ui(ui, session, out));
        ui.menu_button("Take", |ui| take_list_ui(ui, session, out));
    });
    let meaning = "Bookmarks, branches, takes";
    open.spoken(meaning).on_hover_text(meaning);
}

/// What can be done with the run as a whole.
pub fn take_ui(ui: &mut Ui, session: &Session, out: &mut Vec<Command>) {
    let open = ui
        .button("Take ⏷")
        .on_hover_text("The run as a file that can be run again, to the same bits");
    menu(&open, |ui| take_list_ui(ui, session, out));
}

/// What a run can be saved as, checked by and drawn.
fn take_list_ui(ui: &mut Ui, session: &Session, out: &mut Vec<Command>) {
    ui.with_layout(Layout::top_down_justified(Align::Min), |ui| {
        let [from, to] = session.span().map(format::clock);
        let save = format!("Saves the run from {from} to {to} with all its inputs");
        crate::ui::button(
            ui,
            "Save take",
            &save,
            asked(PlaybackCommand::SaveTake(None)),
            out,
        );
        let check = "Runs all of it again in the background and compares every bit";
        let wanted = asked(PlaybackCommand::CheckReplay);
        crate::ui::button(ui, "Check replay", check, wanted, out);
        let open = "Opens a take (or a scene): a file that Save take wrote";
        crate::ui::button(ui, "Open take…", open, Command::OpenDialog, out);
        let film = "Makes a film of the run, drags included, in the background";
        let wanted = Command::Film(RecordCommand::Past);
        crate::ui::button(ui, "Film of the run", film, wanted, out);
    });
}

/// The list of branches.
pub fn branches_ui(ui: &mut Ui, session: &Session, out: &mut Vec<Command>) {
    let Some(timeline) = session.timeline() else {
        return;
    };
    let count = timeline.branches().len();
    // One branch is no choice.
    let label = counted("Branches", if count > 1 { count } else { 0 });
    let open = ui
        .add(Button::new(label).min_size(vec2(WIDTH, 0.0)))
        .on_hover_text("Ways that time went: a drag or a changed setting in the past begins one");
    menu(&open, |ui| branch_list_ui(ui, session, out));
}

/// The branches themselves.
fn branch_list_ui(ui: &mut Ui, session: &Session, out: &mut Vec<Command>) {
    let Some(timeline) = session.timeline() else {
        return;
    };
    let count = timeline.branches().len();
    if count == 1 {
        faint(
            ui,
            "Time went one way so far. Go back and do something else.".into(),
        );
        return;
    }
    ScrollArea::vertical().max_height(HEIGHT).show(ui, |ui| {
        for id in timeline.branches().keys() {
            ui.horizontal(|ui| branch_ui(ui, timeline, *id, out));
        }
    });
}

/// One branch: from when to when, to be visited or forgotten.
fn branch_ui(ui: &mut Ui, timeline: &Timeline, id: BranchId, out: &mut Vec<Command>) {
    let Some(branch) = timeline.branches().get(&id) else {
        return;
    };
    let [first, last] = [branch.log.first(), branch.log.last()];
    let [from, to] = [first, last].map(|step| branch.time(step));
    let shown = id == timeline.current();
    let name = format!("branch {}", id.0 + 1);
    let text = format!("{name}   {} to {}", format::clock(from), format::clock(to));
    let meaning = if shown {
        "Time goes this way".to_owned()
    } else {
        format!("Go to the end of {name}")
    };
    let visit = ui.add(Button::selectable(shown, RichText::new(text).monospace()));
    if visit.on_hover_text(meaning).clicked() {
        out.push(asked(PlaybackCommand::Visit(id, last)));
    }
    ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
        let needed = needed(timeline, id);
        let forget = ui
            .add_enabled(needed.is_none(), Button::new("✖"))
            .spoken(&format!("Forget {name}"))
            .on_hover_text(format!("Forget {name}"))
            .on_disabled_hover_text(needed.unwrap_or_default());
        if forget.clicked() {
            out.push(asked(PlaybackCommand::Remove(id)));
        }
    });
}

/// Why a branch cannot be forgotten, if it cannot.
fn needed(timeline: &Timeline, id: BranchId) -> Option<&'static str> {
    if id == timeline.current() {
        return Some("Time goes this way.");
    }
    let begins = timeline.branches().values().any(|b| b.parent == Some(id));
    begins.then_some("Another branch begins on it.")
}

fn asked(asked: PlaybackCommand) -> Command {
    Command::Time(asked)
}

/// A menu that stays open while something in it is clicked.
fn menu(response: &bevy_egui::egui::Response, content: impl FnOnce(&mut Ui)) {
    Popup::menu(response)
        .close_behavior(PopupCloseBehavior::CloseOnClickOutside)
        .show(|ui| {
            ui.set_width(LIST);
            content(ui);
        });
}

fn counted(name: &str, count: usize) -> String {
    match count {
        0 => format!("{name} ⏷"),
        count => format!("{name} {count} ⏷"),
    }
}

fn faint(ui: &mut Ui, text: String) {
    let shade = Palette::worn(ui).faint();
    ui.label(RichText::new(text).small().color(shade));
}
