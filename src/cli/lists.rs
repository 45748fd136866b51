//! Commands that list, check and write scenes and integrators.

use super::arguments::{CheckArguments, GenerateArguments, ListArguments};
use super::opening::open_scene;
use super::output::{Failure, print, print_json};
use super::summary::mechanism;
use crate::integrators::{self, IntegratorInfo, OptionKind, OptionSpec, Options, Support, Written};
use crate::quantity::quantity;
use crate::scene::{self, Generator, Scene, SceneError};
use serde_json::{Value, json};
use std::fs;

/// `driftless scenes`.
pub(super) fn scenes(arguments: &ListArguments) -> Result<(), Failure> {
    let (shipped, generators) = (scene::shipped(), scene::generators());
    if arguments.json {
        let shipped = shipped
            .iter()
            .map(|s| json!({"name": s.name, "title": s.title, "description": s.description}));
        return print_json(&json!({
            "scenes": shipped.collect::<Vec<_>>(),
            "generators": generators.iter().map(described_generator).collect::<Vec<_>>(),
        }));
    }
    let shipped = shipped
        .iter()
        .map(|s| format!("{:<20}{}", s.name, s.description));
    let heading =
        "\nParametric scenes, written NAME:key=value,… wherever a scene is taken:".to_owned();
    let generators = generators.iter().map(shown_generator);
    let lines = shipped.chain([heading]).chain(generators);
    print(lines.collect::<Vec<_>>().join("\n"))
}

fn described_generator(generator: &Generator) -> Value {
    let parameters = generator.parameters.iter().map(|p| {
        json!({
            "name": p.name,
            "default": p.default,
            "expected": p.range.to_string(),
            "meaning": p.meaning,
        })
    });
    json!({
        "name": generator.name,
        "description": generator.description,
        "parameters": parameters.collect::<Vec<_>>(),
    })
}

fn shown_generator(generator: &Generator) -> String {
    let mut text = format!("{:<20}{}", generator.name, generator.description);
    for p in generator.parameters {
        text += &format!(
            "\n    {:<14}{}; {} if not given",
            p.name, p.meaning, p.default
        );
    }
    text
}

/// `driftless integrators`.
pub(super) fn integrators(arguments: &ListArguments) -> Result<(), Failure> {
    let all = integrators::REGISTRY.iter();
    if arguments.json {
        return print_json(&json!({"integrators": all.map(described).collect::<Vec<_>>()}));
    }
    print(all.map(shown).collect::<Vec<_>>().join("\n"))
}

