//! Plots that a person built, kept per scene from one session to the next.

use crate::plots::custom::CustomPlots;
use crate::plots::custom::absent::{on_model_edited, on_scene_opened};
use crate::schedule::AppSet;
use crate::session::Session;
use crate::state::notices::Notices;
use bevy::prelude::*;
use physics::diagnostics::Chart;
use physics::model::Model;
use physics::scene::{self, ChartFile};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Keeps the plots.
pub struct PlotStorePlugin;

impl Plugin for PlotStorePlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<CustomPlots>()
            .add_observer(on_scene_opened)
            .add_observer(on_model_edited)
            .add_systems(Update, (follow, keep).chain().in_set(AppSet::KeepPlots));
    }
}

/// Plots by the name of their scene, and the file that they are kept in; in memory only without one.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PlotStore {
    path: Option<PathBuf>,
    scenes: BTreeMap<String, Vec<ChartFile>>,
}

/// Where plots are kept: beside the settings.
pub fn place(settings: Option<&Path>) -> Option<PathBuf> {
    Some(settings?.join("plots.json"))
}

impl PlotStore {
    /// What earlier sessions kept in a file. One that cannot be read is left alone until something new is kept.
    pub fn read(path: Option<PathBuf>) -> Self {
        let text = path
            .as_deref()
            .and_then(|p| std::fs::read_to_string(p).ok());
        let scenes = text.and_then(|t| serde_json::from_str(&t).ok());
        Self {
            path,
            scenes: scenes.unwrap_or_default(),
        }
    }

    /// The plots of a scene: those kept, or else those that it brings along.
    pub fn charts(&self, session: &Session) -> Vec<Chart> {
        let model = session.model();
        match self.scenes.get(&session.scene().name) {
            Some(files) => files
                .iter()
                .filter_map(|f| scene::chart(f, model))
                .collect(),
            None => session.scene().view.charts.clone(),
        }
    }

    /// Keeps the plots of a scene; true if that is news. Those that the scene's file holds need not be kept.
    fn keep(&mut self, session: &Session, charts: &[Chart], of_file: &[ChartFile]) -> bool {
        let model: &Model = session.model();
        let files: Vec<ChartFile> = charts.iter().map(|c| scene::chart_file(c, model)).collect();
        let name = &session.scene().name;
        if files == of_file {
            return self.scenes.remove(name).is_some();
        }
        if self.scenes.get(name) == Some(&files) {
            return false;
        }
        self.scenes.insert(name.clone(), files);
        true
    }

    fn write(&self) -> std::io::Result<()> {
        let Some(path) = &self.path else {
            return Ok(());
        };
        let text = serde_json::to_string_pretty(&self.scenes).map_err(std::io::Error::other)?;
        path.parent()
            .map_or(Ok(()), |p: &Path| std::fs::create_dir_all(p))?;
        std::fs::write(path, text)
    }
}

/// Tells the session which quantities are plotted.
fn follow(mut session: ResMut<Session>, custom_plots: Res<CustomPlots>) {
    session.plot(&custom_plots.charts);
}

/// Keeps the plots when they have changed, not while something is dragged.
fn keep(
    session: Res<Session>,
    mut notices: ResMut<Notices>,
    mut custom_plots: ResMut<CustomPlots>,
    buttons: Option<Res<ButtonInput<MouseButton>>>,
    mut known: Local<Option<(u64, Vec<Chart>)>>,
) {
    let dragged = buttons.is_some_and(|b| b.pressed(MouseButton::Left));
    let same = known.as_ref().is_some_and(|(generation, charts)| {
        *generation == session.generation() && *charts == custom_plots.charts
    });
    if dragged || same {
        return;
    }
    let own = &mut *custom_plots;
    // Right after a scene was opened nothing is new.
    let is_news = own.kept.keep(&session, &own.charts, &own.of_file);
    *known = Some((session.generation(), own.charts.clone()));
    if is_news && let Err(error) = custom_plots.kept.write() {
        notices.file = Some(format!("the plots are not kept: {error}"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use physics::diagnostics::{Quantity, TIME};

    fn session(spec: &str) -> Session {
        Session::new(physics::scene::open(spec, &[]).unwrap()).unwrap()
    }

    #[test]
    fn plots_of_a_scene_come_back_in_the_next_session() {
        let folder = std::env::temp_dir().join(format!("driftless-plots-{}", std::process::id()));
        let path = Some(folder.join("plots.json"));
        let pendulum = session("pendulum");
        let model = pendulum.model();
        let chart = Chart {
            title: "energy".into(),
            x: TIME,
            curves: vec![Quantity::named("total_energy", model).unwrap()],
            section: None,
        };
        let mut kept = PlotStore::read(path.clone());
        assert!(kept.charts(&pendulum).is_empty());
        assert!(kept.keep(&pendulum, std::slice::from_ref(&chart), &[]));
        assert!(
            !kept.keep(&pendulum, std::slice::from_ref(&chart), &[]),
            "that is no news"
        );
        kept.write().unwrap();
        let again = PlotStore::read(path);
        assert_eq!(again.charts(&pendulum), [chart]);
        assert!(again.charts(&session("double_pendulum")).is_empty());
        std::fs::remove_dir_all(folder).unwrap();
    }
}
