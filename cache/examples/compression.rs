//! Comparison of the lossless compressions for states: `cargo run --release -p flow-cache --example compression`.
//!
//! Prints a Markdown table of size and speed for each part of a file, on one thread. With a file name as argument it
//! also writes the first state to that file. The states are synthetic but resemble real ones: two states of water with
//! noisy lowest bits, the first with calm and dry areas and a patch of colour, the second in motion everywhere; and two
//! states of smoke as floats with moving air everywhere, the first with dye in a part of the frame, the second with dye
//! everywhere.

use std::fs::{self, File};
use std::io::{BufWriter, Cursor};
use std::time::Instant;

use exr::math::Vec2;
use exr::meta::attribute::{ChannelDescription, IntegerBounds, SampleType, Text};
use exr::meta::header::Header as ExrHeader;
use exr::meta::{BlockDescription, attribute::LineOrder};
use exr::prelude::Compression;
use flow_cache::{BlobRows, Expected, Header, Layer, Serial, encode, peek, read};

const GRID: [usize; 2] = [1920, 1080];
const UNITS: f64 = (1 << 25) as f64;
const BLOBS: [&str; 8] = ["blue", "east", "green", "north", "northeast", "northwest", "red", "water"];
const METHODS: [(&str, Compression); 5] = [
    ("none", Compression::Uncompressed),
    ("RLE", Compression::RLE),
    ("ZIP, 1 line", Compression::ZIP1),
    ("ZIP, 16 lines", Compression::ZIP16),
    ("PIZ", Compression::PIZ),
];

fn main() {
    println!("| state | part | compression | size, MB | of raw | write, MB/s | read, MB/s |");
    println!("|---|---|---|---|---|---|---|");
    let mut totals = Vec::new();
    for scene in [Scene::Shore, Scene::Storm] {
        let blobs = blobs(scene);
        let layers = layers(&blobs);
        let ringed = [GRID[0] + 2, GRID[1] + 2];
        let state: Vec<Vec<[u8; 4]>> =
            blobs.iter().map(|blob| blob.iter().map(|value| value.to_ne_bytes()).collect()).collect();
        for (name, method) in METHODS {
            measure(&format!("{scene:?} | integers, 8 blobs"), name, method, SampleType::U32, ringed, &state);
        }
        let floats: Vec<Vec<[u8; 4]>> =
            layers.iter().map(|channel| channel.1.iter().map(|value| value.to_ne_bytes()).collect()).collect();
        for (name, method) in METHODS {
            measure(&format!("{scene:?} | floats, 17 channels"), name, method, SampleType::F32, GRID, &floats);
        }
        totals.push(whole(scene, &blobs, &layers));
    }
    for (name, share) in [("Plume", 0.35), ("Ink", 2.0)] {
        let air: Vec<Vec<[u8; 4]>> =
            smoke(share).iter().map(|blob| blob.iter().map(|value| value.to_ne_bytes()).collect()).collect();
        let ringed = GRID.map(|size| size + 2);
        for (method_name, method) in METHODS {
            measure(&format!("{name} | exact floats, 8 blobs"), method_name, method, SampleType::F32, ringed, &air);
        }
    }
    println!("\n{}", totals.join("\n"));
}

/// A synthetic state of water.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Scene {
    /// Waves, calm water, dry land.
    Shore,
    /// Waves and colour everywhere.
    Storm,
}

/// CPU time of this thread in seconds if the system provides it, else wall-clock time.
fn now() -> f64 {
    static START: std::sync::OnceLock<Instant> = std::sync::OnceLock::new();
    let start = START.get_or_init(Instant::now);
    let used = fs::read_to_string("/proc/thread-self/schedstat").ok();
    let used = used.and_then(|text| text.split(' ').next()?.parse::<f64>().ok());
    used.map_or_else(|| start.elapsed().as_secs_f64(), |nanoseconds| nanoseconds * 1e-9)
}

