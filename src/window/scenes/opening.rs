//! Opens scenes in the background: the one that runs goes on until the next is ready.

use crate::jobs::{Cancel, Job, Jobs, Reporter};
use crate::session::Session;
use crate::state::draft::Draft;
use bevy::prelude::Resource;
use physics::scene;
use std::time::Duration;

/// How long a frame may wait for a scene, so that small ones are there at once (s).
const AT_ONCE: Duration = Duration::from_millis(30);

/// A scene that is ready to take the place of another, or why there is none.
pub type Opened = Result<Box<Session>, String>;

/// Why a scene is opened, which decides what is kept of the one that it takes the place of.
#[derive(Debug, Clone, PartialEq)]
pub enum Intent {
    /// Somebody chose it: it is played as it asks to be.
    Show,
    /// Its files have changed: camera, selection and whether time goes on stay as they are.
    Again {
        /// The scene that is open, by its generation, and its edits, by their revision, when it was asked for.
        of: (u64, u64),
    },
    /// The same generator with other parameters: the direction of view and whether time goes on stay as they are.
    Rebuild,
    /// The parameters before, by undo, with the edits that were made under them.
    Back,
    /// The parameters that undo has left, with the edits that were made under them.
    Forth,
    /// Edits that an earlier session left are put back.
    Restore(Draft),
}

/// A scene that has arrived, or why there is none.
pub struct Arrival {
    /// What was asked for.
    pub spec: String,
    /// Why.
    pub intent: Intent,
    /// The scene.
    pub opened: Opened,
}

/// How far a scene has got.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// Its text becomes bodies and joints, which are put in their places.
    Reading,
    /// Its simulation is prepared.
    Preparing,
}

impl Stage {
    /// In words.
    pub fn words(self) -> &'static str {
        match self {
            Self::Reading => "reading and assembling",
            Self::Preparing => "preparing the simulation",
        }
    }
}

/// What the window shows of a scene that is being opened.
#[derive(Debug, Clone, PartialEq)]
pub struct OpeningStatus {
    /// What was asked for.
    pub spec: String,
    /// How far it has got.
    pub stage: Stage,
    /// How long it has taken (s).
    pub seconds: f64,
}

/// A scene that is being opened.
struct Opening {
    spec: String,
    intent: Intent,
    /// Nothing comes of one that was cancelled.
    job: Job<Option<Opened>, Stage>,
}

impl Opening {
    fn begin(jobs: &Jobs, spec: String, intent: Intent) -> Self {
        let (what, asked) = (format!("Opening {spec}"), spec.clone());
        let job = jobs.start(what, Cancel::GivesUp, move |reporter| {
            open(&asked, reporter)
        });
        Self { spec, intent, job }
    }
}

/// Opens scenes, one at a time: the last that was asked for.
#[derive(Resource, Default)]
pub struct Opener {
    jobs: Jobs,
    now: Option<Opening>,
    /// The parameters to which a slider has moved on while a scene is built with others.
    next: Option<String>,
}

impl Opener {
    /// One whose work is among the jobs of a window.
    pub fn among(jobs: &Jobs) -> Self {
        Self {
            jobs: jobs.clone(),
            ..Self::default()
        }
    }

    /// Begins to open a scene; one that is being opened is given up.
    ///
    /// Only a scene that is built anew while its parameters move on is awaited, so that a slider neither starves it nor
    /// begins a scene for every point that it passes.
    pub fn begin(&mut self, spec: &str, intent: Intent) {
        let rebuilds = self.is_opening(|i| *i == Intent::Rebuild);
        if rebuilds && intent == Intent::Rebuild {
            let same = self.now.as_ref().is_some_and(|now| now.spec == spec);
            self.next = (!same).then(|| spec.to_owned());
            return;
        }
        self.cancel();
        self.now = Some(Opening::begin(&self.jobs, spec.to_owned(), intent));
    }

    /// Gives up the scene that is being opened. What is being done right now is done to its end, for nobody.
    pub fn cancel(&mut self) {
        self.next = None;
        self.now = None;
    }

    /// Whether a scene is being opened for a reason such as this.
    pub fn is_opening(&self, reason: impl Fn(&Intent) -> bool) -> bool {
        self.now.as_ref().is_some_and(|now| reason(&now.intent))
    }

