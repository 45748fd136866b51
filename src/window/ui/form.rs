//! Fields of the inspector, with what is wrong beside them.

use crate::commands::Command;
use crate::commands::editing::EditCommand;
use crate::theme::{Palette, colour};
use crate::ui::Spoken;
use crate::ui::number::{number_ui, numbers_ui};
use bevy_egui::egui::{self, ComboBox, RichText, Ui};
use physics::math::Vec3;
use physics::scene::editing::{Amendment, Edit, Renaming, Section};
use physics::scene::{Number, SceneError, Vector};

/// What a field is called, in which unit it is, what it means, and where it stands in the scene.
#[derive(Debug, Clone, Copy)]
pub struct Field<'a> {
    /// What it is called.
    pub name: &'a str,
    /// Its unit, or nothing.
    pub unit: &'a str,
    /// What it means.
    pub meaning: &'a str,
}

/// A form for one item of the scene: shows fields and collects what was asked for.
pub struct Form<'a> {
    /// Path of the item in the scene, as in `bodies.link_2`.
    pub path: String,
    /// Name of the item.
    pub item: &'a str,
    /// What was wrong with the last edit, if it was refused.
    pub errors: &'a [SceneError],
    /// What was asked for.
    pub out: &'a mut Vec<Command>,
}

impl Form<'_> {
    /// Asks for an edit of a field: those of one drag are one to undo.
    pub fn edit(&mut self, field: &str, amendments: Vec<Amendment>) {
        let edit = Edit::merging(format!("{field} of {}", self.item), amendments);
        self.out
            .push(Command::Edit(EditCommand::Amend(Box::new(edit))));
    }

    /// A table of fields.
    pub fn table(&mut self, ui: &mut Ui, id: &str, rows: impl FnOnce(&mut Self, &mut Ui)) {
        let salt = (self.path.clone(), id);
        ui.push_id(salt, |ui| {
            ui.spacing_mut().interact_size.y = 18.0;
            let grid = egui::Grid::new(id).num_columns(2).spacing([10.0, 3.0]);
            grid.min_col_width(74.0).show(ui, |ui| rows(self, ui));
        });
    }

    /// A number. True if it was changed.
    pub fn number(&self, ui: &mut Ui, field: Field, key: &str, value: &mut f64) -> bool {
        let label = label(ui, &field);
        let changed = number_ui(ui, value, field.unit, field.meaning, Some(label.id));
        ui.end_row();
        self.complain(ui, key);
        changed
    }

    /// A number that the file may leave out; what it is then is shown, and written once it is changed.
    pub fn optional(
        &self,
        ui: &mut Ui,
        field: Field,
        key: &str,
        value: &mut Option<Number>,
        otherwise: f64,
    ) -> bool {
        let mut number = value.map_or(otherwise, |n| n.0);
        let changed = self.number(ui, field, key, &mut number);
        if changed {
            *value = Some(Number(number));
        }
        changed
    }

    /// Three numbers. True if one was changed.
    pub fn vector(&self, ui: &mut Ui, field: Field, key: &str, value: &mut Vec3) -> bool {
        label(ui, &field);
        let changed = numbers_ui(ui, field, &["x", "y", "z"], value.as_mut_slice());
        ui.end_row();
        self.complain(ui, key);
        changed
    }

    /// Three numbers that the file may leave out.
    pub fn optional_vector(
        &self,
        ui: &mut Ui,
        field: Field,
        key: &str,
        value: &mut Option<Vector>,
        otherwise: Vec3,
    ) -> bool {
        let mut vector = value.map_or(otherwise, |v| v.0);
        let changed = self.vector(ui, field, key, &mut vector);
        if changed {
            *value = Some(Vector(vector));
        }
        changed
    }

    /// Several numbers, each with its own name. True if one was changed.
    pub fn numbers(
        &self,
        ui: &mut Ui,
        field: Field,
        key: &str,
        names: &[&str],
        values: &mut [f64],
    ) -> bool {
        label(ui, &field);
        let changed = numbers_ui(ui, field, names, values);
        ui.end_row();
        self.complain(ui, key);
        changed
    }

    /// A text. True if another one was typed.
    pub fn text(&self, ui: &mut Ui, field: Field, key: &str, value: &mut String) -> bool {
        let label = label(ui, &field);
        let id = (self.path.clone(), key.to_owned());
        let changed = text_ui(ui, id, value, field.meaning, Some(label.id));
        ui.end_row();
        self.complain(ui, key);
        changed
    }

    /// A number that the file may leave out, with a tick where it does not. `otherwise` is what it begins with.
    pub fn ticked(
        &self,
        ui: &mut Ui,
        field: Field,
        key: &str,
        value: &mut Option<Number>,
        otherwise: f64,
    ) -> bool {
        let mut given = value.is_some();
        let faint = Palette::worn(ui).faint();
        let tick = RichText::new(field.name).small().color(faint);
        let mut changed = ui
            .checkbox(&mut given, tick)
            .on_hover_text(field.meaning)
            .changed();
        if changed {
            *value = given.then_some(Number(otherwise));
        }
        match value {
            Some(Number(value)) => changed |= number_ui(ui, value, field.unit, field.meaning, None),
            None => {
                ui.label("");
            }
        }
        ui.end_row();
        self.complain(ui, key);
        changed
    }

    /// The item's name, which can be changed; what refers to it follows.
    pub fn name_ui(&mut self, ui: &mut Ui, section: Section) {
        let mut name = self.item.to_owned();
        let meaning = format!(
            "Name of the {}: everything that refers to it follows",
            section.word()
        );
        ui.horizontal(|ui| {
            if text_ui(ui, (self.path.clone(), "name"), &mut name, &meaning, None) {
                let edit = renaming(section, self.item, name);
                self.out
                    .push(Command::Edit(EditCommand::Amend(Box::new(edit))));
            }
        });
        self.say(ui, "name");
    }

    /// A choice from a list. True if another one was taken.
    pub fn choice<T: PartialEq + Clone>(
        &self,
        ui: &mut Ui,
        field: Field,
        key: &str,
        value: &mut T,
        choices: &[(T, String)],
    ) -> bool {
        label(ui, &field);
        let before = value.clone();
        let shown = choices.iter().find(|c| c.0 == *value);
        ComboBox::from_id_salt((&self.path, key))
            .selected_text(shown.map_or("", |c| c.1.as_str()))
            .width(120.0)
            .show_ui(ui, |ui| {
                for (choice, name) in choices {
                    ui.selectable_value(value, choice.clone(), name);
                }
            })
            .response
            .spoken(field.name)
            .on_hover_text(field.meaning);
        ui.end_row();
        self.complain(ui, key);
        *value != before
    }

    /// What was wrong with the last edit at a field or what it holds.
    fn about(&self, key: &str) -> impl Iterator<Item = &SceneError> {
        let path = match (self.path.as_str(), key) {
            (path, "") => path.to_owned(),
            ("", key) => key.to_owned(),
            (path, key) => format!("{path}.{key}"),
        };
        let below = format!("{path}.");
        let errors = self.errors.iter();
        errors.filter(move |e| e.path == path || e.path.starts_with(&below))
    }

    /// What was wrong with a field that stands in no table.
    pub fn say(&mut self, ui: &mut Ui, key: &str) {
        // An empty table would leave a gap.
        if self.about(key).next().is_some() {
            self.table(ui, key, |form, ui| form.complain(ui, key));
        }
    }

    /// What was wrong with a field when the last edit was refused.
    pub fn complain(&self, ui: &mut Ui, key: &str) {
        let shade = colour(Palette::worn(ui).failure);
        for error in self.about(key) {
            ui.label(RichText::new("refused").small().color(shade));
            let said = format!("{}: expected {}", error.found, error.expected);
            ui.add(egui::Label::new(RichText::new(said).small().color(shade)).wrap());
            ui.end_row();
        }
    }
}

