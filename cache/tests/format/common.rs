//! States for the tests, and functions to write them.

use std::collections::BTreeMap;
use std::io::Cursor;
use std::path::{Path, PathBuf};
use std::thread;

use flow_cache::{Blob, BlobRows, Expected, Foreign, Header, Layer, Pool, Refusal, Serial, Values, Wanted, encode};

/// A state in memory: blobs with border, and layers of up to four channels without border; lowest row first.
pub struct State {
    pub header: Header,
    pub blobs: Vec<Blob>,
    pub layers: Vec<(Vec<&'static str>, Vec<[f32; 4]>)>,
}

/// Reads a picture with the layers of water.
pub fn read_foreign(path: &Path) -> Result<Foreign, Refusal> {
    const LAYERS: &[(&str, &[&str])] = &[("cross", &["R", "G", "B", "A"]), ("diagonal", &["R", "G", "B", "A"])];
    flow_cache::read_foreign(path, &Wanted { alpha: "height", layers: LAYERS })
}

/// A deterministic generator of pseudo-random numbers (SplitMix64).
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
}

/// Bits of floats that a conversion may change: zeros, denormals, infinities, quiet and signalling NaN with payloads,
/// the ends of the range.
pub const SPECIAL: [u32; 18] = [
    0x0000_0000,
    0x8000_0000,
    0x0000_0001,
    0x8000_0001,
    0x7f80_0001,
    0xffbf_ffff,
    0x7fc0_1234,
    0xffff_ffff,
    0x7f80_0000,
    0xff80_0000,
    0x007f_ffff,
    0x807f_ffff,
    0x0080_0000,
    0x7f7f_ffff,
    0xff7f_ffff,
    0x3f80_0000,
    0x3f80_0001,
    0x3333_3333,
];

impl State {
    /// Random integers in three blobs, and the float layers of a simulation.
    pub fn random(shape: &[usize], seed: u64) -> Self {
        let mut random = Random(seed);
        let bordered = bordered(shape);
        let blobs = ["water", "east", "north west"].map(|name| {
            let mut values: Vec<i32> = (0..bordered).map(|_| random.next() as i32 >> (random.next() % 32)).collect();
            values[0] = i32::MIN;
            values[bordered - 1] = i32::MAX;
            Blob { name: name.into(), values: Values::Ints(values) }
        });
        Self::of(shape, seed, blobs.into(), &mut random)
    }

    /// Random floats in four blobs, including all special values, and one blob of integers.
    pub fn floats(shape: &[usize], seed: u64) -> Self {
        let mut random = Random(seed);
        let bordered = bordered(shape);
        let blobs = ["v", "A", "solid", "u", "dye.red"].map(|name| {
            let mut bits: Vec<u32> = (0..bordered).map(|_| random.next() as u32).collect();
            bits.iter_mut().zip(SPECIAL).for_each(|(bits, special)| *bits = special);
            let values = match name {
                "solid" => Values::Ints(bits.into_iter().map(u32::cast_signed).collect()),
                _ => Values::Floats(bits.into_iter().map(f32::from_bits).collect()),
            };
            Blob { name: name.into(), values }
        });
        Self::of(shape, seed, blobs.into(), &mut random)
    }

    fn of(shape: &[usize], seed: u64, blobs: Vec<Blob>, random: &mut Random) -> Self {
        let names = [
            vec!["R", "G", "B", "A"],
            vec!["cross.R", "cross.G", "cross.B", "cross.A"],
            vec!["diagonal.R", "diagonal.G", "diagonal.B", "diagonal.A"],
            vec!["velocity.x", "velocity.y"],
        ];
        let layers = names.map(|names| {
            let pixel = |_| std::array::from_fn(|_| (random.next() as i32) as f32 / 65536.0);
            (names, (0..shape.iter().take(2).product()).map(pixel).collect())
        });
        let mut state = Self { header: header(shape, seed), blobs, layers: layers.into() };
        let mut header = state.header.clone();
        header.seal(&state.rows());
        state.header = header;
        state
    }

    pub fn rows(&self) -> Vec<BlobRows<'_>> {
        let width = self.header.shape.first().map_or(0, |side| side + 2);
        self.blobs
            .iter()
            .map(|blob| match &blob.values {
                Values::Ints(values) => BlobRows::ints(&blob.name, move |y| &values[y * width..][..width]),
                Values::Floats(values) => BlobRows::floats(&blob.name, move |y, out| {
                    assert!(out.iter().all(|value| value.to_bits() == 0));
                    out.copy_from_slice(&values[y * width..][..width]);
                }),
            })
            .collect()
    }

    /// Flips bits of a value.
    pub fn change(&mut self, blob: usize, at: usize, bits: u32) {
        match &mut self.blobs[blob].values {
            Values::Ints(values) => values[at] ^= bits.cast_signed(),
            Values::Floats(values) => values[at] = f32::from_bits(values[at].to_bits() ^ bits),
        }
    }

    pub fn painters(&self) -> Vec<Layer<'_>> {
        let width = self.header.shape.first().map_or(0, |side| *side);
        self.layers
            .iter()
            .map(|(names, pixels)| Layer {
                names: names.iter().map(|name| (*name).to_owned()).collect(),
                row: Box::new(move |y, out| out.copy_from_slice(&pixels[y * width..][..width])),
            })
            .collect()
    }

    pub fn bytes(&self, pool: &dyn Pool) -> Vec<u8> {
        let mut out = Cursor::new(Vec::new());
        encode(&self.header, &self.rows(), &self.painters(), pool, &mut out).unwrap();
        out.into_inner()
    }

    pub fn write(&self, folder: &Path) -> PathBuf {
        let path = folder.join("state.exr");
        std::fs::write(&path, self.bytes(&Serial)).unwrap();
        path
    }

    pub fn expected(&self) -> Expected {
        let Header { key, model, version, shape, .. } = self.header.clone();
        Expected { key, model, version, shape }
    }

    /// The blobs in the order of `read`: by name.
    pub fn sorted(&self) -> Vec<Blob> {
        let mut blobs = self.blobs.clone();
        blobs.sort_by(|a, b| a.name.cmp(&b.name));
        blobs
    }
}

/// Number of values of a blob, border included.
fn bordered(shape: &[usize]) -> usize {
    shape.iter().map(|side| side + 2).product()
}

pub fn header(shape: &[usize], seed: u64) -> Header {
    let numbers = [("added", 12_345_u64), ("drained", u64::MAX), ("time", 1.5_f64.to_bits())];
    Header {
        key: 0x0123_4567_89ab_cdef_0123_4567_89ab_cd00 | u128::from(seed as u8),
        family: 42,
        model: "org.flowofx.Flow pipes".into(),
        version: 3,
        frame: -17,
        index: 1017,
        shape: shape.to_vec(),
        origin: [-0.5, 1e-300, -0.0, 1.0 / 3.0][..shape.len()].to_vec(),
        cells_per_pixel: 0.1 + 0.2,
        numbers: BTreeMap::from(numbers.map(|(name, bits)| (name.to_owned(), bits))),
        parameters: "speed = 4\nname = \"Überlauf ≥ 1\"\n".into(),
        state: 0,
    }
}

/// A pool with one thread for each call, in reverse order.
pub struct Threads;

impl Pool for Threads {
    fn each(&self, count: usize, work: &(dyn Fn(usize) + Sync)) {
        thread::scope(|scope| {
            for index in (0..count).rev() {
                scope.spawn(move || work(index));
            }
        });
    }

    fn width(&self) -> usize {
        2
    }
}
