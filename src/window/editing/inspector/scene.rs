//! What belongs to the whole scene: gravity, words, view, contact, the world, the parameters of a generated scene.

use crate::commands::Command;
use crate::commands::editing::EditCommand;
use crate::editing::inspector::materials::materials_ui;
use crate::editing::inspector::world::world_ui;
use crate::session::Session;
use crate::ui::form::{Field, Form};
use crate::ui::heading;
use bevy_egui::egui::{self, Slider, Ui};
use physics::scene::editing::Amendment;
use physics::scene::{Parameter, Range, SceneError, parameters};

/// Fields of the scene.
pub fn scene_fields_ui(
    ui: &mut Ui,
    session: &Session,
    errors: &[SceneError],
    out: &mut Vec<Command>,
) {
    heading(ui, "Scene");
    let mut form = Form {
        path: String::new(),
        item: "the scene",
        errors,
        out,
    };
    form.table(ui, "scene", |form, ui| {
        let mut gravity = session.model().gravity;
        let field = Field {
            name: "gravity",
            unit: "m/s²",
            meaning: "Uniform gravity, world axes",
        };
        if form.vector(ui, field, "gravity", &mut gravity) {
            form.edit("gravity", vec![Amendment::Gravity(gravity)]);
        }
    });
    words_ui(ui, session, &mut form);
    let meaning = "Reset goes to where everything is now, and it is saved so";
    if ui
        .button("Start from here")
        .on_hover_text(meaning)
        .clicked()
    {
        form.out.push(Command::Edit(EditCommand::Begin));
    }
    let meaning = "The scene opens with the view as it is now, and it is saved so";
    if ui
        .button("Open with this view")
        .on_hover_text(meaning)
        .clicked()
    {
        form.out.push(Command::Edit(EditCommand::KeepCamera));
    }
    materials_ui(ui, session, &mut form);
    world_ui(ui, session, &mut form);
}

/// What the scene is called, and how long and how fast it runs.
fn words_ui(ui: &mut Ui, session: &Session, form: &mut Form) {
    let file = &session.scene().file;
    form.table(ui, "words", |form, ui| {
        let field = |name, unit, meaning| Field {
            name,
            unit,
            meaning,
        };
        let (mut title, mut description) = (file.title.clone(), file.description.clone());
        let about = field("title", "", "Name shown to people");
        let mut said = form.text(ui, about, "title", &mut title);
        let about = field("description", "", "One line on what there is to see");
        said |= form.text(ui, about, "description", &mut description);
        if said {
            form.edit("words", vec![Amendment::Words(title, description)]);
        }
        let (mut duration, mut speed) = (file.duration, file.speed);
        let about = field("duration", "s", "How long a run without a window lasts");
        let mut paced = form.ticked(ui, about, "duration", &mut duration, 10.0);
        let about = field(
            "speed",
            "×",
            "Simulated seconds per second when it is opened",
        );
        paced |= form.ticked(ui, about, "speed", &mut speed, 1.0);
        if paced {
            form.edit("pace", vec![Amendment::Pace(duration, speed)]);
        }
    });
}

/// The parameters of a generated scene as sliders. They are already where they were moved to while the scene with them,
/// `wanted`, is being opened.
pub fn parameters_ui(ui: &mut Ui, spec: &str, wanted: Option<&str>, out: &mut Vec<Command>) {
    let Some((generator, values)) = parameters(spec) else {
        return;
    };
    let values = wanted
        .and_then(parameters)
        .filter(|(of, _)| of.name == generator.name)
        .map_or(values, |(_, values)| values);
    heading(ui, "Parameters");
    let mut changed = None;
    for (k, (parameter, value)) in generator.parameters.iter().zip(&values).enumerate() {
        let next = ui.push_id(parameter.name, |ui| parameter_ui(ui, parameter, value));
        if let Some(next) = next.inner {
            changed = Some((k, next));
        }
    }
    if let Some((k, next)) = changed {
        let mut values = values;
        values[k] = next;
        let pairs = generator.parameters.iter().zip(&values);
        let pairs: Vec<String> = pairs.map(|(p, v)| format!("{}={v}", p.name)).collect();
        let spec = format!("{}:{}", generator.name, pairs.join(","));
        out.push(Command::Edit(EditCommand::Rebuild(spec)));
    }
}

/// One parameter; its new value if it was changed.
fn parameter_ui(ui: &mut Ui, parameter: &Parameter, value: &str) -> Option<String> {
    let hover = format!("{}: {}", parameter.meaning, parameter.range);
    // Wide ranges are best searched by orders of magnitude.
    let is_wide = |low: f64, high: f64| low > 0.0 && high / low > 200.0;
    match parameter.range {
        Range::Whole(low, high) | Range::Odd(low, high) => {
            let step = if matches!(parameter.range, Range::Odd(..)) {
                2
            } else {
                1
            };
            let mut count: u32 = value.parse().ok()?;
            let slider = Slider::new(&mut count, low..=high)
                .text(parameter.name)
                .logarithmic(is_wide(f64::from(low), f64::from(high)))
                .step_by(f64::from(step));
            let changed = ui.add(slider).on_hover_text(hover).changed();
            if step == 2 {
                count = (count | 1).min(high);
            }
            (changed && count.to_string() != value).then(|| count.to_string())
        }
        Range::Number(low, high) => {
            let mut number: f64 = value.parse().ok()?;
            let before = number;
            let slider = Slider::new(&mut number, low..=high)
                .text(parameter.name)
                .logarithmic(is_wide(low, high))
                .smallest_positive(low.abs().max(1e-6))
                .custom_formatter(|x, _| crate::ui::number::shown(x));
            let changed = ui.add(slider).on_hover_text(hover).changed();
            (changed && number != before).then(|| number.to_string())
        }
        Range::Choice(words) => {
            let mut chosen = value.to_owned();
            egui::ComboBox::from_label(parameter.name)
                .selected_text(value)
                .show_ui(ui, |ui| {
                    for word in words {
                        ui.selectable_value(&mut chosen, (*word).to_owned(), *word);
                    }
                })
                .response
                .on_hover_text(hover);
            (chosen != value).then_some(chosen)
        }
    }
}
