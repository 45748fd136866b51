//! Damaged mesh files are refused with file, place and reason.

use super::*;

/// What is said of a file.
fn trouble(name: &str, bytes: &[u8]) -> String {
    let held = [(name.to_owned(), bytes.into())].into_iter().collect();
    let trouble = load(&Files::held(held), name, 1.0);
    let found = trouble.map(|s| s.triangles.len()).unwrap_err().found;
    assert!(found.starts_with(&format!("`{name}`: ")), "{found}");
    found
}

/// What is said of a glTF file with some of its text replaced; its buffer is at hand.
fn said(replacements: &[(&str, &str)]) -> String {
    use base64::Engine;
    let encoded = base64::engine::general_purpose::STANDARD.encode(buffer());
    let mut text = gltf(&format!(
        r#", "uri": "data:application/octet-stream;base64,{encoded}""#
    ));
    for (from, to) in replacements {
        assert!(text.contains(from), "{from}");
        text = text.replacen(from, to, 1);
    }
    trouble("a.gltf", text.as_bytes())
}

#[test]
fn accessors_of_a_wrong_type_or_stride_are_named() {
    // Panics inside the crate, exit 101.
    let signed = said(&[(r#""componentType": 5123"#, r#""componentType": 5120"#)]);
    assert!(
        signed.contains("indices in accessor 1") && signed.contains("I8"),
        "{signed}"
    );
    let stride = said(&[(
        r#""byteOffset": 0, "byteLength": 48"#,
        r#""byteOffset": 0, "byteLength": 48, "byteStride": 4"#,
    )]);
    assert!(
        stride.contains("positions in accessor 0") && stride.contains("stride of 4"),
        "{stride}"
    );
    let floats = said(&[(r#""componentType": 5126"#, r#""componentType": 5123"#)]);
    assert!(floats.contains("positions in accessor 0"), "{floats}");
    let flat = said(&[("VEC3", "VEC2")]);
    assert!(flat.contains("Vec2"), "{flat}");
}

#[test]
fn accessors_that_reach_beyond_their_bytes_are_named() {
    for (from, to) in [
        (r#""count": 4"#, r#""count": 5"#),
        (r#""count": 4"#, r#""count": 18446744073709551615"#),
        (
            r#""componentType": 5126"#,
            r#""byteOffset": 18446744073709551600, "componentType": 5126"#,
        ),
        (
            r#""byteOffset": 0, "byteLength": 48"#,
            r#""byteOffset": 18446744073709551610, "byteLength": 48"#,
        ),
        (
            r#""byteOffset": 48, "byteLength": 24"#,
            r#""byteOffset": 60, "byteLength": 24"#,
        ),
    ] {
        let found = said(&[(from, to)]);
        assert!(
            found.contains("beyond the end") || found.contains("more than"),
            "{to}: {found}"
        );
    }
    let short = said(&[(r#""count": 12"#, r#""count": 11"#)]);
    assert!(short.contains("11 corners"), "{short}");
    let corner = said(&[(r#""count": 4"#, r#""count": 3"#)]);
    assert!(corner.contains("corner 3"), "{corner}");
}

#[test]
fn nodes_that_hang_in_a_ring_or_in_a_net_are_refused() {
    let node = r#"{"mesh": 0, "scale": [2, 2, 2]}"#;
    // Never ended.
    for ring in [
        r#"{"mesh": 0, "children": [0]}"#,
        r#"{"mesh": 0, "children": [1]}, {"children": [0]}"#,
    ] {
        assert!(said(&[(node, ring)]).contains("hangs on more than one node"));
    }
    // Each node shows the next twice: a thousand million meshes.
    let levels: Vec<String> = (0..30)
        .map(|k| format!(r#"{{"children": [{}, {}]}}"#, k + 1, k + 1))
        .collect();
    let net = format!("{}, {node}", levels.join(", "));
    assert!(said(&[(node, &net)]).contains("hangs on more than one node"));
    // A long line of them is none.
    let line: Vec<String> = (0..2000)
        .map(|k| format!(r#"{{"children": [{}]}}"#, k + 1))
        .collect();
    let line = format!("{}, {node}", line.join(", "));
    let count = gltf("")
        .replacen(node, &line, 1)
        .matches("children")
        .count();
    assert_eq!(count, 2000);
    use base64::Engine;
    let encoded = base64::engine::general_purpose::STANDARD.encode(buffer());
    let text = gltf(&format!(r#", "uri": "data:a;base64,{encoded}""#)).replacen(node, &line, 1);
    let held = [("a.gltf".to_owned(), text.as_bytes().into())]
        .into_iter()
        .collect();
    assert_eq!(
        load(&Files::held(held), "a.gltf", 1.0)
            .unwrap()
            .triangles
            .len(),
        4
    );
}

#[test]
fn a_damaged_text_names_its_line() {
    for (name, text, line, word) in [
        ("a.obj", "v 0 0 0\nv 1 0 zero\n", 2, "`zero`"),
        ("a.obj", "v 0 0 0\n\n# more\nv 1 0\n", 4, "three numbers"),
        ("a.obj", "v 0 0 nan\n", 1, "`nan`"),
        ("a.obj", "v 0 0 0\nf 1 2 3\n", 2, "corner 2"),
        ("a.obj", "v 0 0 0\nf 0 1 1\n", 2, "corner 0"),
        ("a.obj", "v 0 0 0\nf 1 1 -2\n", 2, "corner -2"),
        ("a.obj", "v 0 0 0\nf 1 1\n", 2, "2 corners"),
        ("a.obj", "v 0 0 0\nf 1/x 1 a/1\n", 2, "`a/1`"),
        (
            "a.stl",
            "solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0 x\n",
            4,
            "`x`",
        ),
        ("a.stl", "solid\nvertex 0 0\n", 2, "three numbers"),
        (
            "a.stl",
            "solid\nouter loop\nvertex 0 0 0\nendloop\n",
            4,
            "three corners",
        ),
        ("a.stl", "solid\nouter loop\nvertx 0 0 0\n", 3, "`vertx`"),
        (
            "a.stl",
            "solid\nouter loop\nvertex 0 0 0",
            3,
            "without `endsolid`",
        ),
    ] {
        let found = trouble(name, text.as_bytes());
        let place = format!("line {line}: ");
        assert!(
            found.contains(&place) && found.contains(word),
            "{text}: {found}"
        );
    }
    let mut binary = vec![0; 84 + 50];
    binary[80] = 2;
    assert!(trouble("a.stl", &binary).contains("its 2 triangles take 184"));
}

#[test]
fn faces_with_more_corners_and_corners_counted_backwards_are_read() {
    let text = "v 0 0 0 0.5 0.5 0.5\nv 1 0 0\r\nv 1 1 0\nv 0 \\\n1 0\nvn 0 0 1\nf 1//1 2//1 3//1 4//1\nf -4 -2/3 -3 # back\n";
    let held = [("a.obj".to_owned(), text.as_bytes().into())]
        .into_iter()
        .collect();
    let surface = load(&Files::held(held), "a.obj", 1.0).unwrap();
    assert_eq!(surface.triangles, [[0, 1, 2], [0, 2, 3], [0, 2, 1]]);
    assert_eq!(surface.vertices[3], Vec3::new(0.0, 1.0, 0.0));
}
