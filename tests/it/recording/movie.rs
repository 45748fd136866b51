//! Reads MP4 files back, box by box and picture by picture, with a decoder that knows nothing of who wrote them.

use openh264::decoder::Decoder;
use openh264::formats::YUVSource;
use std::path::Path;

/// A decoded video.
pub struct Movie {
    /// Width and height as the track says [pixels].
    pub size: [usize; 2],
    /// Ticks per second.
    pub timescale: u32,
    /// When every frame begins [ticks].
    pub stamps: Vec<u64>,
    /// How long the last frame stays [ticks].
    pub last: u64,
    /// Numbers of the frames from which a player can start, from 1.
    pub keys: Vec<u32>,
    /// The frames.
    pub frames: Vec<Frame>,
    /// Names of the outermost boxes, in order.
    pub boxes: Vec<String>,
}

/// A decoded picture.
pub struct Frame {
    /// Width and height [pixels].
    pub size: [usize; 2],
    /// Brightness (16 to 235) of every pixel, then blue and red differences at half the size.
    planes: [Vec<u8>; 3],
}

impl Frame {
    /// Red, green and blue of a pixel, by the inverse of ITU-R BT.709 (limited range).
    pub fn rgb(&self, x: usize, y: usize) -> [f64; 3] {
        let half = (y / 2) * (self.size[0] / 2) + x / 2;
        let luma = (f64::from(self.planes[0][y * self.size[0] + x]) - 16.0) / 219.0;
        let [blue, red] = [1, 2].map(|k| (f64::from(self.planes[k][half]) - 128.0) / 224.0);
        let [r, b] = [luma + 1.5748 * red, luma + 1.8556 * blue];
        let g = (luma - 0.2126 * r - 0.0722 * b) / 0.7152;
        [r, g, b].map(|c| (255.0 * c).clamp(0.0, 255.0))
    }

    /// Centre of all pixels that meet a condition, and how many there are.
    pub fn centre(&self, wanted: impl Fn([f64; 3]) -> bool) -> ([f64; 2], usize) {
        let (mut sum, mut count) = ([0.0; 2], 0);
        for y in 0..self.size[1] {
            for x in 0..self.size[0] {
                if wanted(self.rgb(x, y)) {
                    // The middle of a pixel is half a pixel from its edge.
                    sum = [sum[0] + x as f64 + 0.5, sum[1] + y as f64 + 0.5];
                    count += 1;
                }
            }
        }
        (sum.map(|s| s / (count.max(1) as f64)), count)
    }
}

/// Reads numbers of a box, most significant byte first.
fn number(bytes: &[u8], at: usize, length: usize) -> u64 {
    bytes[at..at + length]
        .iter()
        .fold(0, |n, b| n << 8 | u64::from(*b))
}

/// Name, contents and place of the contents of every box.
fn boxes(bytes: &[u8], mut at: usize, end: usize) -> Vec<(String, std::ops::Range<usize>)> {
    let mut found = Vec::new();
    while at + 8 <= end {
        let (size, head) = match number(bytes, at, 4) {
            1 => (number(bytes, at + 8, 8) as usize, 16),
            size => (size as usize, 8),
        };
        assert!(
            size >= head && at + size <= end,
            "a box reaches beyond its parent"
        );
        let name = String::from_utf8_lossy(&bytes[at + 4..at + 8]).into_owned();
        found.push((name, at + head..at + size));
        at += size;
    }
    assert_eq!(at, end, "the boxes fill their parent");
    found
}

/// The contents of a box by its path.
fn find<'a>(bytes: &'a [u8], path: &[&str]) -> &'a [u8] {
    let mut range = 0..bytes.len();
    for name in path {
        let inside = boxes(bytes, range.start, range.end);
        let child = inside.into_iter().find(|(n, _)| n == name);
        range = child
            .unwrap_or_else(|| panic!("no box {name} of {path:?}"))
            .1;
    }
    &bytes[range]
}

/// The entries of a table after its version and its count.
fn entries(table: &[u8], width: usize) -> impl Iterator<Item = &[u8]> {
    let count = number(table, 4, 4) as usize;
    assert_eq!(
        table.len(),
        8 + count * width,
        "a table is as long as its count"
    );
    table[8..].chunks(width)
}

const TABLES: [&str; 5] = ["moov", "trak", "mdia", "minf", "stbl"];

