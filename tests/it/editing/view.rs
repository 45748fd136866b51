//! Editing in the view, by synthetic pointer and keys: handles, placing, connecting, undo.

use crate::window::blind::{
    arrive, button, key, move_pointer, open, pacing, seen, session, tap, window, wish,
};
use bevy::input::ButtonState;
use bevy::prelude::*;
use driftless::app::editing::{Mode, handles};
use driftless::app::{Action, EditWish, Selection, Session, Shell, TrailPoint, View};
use driftless::diagnostics::{Chart, Quantity, worst_drift};
use driftless::math::Vec3 as Vector;
use driftless::model::BodyId;
use driftless::scene::editing::{Fresh, Link, Renaming, Section};
use driftless::scene::{Amendment, Edit};

fn shell(app: &App) -> &Shell {
    app.world().resource::<Shell>()
}

fn edit(app: &mut App, wished: EditWish) {
    wish(app, Action::Edit(wished));
}

/// Presses the left button at a point, moves in steps to another, and lets go.
fn drag(app: &mut App, from: [f64; 2], to: [f64; 2]) {
    // In one frame, so that what moves is hit where it is seen.
    move_pointer(app, from);
    button(app, MouseButton::Left, ButtonState::Pressed);
    app.update();
    for k in 1..=6 {
        let share = f64::from(k) / 6.0;
        move_pointer(app, [0, 1].map(|c| from[c] + share * (to[c] - from[c])));
        app.update();
        app.update();
    }
    button(app, MouseButton::Left, ButtonState::Released);
    for _ in 0..6 {
        app.update();
    }
}

fn click(app: &mut App, at: [f64; 2]) {
    drag(app, at, at);
}

/// Where the tip of an arrow of a body is in the window.
fn tip(app: &App, body: usize, axis: usize) -> [f64; 2] {
    let view = app.world().resource::<View>();
    let centre = view.poses[body].translation.vector;
    let reach = handles::reach(view, &centre).expect("it is in front of the camera");
    let [_, tip] = handles::arrow(&centre, reach, axis);
    view.orbit
        .project(&view.viewport, &tip)
        .expect("it is in view")
}

#[test]
fn a_handle_moves_the_body_and_joints_pull_the_rest_along_paused_and_running() {
    for runs in [false, true] {
        let mut app = window("double_pendulum", 1);
        if runs {
            for _ in 0..20 {
                app.update();
            }
        } else {
            wish(&mut app, Action::TogglePlay);
            wish(&mut app, Action::Reset);
        }
        assert_eq!(pacing(&app).playing, runs);
        wish(&mut app, Action::Select(Some(Selection::Body(BodyId(1)))));
        // Where the window holds still while one aims.
        let before = session(&app).poses().to_vec();
        let text = session(&app).scene.text.clone();
        let from = tip(&app, 1, 2);
        drag(&mut app, from, [from[0], from[1] + 60.0]);
        assert_eq!(
            session(&app).document.names(),
            ["move lower"],
            "one to undo"
        );
        assert_eq!(pacing(&app).playing, runs, "time goes on as before");
        let state = session(&app).simulation.state();
        let drift = worst_drift(session(&app).simulation.model(), state);
        assert!(drift.position.0 < 1e-8, "{drift:?}");
        let moved = |k: usize| {
            let now = session(&app).poses()[k].translation.vector;
            (now - before[k].translation.vector).norm()
        };
        assert!(
            moved(0) > 0.01 && moved(1) > 0.05,
            "{} {}",
            moved(0),
            moved(1)
        );
        // At the first moment the scene starts elsewhere; later only what runs was moved.
        assert_eq!(session(&app).scene.text == text, runs);
        if !runs {
            key(&mut app, KeyCode::ControlLeft, ButtonState::Pressed);
            tap(&mut app, KeyCode::KeyZ);
            key(&mut app, KeyCode::ControlLeft, ButtonState::Released);
            assert_eq!(session(&app).poses(), &before[..]);
            assert_eq!(session(&app).scene.text, text);
            assert!(
                shell(&app)
                    .status(None)
                    .is_some_and(|s| s.1.contains("move lower"))
            );
        }
    }
}

