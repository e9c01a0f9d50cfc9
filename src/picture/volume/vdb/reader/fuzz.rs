//! Changed files: each is refused, or is a grid of finite values within the budget. A short run is part of the tests; a
//! long one takes `FLOW_FUZZ_CASES=20000000 cargo test --release --lib vdb::reader::fuzz`.

use super::testing::{BUDGET, Made};
use super::*;
use crate::sim::volume::sparse::{Contents, LEAF};

/// Random changes of a short run.
const CASES: u32 = 600;

/// In a short run, every byte before this one is flipped, which has the header of the grid, and one of [`STRIDE`] after.
const HEAD: usize = 600;
const STRIDE: usize = 64;

/// The number of random changes of a long run, if it is one.
fn long_run() -> Option<u32> {
    std::env::var("FLOW_FUZZ_CASES").ok().and_then(|cases| cases.parse().ok())
}

/// Files with all cases of inactive values, each with the place of its positions.
fn files() -> Vec<(Vec<u8>, usize)> {
    let kinds = ["Tree_float_5_4_3", "Tree_float_5_4_3_HalfFloat", "Tree_vec3s_5_4_3_HalfFloat"];
    let made = |(at, kind)| {
        (0..7).map(move |case| {
            let (bytes, [start, ..]) = Made::new(kind, if at == 1 { 2 } else { 3 }, case).bytes();
            (bytes, start - 24)
        })
    };
    kinds.into_iter().enumerate().flat_map(made).collect()
}

/// Moves positions after the end of a file to its end, so that its contents are read up to there.
fn end_early(bytes: &mut [u8], positions: usize) {
    let length = bytes.len() as i64;
    for position in bytes.get_mut(positions..positions + 24).into_iter().flat_map(|all| all.as_chunks_mut().0) {
        *position = i64::from_le_bytes(*position).min(length).to_le_bytes();
    }
}

/// Four random words for a change of a case (splitmix64).
fn random(case: u32, change: u32) -> [u32; 4] {
    let mut state = u64::from(case) << 32 | u64::from(change);
    std::array::from_fn(|_| {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut word = state;
        word = (word ^ word >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        word = (word ^ word >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        (word >> 32) as u32
    })
}

/// Reads all grids of a file, and checks them.
fn check(cpu: &Cpu, bytes: &[u8]) -> bool {
    let Ok(file) = VdbFile::open(bytes) else { return false };
    let names: Vec<String> = file.names().map(str::to_owned).collect();
    let mut is_read = !names.is_empty();
    for name in &names {
        let Ok(Some(VdbContents { values, leaves, transform, .. })) = file.read(cpu, name, BUDGET) else {
            is_read = false;
            continue;
        };
        assert_eq!(values.leaves.len(), leaves.len() * LEAF * values.components);
        assert!(values.leaves.iter().chain(&values.constants).all(|value| value.is_finite()));
        assert!(values.bytes() <= 4 * BUDGET);
        assert!(transform.scale.iter().chain(&transform.translate).all(|number| number.is_finite()));
        let mut count = 0;
        values.visit(|_, _, contents| count += usize::from(matches!(contents, Contents::Child(_))));
        assert_eq!(count, leaves.len());
        let _ = values.extent();
        for leaf in &leaves {
            assert!(values.sample(leaf.origin.map(|at| f64::from(at) + 7.5)).is_finite());
        }
    }
    is_read
}

#[test]
fn no_byte_that_is_flipped_and_no_length_is_a_crash() {
    let (bytes, positions) = &files()[7 + 4];
    let cpu = Cpu::new(1);
    assert!(check(&cpu, bytes));
    let (mut flipped, mut refused) = (0, 0);
    for at in (0..bytes.len()).filter(|at| *at < HEAD || at % STRIDE == 0 || long_run().is_some()) {
        let mut changed = bytes.clone();
        changed[at] ^= 1 << (at % 8);
        flipped += 1;
        refused += usize::from(!check(&cpu, &changed));
        let mut short = bytes[..at].to_vec();
        assert!(!check(&cpu, &short), "{at} bytes");
        // Within the contents, at some lengths alone, since each takes a while.
        if at % (4 * STRIDE) == 0 {
            end_early(&mut short, *positions);
            assert!(!check(&cpu, &short), "{at} bytes");
        }
    }
    assert!((flipped / 20..flipped).contains(&refused), "{refused} of {flipped}");
}

#[test]
fn random_changes_are_no_crash() {
    let (cases, cpu) = (long_run().unwrap_or(CASES), Cpu::new(1));
    let files = files();
    assert!(files.iter().all(|(file, _)| check(&cpu, file)));
    let mut read = 0;
    for case in 0..cases {
        let (mut bytes, positions) = files[case as usize % files.len()].clone();
        for change in 0..=case % 3 {
            let [kind, place, value, count] = random(case, change);
            // Every other change is in the header or the end, which have the structure.
            let range = if kind & 8 == 0 { 500.min(bytes.len()) } else { bytes.len() };
            let at = place as usize % range;
            let at = if kind & 16 == 0 { at } else { bytes.len() - 1 - at };
            let most = (bytes.len() - at).min(1 + count as usize % 64);
            match kind % 8 {
                0 | 1 => bytes[at] ^= 1 << (value % 8),
                2 => bytes[at] = value as u8,
                3 | 4 => {
                    let word = [value, 0, 1, u32::MAX, 1 << 31, 1 << 30, 0x7fff_ffff][count as usize % 7].to_le_bytes();
                    bytes[at..at + most.min(4)].copy_from_slice(&word[..most.min(4)]);
                }
                5 => bytes[at..at + most].fill(value as u8),
                6 => drop(bytes.drain(at..at + most)),
                _ => {
                    let from = value as usize % (bytes.len() - most + 1);
                    bytes.copy_within(from..from + most, at);
                }
            }
        }
        if case % 2 == 0 {
            end_early(&mut bytes, positions);
        }
        read += usize::from(check(&cpu, &bytes));
    }
    assert!(read > 0 && read < cases as usize, "{read} of {cases}");
}
