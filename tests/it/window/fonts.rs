//! What the window writes can be read: its fonts are its own, and hold every sign of its texts.

use bevy_egui::egui::{Context, FontFamily, RawInput};
use driftless::window::theme::fonts::fonts;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Files with an ending in a folder and those below it.
fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("a folder of the repository");
    let paths = entries.map(|e| e.expect("its entries can be read").path());
    paths
        .flat_map(|path| match path.is_dir() {
            true => files(&path, ending),
            false if path.extension().is_some_and(|e| e == ending) => vec![path],
            false => Vec::new(),
        })
        .collect()
}

/// Signs beyond ASCII in what a file says, without comments and tests.
fn signs(path: &Path) -> BTreeSet<char> {
    let text = std::fs::read_to_string(path).expect("a text");
    let said = text.split("#[cfg(test)]").next().unwrap_or_default();
    let lines = said.lines().filter(|l| !l.trim_start().starts_with("//"));
    lines
        .flat_map(str::chars)
        .filter(|c| !c.is_ascii())
        .collect()
}

#[test]
fn the_fonts_hold_every_sign_that_is_written() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folders = ["src/window", "src/physics", "src/reproduce"];
    let code = folders.iter().flat_map(|f| files(&root.join(f), "rs"));
    let code = code.filter(|path| !path.components().any(|c| c.as_os_str() == "tests"));
    let scenes = files(&root.join("scenes"), "ron");
    let mut written: BTreeSet<char> = code.chain(scenes).flat_map(|path| signs(&path)).collect();
    // Those that egui itself writes: of a menu within a menu, and of a text that is cut.
    written.extend(['⏵', '…']);
    assert!(written.len() > 40, "{} signs are found", written.len());
    let ctx = Context::default();
    ctx.set_fonts(fonts());
    let mut missing: BTreeSet<char> = BTreeSet::new();
    let mut output = ctx.run_ui(RawInput::default(), |ui| {
        for family in [FontFamily::Proportional, FontFamily::Monospace] {
            ui.ctx().fonts_mut(|view| {
                let mut font = view.fonts.font(&family);
                let held = font.characters();
                missing.extend(written.iter().filter(|sign| !held.contains_key(sign)));
            });
        }
    });
    output.textures_delta.clear();
    assert!(missing.is_empty(), "seen as boxes: {missing:?}");
}
