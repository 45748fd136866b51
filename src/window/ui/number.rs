//! Numbers that can be dragged, or typed exactly.

use crate::theme::Palette;
use crate::ui::Spoken;
use crate::ui::form::Field;
use bevy_egui::egui::{self, DragValue, RichText, Ui};
use physics::scene::Number;

/// Change of a number for a pointer that moves by a point, as a fraction of the number.
const DRAG: f64 = 0.005;
/// Digits shown of a number; all of it is kept.
const DIGITS: usize = 6;
/// Least width of the field of a single number (points): most that move have room for their digits and unit.
const WIDE: f32 = 72.0;
/// Width of a vector's fields (points), and the most characters of a number in one.
const NARROW: f32 = 52.0;
const ROOM: usize = 7;

/// A number that can be dragged, or typed as a number or a constant expression.
pub fn number_ui(
    ui: &mut Ui,
    value: &mut f64,
    unit: &str,
    meaning: &str,
    label: Option<egui::Id>,
) -> bool {
    let suffix = match unit {
        "" => String::new(),
        unit => format!(" {unit}"),
    };
    let usual = std::mem::replace(&mut ui.spacing_mut().interact_size.x, WIDE);
    let (response, changed) = digits_ui(ui, value, shown, suffix);
    ui.spacing_mut().interact_size.x = usual;
    let response = response.on_hover_text(format!(
        "{meaning}: drag, or click and type; expressions such as 1/12 or 30 deg count"
    ));
    match label {
        Some(label) => response.labelled_by(label),
        None => response.spoken(meaning),
    };
    changed
}

/// Numbers side by side.
pub fn numbers_ui(ui: &mut Ui, field: Field, names: &[&str], values: &mut [f64]) -> bool {
    let mut changed = false;
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 3.0;
        ui.spacing_mut().interact_size.x = NARROW;
        for (name, value) in names.iter().zip(values) {
            let hover = format!("{} {name}: {} {}", field.meaning, shown(*value), field.unit);
            let spoken = format!("{} {name}", field.name);
            let (response, new) = digits_ui(ui, value, narrow, String::new());
            response.spoken(&spoken).on_hover_text(hover);
            changed |= new;
        }
        if !field.unit.is_empty() {
            ui.label(
                RichText::new(field.unit)
                    .small()
                    .color(Palette::worn(ui).faint()),
            );
        }
    });
    changed
}

/// The field of a number, written in a way of its own. True if the number was changed; digits that are not shown are kept
/// where it was not.
fn digits_ui(
    ui: &mut Ui,
    value: &mut f64,
    write: fn(f64) -> String,
    suffix: String,
) -> (egui::Response, bool) {
    let read = |text: &str| Number::read(&text.replace('−', "-")).map(|n| n.0);
    let now = *value;
    // A number that moves stands still while another one is typed over it: what is typed for a number that has changed
    // is dropped.
    let key = ui.next_auto_id().with("typed over");
    let mut number = ui.data(|d| d.get_temp(key)).unwrap_or(now);
    let before = number;
    let field = DragValue::new(&mut number)
        .speed(DRAG * before.abs().max(0.1))
        .update_while_editing(false)
        .custom_formatter(move |x, _| write(x))
        .custom_parser(read)
        .suffix(suffix);
    let response = ui.add(field);
    if response.has_focus() {
        ui.data_mut(|d| d.insert_temp(key, number));
    } else {
        ui.data_mut(|d| d.remove::<f64>(key));
    }
    let left = number == before || Some(number) == read(&write(before));
    let changed = response.changed() && !left && number.is_finite();
    if changed {
        *value = number;
    }
    (response, changed)
}

/// A number with the digits that matter.
pub fn shown(x: f64) -> String {
    rounded(x, DIGITS)
}

/// A number with as many digits as a vector's field has room for.
fn narrow(x: f64) -> String {
    let texts = (1..=4).rev().flat_map(|digits| {
        let brief = shortened(x, digits);
        [rounded(x, digits), format!("{brief:e}")]
    });
    let mut fitting = texts.filter(|text| text.len() <= ROOM);
    fitting.next().unwrap_or_else(|| rounded(x, 1))
}

