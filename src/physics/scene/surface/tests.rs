//! Mesh files of every format give the same solid.

mod damage;

use super::*;
use std::fmt::Write;

/// Corners and triangles of a tetrahedron whose winding points inwards.
const CORNERS: [[f32; 3]; 4] = [
    [0.0, 0.0, 0.0],
    [1.0, 0.0, 0.0],
    [0.0, 2.0, 0.0],
    [0.0, 0.0, 3.0],
];
const INWARDS: [[u32; 3]; 4] = [[0, 1, 2], [0, 3, 1], [0, 2, 3], [1, 3, 2]];

/// A folder of its own for a test.
fn folder(name: &str) -> std::path::PathBuf {
    let path = std::env::temp_dir().join(format!("driftless-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&path).unwrap();
    path
}

fn obj() -> String {
    let mut text = String::from("o solid\n");
    for [x, y, z] in CORNERS {
        writeln!(text, "v {x} {y} {z}").unwrap();
    }
    for t in INWARDS {
        let [a, b, c] = t.map(|k| k + 1);
        writeln!(text, "f {a} {b} {c}").unwrap();
    }
    text
}

fn stl() -> String {
    let mut text = String::from("solid s\n");
    for t in INWARDS {
        text += "facet normal 0 0 0\nouter loop\n";
        for [x, y, z] in t.map(|k| CORNERS[k as usize]) {
            writeln!(text, "vertex {x} {y} {z}").unwrap();
        }
        text += "endloop\nendfacet\n";
    }
    text + "endsolid s\n"
}

/// Bytes of a buffer with positions, y up, and indices.
fn buffer() -> Vec<u8> {
    let upright = CORNERS.map(|[x, y, z]| [x, z, -y]);
    let positions = upright.iter().flatten().flat_map(|x| x.to_le_bytes());
    let indices = INWARDS.iter().flatten().map(|k| *k as u16);
    positions
        .chain(indices.flat_map(u16::to_le_bytes))
        .collect()
}

fn gltf(buffer: &str) -> String {
    format!(
        r#"{{"asset": {{"version": "2.0"}}, "scene": 0, "scenes": [{{"nodes": [0]}}],
        "nodes": [{{"mesh": 0, "scale": [2, 2, 2]}}],
        "meshes": [{{"primitives": [{{"attributes": {{"POSITION": 0}}, "indices": 1}}]}}],
        "accessors": [
            {{"bufferView": 0, "componentType": 5126, "count": 4, "type": "VEC3", "min": [0, 0, -2], "max": [1, 3, 0]}},
            {{"bufferView": 1, "componentType": 5123, "count": 12, "type": "SCALAR"}}
        ],
        "bufferViews": [
            {{"buffer": 0, "byteOffset": 0, "byteLength": 48}}, {{"buffer": 0, "byteOffset": 48, "byteLength": 24}}
        ],
        "buffers": [{{"byteLength": 72{buffer}}}]}}"#
    )
}

/// The text and the buffer in one binary file.
fn glb() -> Vec<u8> {
    let mut text = gltf("").into_bytes();
    text.resize(text.len().next_multiple_of(4), b' ');
    let data = buffer();
    let mut bytes = b"glTF".to_vec();
    let total = 12 + 8 + text.len() + 8 + data.len();
    for x in [2, total, text.len()] {
        bytes.extend((x as u32).to_le_bytes());
    }
    bytes.extend(b"JSON");
    bytes.extend(&text);
    bytes.extend((data.len() as u32).to_le_bytes());
    bytes.extend(b"BIN\0");
    bytes.extend(&data);
    bytes
}

#[test]
fn every_format_gives_the_same_solid() {
    use base64::Engine;
    let at = folder("meshes");
    std::fs::create_dir_all(at.join("parts")).unwrap();
    let encoded = base64::engine::general_purpose::STANDARD.encode(buffer());
    let inline = gltf(&format!(
        r#", "uri": "data:application/octet-stream;base64,{encoded}""#
    ));
    let beside = gltf(r#", "uri": "solid.bin""#);
    let contents: [(&str, Vec<u8>, f64); 5] = [
        ("solid.obj", obj().into(), 2.0),
        ("solid.stl", stl().into(), 2.0),
        ("inline.gltf", inline.into(), 1.0),
        ("parts/solid.gltf", beside.into(), 1.0),
        ("solid.glb", glb(), 1.0),
    ];
    std::fs::write(at.join("parts/solid.bin"), buffer()).unwrap();
    let files = Files::beside(Some(at.clone()));
    for (name, bytes, scale) in contents {
        std::fs::write(at.join(name), bytes).unwrap();
        let surface = load(&files, name, scale).unwrap_or_else(|t| panic!("{}", t.found));
        assert_eq!(
            (surface.vertices.len(), surface.triangles.len()),
            (4, 4),
            "{name}"
        );
        assert!(crate::scene::polyhedron::volume(&surface) < 0.0, "{name}");
        let solid = closed(surface).unwrap();
        // Lengths twice those of the corners; small whole numbers are exact.
        let unit = crate::scene::polyhedron::unit(&solid);
        assert!(
            (crate::scene::polyhedron::volume(&solid) - 8.0).abs() < 1e-14,
            "{name}"
        );
        assert!(
            (unit.centre - Vec3::new(0.5, 1.0, 1.5)).norm() < 1e-14,
            "{name}: {unit:?}"
        );
    }
    std::fs::remove_dir_all(at).unwrap();
}

#[test]
fn what_cannot_be_read_says_why() {
    let at = folder("broken");
    for (name, bytes) in [
        ("empty.obj", &b"v 0 0 0\n"[..]),
        ("words.obj", b"v a b c\n"),
        ("short.stl", b"solid"),
        ("words.gltf", b"{\"asset\": 3}"),
        ("mesh.ply", b"ply"),
    ] {
        std::fs::write(at.join(name), bytes).unwrap();
    }
    let alone = gltf(r#", "uri": "nowhere.bin""#);
    std::fs::write(at.join("alone.gltf"), alone).unwrap();
    let short = gltf(r#", "uri": "data:application/octet-stream;base64,AAAA""#);
    std::fs::write(at.join("short.gltf"), short).unwrap();
    let files = Files::beside(Some(at.clone()));
    for (name, word) in [
        ("missing.obj", "cannot be read"),
        ("empty.obj", "no triangles"),
        ("words.obj", "words.obj"),
        ("short.stl", "short.stl"),
        ("words.gltf", "words.gltf"),
        ("mesh.ply", "whose ending is none of these"),
        ("alone.gltf", "nowhere.bin"),
        ("short.gltf", "3 of 72 bytes"),
    ] {
        let trouble = load(&files, name, 1.0).unwrap_err();
        assert!(trouble.found.contains(word), "{name}: {}", trouble.found);
    }
    std::fs::remove_dir_all(at).unwrap();
}

#[test]
fn open_and_twisted_surfaces_bound_no_solid() {
    let vertices: Vec<Vec3> = CORNERS.map(|c| Vec3::from(c.map(f64::from))).into();
    let mut open = INWARDS.to_vec();
    open.pop();
    let mut twisted = INWARDS.to_vec();
    twisted[0].swap(0, 1);
    for (triangles, edges) in [(open, 3), (twisted, 3)] {
        let surface = Surface {
            vertices: vertices.clone(),
            triangles,
        };
        let trouble = closed(surface).unwrap_err();
        let expected = format!("{edges} edges");
        assert!(trouble.found.contains(&expected), "{}", trouble.found);
    }
}