#[test]
fn keys_undo_redo_copy_and_delete_and_the_selection_stays_by_name() {
    let mut app = window("double_pendulum", 1);
    wish(&mut app, Action::TogglePlay);
    wish(&mut app, Action::Select(Some(Selection::Body(BodyId(1)))));
    let control = |app: &mut App, code, shift: bool| {
        key(app, KeyCode::ControlLeft, ButtonState::Pressed);
        if shift {
            key(app, KeyCode::ShiftLeft, ButtonState::Pressed);
        }
        tap(app, code);
        key(app, KeyCode::ShiftLeft, ButtonState::Released);
        key(app, KeyCode::ControlLeft, ButtonState::Released);
        app.update();
    };
    control(&mut app, KeyCode::KeyD, false);
    let bodies = |app: &App| session(app).simulation.model().bodies.len();
    assert_eq!(bodies(&app), 3);
    assert_eq!(shell(&app).selection, Some(Selection::Body(BodyId(2))));
    assert_eq!(app.world().resource::<View>().poses.len(), 3);
    wish(&mut app, Action::Select(Some(Selection::Body(BodyId(0)))));
    tap(&mut app, KeyCode::Delete);
    assert_eq!(bodies(&app), 2);
    assert_eq!(shell(&app).selection, None);
    control(&mut app, KeyCode::KeyZ, false);
    assert_eq!(bodies(&app), 3);
    wish(&mut app, Action::Select(Some(Selection::Body(BodyId(1)))));
    control(&mut app, KeyCode::KeyZ, true);
    assert_eq!(bodies(&app), 2);
    // `lower` was the second body and is the first now.
    assert_eq!(shell(&app).selection, Some(Selection::Body(BodyId(0))));
    for _ in 0..2 {
        control(&mut app, KeyCode::KeyZ, false);
    }
    control(&mut app, KeyCode::KeyY, false);
    assert_eq!(bodies(&app), 3);
    wish(&mut app, Action::TogglePlay);
    for _ in 0..20 {
        app.update();
    }
    assert!(session(&app).failure.is_none());
}

#[test]
fn a_body_is_put_where_one_clicks_and_escape_cancels() {
    let mut app = window("pendulum", 1);
    wish(&mut app, Action::TogglePlay);
    edit(&mut app, EditWish::Place(Fresh::Sphere));
    tap(&mut app, KeyCode::Escape);
    assert_eq!(shell(&app).desk.mode, Mode::Select);
    edit(&mut app, EditWish::Place(Fresh::Sphere));
    assert!(
        shell(&app)
            .status(None)
            .is_some_and(|s| s.1.contains("sphere"))
    );
    let at = [300.0, 560.0];
    click(&mut app, at);
    let model = session(&app).simulation.model();
    let new = model.body("sphere").expect("it is there");
    assert_eq!(shell(&app).selection, Some(Selection::Body(new)));
    let seen = seen(&app, new.0);
    // It lies on what is under the pointer, so that its centre is a little higher.
    assert!(
        (seen[0] - at[0]).abs() < 12.0 && (0.0..140.0).contains(&(at[1] - seen[1])),
        "{seen:?}"
    );
    assert_eq!(session(&app).document.undo_name(), Some("add sphere"));
}

#[test]
fn two_clicks_connect_two_points() {
    let mut app = window("double_pendulum", 1);
    wish(&mut app, Action::TogglePlay);
    wish(&mut app, Action::Reset);
    let lower = seen(&app, 1);
    edit(&mut app, EditWish::Attach(Link::Spring));
    click(&mut app, lower);
    let Mode::Attach {
        first: Some(first), ..
    } = shell(&app).desk.mode
    else {
        panic!("{:?}", shell(&app).desk.mode);
    };
    assert_eq!(first.body, Some(BodyId(1)));
    // Again on the same body: it says so and waits.
    click(&mut app, lower);
    assert!(
        shell(&app)
            .status(None)
            .is_some_and(|s| s.1.contains("same body"))
    );
    click(&mut app, [1000.0, 600.0]);
    assert_eq!(session(&app).simulation.model().forces.len(), 1);
    assert_eq!(shell(&app).selection, Some(Selection::Spring(0)));
    edit(&mut app, EditWish::Attach(Link::Cable));
    let upper = seen(&app, 0);
    click(&mut app, upper);
    click(&mut app, lower);
    assert_eq!(session(&app).simulation.model().cables.len(), 1);
    assert_eq!(shell(&app).selection, Some(Selection::Cable(0)));
    wish(&mut app, Action::TogglePlay);
    for _ in 0..30 {
        app.update();
    }
    assert_eq!(session(&app).failure, None);
}

