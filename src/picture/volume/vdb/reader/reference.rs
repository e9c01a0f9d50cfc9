//! Files that the reference library writes.

use std::collections::BTreeMap;
use std::process::Command;

use super::super::tests::python;
use super::testing::{Active, BUDGET, active};
use super::*;

/// Writes grids with leaves, constant nodes of all levels and all cases of inactive values, and the same file with each
/// flag of compression, which the module's interface to C++ sets. Prints each grid: name, whether it is a level set,
/// transform, a line of each active value with its first and last voxel, and a line of each of some other voxels.
const SCRIPT: &str = r#"
import ctypes, random, struct, sys
import pyopenvdb as vdb

def compressed(source, to, flags):
    lib = ctypes.CDLL("libopenvdb.so.%d.%d" % vdb.LIBRARY_VERSION[:2])
    space = "7openvdb5v%d_%d2io4File" % vdb.LIBRARY_VERSION[:2]
    text = "NSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE"
    kept = []
    def buffer(contents):
        kept.append(ctypes.create_string_buffer(contents, max(len(contents), 4096)))
        return ctypes.addressof(kept[-1])
    pointer = ctypes.c_void_p
    def call(symbol, *arguments):
        getattr(lib, symbol.replace("File", space))(*map(pointer, arguments))
    def file(path):
        this = buffer(b"")
        path = path.encode()
        name = buffer(struct.pack("<QQQQ", buffer(path), len(path), len(path), 0))
        call("_ZNFileC1ERK" + text, this, name)
        return this
    read, write = file(source), file(to)
    # The field of the flags is the one that has those of the library: Blosc and active values.
    place = next(at for at in range(write, write + 256, 4) if ctypes.string_at(at, 4) == b"\6\0\0\0")
    ctypes.memmove(place, struct.pack("<I", flags), 4)
    call("_ZNFile4openEbRKSt8functionIFv" + text + "EE", read, 0, buffer(b""))
    grids, meta = buffer(b""), buffer(b"")
    call("_ZNKFile8getGridsEv", grids, read)
    call("_ZNKFile11getMetadataEv", meta, read)
    first = lambda pair: struct.unpack("<Q", ctypes.string_at(pair, 8))[0]
    call("_ZNKFile5writeERKSt6vectorISt10shared_ptrIKNS0_8GridBaseEESaIS7_EERKNS0_7MetaMapE", write, first(grids),
         first(meta))

random.seed(5)
folder = sys.argv[1]
number = lambda: random.randint(-2000, 2000) / 64
place = lambda low, high: tuple(random.randint(low, high) for _ in range(3))
grids = []

def fog(name, background, off):
    grid = vdb.FloatGrid(background)
    grid.name = name
    accessor = grid.getAccessor()
    grid.fill((-24, 0, 16), (-9, 15, 23), 0.75)
    grid.fill((256, 128, -128), (383, 255, -1), 2.5)
    grid.fill((4096, 0, 0), (8191, 4095, 4095), -1.25)
    for at, value in enumerate(off):
        grid.fill((640 + 16 * at, 0, 0), (647 + 16 * at, 7, 7), value, False)
    grid.prune()
    for _ in range(700):
        accessor.setValueOn(place(-20, 40), number())
    for value in off:
        for _ in range(300):
            accessor.setValueOff(place(-20, 40), value)
    grids.append(grid)
    return grid

fog("background", 0.0, [])
fog("minus", 1.5, [-1.5])
fog("one", 0.5, [4.0])
fog("two", 0.5, [4.0, -2.0])
fog("all", 0.5, [4.0, -2.0, 8.0])
half = fog("half", 0.25, [0.5])
half.saveFloatAsHalf = True
half.transform = vdb.createLinearTransform([[0.5, 0, 0, 0], [0, 0.25, 0, 0], [0, 0, 2, 0], [3, -4, 5, 1]])
sphere = vdb.createLevelSetSphere(1.5, center=(0.5, -1, 2), voxelSize=0.125)
sphere.name = "sphere"
grids.append(sphere)
moved = fog("moved", 0.0, [])
moved.gridClass = vdb.GridClass.FOG_VOLUME
moved.transform = vdb.createLinearTransform(0.1)
moved.transform.translate((1, 2, 3))
vectors = vdb.Vec3SGrid((0, 0, 0))
vectors.name = "vectors"
accessor = vectors.getAccessor()
vectors.fill((8, 8, 8), (23, 23, 23), (1, -2, 3))
for _ in range(300):
    accessor.setValueOn(place(-20, 40), (number(), number(), number()))
