//! Goes on with a scene that was opened in the background: what stays of the one before, and what becomes of its edits.

use crate::camera::view::View;
use crate::editing::{EditorState, Question, drafts, generations, plots};
use crate::plots::custom::CustomPlots;
use crate::scenes::files;
use crate::scenes::opening::{Arrival, Intent, Opened};
use crate::session::Session;
use crate::session::events::ModelEdited;
use crate::state::draft::Draft;
use crate::state::highlight::Highlight;
use crate::state::look::Look;
use crate::state::notices::Notices;
use bevy::prelude::*;
use physics::model::Model;
use physics::scene::{Amendment, Edit};
use std::sync::Arc;

/// Goes on with a scene that has arrived; a wrong one never replaces the one that runs. True if it has taken its place.
pub fn arrive(world: &mut World, arrival: Arrival) -> bool {
    let Arrival {
        spec,
        intent,
        opened,
    } = arrival;
    match intent {
        Intent::Again { of } => again(world, &spec, of, opened),
        Intent::Show => replace(world, &spec, opened),
        Intent::Rebuild | Intent::Back | Intent::Forth => rebuild(world, &spec, &intent, opened),
        Intent::Restore(draft) => {
            let replaced = replace(world, &spec, opened);
            if replaced {
                restore(world, draft);
            } else {
                let mut notices = world.resource_mut::<Notices>();
                let why = notices.scene.take().unwrap_or_default();
                notices.scene = Some(format!(
                    "The edits of {spec} are kept in {}, but the scene cannot be opened:\n{why}",
                    draft.file.display()
                ));
            }
            replaced
        }
    }
}

/// Opens a scene in the place of another one, whose edits are kept.
fn replace(world: &mut World, spec: &str, opened: Opened) -> bool {
    if opened.is_ok() {
        drafts::store(world);
    }
    files::adopt(world, spec, opened)
}

/// Tells everybody that the scene has the model of another one now, whose items it has by name.
fn tell_edited(world: &mut World, before: &Arc<Model>) {
    let after = world.resource::<Session>().shared_model();
    let edited = ModelEdited::new(before, after);
    world.trigger(edited);
}

/// Goes on with the same generator under other parameters: what is selected, plotted and followed stays, by name, and
/// the direction of view.
fn rebuild(world: &mut World, spec: &str, intent: &Intent, opened: Opened) -> bool {
    if opened.is_err() {
        return files::adopt(world, spec, opened);
    }
    let before = world.resource::<Session>().shared_model().clone();
    let selection = world.resource::<Highlight>().selection;
    let view = world.resource::<View>();
    let (motion, orbit) = (view.motion, view.orbit);
    let plots = world.resource::<CustomPlots>().clone();
    let trails = world.resource::<Look>().layers.trails.clone();
    let adopt = |world: &mut World| files::adopt(world, spec, opened);
    let replaced = match intent {
        Intent::Back => generations::travel(false, world, adopt),
        Intent::Forth => generations::travel(true, world, adopt),
        _ => generations::leave_for(world, adopt),
    };
    if !replaced {
        return false;
    }
    let mut view = world.resource_mut::<View>();
    (view.orbit.yaw, view.orbit.pitch) = (orbit.yaw, orbit.pitch);
    view.motion = motion;
    world.resource_mut::<Highlight>().selection = selection;
    world.resource_mut::<Look>().layers.trails = trails;
    let mut now = world.resource_mut::<CustomPlots>();
    if now.charts.is_empty() {
        (now.charts, now.known) = (plots.charts, plots.known);
    }
    tell_edited(world, &before);
    View::stand_in(world);
    true
}

/// Goes on with the same scene as its files are now, with camera and selection as they are.
fn again(world: &mut World, spec: &str, of: (u64, u64), opened: Opened) -> bool {
    let session = world.resource::<Session>();
    if session.generation() != of.0 {
        // What was to be read again is not open any more.
        return false;
    }
    if session.document().revision() != of.1 && session.document().is_modified() {
        // Somebody has gone on editing while it was read.
        let changed = session.scene().path.clone().map(Question::Changed);
        world.resource_mut::<EditorState>().question = Some(changed.unwrap_or(Question::Reload));
        return false;
    }
    let before = session.shared_model().clone();
    let selection = world.resource::<Highlight>().selection;
    let motion = world.resource::<View>().motion;
    let mut editor = world.resource_mut::<EditorState>();
    let draft = editor.draft.clone();
    editor.broken = opened.is_err();
    if !files::adopt(world, spec, opened) {
        return false;
    }
    // Whoever reads again has given the edits up.
    if let Some(draft) = draft {
        drafts::discard(&draft);
    }
    world.resource_mut::<Highlight>().selection = selection;
    world.resource_mut::<View>().motion = motion;
    tell_edited(world, &before);
    let mut notices = world.resource_mut::<Notices>();
    if notices.hint.is_none() {
        notices.hint("The file has changed and was read again.");
    }
    true
}

