//! Goes on with a scene that was opened beside the window: what stays of the one before, and what becomes of its edits.

use crate::camera::view::View;
use crate::editing::keep::{keep_points, keep_to};
use crate::editing::{Question, drafts, generations, plots};
use crate::scenes::files;
use crate::scenes::opening::{Arrival, Intent, Opened};
use crate::session::Session;
use crate::state::draft::Draft;
use crate::state::shell::Shell;
use physics::scene::{Amendment, Edit};

/// Goes on with a scene that has arrived; a wrong one never replaces the one that runs. True if it has taken its place.
pub fn arrive(arrival: Arrival, session: &mut Session, shell: &mut Shell, view: &mut View) -> bool {
    let Arrival {
        spec,
        intent,
        opened,
    } = arrival;
    match intent {
        Intent::Again { of } => again(&spec, of, opened, session, shell, view),
        Intent::Show => replace(&spec, opened, session, shell, view),
        Intent::Rebuild | Intent::Back | Intent::Forth => {
            rebuild(&spec, &intent, opened, session, shell, view)
        }
        Intent::Restore(draft) => {
            let replaced = replace(&spec, opened, session, shell, view);
            if replaced {
                restore(draft, session, shell, view);
            } else {
                let why = shell.notices.scene.take().unwrap_or_default();
                shell.notices.scene = Some(format!(
                    "The edits of {spec} are kept in {}, but the scene cannot be opened:\n{why}",
                    draft.file.display()
                ));
            }
            replaced
        }
    }
}

/// Opens a scene in the place of another one, whose edits are kept.
fn replace(
    spec: &str,
    opened: Opened,
    session: &mut Session,
    shell: &mut Shell,
    view: &mut View,
) -> bool {
    if opened.is_ok() {
        drafts::store(session, shell);
    }
    files::adopt(spec, opened, session, shell, view)
}

/// Goes on with the same generator under other parameters: what is selected, plotted and followed stays, by name, and
/// the direction of view.
fn rebuild(
    spec: &str,
    intent: &Intent,
    opened: Opened,
    session: &mut Session,
    shell: &mut Shell,
    view: &mut View,
) -> bool {
    if opened.is_err() {
        return files::adopt(spec, opened, session, shell, view);
    }
    let before = session.simulation.shared_model().clone();
    let (selection, motion, orbit) = (shell.selection, view.motion, view.orbit);
    let (own, trails) = (shell.custom_plots.clone(), shell.layers.trails.clone());
    let adopt =
        |session: &mut Session, shell: &mut Shell| files::adopt(spec, opened, session, shell, view);
    let replaced = match intent {
        Intent::Back => generations::travel(false, session, shell, adopt),
        Intent::Forth => generations::travel(true, session, shell, adopt),
        _ => generations::leave_for(session, shell, adopt),
    };
    if !replaced {
        return false;
    }
    (view.orbit.yaw, view.orbit.pitch) = (orbit.yaw, orbit.pitch);
    (shell.selection, view.motion) = (selection, motion);
    shell.layers.trails = trails;
    if shell.custom_plots.charts.is_empty() {
        (shell.custom_plots.charts, shell.custom_plots.known) = (own.charts, own.known);
    }
    keep_to(&before, session, shell, view);
    keep_points(&before, session, shell);
    view.stand(session);
    true
}

/// Goes on with the same scene as its files are now, with camera and selection as they are.
fn again(
    spec: &str,
    of: (u64, u64),
    opened: Opened,
    session: &mut Session,
    shell: &mut Shell,
    view: &mut View,
) -> bool {
    if session.generation != of.0 {
        // What was to be read again is not open any more.
        return false;
    }
    if session.document.revision() != of.1 && session.document.is_modified() {
        // Somebody has gone on editing while it was read.
        let changed = session.scene.path.clone().map(Question::Changed);
        shell.editor.question = Some(changed.unwrap_or(Question::Reload));
        return false;
    }
    let before = session.simulation.shared_model().clone();
    let (selection, motion) = (shell.selection, view.motion);
    let draft = shell.editor.draft.clone();
    shell.editor.broken = opened.is_err();
    if !files::adopt(spec, opened, session, shell, view) {
        return false;
    }
    // Whoever reads again has given the edits up.
    if let Some(draft) = draft {
        drafts::discard(&draft);
    }
    (shell.selection, view.motion) = (selection, motion);
    keep_to(&before, session, shell, view);
    if shell.notices.hint.is_none() {
        shell
            .notices
            .hint("The file has changed and was read again.");
    }
    true
}

