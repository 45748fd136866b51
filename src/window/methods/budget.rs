//! A budget for contacts with which time goes as fast as it is asked to.

use crate::commands::Command;
use crate::session::Session;
use bevy_egui::egui::Ui;
use physics::integrators::{CONTACT_BUDGET, Settings};

/// Part of the time that a step simulates that its contacts get: drawing takes about as much.
const SHARE: f64 = 0.5;

/// Draws the choice, where there is one.
pub fn budget_ui(ui: &mut Ui, session: &Session, out: &mut Vec<Command>) {
    let Some(budget) = budget(session) else {
        return;
    };
    let mut keeps_up = budget > 0.0;
    let choice = ui
        .checkbox(&mut keeps_up, "Contacts keep up with time")
        .on_hover_text(
            "Sets the contact budget to half of the time that a step has at the speed asked for: time goes on where heaps land, and \
             bodies that are left in each other part in the steps that follow",
        );
    if choice.changed() {
        out.push(Command::ToggleContactBudget);
    }
}

/// The settings with a budget for contacts (ms) with which time goes at a `speed`, as a factor of real time, or without one if there is
/// one. An error, as a sentence, where no contact is solved within a budget.
pub fn toggled(session: &Session, speed: f64) -> Result<Settings, String> {
    let method = session.integrator();
    let Some(now) = budget(session) else {
        return Err(match session.model().contact {
            Some(_) => format!("`{}` solves no contacts within a budget.", method.name),
            None => "This scene has no contacts that a budget could be for.".into(),
        });
    };
    let mut settings = *session.settings();
    let budget = if now > 0.0 {
        0.0
    } else {
        1e3 * SHARE * settings.dt / speed
    };
    settings
        .options
        .set(method.options, CONTACT_BUDGET.name, &budget.into())
        .map_err(|error| error.to_string())?;
    Ok(settings)
}

/// Whether contacts took work in the last step that no budget bounds, where there can be one.
pub fn is_offered(session: &Session) -> bool {
    session.report().contact.work > 0.0 && budget(session) == Some(0.0)
}

/// The budget for contacts (ms), zero for as much as their laws need; nothing where no contact is solved within one.
fn budget(session: &Session) -> Option<f64> {
    let mut options = session.integrator().options.iter();
    let has_one = options.any(|spec| spec.name == CONTACT_BUDGET.name);
    (has_one && session.model().contact.is_some())
        .then(|| session.settings().options.real(&CONTACT_BUDGET))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A heap of sixty bodies with a budget (ms).
    fn heap(budget: &str) -> Session {
        let options = ("integrator.options".into(), budget.into());
        let scene = physics::scene::open("pit:bodies=60,width=1.5", &[options]).unwrap();
        Session::new(scene).unwrap()
    }

    #[test]
    fn it_is_offered_where_contacts_take_work_that_nothing_bounds() {
        let mut without = heap("{}");
        assert!(!is_offered(&without), "nothing touches yet");
        let offered = (0..300).find(|_| without.step() && is_offered(&without));
        assert!(offered.is_some());
        let mut with = heap(r#"{"contact_budget": 5}"#);
        let worked = (0..300).find(|_| with.step() && with.report().contact.work > 0.0);
        assert!(worked.is_some());
        assert!(!is_offered(&with));
    }
}
