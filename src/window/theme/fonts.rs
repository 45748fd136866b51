//! The fonts of the window.

use bevy_egui::egui::{FontData, FontDefinitions, FontFamily, FontTweak};

/// Gives an interface its fonts: one sans-serif with figures of equal width, one monospace, and the symbols of buttons.
pub fn fonts() -> FontDefinitions {
    let mut fonts = FontDefinitions::empty();
    let symbols = FontData::from_static(assets::SYMBOLS).tweak(FontTweak {
        // As high as the letters beside them.
        scale: 0.9,
        ..FontTweak::default()
    });
    for (name, data) in [
        ("Roboto", FontData::from_static(assets::ROBOTO)),
        (
            "JetBrains Mono",
            FontData::from_static(assets::JETBRAINS_MONO),
        ),
        ("symbols", symbols),
    ] {
        fonts.font_data.insert(name.into(), data.into());
    }
    // Each takes what it lacks from the next, as arrows are in one of them alone.
    for (family, names) in [
        (
            FontFamily::Proportional,
            ["Roboto", "JetBrains Mono", "symbols"],
        ),
        (
            FontFamily::Monospace,
            ["JetBrains Mono", "Roboto", "symbols"],
        ),
    ] {
        fonts
            .families
            .insert(family, names.map(String::from).to_vec());
    }
    fonts
}
