//! What is said to the person at the window.

use crate::session::Session;
use crate::session::events::SceneOpened;
use crate::text::format;
use bevy::prelude::*;

/// How much a message matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Level {
    /// Something failed and is not mended.
    Failure,
    /// Something went on, but not as it should.
    Warning,
    /// Something to know.
    Hint,
}

/// Messages by where they come from: each stays until its cause is mended.
#[derive(Resource, Debug, Clone, PartialEq, Default)]
pub struct Notices {
    /// Why a scene was not opened.
    pub scene: Option<String>,
    /// Why a setting was not taken.
    pub setting: Option<String>,
    /// Why a file was not written.
    pub file: Option<String>,
    /// What of the settings could not be read or written.
    pub memory: Option<String>,
    /// What failed in the background in a way that is not foreseen.
    pub job: Option<String>,
    /// What a step had to give up, and how long ago it was said (s).
    pub warning: Option<(String, f32)>,
    /// Something worth knowing, and how long it has been shown (s).
    pub hint: Option<(String, f32)>,
}

/// How long a hint stays (s).
const HINT: f32 = 9.0;

impl Notices {
    /// Says something worth knowing for a while.
    pub fn hint(&mut self, text: impl Into<String>) {
        self.hint = Some((text.into(), 0.0));
    }

    /// Says what a step had to give up.
    pub fn warn(&mut self, text: impl Into<String>) {
        self.warning = Some((text.into(), 0.0));
    }

    /// Lets hints and warnings fade.
    pub fn age(&mut self, seconds: f32) {
        for said in [&mut self.hint, &mut self.warning] {
            if let Some((_, age)) = said {
                *age += seconds;
                if *age > HINT {
                    *said = None;
                }
            }
        }
    }

    /// The message that the status line shows.
    pub fn status(&self, failure: Option<&str>) -> Option<(Level, String)> {
        let Notices {
            scene,
            setting,
            file,
            memory,
            job,
            warning,
            hint,
        } = self;
        let failed = failure
            .or(scene.as_deref())
            .or(setting.as_deref())
            .or(file.as_deref())
            .or(memory.as_deref())
            .or(job.as_deref());
        let said = |level: Level, said: &Option<(String, f32)>| {
            said.as_ref().map(|(text, _)| (level, text.clone()))
        };
        failed
            .map(|text| (Level::Failure, text.to_owned()))
            .or_else(|| said(Level::Warning, warning))
            .or_else(|| said(Level::Hint, hint))
    }
}

/// How far a joint may have been closed before it is worth saying (m, rad).
const CLOSED: f64 = 1e-6;

/// What was said of the scene before is over; what has happened to this one on its way is said.
pub(super) fn on_scene_opened(
    _: On<SceneOpened>,
    session: Res<Session>,
    mut notices: ResMut<Notices>,
) {
    notices.scene = None;
    notices.setting = None;
    if let Some(replaced) = session.replaced() {
        notices.hint(replaced);
        return;
    }
    let moved = &session.scene().assembly;
    if moved.moved_position > CLOSED || moved.moved_angle > CLOSED {
        notices.hint(format!(
            "The first pose was moved by {} and {} to close the joints.",
            format::quantity(moved.moved_position, "m"),
            format::quantity(moved.moved_angle, "rad"),
        ));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hint_fades_and_an_error_stays_until_it_is_mended() {
        let mut notices = Notices::default();
        notices.hint("Ctrl + drag to pull");
        notices.scene = Some("no such scene".into());
        notices.age(100.0);
        assert_eq!(
            notices.status(None),
            Some((Level::Failure, "no such scene".into()))
        );
        assert_eq!(
            notices.status(Some("too fast")),
            Some((Level::Failure, "too fast".into()))
        );
        notices.scene = None;
        assert_eq!(notices.status(None), None);
    }
}
