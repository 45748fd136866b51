//! The command palette: everything that can be done, opened or set, by a search.

pub mod help_ui;
pub mod palette_ui;

use crate::commands::{Command, keys};
use crate::methods::options_ui::called;
use crate::scenes::SceneList;
use crate::scenes::files::new_scenes;
use crate::scenes::gallery::holds;
use crate::session::Session;
use crate::session::playback::LADDER;
use crate::state::panels::PANELS;
use crate::state::preferences::Preferences;
use crate::state::selection::Selection;
use crate::text::{format, fuzzy};
use bevy::prelude::Resource;
use physics::integrators::{LinearSolver, OptionKind, OptionValue, REGISTRY, Settings};
use physics::model::BodyId;

/// What is typed and chosen in the palette.
#[derive(Resource, Debug, Clone, PartialEq, Default)]
pub struct PaletteState {
    /// What is searched for.
    pub search: String,
    /// Which of the finds Enter does.
    pub chosen: usize,
    /// Whether the field has taken the keys.
    pub has_keys: bool,
}

/// Something that the palette offers.
#[derive(Debug, Clone, PartialEq)]
pub struct Choice {
    /// Task, or kind of thing.
    pub group: String,
    /// What it is called.
    pub name: String,
    /// What else a search looks through, shown faintly.
    pub detail: String,
    /// Its key, if it has one that works.
    pub key: Option<&'static str>,
    /// Whether it cannot be done here, for the reason that the detail tells.
    pub refused: bool,
    /// What it does.
    pub action: Command,
}

impl Choice {
    fn new(group: &str, name: impl Into<String>, action: Command) -> Self {
        Self {
            group: group.into(),
            name: name.into(),
            detail: String::new(),
            key: None,
            refused: false,
            action,
        }
    }

    /// By which it is remembered.
    pub fn id(&self) -> String {
        format!("{}: {}", self.group, self.name)
    }
}

/// Most bodies that are offered; a scene of thousands has its list in the inspector.
const BODIES: usize = 300;

/// Everything that can be asked for now.
pub fn choices(
    session: &Session,
    preferences: &Preferences,
    scene_list: &SceneList,
) -> Vec<Choice> {
    let single = preferences.single_keys;
    let actions = keys::bindings()
        .iter()
        .filter(|b| b.action != Command::ShowPalette);
    let mut all: Vec<Choice> = actions
        .map(|b| Choice {
            key: b.shown(single),
            // A panel is found by its title, too.
            detail: match &b.action {
                Command::TogglePanel(panel) => format!("{} panel", panel.info().title),
                _ => String::new(),
            },
            ..Choice::new(b.task, b.title(), b.action.clone())
        })
        .collect();
    all.extend(scene_list.catalogue.iter().map(|entry| {
        let group = if entry.generated {
            "Generator"
        } else {
            "Scene"
        };
        Choice {
            detail: format!("{} {}", entry.spec, entry.description),
            ..Choice::new(
                group,
                entry.title.clone(),
                Command::Open(entry.spec.clone()),
            )
        }
    }));
    all.extend(
        new_scenes()
            .map(|(title, name)| Choice::new("New scene", title, Command::Open(name.into()))),
    );
    all.extend(preferences.recent.iter().map(|path| {
        let name = path.file_name().unwrap_or(path.as_os_str());
        let spec = path.display().to_string();
        Choice {
            detail: spec.clone(),
            ..Choice::new("File", name.to_string_lossy(), Command::Open(spec))
        }
    }));
    all.extend(
        crate::papers::rows().map(|(name, detail, refused, action)| Choice {
            detail: detail.into(),
            refused,
            ..Choice::new("Paper", name, action)
        }),
    );
    all.extend(settings(session));
    // Settings with numbers are changed in their panel.
    let held = PANELS
        .iter()
        .flat_map(|row| row.holds.iter().map(|name| (*name, row.panel)));
    all.extend(held.map(|(name, panel)| Choice {
        detail: "in its panel".into(),
        ..Choice::new("Setting", name, Command::ShowPanel(panel))
    }));
    let views = preferences.views(&session.scene().name).iter().enumerate();
    all.extend(views.map(|(k, view)| Choice::new("View", &view.name, Command::GoToView(k))));
    let bodies = session.model().bodies.iter().take(BODIES);
    all.extend(bodies.enumerate().map(|(k, body)| {
        let action = Command::Select(Some(Selection::body(BodyId(k))));
        Choice::new("Select", body.name.clone(), action)
    }));
    all
}

