//! The options of a method, drawn by what the method declares.

use crate::ui::Spoken;
use bevy_egui::egui::{self, DragValue, Ui};
use physics::integrators::{IntegratorInfo, OptionKind, OptionSpec, OptionValue, Options};

/// Draws the options of a method; `whose` tells those of several lanes apart, and is empty for the session's own.
pub fn options_ui(ui: &mut Ui, method: &IntegratorInfo, options: &mut Options, whose: &str) {
    let chosen = *options;
    for (spec, before) in chosen.all(method.options) {
        let after = option_ui(ui, spec, before, whose);
        if after != before {
            let set = options.set(method.options, spec.name, &after.into());
            debug_assert!(
                set.is_ok(),
                "the fields give what the option takes: {set:?}"
            );
        }
    }
}

/// What an option is called in the interface.
pub fn called(spec: &OptionSpec) -> String {
    spec.name.replace('_', " ")
}

fn option_ui(
    ui: &mut Ui,
    spec: &'static OptionSpec,
    value: OptionValue,
    whose: &str,
) -> OptionValue {
    let name = called(spec);
    let spoken = format!("{name}{whose}");
    match (spec.kind, value) {
        (OptionKind::Choice { words, .. }, OptionValue::Word(mut word)) => {
            ui.horizontal(|ui| {
                egui::ComboBox::from_id_salt((whose, spec.name))
                    .selected_text(word)
                    .show_ui(ui, |ui| {
                        for (choice, meaning) in words {
                            ui.selectable_value(&mut word, *choice, *choice)
                                .on_hover_text(*meaning);
                        }
                    })
                    .response
                    .spoken(&spoken)
                    .on_hover_text(spec.summary);
                ui.label(name).on_hover_text(spec.summary);
            });
            OptionValue::Word(word)
        }
        (
            OptionKind::Real {
                usual,
                range: [a, b],
                unit,
                ..
            },
            OptionValue::Real(mut x),
        ) => {
            // A hundredth of the number, of what is usual, or of a short range, for a point of the way of the mouse.
            let speed = 0.01 * x.abs().max(usual).min(b - a);
            let field = DragValue::new(&mut x).speed(speed).range(a..=b);
            number_ui(ui, spec, field.suffix(suffix(unit)), &spoken);
            OptionValue::Real(x)
        }
        (OptionKind::Whole { range: [a, b], .. }, OptionValue::Whole(mut n)) => {
            number_ui(ui, spec, DragValue::new(&mut n).range(a..=b), &spoken);
            OptionValue::Whole(n)
        }
        (OptionKind::Switch { .. }, OptionValue::Switch(mut on)) => {
            ui.checkbox(&mut on, name)
                .spoken(&spoken)
                .on_hover_text(spec.summary);
            OptionValue::Switch(on)
        }
        // A value has the kind that its method declares.
        _ => value,
    }
}

fn number_ui(ui: &mut Ui, spec: &OptionSpec, field: DragValue<'_>, spoken: &str) {
    ui.horizontal(|ui| {
        ui.label(called(spec)).on_hover_text(spec.summary);
        ui.add(field).spoken(spoken).on_hover_text(spec.summary);
    });
}

fn suffix(unit: &str) -> String {
    match unit {
        "" => String::new(),
        unit => format!(" {unit}"),
    }
}
