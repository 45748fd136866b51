//! Scenes: from a file, a shipped name or a generator to a mechanism that is ready to run.
//!
//! ```text
//! text + --set ──read──▶ SceneFile ──compile──▶ Model + State + Settings ──▶ Simulation
//!                            ▲
//! NAME:key=value ──library───┘          wrong at any stage ──▶ SceneErrors (file, line, column, field, hint)
//! ```
//! A wrong scene never yields a [`Scene`]. A [`Take`] is a scene together with what happened to it.

mod body;
pub mod build;
mod chart;
mod check;
mod colour;
mod compile;
mod compliance;
mod contact;
mod distribution;
pub mod editing;
mod error;
mod excerpt;
mod files;
mod force;
mod format;
mod ground;
mod items;
mod joint;
mod library;
mod lines;
mod link;
mod mass;
mod placement;
mod polyhedron;
mod problem;
mod read;
mod settings;
mod shape;
mod source;
mod spans;
mod start;
mod storage;
mod surface;
mod take;
mod text;
mod value;
mod view;
mod write;

pub use chart::{chart, chart_file};
pub use colour::COLOURS;
pub use editing::{Amendment, Document, Edit, Proposal, Renaming, Section, Task};
pub use error::{SceneError, SceneErrors};
pub use files::Meshes;
pub use format::{
    ActuatorFile, AttachmentFile, AxesFile, BodyFile, BoxFile, CableFile, CameraFile, ChartFile,
    ComplianceFile, ContactFile, CouplingFile, EllipsoidFile, FRICTION, FoundationFile,
    HalfSpaceFile, HeightFieldFile, HertzFile, HullFile, IntegratorFile, JointComplianceFile,
    JointFile, JointSpringFile, Kind, LimitFile, MaterialFile, MeshFile, OrientationFile, PairFile,
    PdFile, Plot, RoundFile, SceneFile, SectionFile, ShapeFile, SphereFile, SpringFile, TermFile,
    VERSION, WrenchFile,
};
pub use items::Items;
pub use library::{
    DEFAULT, Generator, Parameter, Range, Shipped, generate, generators, parameters, shipped,
    templates,
};
pub use storage::replace_file;
pub use take::{Take, TakeWriter};
pub use text::decode;
pub use value::{
    ColourValue, Heights, Number, Numbers, OptionWord, SignalValue, Signals, Tensor, Vector,
};
pub use view::{Camera, View};
pub use write::{write, write_charts};

use crate::integrators::Settings;
use crate::kinematics::Assembly;
use crate::model::{Model, State};
use crate::sim::{Simulation, SimulationError};
use error::nearest;
use files::Files;
use source::Source;
use std::ffi::OsStr;
use std::path::PathBuf;

/// Whether the program itself brings a mesh of this name with these bytes, so that scenes anywhere find it.
pub fn is_shipped_mesh(name: &str, bytes: &[u8]) -> bool {
    library::mesh(name).is_some_and(|own| own == bytes)
}

/// A scene that is ready to run.
#[derive(Debug, Clone)]
pub struct Scene {
    /// The word by which it was asked for: a shipped name, a file's stem, or a generator with its parameters.
    pub name: String,
    /// The file it was read from, if any.
    pub path: Option<PathBuf>,
    /// Its text, with all changes of values; read again, it gives the same scene.
    pub text: String,
    /// The mesh files that it names.
    pub meshes: Meshes,
    /// The scene as data.
    pub file: SceneFile,
    /// The mechanism.
    pub model: Model,
    /// First state, on the constraints.
    pub state: State,
    /// How far the state given by the scene was moved.
    pub assembly: Assembly,
    /// Name of the integrator.
    pub integrator: String,
    /// Settings of the integrator.
    pub settings: Settings,
    /// How it is shown.
    pub view: View,
}

impl Scene {
    /// The scene of a file that was made in code, as [`build::Mechanism`] makes one, under its title. Its errors name
    /// fields, as those of a text do, but no lines. Mesh files are found as by [`from_text`].
    pub fn from_file(file: SceneFile) -> Result<Self, SceneErrors> {
        // By way of the text: what is no number, or no name, is refused as in a file.
        from_text(title(&file), &write(&file), &[]).map_err(|SceneErrors(mut errors)| {
            for error in &mut errors {
                (error.line, error.column) = (None, None);
            }
            SceneErrors(errors)
        })
    }