/// Settings of the simulation that are one of a few.
fn settings(session: &Session) -> Vec<Choice> {
    let now = *session.settings();
    let with = |name: String, settings: Settings| {
        Choice::new("Setting", name, Command::Settings(settings))
    };
    let mut all = Vec::new();
    for info in REGISTRY {
        let refused = session.refusal(info);
        all.push(Choice {
            refused: refused.is_some(),
            detail: refused.map_or(info.summary, |r| &r.reason).into(),
            ..Choice::new("Integrator", info.name, Command::Integrator(info.name))
        });
    }
    for (rung, speed) in LADDER.iter().enumerate() {
        let name = format!("Speed {}", format::factor(*speed));
        all.push(Choice::new("Setting", name, Command::SetSpeed(rung)));
    }
    for exponent in [4, 6, 8, 10, 12] {
        let text = format!("1e-{exponent}");
        // As written in a scene file, not with the rounding of a power.
        if let Ok(tolerance) = text.parse() {
            let settings = Settings { tolerance, ..now };
            all.push(with(format!("Newton tolerance {text}"), settings));
        }
    }
    for (name, factor) in [("Half of the step size", 0.5), ("Twice the step size", 2.0)] {
        let dt = factor * now.dt;
        all.push(Choice {
            detail: format!("dt {} ms", format::number(1e3 * dt)),
            ..with(name.into(), Settings { dt, ..now })
        });
    }
    for (name, linear_solver) in [
        ("articulated", LinearSolver::Articulated),
        ("block LDU", LinearSolver::BlockLdu),
        ("dense", LinearSolver::Dense),
    ] {
        let settings = Settings {
            linear_solver,
            ..now
        };
        all.push(with(format!("Linear solver: {name}"), settings));
    }
    let method = session.integrator();
    for spec in method.options {
        let words: Vec<OptionValue> = match spec.kind {
            OptionKind::Choice { words, .. } => {
                words.iter().map(|w| OptionValue::Word(w.0)).collect()
            }
            OptionKind::Switch { .. } => [true, false].map(OptionValue::Switch).into(),
            OptionKind::Real { .. } | OptionKind::Whole { .. } => Vec::new(),
        };
        for word in words {
            let mut settings = now;
            let chosen = settings
                .options
                .set(method.options, spec.name, &word.into());
            if chosen.is_ok() {
                let name = format!("{} of {}: {word}", called(spec), method.name);
                all.push(Choice {
                    detail: spec.summary.into(),
                    ..with(name, settings)
                });
            }
        }
    }
    all
}

/// A scene that the search itself names: a shipped one, or a generator with parameters, as in `chain:links=1000`.
pub fn typed(scene_list: &SceneList, search: &str) -> Option<Choice> {
    let spec = search.trim();
    let name = |spec: &str| spec.split(':').next().unwrap_or_default().to_owned();
    let mut known = scene_list.catalogue.iter().map(|entry| name(&entry.spec));
    let given = spec.split_once(':')?.1;
    let named = given.contains('=') && known.any(|n| n == name(spec));
    named.then(|| Choice::new("Open", spec, Command::Open(spec.into())))
}

