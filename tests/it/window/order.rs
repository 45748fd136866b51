//! That what happens in a frame has one order: every window of these tests demands it of its schedules.

use crate::window::blind::{demand_order, window};
use bevy::prelude::*;
use driftless::window::schedule::{AppSet, order};
use driftless::window::state::notices::Notices;

fn first(mut notices: ResMut<Notices>) {
    notices.hint("first");
}

fn second(mut notices: ResMut<Notices>) {
    notices.hint("second");
}

#[test]
#[should_panic(expected = "indeterminate execution order")]
fn two_features_that_write_the_same_without_an_order_are_an_error() {
    let mut app = App::new();
    demand_order(&mut app, Update);
    app.init_resource::<Notices>()
        .add_systems(Update, (first, second));
    app.update();
}

#[test]
fn the_sets_are_an_order() {
    let mut app = App::new();
    demand_order(&mut app, Update);
    order(&mut app);
    app.init_resource::<Notices>().add_systems(
        Update,
        (second.in_set(AppSet::Tell), first.in_set(AppSet::Apply)),
    );
    app.update();
    let said = app.world().resource::<Notices>().hint.clone();
    assert_eq!(said.map(|(text, _)| text).as_deref(), Some("second"));
}

#[test]
fn the_features_of_the_window_have_an_order() {
    // A schedule without one panics when it is run.
    let mut app = window("double_pendulum", 1);
    app.update();
}
