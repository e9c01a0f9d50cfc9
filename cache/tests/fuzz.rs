//! Randomly changed files for every reader: each must refuse the file or return the original state, without a panic.
//!
//! A short run is part of the tests. A long run takes a few hours on one core: `FLOW_FUZZ_CASES=20000000 cargo test
//! --release -p flow-cache --test fuzz`. A failure prints the smallest change that causes it.

use std::fs;
use std::path::Path;

use exr::prelude as e;
use exr::prelude::WritableImage as _;
use flow_cache::{Blob, BlobRows, Expected, Header, Layer, Serial, Values, Wanted, encode, peek, read, read_foreign};
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

const CASES: u32 = 4000;

const WATER: Wanted =
    Wanted { alpha: "height", layers: &[("cross", &["R", "G", "B", "A"]), ("diagonal", &["R", "G", "B", "A"])] };

/// One change of a file.
#[derive(Clone, Debug)]
enum Change {
    Bit {
        at: Position,
        bit: u8,
    },
    Byte {
        at: Position,
        value: u8,
    },
    Word {
        at: Position,
        value: u32,
    },
    Cut {
        at: Position,
    },
    Delete {
        at: Position,
        count: usize,
    },
    /// Bytes of a file inserted, or written over existing ones.
    Splice {
        at: Position,
        from: Position,
        count: usize,
        over: bool,
        file: usize,
    },
    Fill {
        at: Position,
        count: usize,
        value: u8,
    },
}

/// A position in a file, as a fraction of its length. Half of all changes affect the header, where they are most
/// effective.
#[derive(Clone, Copy, Debug)]
enum Position {
    Header(u16),
    Anywhere(u16),
}

impl Position {
    fn of(self, bytes: &[u8]) -> usize {
        match self {
            Self::Header(at) => usize::from(at) * bytes.len().min(3500) / 65536,
            Self::Anywhere(at) => usize::from(at) * bytes.len() / 65536,
        }
    }
}

fn position() -> impl Strategy<Value = Position> {
    prop_oneof![any::<u16>().prop_map(Position::Header), any::<u16>().prop_map(Position::Anywhere)]
}

fn change() -> impl Strategy<Value = Change> {
    let words = prop_oneof![
        any::<u32>(),
        prop::sample::select(vec![0, 1, 2, 255, 256, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff, 1 << 30, 1 << 20, 65536]),
    ];
    let count = prop_oneof![1..16_usize, 1..600_usize];
    prop_oneof![
        4 => (position(), 0..8_u8).prop_map(|(at, bit)| Change::Bit { at, bit }),
        2 => (position(), any::<u8>()).prop_map(|(at, value)| Change::Byte { at, value }),
        4 => (position(), words).prop_map(|(at, value)| Change::Word { at, value }),
        1 => position().prop_map(|at| Change::Cut { at }),
        1 => (position(), count.clone()).prop_map(|(at, count)| Change::Delete { at, count }),
        2 => (position(), position(), count.clone(), any::<bool>(), any::<usize>())
            .prop_map(|(at, from, count, over, file)| Change::Splice { at, from, count, over, file }),
        1 => (position(), count, any::<u8>()).prop_map(|(at, count, value)| Change::Fill { at, count, value }),
    ]
}

fn apply(change: &Change, bytes: &mut Vec<u8>, files: &[Vec<u8>]) {
    if bytes.is_empty() {
        return;
    }
    match change {
        Change::Bit { at, bit } => {
            let at = at.of(bytes);
            bytes[at] ^= 1 << bit;
        }
        Change::Byte { at, value } => {
            let at = at.of(bytes);
            bytes[at] = *value;
        }
        Change::Word { at, value } => {
            let at = at.of(bytes);
            for (byte, value) in bytes[at..].iter_mut().zip(value.to_le_bytes()) {
                *byte = value;
            }
        }
        Change::Cut { at } => bytes.truncate(at.of(bytes)),
        Change::Delete { at, count } => {
            let at = at.of(bytes);
            let end = (at + count).min(bytes.len());
            bytes.drain(at..end);
        }
        Change::Splice { at, from, count, over, file } => {
            let source = &files[file % files.len()];
            let from = from.of(source);
            let piece = source[from..(from + count).min(source.len())].to_vec();
            let at = at.of(bytes);
            let end = if *over { (at + piece.len()).min(bytes.len()) } else { at };
            bytes.splice(at..end, piece);
        }
        Change::Fill { at, count, value } => {
            let at = at.of(bytes);
            let end = (at + count).min(bytes.len());
            bytes[at..end].fill(*value);
        }
    }
}

