#[path = "../../../../tests/common/openvdb.rs"]
mod openvdb;

use std::collections::BTreeMap;
use std::io::Cursor;
use std::process::Command;

use half::f16;

use super::reader::testing::{Grid, read};
use super::*;
use crate::sim::volume::fields::{Bounds, Lattice};
pub use openvdb::python;

/// Values of a grid by the index of the voxel.
type Voxels = BTreeMap<[i32; 3], Vec<f32>>;

const ALL: [VdbGrid; 7] = [
    VdbGrid::Density,
    VdbGrid::Temperature,
    VdbGrid::Flame,
    VdbGrid::Fuel,
    VdbGrid::Soot,
    VdbGrid::Colour,
    VdbGrid::Velocity,
];

/// Units of time per frame of the tests.
const RATE: f64 = 24.0;

/// Random fields in a part of a box that crosses the borders of nodes, with traces below the active ones.
struct Volume {
    bounds: Bounds,
    scalars: Vec<[f16; 4]>,
    gases: Vec<[f16; 4]>,
    tints: Vec<[f16; 4]>,
    velocity: [Vec<f32>; 3],
}

impl Volume {
    fn new() -> Self {
        let bounds = Bounds { low: [-16, 120, 0], cells: [40, 24, 32] };
        let random = |place: usize, which: u64| {
            let mut seed = place as u64 * 64 + which + 1;
            for _ in 0..3 {
                seed ^= seed << 13;
                seed ^= seed >> 7;
                seed ^= seed << 17;
            }
            (seed >> 40) as f32 / (1 << 24) as f32
        };
        let places: Vec<[usize; 3]> = {
            let [nx, ny, nz] = bounds.cells;
            (0..nz).flat_map(|z| (0..ny).flat_map(move |y| (0..nx).map(move |x| [x, y, z]))).collect()
        };
        let packs = |which: u64| -> Vec<[f16; 4]> {
            let pack = |(at, place): (usize, &[usize; 3])| {
                let from = [7, 8, 5, 10];
                [0, 1, 2, 3].map(|component: usize| {
                    let inside = (place[0] + place[1] + component) % 40 > 20 && place[2] >= from[component];
                    let value = random(at, which + component as u64);
                    f16::from_f32(if inside && value > 0.2 { value } else { value * 9e-5 })
                })
            };
            places.iter().enumerate().map(pack).collect()
        };
        let velocity = [0, 1, 2].map(|axis| {
            let mut cells = bounds.cells;
            cells[axis] += 1;
            (0..cells.iter().product()).map(|at| random(at, 20 + axis as u64) * 6.0 - 3.0).collect()
        });
        Self { bounds, scalars: packs(0), gases: packs(10), tints: packs(40), velocity }
    }

