//! What the plots show: which curves, of the whole run or of the selected body, on which axes and in which words.

use crate::session::Session;
use crate::session::contact_history::Touch;
use crate::state::look::ErrorAxis;
use crate::text::format;
use crate::theme::Series;
use crate::ui::axes::Scale;
use egui_plot::HoverPosition;
use physics::diagnostics::Sample;
use physics::model::BodyId;
use physics::scene::Plot;

/// Every plot that can be shown.
pub const ALL: [Plot; 13] = [
    Plot::Energy,
    Plot::EnergyError,
    Plot::Losses,
    Plot::Drift,
    Plot::Iterations,
    Plot::Momentum,
    Plot::Contacts,
    Plot::Penetration,
    Plot::Complementarity,
    Plot::BodyGap,
    Plot::BodyForce,
    Plot::Residual,
    Plot::Newton,
];

/// What a plot is called.
pub fn name(plot: Plot) -> &'static str {
    chart(plot, ErrorAxis::default()).map_or("Residual by iteration", |c| c.title)
}

/// The plot over time, with the energy error on an axis; none for the one over iterations.
pub fn chart(plot: Plot, axis: ErrorAxis) -> Option<&'static Chart> {
    match plot {
        Plot::EnergyError if axis == ErrorAxis::Relative => Some(&RELATIVE_ERROR),
        Plot::EnergyError if axis == ErrorAxis::Logarithmic => Some(&ERROR_SIZE),
        Plot::Energy => Some(&ENERGY),
        Plot::EnergyError => Some(&ENERGY_ERROR),
        Plot::Drift => Some(&DRIFT),
        Plot::Iterations => Some(&ITERATIONS),
        Plot::Momentum => Some(&MOMENTUM),
        Plot::Residual => Some(&RESIDUAL),
        Plot::Contacts => Some(&CONTACTS),
        Plot::Penetration => Some(&PENETRATION),
        Plot::Complementarity => Some(&COMPLEMENTARITY),
        Plot::Losses => Some(&LOSSES),
        Plot::BodyGap => Some(&BODY_GAP),
        Plot::BodyForce => Some(&BODY_FORCE),
        Plot::Newton => None,
    }
}

/// One curve of a plot over time.
pub struct Curve {
    /// Its name.
    pub name: &'static str,
    /// Unit of its values.
    pub unit: &'static str,
    /// Whose colour it has.
    pub series: Series,
    /// Its value.
    pub value: Value,
}

/// Where the values of a curve come from.
pub enum Value {
    /// The whole mechanism.
    Run(fn(&Sample) -> f64),
    /// The selected body. Infinite values are not drawn.
    Body(fn(&Touch) -> f64),
}

/// One plot over time.
pub struct Chart {
    /// Its title.
    pub title: &'static str,
    /// Its curves.
    pub curves: &'static [Curve],
    /// Its vertical axis.
    pub scale: Scale,
    /// Whether there is something to see only in scenes with contact.
    pub contact: bool,
    /// Whether its curve has the colour of the method in use.
    pub by_method: bool,
    /// Whether its values are parts of the largest kinetic energy that is shown.
    pub relative: bool,
}

const fn run(
    name: &'static str,
    unit: &'static str,
    series: Series,
    value: fn(&Sample) -> f64,
) -> Curve {
    let value = Value::Run(value);
    Curve {
        name,
        unit,
        series,
        value,
    }
}

const fn body(
    name: &'static str,
    unit: &'static str,
    series: Series,
    value: fn(&Touch) -> f64,
) -> Curve {
    let value = Value::Body(value);
    Curve {
        name,
        unit,
        series,
        value,
    }
}

const fn always(title: &'static str, scale: Scale, curves: &'static [Curve]) -> Chart {
    Chart {
        title,
        curves,
        scale,
        contact: false,
        by_method: false,
        relative: false,
    }
}

const fn with_contact(title: &'static str, scale: Scale, curves: &'static [Curve]) -> Chart {
    Chart {
        contact: true,
        ..always(title, scale, curves)
    }
}

const ENERGY: Chart = always(
    "Energy",
    Scale::Visible(1e-6),
    &[
        run("kinetic", "J", Series::Kinetic, |s| s.energy.kinetic),
        run("potential", "J", Series::Potential, |s| s.energy.potential),
        run("total", "J", Series::Total, |s| s.energy.total()),
    ],
);

const ENERGY_ERROR: Chart = Chart {
    by_method: true,
    ..always(
        "Energy error",
        Scale::Visible(1e-2),
        &[run("error", "J", Series::Total, |s| s.energy_error)],
    )
};

const RELATIVE_ERROR: Chart = Chart {
    by_method: true,
    relative: true,
    ..always(
        "Energy error by kinetic energy",
        Scale::Part(1e-2),
        &[run("error", "", Series::Total, |s| s.energy_error)],
    )
};

const ERROR_SIZE: Chart = Chart {
    by_method: true,
    ..always(
        "Size of energy error",
        Scale::Decades,
        &[run("error", "J", Series::Total, |s| s.energy_error)],
    )
};

