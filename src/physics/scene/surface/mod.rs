//! Surfaces from files and points: reading, welding, what closes and what does not.

mod gltf_file;
mod hull;
mod obj_file;
mod stl_file;

use super::files::Files;
use crate::math::Vec3;
use crate::model::Surface;
use std::collections::BTreeMap;

/// Triangles as a file lists them: corners may be there several times.
#[derive(Debug, Default)]
struct Soup {
    vertices: Vec<Vec3>,
    triangles: Vec<[u32; 3]>,
}

/// Why there is no surface.
#[derive(Debug)]
pub(super) struct Trouble {
    /// What was found.
    pub found: String,
    /// What is expected.
    pub expected: &'static str,
}

const READABLE: &str = "an OBJ, STL, glTF or GLB file with triangles";

/// Reads a mesh file and welds corners at the same place.
pub(super) fn load(files: &Files, name: &str, scale: f64) -> Result<Surface, Trouble> {
    let trouble = |found: String| Trouble {
        found,
        expected: READABLE,
    };
    let extension = name.rsplit_once('.').map_or("", |n| n.1).to_lowercase();
    if !["obj", "stl", "gltf", "glb"].contains(&extension.as_str()) {
        return Err(trouble(format!("`{name}`, whose ending is none of these")));
    }
    let bytes = files.read(name).map_err(|e| Trouble {
        found: format!("`{name}`, which cannot be read: {e}"),
        expected: "the path of a mesh file, from the folder of the scene",
    })?;
    // A glTF file names its buffers by their paths from its own folder.
    let beside = |other: &str| {
        let folder = name.rsplit_once('/').map_or("", |n| n.0);
        let path = if folder.is_empty() {
            other.to_owned()
        } else {
            format!("{folder}/{other}")
        };
        let read = files.read(&path).map(|bytes| bytes.to_vec());
        read.map_err(|e| format!("`{path}`: {e}"))
    };
    let soup = match extension.as_str() {
        "obj" => obj_file::read(&bytes),
        "stl" => stl_file::read(&bytes),
        _ => gltf_file::read(&bytes, &beside),
    };
    let soup = soup.map_err(|e| trouble(format!("`{name}`: {e}")))?;
    let finite = |v: &Vec3| v.iter().all(|x| x.is_finite());
    if !soup.vertices.iter().all(finite) {
        return Err(trouble(format!("`{name}`: a corner that is not finite")));
    }
    let surface = welded(&soup, scale);
    if surface.triangles.is_empty() {
        return Err(trouble(format!("`{name}`: no triangles")));
    }
    Ok(surface)
}

/// One corner at every place; triangles that become lines or points are dropped.
fn welded(soup: &Soup, scale: f64) -> Surface {
    let mut places: BTreeMap<[u64; 3], u32> = BTreeMap::new();
    let mut vertices = Vec::new();
    let mut place = |k: u32| {
        // Adding zero makes -0 and 0 the same.
        let v = soup.vertices[k as usize].map(|x| x * scale + 0.0);
        let key = [v.x, v.y, v.z].map(f64::to_bits);
        *places.entry(key).or_insert_with(|| {
            vertices.push(v);
            vertices.len() as u32 - 1
        })
    };
    let triangles: Vec<[u32; 3]> = soup
        .triangles
        .iter()
        .map(|t| t.map(&mut place))
        .filter(|[a, b, c]| a != b && b != c && c != a)
        .collect();
    Surface {
        vertices,
        triangles,
    }
}

/// Edges without exactly one triangle on either side, wound against each other.
fn open_edges(triangles: &[[u32; 3]]) -> usize {
    let mut count: BTreeMap<(u32, u32), i32> = BTreeMap::new();
    for &[a, b, c] in triangles {
        for edge in [(a, b), (b, c), (c, a)] {
            *count.entry(edge).or_default() += 1;
        }
    }
    let alone = |((a, b), n): (&(u32, u32), &i32)| *n != 1 || count.get(&(*b, *a)) != Some(&1);
    count.iter().filter(|e| alone(*e)).count()
}

/// The surface as the boundary of a solid, wound outwards.
pub(super) fn closed(mut surface: Surface) -> Result<Surface, Trouble> {
    let open = open_edges(&surface.triangles);
    if open > 0 {
        return Err(Trouble {
            found: format!("an open surface: {open} edges do not join exactly two triangles"),
            expected: "a closed surface, wound the same way everywhere; or a hull; or mass: 0 and collides: false \
                       for a piece that is only drawn",
        });
    }
    if super::polyhedron::volume(&surface) < 0.0 {
        surface.triangles.iter_mut().for_each(|t| t.swap(1, 2));
    }
    Ok(surface)
}

/// The convex hull of points.
pub(super) fn convex(points: &[Vec3]) -> Result<Surface, Trouble> {
    hull::hull(points).map_err(|found| Trouble {
        found,
        expected: "four points or more that span a solid",
    })
}

#[cfg(test)]
mod tests;