fn state(shape: &[usize], floats: bool) -> (Header, Vec<Blob>, Vec<u8>) {
    let width = shape[0] + 2;
    let rows: usize = shape[1..].iter().map(|side| side + 2).product();
    let values = |seed: usize| (0..width * rows).map(move |at| ((at * seed) as i32).wrapping_mul(7919) >> (at % 23));
    let blobs: Vec<Blob> = ["a", "b", "c"]
        .into_iter()
        .enumerate()
        .map(|(seed, name)| {
            let values = match floats && name != "b" {
                true => Values::Floats(values(seed).map(|value| f32::from_bits(value as u32)).collect()),
                false => Values::Ints(values(seed).collect()),
            };
            Blob { name: name.into(), values }
        })
        .collect();
    let rows: Vec<BlobRows<'_>> = blobs
        .iter()
        .map(|blob| match &blob.values {
            Values::Ints(values) => BlobRows::ints(&blob.name, move |y| &values[y * width..][..width]),
            Values::Floats(values) => {
                BlobRows::floats(&blob.name, move |y, out| out.copy_from_slice(&values[y * width..][..width]))
            }
        })
        .collect();
    let names = |layer: &str| ["R", "G", "B", "A"].map(|channel| format!("{layer}{channel}")).to_vec();
    let layers: Vec<Layer<'_>> = ["", "cross.", "diagonal."]
        .into_iter()
        .map(|layer| Layer { names: names(layer), row: Box::new(|y, out| out.fill([y as f32, 1.0, 0.5, -1e-3])) })
        .collect();
    let mut header = Header {
        key: 77,
        family: 7,
        model: "fuzz".into(),
        version: 1,
        frame: 5,
        index: 4,
        shape: shape.to_vec(),
        origin: vec![0.0; shape.len()],
        cells_per_pixel: 1.0,
        numbers: [("n".to_owned(), 9)].into(),
        parameters: "p = 1".into(),
        state: 0,
    };
    header.seal(&rows);
    let mut out = std::io::Cursor::new(Vec::new());
    encode(&header, &rows, &layers, &Serial, &mut out).unwrap();
    drop(rows);
    (header, blobs, out.into_inner())
}

/// A picture in the form of other programs.
fn picture(compression: e::Compression, tiles: Option<usize>, parts: usize, half: bool) -> Vec<u8> {
    let names = ["A", "B", "G", "R", "cross.A", "cross.B", "cross.G", "cross.R"];
    let (width, height) = (37, 41);
    let blocks = tiles.map_or(e::Blocks::ScanLines, |size| e::Blocks::Tiles(e::Vec2(size, size)));
    let encoding = e::Encoding { compression, blocks, line_order: e::LineOrder::Increasing };
    let layers = (0..parts).map(|part| {
        let channels = names.iter().map(|name| {
            let values = (0..width * height).map(|at| (at % 17) as f32 * 0.1 + (at / 29) as f32);
            let samples = match half {
                true => e::FlatSamples::F16(values.map(e::f16::from_f32).collect()),
                false => e::FlatSamples::F32(values.collect()),
            };
            e::AnyChannel::new(*name, samples)
        });
        let name = format!("part{part}");
        let attributes = e::LayerAttributes::named(name.as_str());
        e::Layer::new(e::Vec2(width, height), attributes, encoding, e::AnyChannels::sort(channels.collect()))
    });
    let window = e::IntegerBounds::from_dimensions((width + 3, height + 2));
    let mut out = std::io::Cursor::new(Vec::new());
    let image = e::Image::from_layers(e::ImageAttributes::new(window), layers.collect::<Vec<_>>());
    image.write().non_parallel().to_buffered(&mut out).unwrap();
    out.into_inner()
}

fn check(path: &Path, states: &[(Header, Vec<Blob>, Vec<u8>)]) {
    let _ = peek(path);
    let _ = read_foreign(path, &WATER);
    let right = |(header, blobs): (Header, Vec<Blob>)| {
        let same = |state: &(Header, Vec<Blob>, Vec<u8>)| {
            state.0 == Header { parameters: state.0.parameters.clone(), ..header.clone() } && state.1 == blobs
        };
        assert!(states.iter().any(same), "a wrong state was read: {header:?}");
    };
    for (Header { key, model, version, shape, .. }, ..) in states.iter().map(|state| (state.0.clone(), ())) {
        if let Ok(state) = read(path, Some(&Expected { key, model, version, shape }), &Serial) {
            right(state);
        }
    }
    if let Ok(state) = read(path, None, &Serial) {
        right(state);
    }
}

#[test]
fn changed_files_are_refused_or_equal() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mangled.exr");
    let states = [state(&[5, 4], false), state(&[33, 20], false), state(&[6, 5], true), state(&[7, 6, 5], true)];
    let mut files: Vec<Vec<u8>> = states.iter().map(|state| state.2.clone()).collect();
    files.push(picture(e::Compression::ZIP16, None, 1, true));
    files.push(picture(e::Compression::RLE, Some(16), 2, false));
    files.push(picture(e::Compression::PIZ, None, 2, false));
    files.push(picture(e::Compression::PXR24, Some(64), 1, false));
    files.push(picture(e::Compression::B44, None, 1, true));
    files.push(picture(e::Compression::DWAA(None), None, 1, true));
    for file in &files {
        fs::write(&path, file).unwrap();
        assert!(read_foreign(&path, &WATER).is_ok(), "the reader refuses what is whole");
    }
    let long = std::env::var("FLOW_FUZZ_CASES").ok().map(|text| text.parse().expect("a number of cases"));
    let config = Config { cases: long.unwrap_or(CASES), failure_persistence: None, ..Config::default() };
    // The short run is deterministic; a long run is random.
    let mut runner = match long {
        None => TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha)),
        Some(_) => TestRunner::new(config),
    };
    // State files get more than half of all cases.
    let file = prop_oneof![0..states.len(), 0..files.len()];
    let strategy = (file, prop::collection::vec(change(), 1..5));
    let result = runner.run(&strategy, |(file, changes)| {
        let mut bytes = files[file].clone();
        for change in &changes {
            apply(change, &mut bytes, &files);
        }
        fs::write(&path, &bytes).unwrap();
        check(&path, &states);
        Ok(())
    });
    if let Err(failure) = result {
        panic!("{failure}");
    }
}
