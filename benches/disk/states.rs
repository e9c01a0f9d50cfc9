//! One state: written, read, and compressed in memory.

use std::hint::black_box;
use std::io::{self, Seek, SeekFrom, Write};
use std::path::Path;
use std::time::{Duration, Instant};

use flow_cache::{Header, Serial};
use flow_ofx::compute::cpu::Cpu;
use flow_ofx::nodes::water::frame_state::FrameState;
use flow_ofx::timeline::CachedValue as _;
use flow_ofx::timeline::archive::Archive as _;
use flow_ofx::timeline::disk::Stored as _;
use serde_json::{Value, json};

use crate::scene::Scene;
use crate::state_folder::{StateFolder, key, queue};
use crate::{disk_speed, median};

/// Number of frames whose mean time is taken.
const FRAMES: u32 = 12;

/// Measures the state of a scene, and returns the row.
pub fn measure(size: (usize, usize), cpu: &Cpu, repeats: u32, folder: &Path) -> io::Result<Value> {
    let mut scene = Scene::new(size, cpu);
    let frame = scene.time(FRAMES, cpu);
    let states = StateFolder::new(folder)?;
    let disk = states.disk(&scene, true, cpu);
    let mut writes = Vec::new();
    for number in 0..repeats {
        let start = Instant::now();
        assert!(queue(&disk, &scene, number), "a new state is accepted");
        states.flush()?;
        writes.push(start.elapsed());
    }
    let files = states.files()?;
    assert_eq!(files.len(), repeats as usize, "each state has a file");
    let one = Cpu::new(1);
    let [read, read_one] = [cpu, &one].map(|cpu| {
        let disk = states.disk(&scene, true, cpu);
        let load = |number: u32| disk.load(i64::from(number), key(number)).expect("reads the written state");
        // A measurement of other contents would be invalid.
        assert!(values(&load(0)) == values(&scene.told), "another state came back");
        repeated(repeats, load)
    });
    let speeds = (0..repeats).map(|_| disk_speed::measure(&files[0])).collect::<io::Result<Vec<_>>>()?;
    let file = std::fs::metadata(&files[0])?.len();
    let (encode, seal, channels) = encoding(&scene.told, repeats);
    let (lz4, pack, unpack) = in_memory(&scene.told, repeats);
    let seconds = |time: Duration| time.as_secs_f64();
    Ok(json!({
        "row": "state",
        "width": size.0, "height": size.1, "threads": cpu.threads(),
        "planes": values(&scene.told).len(), "channels": channels, "wet": scene.told.water.wet_share(),
        "exact": plane_bytes(&scene.told), "layers": channels * size.0 * size.1 * 4,
        "memory": scene.told.bytes(), "file": file,
        "steps": scene.steps(), "frame": seconds(frame),
        "write": seconds(median(writes)), "encode": seconds(encode), "seal": seconds(seal),
        "read": seconds(read), "read_one": seconds(read_one),
        "bare_write": seconds(median(speeds.iter().map(|speed| speed.write).collect())),
        "bare_read": seconds(median(speeds.iter().map(|speed| speed.read).collect())),
        "dd": speeds.iter().all(|speed| speed.dd), "direct": speeds.iter().all(|speed| speed.direct),
        "lz4": lz4, "pack": seconds(pack), "unpack": seconds(unpack),
    }))
}

/// The median time of a piece of work; its result is dropped outside of the measured time.
fn repeated<T>(repeats: u32, mut work: impl FnMut(u32) -> T) -> Duration {
    let run = |number| {
        let start = Instant::now();
        let made = black_box(work(number));
        let took = start.elapsed();
        drop(made);
        took
    };
    median((0..repeats).map(run).collect())
}

/// The exact planes, ring included, row by row.
fn values(told: &FrameState) -> Vec<Vec<i32>> {
    let exact = told.water.exact_planes();
    let rows = 0..told.water.grid().height + 2;
    exact.list().iter().map(|plane| rows.clone().flat_map(|y| plane.row(y)).copied().collect()).collect()
}

fn plane_bytes(told: &FrameState) -> usize {
    values(told).iter().map(|plane| plane.len() * 4).sum()
}

/// Times of encoding and hashing a state on one thread, and the number of float channels.
fn encoding(told: &FrameState, repeats: u32) -> (Duration, Duration, usize) {
    let (mut encodes, mut seals, mut channels) = (Vec::new(), Vec::new(), 0);
    for _ in 0..repeats {
        told.show(&mut |planes, layers| {
            let grid = told.water.grid();
            let mut header = Header { shape: vec![grid.width, grid.height], ..told.header() };
            let start = Instant::now();
            header.seal(planes);
            let sealed = Instant::now();
            flow_cache::encode(&header, planes, layers, &Serial, &mut Sink::default())
                .expect("a sink takes everything");
            encodes.push(sealed.elapsed());
            seals.push(sealed - start);
            channels = layers.iter().map(|layer| layer.names.len()).sum();
        });
    }
    (median(encodes), median(seals), channels)
}

/// A file that stores nothing.
#[derive(Default)]
struct Sink {
    at: u64,
}

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.at += black_box(bytes).len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Seek for Sink {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.at = match to {
            SeekFrom::Start(at) => at,
            SeekFrom::Current(by) => self.at.saturating_add_signed(by),
            SeekFrom::End(_) => return Err(io::Error::from(io::ErrorKind::Unsupported)),
        };
        Ok(self.at)
    }
}

/// Bytes of the exact planes after LZ4, and the times to compress and decompress them on one thread.
fn in_memory(told: &FrameState, repeats: u32) -> (usize, Duration, Duration) {
    let planes = values(told);
    let planes: Vec<&[u8]> = planes.iter().map(|plane| bytemuck::cast_slice(plane)).collect();
    let longest = planes.iter().map(|plane| plane.len()).max().unwrap_or(0);
    let mut packed: Vec<Vec<u8>> =
        planes.iter().map(|plane| vec![0; lz4_flex::block::get_maximum_output_size(plane.len())]).collect();
    let mut sizes = vec![0; planes.len()];
    let pack = repeated(repeats, |_| {
        for ((plane, packed), size) in planes.iter().zip(&mut packed).zip(&mut sizes) {
            *size = lz4_flex::block::compress_into(plane, packed).expect("there is room");
        }
    });
    let mut back = vec![0; longest];
    let unpack = repeated(repeats, |_| {
        for ((plane, packed), &size) in planes.iter().zip(&packed).zip(&sizes) {
            let count =
                lz4_flex::block::decompress_into(&packed[..size], &mut back).expect("it was packed a moment ago");
            assert_eq!(count, plane.len(), "LZ4 loses something");
        }
    });
    (sizes.iter().sum(), pack, unpack)
}
