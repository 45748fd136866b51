//! How long a frame takes at most, by what was asked for and by scene: the table of docs/reference/performance.md.
//!
//! What draws is not measured: the window is blind, and of the panels only their layout runs.

use crate::window::accessible::{Place, Shown, places};
use crate::window::blind::{session, window};
use crate::window::fixture::fixture;
use bevy::prelude::*;
use bevy_egui::egui::{Context, RawInput, Rect, pos2, vec2};
use driftless::integrators::Settings;
use driftless::math::Vec3;
use driftless::model::BodyId;
use driftless::scene::{Amendment, Edit};
use driftless::sim::comparison::LaneSpec;
use driftless::window::commands::Command;
use driftless::window::commands::compare::CompareCommand;
use driftless::window::commands::editing::EditCommand;
use driftless::window::commands::playback::PlaybackCommand;
use driftless::window::jobs::Jobs;
use driftless::window::scenes::opening::Opener;
use driftless::window::session::Session;
use driftless::window::state::notices::Notices;
use driftless::window::state::selection::Selection;
use driftless::window::theme::fonts::fonts;
use std::time::{Duration, Instant};

const SCENES: [&str; 6] = [
    "double_pendulum",
    "brick_wall",
    "pit:bodies=300",
    "chain:links=1000",
    "chain:links=10000",
    "net:rows=40,columns=40",
];

/// Longest of so many frames, or of all until work in the background is done [ms].
fn longest(app: &mut App) -> f64 {
    let start = Instant::now();
    let mut longest = Duration::ZERO;
    for frame in 0.. {
        let begun = Instant::now();
        app.update();
        longest = longest.max(begun.elapsed());
        let world = app.world();
        let busy = world.resource::<Opener>().status().is_some()
            || !world.resource::<Jobs>().list().is_empty()
            || session(app).goal().is_some()
            || session(app).is_stepping();
        let most = if busy { 20 } else { 1 };
        if (frame >= 8 && !busy) || start.elapsed() > Duration::from_secs(most) {
            break;
        }
    }
    1e3 * longest.as_secs_f64()
}

fn give(app: &mut App, action: Command) -> f64 {
    let mut queue = app
        .world_mut()
        .resource_mut::<driftless::window::commands::CommandQueue>();
    queue.0.push(action);
    longest(app)
}

fn amend(name: &str, amendment: Amendment) -> Command {
    Command::Edit(EditCommand::Amend(Box::new(Edit::new(
        name,
        vec![amendment],
    ))))
}

/// A body with another mass.
fn heavier(session: &Session) -> Command {
    let body = &session.model().bodies[0];
    let mut file = session.scene().file.bodies.get(&body.name).unwrap().clone();
    file.mass = Some(driftless::scene::Number(body.mass * 1.5));
    let name = body.name.clone();
    amend("mass", Amendment::Body(name, Some(Box::new(file))))
}

fn measure(spec: &str, folder: &std::path::Path) -> Vec<(&'static str, f64)> {
    let mut rows = Vec::new();
    let mut app = window("pendulum", 1);
    let file = |name: &str| folder.join(name);
    rows.push(("open", give(&mut app, Command::Open(spec.into()))));
    rows.push(("run", longest(&mut app)));
    eprintln!("{spec}: {rows:.1?}");
    let settings = |app: &App| *session(app).settings();
    let dt = Settings {
        dt: 0.9 * settings(&app).dt,
        ..settings(&app)
    };
    let gravity = Amendment::Gravity(Vec3::new(0.0, 0.0, -5.0));
    let method = match session(&app).integrator().name {
        "variational" => "variational-2",
        _ => "variational",
    };
    let lane = LaneSpec {
        integrator: method.into(),
        settings: settings(&app),
        perturbation: 0.0,
    };
    let select = Command::Select(Some(Selection::body(BodyId(0))));
    let mass = heavier(session(&app));
    let edit = Command::Edit;
    let time = Command::Time;
    for (what, action) in [
        ("step size", Command::Settings(dt)),
        ("method", Command::Integrator(method)),
        ("gravity", amend("gravity", gravity)),
        ("mass of a body", mass),
        ("undo", edit(EditCommand::Undo)),
        ("redo", edit(EditCommand::Redo)),
        ("select", select.clone()),
        ("duplicate", edit(EditCommand::Duplicate)),
        ("select again", select),
        ("delete", edit(EditCommand::Delete)),
        ("undo deletion", edit(EditCommand::Undo)),
        ("start here", edit(EditCommand::Begin)),
        ("reset", Command::Reset),
        ("run on", Command::FollowTime),
        ("first moment", time(PlaybackCommand::Start)),
        ("last moment", time(PlaybackCommand::End)),
        ("ten steps back", time(PlaybackCommand::By(-10))),
        ("play backwards", time(PlaybackCommand::Backwards)),
        ("play", Command::TogglePlay),
        ("bookmark", time(PlaybackCommand::Bookmark)),
        (
            "save take",
            time(PlaybackCommand::SaveTake(Some(file("a.take")))),
        ),
        ("check replay", time(PlaybackCommand::CheckReplay)),
        (
            "open take",
            Command::Open(file("a.take").display().to_string()),
        ),
        ("export table", Command::ExportCsv(Some(file("a.csv")))),
        ("save scene", edit(EditCommand::Write(file("a.ron")))),
        ("compare", Command::Compare(CompareCommand::Add(lane))),
        ("end comparing", Command::Compare(CompareCommand::End)),
        ("open another", Command::Open("pendulum".into())),
    ] {
        rows.push((what, give(&mut app, action)));
        eprintln!("{spec}: {what}: {:.1} ms", rows[rows.len() - 1].1);
        let notices = app.world().resource::<Notices>();
        let notices = [&notices.setting, &notices.file, &notices.scene];
        for said in notices.into_iter().flatten() {
            eprintln!("{spec}: {what}: {said}");
        }
    }
    rows
}

