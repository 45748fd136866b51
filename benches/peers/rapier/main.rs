//! What `benches/peers/fronts.py` asks of Rust: scenes as JSON, steps of Driftless and of Rapier on the clock, and how deep
//! bodies are in each other, whoever moved them.
//!
//!     driftless-rapier describe SCENE
//!     driftless-rapier step driftless|rapier SCENE SUBSTEPS [NAME=VALUE]…
//!     driftless-rapier depth SCENE
//!
//! `step` reads numbers of steps, line by line, and answers each line with the times of these steps and the states after
//! them; `depth` reads states and answers each with the deepest penetration.

mod depth;
mod programs;
mod task;

use cpu_time::ThreadTime;
use depth::Bodies;
use driftless::scene::Scene;
use programs::{Driftless, Program, Rapier};
use serde_json::{Value, json};
use std::error::Error;
use std::io::{BufRead, Write};

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words[..] {
        ["describe", scene] => println!("{}", task::describe(&task::open(scene, &[])?)?),
        ["step", program, scene, substeps, ref options @ ..] => {
            let options = options.iter().map(|o| o.split_once('='));
            let options: Vec<(&str, &str)> = options.collect::<Option<_>>().ok_or("NAME=VALUE")?;
            step(program, scene, substeps.parse()?, &options)?;
        }
        ["depth", scene] => {
            let Scene { model, .. } = task::open(scene, &[])?;
            let bodies = Bodies::new(&model)?;
            answer(|line| {
                let states: Vec<task::Reading> = serde_json::from_str(line)?;
                Ok(json!(bodies.deepest(&states)))
            })?;
        }
        _ => return Err("describe SCENE | step PROGRAM SCENE SUBSTEPS … | depth SCENE".into()),
    }
    Ok(())
}

/// Answers lines until there are no more.
fn answer(
    mut say: impl FnMut(&str) -> Result<Value, Box<dyn Error>>,
) -> Result<(), Box<dyn Error>> {
    let mut out = std::io::stdout().lock();
    for line in std::io::stdin().lock().lines() {
        writeln!(out, "{}", say(&line?)?)?;
        out.flush()?;
    }
    Ok(())
}

fn step(
    name: &str,
    scene: &str,
    substeps: usize,
    options: &[(&str, &str)],
) -> Result<(), Box<dyn Error>> {
    let mut program: Box<dyn Program> = match name {
        "driftless" => Box::new(Driftless::new(scene, substeps, options)?),
        "rapier" => Box::new(Rapier::new(scene, substeps, options)?),
        other => return Err(format!("no program {other}").into()),
    };
    answer(|line| {
        let (mut seconds, mut states) = (Vec::new(), Vec::new());
        for _ in 0..line.parse()? {
            // Of this thread: what else the machine does is not counted.
            let start = ThreadTime::now();
            for _ in 0..substeps {
                program.step()?;
            }
            seconds.push(start.elapsed().as_secs_f64());
            states.push(program.state());
        }
        Ok(json!({ "seconds": seconds, "states": states, "note": program.note() }))
    })
}
