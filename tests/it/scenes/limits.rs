//! Scenes that are large, or hold what double precision does not: read in time that grows with their length, or
//! refused with the place. Sizes are such that going through a whole scene for each of its items would take minutes.

use driftless::scene::{self, SceneError};
use std::fmt::Write;

fn errors(text: &str) -> Vec<SceneError> {
    match scene::from_text("x.ron", text, &[]) {
        Ok(_) => panic!("{} is not wrong", &text[..text.len().min(300)]),
        Err(errors) => errors.0,
    }
}

/// Some text for each number.
fn many(count: usize, item: impl Fn(usize) -> String) -> String {
    (0..count).fold(String::new(), |mut all, k| {
        writeln!(all, "{},", item(k)).unwrap();
        all
    })
}

fn bodies(count: usize) -> String {
    many(count, |k| {
        format!(r#""b{k}": (mass: 1, inertia: (1, 1, 1))"#)
    })
}

/// A link of a chain of unit lengths.
fn link(k: usize) -> String {
    let parent = match k {
        0 => String::new(),
        k => format!(r#"parent: "b{}", anchor: (0, 0, -0.5), "#, k - 1),
    };
    format!(
        r#""j{k}": (kind: revolute, {parent}child: "b{k}", child_anchor: (0, 0, 0.5), axis: (1, 0, 0), rates: 1)"#
    )
}

#[test]
fn a_long_chain_is_the_same_in_any_order_of_its_joints() {
    // In reverse order every round of placing found one body: 20 000 took 14 s, and the rates as many rounds again.
    const LINKS: usize = 20_000;
    let scene = |joints: String| {
        let text = format!(
            "(version: 1, bodies: {{{}}}, joints: {{{joints}}})",
            bodies(LINKS)
        );
        scene::from_text("x.ron", &text, &[]).unwrap_or_else(|e| panic!("{e}"))
    };
    let forward = scene(many(LINKS, link));
    let backward = scene(many(LINKS, |k| link(LINKS - 1 - k)));
    for (k, (a, b)) in forward
        .state
        .bodies
        .iter()
        .zip(&backward.state.bodies)
        .enumerate()
    {
        assert_eq!(
            (a.position, a.orientation),
            (b.position, b.orientation),
            "{k}"
        );
        // A straight line of links, each turning by 1 rad/s against the one before it.
        assert!(
            (a.velocity.angular.x - (k + 1) as f64).abs() < 1e-9 * (k + 1) as f64,
            "{k}"
        );
    }
}

#[test]
fn all_errors_of_a_large_file_are_told_with_their_places() {
    // 20 000 took 19 s: each looked for its place from the beginning of the text.
    let text = many(20_000, |k| {
        format!(r#""a{k}": (mass: -1, inertia: (1, 1, 1))"#)
    });
    let text = format!("(version: 1, bodies: {{\n{text}}})");
    let found = errors(&text);
    assert_eq!(found.len(), 20_000);
    for (k, error) in found.iter().enumerate() {
        assert_eq!(
            (error.line, &*error.path),
            (Some(k + 2), &*format!("bodies.a{k}.mass"))
        );
    }
    // The same in one line.
    let found = errors(&text.replace('\n', " "));
    assert_eq!(found.len(), 20_000);
    assert!(found.windows(2).all(|pair| pair[0].column < pair[1].column));
}

#[test]
fn misspelt_fields_of_a_large_file_are_told_up_to_a_number_that_can_be_read() {
    let text = many(20_000, |k| {
        format!(r#""a{k}": (mas: 1, inertia: (1, 1, 1))"#)
    });
    let found = errors(&format!(
        "(version: 1, bodies: {{\n{text}}}, gravty: (0, 0, 0))"
    ));
    assert_eq!(found.len(), 50);
    assert!(
        found
            .iter()
            .any(|e| e.path == "gravty" && e.suggestion.as_deref() == Some("gravity"))
    );
    let of_body = |e: &&SceneError| e.suggestion.as_deref() == Some("mass");
    assert_eq!(found.iter().filter(of_body).count(), 49);
}

#[test]
fn names_that_occur_again_and_again_are_told_once() {
    // 100 000 took more than 25 s: the whole text was read once more for each.
    let text = many(100_000, |_| r#""a": (mass: 1, inertia: (1, 1, 1))"#.into());
    let found = errors(&format!("(version: 1, bodies: {{\n{text}}})"));
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!((found[0].line, &*found[0].path), (Some(3), "bodies.a"));
    assert!(found[0].found.contains("a second item named `a`"));
}

#[test]
fn unknown_names_of_a_large_file_are_told() {
    // Each was compared with every known name: minutes.
    const COUNT: usize = 20_000;
    let joints = many(COUNT, |k| {
        format!(r#""j{k}": (kind: fixed, parent: "c{k}", child: "b{k}")"#)
    });
    let text = format!(
        "(version: 1, bodies: {{{}}}, joints: {{\n{joints}}})",
        bodies(COUNT)
    );
    let found = errors(&text);
    assert_eq!(found.len(), COUNT);
    assert!(found[0].suggestion.is_some());
    assert!(
        found
            .iter()
            .all(|e| e.found.starts_with("no body is named `c"))
    );
}

#[test]
fn expressions_that_nest_without_end_are_refused() {
    // More than 25 s each.
    let nested = |open: &str, n: usize| format!("{}1{}", open.repeat(n), ")".repeat(n));
    for value in [
        nested("(1+", 300_000),
        nested("sin(", 300_000),
        nested("2^(", 5_000),
    ] {
        let found = errors(&format!(
            r#"(version: 1, bodies: {{"a": (mass: "{value}", inertia: (1, 1, 1))}})"#
        ));
        assert_eq!((found.len(), &*found[0].path), (1, "bodies.a.mass"));
        assert!(
            found[0].found.starts_with("an expression"),
            "{}",
            found[0].found
        );
        let found = errors(&format!(
            r#"(version: 1, bodies: {{"a": (mass: 1, inertia: (1, 1, 1))}},
            wrenches: {{"w": (body: "a", force: (0, 0, "{value}"))}})"#
        ));
        assert_eq!((found.len(), &*found[0].path), (1, "wrenches.w.force.2"));
    }
    for brackets in ["(", "[", "{"] {
        assert_eq!(errors(&brackets.repeat(300_000)).len(), 1);
    }
}

#[test]
fn joints_between_one_pair_of_bodies_are_limited() {
    // 1000 of them took 24 s and 774 MB.
    let pair = |count| {
        let joints = many(count, |k| {
            format!(
                r#""j{k}": (kind: revolute, parent: "b0", child: "b1", axis: (1, 0, 0), in_world: true)"#
            )
        });
        format!(
            "(version: 1, bodies: {{{}}}, joints: {{\n{joints}}})",
            bodies(2)
        )
    };
    let scene = scene::from_text("x.ron", &pair(32), &[]).unwrap_or_else(|e| panic!("{e}"));
    // One hinge holds, 31 are implied by it.
    assert_eq!(scene.assembly.redundant, 5 * 31);
    let found = errors(&pair(1000));
    // The joints begin on the fourth line.
    assert_eq!((found.len(), found[0].line), (1, Some(4 + 32)));
    assert!(
        found[0].found.contains("more than 32 joints"),
        "{}",
        found[0]
    );
}

#[test]
fn magnitudes_that_double_precision_cannot_hold_are_refused_with_their_place() {
    const HINGE: &str =
        r#"joints: {"j": (kind: revolute, child: "a", child_anchor: (0, 0, 1), axis: (1, 0, 0)"#;
    for (body, rest, path) in [
        // Ran "converged" with energies that were not finite.
        ("mass: 1e308, inertia: (1, 1, 1)", "", "bodies.a.mass"),
        (
            "mass: 1e-300, inertia: (1e-300, 1e-300, 1e-300)",
            "",
            "bodies.a.mass",
        ),
        // Drifted by 1.7e7 m.
        (
            "mass: 1, inertia: (1, 1, 1), centre: (1e23, 0, -0.5)",
            "",
            "joints.j.child_anchor",
        ),
        // NaN, "20 converged".
        (
            "mass: 1, shape: (box: (size: (0.4, 0.3, 1e9)))",
            "",
            "bodies.a.inertia",
        ),
        (
            "mass: 1, inertia: (1, 1, 1), position: (1e14, 0, 0)",
            "",
            "bodies.a.position",
        ),
        (
            "mass: 1, inertia: (1, 1, 1), velocity: (1e200, 0, 0)",
            "",
            "bodies.a.velocity",
        ),
        (
            "mass: 1, inertia: (1, 1, 1), shape: (sphere: (radius: 1e9))",
            "",
            "bodies.a.shape",
        ),
        (
            "mass: 1, inertia: (1, 1, 1)",
            r#", actuators: [(command: "ln(t)")]"#,
            "joints.j.actuators.0.command",
        ),
        (
            "mass: 1, inertia: (1, 1, 1)",
            r#", anchor: (0, 0, 1e9), parent: "b""#,
            "joints.j.anchor",
        ),
    ] {
        let text = format!(
            "(version: 1, bodies: {{\n\"a\": ({body}),\n\"b\": (mass: 1, inertia: (1, 1, 1))}},\n{HINGE}{rest})}})"
        );
        let found = errors(&text);
        assert!(
            found.iter().any(|e| e.path == path && e.line.is_some()),
            "{path}: {found:?}"
        );
    }
    let two = |mass: &str| {
        format!(
            r#"(version: 1, bodies: {{"a": (mass: 1, inertia: (1, 1, 1)), "b": (mass: {mass}, shape: (sphere: (radius: 1)))}})"#
        )
    };
    assert!(scene::from_text("x.ron", &two("1e13"), &[]).is_ok());
    assert_eq!(errors(&two("1e15"))[0].path, "bodies.b.mass");
}

#[test]
fn scenes_of_every_ordinary_size_are_taken() {
    // Those limits are far beyond what mechanisms are made of: 0.1 mm to 10 km, 1e6 m from the origin.
    for size in [1e-4, 1.0, 1e4] {
        for density in [1e-3, 2e4] {
            let text = format!(
                r#"(version: 1, bodies: {{"a": (density: {density}, position: (1e6, -1e6, 0),
                shape: (box: (size: ({size}, {size}, {})))),
                "b": (density: {density}, shape: (sphere: (radius: {size})))}})"#,
                0.01 * size
            );
            scene::from_text("x.ron", &text, &[]).unwrap_or_else(|e| panic!("{size}: {e}"));
        }
    }
}

#[test]
fn a_whole_number_that_is_none_is_told_what_it_may_be() {
    // "Invalid digit 'e' for base 10 integers", expected "valid RON".
    for wrong in ["1e18", "5000000000", "-3"] {
        let found = errors(&format!(
            r#"(version: 1, bodies: {{"a": (mass: 1, inertia: (1, 1, 1))}}, integrator: (max_iterations: {wrong}))"#
        ));
        assert_eq!(
            (found.len(), &*found[0].path),
            (1, "integrator.max_iterations")
        );
        assert_eq!(found[0].found, format!("`{wrong}`"));
        assert_eq!(found[0].expected, "a whole number from 1 to 1000");
    }
}
