//! Carries out what was asked for in editing.

use crate::camera::view::View;
use crate::commands::editing::EditCommand;
use crate::editing::{EditorState, Question, drafts, plots, saving};
use crate::pointer::Pointing;
use crate::scenes::opening::{Intent, Opener};
use crate::session::Session;
use crate::session::events::ModelEdited;
use crate::state::draft::Draft;
use crate::state::highlight::Highlight;
use crate::state::notices::Notices;
use crate::state::selection::Selection;
use crate::state::tool::{self, End, Mode, Tool, link_word};
use crate::state::workspace::Workspace;
use bevy::ecs::component::Mutable;
use bevy::prelude::*;
use physics::model::Model;
use physics::scene::editing::{self, Amendment, Edit, Link, Point, Section};
use physics::scene::{Kind, SceneErrors, Vector};
use std::sync::Arc;

/// Changes the scene as asked, or says why it is refused.
pub fn run(world: &mut World, command: EditCommand) {
    let bodies = count(world);
    let mut editor = Editor { world };
    match command {
        EditCommand::Amend(edit) => {
            editor.edit(&edit);
        }
        EditCommand::Undo => match editor.session().undo_spec().map(str::to_owned) {
            Some(spec) => editor.open(&spec, Intent::Back),
            None => {
                let name = editor.session().undo_name().map(str::to_owned);
                editor.travel("Undone", name, Session::undo);
            }
        },
        EditCommand::Redo => match editor.session().redo_spec().map(str::to_owned) {
            Some(spec) => editor.open(&spec, Intent::Forth),
            None => {
                let name = editor.session().redo_name().map(str::to_owned);
                editor.travel("Redone", name, Session::redo);
            }
        },
        EditCommand::Place(fresh) => editor.set_mode(Mode::Place(fresh)),
        EditCommand::Attach(link) => editor.set_mode(Mode::Attach { link, first: None }),
        EditCommand::Ground(kind) => editor.set_mode(Mode::Ground(kind)),
        EditCommand::Stop => editor.set_mode(Mode::Select),
        EditCommand::Click(point) => editor.click(point),
        EditCommand::AddForce => editor.add_force(),
        EditCommand::AddCoupling => editor.add_coupling(),
        EditCommand::KeepCamera => {
            let camera = saving::camera(editor.view());
            let edit = Edit::new("view at the start", vec![Amendment::Camera(Some(camera))]);
            if editor.edit(&edit) {
                editor.hint("The scene opens with this view.");
            }
        }
        EditCommand::Duplicate => editor.duplicate(),
        EditCommand::Delete => editor.delete(),
        EditCommand::Begin => {
            let edit = Edit::new("start here", vec![Amendment::Begin]);
            if editor.edit(&edit) {
                editor.hint("The scene starts as it is now.");
            }
        }
        EditCommand::ToggleHandles => editor.get::<Tool>().hides_handles ^= true,
        EditCommand::Rebuild(spec) => {
            editor.get::<Session>().generations.pull();
            editor.open(&spec, Intent::Rebuild);
        }
        EditCommand::Save => saving::save(world),
        EditCommand::SaveAs => saving::ask_where(world),
        EditCommand::Write(path) => saving::write(world, &path),
        // What the desktop asks is asked by a system.
        EditCommand::Browse => {}
        EditCommand::ReloadAnyway => {
            editor.get::<EditorState>().question = None;
            saving::reload(world);
        }
        EditCommand::Restore => {
            if let Some(draft) = editor.take_draft() {
                editor.get::<Workspace>().gallery = false;
                let spec = draft.spec.clone();
                editor.open(&spec, Intent::Restore(draft));
            }
        }
        EditCommand::Discard => {
            if let Some(draft) = editor.take_draft() {
                drafts::discard(&draft.file);
                let mut state = editor.get::<EditorState>();
                state.question = drafts::next(&state).map(Question::Draft);
            }
        }
        EditCommand::Later => editor.get::<EditorState>().question = None,
    }
    if count(world) != bodies {
        // What the pointer holds may be another body now, or none.
        world.resource_mut::<Pointing>().pointer.drop_all();
        world.resource_mut::<Session>().input.drag = None;
    }
}

