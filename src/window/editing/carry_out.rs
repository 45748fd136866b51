//! Carries out what was wished for in editing.

use crate::camera::view::View;
use crate::commands::editing::EditCommand;
use crate::editing::keep::{find, keep_points, keep_to, name};
use crate::editing::{Question, drafts, plots, saving};
use crate::pointer::Pointing;
use crate::scenes::opening::{Intent, Opener};
use crate::session::Session;
use crate::state::shell::Shell;
use crate::state::tool;
use crate::state::tool::{End, Mode, link_word};
use physics::model::Model;
use physics::scene::SceneErrors;
use physics::scene::editing::{self, Amendment, Edit, Link, Point, Section};

/// Changes the scene as asked, or says why it is refused.
pub fn carry_out(
    wish: EditCommand,
    session: &mut Session,
    shell: &mut Shell,
    view: &mut View,
    pointing: &mut Pointing,
    opener: &mut Opener,
) {
    let bodies = session.simulation.model().bodies.len();
    let mut editor = Editor {
        session,
        shell,
        view,
    };
    match wish {
        EditCommand::Amend(edit) => {
            editor.edit(&edit);
        }
        EditCommand::Undo => match editor.session.undo_spec().map(str::to_owned) {
            Some(spec) => opener.begin(&spec, Intent::Back),
            None => {
                let name = editor.session.undo_name().map(str::to_owned);
                editor.travel("Undone", name, Session::undo);
            }
        },
        EditCommand::Redo => match editor.session.redo_spec().map(str::to_owned) {
            Some(spec) => opener.begin(&spec, Intent::Forth),
            None => {
                let name = editor.session.redo_name().map(str::to_owned);
                editor.travel("Redone", name, Session::redo);
            }
        },
        EditCommand::Place(fresh) => editor.set_mode(Mode::Place(fresh)),
        EditCommand::Attach(link) => editor.set_mode(Mode::Attach { link, first: None }),
        EditCommand::Stop => editor.set_mode(Mode::Select),
        EditCommand::Click(point) => editor.click(point),
        EditCommand::AddForce => editor.add_force(),
        EditCommand::AddCoupling => editor.add_coupling(),
        EditCommand::KeepCamera => {
            let camera = saving::camera(editor.view);
            let edit = Edit::new("view at the start", vec![Amendment::Camera(Some(camera))]);
            if editor.edit(&edit) {
                let said = "The scene opens with this view.";
                editor.shell.notices.hint(said);
            }
        }
        EditCommand::Duplicate => editor.duplicate(),
        EditCommand::Delete => editor.delete(),
        EditCommand::Begin => {
            let edit = Edit::new("start here", vec![Amendment::Begin]);
            if editor.edit(&edit) {
                editor.shell.notices.hint("The scene starts as it is now.");
            }
        }
        EditCommand::ToggleHandles => editor.shell.editor.hides_handles ^= true,
        EditCommand::Rebuild(spec) => {
            session.generations.pull();
            opener.begin(&spec, Intent::Rebuild);
        }
        EditCommand::Save => saving::save(session, shell),
        EditCommand::SaveAs => saving::ask_where(session, shell),
        EditCommand::Write(path) => saving::write(&path, session, shell),
        // What the desktop asks is asked by a system.
        EditCommand::Browse => {}
        EditCommand::ReloadAnyway => {
            shell.editor.question = None;
            saving::reload(session, opener);
        }
        EditCommand::Restore => {
            if let Some(Question::Draft(draft)) = shell.editor.question.take() {
                let spec = draft.spec.clone();
                shell.gallery = None;
                opener.begin(&spec, Intent::Restore(draft));
            }
        }
        EditCommand::Discard => {
            if let Some(Question::Draft(draft)) = shell.editor.question.take() {
                drafts::discard(&draft.file);
                shell.editor.question = drafts::next(shell).map(Question::Draft);
            }
        }
        EditCommand::Later => shell.editor.question = None,
    }
    if session.simulation.model().bodies.len() != bodies {
        // What the hand holds may be another body now, or none.
        pointing.pointer.drop_all();
        session.input.drag = None;
    }
}

struct Editor<'a> {
    session: &'a mut Session,
    shell: &'a mut Shell,
    view: &'a mut View,
}