    fn view(&self) -> VolumeView<'_> {
        VolumeView {
            lattice: Lattice { origin: [100.0, -7.5, 3.25], spacing: 2.5 },
            bounds: self.bounds,
            detail: 1,
            scalars: &self.scalars,
            gases: Some(&self.gases),
            tints: Some(&self.tints),
            velocity: Some([0, 1, 2].map(|axis| &self.velocity[axis][..])),
        }
    }

    /// The values of a grid, by index, as they are before they are stored.
    fn truth(&self, grid: VdbGrid) -> Voxels {
        let [nx, ny, nz] = self.bounds.cells;
        let mut values = BTreeMap::new();
        let active = |at: usize| {
            let scalars = self.scalars[at].iter().chain(&self.gases[at][..1]);
            scalars.map(|value| value.to_f32()).any(|value| value > 1e-4)
        };
        let cell = |[x, y, z]: [usize; 3]| x + nx * (y + ny * z);
        let mut whole = std::collections::BTreeSet::new();
        for z in 0..nz {
            for y in 0..ny {
                for x in 0..nx {
                    let at = cell([x, y, z]);
                    let index = [0, 1, 2].map(|axis| self.bounds.low[axis] + [x, y, z][axis] as i32);
                    let value = match grid {
                        VdbGrid::Density | VdbGrid::Colour => self.scalars[at][0],
                        VdbGrid::Temperature => self.scalars[at][1],
                        VdbGrid::Fuel => self.scalars[at][2],
                        VdbGrid::Soot => self.scalars[at][3],
                        VdbGrid::Flame => self.gases[at][0],
                        VdbGrid::Velocity => {
                            if active(at) {
                                for near in 0..27 {
                                    let offset = [near % 3, near / 3 % 3, near / 9].map(|offset: i32| offset - 1);
                                    whole.insert([0, 1, 2].map(|axis| (index[axis] + offset[axis]).div_euclid(8)));
                                }
                            }
                            continue;
                        }
                    };
                    if value.to_f32() > 1e-4 {
                        let colour = |tint: &f16| 1.0 - (tint.to_f32() / value.to_f32()).min(1.0);
                        let is_colour = grid == VdbGrid::Colour;
                        let of_voxel = || self.tints[at][..3].iter().map(colour).collect();
                        values.insert(index, if is_colour { of_voxel() } else { vec![value.to_f32()] });
                    }
                }
            }
        }
        for tile in whole {
            let inside = (0..3).all(|axis| {
                let low = self.bounds.low[axis];
                (low..low + self.bounds.cells[axis] as i32).contains(&(tile[axis] * 8))
            });
            for at in (0..512).filter(|_| inside) {
                let index = [0, 1, 2].map(|axis| tile[axis] * 8 + [at / 64, at / 8 % 8, at % 8][axis]);
                let [x, y, z] = [0, 1, 2].map(|axis| (index[axis] - self.bounds.low[axis]) as usize);
                let [u, v, w] = &self.velocity;
                let sums = [
                    u[x + (nx + 1) * (y + ny * z)] + u[x + 1 + (nx + 1) * (y + ny * z)],
                    v[x + nx * (y + (ny + 1) * z)] + v[x + nx * (y + 1 + (ny + 1) * z)],
                    w[x + nx * (y + ny * z)] + w[x + nx * (y + ny * (z + 1))],
                ];
                values.insert(index, sums.map(|sum| sum * (0.5 * 2.5 * RATE) as f32).to_vec());
            }
        }
        values
    }
}

fn written(threads: usize, view: &VolumeView<'_>, half: bool, grids: &[VdbGrid]) -> Vec<u8> {
    let mut file = Cursor::new(Vec::new());
    let options = VdbOptions { grids: grids.to_vec(), half, rate: RATE };
    write_vdb(&Cpu::new(threads), view, &options, &mut file).expect("memory takes all");
    file.into_inner()
}

/// Whether stored values are those before, or the nearest halves.
fn same(stored: &Voxels, truth: &Voxels, half: bool) -> bool {
    let nearest = |value: f32| if half { f16::from_f32(value).to_f32() } else { value };
    stored.len() == truth.len()
        && stored.iter().zip(truth).all(|((at, stored), (place, truth))| {
            at == place && *stored == truth.iter().map(|value| nearest(*value)).collect::<Vec<_>>()
        })
}

#[test]
fn a_file_has_the_active_values_of_the_fields() {
    let volume = Volume::new();
    for half in [false, true] {
        let grids = read(&written(2, &volume.view(), half, &ALL)).expect("a file");
        assert_eq!(grids.len(), ALL.len());
        for grid in ALL {
            let truth = volume.truth(grid);
            let Grid { kind, metadata, transform, values, tiles } = &grids[grid.name()];
            assert!(same(values, &truth, half), "{grid:?}: {} and {}", values.len(), truth.len());
            assert_eq!(kind.ends_with("_HalfFloat"), half);
            assert_eq!(metadata["file_voxel_count"], (truth.len() as i64).to_le_bytes());
            let ends = |end: fn(i32, i32) -> i32| -> Vec<u8> {
                let ends = truth.keys().copied().reduce(|a, b| [0, 1, 2].map(|axis| end(a[axis], b[axis])));
                ends.expect("values").iter().flat_map(|at| at.to_le_bytes()).collect()
            };
            assert_eq!([&metadata["file_bbox_min"], &metadata["file_bbox_max"]], [&ends(i32::min), &ends(i32::max)]);
            assert_eq!(transform.translate, [101.25, -6.25, 4.5], "the centre of cell 0");
            assert!(transform.scale == [2.5; 3] && tiles.is_empty());
        }
        let some = read(&written(2, &volume.view(), half, &[VdbGrid::Soot])).expect("a file");
        assert!(some.len() == 1 && some["soot"] == grids["soot"]);
        let white = VolumeView { tints: None, ..volume.view() };
        let grids = read(&written(2, &white, half, &ALL)).expect("a file");
        assert!(grids.len() == ALL.len() - 1 && !grids.contains_key("Cd"), "white smoke has no grid of colours");
    }
}