fn count(world: &World) -> usize {
    world.resource::<Session>().simulation.model().bodies.len()
}

struct Editor<'w> {
    world: &'w mut World,
}

impl Editor<'_> {
    fn session(&self) -> &Session {
        self.world.resource()
    }

    fn view(&self) -> &View {
        self.world.resource()
    }

    fn get<R: Resource<Mutability = Mutable>>(&mut self) -> Mut<'_, R> {
        self.world.resource_mut()
    }

    fn hint(&mut self, said: impl Into<String>) {
        self.get::<Notices>().hint(said);
    }

    fn open(&mut self, spec: &str, intent: Intent) {
        self.get::<Opener>().begin(spec, intent);
    }

    /// The draft that is asked about, which is then asked about no longer.
    fn take_draft(&mut self) -> Option<Draft> {
        let mut state = self.get::<EditorState>();
        match state.question.take() {
            Some(Question::Draft(draft)) => Some(draft),
            other => {
                state.question = other;
                None
            }
        }
    }

    /// Carries an edit out; false if it is refused.
    fn edit(&mut self, edit: &Edit) -> bool {
        let before = self.session().simulation.shared_model().clone();
        let result = self.get::<Session>().edit(edit);
        self.settle(&before, result.map(|()| true))
    }

    fn travel(
        &mut self,
        word: &str,
        name: Option<String>,
        to: impl FnOnce(&mut Session) -> Result<bool, SceneErrors>,
    ) {
        let before = self.session().simulation.shared_model().clone();
        let charts = self.session().scene.file.charts.clone();
        let result = to(&mut self.get::<Session>());
        if self.settle(&before, result) {
            plots::read(self.world, &charts);
            if let Some(name) = name {
                self.hint(format!("{word}: {name}"));
            }
        }
    }

    /// Brings the window in line with the scene after an edit, or says why there was none.
    fn settle(&mut self, before: &Arc<Model>, result: Result<bool, SceneErrors>) -> bool {
        match result {
            Ok(_) => {
                self.get::<EditorState>().refused.clear();
                self.get::<Notices>().setting = None;
                let edited = ModelEdited::new(before, self.session().simulation.shared_model());
                self.world.trigger(edited);
                View::stand_in(self.world);
                true
            }
            Err(errors) => {
                let first = errors.0.first();
                let said = first
                    .map(|e| format!("Refused: {}: {}; expected {}", e.path, e.found, e.expected));
                self.get::<Notices>().setting = said;
                self.get::<EditorState>().refused = errors.0;
                false
            }
        }
    }

    fn selected(&self) -> Option<(Section, String)> {
        let model = self.session().simulation.model();
        let selection = self.world.resource::<Highlight>().selection;
        let (section, name) = selection.as_ref()?.name(model)?;
        Some((section, name.to_owned()))
    }

    fn select(&mut self, section: Section, name: &str) {
        let found = Selection::find(self.session().simulation.model(), section, name);
        self.get::<Highlight>().selection = found;
    }

    fn set_mode(&mut self, mode: Mode) {
        self.get::<Tool>().mode = mode;
        match mode.hint() {
            Some(hint) => self.hint(hint),
            None => self.get::<Notices>().hint = None,
        }
    }

    /// A click in the view while something is being placed or connected.
    fn click(&mut self, point: Point) {
        match self.world.resource::<Tool>().mode {
            Mode::Select => {}
            Mode::Place(fresh) => {
                let size = tool::size(self.session(), self.view());
                let mut at = point.at;
                at.z += 0.5 * size;
                let (name, edit) = editing::add(&self.session().scene.file, fresh, size, at);
                self.set_mode(Mode::Select);
                if self.edit(&edit) {
                    self.select(Section::Bodies, &name);
                }
            }
            Mode::Attach { link, first: None } => {
                let first = Some(End::of(&point, &self.view().poses));
                self.set_mode(Mode::Attach { link, first });
            }
            Mode::Attach {
                link,
                first: Some(first),
            } => self.connect(link, first, point),
            Mode::Ground(kind) if point.body.is_some() => {
                let ground = End {
                    body: None,
                    point: End::of(&point, &self.view().poses).at(self.session().poses()),
                };
                self.connect(Link::Joint(kind), ground, point);
            }
            Mode::Ground(_) => self.hint("There is no body. Click one where it is held."),
        }
    }

    fn connect(&mut self, link: Link, first: End, second: Point) {
        let poses = self.session().poses();
        let ends = [
            Point {
                body: first.body,
                at: first.at(poses),
            },
            Point {
                body: second.body,
                at: End::of(&second, &self.view().poses).at(poses),
            },
        ];
        let state = self.session().simulation.state();
        let connected = editing::connect(&self.session().scene, state, link, ends);
        let Some((name, mut edit)) = connected else {
            let what = link_word(link);
            let said = format!(
                "{what}: both points are on the same body. Click the second on another one. Esc cancels."
            );
            self.hint(said);
            return;
        };
        if let Link::Joint(kind) = link {
            self.turn_axis(kind, &mut edit);
        }
        self.set_mode(Mode::Select);
        if self.edit(&edit) {
            let section = match link {
                Link::Joint(_) => Section::Joints,
                Link::Spring => Section::Springs,
                Link::Cable => Section::Cables,
            };
            self.select(section, &name);
        }
    }

    /// Gives the joint that an edit adds the axis that suits the view.
    fn turn_axis(&self, kind: Kind, edit: &mut Edit) {
        let Some(axis) = tool::axis(kind, self.view()) else {
            return;
        };
        let model = self.session().simulation.model();
        for amendment in &mut edit.amendments {
            if let Amendment::Joint(_, Some(joint)) = amendment {
                let parent = model.body(&joint.parent);
                let turned =
                    parent.map(|b| self.session().simulation.state().bodies[b.0].orientation);
                let local = turned.map_or(axis, |turned| turned.inverse() * axis);
                joint.axis = Some(Vector(local));
            }
        }
    }

    fn duplicate(&mut self) {
        let Some((section, name)) = self.selected() else {
            self.hint("Select what to copy.");
            return;
        };
        let (scene, state) = (&self.session().scene, self.session().simulation.state());
        if let Some((copy, edit)) = editing::duplicate(scene, state, section, &name)
            && self.edit(&edit)
        {
            self.select(section, &copy);
        }
    }

    /// Adds something that needs no point, and selects it.
    fn add(&mut self, added: Option<(String, Edit)>, section: Section, otherwise: &str) {
        match added {
            Some((name, edit)) => {
                if self.edit(&edit) {
                    self.select(section, &name);
                }
            }
            None => self.hint(otherwise),
        }
    }

    /// Adds a force on the selected body, or on the first.
    fn add_force(&mut self) {
        let file = &self.session().scene.file;
        let body = match self.selected() {
            Some((Section::Bodies, name)) => Some(name),
            _ => file.bodies.names().next().map(str::to_owned),
        };
        let added = body.map(|body| editing::add_wrench(file, &body));
        self.add(added, Section::Wrenches, "There is no body to push.");
    }

    /// Couples the selected joint with another one.
    fn add_coupling(&mut self) {
        let joint = match self.selected() {
            Some((Section::Joints, name)) => Some(name),
            _ => None,
        };
        let added = editing::add_coupling(&self.session().scene, joint.as_deref());
        let otherwise = "A coupling needs a joint with a free coordinate.";
        self.add(added, Section::Couplings, otherwise);
    }

    fn delete(&mut self) {
        let Some((section, name)) = self.selected() else {
            self.hint("Select what to delete.");
            return;
        };
        let edit = editing::delete(&self.session().scene, section, &name);
        if self.edit(&edit) {
            self.hint(format!("Deleted {name}. Ctrl + Z brings it back."));
        }
    }
}