const LOSSES: Chart = always(
    "Energy taken",
    Scale::FromZero,
    &[
        run("impacts", "J", Series::Impact, |s| s.contact_loss[0]),
        run("friction", "J", Series::Friction, |s| s.contact_loss[1]),
        run("dampers", "J", Series::Potential, |s| s.dissipated),
    ],
);

const DRIFT: Chart = always(
    "Joint drift",
    Scale::Decades,
    &[
        run("position", "m", Series::DriftPosition, |s| s.drift_position),
        run("angle", "rad", Series::DriftAngle, |s| s.drift_angle),
    ],
);

const ITERATIONS: Chart = always(
    "Newton iterations",
    Scale::Count,
    &[run("per step", "", Series::Iterations, |s| {
        f64::from(s.iterations)
    })],
);

const RESIDUAL: Chart = always(
    "Final residual",
    Scale::Decades,
    &[run("last", "", Series::Residual, |s| s.residual)],
);

const MOMENTUM: Chart = always(
    "Momentum",
    Scale::Visible(1e-6),
    &[
        run("linear", "kg·m/s", Series::Kinetic, |s| {
            s.momentum.linear.norm()
        }),
        run("angular", "kg·m²/s", Series::Potential, |s| {
            s.momentum.angular.norm()
        }),
    ],
);

const CONTACTS: Chart = with_contact(
    "Contacts",
    Scale::Count,
    &[run("closed", "", Series::Force, |s| f64::from(s.closed))],
);

const PENETRATION: Chart = with_contact(
    "Penetration",
    Scale::Decades,
    &[
        run("deepest", "m", Series::Penetration, |s| s.penetration),
        run("smallest gap", "m", Series::Gap, |s| s.min_gap.max(0.0)),
    ],
);

const COMPLEMENTARITY: Chart = with_contact(
    "Complementarity",
    Scale::Decades,
    &[run("gap × force", "N·m", Series::Force, |s| {
        s.complementarity
    })],
);

const BODY_GAP: Chart = with_contact(
    "Gap",
    Scale::Decades,
    &[
        body("gap", "m", Series::Gap, |t| f64::from(t.gap.max(0.0))),
        body("penetration", "m", Series::Penetration, |t| {
            let depth = -f64::from(t.gap);
            // Without a contact point near there is no depth either.
            if depth.is_finite() {
                depth.max(0.0)
            } else {
                f64::INFINITY
            }
        }),
    ],
);

const BODY_FORCE: Chart = with_contact(
    "Normal force",
    Scale::FromZero,
    &[body("total", "N", Series::Force, |t| f64::from(t.force))],
);

impl Curve {
    /// Its value now; none where there is nothing to measure.
    pub fn now(&self, session: &Session, selected: Option<BodyId>) -> Option<f64> {
        let value = match self.value {
            Value::Run(value) => value(session.sample()),
            Value::Body(value) => value(&Touch::of(selected?, &session.state().contacts)),
        };
        value.is_finite().then_some(value)
    }

    /// At most `limit` points between two times.
    pub fn points(
        &self,
        session: &Session,
        selected: Option<BodyId>,
        [from, to]: [f64; 2],
        limit: usize,
        scale: fn(f64) -> f64,
    ) -> Vec<[f64; 2]> {
        match (&self.value, selected) {
            (Value::Run(value), _) => session
                .history()
                .series(from, to, limit, |s| scale(value(s))),
            (Value::Body(value), Some(body)) => {
                let of = |t: &Touch| scale(value(t));
                let way = session.way();
                session
                    .contact_history
                    .series(&way, body, [from, to], limit, of)
            }
            (Value::Body(_), None) => Vec::new(),
        }
    }
}

impl Chart {
    /// Whether it shows the selected body.
    pub fn of_body(&self) -> bool {
        self.curves
            .iter()
            .any(|c| matches!(c.value, Value::Body(_)))
    }

    /// The unit of its vertical axis, where all curves have one.
    pub fn unit(&self) -> Option<&'static str> {
        let unit = self.curves.first()?.unit;
        let common = !unit.is_empty() && self.curves.iter().all(|c| c.unit == unit);
        common.then_some(unit)
    }

    /// What to do so that there is something to see, if there is nothing.
    pub fn empty(&self, session: &Session, selected: Option<BodyId>) -> Option<&'static str> {
        if self.contact && session.model().contact.is_none() {
            return Some("This scene has no contact.");
        }
        (self.of_body() && selected.is_none()).then_some("Select a body to see its contacts.")
    }

    /// A value as it is written in its title and on hover.
    pub fn text(&self, curve: &Curve, value: f64) -> String {
        if self.scale == Scale::Count {
            format!("{value:.0}")
        } else {
            format::quantity(value, curve.unit)
        }
    }
}

/// What is said about the nearest point of a curve.
pub fn hover_text(chart: &Chart, at: &HoverPosition<'_>) -> Option<String> {
    let HoverPosition::NearDataPoint {
        plot_name,
        position,
        ..
    } = at
    else {
        return None;
    };
    let curve = chart.curves.iter().find(|c| c.name == *plot_name)?;
    let value = if chart.scale == Scale::Decades {
        crate::ui::axes::power(position.y)
    } else {
        position.y
    };
    Some(format!(
        "{} {}\nt = {}",
        curve.name,
        chart.text(curve, value),
        format::clock(position.x)
    ))
}
