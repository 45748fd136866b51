//! The sign that a recording is under way: a red frame around the view, with time and frames.

use crate::record::Recording;
use crate::session::playback::Playback;
use crate::state::look::Look;
use crate::state::recording::FilmSubject;
use crate::text::format;
use crate::theme::{Palette, colour, size};
use bevy_egui::egui::{Align2, FontId, Painter, Rect, StrokeKind, vec2};

/// Width of the frame (points).
const FRAME: f32 = 3.0;

/// Size of the figures of the countdown (points).
const COUNTDOWN: f32 = 140.0;

/// Draws the sign while something is recorded.
pub fn recording_ui(
    painter: &Painter,
    view: Rect,
    look: &Look,
    recording: &Recording,
    playback: &Playback,
) {
    let red = colour(Palette::of(look.dark).failure);
    if let Some(left) = recording.countdown {
        let number = left.ceil().max(1.0);
        let font = FontId::proportional(COUNTDOWN);
        let middle = view.center();
        painter.text(
            middle,
            Align2::CENTER_CENTER,
            format!("{number:.0}"),
            font,
            red,
        );
        return;
    }
    let Some(text) = sign(recording, playback.playing) else {
        return;
    };
    painter.rect_stroke(view, 0.0, (FRAME, red), StrokeKind::Inside);
    let font = FontId::proportional(size::TEXT.1);
    let at = view.center_top() + vec2(0.0, 12.0);
    let fill = colour(Palette::of(look.dark).panel);
    let galley = painter.layout_no_wrap(text, font, red);
    let board = Align2::CENTER_TOP
        .anchor_size(at, galley.size())
        .expand2(vec2(9.0, 4.0));
    painter.rect_filled(board, f32::from(size::CORNER), fill);
    painter.galley(board.min + vec2(9.0, 4.0), galley, red);
}

/// What it says: the length of the film so far at its own rate, its frames, drawn or not, and why it does not go on.
fn sign(recording: &Recording, playing: bool) -> Option<String> {
    // A film of the window is of the window alone: there the button in the toolbar is the sign.
    let is_seen = recording.settings.subject == FilmSubject::View || !playing;
    if !(recording.is_on && is_seen) {
        return None;
    }
    // That which is fed is the last that was begun and was not asked to end.
    let film = recording
        .films
        .iter()
        .rev()
        .find(|f| !f.stops && f.frames.is_none());
    let frames = film.and_then(|f| f.taken).unwrap_or_default();
    let length = frames as f64 / recording.settings.fps;
    let waits = if playing {
        ""
    } else {
        " · paused: nothing is recorded until time runs (Space)"
    };
    Some(format!(
        "⏺ REC {} · {frames} frames{waits}",
        format::clock(length)
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::FilmStatus;

    #[test]
    fn the_sign_tells_length_and_frames_and_that_nothing_is_recorded_while_time_stands_still() {
        let mut recording = Recording::default();
        assert_eq!(sign(&recording, true), None);
        recording.is_on = true;
        recording.films.push(FilmStatus {
            path: "film.mp4".into(),
            // Drawing lags behind.
            done: 2,
            time: 1.5,
            frames: None,
            taken: Some(90),
            stops: false,
        });
        let running = sign(&recording, true).unwrap();
        assert!(running.contains("90 frames") && !running.contains("paused"));
        // 30 frames a second.
        assert!(running.contains(&format::clock(3.0)), "{running}");
        assert!(sign(&recording, false).unwrap().contains("paused"));
        recording.settings.subject = FilmSubject::Window;
        assert_eq!(sign(&recording, true), None, "it would be in the film");
        assert!(sign(&recording, false).unwrap().contains("paused"));
    }
}
