//! `docs/reference/scenes.md` says everything: every field, every kind, every generator, every shipped scene.

use driftless::scene;

const DOCUMENT: &str = include_str!("../../../docs/reference/scenes.md");

/// A section of the document, by its heading.
fn section(heading: &str) -> &'static str {
    let start = DOCUMENT
        .find(&format!("\n{heading}\n"))
        .unwrap_or_else(|| panic!("no {heading}"));
    let rest = &DOCUMENT[start + 1 + heading.len()..];
    let level = heading.chars().take_while(|c| *c == '#').count();
    let ends = (1..=level).filter_map(|n| rest.find(&format!("\n{} ", "#".repeat(n))));
    &rest[..ends.min().unwrap_or(rest.len())]
}

/// The names that the program itself lists where it finds an unknown one.
fn names(text: &str) -> Vec<String> {
    let errors = scene::from_text("x", text, &[]).map(|_| ()).unwrap_err().0;
    let error = errors
        .iter()
        .find(|e| e.found.contains("zzz"))
        .unwrap_or_else(|| panic!("{text}: {errors:?}"));
    let list = error.expected.strip_prefix("one of ").unwrap();
    list.split(", ").map(str::to_owned).collect()
}

#[test]
fn every_field_is_documented_in_its_section() {
    for (heading, text) in [
        ("## Top level", "(version: 1, zzz: 1)"),
        ("## Bodies", "(version: 1, bodies: {\"a\": (zzz: 1)})"),
        ("### Shapes", "(version: 1, world: [(zzz: 1)])"),
        (
            "### Shapes",
            "(version: 1, world: [(sphere: (radius: 1, zzz: 1))])",
        ),
        (
            "### Shapes",
            "(version: 1, world: [(box: (size: (1, 1, 1), zzz: 1))])",
        ),
        (
            "### Shapes",
            "(version: 1, world: [(cone: (radius: 1, zzz: 1))])",
        ),
        (
            "### Shapes",
            "(version: 1, world: [(ellipsoid: (radii: (1, 1, 1), zzz: 1))])",
        ),
        ("### Shapes", "(version: 1, world: [(hull: (zzz: 1))])"),
        (
            "### Shapes",
            "(version: 1, world: [(mesh: (file: \"x\", zzz: 1))])",
        ),
        (
            "### Shapes",
            "(version: 1, world: [(height_field: (zzz: 1))])",
        ),
        (
            "## Joints",
            "(version: 1, joints: {\"j\": (kind: fixed, child: \"a\", limits: [(zzz: 1)])})",
        ),
        ("## Cables", "(version: 1, cables: {\"c\": (zzz: 1)})"),
        (
            "## Cables",
            "(version: 1, cables: {\"c\": (ends: ((zzz: 1), ()))})",
        ),
        ("## Contact", "(version: 1, contact: (zzz: 1))"),
        (
            "## Contact",
            "(version: 1, contact: (materials: {\"m\": (zzz: 1)}))",
        ),
        ("## Contact", "(version: 1, contact: (pairs: [(zzz: 1)]))"),
        (
            "## Values",
            "(version: 1, world: [(orientation: (zzz: 1))])",
        ),
        (
            "## Joints",
            "(version: 1, joints: {\"j\": (kind: fixed, child: \"a\", zzz: 1)})",
        ),
        (
            "## Joints",
            "(version: 1, joints: {\"j\": (kind: zzz, child: \"a\")})",
        ),
        (
            "## Joints",
            "(version: 1, joints: {\"j\": (kind: fixed, child: \"a\", springs: [(stiffness: 1, zzz: 1)])})",
        ),
        (
            "## Joints",
            "(version: 1, joints: {\"j\": (kind: fixed, child: \"a\", actuators: [(zzz: 1)])})",
        ),
        (
            "## Joints",
            "(version: 1, joints: {\"j\": (kind: fixed, child: \"a\", actuators: [(pd: (stiffness: 1, zzz: 1))])})",
        ),
        ("## Couplings", "(version: 1, couplings: {\"c\": (zzz: 1)})"),
        (
            "## Couplings",
            "(version: 1, couplings: {\"c\": (terms: [(joint: \"j\", factor: 1, zzz: 1)])})",
        ),
        (
            "## Springs and dampers",
            "(version: 1, springs: {\"s\": (from: (), to: (), zzz: 1)})",
        ),
        (
            "## Springs and dampers",
            "(version: 1, springs: {\"s\": (from: (zzz: 1), to: ())})",
        ),
        (
            "## Wrenches",
            "(version: 1, wrenches: {\"w\": (body: \"a\", zzz: 1)})",
        ),
        (
            "## Wrenches",
            "(version: 1, wrenches: {\"w\": (body: \"a\", axes: zzz)})",
        ),
        ("## Integrator", "(version: 1, integrator: (zzz: 1))"),
        (
            "## Camera and plots",
            "(version: 1, camera: (eye: (0, 0, 0), target: (1, 0, 0), zzz: 1))",
        ),
        ("## Camera and plots", "(version: 1, plots: [zzz])"),
        ("## Charts", "(version: 1, charts: [(zzz: 1)])"),
        (
            "## Charts",
            "(version: 1, charts: [(curves: [], section: (zzz: 1))])",
        ),
        (
            "## Values",
            "(version: 1, bodies: {\"a\": (mass: 1, inertia: (1, 1, 1), colour: \"zzz\")})",
        ),
    ] {
        let document = section(heading);
        for name in names(text) {
            let code = [
                format!("`{name}`"),
                format!("{name}:"),
                format!("({name},"),
                format!(" {name},"),
                format!(" {name})"),
            ];
            assert!(
                code.iter().any(|c| document.contains(c)),
                "{heading} does not explain `{name}`"
            );
        }
    }
}

#[test]
fn every_generator_and_shipped_scene_is_documented() {
    for generator in scene::generators() {
        let document = section(&format!("### {}", generator.name));
        assert!(
            document.contains(generator.description),
            "{}",
            generator.name
        );
        for p in generator.parameters {
            let row = format!(
                "| `{}` | `{}` | {} | {} |",
                p.name, p.default, p.range, p.meaning
            );
            assert!(document.contains(&row), "{}: {row}", generator.name);
        }
    }
    let document = section("## Shipped scenes");
    for shipped in scene::shipped() {
        let row = format!("| `{}` | {} |", shipped.name, shipped.description);
        assert!(document.contains(&row), "{row}");
    }
}

#[test]
fn the_example_of_the_document_loads() {
    let example = DOCUMENT.split("```ron\n").nth(1).unwrap();
    let text = example.split("```").next().unwrap();
    let scene = scene::from_text("example", text, &[]).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(scene.view.title, "Pendulum");
}