#[test]
fn what_is_refused_is_said_and_nothing_changes() {
    let mut app = window("pendulum", 1);
    let name = session(&app).simulation.model().bodies[0].name.clone();
    let mut file = session(&app).scene.file.bodies.get(&name).cloned().unwrap();
    file.mass = Some(driftless::scene::Number(-1.0));
    let put = Amendment::Body(name.clone(), Some(Box::new(file)));
    let wrong = Edit::new("mass", vec![put]);
    edit(&mut app, EditWish::Amend(Box::new(wrong)));
    assert_eq!(
        shell(&app).desk.refused[0].path,
        format!("bodies.{name}.mass")
    );
    assert!(shell(&app).notices.setting.is_some());
    let right = Edit::new("gravity", vec![Amendment::Gravity(Vector::zeros())]);
    edit(&mut app, EditWish::Amend(Box::new(right)));
    assert!(shell(&app).desk.refused.is_empty() && shell(&app).notices.setting.is_none());
    assert_eq!(session(&app).document.names(), ["gravity"]);
}

#[test]
fn a_reset_starts_the_edited_scene_and_the_document_follows_the_past() {
    let mut app = window("pendulum", 2);
    for _ in 0..10 {
        app.update();
    }
    wish(&mut app, Action::TogglePlay);
    edit(&mut app, EditWish::Place(Fresh::Box));
    click(&mut app, [400.0, 600.0]);
    wish(&mut app, Action::Step(5));
    app.update();
    wish(&mut app, Action::Reset);
    assert_eq!(session(&app).sample.step, 0);
    assert_eq!(
        session(&app).simulation.model().bodies.len(),
        2,
        "the edit stays"
    );
    assert_eq!(session(&app).document.names(), ["add box"]);
    wish(&mut app, Action::Step(3));
    app.update();
    // The way before the reset is another branch; before the edit, there was one body.
    let first = session(&app)
        .timeline()
        .unwrap()
        .branches()
        .keys()
        .next()
        .copied()
        .unwrap();
    app.world_mut().resource_mut::<Session>().visit(first, 4);
    for _ in 0..4 {
        app.update();
    }
    assert_eq!(session(&app).simulation.model().bodies.len(), 1);
    assert_eq!(session(&app).document.undo_name(), None);
    assert_eq!(session(&app).document.redo_name(), Some("add box"));
}

#[test]
fn a_generated_scene_is_built_again_with_another_parameter() {
    let mut app = window("chain:links=3", 1);
    let yaw = app.world().resource::<View>().orbit.yaw;
    edit(&mut app, EditWish::Rebuild("chain:links=5".into()));
    arrive(&mut app);
    assert_eq!(session(&app).simulation.model().bodies.len(), 5);
    assert_eq!(app.world().resource::<View>().orbit.yaw, yaw);
    edit(&mut app, EditWish::Rebuild("chain:links=0".into()));
    arrive(&mut app);
    assert!(shell(&app).notices.scene.is_some(), "refused aloud");
    assert_eq!(session(&app).simulation.model().bodies.len(), 5);
}