    /// The scene, once it is ready, and what it was asked for by. Waits no longer than a frame can spare, and only in
    /// the frame in which it was asked for.
    pub fn take(&mut self) -> Option<Arrival> {
        let ended = self.now.as_mut()?.job.wait_until(AT_ONCE)?;
        let Opening { spec, intent, job } = self.now.take()?;
        if let Some(next) = self.next.take() {
            self.now = Some(Opening::begin(&self.jobs, next, Intent::Rebuild));
        }
        if job.progress().cancelled {
            return None;
        }
        Some(Arrival {
            spec,
            intent,
            opened: ended.unwrap_or_else(|panicked| Some(Err(panicked.to_string())))?,
        })
    }

    /// What is shown of it.
    pub fn status(&self) -> Option<OpeningStatus> {
        self.now.as_ref().map(|opening| OpeningStatus {
            spec: self.next.as_ref().unwrap_or(&opening.spec).clone(),
            stage: opening.job.reporter().note().unwrap_or(Stage::Reading),
            seconds: opening.job.progress().seconds,
        })
    }
}

/// Opens a scene; nothing if nobody wants it any more.
fn open(spec: &str, reporter: &Reporter<Stage>) -> Option<Opened> {
    let scene = match scene::open(spec, &[]) {
        Ok(scene) => scene,
        Err(error) => return Some(Err(error.to_string())),
    };
    if reporter.is_cancelled() {
        return None;
    }
    reporter.tell(Stage::Preparing);
    let session = Session::new(scene).map_err(|e| e.to_string());
    Some(session.map(Box::new))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::thread;
    use std::time::Instant;

    /// Waits for the scene that is being opened.
    fn wait(opener: &mut Opener) -> Arrival {
        let start = Instant::now();
        loop {
            if let Some(ready) = opener.take() {
                return ready;
            }
            assert!(
                start.elapsed() < Duration::from_secs(600),
                "it does not come"
            );
            thread::sleep(Duration::from_millis(2));
        }
    }

    #[test]
    fn a_scene_arrives_or_says_why_not() {
        let mut opener = Opener::default();
        assert!(opener.take().is_none() && opener.status().is_none());
        let intent = Intent::Again { of: (3, 4) };
        opener.begin("four_bar", intent.clone());
        assert_eq!(opener.status().unwrap().spec, "four_bar");
        let arrival = wait(&mut opener);
        assert_eq!((&*arrival.spec, &arrival.intent), ("four_bar", &intent));
        assert_eq!(arrival.opened.unwrap().scene().name, "four_bar");
        assert!(opener.status().is_none());
        opener.begin("four_baz", Intent::Show);
        let opened = wait(&mut opener).opened;
        assert!(opened.is_err_and(|e| e.contains("four_bar")));
    }

    #[test]
    fn only_the_last_that_was_asked_for_arrives_and_a_cancelled_one_never() {
        let mut opener = Opener::default();
        opener.begin("net:rows=12,columns=12", Intent::Show);
        opener.begin("pendulum", Intent::Show);
        assert_eq!(wait(&mut opener).spec, "pendulum");
        opener.begin("net:rows=12,columns=12", Intent::Show);
        opener.cancel();
        assert!(opener.take().is_none() && opener.status().is_none());
    }

    #[test]
    fn one_that_the_list_of_jobs_cancels_never_arrives() {
        let jobs = Jobs::default();
        let mut opener = Opener::among(&jobs);
        opener.begin("net:rows=12,columns=12", Intent::Show);
        jobs.cancel(jobs.list()[0].id);
        while opener.status().is_some() {
            assert!(opener.take().is_none());
        }
        assert!(jobs.list().is_empty());
    }

    #[test]
    fn a_slider_that_moves_on_awaits_what_is_built_and_then_gets_the_last_it_asked_for() {
        let chain = |links: u32| format!("chain:links={links}");
        let mut opener = Opener::default();
        for links in 3..9 {
            opener.begin(&chain(links), Intent::Rebuild);
        }
        assert_eq!(opener.status().unwrap().spec, chain(8));
        assert_eq!(wait(&mut opener).spec, chain(3));
        assert_eq!(wait(&mut opener).spec, chain(8));
        assert!(opener.status().is_none());
        // Back where it began there is nothing to come after it, and another scene gives both up.
        for links in [3, 4, 3] {
            opener.begin(&chain(links), Intent::Rebuild);
        }
        assert_eq!(wait(&mut opener).spec, chain(3));
        assert!(opener.status().is_none());
        opener.begin(&chain(3), Intent::Rebuild);
        opener.begin(&chain(4), Intent::Rebuild);
        opener.begin("pendulum", Intent::Show);
        assert_eq!(wait(&mut opener).spec, "pendulum");
        assert!(opener.status().is_none());
    }
}