    /// A simulation of the scene from its first state.
    pub fn simulation(&self) -> Result<Simulation, SimulationError> {
        Simulation::new(
            self.model.clone(),
            self.state.clone(),
            &self.integrator,
            self.settings,
        )
    }
}

/// What a scene that was made in code is called.
fn title(file: &SceneFile) -> &str {
    match file.title.as_str() {
        "" => "mechanism",
        title => title,
    }
}

/// Opens a scene: a shipped name, `NAME:key=value,…` for a generator, or the path of a file.
///
/// `sets` are changes of values by path, such as `("bodies.link_2.mass", "3")`, in the order of application.
pub fn open(spec: impl AsRef<OsStr>, sets: &[(String, String)]) -> Result<Scene, SceneErrors> {
    let path = PathBuf::from(spec.as_ref());
    // A path need not be text; a name is.
    let spec = &*path.to_string_lossy();
    let mut authored = shipped().iter().chain(templates());
    if let Some(shipped) = authored.find(|s| s.name == spec) {
        let file_name = format!("{spec}.ron");
        return from_text_named(spec, &file_name, shipped.text, sets, Files::default());
    }
    if library::names_generator(spec) && !path.exists() {
        let text = write(&generate(spec)?);
        return from_text_named(spec, spec, &text, sets, Files::default());
    }
    let error = |found: String, expected: &str, suggestion| {
        Err(SceneErrors(vec![SceneError {
            file: spec.into(),
            found,
            expected: expected.into(),
            suggestion,
            ..SceneError::default()
        }]))
    };
    let bytes = match std::fs::read(&path) {
        Ok(bytes) => bytes,
        Err(_) if !spec.ends_with(".ron") && !spec.contains(['/', '\\']) => {
            let names = shipped().iter().map(|s| s.name);
            let names = names.chain(generators().iter().map(|g| g.name));
            let word = spec.split(':').next().unwrap_or(spec);
            return error(
                "no scene or file of this name".into(),
                "a shipped scene (`driftless scenes` lists them), NAME:key=value,… or the path of a .ron file",
                nearest(word, names),
            );
        }
        Err(e) => {
            return error(
                format!("the file cannot be read: {e}"),
                "the path of a scene file",
                None,
            );
        }
    };
    let text = text::decode(spec, &bytes)?;
    let name = path
        .file_stem()
        .map_or(spec.into(), |s| s.to_string_lossy().into_owned());
    let files = Files::beside(path.parent().map(PathBuf::from));
    let mut scene = from_text_named(&name, spec, text, sets, files)?;
    scene.path = Some(path);
    Ok(scene)
}

/// A scene from the text of a file. `name` stands for the file in errors; mesh files are those shipped with the
/// program, or relative to the current folder.
pub fn from_text(name: &str, text: &str, sets: &[(String, String)]) -> Result<Scene, SceneErrors> {
    from_text_named(name, name, text, sets, Files::default())
}

fn from_text_named(
    name: &str,
    file_name: &str,
    text: &str,
    sets: &[(String, String)],
    files: Files,
) -> Result<Scene, SceneErrors> {
    let mut source = Source::new(file_name, text);
    let mut errors = Vec::new();
    for (path, value) in sets {
        if let Err(error) = source.set(path, value) {
            errors.push(*error);
        }
    }
    let reading = read::read(&source);
    errors.extend(reading.errors);
    let compiled = match &reading.file {
        Some(file) => compile::compile(file, &reading.blanked, &files),
        None => Err(Vec::new()),
    };
    let compiled = compiled.map_err(|problems| {
        let root = spans::scan(&source.text);
        let located = problems.into_iter().map(|p| source.error(root.as_ref(), p));
        errors.extend(located);
    });
    match (reading.file, compiled) {
        (Some(file), Ok(compiled)) if errors.is_empty() => Ok(Scene {
            name: name.into(),
            path: None,
            text: source.text,
            meshes: files.into_read(),
            view: View {
                charts: compiled.charts,
                ..view::view(name, &file, &compiled.model, &compiled.state)
            },
            file,
            model: compiled.model,
            state: compiled.state,
            assembly: compiled.assembly,
            integrator: compiled.integrator,
            settings: compiled.settings,
        }),
        _ => {
            // Errors without a line come from `--set` and stand first.
            errors.sort_by_key(|e| (e.line, e.column));
            Err(SceneErrors(errors))
        }
    }
}
