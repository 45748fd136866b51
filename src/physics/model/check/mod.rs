//! What must hold of the parts of a model.

mod compliance;
mod magnitudes;
mod surfaces;
mod unilateral;

use super::{Body, Force, Joint, JointKind, ModelError, ModelParts};
use std::collections::BTreeSet;

/// Everything that is wrong with the parts.
pub(super) fn problems(parts: &ModelParts) -> Vec<ModelError> {
    let mut found = Vec::new();
    duplicates("bodies", parts.bodies.iter().map(|b| &b.name), &mut found);
    duplicates("joints", parts.joints.iter().map(|j| &j.name), &mut found);
    parts.bodies.iter().for_each(|b| body(b, &mut found));
    parts
        .joints
        .iter()
        .for_each(|j| joint(j, parts, &mut found));
    parts.forces.iter().for_each(|f| force(f, &mut found));
    unilateral::problems(parts, &mut found);
    compliance::problems(parts, &mut found);
    surfaces::problems(parts, &mut found);
    magnitudes::problems(parts, &mut found);
    for c in &parts.couplings {
        for t in &c.terms {
            let kind = parts.joints[t.joint.0].kind;
            if t.coordinate >= kind.freedoms() {
                found.push(coordinate_error("coupling", &c.name, t.coordinate, kind));
            }
        }
        if c.terms.iter().all(|t| t.factor == 0.0) {
            found.push(value(
                "coupling",
                &c.name,
                "factors",
                "all zero",
                "at least one factor that is not zero",
            ));
        }
    }
    found
}

fn duplicates<'a>(
    items: &'static str,
    names: impl Iterator<Item = &'a String>,
    found: &mut Vec<ModelError>,
) {
    let mut seen = BTreeSet::new();
    for name in names {
        if !seen.insert(name) {
            found.push(ModelError::Duplicate {
                items,
                name: name.clone(),
            });
        }
    }
}

fn value(
    item: &'static str,
    name: &str,
    field: &'static str,
    shown: impl std::fmt::Display,
    expected: &'static str,
) -> ModelError {
    ModelError::Value {
        item,
        name: name.into(),
        field,
        found: shown.to_string(),
        expected,
    }
}

fn coordinate_error(
    item: &'static str,
    name: &str,
    coordinate: usize,
    kind: JointKind,
) -> ModelError {
    let shown = format!(
        "{coordinate} on a joint with {} free coordinates ({kind:?})",
        kind.freedoms()
    );
    value(
        item,
        name,
        "coordinate",
        shown,
        "the index of a free coordinate, counted from 0",
    )
}

fn body(b: &Body, found: &mut Vec<ModelError>) {
    if !(b.mass > 0.0 && b.mass.is_finite()) {
        found.push(ModelError::Mass {
            body: b.name.clone(),
            mass: b.mass,
        });
    }
    let mut bad = |problem: String| {
        found.push(ModelError::Inertia {
            body: b.name.clone(),
            problem,
        })
    };
    if !b.inertia.iter().all(|x| x.is_finite()) {
        return bad("has an entry that is not finite".into());
    }
    let scale = b.inertia.abs().max();
    let skew = (b.inertia - b.inertia.transpose()).abs().max();
    if skew > 1e-9 * scale {
        return bad(format!(
            "is not symmetric (largest difference {skew:.3e} kg·m²)"
        ));
    }
    let mut moments = b.inertia.symmetric_eigenvalues();
    moments.as_mut_slice().sort_by(f64::total_cmp);
    let [a, b, c] = [moments[0], moments[1], moments[2]];
    if a <= 0.0 {
        bad(format!(
            "is not positive definite: principal moments {a:.4e}, {b:.4e}, {c:.4e} kg·m²"
        ));
    } else if c > (a + b) * (1.0 + 1e-9) {
        // The triangle inequality is the positivity of the mass distribution's second moments.
        bad(format!(
            "breaks the triangle inequality: principal moments {a:.4e}, {b:.4e}, {c:.4e} kg·m², \
             but the largest of a rigid body is at most the sum of the others"
        ));
    } else if let Some(problem) = magnitudes::moments([a, b, c]) {
        bad(problem);
    }
}

fn joint(j: &Joint, parts: &ModelParts, found: &mut Vec<ModelError>) {
    if j.parent == Some(j.child) {
        let body = parts.bodies[j.child.0].name.clone();
        found.push(ModelError::SelfJoint {
            joint: j.name.clone(),
            body,
        });
    }
    let not_negative = "a number that is not negative";
    for (field, x) in [
        ("damping_translation", j.damping_translation),
        ("damping_rotation", j.damping_rotation),
    ] {
        if !(x >= 0.0 && x.is_finite()) {
            found.push(value("joint", &j.name, field, x, not_negative));
        }
    }
    for s in &j.springs {
        if s.coordinate >= j.kind.freedoms() {
            found.push(coordinate_error(
                "spring of joint",
                &j.name,
                s.coordinate,
                j.kind,
            ));
        }
        if !(s.stiffness >= 0.0 && s.stiffness.is_finite()) {
            found.push(value(
                "joint",
                &j.name,
                "spring stiffness",
                s.stiffness,
                not_negative,
            ));
        }
    }
    for a in &j.actuators {
        if a.coordinate >= j.kind.freedoms() {
            found.push(coordinate_error(
                "actuator of joint",
                &j.name,
                a.coordinate,
                j.kind,
            ));
        }
        if a.limit.is_nan() || a.limit < 0.0 {
            found.push(value(
                "joint",
                &j.name,
                "actuator limit",
                a.limit,
                not_negative,
            ));
        }
        if let Some(pd) = &a.pd
            && !(pd.stiffness >= 0.0 && pd.damping >= 0.0)
        {
            found.push(value(
                "joint",
                &j.name,
                "PD gains",
                format!("{}, {}", pd.stiffness, pd.damping),
                not_negative,
            ));
        }
    }
}

fn force(f: &Force, found: &mut Vec<ModelError>) {
    let Force::Spring {
        name,
        stiffness,
        rest,
        damping,
        ..
    } = f
    else {
        return;
    };
    for (field, x) in [
        ("stiffness", *stiffness),
        ("rest", *rest),
        ("damping", *damping),
    ] {
        if !(x >= 0.0 && x.is_finite()) {
            found.push(value(
                "spring",
                name,
                field,
                x,
                "a number that is not negative",
            ));
        }
    }
}