fn measure(part: &str, name: &str, method: Compression, kind: SampleType, size: [usize; 2], channels: &[Vec<[u8; 4]>]) {
    let [columns, rows] = size;
    let list = (0..channels.len()).map(|n| ChannelDescription::named(Text::from(format!("{n:02}").as_str()), kind));
    let header = ExrHeader::new(Text::from("part"), (columns, rows), list.collect()).with_encoding(
        method,
        BlockDescription::ScanLines,
        LineOrder::Increasing,
    );
    let lines = method.scan_lines_per_block();
    let (mut writing, mut reading, mut bytes) = (0.0, 0.0, 0);
    for top in (0..rows).step_by(lines) {
        let lines = lines.min(rows - top);
        let bounds = IntegerBounds { position: Vec2(0, top as i32), size: Vec2(columns, lines) };
        let row = |y: usize| channels.iter().flat_map(move |channel| &channel[y * columns..][..columns]);
        let raw: Vec<u8> = (top..top + lines).flat_map(|y| row(rows - 1 - y)).flatten().copied().collect();
        let start = now();
        let packed = method.compress_image_section_to_le(&header, raw.clone(), bounds).expect("it compresses");
        let middle = now();
        bytes += packed.len();
        let again = method.decompress_image_section_from_le(&header, packed, bounds, true).expect("it decompresses");
        let end = now();
        assert!(again == raw, "{name} loses something");
        writing += middle - start;
        reading += end - middle;
    }
    let raw = (columns * rows * channels.len() * 4) as f64;
    println!(
        "| {part} | {name} | {:.1} | {:.0} % | {:.0} | {:.0} |",
        bytes as f64 / 1e6,
        bytes as f64 / raw * 100.0,
        raw / 1e6 / writing,
        raw / 1e6 / reading
    );
}