#[test]
fn bytes_do_not_depend_on_threads() {
    let volume = Volume::new();
    for half in [false, true] {
        let truth = written(1, &volume.view(), half, &ALL);
        assert!([2, 3, 7].into_iter().all(|threads| written(threads, &volume.view(), half, &ALL) == truth));
        assert!(written(1, &volume.view(), !half, &ALL)[21..57] != truth[21..57], "other grids have another UUID");
    }
}

#[test]
fn air_without_smoke_is_a_file_of_empty_grids() {
    let volume = Volume::new();
    let nothing = vec![[f16::ZERO; 4]; volume.scalars.len()];
    for half in [false, true] {
        let view = VolumeView { scalars: &nothing, gases: None, ..volume.view() };
        let grids = read(&written(2, &view, half, &ALL)).expect("a file");
        assert!(grids.len() == ALL.len() && grids.values().all(|grid| grid.values.is_empty()));
    }
}

/// Reads a file with the reference library and prints its grids: name, type, class, number of active voxels, transform
/// of index 0, and a line of each active value as the bits of floats.
const SCRIPT: &str = r#"
import sys, struct
import pyopenvdb as vdb
bits = lambda value: struct.unpack("<I", struct.pack("<f", value))[0]
grids, _ = vdb.readAll(sys.argv[1])
for grid in grids:
    print("grid", grid.name, type(grid).__name__, grid.gridClass.replace(" ", "-"), grid.activeVoxelCount(),
          *grid.transform.indexToWorld((0, 0, 0)), *grid.transform.voxelSize(), grid.saveFloatAsHalf)
    for item in grid.citerOnValues():
        assert item.min == item.max and item.count == 1
        values = item.value if isinstance(item.value, tuple) else (item.value,)
        print(*item.min, *map(bits, values))
"#;

#[test]
fn the_reference_library_reads_the_same_grids() {
    let Some(python) = python() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let volume = Volume::new();
    let nothing = vec![[f16::ZERO; 4]; volume.scalars.len()];
    let empty = VolumeView { scalars: &nothing, gases: None, ..volume.view() };
    for (number, (view, half)) in
        [(volume.view(), false), (volume.view(), true), (empty, false), (empty, true)].into_iter().enumerate()
    {
        let path = folder.path().join(format!("{number}.vdb"));
        std::fs::write(&path, written(3, &view, half, &ALL)).expect("written");
        let output = Command::new(&python).args(["-c", SCRIPT]).arg(&path).output().expect("starts");
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let mut grids: Vec<(Vec<&str>, Voxels)> = Vec::new();
        for line in text.lines() {
            let words: Vec<&str> = line.split(' ').collect();
            if words[0] == "grid" {
                grids.push((words, BTreeMap::new()));
                continue;
            }
            let at = [0, 1, 2].map(|axis| words[axis].parse().expect("an index"));
            let values = words[3..].iter().map(|word| f32::from_bits(word.parse().expect("bits"))).collect();
            assert_eq!(grids.last_mut().expect("a grid").1.insert(at, values), None, "a value twice");
        }
        assert_eq!(grids.len(), ALL.len());
        for grid in ALL {
            let (words, values) = grids.iter().find(|(words, _)| words[1] == grid.name()).expect("the grid");
            let truth = if view.gases.is_some() { volume.truth(grid) } else { BTreeMap::new() };
            let is_vector = matches!(grid, VdbGrid::Colour | VdbGrid::Velocity);
            let class = if grid == VdbGrid::Density { "fog-volume" } else { "unknown" };
            let kind = if is_vector { "Vec3SGrid" } else { "FloatGrid" };
            assert_eq!(words[1..5], [grid.name(), kind, class, &truth.len().to_string()]);
            let numbers: Vec<f64> = words[5..11].iter().map(|word| word.parse().expect("a number")).collect();
            assert_eq!(numbers, [101.25, -6.25, 4.5, 2.5, 2.5, 2.5]);
            assert_eq!(words[11], if half { "True" } else { "False" });
            assert!(same(values, &truth, half), "{grid:?}: {} and {}", values.len(), truth.len());
        }
    }
}
