//! What is marked and kept of the past: bookmarks, branches, takes, and how much of it there is memory for.

use crate::window::fixture::Fixture;
use crate::window::transport::{fixture, go, menus, pull, show};
use bevy_egui::egui::accesskit::Role;
use driftless::window::commands::Command;
use driftless::window::commands::playback::PlaybackCommand;
use driftless::window::commands::record::RecordCommand;
use driftless::window::jobs::{Cancel, Reporter};
use driftless::window::layout::status::status_ui;
use driftless::window::settings::settings_ui::settings_ui;
use egui_kittest::kittest::{NodeT, Queryable};
use egui_kittest::{Harness, Node};

#[test]
fn bookmarks_are_added_named_visited_and_removed() {
    let mut fixture = fixture();
    go(&mut fixture.session, 100);
    fixture.session.bookmark("the top");
    let branch = fixture.session.timeline().unwrap().current();
    let mut harness = menus(fixture);
    harness.get_by_label("Bookmarks 1 ⏷").click();
    harness.run();
    harness.get_by_label("Add here").click();
    harness.run();
    harness.get_by_label("1.000 s").click();
    harness.run();
    let field = |harness: &Harness<'static, Fixture>, act: fn(&Node<'_>)| {
        let mut fields = harness.query_all_by_role(Role::TextInput);
        act(&fields.next().expect("there is one"));
    };
    field(&harness, |field| field.click());
    harness.run();
    field(&harness, |field| field.type_text("!"));
    harness.run();
    harness.get_by_label("Remove the top").click();
    harness.run();
    let time = Command::Time;
    let wanted = [
        time(PlaybackCommand::Bookmark),
        time(PlaybackCommand::Visit(branch, 100)),
        time(PlaybackCommand::Rename(0, "the top!".into())),
        time(PlaybackCommand::Unname(0)),
    ];
    assert_eq!(harness.state().asked, wanted);
}

#[test]
fn branches_are_listed_visited_and_forgotten_unless_they_are_needed() {
    let mut fixture = fixture();
    let first = fixture.session.timeline().unwrap().current();
    go(&mut fixture.session, 100);
    pull(&mut fixture.session);
    let second = fixture.session.timeline().unwrap().current();
    go(&mut fixture.session, 50);
    pull(&mut fixture.session);
    let mut harness = menus(fixture);
    harness.get_by_label("Branches 3 ⏷").click();
    harness.run();
    harness
        .get_by_label("branch 1   0.000 s to 3.000 s")
        .click();
    harness.run();
    harness
        .get_by_label("branch 2   1.000 s to 1.010 s")
        .click();
    harness.run();
    let forget: Vec<bool> = harness
        .query_all_by_label_contains("Forget branch")
        .map(|n| n.accesskit_node().is_disabled())
        .collect();
    // The others begin on the first, and time goes the third.
    assert_eq!(forget, [true, false, true]);
    let second_cross = harness.query_all_by_label_contains("Forget branch").nth(1);
    second_cross.expect("there are three").click();
    harness.run();
    let time = Command::Time;
    let wanted = [
        time(PlaybackCommand::Visit(first, 300)),
        time(PlaybackCommand::Visit(second, 101)),
        time(PlaybackCommand::Remove(second)),
    ];
    assert_eq!(harness.state().asked, wanted);
}

#[test]
fn a_take_is_saved_checked_and_filmed() {
    let mut harness = menus(fixture());
    let wanted = [
        ("Save take", Command::Time(PlaybackCommand::SaveTake(None))),
        ("Check replay", Command::Time(PlaybackCommand::CheckReplay)),
        ("Open take…", Command::OpenDialog),
        ("Film of the run", Command::Film(RecordCommand::Past)),
    ];
    harness.get_by_label("Take ⏷").click();
    harness.run();
    for (label, _) in &wanted {
        harness.get_by_label(label).click();
        harness.run();
    }
    let wanted: Vec<Command> = wanted.into_iter().map(|(_, action)| action).collect();
    assert_eq!(harness.state().asked, wanted);
}

#[test]
fn the_status_line_says_where_in_the_past_one_is_and_what_is_done_beside() {
    let mut fixture = fixture();
    fixture.notices = Default::default();
    let (go_on, wait) = std::sync::mpsc::channel::<()>();
    let check = move |reporter: &Reporter| {
        reporter.begin(2);
        reporter.done(1);
        let _ = wait.recv();
    };
    let jobs = fixture.jobs.clone();
    let job = jobs.start("Checking the replay", Cancel::GivesUp, check);
    while job.progress().seconds < 0.2 || job.progress().done == 0 {
        std::thread::yield_now();
    }
    let mut harness = show(fixture, 26.0, |ui, fixture| {
        status_ui(ui, &fixture.session, &fixture.notices, &fixture.jobs)
    });
    assert!(harness.query_by_label_contains("In the past").is_none());
    harness.get_by_label("Cancel").click();
    harness.run();
    assert_eq!(harness.state().asked, [Command::CancelJob(job.id())]);
    // Several are in a menu.
    let write = move |_: &Reporter| ();
    let saved = jobs.start("Saving", Cancel::Never, write);
    while saved.progress().seconds < 0.2 {
        std::thread::yield_now();
    }
    harness.run();
    harness.get_by_label_contains("2 jobs").click();
    harness.run();
    harness.get_by_label("Saving");
    harness.get_by_label("Cancel");
    drop(go_on);
    drop((job, saved));
    harness.run();
    assert!(harness.query_by_label("Cancel").is_none());
    go(&mut harness.state_mut().session, 100);
    harness.run();
    harness.get_by_label_contains("In the past: 1.000 s of 3.000 s. Play resumes as recorded");
    harness.state_mut().session.reset();
    harness.run();
    harness.get_by_label_contains("without the drags");
}

#[test]
fn the_memory_is_chosen_and_says_how_far_it_reaches() {
    let mut fixture = fixture();
    let mut harness = show(
        {
            fixture.session.set_budget(64 << 20);
            fixture
        },
        900.0,
        |ui, fixture| {
            settings_ui(
                ui,
                &fixture.session,
                &fixture.workspace,
                &fixture.preferences,
            )
        },
    );
    harness.get_by_label_contains("Every step of the last 3.00 s is kept.");
    harness.get_by_value("64 MiB");
    harness.state_mut().session.set_budget(0);
    (0..10).for_each(|_| assert!(harness.state_mut().session.step()));
    harness.run();
    harness.get_by_label_contains("before that, every");
}
