//! From the colours of a picture to those of video: BT.709, limited range, one colour for four pixels.

use super::Picture;

/// Weights of red, green and blue in the luma of BT.709, times 2^16.
const LUMA: [i32; 3] = [13_933, 46_871, 4_732];

/// Brightness, then blue and red differences at half the size, as one buffer. Width and height are even.
pub fn yuv420(picture: &Picture) -> Vec<u8> {
    let [w, h] = picture.size().map(|edge| edge as usize);
    let (luma, chroma) = (w * h, w * h / 4);
    let mut out = vec![0; luma + 2 * chroma];
    let (ys, differences) = out.split_at_mut(luma);
    let (us, vs) = differences.split_at_mut(chroma);
    let rows = picture
        .rgba
        .chunks_exact(2 * 4 * w)
        .zip(ys.chunks_exact_mut(2 * w));
    for (k, (pixels, y)) in rows.enumerate() {
        let (upper, lower) = pixels.split_at(4 * w);
        for (pixels, y) in [upper, lower].into_iter().zip(y.chunks_exact_mut(w)) {
            for (pixel, y) in pixels.chunks_exact(4).zip(y) {
                *y = luma_of([0, 1, 2].map(|c| i32::from(pixel[c])));
            }
        }
        let (us, vs) = (&mut us[k * w / 2..], &mut vs[k * w / 2..]);
        let blocks = upper.chunks_exact(8).zip(lower.chunks_exact(8));
        for ((a, b), (u, v)) in blocks.zip(us.iter_mut().zip(vs)) {
            // Four times the mean of the block.
            let sum =
                [0, 1, 2].map(|c| [a[c], a[c + 4], b[c], b[c + 4]].map(i32::from).iter().sum());
            [*u, *v] = differences_of(sum);
        }
    }
    out
}

fn weighted([r, g, b]: [i32; 3]) -> i32 {
    LUMA[0] * r + LUMA[1] * g + LUMA[2] * b
}

/// Luma from 16 to 235.
fn luma_of(rgb: [i32; 3]) -> u8 {
    // 219/255 of the range, rounded.
    let scaled = (i64::from(weighted(rgb)) * 219 + 255 * 32_768) / (255 * 65_536);
    (16 + scaled) as u8
}

/// Blue and red differences from 16 to 240, of four times a colour.
fn differences_of(sum: [i32; 3]) -> [u8; 2] {
    let luma = i64::from(weighted(sum));
    let difference = |channel: i32, weight: i32| {
        // (c − y) / (2 (1 − weight)) is within ±1/2 and takes 224 of 255 levels; four pixels were summed.
        let above = (i64::from(channel) << 16) - luma;
        let most = 2 * (65_536 - i64::from(weight)) * 255 * 4;
        let scaled = (above * 224).div_euclid(most / 2);
        (128 + (scaled + 1).div_euclid(2)).clamp(16, 240) as u8
    };
    [difference(sum[2], LUMA[2]), difference(sum[0], LUMA[0])]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The definition in ITU-R BT.709-6, items 3.2 to 3.5, in floating point.
    fn reference(rgb: [u8; 3]) -> [f64; 3] {
        let [r, g, b] = rgb.map(|c| f64::from(c) / 255.0);
        let y = 0.2126 * r + 0.7152 * g + 0.0722 * b;
        let (cb, cr) = ((b - y) / 1.8556, (r - y) / 1.5748);
        [16.0 + 219.0 * y, 128.0 + 224.0 * cb, 128.0 + 224.0 * cr]
    }

    #[test]
    fn colours_are_those_of_the_standard() {
        for r in (0..=255).step_by(15) {
            for g in (0..=255).step_by(15) {
                for b in (0..=255).step_by(15) {
                    let yuv = yuv420(&Picture::plain(2, 2, [r, g, b]));
                    assert_eq!(yuv.len(), 6);
                    let wanted = reference([r, g, b]);
                    for (found, wanted) in [yuv[0], yuv[4], yuv[5]].into_iter().zip(wanted) {
                        // Rounded to the nearest level; the weights are rounded to 2^-16.
                        assert!(
                            (f64::from(found) - wanted).abs() < 0.51,
                            "{r} {g} {b}: {found} {wanted}"
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn every_pixel_has_its_brightness_and_every_four_their_colour() {
        let mut picture = Picture::plain(4, 2, [0, 0, 0]);
        picture.rgba[4 * 3..4 * 3 + 3].fill(255);
        picture.rgba[4 * 4..4 * 4 + 3].copy_from_slice(&[0, 0, 255]);
        let yuv = yuv420(&picture);
        assert_eq!(yuv[..8], [16, 16, 16, 235, 32, 16, 16, 16]);
        // A quarter of blue on the left, grey on the right.
        assert_eq!(yuv[8..], [156, 128, 125, 128]);
    }
}
