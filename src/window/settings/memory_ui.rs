//! How much memory the past may take, and how far back that reaches.

use crate::commands::Command;
use crate::commands::playback::PlaybackCommand;
use crate::session::Session;
use crate::text::format;
use crate::theme::Palette;
use crate::ui::{Spoken, heading};
use bevy_egui::egui::{DragValue, RichText, Ui};

/// Bytes of a mebibyte.
const MIB: f64 = (1u64 << 20) as f64;
/// Least and greatest memory that can be chosen [MiB].
const RANGE: (f64, f64) = (1.0, 65_536.0);

/// Draws the choice and what it gives.
pub fn memory_ui(ui: &mut Ui, session: &Session, out: &mut Vec<Command>) {
    let Some((memory, timeline)) = session.memory().zip(session.timeline()) else {
        return;
    };
    heading(ui, "Past");
    ui.horizontal(|ui| {
        ui.label("Memory");
        let mut budget = memory.budget as f64 / MIB;
        let field = DragValue::new(&mut budget)
            .range(RANGE.0..=RANGE.1)
            .speed(1.0)
            .max_decimals(0)
            .suffix(" MiB");
        let meaning = "For past states; what is not kept is computed again when it is visited";
        let field = ui.add(field).spoken("Memory for the past");
        if field.on_hover_text(meaning).changed() {
            let bytes = (budget * MIB).round() as usize;
            out.push(Command::Time(PlaybackCommand::Memory(bytes)));
        }
    });
    let faint = Palette::worn(ui).faint();
    let say = |ui: &mut Ui, text: String| ui.label(RichText::new(text).small().color(faint));
    let mib = |bytes: usize| format!("{:.1} MiB", bytes as f64 / MIB);
    let used = mib(memory.state_bytes);
    let beside = mib(memory.log_bytes);
    say(
        ui,
        format!(
            "{used} used by {} states, {beside} by inputs and plots",
            memory.states
        ),
    );
    let [first, end] = timeline.span();
    let recent = memory.recent as u64;
    let whole = timeline.time(end) - timeline.time(end.saturating_sub(recent).max(first));
    let older = match memory.stride {
        1 => String::new(),
        stride => format!("; before that, every {stride}th"),
    };
    let whole = format::quantity(whole, "s");
    say(
        ui,
        format!("Every step of the last {whole} is kept{older}."),
    );
}