/// What answers a search, best first; without a search, what was done last comes first.
pub fn find<'a>(choices: &'a [Choice], search: &str, done: &[String]) -> Vec<&'a Choice> {
    let recency = |choice: &Choice| {
        let id = choice.id();
        done.iter().position(|d| *d == id).unwrap_or(done.len())
    };
    if search.trim().is_empty() {
        let mut all: Vec<&Choice> = choices.iter().collect();
        all.sort_by_key(|c| recency(c));
        return all;
    }
    let scored = choices.iter().filter_map(|choice| {
        let name = fuzzy::score(&choice.id(), search);
        let described = holds(&format!("{} {}", choice.id(), choice.detail), search);
        let worth = name.max(described.then_some(fuzzy::DESCRIBED))?;
        Some((worth, choice))
    });
    let mut found: Vec<(i32, &Choice)> = scored.collect();
    found.sort_by_key(|(worth, choice)| (-worth, recency(choice)));
    found.into_iter().map(|(_, choice)| choice).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::panels::PanelId;
    use physics::integrators::refusal;
    use std::collections::BTreeSet;

    fn fixture() -> (Session, Preferences, SceneList) {
        let scene = physics::scene::open("double_pendulum", &[]).unwrap();
        let list = SceneList {
            catalogue: crate::scenes::files::catalogue(),
            ..SceneList::default()
        };
        (Session::new(scene).unwrap(), Preferences::default(), list)
    }

    #[test]
    fn every_action_scene_generator_and_method_is_found_by_its_name() {
        let (session, preferences, list) = fixture();
        let all = choices(&session, &preferences, &list);
        let ids: BTreeSet<String> = all.iter().map(Choice::id).collect();
        assert_eq!(ids.len(), all.len(), "every entry has a name of its own");
        for binding in keys::bindings()
            .iter()
            .filter(|b| b.action != Command::ShowPalette)
        {
            let found = find(&all, binding.meaning, &[]);
            assert_eq!(found[0].action, binding.action, "{}", binding.meaning);
            assert_eq!(found[0].key.unwrap_or(""), binding.label);
        }
        for entry in &list.catalogue {
            let found = find(&all, &entry.title, &[]);
            let open = Command::Open(entry.spec.clone());
            let mut first = found.iter().take(2);
            assert!(first.any(|c| c.action == open), "{}", entry.title);
        }
        for name in ["heun", "variational-2", "rk4"] {
            assert_eq!(find(&all, name, &[])[0].action, Command::Integrator(name));
        }
    }

    #[test]
    fn a_panel_is_found_by_its_title_before_letters_that_are_scattered() {
        let (session, preferences, list) = fixture();
        let all = choices(&session, &preferences, &list);
        for row in PANELS {
            let found = find(&all, &format!("{} panel", row.title), &[]);
            let action = Command::TogglePanel(row.panel);
            let first = found.iter().take(3).any(|c| c.action == action);
            assert!(first, "{}", row.title);
        }
        // Papers have all its letters, here and there.
        let found = find(&all, "record", &[]);
        let place = |is: &dyn Fn(&Choice) -> bool| found.iter().position(|c| is(c));
        let panel = place(&|c| c.action == Command::TogglePanel(PanelId::Record));
        assert!(panel.is_some() && panel < place(&|c| c.group == "Paper"));
    }

    #[test]
    fn a_generator_with_parameters_is_found_as_it_is_typed() {
        let (_, _, list) = fixture();
        let open = typed(&list, " chain:links=1000 ").map(|c| c.action);
        assert_eq!(open, Some(Command::Open("chain:links=1000".into())));
        for other in [
            "chain",
            "chain:",
            "no_such_scene:links=3",
            "integrator: heun",
        ] {
            assert_eq!(typed(&list, other), None, "{other}");
        }
    }

    #[test]
    fn a_method_that_cannot_run_the_scene_is_listed_with_its_reason() {
        let scene = physics::scene::open("box_slope", &[]).unwrap();
        let session = Session::new(scene).unwrap();
        let (_, preferences, list) = fixture();
        let all = choices(&session, &preferences, &list);
        for info in REGISTRY {
            let listed = find(&all, info.name, &[])
                .into_iter()
                .find(|c| c.action == Command::Integrator(info.name))
                .unwrap_or_else(|| panic!("{}", info.name));
            let refused = refusal(info, session.model());
            assert_eq!(listed.refused, refused.is_some(), "{}", info.name);
            if let Some(reason) = refused {
                assert_eq!(listed.detail, reason.to_string());
            }
        }
        assert!(
            all.iter().any(|c| c.refused)
                && all.iter().any(|c| c.name == "variational-2" && !c.refused)
        );
    }

    #[test]
    fn what_was_done_last_comes_first() {
        let (session, preferences, list) = fixture();
        let all = choices(&session, &preferences, &list);
        let done = ["Scene: Arch".to_owned(), "Show: Shadows".to_owned()];
        let first: Vec<String> = find(&all, "", &done)[..2].iter().map(|c| c.id()).collect();
        let known: Vec<&String> = done
            .iter()
            .filter(|d| all.iter().any(|c| c.id() == **d))
            .collect();
        assert_eq!(first[..known.len()].iter().collect::<Vec<_>>(), known);
    }
}
