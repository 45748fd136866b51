//! glTF 2.0 as text or binary: the triangles of all nodes of the scene, with the y axis, which points up there, turned
//! to z.
//!
//! The crate checks that what a file names is there, and no more: types, strides and lengths are checked here, and
//! the numbers read here.

use super::Soup;
use crate::math::Vec3;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use gltf::accessor::sparse::IndexType;
use gltf::accessor::{DataType, Dimensions};
use gltf::buffer::{Source, View};
use gltf::mesh::Mode;
use gltf::{Accessor, Node};
use nalgebra::Matrix4;

/// More corners than anybody looks at. Nodes may show the same mesh again and again, so that a short file can hold
/// many.
const MOST_CORNERS: usize = 20_000_000;

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
    let mut seen = vec![false; document.nodes().len()];
    let mut pending: Vec<(Node, Matrix4<f64>)> = scene.nodes().map(|n| (n, upright)).collect();
    while let Some((node, above)) = pending.pop() {
        // The nodes of a glTF file are a tree; along a ring or along all paths of a net there would be no end.
        if std::mem::replace(&mut seen[node.index()], true) {
            return Err(format!(
                "node {} hangs on more than one node, or on itself",
                node.index()
            ));
        }
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
    let first = soup.vertices.len();
    let positions = primitive.get(&gltf::Semantic::Positions);
    let positions = positions.ok_or("a mesh without positions")?;
    let corners = primitive.indices().map_or(0, |i| i.count());
    if first + positions.count() > MOST_CORNERS || 3 * soup.triangles.len() + corners > MOST_CORNERS
    {
        return Err(format!("more than {MOST_CORNERS} corners"));
    }
    for p in points(&positions, buffers)? {
        let at = Vec3::from(p.map(f64::from));
        soup.vertices
            .push(placed.transform_point(&at.into()).coords);
    }
    let count = soup.vertices.len() - first;
    let indices = match primitive.indices() {
        Some(accessor) => whole_numbers(&accessor, buffers)?,
        None => (0..count as u32).collect(),
    };
    if let Some(beyond) = indices.iter().find(|k| **k as usize >= count) {
        return Err(format!(
            "a triangle with corner {beyond}, counted from 0, of {count}"
        ));
    }
    if !indices.len().is_multiple_of(3) {
        let corners = indices.len();
        return Err(format!(
            "triangles with {corners} corners, no multiple of three"
        ));
    }
    // A reflection turns the winding round.
    let mirrored = placed.fixed_view::<3, 3>(0, 0).determinant() < 0.0;
    soup.triangles.extend(indices.chunks_exact(3).map(|t| {
        let [a, b, c] = [t[0], t[1], t[2]].map(|k| first as u32 + k);
        if mirrored { [a, c, b] } else { [a, b, c] }
    }));
    Ok(())
}

/// Positions of an accessor.
fn points(accessor: &Accessor, buffers: &[Vec<u8>]) -> Result<Vec<[f32; 3]>, String> {
    let name = format!("the positions in accessor {}", accessor.index());
    let found = (accessor.data_type(), accessor.dimensions());
    if found != (DataType::F32, Dimensions::Vec3) {
        return Err(wrong_type(
            &name,
            found,
            "three 32-bit floating-point numbers",
        ));
    }
    let read = |bytes: &[u8]| -> [f32; 3] {
        [0, 4, 8].map(|k| f32::from_le_bytes([0, 1, 2, 3].map(|j| bytes[k + j])))
    };
    items(accessor, buffers, &name, 12, read)
}

/// Indices of an accessor.
fn whole_numbers(accessor: &Accessor, buffers: &[Vec<u8>]) -> Result<Vec<u32>, String> {
    let name = format!("the indices in accessor {}", accessor.index());
    let size = match (accessor.data_type(), accessor.dimensions()) {
        (DataType::U8, Dimensions::Scalar) => 1,
        (DataType::U16, Dimensions::Scalar) => 2,
        (DataType::U32, Dimensions::Scalar) => 4,
        found => return Err(wrong_type(&name, found, "single unsigned whole numbers")),
    };
    items(accessor, buffers, &name, size, unsigned)
}

fn wrong_type(name: &str, (data, dimensions): (DataType, Dimensions), expected: &str) -> String {
    format!("{name}: {dimensions:?} of {data:?}; expected {expected}")
}

/// A whole number of one to four bytes, the lowest first.
fn unsigned(bytes: &[u8]) -> u32 {
    bytes.iter().rev().fold(0, |n, b| n << 8 | u32::from(*b))
}

/// Items of an accessor, each of so many bytes.
fn items<T: Clone + Default>(
    accessor: &Accessor,
    buffers: &[Vec<u8>],
    name: &str,
    size: usize,
    read: impl Fn(&[u8]) -> T,
) -> Result<Vec<T>, String> {
    let count = accessor.count();
    let mut values: Vec<T> = match accessor.view() {
        Some(view) => pieces(view, buffers, name, accessor.offset(), [count, size])?
            .map(&read)
            .collect(),
        // What is not given is zero.
        None => vec![T::default(); count],
    };
    let Some(sparse) = accessor.sparse() else {
        return Ok(values);
    };
    let width = match sparse.indices().index_type() {
        IndexType::U8 => 1,
        IndexType::U16 => 2,
        IndexType::U32 => 4,
    };
    let (places, new) = (sparse.indices(), sparse.values());
    let places = pieces(
        places.view(),
        buffers,
        name,
        places.offset(),
        [sparse.count(), width],
    )?;
    let new = pieces(
        new.view(),
        buffers,
        name,
        new.offset(),
        [sparse.count(), size],
    )?;
    for (place, value) in places.zip(new) {
        let place = unsigned(place) as usize;
        let old = values.get_mut(place);
        *old.ok_or_else(|| format!("{name}: a new value for item {place} of {count}"))? =
            read(value);
    }
    Ok(values)
}

/// The bytes of so many items of such a size, from an offset in a view on.
fn pieces<'b>(
    view: View,
    buffers: &'b [Vec<u8>],
    name: &str,
    offset: usize,
    [count, size]: [usize; 2],
) -> Result<impl Iterator<Item = &'b [u8]> + use<'b>, String> {
    let stride = view.stride().unwrap_or(size);
    if stride < size {
        return Err(format!(
            "{name}: a stride of {stride} bytes; expected at least the {size} bytes of an item"
        ));
    }
    let inside = |from: usize, length: usize| Some(from..from.checked_add(length)?);
    let beyond = || format!("{name}: {count} items, which reach beyond the end of their bytes");
    let length = match count {
        0 => Some(0),
        n => (n - 1)
            .checked_mul(stride)
            .and_then(|l| l.checked_add(size)),
    };
    let bytes = buffers
        .get(view.buffer().index())
        .and_then(|data| data.get(inside(view.offset(), view.length())?))
        .and_then(|data| data.get(inside(offset, length?)?))
        .ok_or_else(beyond)?;
    Ok((0..count).map(move |k| &bytes[k * stride..k * stride + size]))
}
