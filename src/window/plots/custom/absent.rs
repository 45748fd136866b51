//! Plots of what an edit or a moment of the past has taken away: they come back with it, by name.

use crate::plots::custom::CustomPlots;
use crate::session::Session;
use crate::session::events::{ModelEdited, SceneOpened};
use bevy::prelude::*;
use physics::diagnostics::Chart;
use physics::model::Model;
use physics::scene::{self, ChartFile};

/// A plot that has lost something.
#[derive(Debug, Clone, PartialEq)]
pub struct Lost {
    /// All of it.
    whole: ChartFile,
    /// Its place among all plots.
    place: usize,
    /// What is left of it.
    left: Option<ChartFile>,
}

/// The plots follow the scene.
pub fn on_scene_opened(
    _: On<SceneOpened>,
    session: Res<Session>,
    mut custom_plots: ResMut<CustomPlots>,
) {
    let kept = std::mem::take(&mut custom_plots.kept);
    let charts = kept.charts(&session);
    *custom_plots = CustomPlots {
        known: charts.clone(),
        charts,
        of_file: session.scene().file.charts.clone(),
        kept,
        ..CustomPlots::default()
    };
}

/// Plots stay with the bodies and joints that they show, by name.
pub fn on_model_edited(edited: On<ModelEdited>, mut custom_plots: ResMut<CustomPlots>) {
    let ModelEdited { before, after } = edited.event();
    let plots = &mut *custom_plots;
    let was_known = plots.charts == plots.known;
    let charts = charts((before, &plots.charts), after, &mut plots.absent);
    if charts.len() != plots.charts.len() {
        plots.edited = None;
    }
    plots.charts = charts;
    if was_known {
        plots.known.clone_from(&plots.charts);
    }
}

/// The plots of a model in another one. What is not there is put away, what is there again comes back.
fn charts((before, charts): (&Model, &[Chart]), after: &Model, away: &mut Vec<Lost>) -> Vec<Chart> {
    let mut known = std::mem::take(away);
    let mut wanted: Vec<ChartFile> = Vec::with_capacity(charts.len());
    for chart in charts {
        if !chart.quantities().all(|q| q.owner.is_in(before)) {
            continue;
        }
        let file = scene::chart_file(chart, before);
        let at = known.iter().position(|l| l.left.as_ref() == Some(&file));
        wanted.push(at.map_or(file, |k| known.remove(k).whole));
    }
    // What is left now was changed or removed by a person, or is not there at all.
    for lost in known.into_iter().filter(|l| l.left.is_none()) {
        wanted.insert(lost.place.min(wanted.len()), lost.whole);
    }
    let mut out = Vec::new();
    for (place, whole) in wanted.into_iter().enumerate() {
        let gone = |c: &Chart| {
            (c.curves.is_empty() && !whole.curves.is_empty())
                || c.section.is_some() != whole.section.is_some()
        };
        let chart = scene::chart(&whole, after).filter(|c| !gone(c));
        let left = chart.as_ref().map(|c| scene::chart_file(c, after));
        if left.as_ref() != Some(&whole) {
            away.push(Lost { whole, place, left });
        }
        out.extend(chart);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use physics::diagnostics::Quantity;

    fn model(spec: &str) -> Model {
        physics::scene::open(spec, &[]).unwrap().model
    }

    fn chart(names: &[&str], model: &Model) -> Chart {
        let curves = names.iter().map(|n| Quantity::named(n, model).unwrap());
        Chart {
            curves: curves.collect(),
            ..Chart::default()
        }
    }

    #[test]
    fn plots_come_back_with_what_they_show_unless_they_were_removed_meanwhile() {
        let [two, one] = ["double_pendulum", "pendulum"].map(model);
        let all = [
            chart(&["upper.z", "total_energy", "lower.z"], &two),
            chart(&["upper.x"], &two),
            chart(&["time"], &two),
        ];
        let mut away = Vec::new();
        let fewer = charts((&two, &all), &one, &mut away);
        let energy = chart(&["total_energy"], &one);
        assert_eq!(fewer, [energy.clone(), chart(&["time"], &one)]);
        let mut again = away.clone();
        assert_eq!(charts((&one, &fewer), &two, &mut again), all);
        assert!(again.is_empty());
        // Twice in a row nothing more is lost.
        let same = charts((&one, &fewer), &one, &mut away);
        assert_eq!(same, fewer);
        assert_eq!(charts((&one, &same), &two, &mut away.clone()), all);
        // One that was removed by hand stays away.
        let back = charts((&one, &fewer[1..]), &two, &mut away);
        assert_eq!(back, [all[2].clone(), all[1].clone()], "each in its place");
    }
}
