//! Plots that a person builds, as edits of the scene: undone like others, and saved with it.

use crate::camera::view::View;
use crate::editing::queue::EditQueue;
use crate::plots::custom::CustomPlots;
use crate::session::Session;
use crate::session::compiling::Asked;
use crate::state::notices::Notices;
use bevy::prelude::*;
use physics::scene::{Amendment, ChartFile, Edit, chart_file};

/// Makes an edit of what was changed in the plots, once nothing is dragged or typed any more.
pub fn note(world: &mut World) {
    let buttons = world.get_resource::<ButtonInput<MouseButton>>();
    let held = buttons.is_some_and(|b| b.pressed(MouseButton::Left));
    let plots = world.resource::<CustomPlots>();
    let typing = world.resource::<View>().typing;
    let compiling = world.resource::<Session>().compiling().is_some();
    if !held && !typing && !compiling && plots.charts != plots.known {
        write(world);
    }
}

/// Lets the scene hold the plots that are shown; those that show nothing yet are left out. True if that is done in the
/// background.
pub fn write(world: &mut World) -> bool {
    let plots = &mut *world.resource_mut::<CustomPlots>();
    plots.known.clone_from(&plots.charts);
    let plots = world.resource::<CustomPlots>();
    let session = world.resource::<Session>();
    let model = session.model();
    let shown = plots.charts.iter().filter(|c| !c.curves.is_empty());
    let charts: Vec<ChartFile> = shown.map(|c| chart_file(c, model)).collect();
    if charts == session.scene().file.charts {
        return false;
    }
    let edit = Edit::new("your plots", vec![Amendment::Charts(charts)]);
    if session.compiles_in_background() {
        let asked = Asked::Edit(Box::new(edit));
        EditQueue::begin(world, asked, Box::new(|_| {}));
        return true;
    }
    if let Err(errors) = world.resource_mut::<Session>().edit(&edit) {
        world.resource_mut::<Notices>().setting = Some(errors.to_string());
    }
    false
}

/// Shows the plots of the scene, where something else than a person has changed them: `before` are those that it had.
pub fn read(world: &mut World, before: &[ChartFile]) {
    let session = world.resource::<Session>();
    if session.scene().file.charts == before {
        return;
    }
    let charts = session.scene().view.charts.clone();
    let mut plots = world.resource_mut::<CustomPlots>();
    plots.known.clone_from(&charts);
    plots.charts = charts;
    plots.edited = None;
}
