//! What the tests of panels show, and what was asked of it.

use driftless::app::{Action, Session, Shell};

/// What a panel shows, and what was asked of it.
pub struct Desk {
    pub session: Session,
    pub shell: Shell,
    pub asked: Vec<Action>,
}

/// A scene as it is when it was opened.
pub fn desk(spec: &str) -> Desk {
    let scene = driftless::scene::open(spec, &[]).expect("the scene is shipped");
    let session = Session::new(scene).expect("the scene runs");
    let mut shell = Shell::default();
    shell.scene_opened(&session);
    Desk {
        session,
        shell,
        asked: Vec::new(),
    }
}
