//! Plots that a person builds, as edits of the scene: undone like others, and saved with it.

use crate::camera::view::View;
use crate::session::Session;
use crate::state::shell::Shell;
use bevy::prelude::*;
use physics::scene::{Amendment, ChartFile, Edit, chart_file};

/// Makes an edit of what was changed in the plots, once nothing is dragged or typed any more.
pub fn note(
    mut session: ResMut<Session>,
    mut shell: ResMut<Shell>,
    view: Res<View>,
    buttons: Option<Res<ButtonInput<MouseButton>>>,
) {
    let held = buttons.is_some_and(|b| b.pressed(MouseButton::Left));
    if !held && !view.typing && shell.custom_plots.charts != shell.custom_plots.known {
        write(&mut session, &mut shell);
    }
}

/// Lets the scene hold the plots that are shown; those that show nothing yet are left out.
pub fn write(session: &mut Session, shell: &mut Shell) {
    shell
        .custom_plots
        .known
        .clone_from(&shell.custom_plots.charts);
    let model = session.simulation.model();
    let shown = shell
        .custom_plots
        .charts
        .iter()
        .filter(|c| !c.curves.is_empty());
    let charts: Vec<ChartFile> = shown.map(|c| chart_file(c, model)).collect();
    if charts == session.scene.file.charts {
        return;
    }
    let edit = Edit::new("your plots", vec![Amendment::Charts(charts)]);
    if let Err(errors) = session.edit(&edit) {
        shell.notices.setting = Some(errors.to_string());
    }
}

/// Shows the plots of the scene, where something else than a person has changed them: `before` are those that it had.
pub fn read(before: &[ChartFile], session: &Session, shell: &mut Shell) {
    if session.scene.file.charts == before {
        return;
    }
    shell
        .custom_plots
        .charts
        .clone_from(&session.scene.view.charts);
    shell
        .custom_plots
        .known
        .clone_from(&shell.custom_plots.charts);
    shell.custom_plots.edited = None;
}