/// The name of a field, with what it means on hover.
fn label(ui: &mut Ui, field: &Field) -> egui::Response {
    let faint = Palette::worn(ui).faint();
    let hover = match field.unit {
        "" => field.meaning.to_owned(),
        unit => format!("{} [{unit}]", field.meaning),
    };
    ui.label(RichText::new(field.name).small().color(faint))
        .on_hover_text(hover)
}

/// One of several names. True if another one was taken.
pub fn pick_ui(
    ui: &mut Ui,
    id: impl std::hash::Hash + std::fmt::Debug,
    value: &mut String,
    names: &[String],
    meaning: &str,
) -> bool {
    let before = value.clone();
    ComboBox::from_id_salt(id)
        .selected_text(before.as_str())
        .width(64.0)
        .show_ui(ui, |ui| {
            for name in names {
                ui.selectable_value(value, name.clone(), name);
            }
        })
        .response
        .spoken(meaning)
        .on_hover_text(meaning);
    *value != before
}

/// A text that counts when it is finished.
pub fn text_ui(
    ui: &mut Ui,
    id: impl std::hash::Hash + std::fmt::Debug,
    value: &mut String,
    meaning: &str,
    label: Option<egui::Id>,
) -> bool {
    let id = ui.make_persistent_id(id);
    let mut typed: String = ui.data(|d| d.get_temp(id)).unwrap_or_else(|| value.clone());
    let width = ui.available_width().clamp(64.0, 150.0);
    let field = egui::TextEdit::singleline(&mut typed)
        .id(id)
        .desired_width(width);
    let mut response = ui.add(field).on_hover_text(meaning);
    response = match label {
        Some(label) => response.labelled_by(label),
        None => response.spoken(meaning),
    };
    if response.has_focus() {
        ui.data_mut(|d| d.insert_temp(id, typed));
        return false;
    }
    ui.data_mut(|d| d.remove::<String>(id));
    let changed = response.lost_focus() && typed != *value;
    if changed {
        *value = typed;
    }
    changed
}

/// The edit that gives an item another name.
pub fn renaming(section: Section, from: &str, to: String) -> Edit {
    let name = format!("rename {from} to {to}");
    let renaming = Renaming {
        section,
        from: from.to_owned(),
        to: to.trim().to_owned(),
    };
    Edit::new(name, vec![Amendment::Rename(renaming)])
}
