//! The table of panels: everything that is known of one beside what it draws.

use crate::state::shortcut::Shortcut;
use crate::theme::icons::{self, Icon};
use bevy::prelude::KeyCode;
use serde::{Deserialize, Serialize};

/// A panel that can be opened and closed. Its name in the settings is that of the variant in small letters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PanelId {
    /// List of scenes.
    Scenes,
    /// Plots over time.
    Plots,
    /// Physics and display settings.
    Settings,
    /// The selected body or joint, and all bodies and joints.
    Inspector,
    /// What is drawn on top of the bodies.
    Layers,
    /// Videos.
    Record,
    /// Methods beside each other.
    Compare,
    /// Graph and matrix of the linear system.
    Solver,
    /// Time per phase of the step.
    Profiler,
    /// Plots of quantities of one's choice.
    Quantities,
}

impl PanelId {
    /// Its place in [`PANELS`], which has one row for each.
    pub const fn place(self) -> usize {
        self as usize
    }

    /// What is known of it.
    pub fn info(self) -> &'static PanelInfo {
        &PANELS[self.place()]
    }
}

/// Where a panel is at first; panels of one dock are behind each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Dock {
    /// At the left of the view.
    Side,
    /// Below the view.
    Bottom,
    /// At the right of the view; below it where the window is narrow.
    Right,
}

/// Where in the toolbar a panel has its button.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PanelButton {
    /// First of all, with its title where there is room for it.
    Lead,
    /// Beside the methods, with its title and a plus, as it adds one.
    Methods,
    /// Among the panels, as a sign.
    Row,
}

/// What is known of a panel.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PanelInfo {
    /// The panel.
    pub panel: PanelId,
    /// What its tab and its button say.
    pub title: &'static str,
    /// What it holds, said under the pointer.
    pub meaning: &'static str,
    /// Where it is at first.
    pub dock: Dock,
    /// Its sign.
    pub icon: Icon,
    /// Where its button is.
    pub button: PanelButton,
    /// Its key, if it has one.
    pub key: Option<Shortcut>,
    /// Task under which the help lists it.
    pub task: &'static str,
    /// What it is called among keys and commands.
    pub words: &'static str,
    /// Settings in it that a search finds.
    pub holds: &'static [&'static str],
    /// Whether it is open at first.
    pub open: bool,
}

/// All panels, in the order of their buttons.
pub const PANELS: [PanelInfo; 10] = [
    PanelInfo {
        panel: PanelId::Scenes,
        title: "Scenes",
        meaning: "Choose a scene",
        dock: Dock::Side,
        icon: icons::SCENES,
        button: PanelButton::Lead,
        key: Some(Shortcut::control(KeyCode::KeyL, "Ctrl + L")),
        task: "Scenes",
        words: "list of scenes",
        holds: &[],
        open: false,
    },
    PanelInfo {
        panel: PanelId::Plots,
        title: "Plots",
        meaning: "Show or hide the plots",
        dock: Dock::Right,
        icon: icons::PLOTS,
        button: PanelButton::Row,
        key: Some(Shortcut::plain(KeyCode::F4, "F4")),
        task: "Show",
        words: "plots",
        holds: &[],
        open: true,
    },
    PanelInfo {
        panel: PanelId::Settings,
        title: "Settings",
        meaning: "Gravity, damping, solver",
        dock: Dock::Side,
        icon: icons::SETTINGS,
        button: PanelButton::Row,
        key: None,
        task: "Show",
        words: "settings of physics, layers and interface",
        holds: &["Gravity", "Damping of joints", "Most iterations"],
        open: false,
    },
    PanelInfo {
        panel: PanelId::Inspector,
        title: "Inspector",
        meaning: "Bodies and joints",
        dock: Dock::Side,
        icon: icons::INSPECTOR,
        button: PanelButton::Row,
        key: Some(Shortcut::plain(KeyCode::KeyI, "I")),
        task: "Select",
        words: "inspector",
        holds: &[
            "Mass, inertia, pose of a body",
            "Friction and restitution of a material",
        ],
        open: false,
    },
    PanelInfo {
        panel: PanelId::Layers,
        title: "Layers",
        meaning: "Frames, forces, velocities, trails, contacts",
        dock: Dock::Side,
        icon: icons::LAYERS,
        button: PanelButton::Row,
        key: Some(Shortcut::plain(KeyCode::KeyL, "L")),
        task: "Layers",
        words: "list of layers",
        holds: &["Size and threshold of layers"],
        open: false,
    },
    PanelInfo {
        panel: PanelId::Record,
        title: "Record",
        meaning: "Videos and large pictures",
        dock: Dock::Side,
        icon: icons::RECORD,
        button: PanelButton::Row,
        key: None,
        task: "Keep",
        words: "videos and large pictures",
        holds: &["Size and frame rate of videos", "Camera of films"],
        open: false,
    },
    PanelInfo {
        panel: PanelId::Compare,
        title: "Compare",
        meaning: "Run other methods beside this one",
        dock: Dock::Side,
        icon: icons::COMPARE,
        button: PanelButton::Methods,
        key: None,
        task: "Compare",
        words: "methods beside each other",
        holds: &[],
        open: false,
    },
    PanelInfo {
        panel: PanelId::Solver,
        title: "Solver's picture",
        meaning: "Graph and matrix of the linear system, as the solver in use treats it",
        dock: Dock::Bottom,
        icon: icons::SOLVER,
        button: PanelButton::Row,
        key: Some(Shortcut::plain(KeyCode::KeyM, "M")),
        task: "Show",
        words: "graph and matrix of the solver",
        holds: &[],
        open: false,
    },
    PanelInfo {
        panel: PanelId::Profiler,
        title: "Profiler",
        meaning: "Wall time of the last steps, phase by phase",
        dock: Dock::Bottom,
        icon: icons::PROFILER,
        button: PanelButton::Row,
        key: Some(Shortcut::plain(KeyCode::F3, "F3")),
        task: "Show",
        words: "profiler",
        holds: &[],
        open: false,
    },
    PanelInfo {
        panel: PanelId::Quantities,
        title: "Your plots",
        meaning: "Any quantity over time or over another one",
        dock: Dock::Bottom,
        icon: icons::QUANTITIES,
        button: PanelButton::Row,
        key: Some(Shortcut::plain(KeyCode::KeyP, "P")),
        task: "Show",
        words: "plots that you build",
        holds: &[],
        open: false,
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_panel_has_its_row_with_a_title_words_and_a_key_of_its_own() {
        for (k, row) in PANELS.iter().enumerate() {
            assert_eq!(row.panel.place(), k, "{}", row.title);
            assert!(!row.title.is_empty() && !row.meaning.is_empty() && !row.words.is_empty());
            for other in &PANELS[k + 1..] {
                assert_ne!(row.title, other.title);
                assert_ne!(row.words, other.words);
                assert!(row.key.is_none() || row.key != other.key, "{}", row.title);
            }
            let id = serde_json::to_value(row.panel).unwrap();
            assert_eq!(serde_json::from_value::<PanelId>(id).unwrap(), row.panel);
        }
    }
}
