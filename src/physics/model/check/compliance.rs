//! What must hold of how far constraints give.

use super::{surfaces, value};
use crate::model::{Compliance, ModelError, ModelParts, SurfaceCompliance};

/// Everything that is wrong with it.
pub(super) fn problems(parts: &ModelParts, found: &mut Vec<ModelError>) {
    let mut check = |item, name: &str, own| spring(item, name, own, found);
    for joint in &parts.joints {
        for own in joint.compliance {
            check("joint", &joint.name, own);
        }
        for limit in &joint.limits {
            check("limit of joint", &joint.name, limit.compliance);
        }
    }
    for coupling in &parts.couplings {
        check("coupling", &coupling.name, coupling.compliance);
    }
    for cable in &parts.cables {
        check("cable", &cable.name, cable.compliance);
    }
    if let Some(rules) = &parts.contact {
        let mut surface = |item, name: &str, own: SurfaceCompliance| match own {
            SurfaceCompliance::Linear(own) => spring(item, name, own, found),
            SurfaceCompliance::Hertz(own) => surfaces::hertz(item, name, &own, found),
        };
        for material in &rules.materials {
            surface("material", &material.name, material.compliance);
        }
        let name = |k: usize| rules.materials.get(k).map_or("?", |m| &m.name);
        for pair in &rules.pairs {
            let called = format!("{}, {}", name(pair.materials[0]), name(pair.materials[1]));
            surface("pair of materials", &called, pair.compliance);
        }
    }
}

fn spring(item: &'static str, name: &str, own: Compliance, found: &mut Vec<ModelError>) {
    let Compliance { stiffness, damping } = own;
    // Also wrong where it is no number.
    if stiffness.is_nan() || stiffness < 0.0 {
        let expected = "a stiffness of at least 0";
        found.push(value(item, name, "compliance", stiffness, expected));
    }
    if !(damping >= 0.0 && damping.is_finite()) {
        let expected = "a damping of at least 0";
        found.push(value(item, name, "compliance", damping, expected));
    }
}

#[cfg(test)]
mod tests {
    use crate::model::Compliance;
    use crate::scene;

    #[test]
    fn what_is_no_stiffness_or_damping_is_told_by_its_place() {
        for (stiffness, damping) in [
            (-1.0, 0.0),
            (f64::NAN, 0.0),
            (1.0, -1.0),
            (1.0, f64::INFINITY),
        ] {
            let mut parts = scene::open("pendulum", &[])
                .expect("it opens")
                .model
                .parts();
            parts.joints[0].compliance[1] = Compliance { stiffness, damping };
            let said = crate::model::Model::new(parts).expect_err("it is wrong");
            assert!(said[0].to_string().contains("compliance"), "{said:?}");
        }
    }
}
