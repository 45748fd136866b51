//! STL, binary and text.

use super::Soup;
use crate::math::Vec3;
use std::io::Cursor;

/// Triangles of the file.
pub(super) fn read(bytes: &[u8]) -> Result<Soup, String> {
    let mesh = stl_io::read_stl(&mut Cursor::new(bytes)).map_err(|e| e.to_string())?;
    let vertex = |v: &stl_io::Vertex| Vec3::from(v.0.map(f64::from));
    Ok(Soup {
        vertices: mesh.vertices.iter().map(vertex).collect(),
        triangles: mesh
            .faces
            .iter()
            .map(|f| f.vertices.map(|k| k as u32))
            .collect(),
    })
}