fn rounded(x: f64, digits: usize) -> String {
    let short = shortened(x, digits);
    if short != 0.0 && !(1e-4..1e7).contains(&short.abs()) {
        format!("{short:e}")
    } else {
        // Neither a minus in front of a zero.
        format!("{}", short + 0.0)
    }
}

/// A number of few digits.
fn shortened(x: f64, digits: usize) -> f64 {
    format!("{:.*e}", digits - 1, x).parse().unwrap_or(x)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short_and_can_be_read_again() {
        let texts = [0.0, -0.0, 1.0, 1.0 / 3.0, -9.81, 1e-9, 123456789.0, 2.5e-4].map(shown);
        assert_eq!(
            texts,
            [
                "0",
                "0",
                "1",
                "0.333333",
                "-9.81",
                "1e-9",
                "1.23457e8",
                "0.00025"
            ]
        );
        for text in texts {
            assert!(Number::read(&text).is_some(), "{text}");
        }
    }

    #[test]
    fn every_number_fits_in_the_field_of_a_vector() {
        let numbers = [
            0.0,
            -0.0,
            1.0,
            -9.81,
            1.0 / 3.0,
            -2.663e-15,
            123456.7,
            -1.234e-4,
        ];
        let texts = numbers.map(narrow);
        assert_eq!(
            texts,
            [
                "0", "0", "1", "-9.81", "0.3333", "-3e-15", "123500", "-1.2e-4"
            ]
        );
        for exponent in -308..308 {
            for sign in [1.0, -1.0] {
                let number = sign * 1.23456 * 10.0_f64.powi(exponent);
                let text = narrow(number);
                let read = Number::read(&text).expect("it is a number").0;
                assert!(text.len() <= ROOM, "{text}");
                assert!((read / number - 1.0).abs() < 0.25, "{text}");
            }
        }
    }

    /// The field of a number in a window of its own.
    struct Window(egui::Context);

    impl Window {
        /// With the fonts of the window: egui brings none, and what has no letters has no field to type into.
        fn open() -> Self {
            let context = egui::Context::default();
            context.set_fonts(crate::theme::fonts::fonts());
            Self(context)
        }

        /// The number after a frame in which these keys are typed.
        fn frame(&self, number: f64, events: Vec<egui::Event>) -> f64 {
            let mut value = number;
            let input = egui::RawInput {
                events,
                ..Default::default()
            };
            let mut output = self.0.run_ui(input, |ui| {
                value = number;
                numbers_ui(ui, FIELD, &["x"], std::slice::from_mut(&mut value));
            });
            // Nothing is drawn.
            output.textures_delta.clear();
            value
        }
    }

    const FIELD: Field = Field {
        name: "velocity",
        unit: "m/s",
        meaning: "How fast it is",
    };

    fn key(key: egui::Key) -> Vec<egui::Event> {
        let pressed = [true, false];
        let event = |pressed| egui::Event::Key {
            key,
            physical_key: None,
            pressed,
            repeat: false,
            modifiers: egui::Modifiers::NONE,
        };
        pressed.map(event).to_vec()
    }

    #[test]
    fn a_number_that_moves_can_be_typed_over() {
        let window = Window::open();
        let mut number = 1.0;
        let text = egui::Event::Text("2.5".into());
        let typed = [vec![], key(egui::Key::Tab), vec![], vec![text], vec![]];
        for events in typed {
            number += 0.1;
            assert_eq!(window.frame(number, events), number);
        }
        assert_eq!(window.frame(number + 0.1, key(egui::Key::Enter)), 2.5);
        assert_eq!(window.frame(7.0, vec![]), 7.0, "and then it moves on");
    }

    #[test]
    fn digits_that_are_not_shown_are_kept_where_nothing_is_typed() {
        let window = Window::open();
        let number = 0.123_456_789;
        for events in [
            vec![],
            key(egui::Key::Tab),
            vec![],
            key(egui::Key::Enter),
            vec![],
        ] {
            assert_eq!(window.frame(number, events), number);
        }
    }
}