/// What a method preserves, and whether it does.
fn structure(info: &IntegratorInfo) -> [(&'static str, bool); 3] {
    [
        ("symplectic", info.symplectic),
        ("momentum_preserving", info.momentum_preserving),
        ("drift_free", info.drift_free),
    ]
}

/// What a method can treat, and whether it does.
fn support(info: &IntegratorInfo) -> [(&'static str, bool); 6] {
    let Support {
        loops,
        contact,
        limits,
        cables,
        dissipation,
    } = info.supports;
    [
        ("trees", true),
        ("loops", loops),
        ("dissipation", dissipation),
        ("contact", contact),
        ("limits", limits),
        ("cables", cables),
    ]
}

/// An option with its values.
fn described_option(spec: &OptionSpec) -> Value {
    let mut object = json!({
        "name": spec.name,
        "summary": spec.summary,
        "expected": spec.kind.expected(),
    });
    let (kind, default) = match spec.kind {
        OptionKind::Real {
            default,
            range,
            unit,
            ..
        } => {
            object["range"] = json!(range);
            object["unit"] = unit.into();
            ("real", json!(default))
        }
        OptionKind::Whole { default, range } => {
            object["range"] = json!(range);
            ("whole", json!(default))
        }
        OptionKind::Choice { default, words } => {
            object["choices"] = words.iter().map(|w| w.0).collect();
            let meanings = words.iter().map(|(word, meaning)| (*word, json!(meaning)));
            object["meanings"] = meanings.collect();
            ("choice", json!(default))
        }
        OptionKind::Switch { default } => ("switch", json!(default)),
    };
    object["kind"] = kind.into();
    object["default"] = default;
    object
}

/// Orders of a method by the word of an option that gives it another than the default's, if any does.
fn orders(info: &'static IntegratorInfo) -> Vec<(String, u32)> {
    let mut all = Vec::new();
    for spec in info.options {
        let OptionKind::Choice { words, .. } = spec.kind else {
            continue;
        };
        let with = |word: &str| {
            let mut options = Options::default();
            let set = options.set(info.options, spec.name, &Written::from(word));
            set.ok().and_then(|()| (info.order_with)(info, &options))
        };
        let found: Vec<_> = words.iter().map(|w| (w.0, with(w.0))).collect();
        let known = found
            .iter()
            .filter_map(|(word, order)| Some((*word, (*order)?)));
        if known.clone().any(|(_, order)| order != info.order) {
            all.extend(known.map(|(word, order)| (word.to_owned(), order)));
        }
    }
    all
}

/// The order of a method and those of its options, as text.
fn ordered(info: &'static IntegratorInfo) -> String {
    let others = orders(info);
    let others: Vec<String> = others.iter().map(|(w, o)| format!("{w} {o}")).collect();
    match &others[..] {
        [] => info.order.to_string(),
        all => format!("{} ({})", info.order, all.join(", ")),
    }
}

fn described(info: &'static IntegratorInfo) -> Value {
    let mut object = json!({
        "name": info.name,
        "summary": info.summary,
        "order": info.order,
        "orders": orders(info).into_iter().collect::<std::collections::BTreeMap<_, _>>(),
        "source": info.source,
    });
    for (property, holds) in structure(info).into_iter().chain(support(info)) {
        object[property] = holds.into();
    }
    object["options"] = info.options.iter().map(described_option).collect();
    object
}

fn shown(info: &'static IntegratorInfo) -> String {
    let listed = |properties: &[(&str, bool)]| {
        let held = properties
            .iter()
            .filter(|(_, holds)| *holds)
            .map(|(name, _)| name.replace('_', "-"));
        let text = held.collect::<Vec<_>>().join(", ");
        if text.is_empty() {
            "none".to_owned()
        } else {
            text
        }
    };
    let mut text = format!(
        "{:<32}{}\n{:32}order {}; structure: {}; supports: {}\n{:32}{}",
        info.name,
        info.summary,
        "",
        ordered(info),
        listed(&structure(info)),
        listed(&support(info)),
        "",
        info.source,
    );
    for spec in info.options {
        text += &format!(
            "\n{:32}{}: {}; {}, {} if not given",
            "",
            spec.name,
            spec.summary,
            spec.kind.expected(),
            spec.kind.default(),
        );
    }
    text
}

/// `driftless check`.
pub(super) fn check(arguments: &CheckArguments) -> Result<(), Failure> {
    let checked = open_scene(&arguments.scene, &[]).and_then(|scene| {
        scene.simulation()?;
        Ok(scene)
    });
    match (arguments.json, &checked) {
        (true, Ok(scene)) => print_json(&valid(scene))?,
        (true, Err(failure)) => print_json(&invalid(&arguments.scene.to_string_lossy(), failure))?,
        (false, Ok(scene)) => print(approval(scene))?,
        (false, Err(_)) => {}
    }
    checked.map(drop)
}

/// Methods that cannot run a scene, and why.
fn refusals(scene: &Scene) -> impl Iterator<Item = (&'static str, String)> {
    integrators::REGISTRY
        .iter()
        .filter_map(|info| Some((info.name, integrators::refusal(info, &scene.model)?)))
}

fn approval(scene: &Scene) -> String {
    let moved = &scene.assembly;
    let mut text = format!(
        "{}: {}\n\
         putting it together moved bodies by at most {} and {}, velocities by {} and {}",
        scene.name,
        mechanism(scene),
        quantity(moved.moved_position, "m"),
        quantity(moved.moved_angle, "rad"),
        quantity(moved.changed_velocity, "m/s"),
        quantity(moved.changed_angular_velocity, "rad/s"),
    );
    for (name, reason) in refusals(scene) {
        text += &format!("\n{name} cannot run it: {reason}");
    }
    text
}

fn valid(scene: &Scene) -> Value {
    let refusals =
        refusals(scene).map(|(name, reason)| json!({"integrator": name, "reason": reason}));
    let moved = &scene.assembly;
    json!({
        "scene": scene.name,
        "valid": true,
        "errors": [],
        "bodies": scene.model.bodies.len(),
        "joints": scene.model.joints.len(),
        "equations": scene.model.equations(),
        "redundant": moved.redundant,
        "integrator": scene.integrator,
        "dt": scene.settings.dt,
        "assembly": {
            "moved_position": moved.moved_position,
            "moved_angle": moved.moved_angle,
            "changed_velocity": moved.changed_velocity,
            "changed_angular_velocity": moved.changed_angular_velocity,
        },
        "refused_by": refusals.collect::<Vec<_>>(),
    })
}

fn invalid(name: &str, failure: &Failure) -> Value {
    let errors = match failure {
        Failure::Scene(errors) => errors.0.iter().map(located).collect(),
        other => vec![json!({"message": other.to_string()})],
    };
    json!({"scene": name, "valid": false, "errors": errors})
}

fn located(error: &SceneError) -> Value {
    json!({
        "message": error.to_string(),
        "file": error.file,
        "line": error.line,
        "column": error.column,
        "field": error.path,
        "found": error.found,
        "expected": error.expected,
        "suggestion": error.suggestion,
    })
}

/// `driftless generate`.
pub(super) fn generate(arguments: &GenerateArguments) -> Result<(), Failure> {
    let text = scene::write(&scene::generate(&arguments.scene)?);
    match &arguments.output {
        Some(path) => fs::write(path, text).map_err(|e| Failure::file(path, e)),
        None => print(text.trim_end()),
    }
}
