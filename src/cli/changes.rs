//! Changes of a scene while it runs: `--change TIME:PATH=VALUE`.

use super::arguments::RunArguments;
use super::lanes;
use super::length::steps_for;
use super::opening::open_scene;
use super::output::Failure;
use super::values::{ChangeWords, METHOD};
use crate::integrators::{self, BuildError, REGISTRY};
use crate::model::Model;
use crate::scene::{Scene, editing};
use crate::sim::export::word;
use crate::sim::{Change, Correction, Simulation, SimulationError};
use std::collections::VecDeque;

/// How much earlier than its time a step may count as at it, as a fraction of dt: what sums of dt round.
const ROUNDING: f64 = 1e-9;

/// What `run` did to the scene on the way.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Made {
    /// Simulated time (s).
    pub(super) time: f64,
    /// Steps taken before.
    pub(super) step: u64,
    /// Paths and values, as they were asked for.
    pub(super) sets: Vec<(String, String)>,
    /// What it did to the state and its energy.
    pub(super) correction: Correction,
}

impl Made {
    /// One line of it.
    pub(super) fn text(&self) -> String {
        let set = |(path, value): &(String, String)| format!("{path} = {value}");
        let sets: Vec<String> = self.sets.iter().map(set).collect();
        // Sums of dt round: nobody means the digits behind.
        let time = (self.time * 1e9).round() / 1e9;
        let what = self.correction;
        format!("t = {time} s: {}; {what}", sets.join(", "))
    }
}

/// Changes of one time.
struct Due {
    time: f64,
    sets: Vec<(String, String)>,
    /// The scene as it is from then on.
    scene: Scene,
}

/// The changes that are still to be made.
#[derive(Default)]
pub(super) struct Schedule {
    /// The scene as it is now.
    scene: Option<Scene>,
    due: VecDeque<Due>,
}

impl Schedule {
    /// Reads what is asked for and checks all of it before anything runs.
    pub(super) fn new(scene: &Scene, arguments: &RunArguments) -> Result<Self, Failure> {
        let mut words: Vec<&ChangeWords> = arguments.changes.iter().collect();
        words.sort_by(|a, b| a.time.total_cmp(&b.time));
        let mut sets = arguments.sets.clone();
        sets.extend(overrides(arguments));
        sets.extend(lanes::as_set(&scene.settings.options));
        let mut due: VecDeque<Due> = VecDeque::new();
        for together in words.chunk_by(|a, b| a.time == b.time) {
            let settings = &due.back().map_or(scene, |before| &before.scene).settings;
            let (methods, others): (Vec<_>, Vec<_>) = together
                .iter()
                .map(|w| w.set())
                .partition(|set| set.0 == METHOD);
            for (path, name) in methods {
                // Another method keeps the options that it has too; those asked for with it are its own.
                let info = integrators::find(name.trim_matches('"')).ok();
                let kept = info.and_then(|info| lanes::as_set(&settings.taken_to(info).options));
                let none = || ("integrator.options".into(), "{}".into());
                sets.extend([(path, name), kept.unwrap_or_else(none)]);
            }
            sets.extend(others);
            let next = open_scene(&arguments.scene, &sets)?;
            check(scene, &next)?;
            due.push_back(Due {
                time: together[0].time,
                sets: (together.iter())
                    .map(|w| (w.path.clone(), w.value.clone()))
                    .collect(),
                scene: next,
            });
        }
        Ok(Self {
            scene: (!due.is_empty()).then(|| scene.clone()),
            due,
        })
    }

    /// Refuses changes that a run of so many steps, or to that time (s), does not reach.
    pub(super) fn within(&self, from: (f64, f64), end: End) -> Result<(), Failure> {
        let (mut time, mut dt) = from;
        let mut left = end.steps(time, dt);
        for due in &self.due {
            let steps = ((due.time - time) / dt - ROUNDING).ceil().max(0.0);
            if steps >= left as f64 {
                let end = time + left as f64 * dt;
                return Err(Failure::Request(format!(
                    "--change {}:{}={}: the run ends at t = {end} s",
                    due.time, due.sets[0].0, due.sets[0].1
                )));
            }
            time += steps * dt;
            left -= steps as u64;
            dt = due.scene.settings.dt;
            if let End::Time(_) = end {
                left = end.steps(time, dt);
            }
        }
        Ok(())
    }

