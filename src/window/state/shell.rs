//! What the window shows beside the running scene: open panels, theme, selection, messages, lists of scenes.

use crate::camera::path::CameraMove;
use crate::editing::{EditorState, Question};
use crate::palette::PaletteState;
use crate::playback::jobs::BesideStatus;
use crate::plots::custom::CustomPlots;
use crate::scenes::gallery::GalleryState;
use crate::scenes::opening::OpeningStatus;
use crate::session::Session;
use crate::solver::SolverView;
use crate::state::layers::{Layer, Layers};
use crate::state::panels::{Bench, Side};
use crate::state::preferences::Preferences;
use crate::state::recording::{Progress, RecordSettings};
use crate::state::selection::Selection;
use crate::theme::size;
use bevy::prelude::Resource;
use physics::model::BodyId;
use physics::scene::Plot;
use std::path::PathBuf;

/// State of the interface.
#[derive(Resource, Debug, Clone)]
pub struct Shell {
    /// Dark or light.
    pub dark: bool,
    /// Scale of the interface; 1 is the display's own.
    pub scale: f32,
    /// Whether anything but the view is shown.
    pub panels: bool,
    /// Whether the plots are shown.
    pub plots: bool,
    /// What the side panel shows.
    pub side: Option<Side>,
    /// What the panel below the view shows.
    pub bench: Option<Bench>,
    /// How the solver's picture is seen.
    pub solver: SolverView,
    /// Plots that a person built.
    pub custom_plots: CustomPlots,
    /// What a panel points at, lit in the view.
    pub pointed: Vec<Selection>,
    /// Whether the help is shown.
    pub help: bool,
    /// Whether machine and frame rate are shown.
    pub info: bool,
    /// Floor and grid.
    pub grid: bool,
    /// Shadows.
    pub shadows: bool,
    /// Joints and springs.
    pub joints: bool,
    /// What is drawn on top of the bodies.
    pub layers: Layers,
    /// Selected body or joint.
    pub selection: Option<Selection>,
    /// Name of the scene that is open.
    pub scene: String,
    /// Scenes to choose from.
    pub catalogue: Vec<Entry>,
    /// Files opened before, newest first.
    pub recent: Vec<PathBuf>,
    /// What is remembered from one time to the next, beside what is shown.
    pub preferences: Preferences,
    /// The gallery, while it is open.
    pub gallery: Option<GalleryState>,
    /// The scene that is being opened.
    pub opening: Option<OpeningStatus>,
    /// The search for everything, while it is open.
    pub palette: Option<PaletteState>,
    /// What is typed into the search of the scene list.
    pub search: String,
    /// Plots that are shown, in order.
    pub charts: Vec<Plot>,
    /// Part of the time axis that the plots show.
    pub plot_view: PlotView,
    /// How videos are recorded.
    pub recording: RecordSettings,
    /// Whether what happens is being recorded.
    pub is_recording: bool,
    /// Films in the making.
    pub films: Vec<FilmStatus>,
    /// Work on takes that is done beside the window.
    pub beside: Vec<BesideStatus>,
    /// What is kept for editing.
    pub editor: EditorState,
    /// Messages.
    pub notices: Notices,
    /// Name of the graphics adapter.
    pub adapter: String,
    /// Frames per second, averaged.
    pub frame_rate: f64,
    /// The body that the pointer would pull, lit in the view.
    pub in_reach: Option<BodyId>,
    /// Whether the pointer pulls a body or could.
    pub can_pull: bool,
    /// Whether the pointer is over a body and nobody has pulled one yet, who might not know how.
    pub invites: bool,
}

impl Default for Shell {
    fn default() -> Self {
        Self {
            dark: true,
            scale: 1.0,
            panels: true,
            plots: true,
            side: None,
            bench: None,
            solver: SolverView::default(),
            custom_plots: CustomPlots::default(),
            pointed: Vec::new(),
            help: false,
            info: false,
            grid: true,
            shadows: true,
            joints: true,
            layers: Layers::default(),
            selection: None,
            scene: String::new(),
            catalogue: Vec::new(),
            recent: Vec::new(),
            preferences: Preferences::default(),
            gallery: None,
            opening: None,
            palette: None,
            search: String::new(),
            charts: Vec::new(),
            plot_view: PlotView::default(),
            recording: RecordSettings::default(),
            is_recording: false,
            films: Vec::new(),
            beside: Vec::new(),
            editor: EditorState::default(),
            notices: Notices::default(),
            adapter: String::new(),
            frame_rate: 0.0,
            in_reach: None,
            can_pull: false,
            invites: false,
        }
    }
}

/// A scene that can be opened.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Entry {
    /// What opens it: a name, or a generator with its parameters.
    pub spec: String,
    /// Name shown to people.
    pub title: String,
    /// What it belongs to.
    pub group: String,
    /// One line on what there is to see.
    pub description: String,
    /// Whether it is a generator, whose parameters can be edited.
    pub generated: bool,
}

