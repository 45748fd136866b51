//! Open panels and their places, in files of this version and of former ones.

use super::*;

/// What is open and where it is after a file whose group of panels says this, and what was wrong with it.
fn panels_of(name: &str, panels: &str) -> (Workspace, Vec<String>) {
    let folder = scratch(name);
    fs::create_dir_all(&folder).unwrap();
    let text = format!(r#"{{"version": 1, "panels": {{{panels}}}}}"#);
    fs::write(folder.join("settings.json"), text).unwrap();
    let mut world = fresh();
    let (mut file, problems) = SettingsFile::read(&folder, &mut world);
    let change = file.change(&world);
    change.expect("it is of another version").write().unwrap();
    let written = fs::read_to_string(folder.join("settings.json")).unwrap();
    let written: serde_json::Value = serde_json::from_str(&written).unwrap();
    for former in ["side", "plots", "side_width", "plots_width"] {
        assert!(written["panels"].get(former).is_none(), "{written:#}");
    }
    assert!(written["panels"]["layout"]["column"].is_array());
    fs::remove_dir_all(folder).unwrap();
    (world.resource::<Workspace>().clone(), problems)
}

#[test]
fn open_panels_are_read_from_former_files_and_none_twice() {
    let read = |panels: &str| {
        let (workspace, problems) = panels_of("open", panels);
        assert_eq!(workspace.arrangement, Arrangement::default());
        (workspace.open, problems)
    };
    let none = Vec::<String>::new();
    let (open, problems) = read(r#""side": "layers", "plots": false"#);
    assert_eq!((open, problems), (vec![PanelId::Layers], none.clone()));
    let (open, problems) = read(r#""side": null, "plots": true"#);
    assert_eq!((open, problems), (vec![PanelId::Plots], none.clone()));
    let (open, problems) = read(r#""open": ["solver", "scenes"]"#);
    assert_eq!(
        (open, problems),
        (vec![PanelId::Solver, PanelId::Scenes], none.clone())
    );
    let (open, problems) = read(r#""open": ["record", "scenes"]"#);
    assert_eq!(
        (open, problems),
        (vec![PanelId::Record, PanelId::Scenes], none)
    );
    let (open, problems) = read(r#""open": ["record", "record"]"#);
    assert_eq!(open, [PanelId::Plots], "as at first");
    assert_eq!(problems, ["panels.open: Record is there twice"]);
}

#[test]
fn widths_of_former_files_are_those_of_the_docks() {
    let (workspace, problems) = panels_of("widths", r#""side_width": 300.5, "plots_width": 410"#);
    assert_eq!(problems, Vec::<String>::new());
    let mut wanted = Arrangement::default();
    wanted.widen(PanelId::Layers, 300.5);
    wanted.widen(PanelId::Plots, 410.0);
    assert_eq!(workspace.arrangement, wanted);
    assert_ne!(wanted, Arrangement::default());
    let (workspace, problems) = panels_of("widths", r#""side_width": 3, "plots_width": 410"#);
    assert_eq!(problems, ["panels.side_width: 3 is not from 230 to 460"]);
    assert_ne!(workspace.arrangement, Arrangement::default());
}

#[test]
fn a_layout_that_no_window_can_show_is_named_and_the_first_one_stays() {
    for (layout, said) in [
        (
            r#"{"tabs": ["plots"]}"#,
            "panels.layout: the view is nowhere",
        ),
        (
            r#"{"row": [{"part": "view"}, {"part": {"tabs": ["cellar"]}}]}"#,
            "panels.layout: ",
        ),
        ("7", "panels.layout: "),
    ] {
        let panels = format!(r#""open": ["scenes"], "layout": {layout}"#);
        let (workspace, problems) = panels_of("layout", &panels);
        assert!(
            problems.len() == 1 && problems[0].starts_with(said),
            "{problems:?}"
        );
        assert_eq!(workspace.arrangement, Arrangement::default());
        assert_eq!(workspace.open, [PanelId::Scenes], "the rest is taken");
    }
}
