//! What an edit or a moment of the past leaves as it was: selection, camera, plots and trails stay with their items, by
//! name, and come back with them.

use crate::camera::motion::{CameraMode, CameraMotion};
use crate::camera::view::View;
use crate::session::Session;
use crate::session::trails::TrailPoint;
use crate::state::selection::Selection;
use crate::state::shell::Shell;
use physics::diagnostics::Chart;
use physics::math::Vec3;
use physics::model::{BodyId, JointId, Model};
use physics::scene::editing::{Section, renamed};
use physics::scene::{self, ChartFile};

/// What is selected, by name.
pub fn name(model: &Model, selection: Selection) -> Option<(Section, &str)> {
    Some(match selection {
        Selection::Body(BodyId(k)) => (Section::Bodies, &model.bodies.get(k)?.name),
        Selection::Joint(JointId(k)) => (Section::Joints, &model.joints.get(k)?.name),
        Selection::Cable(k) => (Section::Cables, &model.cables.get(k)?.name),
        Selection::Coupling(k) => (Section::Couplings, &model.couplings.get(k)?.name),
        Selection::Spring(k) => (Section::Springs, model.forces.get(k)?.name()),
        Selection::Wrench(k) => (Section::Wrenches, model.forces.get(k)?.name()),
        // It has no name, and an edit may be the end of it.
        Selection::Contact(_) => return None,
    })
}

/// The item of that name.
pub fn find(model: &Model, section: Section, name: &str) -> Option<Selection> {
    let force = || {
        let is_wrench = section == Section::Wrenches;
        let mut forces = model.forces.iter();
        forces.position(|f| f.name() == name && f.is_wrench() == is_wrench)
    };
    match section {
        Section::Bodies => model.body(name).map(Selection::Body),
        Section::Joints => model.joint(name).map(Selection::Joint),
        Section::Couplings => {
            let at = model.couplings.iter().position(|c| c.name == name);
            at.map(Selection::Coupling)
        }
        Section::Cables => {
            let at = model.cables.iter().position(|c| c.name == name);
            at.map(Selection::Cable)
        }
        Section::Springs => force().map(Selection::Spring),
        Section::Wrenches => force().map(Selection::Wrench),
        Section::Materials => None,
    }
}

/// Keeps selection and camera to what they were kept to in the model before, by name.
pub fn keep_to(before: &Model, session: &Session, shell: &mut Shell, view: &mut View) {
    let after = session.simulation.model();
    let called = renamed(before, after);
    let before = called.as_ref().unwrap_or(before);
    let moved = |selection| {
        let (section, name) = name(before, selection)?;
        find(after, section, name)
    };
    shell.selection = shell.selection.and_then(moved);
    if let CameraMode::Following(body) = view.motion.mode {
        match moved(Selection::Body(body)) {
            Some(Selection::Body(now)) => view.motion.mode = CameraMode::Following(now),
            _ => view.motion = CameraMotion::default(),
        }
    }
}

/// Plots and trails of what is not there now, until it is there again.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Away {
    charts: Vec<Lost>,
    trails: Vec<(String, Vec3)>,
}

/// A plot that has lost something.
#[derive(Debug, Clone, PartialEq)]
struct Lost {
    /// All of it.
    whole: ChartFile,
    /// Its place among all plots.
    place: usize,
    /// What is left of it.
    left: Option<ChartFile>,
}

/// Keeps plots and trails to the bodies and joints of which they were in the model before, by name.
pub fn keep_points(before: &Model, session: &Session, shell: &mut Shell) {
    let after = session.simulation.model();
    let called = renamed(before, after);
    let before = called.as_ref().unwrap_or(before);
    let was_known = shell.custom_plots.charts == shell.custom_plots.known;
    let charts = charts(
        (before, &shell.custom_plots.charts),
        after,
        &mut shell.editor.away.charts,
    );
    if charts.len() != shell.custom_plots.charts.len() {
        shell.custom_plots.edited = None;
    }
    shell.custom_plots.charts = charts;
    if was_known {
        shell
            .custom_plots
            .known
            .clone_from(&shell.custom_plots.charts);
    }
    let away = &mut shell.editor.away.trails;
    shell.layers.trails.retain_mut(|trail| {
        let Some(body) = before.bodies.get(trail.body.0) else {
            return false;
        };
        let now = after.body(&body.name);
        match now {
            Some(now) => trail.body = now,
            None => away.push((body.name.clone(), trail.point)),
        }
        now.is_some()
    });
    let trails = &mut shell.layers.trails;
    away.retain(|(name, point)| {
        let back = after.body(name);
        trails.extend(back.map(|body| TrailPoint {
            body,
            point: *point,
        }));
        back.is_none()
    });
    // Until something is pointed at again.
    shell.pointed.clear();
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