/// A film in the making, as it is shown.
#[derive(Debug, Clone, PartialEq)]
pub struct FilmStatus {
    /// Where it will be.
    pub path: PathBuf,
    /// How far it has got.
    pub progress: Progress,
    /// How many frames it will have, if that is known.
    pub frames: Option<u64>,
    /// Whether it was asked to end.
    pub stops: bool,
}

/// Part of the time axis that the plots show.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PlotView {
    /// Whether it moves along with the simulation.
    pub follow: bool,
    /// First and last time shown [s].
    pub range: [f64; 2],
}

/// Greatest length of the time axis while it follows the simulation [s].
const SPAN: f64 = 20.0;
/// Its length at first, from which it grows with the run [s].
const SHORTEST: f64 = 2.0;

impl Default for PlotView {
    fn default() -> Self {
        Self {
            follow: true,
            range: [0.0, SHORTEST],
        }
    }
}

impl PlotView {
    /// The range to show at a time, which it moves to if it follows.
    pub fn at(&mut self, time: f64) -> [f64; 2] {
        if self.follow {
            let end = time.max(SHORTEST);
            self.range = [(end - SPAN).max(0.0), end];
        }
        self.range
    }

    /// The range to show at a moment of a run that ends at a time. In the past a range that follows stays where it is
    /// while the moment lies in it.
    pub fn around(&mut self, time: f64, end: f64) -> [f64; 2] {
        let [from, to] = self.range;
        if time >= end || !self.follow {
            return self.at(time);
        }
        if (from..=to).contains(&time) {
            return self.range;
        }
        // What is drawn is a little behind what is known, which is no past yet.
        let [from, to] = self.at(end);
        if !(from..=to).contains(&time) {
            let width = to - from;
            let from = (time - 0.5 * width).max(0.0);
            self.range = [from, from + width];
        }
        self.range
    }
}

/// Messages by where they come from: each stays until its cause is mended.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Notices {
    /// Why a scene was not opened.
    pub scene: Option<String>,
    /// Why a setting was not taken.
    pub setting: Option<String>,
    /// Why a file was not written.
    pub file: Option<String>,
    /// What of the settings could not be read or written.
    pub memory: Option<String>,
    /// What a step had to give up, and how long ago it was said [s].
    pub warning: Option<(String, f32)>,
    /// Something worth knowing, and how long it has been shown [s].
    pub hint: Option<(String, f32)>,
}

/// How long a hint stays [s].
const HINT: f32 = 9.0;

impl Notices {
    /// Says something worth knowing for a while.
    pub fn hint(&mut self, text: impl Into<String>) {
        self.hint = Some((text.into(), 0.0));
    }

    /// Says what a step had to give up.
    pub fn warn(&mut self, text: impl Into<String>) {
        self.warning = Some((text.into(), 0.0));
    }

    /// Lets hints and warnings fade.
    pub fn age(&mut self, seconds: f32) {
        for said in [&mut self.hint, &mut self.warning] {
            if let Some((_, age)) = said {
                *age += seconds;
                if *age > HINT {
                    *said = None;
                }
            }
        }
    }
}

/// How much a message matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Level {
    /// Something failed and is not mended.
    Failure,
    /// Something went on, but not as it should.
    Warning,
    /// Something to know.
    Hint,
}

impl Shell {
    /// The message that the status line shows.
    pub fn status(&self, failure: Option<&str>) -> Option<(Level, String)> {
        let Notices {
            scene,
            setting,
            file,
            memory,
            warning,
            hint,
        } = &self.notices;
        let failed = failure
            .or(scene.as_deref())
            .or(setting.as_deref())
            .or(file.as_deref())
            .or(memory.as_deref());
        let said = |level: Level, said: &Option<(String, f32)>| {
            said.as_ref().map(|(text, _)| (level, text.clone()))
        };
        failed
            .map(|text| (Level::Failure, text.to_owned()))
            .or_else(|| said(Level::Warning, warning))
            .or_else(|| said(Level::Hint, hint))
    }

    /// Shows one of the panels below the view, or hides it if it is shown.
    pub fn toggle_bench(&mut self, bench: Bench) {
        self.bench = (self.bench != Some(bench)).then_some(bench);
    }

    /// Shows or hides a layer.
    pub fn toggle(&mut self, layer: Layer) {
        let shown = match layer {
            Layer::Grid => &mut self.grid,
            Layer::Shadows => &mut self.shadows,
            Layer::Joints => &mut self.joints,
            marked => match self.layers.style_mut(marked) {
                Some(style) => &mut style.shown,
                None => return,
            },
        };
        *shown = !*shown;
    }

    /// Opens or closes the gallery.
    pub fn toggle_gallery(&mut self) {
        self.gallery = match self.gallery {
            Some(_) => None,
            None => Some(GalleryState::asked()),
        };
        self.panels |= self.gallery.is_some();
    }

    /// Closes what lies over the view or stands beside it for a choice; false if nothing does.
    pub fn close_topmost(&mut self) -> bool {
        self.palette.take().is_some()
            || std::mem::take(&mut self.help)
            || self.gallery.take().is_some()
    }

