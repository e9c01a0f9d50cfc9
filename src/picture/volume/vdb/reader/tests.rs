use super::testing::{BUDGET, Made};
use super::*;
use crate::sim::volume::sparse::{Contents, LEAF};

const KINDS: [&str; 4] =
    ["Tree_float_5_4_3", "Tree_float_5_4_3_HalfFloat", "Tree_vec3s_5_4_3", "Tree_vec3s_5_4_3_HalfFloat"];

fn read(bytes: &[u8]) -> Result<VdbContents, VdbError> {
    Ok(VdbFile::open(bytes)?.read(&Cpu::new(1), "density", BUDGET)?.expect("the grid"))
}

#[test]
fn every_case_of_inactive_values_and_every_compression_is_read() {
    for (kind, flags, case) in
        KINDS.into_iter().flat_map(|kind| (0..4).flat_map(move |flags| (0..7).map(move |case| (kind, flags, case))))
    {
        let made = Made::new(kind, flags, case);
        let count = made.components();
        let found = read(&made.bytes().0).unwrap_or_else(|why| panic!("{made:?}: {why}"));
        let is = |value: &[f32], truth: f32| {
            value.len() == count && (0..count).all(|component| value[component] == truth * (component + 1) as f32)
        };
        let grid = &found.values;
        assert!(found.leaves.len() == 1 && found.leaves[0].origin == [128, 8, 0] && found.bad == 0);
        assert_eq!(found.leaves[0].active(), (0..LEAF).filter(|at| Made::is_active(*at)).count() as u64);
        for (at, value) in grid.leaves.chunks_exact(count).enumerate() {
            assert!(is(value, made.value(at)), "{made:?}: {at} is {value:?}");
        }
        for (level, child) in [1 << 10, 1 << 4].into_iter().enumerate() {
            for (at, slot) in grid.nodes[level].iter().enumerate() {
                let Contents::Constant(number, is_active) = slot.contents() else {
                    assert_eq!((at, slot.contents()), (child, Contents::Child(0)));
                    continue;
                };
                assert_eq!(is_active, Made::is_active(at) && at != child);
                let value = &grid.constants[number * count..][..count];
                assert!(is(value, made.value(at)), "{made:?}: slot {at} of level {level} is {value:?}");
            }
        }
        // A region that is constant.
        assert_eq!(grid.sample([-100.0, 5.0, 5000.0]), 3.0);
        assert_eq!(found.transform, Transform { scale: [0.5; 3], translate: [0.0; 3] });
    }
}

#[test]
fn transforms_are_along_the_axes_or_refused() {
    let inner = [3.0; 12];
    let affine = |edit: &dyn Fn(&mut [f64])| {
        let mut matrix = vec![2.0, 0.0, 0.0, 0.0, 0.0, -3.0, 0.0, 0.0, 0.0, 0.0, 4.0, 0.0, 5.0, 6.0, 7.0, 1.0];
        edit(&mut matrix);
        matrix
    };
    let with = |name: &'static str, numbers: Vec<f64>| {
        let made = Made { map: (name, numbers), ..Made::new(KINDS[1], 3, 0) };
        read(&made.bytes().0).map(|grid| grid.transform)
    };
    let is = |scale: [f64; 3], translate: [f64; 3]| Ok(Transform { scale, translate });
    let five = [&[2.0, 3.0, 4.0][..], &inner].concat();
    let six = [&[5.0, 6.0, 7.0, 2.0, 3.0, 4.0][..], &inner].concat();
    assert_eq!(with("AffineMap", affine(&|_| ())), is([2.0, -3.0, 4.0], [5.0, 6.0, 7.0]));
    assert_eq!(with("ScaleMap", five.clone()), is([2.0, 3.0, 4.0], [0.0; 3]));
    assert_eq!(with("UniformScaleMap", five), is([2.0, 3.0, 4.0], [0.0; 3]));
    assert_eq!(with("ScaleTranslateMap", six.clone()), is([2.0, 3.0, 4.0], [5.0, 6.0, 7.0]));
    assert_eq!(with("UniformScaleTranslateMap", six), is([2.0, 3.0, 4.0], [5.0, 6.0, 7.0]));
    assert_eq!(with("TranslationMap", vec![5.0, 6.0, 7.0]), is([1.0; 3], [5.0, 6.0, 7.0]));
    let rotated = Err(VdbError::Rotated("density".to_owned()));
    assert_eq!(with("AffineMap", affine(&|matrix| matrix[1] = 0.1)), rotated);
    assert_eq!(with("AffineMap", affine(&|matrix| matrix[6] = f64::NAN)), rotated);
    assert_eq!(with("AffineMap", affine(&|matrix| matrix[3] = 1.0)), rotated);
    assert_eq!(with("AffineMap", affine(&|matrix| matrix[0] = 0.0)), Err(VdbError::Damaged("a transform")));
    assert_eq!(with("AffineMap", affine(&|matrix| matrix[13] = f64::INFINITY)), Err(VdbError::Damaged("a transform")));
    let frustum = VdbError::Map("density".to_owned(), "NonlinearFrustumMap".to_owned());
    assert_eq!(with("NonlinearFrustumMap", vec![]), Err(frustum));
}

