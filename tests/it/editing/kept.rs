//! What the window keeps through edits, resets and undo: parameters, plots, trails, the selection.

use crate::editing::view::{click, edit, get};
use crate::window::blind::{arrive, give, open, session, window};
use bevy::prelude::*;
use driftless::diagnostics::{Chart, Quantity};
use driftless::math::Vec3 as Vector;
use driftless::model::BodyId;
use driftless::scene::editing::{Fresh, Renaming, Section};
use driftless::scene::{Amendment, Edit};
use driftless::window::camera::view::View;
use driftless::window::commands::Command;
use driftless::window::commands::editing::EditCommand;
use driftless::window::plots::custom::CustomPlots;
use driftless::window::session::Session;
use driftless::window::state::highlight::Highlight;
use driftless::window::state::look::Look;
use driftless::window::state::notices::Notices;
use driftless::window::state::selection::Selection;
use driftless::window::state::trails::TrailPoint;

#[test]
fn a_reset_starts_the_edited_scene_and_the_document_follows_the_past() {
    let mut app = window("pendulum", 2);
    for _ in 0..10 {
        app.update();
    }
    give(&mut app, Command::TogglePlay);
    edit(&mut app, EditCommand::Place(Fresh::Box));
    click(&mut app, [400.0, 600.0]);
    give(&mut app, Command::Step(5));
    app.update();
    give(&mut app, Command::Reset);
    assert_eq!(session(&app).sample().step, 0);
    assert_eq!(session(&app).model().bodies.len(), 2, "the edit stays");
    assert_eq!(session(&app).document().names(), ["add box"]);
    give(&mut app, Command::Step(3));
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
    assert_eq!(session(&app).model().bodies.len(), 1);
    assert_eq!(session(&app).document().undo_name(), None);
    assert_eq!(session(&app).document().redo_name(), Some("add box"));
}

#[test]
fn a_generated_scene_is_built_again_with_another_parameter() {
    let mut app = window("chain:links=3", 1);
    let yaw = app.world().resource::<View>().orbit.yaw;
    edit(&mut app, EditCommand::Rebuild("chain:links=5".into()));
    arrive(&mut app);
    assert_eq!(session(&app).model().bodies.len(), 5);
    assert_eq!(app.world().resource::<View>().orbit.yaw, yaw);
    edit(&mut app, EditCommand::Rebuild("chain:links=0".into()));
    arrive(&mut app);
    assert!(get::<Notices>(&app).scene.is_some(), "refused aloud");
    assert_eq!(session(&app).model().bodies.len(), 5);
}

#[test]
fn undo_brings_the_former_parameters_back_with_the_edits_made_under_them() {
    let mut app = window("chain:links=3", 1);
    let links = |app: &App| session(app).model().bodies.len();
    let fall = |app: &App| session(app).model().gravity.z;
    let amend = |app: &mut App, z: f64| {
        let put = Amendment::Gravity(Vector::new(0.0, 0.0, z));
        let amend = Edit::new("gravity", vec![put]);
        edit(app, EditCommand::Amend(Box::new(amend)));
    };
    let travel = |app: &mut App, wished: EditCommand| {
        edit(app, wished);
        arrive(app);
    };
    let settle = |app: &mut App| (0..6).for_each(|_| app.update());
    amend(&mut app, -1.0);
    give(&mut app, Command::Select(Some(Selection::body(BodyId(1)))));
    // All that one drag of a slider passes is one to undo.
    for count in 4..7 {
        travel(
            &mut app,
            EditCommand::Rebuild(format!("chain:links={count}")),
        );
        assert_eq!(links(&app), count);
    }
    assert_eq!(fall(&app), -9.81, "it is built anew");
    let hint = get::<Notices>(&app).status(None).map(|s| s.1);
    assert!(hint.is_some_and(|h| h.contains("Ctrl + Z")));
    assert_eq!(
        get::<Highlight>(&app).selection,
        Some(Selection::body(BodyId(1)))
    );
    settle(&mut app);
    amend(&mut app, -2.0);
    travel(&mut app, EditCommand::Rebuild("chain:links=8".into()));
    settle(&mut app);
    assert_eq!(session(&app).undo_name(), Some("parameters"));
    for (count, z, undo, redo) in [
        (6, -2.0, "gravity", Some("parameters")),
        (6, -9.81, "parameters", Some("gravity")),
        (3, -1.0, "gravity", Some("parameters")),
    ] {
        travel(&mut app, EditCommand::Undo);
        assert_eq!((links(&app), fall(&app)), (count, z));
        assert_eq!(session(&app).undo_name(), Some(undo));
        assert_eq!(session(&app).redo_name(), redo);
    }
    travel(&mut app, EditCommand::Undo);
    assert_eq!((links(&app), fall(&app)), (3, -9.81));
    assert_eq!(session(&app).undo_name(), None);
    for (count, z) in [(3, -1.0), (6, -9.81), (6, -2.0), (8, -9.81)] {
        travel(&mut app, EditCommand::Redo);
        assert_eq!((links(&app), fall(&app)), (count, z));
    }
    assert_eq!(session(&app).redo_name(), None);
    give(&mut app, Command::TogglePlay);
    settle(&mut app);
    assert_eq!(session(&app).failure, None);
    // Another scene ends it.
    open(&mut app, "pendulum");
    assert_eq!(session(&app).undo_name(), None);
}