impl Editor<'_> {
    /// Carries an edit out and keeps the selection by name; false if it is refused.
    fn edit(&mut self, edit: &Edit) -> bool {
        let before = self.session.simulation.shared_model().clone();
        let result = self.session.edit(edit);
        self.settle(&before, result.map(|()| true))
    }

    fn travel(
        &mut self,
        word: &str,
        name: Option<String>,
        to: impl FnOnce(&mut Session) -> Result<bool, SceneErrors>,
    ) {
        let before = self.session.simulation.shared_model().clone();
        let charts = self.session.scene.file.charts.clone();
        let result = to(self.session);
        if self.settle(&before, result) {
            plots::read(&charts, self.session, self.shell);
            let said = name.map(|name| format!("{word}: {name}"));
            said.into_iter()
                .for_each(|said| self.shell.notices.hint(said));
        }
    }

    /// Brings the window in line with the scene after an edit, or says why there was none.
    fn settle(&mut self, before: &Model, result: Result<bool, SceneErrors>) -> bool {
        match result {
            Ok(_) => {
                self.shell.editor.refused.clear();
                self.shell.notices.setting = None;
                keep_to(before, self.session, self.shell, self.view);
                keep_points(before, self.session, self.shell);
                self.view.stand(self.session);
                true
            }
            Err(errors) => {
                let first = errors.0.first();
                let said = first
                    .map(|e| format!("Refused: {}: {}; expected {}", e.path, e.found, e.expected));
                self.shell.notices.setting = said;
                self.shell.editor.refused = errors.0;
                false
            }
        }
    }

    fn selected(&self) -> Option<(Section, String)> {
        let model = self.session.simulation.model();
        let (section, name) = self.shell.selection.and_then(|s| name(model, s))?;
        Some((section, name.to_owned()))
    }

    fn select(&mut self, section: Section, name: &str) {
        self.shell.selection = find(self.session.simulation.model(), section, name);
    }

    fn set_mode(&mut self, mode: Mode) {
        self.shell.editor.mode = mode;
        match mode.hint() {
            Some(hint) => self.shell.notices.hint(hint),
            None => self.shell.notices.hint = None,
        }
    }

    /// A click in the view while something is being placed or connected.
    fn click(&mut self, point: Point) {
        match self.shell.editor.mode {
            Mode::Select => {}
            Mode::Place(fresh) => {
                let size = tool::size(self.session, self.view);
                let mut at = point.at;
                at.z += 0.5 * size;
                let (name, edit) = editing::add(&self.session.scene.file, fresh, size, at);
                if self.edit(&edit) {
                    self.select(Section::Bodies, &name);
                }
                self.shell.editor.mode = Mode::Select;
            }
            Mode::Attach { link, first: None } => {
                let first = Some(End::of(&point, &self.view.poses));
                self.set_mode(Mode::Attach { link, first });
            }
            Mode::Attach {
                link,
                first: Some(first),
            } => self.connect(link, first, point),
        }
    }

    fn connect(&mut self, link: Link, first: End, second: Point) {
        let poses = self.session.poses();
        let ends = [
            Point {
                body: first.body,
                at: first.at(poses),
            },
            Point {
                body: second.body,
                at: End::of(&second, &self.view.poses).at(poses),
            },
        ];
        let state = self.session.simulation.state();
        let Some((name, edit)) = editing::connect(&self.session.scene, state, link, ends) else {
            let what = link_word(link);
            let said = format!(
                "{what}: both points are on the same body. Click the second on another one. Esc cancels."
            );
            self.shell.notices.hint(said);
            return;
        };
        if self.edit(&edit) {
            let section = match link {
                Link::Joint(_) => Section::Joints,
                Link::Spring => Section::Springs,
                Link::Cable => Section::Cables,
            };
            self.select(section, &name);
        }
        self.shell.editor.mode = Mode::Select;
    }

    fn duplicate(&mut self) {
        let Some((section, name)) = self.selected() else {
            self.shell.notices.hint("Select what to copy.");
            return;
        };
        let (scene, state) = (&self.session.scene, self.session.simulation.state());
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
            None => self.shell.notices.hint(otherwise),
        }
    }

    /// Adds a force on the selected body, or on the first.
    fn add_force(&mut self) {
        let file = &self.session.scene.file;
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
        let added = editing::add_coupling(&self.session.scene, joint.as_deref());
        let otherwise = "A coupling needs a joint with a free coordinate.";
        self.add(added, Section::Couplings, otherwise);
    }

    fn delete(&mut self) {
        let Some((section, name)) = self.selected() else {
            self.shell.notices.hint("Select what to delete.");
            return;
        };
        let edit = editing::delete(&self.session.scene, section, &name);
        if self.edit(&edit) {
            self.shell
                .notices
                .hint(format!("Deleted {name}. Ctrl + Z brings it back."));
        }
    }
}