#[test]
fn what_cannot_be_read_is_refused_with_the_reason() {
    let made = Made::new(KINDS[0], 3, 0);
    let (bytes, [start, tree, blocks]) = made.bytes();
    let changed = |at: usize, new: &[u8]| {
        let mut bytes = bytes.clone();
        bytes[at..at + new.len()].copy_from_slice(new);
        read(&bytes).expect_err("an error")
    };
    assert_eq!(read(b"RIFF").expect_err("an error"), VdbError::NotVdb);
    assert_eq!(changed(0, b"!"), VdbError::NotVdb);
    assert_eq!(changed(8, &[221]), VdbError::Version(221));
    assert_eq!(changed(20, &[0]), VdbError::Stream);
    for version in [222, 223, 224] {
        assert!(read(&Made { version, ..made.clone() }.bytes().0).is_ok());
    }
    // Zip data taken for those of Blosc.
    assert!(matches!(changed(start, &[6]), VdbError::Damaged(_) | VdbError::Short | VdbError::Codec));
    assert_eq!(changed(start, &[8]), VdbError::Damaged("flags of the compression"));
    let kind = read(&Made::new("Tree_int32_5_4_3", 3, 0).bytes().0).expect_err("an error");
    assert!(kind.to_string().contains("Tree_int32_5_4_3"), "{kind}");
    // Counts of 10⁹, and the same region twice.
    assert_eq!(changed(57, &1_000_000_000_u32.to_le_bytes()), VdbError::Short);
    assert_eq!(changed(61, &1_000_000_000_u32.to_le_bytes()), VdbError::Short);
    assert_eq!(changed(tree + 8, &1_000_000_000_u32.to_le_bytes()), VdbError::Damaged("the place of a region"));
    let region = tree + 16;
    assert_eq!(changed(region, &[0; 12]), VdbError::Damaged("a region twice"));
    assert_eq!(changed(region, &[1]), VdbError::Damaged("the place of a region"));
    assert_eq!(changed(blocks + 64, &[7]), VdbError::Damaged("a case of inactive values"));
    // Values that inflate to more or fewer than there are, and a length beyond the file.
    assert!(matches!(changed(blocks, &[0xff; 8]), VdbError::Damaged(_)));
    assert_eq!(changed(blocks + 65, &i64::MAX.to_le_bytes()), VdbError::Short);
    assert_eq!(changed(blocks + 65, &i64::MIN.to_le_bytes()), VdbError::Short);
    let file = VdbFile::open(&bytes).expect("a file");
    let large = file.read(&Cpu::new(1), "density", 40_000).expect_err("an error");
    assert!(large.to_string().contains("density has more than"), "{large}");
    assert!(file.read(&Cpu::new(1), "other", BUDGET).expect("no error").is_none());
    for length in 0..bytes.len() {
        assert!(read(&bytes[..length]).is_err(), "{length} bytes");
    }
}

#[test]
fn values_that_are_not_finite_are_0_and_counted() {
    let made = Made { background: f32::NAN, ..Made::new(KINDS[0], 0, 6) };
    let (mut bytes, [_, _, blocks]) = made.bytes();
    bytes[blocks + 65..][..8].copy_from_slice(&[f32::INFINITY.to_le_bytes(), f32::NAN.to_le_bytes()].concat());
    let grid = read(&bytes).expect("a grid");
    assert_eq!((grid.bad, &grid.values.leaves[..3]), (3, &[0.0, 0.0, 0.5][..]));
    assert_eq!(grid.values.constants[0], 0.0);
}

#[test]
fn a_grid_may_have_the_tree_of_another() {
    let with = |parent: &str| {
        let (mut bytes, _) = Made::new(KINDS[0], 3, 0).bytes();
        bytes[61] = 2;
        for part in ["moved", KINDS[0], parent] {
            bytes.extend((part.len() as u32).to_le_bytes());
            bytes.extend(part.as_bytes());
        }
        let start = bytes.len() + 24;
        // Flags, no metadata, and the transform.
        let mut header = [3_u32, 0, 14].map(u32::to_le_bytes).concat();
        header.extend(b"TranslationMap");
        header.extend([1.0_f64; 3].map(f64::to_le_bytes).concat());
        let end = start + header.len();
        [start, 0, end].iter().for_each(|at| bytes.extend((*at as i64).to_le_bytes()));
        bytes.extend(header);
        bytes
    };
    let bytes = with("density");
    let file = VdbFile::open(&bytes).expect("a file");
    assert_eq!(file.names().collect::<Vec<_>>(), ["density", "moved"]);
    let [one, other] =
        ["density", "moved"].map(|name| file.read(&Cpu::new(1), name, BUDGET).expect("no error").expect("the grid"));
    assert_eq!(other.transform, Transform { scale: [1.0; 3], translate: [1.0; 3] });
    assert!(one.leaves == other.leaves && one.values.leaves == other.values.leaves && one.transform != other.transform);
    let alone = with("nothing");
    let why = VdbFile::open(&alone).expect("a file").read(&Cpu::new(1), "moved", BUDGET).expect_err("an error");
    assert_eq!(why, VdbError::Damaged("a grid without its tree"));
}

#[test]
fn the_class_says_whether_values_are_distances() {
    let class = |class| read(&Made { class, ..Made::new(KINDS[0], 3, 0) }.bytes().0).expect("a grid").is_level_set;
    assert!(class("level set") && !class("fog volume") && !class("unknown"));
}