/// Measures a complete state file.
fn whole(scene: Scene, blobs: &[Vec<i32>], layers: &[(&'static str, Vec<f32>)]) -> String {
    let width = GRID[0] + 2;
    let rows: Vec<BlobRows<'_>> = blobs
        .iter()
        .zip(BLOBS)
        .map(|(blob, name)| BlobRows::ints(name, move |y| &blob[y * width..][..width]))
        .collect();
    let groups: Vec<&[(&str, Vec<f32>)]> =
        vec![&layers[..4], &layers[4..8], &layers[8..12], &layers[12..15], &layers[15..]];
    let painters: Vec<Layer<'_>> = groups
        .into_iter()
        .map(|group| Layer {
            names: group.iter().map(|channel| channel.0.to_owned()).collect(),
            row: Box::new(move |y, out| {
                for (component, channel) in group.iter().enumerate() {
                    for (pixel, value) in out.iter_mut().zip(&channel.1[y * GRID[0]..]) {
                        pixel[component] = *value;
                    }
                }
            }),
        })
        .collect();
    let mut header = Header {
        key: 1,
        family: 1,
        model: "made up".into(),
        version: 1,
        frame: 1001,
        index: 0,
        shape: GRID.to_vec(),
        origin: vec![0.0, 0.0],
        cells_per_pixel: 1.0,
        numbers: Default::default(),
        parameters: "none".into(),
        state: 0,
    };
    let start = now();
    header.seal(&rows);
    let sealed = now();
    let mut out = Cursor::new(Vec::new());
    encode(&header, &rows, &painters, &Serial, &mut out).expect("it encodes");
    let encoded = now();
    let bytes = out.into_inner();
    let folder = tempfile::tempdir().expect("a folder");
    let wanted = std::env::args().nth(1).filter(|_| scene == Scene::Shore);
    let path = wanted.map_or_else(|| folder.path().join("state.exr"), Into::into);
    std::io::copy(&mut bytes.as_slice(), &mut BufWriter::new(File::create(&path).expect("a file"))).expect("it writes");
    let start_reading = now();
    assert_eq!(peek(&path).expect("a header"), header);
    let peeked = now();
    let expected = Expected { key: 1, model: header.model.clone(), version: 1, shape: GRID.to_vec() };
    let (_, back) = read(&path, Some(&expected), &Serial).expect("a state");
    let read = now();
    assert!(
        back.into_iter().zip(blobs).all(|(back, blob)| back.into_ints().as_ref().map(|(_, values)| values) == Ok(blob))
    );
    format!(
        "{scene:?}, the whole file: {:.1} MB; seal {:.2} s, encode {:.2} s, peek {:.1} ms, read {:.2} s.",
        bytes.len() as f64 / 1e6,
        sealed - start,
        encoded - sealed,
        (peeked - start_reading) * 1e3,
        read - peeked
    )
}

/// Height of the water and of the ground below it, in units of height.
fn water(scene: Scene, x: f64, y: f64) -> (f64, f64) {
    if scene == Scene::Storm {
        let wave = |a: f64, b: f64, size: f64| size * (x * a + y * b).sin();
        let waves = wave(0.13, 0.05, 0.1) + wave(-0.07, 0.11, 0.15) + wave(0.31, -0.2, 0.03) + wave(0.02, 0.01, 0.3);
        return (1.2 + waves, 0.1 * (x * 0.01).sin() * (y * 0.013).cos());
    }
    let ground = 0.9 * (x * 0.0031).sin() * (y * 0.0043).cos() + 0.12 * (x * 0.021 + 1.0).sin() * (y * 0.017).sin();
    // Concentric waves of two drops: wavelengths decrease outwards, and the water is calm beyond the radius.
    let ring = |cx: f64, cy: f64, reach: f64| {
        let r = ((x - cx).powi(2) + (y - cy).powi(2)).sqrt();
        if r > reach { 0.0 } else { 0.08 * (r * (0.06 + 0.14 * r / reach)).cos() * (1.0 - r / reach) }
    };
    let level = 0.35 + ring(700.0, 400.0, 620.0) + ring(1400.0, 800.0, 350.0);
    ((level - ground).max(0.0), ground)
}

fn blobs(scene: Scene) -> Vec<Vec<i32>> {
    let [width, height] = GRID.map(|size| size + 2);
    let units = |value: f64| (value * UNITS + 0.5).floor() as i32;
    let mut blobs = vec![Vec::new(); 8];
    for y in 0..height {
        for x in 0..width {
            let (x, y) = (x as f64 - 1.0, y as f64 - 1.0);
            let (h, z) = water(scene, x, y);
            let flow = |dx: f64, dy: f64, weight: f64| {
                let (there, ground) = water(scene, x + dx, y + dy);
                if h == 0.0 && there == 0.0 { 0 } else { units((h + z - there.max(0.0) - ground) * weight) }
            };
            let patch = if scene == Scene::Storm { 0.7 + 0.2 * (x * 0.02).sin() } else { 0.0 };
            let patch = (1.0 - ((x - 900.0) / 500.0).powi(2) - ((y - 500.0) / 300.0).powi(2)).max(patch) * h / 16.0;
            let values = [
                units(patch * 0.1),
                flow(1.0, 0.0, 0.4),
                units(patch * 0.4),
                flow(0.0, 1.0, 0.4),
                flow(1.0, 1.0, 0.1),
                flow(-1.0, 1.0, 0.1),
                units(patch * 0.8),
                units(h),
            ];
            for (blob, value) in blobs.iter_mut().zip(values) {
                blob.push(value);
            }
        }
    }
    blobs
}

/// Velocity, pressure, temperature and dye in eight blobs. The radius of the dye is `share` of the frame's height.
fn smoke(share: f64) -> Vec<Vec<f32>> {
    let [width, height] = GRID.map(|size| size + 2);
    // A sum of eddies: each octave has half the size of the previous one and 0.6 of its strength.
    let eddies = |x: f64, y: f64| {
        (0..7).fold([0.0; 3], |[u, v, p], octave| {
            let (k, turn) = (0.006 * f64::from(1 << octave), f64::from(octave) * 2.4);
            let (a, b) = (k * (x * turn.cos() + y * turn.sin()) + turn, k * (y * turn.cos() - x * turn.sin()));
            let strength = 6.0 * 0.6_f64.powi(octave);
            [u + strength * a.sin() * b.cos(), v - strength * a.cos() * b.sin(), p + strength * (a.cos() + b.cos())]
        })
    };
    let mut blobs = vec![Vec::new(); 8];
    for y in 0..height {
        for x in 0..width {
            let (x, y) = (x as f64 - 1.0, y as f64 - 1.0);
            let [u, v, pressure] = eddies(x, y);
            // Two steps of backtracing give the border of the dye a curled shape.
            let [u1, v1, _] = eddies(x - 9.0 * u, y - 9.0 * v);
            let (from_x, from_y) = (x - 9.0 * u - 6.0 * u1, y - 9.0 * v - 6.0 * v1);
            let [rows, columns] = [GRID[1] as f64, GRID[0] as f64];
            let far = ((from_x - columns / 2.0).powi(2) + (from_y - rows / 2.0).powi(2)).sqrt() / rows;
            let dye = (1.0 - far / share).max(0.0).sqrt();
            let tint = 0.5 + 0.5 * (from_x * 0.004).sin();
            let values = [u, v, pressure, dye * dye * 900.0, dye * tint, dye * 0.6, dye * (1.0 - tint), dye];
            for (blob, value) in blobs.iter_mut().zip(values) {
                blob.push(value as f32);
            }
        }
    }
    blobs
}

fn layers(blobs: &[Vec<i32>]) -> Vec<(&'static str, Vec<f32>)> {
    let width = GRID[0] + 2;
    let cells = || (1..=GRID[1]).flat_map(move |y| (1..=GRID[0]).map(move |x| y * width + x));
    let of = |value: &dyn Fn(usize) -> f64| cells().map(|at| value(at) as f32).collect::<Vec<f32>>();
    let value = |blob: usize, at: usize| f64::from(blobs[blob][at]) / UNITS;
    let colour = |blob: usize, at: usize| if blobs[7][at] == 0 { 0.0 } else { value(blob, at) * 16.0 / value(7, at) };
    let out = |blob: usize, at: usize, sign: f64| (value(blob, at) * sign).max(0.0);
    vec![
        ("R", of(&|at| colour(6, at))),
        ("G", of(&|at| colour(2, at))),
        ("B", of(&|at| colour(0, at))),
        ("A", of(&|at| value(7, at))),
        ("cross.R", of(&|at| out(1, at - 1, -1.0))),
        ("cross.G", of(&|at| out(3, at, 1.0))),
        ("cross.B", of(&|at| out(1, at, 1.0))),
        ("cross.A", of(&|at| out(3, at - width, -1.0))),
        ("diagonal.R", of(&|at| out(5, at, 1.0))),
        ("diagonal.G", of(&|at| out(4, at, 1.0))),
        ("diagonal.B", of(&|at| out(5, at + 1 - width, -1.0))),
        ("diagonal.A", of(&|at| out(4, at - 1 - width, -1.0))),
        ("surface.surface", of(&|at| value(7, at) + 0.35)),
        ("surface.terrain", of(&|at| 0.35 - value(7, at))),
        ("surface.wet", of(&|at| f64::from(u8::from(blobs[7][at] > 0)))),
        ("velocity.x", of(&|at| (value(1, at) + value(1, at - 1)) * 0.5 / value(7, at).max(0.01))),
        ("velocity.y", of(&|at| (value(3, at) + value(3, at - width)) * 0.5 / value(7, at).max(0.01))),
    ]
}
