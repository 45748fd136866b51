//! Figures of papers: chosen in the gallery, run in the background while their scene plays, and judged.

pub mod cards_ui;
mod chart;
pub mod panel_ui;
pub mod run;
pub(crate) mod words;

use crate::commands::papers::{Effort, PapersCommand};
use crate::commands::{Command, CommandQueue};
use crate::jobs::Jobs;
use crate::papers::run::{Run, RunState, Status};
use crate::scenes::files;
use crate::scenes::gallery::GalleryState;
use crate::schedule::AppSet;
use crate::session::Session;
use crate::state::notices::Notices;
use crate::state::panels::PanelId;
use crate::state::workspace::Workspace;
use bevy::prelude::*;
use reproduce::{ITEMS, Item, UNRUN};
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// Runs figures.
pub struct PapersPlugin;

impl Plugin for PapersPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<Papers>()
            .add_systems(Update, hear.in_set(AppSet::Papers));
    }
}

/// The figures of papers in this window.
#[derive(Resource)]
pub struct Papers {
    /// Whether the gallery shows papers, not scenes.
    pub tab: bool,
    /// What is searched for among them.
    pub search: String,
    /// Whether the search field takes the keys as soon as it is drawn.
    pub wants_keys: bool,
    /// How much the next run is.
    pub effort: Effort,
    /// The figure that is shown beside the view.
    shown: Option<usize>,
    /// The figure that runs.
    run: Option<(usize, Run)>,
    /// What there is of those that were run since the window was opened.
    records: BTreeMap<usize, RunState>,
}

impl Default for Papers {
    fn default() -> Self {
        Self {
            tab: false,
            search: String::new(),
            wants_keys: false,
            effort: Effort::Quick,
            shown: None,
            run: None,
            records: BTreeMap::new(),
        }
    }
}

impl Papers {
    /// The figure that is shown beside the view, with its place.
    pub fn shown(&self) -> Option<(usize, &'static Item)> {
        let place = self.shown?;
        Some((place, ITEMS.get(place)?))
    }

    /// What there is of a figure.
    pub fn record(&self, place: usize) -> Option<&RunState> {
        self.records.get(&place)
    }

    /// Whether a figure is running.
    pub fn is_running(&self, place: usize) -> bool {
        self.run.as_ref().is_some_and(|(at, _)| *at == place)
    }

    /// Begins to run a figure and shows it.
    pub fn begin(&mut self, jobs: &Jobs, place: usize) {
        let Some(item) = ITEMS.get(place) else {
            return;
        };
        self.end();
        let run = Run::begin(jobs, *item, self.effort);
        // What was known of an earlier run is out of date at once, and this one can be ended before it tells anything.
        self.records.insert(place, run.outset());
        self.run = Some((place, run));
        self.shown = Some(place);
    }

    /// Shows a figure as it was run last.
    pub fn look(&mut self, place: usize) {
        self.shown = Some(place);
    }

    /// Takes what the run has told, and lets go of one that has ended.
    pub fn hear(&mut self) {
        let Some((place, run)) = &mut self.run else {
            return;
        };
        let Some(record) = run.news() else {
            return;
        };
        let goes_on = matches!(record.status, Status::Running(_));
        self.records.insert(*place, record);
        if !goes_on {
            self.run = None;
        }
    }

    /// Ends the run. What its thread is doing right now it does to its end, for nobody.
    fn end(&mut self) {
        self.hear();
        if let Some((place, _)) = self.run.take()
            && let Some(record) = self.records.get_mut(&place)
        {
            record.status = Status::Cancelled;
        }
    }
}

/// What figures are called, by their places: made once, since a plot is drawn for each.
pub fn titles() -> &'static [String] {
    static ALL: LazyLock<Vec<String>> = LazyLock::new(|| ITEMS.iter().map(Item::title).collect());
    &ALL
}

/// What the command palette offers: name, what else is searched, whether it cannot be run, and what it does.
pub fn rows() -> impl Iterator<Item = (String, &'static str, bool, Command)> {
    let named = |paper, figure, title: &str| format!("{}: {title}", words::cited(paper, figure));
    let run = ITEMS.iter().enumerate().map(move |(place, item)| {
        let name = named(item.paper, item.figure, &titles()[place]);
        let action = Command::Papers(PapersCommand::Run(place));
        (name, item.claim, false, action)
    });
    run.chain(UNRUN.iter().map(move |unrun| {
        let name = named(unrun.paper, unrun.figure, unrun.title);
        let action = Command::Papers(PapersCommand::Show);
        (name, unrun.lacks, true, action)
    }))
}

/// Hears how the run goes.
fn hear(mut papers: ResMut<Papers>) {
    // Asked for by reading first, so that what depends on the figures sees a change only where there is one.
    if papers.run.is_some() {
        papers.hear();
    }
}

/// Carries a command out.
pub fn carry_out(
    In(command): In<PapersCommand>,
    mut papers: ResMut<Papers>,
    mut workspace: ResMut<Workspace>,
    mut gallery: ResMut<GalleryState>,
    mut notices: ResMut<Notices>,
    mut asked: ResMut<CommandQueue>,
    session: Res<Session>,
    jobs: Res<Jobs>,
) {
    let papers = &mut *papers;
    papers.hear();
    match command {
        PapersCommand::Show => {
            papers.tab = true;
            papers.wants_keys = true;
            if !workspace.gallery {
                *gallery = GalleryState::default();
            }
            (workspace.gallery, workspace.panels) = (true, true);
        }
        PapersCommand::Tab(tab) => papers.tab = tab,
        PapersCommand::Run(place) => {
            papers.begin(&jobs, place);
            show(&mut workspace);
            let scene = ITEMS.get(place).and_then(|item| item.scene.scene());
            asked.0.extend(scene.map(|s| Command::Open(s.into())));
        }
        PapersCommand::Look(place) => {
            papers.look(place);
            show(&mut workspace);
        }
        PapersCommand::Effort(effort) => papers.effort = effort,
        PapersCommand::Cancel => papers.end(),
        PapersCommand::OpenScene(ends) => {
            let Some((place, item)) = papers.shown() else {
                return;
            };
            if ends {
                papers.end();
            } else if papers.is_running(place) {
                notices.hint(words::LEFT);
            }
            papers.shown = None;
            // The one that plays already is left as it is.
            let scene = item.scene.scene().filter(|s| files::spec(&session) != **s);
            asked.0.extend(scene.map(|s| Command::Open(s.into())));
        }
        PapersCommand::Close => papers.shown = None,
    }
}

/// Makes room for the figure beside the view: in the place of the plots, in front of what else is there.
fn show(workspace: &mut Workspace) {
    workspace.gallery = false;
    workspace.panels = true;
    if workspace.in_front_of(PanelId::Plots).is_some() {
        workspace.open(PanelId::Plots);
    }
}