/// Puts the edits of a draft back into its scene, which was just opened.
fn restore(world: &mut World, draft: Draft) {
    // What is edited from here on goes on with the same draft.
    world.resource_mut::<EditorState>().draft = Some(draft.file);
    let edit = Edit::new("restored edits", vec![Amendment::Text(draft.text)]);
    let mut session = world.resource_mut::<Session>();
    let charts = session.scene().file.charts.clone();
    match session.edit(&edit) {
        Ok(()) => {
            plots::read(world, &charts);
            View::stand_in(world);
            let said = format!("The edits of {} are back.", draft.spec);
            world.resource_mut::<Notices>().hint(said);
        }
        Err(errors) => world.resource_mut::<Notices>().scene = Some(errors.to_string()),
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

    fn window(spec: &str) -> World {
        let mut app = App::new();
        crate::core_plugins(&mut app, session(spec));
        std::mem::take(app.world_mut())
    }

    fn revision(world: &World) -> (u64, u64) {
        let session = world.resource::<Session>();
        (session.generation(), session.document().revision())
    }

    fn model(world: &World) -> &Model {
        world.resource::<Session>().model()
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
        let mut world = window("double_pendulum");
        let of = revision(&world);
        let selection = Some(Selection::body(BodyId(1)));
        world.resource_mut::<Highlight>().selection = selection;
        let mut view = world.resource_mut::<View>();
        view.orbit.yaw += 0.4;
        view.motion.toggle(CameraMode::Following(BodyId(1)));
        let (orbit, motion) = (view.orbit, view.motion);
        world.resource_mut::<EditorState>().broken = true;
        let again = arrival("double_pendulum", Intent::Again { of });
        assert!(arrive(&mut world, again));
        assert_eq!(revision(&world).0, of.0 + 1);
        let view = world.resource::<View>();
        assert_eq!((view.orbit, view.motion), (orbit, motion));
        assert_eq!(world.resource::<Highlight>().selection, selection);
        assert!(!world.resource::<EditorState>().broken);
        // What was asked for before that concerns a scene that is gone.
        let late = arrival("double_pendulum", Intent::Again { of });
        assert!(!arrive(&mut world, late));
    }

    #[test]
    fn edits_made_while_a_file_is_read_again_are_asked_about() {
        let mut world = window("pendulum");
        gravity(&mut world.resource_mut(), -1.0);
        let of = revision(&world);
        gravity(&mut world.resource_mut(), -2.0);
        let again = arrival("pendulum", Intent::Again { of });
        assert!(!arrive(&mut world, again));
        assert_eq!(model(&world).gravity.z, -2.0);
        let editor = world.resource::<EditorState>();
        assert_eq!(editor.question, Some(Question::Reload));
        // Without another edit they are given up, as was asked for.
        let of = revision(&world);
        let again = arrival("pendulum", Intent::Again { of });
        assert!(arrive(&mut world, again));
        assert!(!world.resource::<Session>().document().is_modified());
    }

    #[test]
    fn a_draft_is_put_back_or_said_where_it_is() {
        let mut world = window("four_bar");
        let mut edited = self::session("pendulum");
        gravity(&mut edited, -3.0);
        let draft = Draft {
            file: PathBuf::from("drafts/pendulum.ron"),
            spec: "pendulum".into(),
            text: edited.scene().text.clone(),
            kept: SystemTime::now(),
        };
        let wrong = Arrival {
            opened: Err("no such scene".into()),
            ..arrival("pendulum", Intent::Restore(draft.clone()))
        };
        assert!(!arrive(&mut world, wrong));
        let said = world.resource::<Notices>().scene.clone().unwrap();
        assert!(
            said.contains("drafts") && said.contains("no such scene"),
            "{said}"
        );
        let right = arrival("pendulum", Intent::Restore(draft.clone()));
        assert!(arrive(&mut world, right));
        assert_eq!(model(&world).gravity.z, -3.0);
        assert_eq!(world.resource::<EditorState>().draft, Some(draft.file));
        assert!(world.resource::<Session>().document().is_modified());
    }

    #[test]
    fn other_parameters_are_seen_from_the_same_side() {
        let mut world = window("chain:links=3");
        let mut view = world.resource_mut::<View>();
        (view.orbit.yaw, view.orbit.pitch) = (0.3, 0.2);
        let longer = arrival("chain:links=6", Intent::Rebuild);
        assert!(arrive(&mut world, longer));
        assert_eq!(model(&world).bodies.len(), 6);
        let view = world.resource::<View>();
        assert_eq!((view.orbit.yaw, view.orbit.pitch), (0.3, 0.2));
    }
}
