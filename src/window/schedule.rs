//! Order of what happens in a frame: features follow each other by these sets alone, and a feature orders its own systems.

use bevy::prelude::*;

/// Order of what happens in a frame, beside Bevy's own; first to last.
#[derive(SystemSet, Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AppSet {
    /// Pointer and keys are read.
    Input,
    /// The clock says how many steps are due, and a step of the background is taken in.
    Clock,
    /// The poses of the frame are found.
    Pose,
    /// The runs beside the session follow its steps.
    Lanes,
    /// What the desktop answers and what is dropped on the window become commands.
    Listen,
    /// What gizmos do and files that have changed become commands.
    Ask,
    /// Commands are carried out.
    Apply,
    /// Time is moved.
    Travel,
    /// The document of the edits follows the moment shown.
    Follow,
    /// The runs beside the session are brought together with it.
    Compare,
    /// Figures of papers grow.
    Papers,
    /// Films take in what is shown.
    Film,
    /// What has happened is told.
    Tell,
    /// The camera moves.
    Camera,
    /// What is drawn follows what was simulated.
    Draw,
    /// The runs beside the session are drawn.
    DrawLanes,
    /// Plots that a person built are kept.
    KeepPlots,
    /// Settings are kept.
    KeepSettings,
    /// The window does what it was asked for at its start.
    Leave,
}

/// Puts the sets in their order.
pub fn order(app: &mut App) {
    use AppSet::*;
    let before = RunFixedMainLoopSystems::BeforeFixedMainLoop;
    let after = RunFixedMainLoopSystems::AfterFixedMainLoop;
    app.configure_sets(
        RunFixedMainLoop,
        (
            (Input, Clock).chain().in_set(before),
            (Pose, Lanes).chain().in_set(after),
        ),
    )
    .configure_sets(
        Update,
        (
            (Listen, Ask, Apply, Travel, Follow, Compare, Papers, Film).chain(),
            (Tell, Camera, Draw, DrawLanes).chain(),
            (KeepPlots, KeepSettings, Leave).chain(),
        )
            .chain(),
    )
    .configure_sets(Last, (KeepSettings, Leave).chain());
}