#[test]
fn undo_brings_the_former_parameters_back_with_the_edits_made_under_them() {
    let mut app = window("chain:links=3", 1);
    let links = |app: &App| session(app).simulation.model().bodies.len();
    let fall = |app: &App| session(app).simulation.model().gravity.z;
    let amend = |app: &mut App, z: f64| {
        let put = Amendment::Gravity(Vector::new(0.0, 0.0, z));
        let amend = Edit::new("gravity", vec![put]);
        edit(app, EditWish::Amend(Box::new(amend)));
    };
    let travel = |app: &mut App, wished: EditWish| {
        edit(app, wished);
        arrive(app);
    };
    let settle = |app: &mut App| (0..6).for_each(|_| app.update());
    amend(&mut app, -1.0);
    wish(&mut app, Action::Select(Some(Selection::Body(BodyId(1)))));
    // All that one drag of a slider passes is one to undo.
    for count in 4..7 {
        travel(&mut app, EditWish::Rebuild(format!("chain:links={count}")));
        assert_eq!(links(&app), count);
    }
    assert_eq!(fall(&app), -9.81, "it is built anew");
    let hint = shell(&app).status(None).map(|s| s.1);
    assert!(hint.is_some_and(|h| h.contains("Ctrl + Z")));
    assert_eq!(shell(&app).selection, Some(Selection::Body(BodyId(1))));
    settle(&mut app);
    amend(&mut app, -2.0);
    travel(&mut app, EditWish::Rebuild("chain:links=8".into()));
    settle(&mut app);
    assert_eq!(session(&app).undo_name(), Some("parameters"));
    for (count, z, undo, redo) in [
        (6, -2.0, "gravity", Some("parameters")),
        (6, -9.81, "parameters", Some("gravity")),
        (3, -1.0, "gravity", Some("parameters")),
    ] {
        travel(&mut app, EditWish::Undo);
        assert_eq!((links(&app), fall(&app)), (count, z));
        assert_eq!(session(&app).undo_name(), Some(undo));
        assert_eq!(session(&app).redo_name(), redo);
    }
    travel(&mut app, EditWish::Undo);
    assert_eq!((links(&app), fall(&app)), (3, -9.81));
    assert_eq!(session(&app).undo_name(), None);
    for (count, z) in [(3, -1.0), (6, -9.81), (6, -2.0), (8, -9.81)] {
        travel(&mut app, EditWish::Redo);
        assert_eq!((links(&app), fall(&app)), (count, z));
    }
    assert_eq!(session(&app).redo_name(), None);
    wish(&mut app, Action::TogglePlay);
    settle(&mut app);
    assert_eq!(session(&app).failure, None);
    // Another scene ends it.
    open(&mut app, "pendulum");
    assert_eq!(session(&app).undo_name(), None);
}

#[test]
fn plots_stay_with_their_bodies_when_others_go() {
    let mut app = window("double_pendulum", 1);
    let model = session(&app).simulation.model().clone();
    let chart = |names: &[&str]| {
        let curves = names.iter().map(|n| Quantity::named(n, &model));
        Chart {
            curves: curves.map(|q| q.expect("it is there")).collect(),
            ..Chart::default()
        }
    };
    let charts = vec![chart(&["upper.z", "lower.z"]), chart(&["upper.speed"])];
    app.world_mut().resource_mut::<Shell>().own.charts = charts;
    let run = |app: &mut App| {
        let charts = shell(app).own.charts.clone();
        app.world_mut().resource_mut::<Session>().plot(&charts);
        for _ in 0..5 {
            app.update();
        }
    };
    run(&mut app);
    wish(&mut app, Action::Select(Some(Selection::Body(BodyId(0)))));
    edit(&mut app, EditWish::Delete);
    run(&mut app);
    // The plot of nothing but the deleted body is gone; the other body is the first now.
    let only = |app: &App| {
        let [chart] = &shell(app).own.charts[..] else {
            panic!("{:?}", shell(app).own.charts);
        };
        let [curve] = chart.curves[..] else {
            panic!("{chart:?}");
        };
        assert_eq!(curve.name(session(app).simulation.model()), "lower.z");
        curve
    };
    let height = |app: &App, body: usize| {
        let state = session(app).simulation.state();
        Some(state.bodies[body].position.z)
    };
    let curve = only(&app);
    assert_eq!(session(&app).traces.now(curve), height(&app, 0));
    edit(&mut app, EditWish::Undo);
    run(&mut app);
    // Both plots are as they were, and show what the bodies do now.
    let names = |app: &App| -> Vec<Vec<String>> {
        let model = session(app).simulation.model();
        let charts = shell(app).own.charts.iter();
        let names = charts.map(|c| c.curves.iter().map(|q| q.name(model)).collect());
        names.collect()
    };
    let all = [vec!["upper.z", "lower.z"], vec!["upper.speed"]];
    assert_eq!(names(&app), all);
    for (body, name) in ["upper.z", "lower.z"].into_iter().enumerate() {
        let curve = Quantity::named(name, session(&app).simulation.model()).unwrap();
        assert_eq!(session(&app).traces.now(curve), height(&app, body));
        // What was before the deletion is there again, too.
        let time = Quantity::named("time", session(&app).simulation.model()).unwrap();
        let times = session(&app).traces.curve(time, curve);
        assert!(
            times.first().is_some_and(|first| first[0] < 0.02),
            "{:?}",
            times.first()
        );
    }
}

