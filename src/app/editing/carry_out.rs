//! Carries out what was wished for in editing.

use super::super::actions::Selection;
use super::super::hands::Hands;
use super::super::opening::{Intent, Opener};
use super::super::session::Session;
use super::super::shell::Shell;
use super::super::view::View;
use super::super::views::{CameraMode, CameraMotion};
use super::placing::{self, End, Mode, link_word};
use super::{EditWish, Question, drafts, saving};
use crate::diagnostics::Chart;
use crate::model::{BodyId, Force, JointId, Model};
use crate::scene::SceneErrors;
use crate::scene::editing::{self, Amendment, Edit, Item, Link, Point};

/// Changes the scene as asked, or says why it is refused.
pub fn carry_out(
    wish: EditWish,
    session: &mut Session,
    shell: &mut Shell,
    view: &mut View,
    hands: &mut Hands,
    opener: &mut Opener,
) {
    let bodies = session.simulation.model().bodies.len();
    let mut editor = Editor {
        session,
        shell,
        view,
    };
    match wish {
        EditWish::Amend(edit) => {
            editor.edit(&edit);
        }
        EditWish::Undo => {
            let name = editor.session.document.undo_name().map(str::to_owned);
            editor.travel("Undone", name, Session::undo);
        }
        EditWish::Redo => {
            let name = editor.session.document.redo_name().map(str::to_owned);
            editor.travel("Redone", name, Session::redo);
        }
        EditWish::Place(fresh) => editor.set_mode(Mode::Place(fresh)),
        EditWish::Attach(link) => editor.set_mode(Mode::Attach { link, first: None }),
        EditWish::Stop => editor.set_mode(Mode::Select),
        EditWish::Click(point) => editor.click(point),
        EditWish::Duplicate => editor.duplicate(),
        EditWish::Delete => editor.delete(),
        EditWish::Begin => {
            let edit = Edit::new("start here", vec![Amendment::Begin]);
            if editor.edit(&edit) {
                editor.shell.notices.hint("The scene starts as it is now.");
            }
        }
        EditWish::ToggleHandles => editor.shell.desk.hides_handles ^= true,
        EditWish::Rebuild(spec) => opener.begin(&spec, Intent::Rebuild),
        EditWish::Save => saving::save(session, shell),
        EditWish::SaveAs => saving::ask_where(session, shell),
        EditWish::Write(path) => saving::write(&path, session, shell),
        // What the desktop asks is asked by a system.
        EditWish::Browse => {}
        EditWish::ReloadAnyway => {
            shell.desk.question = None;
            saving::reload(session, opener);
        }
        EditWish::Restore => {
            if let Some(Question::Draft(draft)) = shell.desk.question.take() {
                let spec = draft.spec.clone();
                shell.gallery = None;
                opener.begin(&spec, Intent::Restore(draft));
            }
        }
        EditWish::Discard => {
            if let Some(Question::Draft(draft)) = shell.desk.question.take() {
                drafts::discard(&draft.file);
                shell.desk.question = drafts::next(shell).map(Question::Draft);
            }
        }
        EditWish::Later => shell.desk.question = None,
    }
    if session.simulation.model().bodies.len() != bodies {
        // What the hand holds may be another body now, or none.
        hands.pointer.drop_all();
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
        let result = to(self.session);
        if self.settle(&before, result)
            && let Some(name) = name
        {
            self.shell.notices.hint(format!("{word}: {name}"));
        }
    }

    /// Brings the window in line with the scene after an edit, or says why there was none.
    fn settle(&mut self, before: &Model, result: Result<bool, SceneErrors>) -> bool {
        match result {
            Ok(_) => {
                self.shell.desk.refused.clear();
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
                self.shell.desk.refused = errors.0;
                false
            }
        }
    }

    fn selected(&self) -> Option<(Kind, String)> {
        let model = self.session.simulation.model();
        self.shell.selection.and_then(|s| name(model, s))
    }

    fn set_mode(&mut self, mode: Mode) {
        self.shell.desk.mode = mode;
        match mode.hint() {
            Some(hint) => self.shell.notices.hint(hint),
            None => self.shell.notices.hint = None,
        }
    }

    /// A click in the view while something is being placed or connected.
    fn click(&mut self, point: Point) {
        match self.shell.desk.mode {
            Mode::Select => {}
            Mode::Place(fresh) => {
                let size = placing::size(self.session, self.view);
                let mut at = point.at;
                at.z += 0.5 * size;
                let (name, edit) = editing::add(&self.session.scene.file, fresh, size, at);
                if self.edit(&edit) {
                    let body = self.session.simulation.model().body(&name);
                    self.shell.selection = body.map(Selection::Body);
                }
                self.shell.desk.mode = Mode::Select;
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
            let model = self.session.simulation.model();
            self.shell.selection = match link {
                Link::Joint(_) => find(model, &(Kind::Joint, name)),
                Link::Spring => find(model, &(Kind::Spring, name)),
                Link::Cable => find(model, &(Kind::Cable, name)),
            };
        }
        self.shell.desk.mode = Mode::Select;
    }

    fn duplicate(&mut self) {
        let (scene, state) = (&self.session.scene, self.session.simulation.state());
        let copy = match self.shell.selection {
            Some(Selection::Body(body)) => {
                editing::duplicate(scene, state, body).map(|c| (Kind::Body, c))
            }
            Some(Selection::Joint(joint)) => {
                let name = &self.session.simulation.model().joints[joint.0].name;
                editing::duplicate_joint(scene, name).map(|c| (Kind::Joint, c))
            }
            _ => None,
        };
        match copy {
            Some((kind, (name, edit))) => {
                if self.edit(&edit) {
                    let model = self.session.simulation.model();
                    self.shell.selection = find(model, &(kind, name));
                }
            }
            None => self
                .shell
                .notices
                .hint("Select a body or a joint to copy it."),
        }
    }

    fn delete(&mut self) {
        let Some((kind, name)) = self.selected() else {
            self.shell.notices.hint("Select what to delete.");
            return;
        };
        let item = match kind {
            Kind::Body => Item::Body(&name),
            Kind::Joint => Item::Joint(&name),
            Kind::Spring => Item::Spring(&name),
            Kind::Cable => Item::Cable(&name),
        };
        let edit = editing::delete(&self.session.scene, item);
        if self.edit(&edit) {
            self.shell
                .notices
                .hint(format!("Deleted {name}. Ctrl + Z brings it back."));
        }
    }
}

/// Kinds of what can be selected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Body,
    Joint,
    Spring,
    Cable,
}