/// The parameter sets in front of the stream, with start codes.
fn parameter_sets(entry: &[u8]) -> Vec<u8> {
    let at = entry.windows(4).position(|w| w == b"avcC").expect("avcC") + 4;
    let config = &entry[at..];
    assert_eq!(config[0], 1, "version of avcC");
    assert_eq!(config[4] & 3, 3, "lengths of four bytes");
    let (mut sets, mut at) = (Vec::new(), 5);
    for mask in [0x1f, 0xff] {
        let count = config[at] & mask;
        at += 1;
        for _ in 0..count {
            let length = number(config, at, 2) as usize;
            sets.extend([0, 0, 0, 1]);
            sets.extend(&config[at + 2..at + 2 + length]);
            at += 2 + length;
        }
    }
    sets
}

impl Movie {
    /// Reads a file; fails where it is not a sound one.
    pub fn read(path: &Path) -> Self {
        let bytes = std::fs::read(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        let table = |name: &str| find(&bytes, &[&TABLES[..], &[name]].concat());
        let header = find(&bytes, &["moov", "trak", "mdia", "mdhd"]);
        assert_eq!(header[0], 0, "version of mdhd");
        let timescale = number(header, 12, 4) as u32;
        let mut stamps = Vec::new();
        let (mut time, mut last) = (0, 0);
        for run in entries(table("stts"), 8) {
            last = number(run, 4, 4);
            for _ in 0..number(run, 0, 4) {
                stamps.push(time);
                time += last;
            }
        }
        assert_eq!(
            number(header, 16, 4),
            time,
            "the frames last as long as the track"
        );
        let track = find(&bytes, &["moov", "trak", "tkhd"]);
        let size = [76, 80].map(|at| number(track, at, 4) as usize >> 16);
        let sizes = table("stsz");
        assert_eq!(number(sizes, 4, 4), 0, "every frame has its own size");
        let sizes: Vec<usize> = sizes[12..]
            .chunks(4)
            .map(|s| number(s, 0, 4) as usize)
            .collect();
        let chunks: Vec<usize> = entries(table("stco"), 4)
            .map(|c| number(c, 0, 4) as usize)
            .collect();
        let runs: Vec<[usize; 2]> = entries(table("stsc"), 12)
            .map(|r| [number(r, 0, 4) as usize, number(r, 4, 4) as usize])
            .collect();
        let mut decoder = Decoder::new().expect("a decoder");
        let mut frames = Vec::new();
        let mut sets = parameter_sets(table("stsd"));
        let mut sample = 0;
        for (k, chunk) in chunks.iter().enumerate() {
            let run = runs.iter().rev().find(|r| r[0] <= k + 1).expect("a run");
            let mut at = *chunk;
            for _ in 0..run[1] {
                let mut packet = std::mem::take(&mut sets);
                packet.extend(annex_b(&bytes[at..at + sizes[sample]]));
                let decoded = decoder.decode(&packet).expect("the stream decodes");
                frames.push(frame(&decoded.expect("a picture for every sample")));
                at += sizes[sample];
                sample += 1;
            }
        }
        assert_eq!(sample, sizes.len(), "the chunks hold all samples");
        let outer = boxes(&bytes, 0, bytes.len());
        Self {
            size,
            timescale,
            stamps,
            last,
            keys: entries(table("stss"), 4)
                .map(|e| number(e, 0, 4) as u32)
                .collect(),
            frames,
            boxes: outer.into_iter().map(|(name, _)| name).collect(),
        }
    }

    /// When a frame begins [s].
    pub fn time(&self, frame: usize) -> f64 {
        self.stamps[frame] as f64 / f64::from(self.timescale)
    }
}

/// A sample with start codes in the place of lengths.
fn annex_b(mut sample: &[u8]) -> Vec<u8> {
    let mut units = Vec::new();
    while !sample.is_empty() {
        let length = number(sample, 0, 4) as usize;
        units.extend([0, 0, 0, 1]);
        units.extend(&sample[4..4 + length]);
        sample = &sample[4 + length..];
    }
    units
}

fn frame(decoded: &openh264::decoder::DecodedYUV) -> Frame {
    let (w, h) = decoded.dimensions();
    let strides = decoded.strides();
    let plane = |bytes: &[u8], stride: usize, w: usize, h: usize| {
        let rows = bytes.chunks(stride).take(h);
        rows.flat_map(|row| row[..w].to_vec()).collect()
    };
    Frame {
        size: [w, h],
        planes: [
            plane(decoded.y(), strides.0, w, h),
            plane(decoded.u(), strides.1, w / 2, h / 2),
            plane(decoded.v(), strides.2, w / 2, h / 2),
        ],
    }
}
