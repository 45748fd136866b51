//! glTF 2.0 as text or binary: the triangles of all nodes of the scene, with the y axis, which points up there, turned to z.

use super::Soup;
use crate::math::Vec3;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use gltf::buffer::Source;
use gltf::mesh::Mode;
use nalgebra::Matrix4;

/// Triangles of the file; `beside` reads the files that it names.
pub(super) fn read(
    bytes: &[u8],
    beside: &dyn Fn(&str) -> Result<Vec<u8>, String>,
) -> Result<Soup, String> {
    let gltf::Gltf { document, mut blob } =
        gltf::Gltf::from_slice(bytes).map_err(|e| e.to_string())?;
    let mut buffers = Vec::new();
    for buffer in document.buffers() {
        let data = match buffer.source() {
            Source::Bin => blob.take().ok_or("the binary part is missing")?,
            Source::Uri(uri) => match uri.split_once(";base64,") {
                Some((_, text)) => STANDARD.decode(text).map_err(|e| e.to_string())?,
                None => beside(uri)?,
            },
        };
        if data.len() < buffer.length() {
            let (found, wanted) = (data.len(), buffer.length());
            return Err(format!("a buffer has {found} of {wanted} bytes"));
        }
        buffers.push(data);
    }
    let scene = document
        .default_scene()
        .or_else(|| document.scenes().next())
        .ok_or("no scene in the file")?;
    let mut soup = Soup::default();
    // (x, y, z) with y up becomes (x, -z, y) with z up.
    let upright = Matrix4::new(
        1.0, 0.0, 0.0, 0.0, //
        0.0, 0.0, -1.0, 0.0, //
        0.0, 1.0, 0.0, 0.0, //
        0.0, 0.0, 0.0, 1.0,
    );
    let mut pending: Vec<(gltf::Node, Matrix4<f64>)> =
        scene.nodes().map(|n| (n, upright)).collect();
    while let Some((node, above)) = pending.pop() {
        // Columns of columns, as nalgebra wants them.
        let local = Matrix4::from(node.transform().matrix()).cast::<f64>();
        let placed = above * local;
        pending.extend(node.children().map(|n| (n, placed)));
        for primitive in node.mesh().iter().flat_map(|m| m.primitives()) {
            match primitive.mode() {
                Mode::Triangles => add(&primitive, &buffers, &placed, &mut soup)?,
                Mode::TriangleStrip | Mode::TriangleFan => {
                    return Err("strips or fans of triangles; expected plain triangles".into());
                }
                _ => {}
            }
        }
    }
    Ok(soup)
}

/// Adds the triangles of one piece.
fn add(
    primitive: &gltf::Primitive,
    buffers: &[Vec<u8>],
    placed: &Matrix4<f64>,
    soup: &mut Soup,
) -> Result<(), String> {
    let reader = primitive.reader(|b| buffers.get(b.index()).map(Vec::as_slice));
    let first = soup.vertices.len() as u32;
    let positions = reader.read_positions().ok_or("a mesh without positions")?;
    soup.vertices.extend(positions.map(|p| {
        let at = Vec3::from(p.map(f64::from));
        placed.transform_point(&at.into()).coords
    }));
    let count = soup.vertices.len() as u32 - first;
    let indices: Vec<u32> = match reader.read_indices() {
        Some(indices) => indices.into_u32().collect(),
        None => (0..count).collect(),
    };
    if indices.iter().any(|k| *k >= count) {
        return Err("a triangle with a corner that is not there".into());
    }
    // A reflection turns the winding round.
    let mirrored = placed.fixed_view::<3, 3>(0, 0).determinant() < 0.0;
    soup.triangles.extend(indices.chunks_exact(3).map(|t| {
        let [a, b, c] = [t[0], t[1], t[2]].map(|k| first + k);
        if mirrored { [a, c, b] } else { [a, b, c] }
    }));
    Ok(())
}
