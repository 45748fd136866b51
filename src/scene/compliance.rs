//! From what a file says of how far constraints give to the model.

use super::check::Check;
use super::format::{ComplianceFile, JointComplianceFile};
use super::value::Number;
use crate::model::{Compliance, JointKind};

/// That of a constraint whose field `compliance` stands at a path.
pub(super) fn compliance(
    path: &[&str],
    file: Option<&ComplianceFile>,
    check: &mut Check,
) -> Compliance {
    file.map_or(Compliance::RIGID, |file| {
        let words = ["stiffness", "damping"];
        read(path, words, (file.stiffness, file.damping), check)
    })
}

/// That of the translations and of the rotations that a joint holds.
pub(super) fn of_joint(
    path: &[&str],
    file: Option<&JointComplianceFile>,
    kind: JointKind,
    check: &mut Check,
) -> [Compliance; 2] {
    let Some(file) = file else {
        return [Compliance::RIGID; 2];
    };
    let held = [
        kind.constrained_translations(),
        kind.constrained_rotations(),
    ];
    let what = ["translation", "rotation"];
    let words = [
        ["stiffness", "damping"],
        ["stiffness_rotation", "damping_rotation"],
    ];
    let given = [
        (file.stiffness, file.damping),
        (file.stiffness_rotation, file.damping_rotation),
    ];
    [0, 1].map(|k| {
        let none = given[k] == (None, Number::default());
        if held[k] == 0 && !none {
            let found = format!("compliance of a joint that holds no {}", what[k]);
            check.wrong(path, found, "that of what the joint holds");
        }
        read(path, words[k], given[k], check)
    })
}

fn read(
    path: &[&str],
    words: [&str; 2],
    (stiffness, damping): (Option<Number>, Number),
    check: &mut Check,
) -> Compliance {
    let mut number = |word: &str, n: Number| {
        let path = [path, &[word]].concat();
        if n.0.is_finite() {
            check.not_negative(&path, n.0, "")
        } else {
            let expected = "a finite number of at least 0; what is rigid has none";
            check.wrong(&path, n.0, expected);
            0.0
        }
    };
    let stiffness = stiffness.map(|k| number(words[0], k));
    let damping = number(words[1], damping);
    if stiffness.is_none() && damping > 0.0 {
        let found = format!("{} without {}", words[1], words[0]);
        let expected = format!("{} too: what is rigid has nothing to damp", words[0]);
        check.wrong(path, found, &expected);
    }
    match stiffness {
        Some(stiffness) => Compliance { stiffness, damping },
        None => Compliance::RIGID,
    }
}
