//! Reading a take: the header, then line by line what happened. Everything is checked before anything is used.

use super::Take;
use super::check::{self, Wrong};
use super::edit::same_shape;
use super::record::{Header, RULE, Record, VERSION};
use super::settings::{SettingsRecord, valid};
use crate::integrators::{self, IntegratorInfo, REGISTRY, Settings};
use crate::model::Input;
use crate::scene::files::{Files, Meshes};
use crate::scene::{SceneError, SceneErrors, from_text_named};
use crate::sim::{Change, Failure, Log, Mechanism, Snapshot};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use std::path::Path;
use std::sync::Arc;

/// Reads the file at a path.
pub(super) fn open(path: &Path) -> Result<Take, SceneErrors> {
    let name = path.display().to_string();
    let text = std::fs::read(path)
        .map_err(|e| e.to_string())
        .and_then(|bytes| {
            String::from_utf8(bytes).map_err(|e| {
                let at = e.utf8_error().valid_up_to();
                format!("it is not text: byte {at} is no UTF-8")
            })
        })
        .map_err(|reason| {
            let found = format!("the file cannot be read: {reason}");
            error(&name, "", found, "the path of a take")
        })?;
    read(&name, &text)
}

fn error(
    file: &str,
    path: &str,
    found: impl Into<String>,
    expected: impl Into<String>,
) -> SceneErrors {
    SceneErrors(vec![SceneError {
        file: file.into(),
        path: path.into(),
        found: found.into(),
        expected: expected.into(),
        ..SceneError::default()
    }])
}

/// Reads a text.
pub(super) fn read(name: &str, text: &str) -> Result<Take, SceneErrors> {
    // The last such line: the text of the scene may hold one too.
    let rule = format!("\n{RULE}\n");
    let Some(at) = text.rfind(&rule) else {
        return Err(error(
            name,
            "",
            format!("no line `{RULE}`"),
            "a take, as `driftless run SCENE --take FILE` writes it",
        ));
    };
    let (header, body) = (&text[..=at], &text[at + rule.len()..]);
    let mut reader = Reader::new(name, header)?;
    let before = header.matches('\n').count() + 2;
    let mut lines = body.lines().enumerate().peekable();
    while let Some((k, line)) = lines.next() {
        let last = lines.peek().is_none();
        match reader.line(line) {
            Ok(()) => {}
            // The last line of a take that was cut off in the middle of writing.
            Err(_) if last && !body.ends_with('\n') => break,
            Err((column, (path, found, expected))) => {
                return Err(SceneErrors(vec![SceneError {
                    file: name.into(),
                    line: Some(before + k),
                    column: Some(column),
                    path,
                    found,
                    expected,
                    suggestion: None,
                }]));
            }
        }
    }
    Ok(reader.take)
}

struct Reader {
    take: Take,
    /// The model in force after the last record.
    model: Arc<crate::model::Model>,
    integrator: &'static IntegratorInfo,
    settings: Settings,
    /// The settings as they were written last.
    written: SettingsRecord,
    input: Input,
    /// Whether what acts is known to name bodies and joints of the model.
    is_input_known: bool,
}

impl Reader {
    fn new(name: &str, text: &str) -> Result<Self, SceneErrors> {
        let header: Header = ron::from_str(text).map_err(|e| {
            SceneErrors(vec![SceneError {
                file: name.into(),
                line: Some(e.span.start.line),
                column: Some(e.span.start.col),
                found: format!("{}", e.code),
                expected: "the header of a take (docs/reference/takes.md)".into(),
                ..SceneError::default()
            }])
        })?;
        let wrong = |(path, found, expected): Wrong| error(name, &path, found, expected);
        if !(1..=VERSION).contains(&header.take) {
            return Err(error(
                name,
                "take",
                header.take.to_string(),
                format!("1 to {VERSION}, the versions of takes that this program reads"),
            ));
        }
        let mut meshes = Meshes::new();
        for (mesh, text) in &header.meshes {
            let bytes = STANDARD.decode(text).map_err(|e| {
                let path = format!("meshes.{mesh}");
                error(name, &path, e.to_string(), "a mesh file in base64")
            })?;
            meshes.insert(mesh.clone(), bytes.into());
        }
        let files = Files::held(meshes);
        let place = format!("{name} (scene)");
        let mut scene = from_text_named(&header.name, &place, &header.scene, &[], files)?;
        scene.name.clone_from(&header.name);
        let model = match header.edit {
            None => scene.model.clone(),
            Some(edit) => edit
                .apply(&scene.model)
                .map_err(|found| wrong(("edit".into(), found, "a sound model".into())))?,
        };
        let model = Arc::new(model);
        let info = method(&header.integrator, &model).map_err(|(path, f, e)| {
            let path = if path.is_empty() { "integrator" } else { &path };
            error(name, path, f, e)
        })?;
        let settings = header
            .settings
            .read(info)
            .map_err(|(path, found, expected)| {
                wrong((format!("settings.{path}"), found, expected))
            })?;
        if !header.initial_energy.is_finite() {
            let found = header.initial_energy.to_string();
            return Err(error(name, "initial_energy", found, "a finite number"));
        }
        let digest = unhex(&header.digest).map_err(|(_, f, e)| error(name, "digest", f, e))?;
        check::state(&header.state, &model, digest).map_err(|(path, f, e)| {
            let path = ["state", &path].join(if path.is_empty() { "" } else { "." });
            error(name, &path, f, e)
        })?;
        let start = Snapshot {
            state: header.state,
            model: model.clone(),
            integrator: info.name,
            settings,
            initial_energy: header.initial_energy,
            correction: 0.0,
            report: Default::default(),
            outcomes: Default::default(),
            step_seconds: 0.0,
        };
        Ok(Self {
            model,
            integrator: info,
            settings,
            written: header.settings,
            input: Input::default(),
            is_input_known: true,
            take: Take {
                log: Log::new(start.state.step),
                scene,
                start,
                states: Default::default(),
                program: header.program,
                complete: false,
            },
        })
    }