/// What is selected, by name.
fn name(model: &Model, selection: Selection) -> Option<(Kind, String)> {
    Some(match selection {
        Selection::Body(body) => (Kind::Body, model.bodies.get(body.0)?.name.clone()),
        Selection::Joint(joint) => (Kind::Joint, model.joints.get(joint.0)?.name.clone()),
        Selection::Cable(cable) => (Kind::Cable, model.cables.get(cable)?.name.clone()),
        Selection::Spring(spring) => (
            Kind::Spring,
            spring_name(model.forces.get(spring)?).to_owned(),
        ),
        // It has no name, and an edit may be the end of it.
        Selection::Contact(_) => return None,
    })
}

fn spring_name(force: &Force) -> &str {
    match force {
        Force::Spring { name, .. } | Force::Wrench { name, .. } => name,
    }
}

/// The item of that name.
fn find(model: &Model, (kind, name): &(Kind, String)) -> Option<Selection> {
    match kind {
        Kind::Body => model.body(name).map(|BodyId(k)| Selection::Body(BodyId(k))),
        Kind::Joint => model
            .joint(name)
            .map(|JointId(k)| Selection::Joint(JointId(k))),
        Kind::Spring => {
            let at = model.forces.iter().position(|f| spring_name(f) == name);
            at.map(Selection::Spring)
        }
        Kind::Cable => {
            let at = model.cables.iter().position(|c| c.name == *name);
            at.map(Selection::Cable)
        }
    }
}

/// Keeps selection and camera to what they were kept to in the model before, by name.
pub(super) fn keep_to(before: &Model, session: &Session, shell: &mut Shell, view: &mut View) {
    let after = session.simulation.model();
    let moved = |selection| find(after, &name(before, selection)?);
    shell.selection = shell.selection.and_then(moved);
    if let CameraMode::Following(body) = view.motion.mode {
        match moved(Selection::Body(body)) {
            Some(Selection::Body(now)) => view.motion.mode = CameraMode::Following(now),
            _ => view.motion = CameraMotion::default(),
        }
    }
}

/// Keeps plots and trails to the bodies and joints of which they were in the model before, by name.
pub(super) fn keep_points(before: &Model, session: &Session, shell: &mut Shell) {
    let after = session.simulation.model();
    let charts = shell.own.charts.iter();
    let charts: Vec<Chart> = charts.filter_map(|c| c.moved(before, after)).collect();
    if charts.len() != shell.own.charts.len() {
        shell.own.edited = None;
    }
    shell.own.charts = charts;
    shell.layers.trails.retain_mut(|trail| {
        let name = before.bodies.get(trail.body.0).map(|b| &b.name);
        let now = name.and_then(|name| after.body(name));
        trail.body = now.unwrap_or(trail.body);
        now.is_some()
    });
    // Until something is pointed at again.
    shell.pointed.clear();
}