/// Puts the edits of a draft back into its scene, which was just opened.
fn restore(draft: Draft, session: &mut Session, shell: &mut Shell, view: &mut View) {
    // What is edited from here on goes on with the same draft.
    shell.editor.draft = Some(draft.file);
    let edit = Edit::new("restored edits", vec![Amendment::Text(draft.text)]);
    let charts = session.scene.file.charts.clone();
    match session.edit(&edit) {
        Ok(()) => {
            plots::read(&charts, session, shell);
            view.stand(session);
            shell
                .notices
                .hint(format!("The edits of {} are back.", draft.spec));
        }
        Err(errors) => shell.notices.scene = Some(errors.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::camera::motion::CameraMode;
    use crate::state::selection::Selection;
    use physics::math::Vec3;
    use physics::model::BodyId;
    use std::path::PathBuf;
    use std::time::SystemTime;

    fn session(spec: &str) -> Session {
        let scene = physics::scene::open(spec, &[]).unwrap();
        Session::new(scene).unwrap()
    }

    fn window(spec: &str) -> (Session, Shell, View) {
        let session = session(spec);
        let view = View::of(&session);
        (session, Shell::default(), view)
    }

    fn arrival(spec: &str, intent: Intent) -> Arrival {
        Arrival {
            spec: spec.into(),
            intent,
            opened: Ok(Box::new(session(spec))),
        }
    }

    fn gravity(session: &mut Session, z: f64) {
        let put = Amendment::Gravity(Vec3::new(0.0, 0.0, z));
        session.edit(&Edit::new("gravity", vec![put])).unwrap();
    }

    #[test]
    fn a_scene_read_again_is_seen_as_it_was() {
        let (mut session, mut shell, mut view) = window("double_pendulum");
        let of = (session.generation, session.document.revision());
        shell.selection = Some(Selection::Body(BodyId(1)));
        view.orbit.yaw += 0.4;
        view.motion.toggle(CameraMode::Following(BodyId(1)));
        let (orbit, motion) = (view.orbit, view.motion);
        shell.editor.broken = true;
        let again = arrival("double_pendulum", Intent::Again { of });
        assert!(arrive(again, &mut session, &mut shell, &mut view));
        assert_eq!(session.generation, of.0 + 1);
        assert_eq!((view.orbit, view.motion), (orbit, motion));
        assert_eq!(shell.selection, Some(Selection::Body(BodyId(1))));
        assert!(!shell.editor.broken);
        // What was asked for before that concerns a scene that is gone.
        let late = arrival("double_pendulum", Intent::Again { of });
        assert!(!arrive(late, &mut session, &mut shell, &mut view));
    }

    #[test]
    fn edits_made_while_a_file_is_read_again_are_asked_about() {
        let (mut session, mut shell, mut view) = window("pendulum");
        gravity(&mut session, -1.0);
        let of = (session.generation, session.document.revision());
        gravity(&mut session, -2.0);
        let again = arrival("pendulum", Intent::Again { of });
        assert!(!arrive(again, &mut session, &mut shell, &mut view));
        assert_eq!(session.simulation.model().gravity.z, -2.0);
        assert_eq!(shell.editor.question, Some(Question::Reload));
        // Without another edit they are given up, as was asked for.
        let of = (session.generation, session.document.revision());
        let again = arrival("pendulum", Intent::Again { of });
        assert!(arrive(again, &mut session, &mut shell, &mut view));
        assert!(!session.document.is_modified());
    }

    #[test]
    fn a_draft_is_put_back_or_said_where_it_is() {
        let (mut session, mut shell, mut view) = window("four_bar");
        let mut edited = self::session("pendulum");
        gravity(&mut edited, -3.0);
        let draft = Draft {
            file: PathBuf::from("drafts/pendulum.ron"),
            spec: "pendulum".into(),
            text: edited.scene.text.clone(),
            kept: SystemTime::now(),
        };
        let wrong = Arrival {
            opened: Err("no such scene".into()),
            ..arrival("pendulum", Intent::Restore(draft.clone()))
        };
        assert!(!arrive(wrong, &mut session, &mut shell, &mut view));
        let said = shell.notices.scene.clone().unwrap();
        assert!(
            said.contains("drafts") && said.contains("no such scene"),
            "{said}"
        );
        let right = arrival("pendulum", Intent::Restore(draft.clone()));
        assert!(arrive(right, &mut session, &mut shell, &mut view));
        assert_eq!(session.simulation.model().gravity.z, -3.0);
        assert_eq!(shell.editor.draft, Some(draft.file));
        assert!(session.document.is_modified());
    }

    #[test]
    fn other_parameters_are_seen_from_the_same_side() {
        let (mut session, mut shell, mut view) = window("chain:links=3");
        (view.orbit.yaw, view.orbit.pitch) = (0.3, 0.2);
        let longer = arrival("chain:links=6", Intent::Rebuild);
        assert!(arrive(longer, &mut session, &mut shell, &mut view));
        assert_eq!(session.simulation.model().bodies.len(), 6);
        assert_eq!((view.orbit.yaw, view.orbit.pitch), (0.3, 0.2));
    }
}
