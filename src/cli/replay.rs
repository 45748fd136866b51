//! Running a take again: every step is checked against the hash that the take holds.

use super::arguments::ReplayArguments;
use super::files;
use super::outcome::Outcome;
use super::output::{Failure, print, print_json};
use super::progress::Progress;
use super::report::Report;
use super::summary;
use super::tables::Tables;
use crate::scene::Take;
use crate::sim::export::Origin;
use crate::sim::{Replay, ReplayError, Statistics};
use serde::Serialize;
use std::time::Instant;

/// What `replay --json` prints: the keys of `run --json`, and what became of the check.
#[derive(Debug, Serialize)]
struct Verdict {
    take: Check,
    #[serde(flatten)]
    report: Report,
}

#[derive(Debug, Serialize)]
struct Check {
    /// Version of the program that recorded the take.
    program: String,
    /// False if the file breaks off before its end.
    complete: bool,
    /// Steps that the take holds.
    steps: u64,
    /// Steps replayed with the same bits.
    same: u64,
    /// Step at which the replay came to something else, if it did.
    diverged_at: Option<u64>,
    /// What was different.
    message: Option<String>,
    /// Error with which the recorded run ended, and with which the replay ended too.
    failure: Option<String>,
}

/// `driftless replay`.
pub(super) fn replay(arguments: &ReplayArguments) -> Result<(), Failure> {
    let outputs = [
        ("--csv", arguments.csv.as_deref()),
        ("--contacts", arguments.contacts.as_deref()),
    ];
    files::distinct(std::slice::from_ref(&arguments.take), &outputs)?;
    let take = Take::open(&arguments.take)?;
    let mut replay = take.replay()?;
    let origin = Origin {
        scene: &take.scene.name,
        changes: &[],
        integrator: replay.simulation().integrator(),
        settings: &take.start.settings,
        model: &take.start.model,
    };
    let files = [arguments.csv.as_deref(), arguments.contacts.as_deref()];
    let mut tables = Tables::create(files, &origin)?;
    let (outcome, error) = run(&mut replay, arguments.every, &mut tables)?;
    tables.finish()?;
    let steps = take.log.last() - take.log.first();
    let check = Check {
        program: take.program.clone(),
        complete: take.complete,
        steps,
        same: outcome.statistics.peaks.steps,
        diverged_at: error.as_ref().map(step_of),
        message: error.as_ref().map(ToString::to_string),
        failure: take.log.failure().map(|f| f.error.clone()),
    };
    let sim = replay.simulation();
    if arguments.json {
        print_json(&Verdict {
            take: check,
            report: Report::new(&take.scene, sim, &outcome),
        })?;
    } else {
        print(summary::text(&take.scene, sim, &outcome))?;
        if error.is_none() {
            print(verdict(&check))?;
        }
    }
    error.map_or(Ok(()), |error| Err(error.into()))
}

fn step_of(error: &ReplayError) -> u64 {
    match error {
        ReplayError::Diverged(divergence) => divergence.step,
        ReplayError::Failed { step, .. }
        | ReplayError::NotFailed { step, .. }
        | ReplayError::Change { step, .. } => *step,
    }
}

fn verdict(check: &Check) -> String {
    let mut text = format!(
        "  {:<14}all {} steps gave the same bits",
        "take", check.same
    );
    if let Some(error) = &check.failure {
        text += &format!(", and the next fails as it did: {error}");
    }
    if !check.complete {
        text += "; the file breaks off here, so what followed is not known";
    }
    text
}

/// Replays to the end or to the first difference.
fn run(
    replay: &mut Replay,
    every: u64,
    tables: &mut Tables,
) -> Result<(Outcome, Option<ReplayError>), Failure> {
    let start = Instant::now();
    let (from, to) = (replay.log().first(), replay.log().last());
    let sim = replay.simulation();
    let first = sim.sample();
    let mut statistics = Statistics::new(first);
    tables.write(sim, &first)?;
    let mut progress = Progress::new(to - from, first.time);
    let mut error = None;
    loop {
        match replay.advance() {
            Ok(true) => {}
            Ok(false) => break,
            Err(found) => {
                error = Some(found);
                break;
            }
        }
        let sim = replay.simulation();
        let sample = sim.sample();
        statistics.observe(&sample);
        if sample.step.is_multiple_of(every) {
            tables.write(sim, &sample)?;
        }
        progress.update(sample.step - from, sample.time);
    }
    let outcome = Outcome {
        statistics,
        wall_seconds: start.elapsed().as_secs_f64(),
        changes: Vec::new(),
        failure: None,
    };
    Ok((outcome, error))
}