    /// Makes the interface larger or smaller.
    pub fn rescale(&mut self, steps: i32) {
        let (least, most, step) = size::SCALE;
        self.scale = match steps {
            0 => 1.0,
            n => (self.scale + n as f32 * step).clamp(least, most),
        };
    }

    /// A scene with contact that asks for no plot of it gets two, in the place of iterations, which are written over
    /// the view as well. One without joints has no drift to plot.
    fn suit_charts(&mut self, session: &Session) {
        const CONTACT: [Plot; 6] = [
            Plot::Contacts,
            Plot::Penetration,
            Plot::Complementarity,
            Plot::Losses,
            Plot::BodyGap,
            Plot::BodyForce,
        ];
        let model = session.simulation.model();
        if model.contact.is_none() || self.charts.iter().any(|c| CONTACT.contains(c)) {
            return;
        }
        let idle = |c: &Plot| match c {
            Plot::Iterations => true,
            Plot::Drift => model.joints.is_empty(),
            _ => false,
        };
        self.charts.retain(|c| !idle(c));
        self.charts.extend([Plot::Penetration, Plot::BodyForce]);
    }

    /// Forgets what belongs to the scene that was open before.
    pub fn scene_opened(&mut self, session: &Session) {
        self.selection = None;
        // These belong to bodies of the scene before.
        self.layers.trails.clear();
        let kept = std::mem::take(&mut self.custom_plots.kept);
        let charts = kept.charts(session);
        self.custom_plots = CustomPlots {
            known: charts.clone(),
            charts,
            of_file: session.scene.file.charts.clone(),
            kept,
            ..CustomPlots::default()
        };
        self.scene.clone_from(&session.scene.name);
        // Views and bodies are those of one scene.
        if matches!(
            self.recording.camera,
            CameraMove::Through(_) | CameraMove::Follow(_)
        ) {
            self.recording.camera = CameraMove::Scene;
        }
        self.plot_view = PlotView::default();
        self.charts.clone_from(&session.scene.view.plots);
        self.suit_charts(session);
        // What the solver does is shown for every scene.
        for plot in [Plot::Residual, Plot::Newton] {
            if !self.charts.contains(&plot) {
                self.charts.push(plot);
            }
        }
        self.notices.scene = None;
        self.notices.setting = None;
        self.editor.refused.clear();
        self.editor.mode = Default::default();
        self.editor.away = Default::default();
        self.editor.broken = false;
        // What an earlier session left can still be restored.
        self.editor
            .question
            .take_if(|q| !matches!(q, Question::Draft(_)));
        self.editor.draft = None;
        if let Some(replaced) = &session.replaced {
            self.notices.hint(replaced.clone());
            return;
        }
        let moved = &session.scene.assembly;
        if moved.moved_position > 1e-6 || moved.moved_angle > 1e-6 {
            self.notices.hint(format!(
                "The first pose was moved by {} and {} to close the joints.",
                crate::text::format::quantity(moved.moved_position, "m"),
                crate::text::format::quantity(moved.moved_angle, "rad"),
            ));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hint_fades_and_an_error_stays_until_it_is_mended() {
        let mut shell = Shell::default();
        shell.notices.hint("Ctrl + drag to pull");
        shell.notices.scene = Some("no such scene".into());
        shell.notices.age(100.0);
        assert_eq!(
            shell.status(None),
            Some((Level::Failure, "no such scene".into()))
        );
        assert_eq!(
            shell.status(Some("too fast")),
            Some((Level::Failure, "too fast".into()))
        );
        shell.notices.scene = None;
        assert_eq!(shell.status(None), None);
    }

    #[test]
    fn the_time_axis_follows_until_it_is_held() {
        let mut view = PlotView::default();
        assert_eq!(view.at(0.5), [0.0, SHORTEST]);
        assert_eq!(view.at(3.0), [0.0, 3.0]);
        assert_eq!(view.at(50.0), [50.0 - SPAN, 50.0]);
        view.follow = false;
        assert_eq!(view.at(90.0), [50.0 - SPAN, 50.0]);
    }

    #[test]
    fn the_time_axis_keeps_still_in_the_past_until_the_moment_would_leave_it() {
        let mut view = PlotView::default();
        assert_eq!(view.around(90.0, 90.0), [90.0 - SPAN, 90.0]);
        assert_eq!(view.around(75.0, 90.0), [90.0 - SPAN, 90.0]);
        assert_eq!(
            view.around(40.0, 90.0),
            [40.0 - 0.5 * SPAN, 40.0 + 0.5 * SPAN]
        );
        assert_eq!(view.around(1.0, 90.0), [0.0, SPAN]);
        assert_eq!(
            view.around(90.0, 90.0),
            [90.0 - SPAN, 90.0],
            "at the end it follows again"
        );
        // While a run is young, what is drawn lags behind its end by a frame.
        let mut young = PlotView::default();
        assert_eq!(young.around(1.9, 2.0), [0.0, SHORTEST]);
        assert_eq!(young.around(2.1, 2.2), [0.0, 2.2]);
    }
}