#[test]
fn trails_and_a_renamed_selection_stay_with_their_bodies() {
    let mut app = window("double_pendulum", 1);
    wish(&mut app, Action::TogglePlay);
    let trail = |body, x| TrailPoint {
        body: BodyId(body),
        point: Vector::new(x, 0.0, 0.0),
    };
    let trails = vec![trail(0, 0.1), trail(1, 0.2)];
    wish(&mut app, Action::TrailPoints(trails.clone()));
    wish(&mut app, Action::Select(Some(Selection::Body(BodyId(0)))));
    let renaming = Renaming {
        section: Section::Bodies,
        from: "upper".into(),
        to: "first".into(),
    };
    let named = Edit::new("rename", vec![Amendment::Rename(renaming)]);
    edit(&mut app, EditWish::Amend(Box::new(named)));
    assert_eq!(session(&app).simulation.model().bodies[0].name, "first");
    assert_eq!(shell(&app).selection, Some(Selection::Body(BodyId(0))));
    assert_eq!(shell(&app).layers.trails, trails);
    edit(&mut app, EditWish::Delete);
    assert_eq!(shell(&app).layers.trails, [trail(0, 0.2)]);
    edit(&mut app, EditWish::Undo);
    let mut back = shell(&app).layers.trails.clone();
    back.sort_by_key(|t| t.body);
    assert_eq!(back, trails);
    edit(&mut app, EditWish::Undo);
    assert_eq!(session(&app).simulation.model().bodies[0].name, "upper");
    assert_eq!(shell(&app).layers.trails.len(), 2);
}

#[test]
fn plots_that_a_person_builds_are_undone_like_other_edits() {
    let mut app = window("double_pendulum", 1);
    let named = |app: &App, name| Chart {
        curves: vec![Quantity::named(name, session(app).simulation.model()).unwrap()],
        ..Chart::default()
    };
    let first = named(&app, "upper.z");
    app.world_mut().resource_mut::<Shell>().own.charts = vec![first.clone()];
    app.update();
    assert_eq!(session(&app).document.undo_name(), Some("your plots"));
    assert_eq!(session(&app).scene.file.charts[0].curves, ["upper.z"]);
    assert!(
        !session(&app).document.is_modified(),
        "plots are kept anyway"
    );
    // One that shows nothing yet is no edit.
    let mut shown = vec![first.clone(), Chart::default()];
    app.world_mut().resource_mut::<Shell>().own.charts = shown.clone();
    app.update();
    assert_eq!(session(&app).document.names(), ["your plots"]);
    shown[1] = named(&app, "lower.z");
    app.world_mut().resource_mut::<Shell>().own.charts = shown.clone();
    app.update();
    assert_eq!(session(&app).document.names().len(), 2);
    edit(&mut app, EditWish::Undo);
    assert_eq!(shell(&app).own.charts, [first]);
    edit(&mut app, EditWish::Redo);
    assert_eq!(shell(&app).own.charts, shown);
    // Time that goes back beyond another edit takes no plot away.
    for _ in 0..10 {
        app.update();
    }
    let put = Amendment::Gravity(Vector::zeros());
    edit(
        &mut app,
        EditWish::Amend(Box::new(Edit::new("gravity", vec![put]))),
    );
    wish(&mut app, Action::TogglePlay);
    app.world_mut().resource_mut::<Session>().seek(3);
    for _ in 0..6 {
        app.update();
    }
    assert_eq!(shell(&app).own.charts, shown);
}
