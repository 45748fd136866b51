//! Wavefront OBJ: positions and faces; materials, normals and texture coordinates are left aside.

use super::Soup;
use crate::math::Vec3;
use tobj::LoadOptions;

/// Triangles of all objects in the file.
pub(super) fn read(bytes: &[u8]) -> Result<Soup, String> {
    let options = LoadOptions {
        triangulate: true,
        ignore_points: true,
        ignore_lines: true,
        ..LoadOptions::default()
    };
    let mut reader = bytes;
    let no_materials = |_: &std::path::Path| Ok(Default::default());
    let (models, _) =
        tobj::load_obj_buf(&mut reader, &options, no_materials).map_err(|e| e.to_string())?;
    let mut soup = Soup::default();
    for model in models {
        let first = soup.vertices.len() as u32;
        let positions = model.mesh.positions.chunks_exact(3);
        soup.vertices
            .extend(positions.map(|p| Vec3::new(p[0], p[1], p[2])));
        let corners = model.mesh.indices.chunks_exact(3);
        soup.triangles
            .extend(corners.map(|t| [t[0], t[1], t[2]].map(|k| first + k)));
    }
    Ok(soup)
}