#[test]
fn plots_stay_with_their_bodies_when_others_go() {
    let mut app = window("double_pendulum", 1);
    let model = session(&app).model().clone();
    let chart = |names: &[&str]| {
        let curves = names.iter().map(|n| Quantity::named(n, &model));
        Chart {
            curves: curves.map(|q| q.expect("it is there")).collect(),
            ..Chart::default()
        }
    };
    let charts = vec![chart(&["upper.z", "lower.z"]), chart(&["upper.speed"])];
    app.world_mut().resource_mut::<CustomPlots>().charts = charts;
    let run = |app: &mut App| {
        let charts = get::<CustomPlots>(app).charts.clone();
        app.world_mut().resource_mut::<Session>().plot(&charts);
        for _ in 0..5 {
            app.update();
        }
    };
    run(&mut app);
    give(&mut app, Command::Select(Some(Selection::body(BodyId(0)))));
    edit(&mut app, EditCommand::Delete);
    run(&mut app);
    // The plot of nothing but the deleted body is gone; the other body is the first now.
    let only = |app: &App| {
        let [chart] = &get::<CustomPlots>(app).charts[..] else {
            panic!("{:?}", get::<CustomPlots>(app).charts);
        };
        let [curve] = chart.curves[..] else {
            panic!("{chart:?}");
        };
        assert_eq!(curve.name(session(app).model()), "lower.z");
        curve
    };
    let height = |app: &App, body: usize| {
        let state = session(app).state();
        Some(state.bodies[body].position.z)
    };
    let curve = only(&app);
    assert_eq!(session(&app).traces.now(curve), height(&app, 0));
    edit(&mut app, EditCommand::Undo);
    run(&mut app);
    // Both plots are as they were, and show what the bodies do now.
    let names = |app: &App| -> Vec<Vec<String>> {
        let model = session(app).model();
        let charts = get::<CustomPlots>(app).charts.iter();
        let names = charts.map(|c| c.curves.iter().map(|q| q.name(model)).collect());
        names.collect()
    };
    let all = [vec!["upper.z", "lower.z"], vec!["upper.speed"]];
    assert_eq!(names(&app), all);
    for (body, name) in ["upper.z", "lower.z"].into_iter().enumerate() {
        let curve = Quantity::named(name, session(&app).model()).unwrap();
        assert_eq!(session(&app).traces.now(curve), height(&app, body));
        // What was before the deletion is there again, too.
        let time = Quantity::named("time", session(&app).model()).unwrap();
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
    give(&mut app, Command::TogglePlay);
    let trail = |body, x| TrailPoint {
        body: BodyId(body),
        point: Vector::new(x, 0.0, 0.0),
    };
    let trails = vec![trail(0, 0.1), trail(1, 0.2)];
    give(&mut app, Command::TrailPoints(trails.clone()));
    give(&mut app, Command::Select(Some(Selection::body(BodyId(0)))));
    let renaming = Renaming {
        section: Section::Bodies,
        from: "upper".into(),
        to: "first".into(),
    };
    let named = Edit::new("rename", vec![Amendment::Rename(renaming)]);
    edit(&mut app, EditCommand::Amend(Box::new(named)));
    assert_eq!(session(&app).model().bodies[0].name, "first");
    assert_eq!(
        get::<Highlight>(&app).selection,
        Some(Selection::body(BodyId(0)))
    );
    assert_eq!(get::<Look>(&app).layers.trails, trails);
    edit(&mut app, EditCommand::Delete);
    assert_eq!(get::<Look>(&app).layers.trails, [trail(0, 0.2)]);
    edit(&mut app, EditCommand::Undo);
    let mut back = get::<Look>(&app).layers.trails.clone();
    back.sort_by_key(|t| t.body);
    assert_eq!(back, trails);
    edit(&mut app, EditCommand::Undo);
    assert_eq!(session(&app).model().bodies[0].name, "upper");
    assert_eq!(get::<Look>(&app).layers.trails.len(), 2);
}

#[test]
fn plots_that_a_person_builds_are_undone_like_other_edits() {
    let mut app = window("double_pendulum", 1);
    let named = |app: &App, name| Chart {
        curves: vec![Quantity::named(name, session(app).model()).unwrap()],
        ..Chart::default()
    };
    let first = named(&app, "upper.z");
    app.world_mut().resource_mut::<CustomPlots>().charts = vec![first.clone()];
    app.update();
    assert_eq!(session(&app).document().undo_name(), Some("your plots"));
    assert_eq!(session(&app).scene().file.charts[0].curves, ["upper.z"]);
    assert!(
        !session(&app).document().is_modified(),
        "plots are kept anyway"
    );
    // One that shows nothing yet is no edit.
    let mut shown = vec![first.clone(), Chart::default()];
    app.world_mut().resource_mut::<CustomPlots>().charts = shown.clone();
    app.update();
    assert_eq!(session(&app).document().names(), ["your plots"]);
    shown[1] = named(&app, "lower.z");
    app.world_mut().resource_mut::<CustomPlots>().charts = shown.clone();
    app.update();
    assert_eq!(session(&app).document().names().len(), 2);
    edit(&mut app, EditCommand::Undo);
    assert_eq!(get::<CustomPlots>(&app).charts, [first]);
    edit(&mut app, EditCommand::Redo);
    assert_eq!(get::<CustomPlots>(&app).charts, shown);
    // Time that goes back beyond another edit takes no plot away.
    for _ in 0..10 {
        app.update();
    }
    let put = Amendment::Gravity(Vector::zeros());
    edit(
        &mut app,
        EditCommand::Amend(Box::new(Edit::new("gravity", vec![put]))),
    );
    give(&mut app, Command::TogglePlay);
    app.world_mut().resource_mut::<Session>().seek(3);
    for _ in 0..6 {
        app.update();
    }
    assert_eq!(get::<CustomPlots>(&app).charts, shown);
}
