//! From what a file says of how far constraints give to the model.

use super::check::Check;
use super::format::{ComplianceFile, FoundationFile, HertzFile, JointComplianceFile};
use super::value::Number;
use crate::model::{
    Compliance, Face, Foundation, Geometry, Hertz, JointKind, MOST_ELEMENTS, SurfaceCompliance,
};

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

/// That of a material or of a pair of them, which stands at a path; nothing where it says nothing.
pub(super) fn surface(
    path: &[&str],
    given: (Option<&ComplianceFile>, Option<&HertzFile>),
    check: &mut Check,
) -> Option<SurfaceCompliance> {
    let field = |name| [path, &[name]].concat();
    match given {
        (None, None) => None,
        (Some(file), None) => {
            let own = compliance(&field("compliance"), Some(file), check);
            Some(own.into())
        }
        (None, Some(file)) => Some(hertz(&field("hertz"), file, check)),
        (Some(_), Some(_)) => {
            check.wrong(&field("hertz"), "hertz beside compliance", "one of them");
            None
        }
    }
}

fn hertz(path: &[&str], file: &HertzFile, check: &mut Check) -> SurfaceCompliance {
    let field = |name| [path, &[name]].concat();
    let modulus = check.positive(&field("modulus"), file.modulus.0, " Pa");
    let damping = check.not_negative(&field("damping"), file.damping.0, " N·s/m^{3/2}");
    let radius = file
        .radius
        .and_then(|r| check.positive(&field("radius"), r.0, " m"));
    let poisson = file.poisson.0;
    if !(-1.0 < poisson && poisson <= 0.5) {
        let expected = "Poisson's ratio, above -1 and at most 0.5";
        check.wrong(&field("poisson"), poisson, expected);
        return SurfaceCompliance::RIGID;
    }
    modulus.map_or(SurfaceCompliance::RIGID, |modulus| {
        SurfaceCompliance::Hertz(Hertz::of(modulus, poisson, damping, radius))
    })
}

/// The layer on a face of a shape that stands at a path; `None` where it is wrong.
pub(super) fn foundation(
    path: &[&str],
    file: &FoundationFile,
    geometry: &Geometry,
    check: &mut Check,
) -> Option<Foundation> {
    let field = |name| [path, &[name]].concat();
    let name = file.face.as_deref().unwrap_or("+z");
    let face = Face::named(name);
    if face.is_none() {
        let expected = format!("one of {}", Face::NAMES.join(", "));
        check.wrong(&field("face"), format!("`{name}`"), &expected);
    }
    let face = face?;
    let extent = match (geometry, file.extent) {
        (Geometry::Box { size }, None) => Some(face.along().map(|axis| size[axis])),
        (Geometry::Box { .. }, Some(_)) => {
            let expected = "none: that of a box is the face";
            check.wrong(&field("extent"), "an extent on a box", expected);
            None
        }
        (Geometry::HalfSpace, Some((a, b))) => {
            let both = [("0", a), ("1", b)]
                .map(|(k, x)| check.positive(&[path, &["extent", k]].concat(), x.0, " m"));
            both[0].zip(both[1]).map(|(a, b)| [a, b])
        }
        (Geometry::HalfSpace, None) => {
            let expected = "extent: (x, y), in metres, since the plane has no end";
            check.wrong(path, "no extent on a half-space", expected);
            None
        }
        _ => {
            let expected =
                "it on a box or a half-space, which have flat faces with corners or none";
            check.wrong(path, "a foundation on another shape", expected);
            None
        }
    };
    if matches!(geometry, Geometry::HalfSpace) && name != "+z" {
        let expected = "+z, the only face of a half-space";
        check.wrong(&field("face"), format!("`{name}`"), expected);
        return None;
    }
    let elements = [file.elements.0, file.elements.1];
    let count = elements[0].checked_mul(elements[1]);
    let countable = count.is_some_and(|n| (1..=MOST_ELEMENTS).contains(&n));
    if !countable {
        let found = format!("{} × {} elements", elements[0], elements[1]);
        let expected = format!("1 to {MOST_ELEMENTS} elements");
        check.wrong(&field("elements"), found, &expected);
    }
    let depth = check.positive(&field("depth"), file.depth.0, " m");
    let modulus = check.positive(&field("modulus"), file.modulus.0, " Pa");
    let damping = check.not_negative(&field("damping"), file.damping.0, " Pa·s");
    if let (Geometry::Box { size }, Some(depth)) = (geometry, depth)
        && depth > size[face.axis]
    {
        let expected = format!("at most {} m, the thickness of the box", size[face.axis]);
        check.wrong(&field("depth"), format!("{depth} m"), &expected);
        return None;
    }
    Some(Foundation {
        face,
        extent: extent?,
        elements: countable.then_some(elements)?,
        depth: depth?,
        modulus: modulus?,
        damping,
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