/// Longest of a few frames of something shown, without the first of all, which makes the letters [ms].
fn panel(shown: &mut Shown) -> f64 {
    let ctx = Context::default();
    ctx.set_fonts(fonts());
    let mut longest = Duration::ZERO;
    for frame in 0..6 {
        let input = RawInput {
            screen_rect: Some(Rect::from_min_size(pos2(0.0, 0.0), vec2(1600.0, 900.0))),
            ..RawInput::default()
        };
        let begun = Instant::now();
        let mut output = ctx.run_ui(input, |ui| shown.draw(ui));
        output.textures_delta.clear();
        let _ = ctx.tessellate(output.shapes, output.pixels_per_point);
        if frame > 0 {
            longest = longest.max(begun.elapsed());
        }
    }
    1e3 * longest.as_secs_f64()
}

fn panels(spec: &str) -> Vec<(&'static str, f64)> {
    let measured = |name: &str, selection: Option<Selection>| {
        let mut fixture = fixture(spec);
        for _ in 0..3 {
            fixture.session.step();
        }
        fixture.highlight.selection = selection;
        let place: Place = places().find(|p| p.0 == name).expect("it is listed").1;
        panel(&mut Shown::of(place, fixture))
    };
    let mut rows: Vec<(&str, f64)> = [
        ("toolbar", "toolbar"),
        ("status", "status"),
        ("settings", "Settings"),
        ("inspector", "Inspector"),
        ("plots", "Plots"),
        ("layers", "Layers"),
        ("gallery", "gallery"),
        ("palette", "palette"),
        ("solver", "Solver's picture"),
        ("your plots", "Your plots"),
    ]
    .map(|(row, name)| (row, measured(name, None)))
    .into();
    let body = Some(Selection::body(BodyId(0)));
    rows.insert(8, ("inspector of a body", measured("Inspector", body)));
    rows
}

#[test]
#[ignore = "prints the table of longest frames of docs/reference/performance.md"]
fn longest_frames() {
    let chosen = std::env::var("DRIFTLESS_SCENES").unwrap_or_else(|_| SCENES.join(";"));
    let folder = std::env::temp_dir().join(format!("driftless-frames-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let mut columns = Vec::new();
    let scenes: Vec<&str> = chosen.split(';').collect();
    for spec in &scenes {
        let mut rows = measure(spec, &folder);
        rows.extend(panels(spec));
        eprintln!("{spec}: {rows:.1?}");
        columns.push(rows);
    }
    std::fs::remove_dir_all(folder).unwrap();
    println!("| longest frame [ms] | `{}` |", scenes.join("` | `"));
    println!("|---|{}", "---|".repeat(scenes.len()));
    for (k, (what, _)) in columns[0].iter().enumerate() {
        let row: Vec<String> = columns.iter().map(|c| format!("{:.0}", c[k].1)).collect();
        println!("| {what} | {} |", row.join(" | "));
    }
}
