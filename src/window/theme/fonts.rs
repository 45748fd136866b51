//! The fonts of the window.

use bevy_egui::egui;

/// Gives an interface its fonts: one sans-serif with figures of equal width, one monospace.
pub fn fonts() -> egui::FontDefinitions {
    let mut fonts = egui::FontDefinitions::default();
    let faces: [(&str, &'static [u8], egui::FontFamily); 2] = [
        ("Roboto", assets::ROBOTO, egui::FontFamily::Proportional),
        (
            "JetBrains Mono",
            assets::JETBRAINS_MONO,
            egui::FontFamily::Monospace,
        ),
    ];
    for (name, bytes, family) in faces {
        let data = egui::FontData::from_static(bytes);
        fonts.font_data.insert(name.into(), data.into());
        // The fonts that egui brings follow, for the symbols that these lack.
        fonts
            .families
            .entry(family)
            .or_default()
            .insert(0, name.into());
    }
    // Arrows are in none of egui's proportional fonts.
    let proportional = fonts.families.entry(egui::FontFamily::Proportional);
    proportional.or_default().push("Hack".into());
    fonts
}