    /// Makes the changes whose time has come. `note` is told of each.
    pub(super) fn make(
        &mut self,
        sim: &mut Simulation,
        mut note: impl FnMut(&Change) -> Result<(), Failure>,
    ) -> Result<Option<Made>, Failure> {
        let (time, dt) = (sim.state().time, sim.settings().dt);
        let is_due = |due: &Due| due.time <= time + ROUNDING * dt;
        let (Some(due), Some(scene)) = (self.due.pop_front_if(|d| is_due(d)), &mut self.scene)
        else {
            return Ok(None);
        };
        let mut next = due.scene;
        let refused = |reason: &dyn std::fmt::Display| {
            let made = Made {
                time,
                step: 0,
                sets: due.sets.clone(),
                correction: Correction::default(),
            };
            let set = made.text();
            let set = set.split(';').next().unwrap_or_default();
            Failure::Change(format!("{set}: not made: {reason}"))
        };
        let changes = editing::changes_to(scene, &mut next, sim).map_err(|e| refused(&e))?;
        let _ = sim.take_correction();
        for change in &changes {
            sim.apply(change).map_err(|e| refused(&e))?;
            note(change)?;
        }
        *scene = next;
        Ok(Some(Made {
            time,
            step: sim.state().step,
            sets: due.sets,
            correction: sim.take_correction().unwrap_or_default(),
        }))
    }
}

/// When a run ends.
#[derive(Debug, Clone, Copy)]
pub(super) enum End {
    /// After so many steps, whatever their length.
    Steps(u64),
    /// At a simulated time (s).
    Time(f64),
}

impl End {
    /// Steps that are left at a time (s).
    pub(super) fn steps(self, time: f64, dt: f64) -> u64 {
        match self {
            Self::Steps(steps) => steps,
            Self::Time(end) if end - time <= ROUNDING * dt => 0,
            Self::Time(end) => steps_for(end - time, dt),
        }
    }
}

/// The options of `run` that stand for a value of the scene, as `--set` takes them.
fn overrides(arguments: &RunArguments) -> Vec<(String, String)> {
    let number = |x: f64| format!("{x:?}");
    let name = |x: String| format!("{x:?}");
    let values = [
        ("method", arguments.integrator.clone().map(name)),
        ("dt", arguments.dt.map(number)),
        ("tolerance", arguments.tolerance.map(number)),
        (
            "linear_solver",
            arguments.linear_solver.map(|s| name(word(&s))),
        ),
        ("friction", arguments.friction.map(|f| name(f.to_string()))),
        ("contact_solver", arguments.contact_solver.clone().map(name)),
    ];
    let set = |(key, value): (&str, Option<String>)| Some((format!("integrator.{key}"), value?));
    values.into_iter().filter_map(set).collect()
}

/// Whether a run that began as one scene can go on as the other.
fn check(scene: &Scene, next: &Scene) -> Result<(), Failure> {
    let items = |m: &Model| -> Vec<(String, usize)> {
        let bodies = m.bodies.iter().map(|b| (b.name.clone(), 0));
        let joints = m
            .joints
            .iter()
            .map(|j| (j.name.clone(), 1 + j.limits.len()));
        let cables = m.cables.iter().map(|c| (c.name.clone(), 0));
        bodies.chain(joints).chain(cables).collect()
    };
    if items(&scene.model) != items(&next.model) {
        let why = "--change keeps the bodies, joints, limits and cables of the scene; it changes their values";
        return Err(Failure::Request(why.into()));
    }
    let Some(info) = REGISTRY.iter().find(|i| i.name == next.integrator) else {
        return Ok(());
    };
    match integrators::refusal(info, &next.model) {
        None => Ok(()),
        Some(reason) => {
            let name = info.name;
            let refused = BuildError::Refused { name, reason };
            Err(SimulationError::from(refused).into())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_words_stand_for_paths_and_names_need_no_quotes() {
        let set = |text: &str| -> (String, String) {
            let words: ChangeWords = text.parse().unwrap();
            words.set()
        };
        let pair = |a: &str, b: &str| (a.to_owned(), b.to_owned());
        for text in [
            "16:integrator=rk4",
            "16:integrator=\"rk4\"",
            "16:integrator.method=rk4",
        ] {
            assert_eq!(set(text), pair("integrator.method", "\"rk4\""));
        }
        assert_eq!(
            set("0:integrator=(dt: 0.1)"),
            pair("integrator", "(dt: 0.1)")
        );
        assert_eq!(set("1e-3: dt = 0.1"), pair("integrator.dt", "0.1"));
        assert_eq!(
            set("1:friction=linearised-8"),
            pair("integrator.friction", "\"linearised-8\"")
        );
        assert_eq!(set("1:gravity=[0,0,-1.62]"), pair("gravity", "[0,0,-1.62]"));
        for (text, part) in [
            ("dt=0.1", "TIME:PATH=VALUE"),
            ("1:dt", "TIME:PATH=VALUE"),
            ("soon:dt=1", "`soon`"),
            ("-1:dt=1", "not below 0"),
            ("inf:dt=1", "not below 0"),
        ] {
            let error = text.parse::<ChangeWords>().unwrap_err();
            assert!(error.contains(part), "{error}");
        }
    }

    #[test]
    fn steps_that_are_left_are_counted_with_the_step_in_force() {
        assert_eq!(End::Time(1.0).steps(0.5, 0.1), 5);
        assert_eq!(End::Time(0.3).steps(0.1 + 0.2, 0.1), 0);
        assert_eq!(End::Steps(7).steps(3.0, 0.1), 7);
    }
}
