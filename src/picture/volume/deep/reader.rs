//! Reads the files that this module writes, for tests.

use half::f16;
use miniz_oxide::inflate::decompress_to_vec_zlib;

/// A sample: red, green, blue, alpha, Z, ZBack.
pub type Sample = [f32; 6];

/// A deep picture.
#[derive(Debug, PartialEq)]
pub struct Deep {
    /// Its size.
    pub size: [usize; 2],
    /// `maxSamplesPerPixel`.
    pub most: i32,
    /// Samples of the pixels, the uppermost row first.
    pub pixels: Vec<Vec<Sample>>,
}

impl Deep {
    /// Light and alpha of a pixel up to a depth.
    pub fn flat(&self, pixel: usize, depth: f32) -> [f32; 4] {
        let mut sum = [0.0; 4];
        for [r, g, b, alpha, near, far] in &self.pixels[pixel] {
            let share = if depth >= *far { 1.0 } else { ((depth - near) / (far - near)).max(0.0) };
            let covered = 1.0 - (1.0 - alpha).powf(share);
            let part = if *alpha > 0.0 { covered / alpha } else { share };
            let clear = 1.0 - sum[3];
            for (sum, value) in sum.iter_mut().zip([r * part, g * part, b * part, covered]) {
                *sum += clear * value;
            }
        }
        sum
    }
}

/// Reads a file.
pub fn read(bytes: &[u8]) -> Deep {
    let int = |at: usize| i32::from_le_bytes(bytes[at..at + 4].try_into().expect("four bytes"));
    let long = |at: usize| u64::from_le_bytes(bytes[at..at + 8].try_into().expect("eight bytes")) as usize;
    assert_eq!([int(0), int(4)], [20_000_630, 0x802]);
    let (mut at, mut size, mut most) = (8, [0; 2], 0);
    while bytes[at] != 0 {
        let text = |at: &mut usize| {
            let end = bytes[*at..].iter().position(|byte| *byte == 0).expect("an end") + *at;
            let text = std::str::from_utf8(&bytes[*at..end]).expect("text");
            *at = end + 1;
            text
        };
        let (name, _) = (text(&mut at), text(&mut at));
        let value = at + 4;
        match name {
            "dataWindow" => size = [int(value + 8) as usize + 1, int(value + 12) as usize + 1],
            "maxSamplesPerPixel" => most = int(value),
            _ => {}
        }
        at = value + int(at) as usize;
    }
    let mut pixels = Vec::new();
    for line in 0..size[1] {
        let chunk = long(at + 1 + 8 * line);
        assert_eq!(int(chunk), line as i32);
        let [table, packed, unpacked] = [4, 12, 20].map(|offset| long(chunk + offset));
        let table_at = chunk + 28;
        let counts = unpack(&bytes[table_at..table_at + table], 4 * size[0]);
        let data = unpack(&bytes[table_at + table..table_at + table + packed], unpacked);
        let ends: Vec<usize> = counts.as_chunks().0.iter().map(|end| i32::from_le_bytes(*end) as usize).collect();
        let all = ends[ends.len() - 1];
        assert_eq!(unpacked, all * 16);
        let mut from = 0;
        for end in ends {
            let half = |channel: usize, sample: usize| {
                let at = 2 * (channel * all + sample);
                f16::from_le_bytes(data[at..at + 2].try_into().expect("two bytes")).to_f32()
            };
            let float = |channel: usize, sample: usize| {
                let at = 8 * all + 4 * (channel * all + sample);
                f32::from_le_bytes(data[at..at + 4].try_into().expect("four bytes"))
            };
            let sample = |n: usize| [half(3, n), half(2, n), half(1, n), half(0, n), float(0, n), float(1, n)];
            pixels.push((from..end).map(sample).collect());
            from = end;
        }
    }
    Deep { size, most, pixels }
}

fn unpack(bytes: &[u8], count: usize) -> Vec<u8> {
    if bytes.len() == count {
        return bytes.to_vec();
    }
    let mut split = decompress_to_vec_zlib(bytes).expect("zlib");
    assert_eq!(split.len(), count);
    for at in 1..count {
        split[at] = split[at].wrapping_add(split[at - 1]).wrapping_sub(128);
    }
    let odd = count.div_ceil(2);
    (0..count).map(|at| split[if at % 2 == 0 { at / 2 } else { odd + at / 2 }]).collect()
}
