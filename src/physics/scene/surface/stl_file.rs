//! STL, binary and text.

use super::Soup;
use crate::math::Vec3;

/// Bytes before the triangles of a binary file: a text, and their number.
const HEAD: usize = 84;

/// Bytes of a triangle in a binary file: normal, corners, two bytes for anything.
const TRIANGLE: usize = 50;

/// Triangles of the file.
pub(super) fn read(bytes: &[u8]) -> Result<Soup, String> {
    let announced = bytes.get(HEAD - 4..HEAD).map(|n| {
        let count = u32::from_le_bytes([n[0], n[1], n[2], n[3]]) as usize;
        (count, HEAD.saturating_add(count.saturating_mul(TRIANGLE)))
    });
    match announced {
        // Binary files may begin with the word of text files, so the length decides.
        Some((_, length)) if length == bytes.len() => Ok(binary(&bytes[HEAD..])),
        _ if bytes.trim_ascii_start().starts_with(b"solid") => text(bytes),
        Some((count, length)) => Err(format!(
            "a binary file of {} bytes; its {count} triangles take {length}",
            bytes.len()
        )),
        None => Err(format!("{} bytes, which are no STL file", bytes.len())),
    }
}

fn binary(bytes: &[u8]) -> Soup {
    let mut soup = Soup::default();
    for triangle in bytes.chunks_exact(TRIANGLE) {
        let number = |k: usize| {
            let at = 12 + 4 * k;
            f32::from_le_bytes([0, 1, 2, 3].map(|j| triangle[at + j]))
        };
        for corner in 0..3 {
            add(&mut soup, [0, 1, 2].map(|k| number(3 * corner + k)));
        }
    }
    soup
}

/// Adds a corner; every third ends a triangle.
fn add(soup: &mut Soup, corner: [f32; 3]) {
    soup.vertices.push(Vec3::from(corner.map(f64::from)));
    let count = soup.vertices.len() as u32;
    if count.is_multiple_of(3) {
        soup.triangles.push([count - 3, count - 2, count - 1]);
    }
}

fn text(bytes: &[u8]) -> Result<Soup, String> {
    let mut soup = Soup::default();
    let mut ended = false;
    let mut number = 0;
    for (k, line) in bytes.split(|b| *b == b'\n').enumerate() {
        number = k + 1;
        let line = String::from_utf8_lossy(line);
        let mut words = line.split_whitespace();
        let wrong = |found: String| format!("line {number}: {found}");
        let corners = soup.vertices.len();
        ended = match words.next() {
            None => ended,
            Some("solid" | "facet" | "outer") => false,
            Some("endsolid") => true,
            Some("vertex") => {
                let mut place = || {
                    let word = words.next();
                    let word =
                        word.ok_or_else(|| wrong("a corner without three numbers".into()))?;
                    // As exact as a binary file.
                    let number = word.parse::<f32>().ok().filter(|x| x.is_finite());
                    number.ok_or_else(|| wrong(format!("`{word}`; expected a finite number")))
                };
                let corner = [place()?, place()?, place()?];
                add(&mut soup, corner);
                false
            }
            Some("endloop" | "endfacet") if corners.is_multiple_of(3) => false,
            Some("endloop" | "endfacet") => {
                return Err(wrong("the end of a triangle without three corners".into()));
            }
            Some(word) => {
                let expected =
                    "expected solid, facet, outer, vertex, endloop, endfacet or endsolid";
                return Err(wrong(format!("`{word}`; {expected}")));
            }
        };
    }
    if ended {
        Ok(soup)
    } else {
        Err(format!("line {number}: the file ends without `endsolid`"))
    }
}
