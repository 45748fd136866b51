//! Carries out what was asked for in editing.

use crate::camera::view::View;
use crate::commands::editing::EditCommand;
use crate::editing::queue::{self, EditQueue};
use crate::editing::{EditorState, Question, drafts, plots, saving};
use crate::pointer::Pointing;
use crate::scenes::opening::{Intent, Opener};
use crate::session::Session;
use crate::session::compiling::Asked;
use crate::session::events::ModelEdited;
use crate::state::draft::Draft;
use crate::state::highlight::Highlight;
use crate::state::notices::Notices;
use crate::state::selection::{Item, Selection};
use crate::state::tool::{self, LinkEnd, Mode, Tool, link_word};
use crate::state::workspace::Workspace;
use bevy::ecs::component::Mutable;
use bevy::prelude::*;
use physics::model::Model;
use physics::scene::editing::{self, Amendment, Edit, Link, Point, Section};
use physics::scene::{Kind, SceneErrors, Vector};
use std::sync::Arc;

/// Changes the scene as asked, or says why it is refused; what is asked while an edit is being compiled waits for it.
pub fn run(world: &mut World, command: EditCommand) {
    if let Some(command) = EditQueue::hold(world, command) {
        carry_out(world, command);
    }
}

/// Goes on with edits that were compiled in the background, and with what has waited for them.
pub fn receive(world: &mut World) {
    queue::receive(world);
}

/// Does something that may change which bodies there are.
pub(super) fn minding_bodies(world: &mut World, change: impl FnOnce(&mut World)) {
    let bodies = count(world);
    change(world);
    if count(world) != bodies {
        // What the pointer holds may be another body now, or none.
        world.resource_mut::<Pointing>().pointer.drop_all();
        world.resource_mut::<Session>().input.drag = None;
    }
}

/// Changes the scene as asked, or says why it is refused.
pub(super) fn carry_out(world: &mut World, command: EditCommand) {
    minding_bodies(world, |world| obey(world, command));
}