vectors.saveFloatAsHalf = True
grids.append(vectors)
shared = sphere.copy()
shared.name = "shared"
shared.transform = vdb.createLinearTransform(0.5)
grids.append(shared)
turned = vdb.FloatGrid(0.0)
turned.name = "turned"
turned.transform.rotate(0.3, vdb.Axis.Y)
grids.append(turned)
empty = vdb.FloatGrid(0.0)
empty.name = "empty"
grids.append(empty)
vdb.write(folder + "/4.vdb", grids)
for flags in range(4):
    compressed(folder + "/4.vdb", folder + "/%d.vdb" % flags, flags)

bits = lambda value: struct.unpack("<I", struct.pack("<f", value))[0]
for grid in vdb.readAll(folder + "/3.vdb")[0]:
    print("grid", grid.name, grid.gridClass == vdb.GridClass.LEVEL_SET, *grid.transform.voxelSize(),
          *grid.transform.indexToWorld((0, 0, 0)))
    for item in grid.citerOnValues():
        print("on", *item.min, *item.max, *map(bits, item.value if isinstance(item.value, tuple) else (item.value,)))
    accessor = grid.getConstAccessor()
    for at in [place(-30, 50) for _ in range(3000)] + [place(-300, 5000) for _ in range(1000)]:
        value = accessor.getValue(at)
        print("at", *at, *map(bits, value if isinstance(value, tuple) else (value,)))
"#;

/// A grid as the library prints it.
#[derive(Default)]
struct Printed {
    is_level_set: bool,
    transform: Vec<f64>,
    active: Active,
    others: BTreeMap<[i32; 3], f32>,
}

fn printed(text: &str) -> BTreeMap<String, Printed> {
    let mut grids: BTreeMap<String, Printed> = BTreeMap::new();
    let mut name = String::new();
    for line in text.lines() {
        let words: Vec<&str> = line.split(' ').collect();
        let place = |at: usize| [0, 1, 2].map(|axis| words[at + axis].parse::<i32>().expect("an index"));
        let values =
            |at: usize| words[at..].iter().map(|word| f32::from_bits(word.parse().expect("bits"))).collect::<Vec<_>>();
        let grid = grids.entry(name.clone()).or_default();
        match words[0] {
            "grid" => {
                name = words[1].to_owned();
                let transform = words[3..].iter().map(|word| word.parse().expect("a number")).collect();
                grids.insert(
                    name.clone(),
                    Printed { is_level_set: words[2] == "True", transform, ..Printed::default() },
                );
            }
            "on" => {
                let [low, high] = [place(1), place(4)];
                if low == high {
                    grid.active.0.insert(low, values(7));
                } else {
                    grid.active.1.insert((low, (high[0] - low[0] + 1) as u32), values(7));
                }
            }
            _ => drop(grid.others.insert(place(1), values(4)[0])),
        }
    }
    grids.remove("");
    grids
}

#[test]
fn files_of_the_reference_library_are_read() {
    let Some(python) = python() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let output = Command::new(&python).args(["-c", SCRIPT]).arg(folder.path()).output().expect("starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let grids = printed(&String::from_utf8_lossy(&output.stdout));
    assert_eq!(grids.len(), 12);
    let tiles: Vec<u32> = grids["one"].active.1.keys().map(|(_, side)| *side).collect();
    assert!([8, 128, 4096].iter().all(|side| tiles.contains(side)), "{tiles:?}");
    let cpu = Cpu::new(2);
    // The last one is as the library writes it by default: by Blosc, and active values alone.
    for flags in 0..5 {
        let bytes = std::fs::read(folder.path().join(format!("{flags}.vdb"))).expect("a file");
        let file = VdbFile::open(&bytes).expect("a file");
        assert_eq!(file.names().count(), grids.len());
        for (name, truth) in &grids {
            if name == "turned" {
                let why = file.read(&cpu, name, BUDGET).expect_err("an error");
                assert_eq!(why, VdbError::Rotated(name.clone()));
                continue;
            }
            let found = file.read(&cpu, name, BUDGET).expect(name).expect("the grid");
            assert_eq!(active(&found), truth.active, "{name} with {flags}");
            assert_eq!((found.bad, found.is_level_set), (0, truth.is_level_set));
            let Transform { scale, translate } = found.transform;
            let differ = scale.iter().chain(&translate).zip(&truth.transform).any(|(a, b)| (a - b).abs() > 1e-12);
            assert!(!differ, "{name}: {:?} and {:?}", found.transform, truth.transform);
            if found.values.components == 1 {
                for (at, value) in &truth.others {
                    assert_eq!(found.values.sample(at.map(f64::from)), f64::from(*value), "{name} at {at:?}");
                }
            }
        }
    }
}
