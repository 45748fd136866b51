//! Wavefront OBJ: positions and faces; materials, normals and texture coordinates are left aside.

use super::Soup;
use crate::math::Vec3;

/// Triangles of all objects in the file; faces with more corners become fans.
pub(super) fn read(bytes: &[u8]) -> Result<Soup, String> {
    let mut soup = Soup::default();
    // A line that ends with a backslash goes on in the next.
    let mut begun = String::new();
    for (k, line) in bytes.split(|b| *b == b'\n').enumerate() {
        let line = String::from_utf8_lossy(line);
        let line = line.trim_end();
        if let Some(more) = line.strip_suffix('\\') {
            begun += more;
            begun.push(' ');
            continue;
        }
        begun += line;
        statement(&begun, &mut soup).map_err(|found| format!("line {}: {found}", k + 1))?;
        begun.clear();
    }
    if begun.is_empty() {
        Ok(soup)
    } else {
        Err("a last line that goes on".into())
    }
}

/// One line.
fn statement(line: &str, soup: &mut Soup) -> Result<(), String> {
    let line = line.split('#').next().unwrap_or("");
    let mut words = line.split_whitespace();
    match words.next() {
        Some("v") => {
            let mut place = || {
                let word = words.next().ok_or("a corner without three numbers")?;
                let number = word.parse::<f64>().ok().filter(|x| x.is_finite());
                number.ok_or_else(|| format!("`{word}`; expected a finite number"))
            };
            let corner = Vec3::new(place()?, place()?, place()?);
            soup.vertices.push(corner);
        }
        Some("f") => {
            let count = soup.vertices.len();
            let corners = words.map(|word| corner(word, count));
            let corners: Vec<u32> = corners.collect::<Result<_, _>>()?;
            let [first, rest @ ..] = &corners[..] else {
                return Err("a face without corners".into());
            };
            if rest.len() < 2 {
                return Err(format!("a face with {} corners", corners.len()));
            }
            let fan = rest.windows(2).map(|pair| [*first, pair[0], pair[1]]);
            soup.triangles.extend(fan);
        }
        _ => {}
    }
    Ok(())
}

/// Index of a face's corner: the first of the numbers in `7/1/2`, counted from 1, or back from the last if negative.
fn corner(word: &str, count: usize) -> Result<u32, String> {
    let number = word.split('/').next().unwrap_or(word);
    let number: i64 = number
        .parse()
        .map_err(|_| format!("`{word}`; expected the number of a corner"))?;
    let index = if number < 0 {
        number + count as i64
    } else {
        number - 1
    };
    let known = usize::try_from(index).ok().filter(|k| *k < count);
    let known = known.and_then(|k| u32::try_from(k).ok());
    known.ok_or_else(|| format!("corner {number}, with {count} corners before it"))
}