fn obey(world: &mut World, command: EditCommand) {
    let mut editor = Editor { world };
    match command {
        EditCommand::Amend(edit) => editor.edit_then(*edit, |_| {}),
        EditCommand::Undo => match editor.session().undo_spec().map(str::to_owned) {
            Some(spec) => editor.open(&spec, Intent::Back),
            None => {
                let name = editor.session().undo_name().map(str::to_owned);
                editor.travel("Undone", name, Asked::Undo);
            }
        },
        EditCommand::Redo => match editor.session().redo_spec().map(str::to_owned) {
            Some(spec) => editor.open(&spec, Intent::Forth),
            None => {
                let name = editor.session().redo_name().map(str::to_owned);
                editor.travel("Redone", name, Asked::Redo);
            }
        },
        EditCommand::Restart => {
            let large = editor.session().compiles_in_background();
            if !(large && EditQueue::begin(world, Asked::Restart, Box::new(|_| {}))) {
                world.resource_mut::<Session>().reset();
            }
        }
        EditCommand::Place(fresh) => editor.set_mode(Mode::Place(fresh)),
        EditCommand::Attach(link) => editor.set_mode(Mode::Attach { link, first: None }),
        EditCommand::Ground(kind) => editor.set_mode(Mode::Ground(kind)),
        EditCommand::ChooseAxis(axis) => {
            let chosen = &mut editor.get::<Tool>().axis;
            *chosen = (*chosen != Some(axis)).then_some(axis);
        }
        EditCommand::Stop => editor.set_mode(Mode::Select),
        EditCommand::Click(point) => editor.click(point),
        EditCommand::AddForce => editor.add_force(),
        EditCommand::AddCoupling => editor.add_coupling(),
        EditCommand::KeepCamera => {
            let camera = saving::camera(editor.view());
            let edit = Edit::new("view at the start", vec![Amendment::Camera(Some(camera))]);
            editor.edit_then(edit, |editor| {
                editor.hint("The scene opens with this view.");
            });
        }
        EditCommand::Duplicate => editor.duplicate(),
        EditCommand::Delete => editor.delete(),
        EditCommand::Begin => {
            let edit = Edit::new("start here", vec![Amendment::Begin]);
            editor.edit_then(edit, |editor| editor.hint("The scene starts as it is now."));
        }
        EditCommand::ToggleHandles => editor.get::<Tool>().hides_handles ^= true,
        EditCommand::Rebuild(spec) => {
            editor.get::<Session>().pull_generation();
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
}

fn count(world: &World) -> usize {
    world.resource::<Session>().model().bodies.len()
}

/// The window while something is edited.
pub(super) struct Editor<'w> {
    pub world: &'w mut World,
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

    /// Carries an edit out; `then` follows if it is not refused, at once or, in a large scene, when it is compiled.
    pub fn edit_then(
        &mut self,
        edit: Edit,
        then: impl FnOnce(&mut Editor) + Send + Sync + 'static,
    ) {
        if self.session().compiles_in_background() {
            let asked = Asked::Edit(Box::new(edit));
            EditQueue::begin(self.world, asked, Box::new(then));
            return;
        }
        let before = self.session().shared_model().clone();
        let result = self.get::<Session>().edit(&edit);
        if self.settle(&before, result.map(|()| true)) {
            then(self);
        }
    }

    /// Goes to the version before or after.
    fn travel(&mut self, word: &'static str, name: Option<String>, to: Asked) {
        let charts = self.session().scene().file.charts.clone();
        let then = move |editor: &mut Editor| {
            plots::read(editor.world, &charts);
            if let Some(name) = name {
                editor.hint(format!("{word}: {name}"));
            }
        };
        if self.session().compiles_in_background() {
            EditQueue::begin(self.world, to, Box::new(then));
            return;
        }
        let before = self.session().shared_model().clone();
        let mut session = self.get::<Session>();
        let result = match to {
            Asked::Redo => session.redo(),
            _ => session.undo(),
        };
        if self.settle(&before, result) {
            then(self);
        }
    }

    /// Brings the window in line with the scene after an edit, or says why there was none.
    pub fn settle(&mut self, before: &Arc<Model>, result: Result<bool, SceneErrors>) -> bool {
        match result {
            Ok(_) => {
                self.get::<EditorState>().refused.clear();
                self.get::<Notices>().setting = None;
                let edited = ModelEdited::new(before, self.session().shared_model());
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
        let model = self.session().model();
        let item = self.world.resource::<Highlight>().selection?.as_item()?;
        Some((item.section, item.name(model)?.to_owned()))
    }

    fn select(&mut self, section: Section, name: &str) {
        let found = Item::find(self.session().model(), section, name);
        self.get::<Highlight>().selection = found.map(Selection::Item);
    }

    fn set_mode(&mut self, mode: Mode) {
        let mut tool = self.get::<Tool>();
        if !matches!(mode, Mode::Attach { first: Some(_), .. }) {
            tool.axis = None;
        }
        tool.mode = mode;
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
                let (name, edit) = editing::add(&self.session().scene().file, fresh, size, at);
                self.set_mode(Mode::Select);
                self.edit_then(edit, move |editor| {
                    editor.select(Section::Bodies, &name);
                });
            }
            Mode::Attach { link, first: None } => {
                let first = Some(LinkEnd::of(&point, &self.view().poses));
                self.set_mode(Mode::Attach { link, first });
            }
            Mode::Attach {
                link,
                first: Some(first),
            } => self.connect(link, first, point),
            Mode::Ground(kind) if point.body.is_some() => {
                let ground = LinkEnd {
                    body: None,
                    point: LinkEnd::of(&point, &self.view().poses).at(self.session().poses()),
                };
                self.connect(Link::Joint(kind), ground, point);
            }
            Mode::Ground(_) => self.hint("There is no body. Click one where it is held."),
        }
    }

    fn connect(&mut self, link: Link, first: LinkEnd, second: Point) {
        let poses = self.session().poses();
        let ends = [
            Point {
                body: first.body,
                at: first.at(poses),
            },
            Point {
                body: second.body,
                at: LinkEnd::of(&second, &self.view().poses).at(poses),
            },
        ];
        let state = self.session().state();
        let connected = editing::connect(self.session().scene(), state, link, ends);
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
        let section = match link {
            Link::Joint(_) => Section::Joints,
            Link::Spring => Section::Springs,
            Link::Cable => Section::Cables,
        };
        self.edit_then(edit, move |editor| editor.select(section, &name));
    }

    /// Gives the joint that an edit adds the axis that suits the view.
    fn turn_axis(&self, kind: Kind, edit: &mut Edit) {
        let tool = self.world.resource::<Tool>();
        let Some(axis) = tool.axis_of(kind, self.view()) else {
            return;
        };
        let model = self.session().model();
        for amendment in &mut edit.amendments {
            if let Amendment::Joint(_, Some(joint)) = amendment {
                let parent = model.body(&joint.parent);
                let turned = parent.map(|b| self.session().state().bodies[b.0].orientation);
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
        let (scene, state) = (&self.session().scene(), self.session().state());
        if let Some((copy, edit)) = editing::duplicate(scene, state, section, &name) {
            self.edit_then(edit, move |editor| editor.select(section, &copy));
        }
    }

    /// Adds something that needs no point, and selects it.
    fn add(&mut self, added: Option<(String, Edit)>, section: Section, otherwise: &str) {
        match added {
            Some((name, edit)) => {
                self.edit_then(edit, move |editor| editor.select(section, &name));
            }
            None => self.hint(otherwise),
        }
    }

    /// Adds a force on the selected body, or on the first.
    fn add_force(&mut self) {
        let file = &self.session().scene().file;
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
        let added = editing::add_coupling(self.session().scene(), joint.as_deref());
        let otherwise = "A coupling needs a joint with a free coordinate.";
        self.add(added, Section::Couplings, otherwise);
    }

    fn delete(&mut self) {
        let Some((section, name)) = self.selected() else {
            self.hint("Select what to delete.");
            return;
        };
        let edit = editing::delete(self.session().scene(), section, &name);
        self.edit_then(edit, move |editor| {
            editor.hint(format!("Deleted {name}. Ctrl + Z brings it back."));
        });
    }
}