    /// Takes in a record. An error comes with its column.
    fn line(&mut self, line: &str) -> Result<(), (usize, Wrong)> {
        let record: Record = ron::from_str(line).map_err(|e| {
            let wrong = (
                String::new(),
                e.code.to_string(),
                "a record of a take (docs/reference/takes.md)".into(),
            );
            (e.span.start.col, wrong)
        })?;
        self.record(record).map_err(|wrong| (1, wrong))
    }

    fn record(&mut self, record: Record) -> Result<(), Wrong> {
        let Take {
            log,
            states,
            complete,
            ..
        } = &mut self.take;
        if *complete {
            let found = "a record behind the end".into();
            return Err((String::new(), found, "nothing after `End`".into()));
        }
        match record {
            Record::Input(input) => {
                check::input(&input, &self.model)?;
                self.input = input;
            }
            Record::Settings(written) => {
                self.settings = written.read(self.integrator)?;
                self.written = written;
                log.change(Change::Settings(self.settings));
            }
            Record::Integrator(name) => {
                self.integrator = method(&name, &self.model)?;
                log.change(Change::Integrator(self.integrator.name));
                let kept = self.settings.taken_to(self.integrator);
                self.settings = kept;
                self.written
                    .put_older(self.integrator, &mut self.settings)?;
                valid(&self.settings, self.integrator)?;
                if self.settings != kept {
                    log.change(Change::Settings(self.settings));
                }
            }
            Record::Model(edit) => {
                let model = edit
                    .apply(&self.model)
                    .map_err(|found| (String::new(), found, "a sound model".into()))?;
                if !same_shape(&model, &self.model) {
                    let found = "another number of bodies, joints, couplings or limits".into();
                    return Err((String::new(), found, "a `Mechanism`".into()));
                }
                self.model = Arc::new(model);
                method(self.integrator.name, &self.model)?;
                check::input(&self.input, &self.model)?;
                log.change(Change::Model(self.model.clone()));
            }
            Record::Mechanism(edit, state, first) => {
                let model = edit
                    .apply(&self.model)
                    .map_err(|found| (String::new(), found, "a sound model".into()))?;
                self.model = Arc::new(model);
                method(self.integrator.name, &self.model)?;
                check::state(&state, &self.model, state.digest())?;
                // What acted on a body that is gone is replaced before the next step.
                self.is_input_known = false;
                log.change(Change::Mechanism(Arc::new(Mechanism {
                    model: self.model.clone(),
                    state: *state,
                    first,
                })));
            }
            Record::Step(step, digest) => {
                if step != log.last() + 1 {
                    let expected = format!("step {}", log.last() + 1);
                    return Err((String::new(), format!("step {step}"), expected));
                }
                if !self.is_input_known {
                    check::input(&self.input, &self.model)?;
                    self.is_input_known = true;
                }
                log.push(&self.input, unhex(&digest)?);
            }
            Record::State(state) => {
                let step = log.last();
                let Some(digest) = log.digest(step) else {
                    let found = "a state before the first step".into();
                    return Err((String::new(), found, "a step".into()));
                };
                check::state(&state, &self.model, digest)?;
                states.insert(step, *state);
            }
            Record::Failed(error) => log.set_failure(Failure {
                input: self.input.clone(),
                error,
            }),
            Record::End(steps) => {
                let found = log.last() - log.first();
                if steps != found {
                    let expected = format!("{found}, as many as the file holds");
                    return Err((
                        String::new(),
                        format!("an end after {steps} steps"),
                        expected,
                    ));
                }
                *complete = true;
            }
        }
        Ok(())
    }
}

/// A method that can run a model.
fn method(name: &str, model: &crate::model::Model) -> Result<&'static IntegratorInfo, Wrong> {
    let Ok(info) = integrators::find(name) else {
        let known = REGISTRY.iter().map(|i| i.name);
        let expected = crate::scene::error::listed("integrator", known);
        return Err((String::new(), format!("no integrator `{name}`"), expected));
    };
    match integrators::refusal(info, model) {
        None => Ok(info),
        Some(reason) => Err((
            String::new(),
            format!("`{name}`: {reason}"),
            "a method that can run the scene".into(),
        )),
    }
}

fn unhex(text: &str) -> Result<u64, Wrong> {
    let digits = text.len() == 16 && text.bytes().all(|b| b.is_ascii_hexdigit());
    let value = digits.then(|| u64::from_str_radix(text, 16).ok()).flatten();
    value.ok_or_else(|| {
        let expected = "a hash of 16 hexadecimal digits".into();
        (String::new(), format!("`{text}`"), expected)
    })
}
