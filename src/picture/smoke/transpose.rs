//! Transpose of a plane.

use crate::compute::cpu::{Cpu, prefetch};
use crate::sim::memory::Values;

/// Number of columns that are transposed at once: a cache line of each row.
const BLOCK: usize = 16;

/// Side of a square of values that is transposed in registers.
const PIECE: usize = 4;

/// Number of blocks of rows by which prefetching is ahead.
const AHEAD: usize = 2;

/// The transpose of a plane of `columns` columns, on the threads of `cpu`.
pub fn transposed(cpu: &Cpu, plane: &[f32], columns: usize) -> Values<f32> {
    let rows = plane.len() / columns.max(1);
    let mut to = Values::uninitialised(rows * columns, cpu.memory());
    cpu.each(to.chunks_mut((BLOCK * rows).max(1)).enumerate().collect(), |(block, to)| {
        let first = block * BLOCK;
        for y in (0..rows).step_by(BLOCK) {
            for ahead in y + AHEAD * BLOCK..y + (AHEAD + 1) * BLOCK {
                if let Some(value) = plane.get(ahead * columns + first) {
                    prefetch(value);
                }
            }
            let size = [to.len() / rows, BLOCK.min(rows - y)];
            transpose(&plane[y * columns + first..], columns, &mut to[y..], rows, size);
        }
    });
    to
}

/// Transposes `columns` and `rows` of a plane with row length `stride` into a plane with row length `transposed`.
#[inline(always)]
fn transpose(from: &[f32], stride: usize, to: &mut [f32], transposed: usize, [columns, rows]: [usize; 2]) {
    let [across, up] = [columns, rows].map(|count| count / PIECE * PIECE);
    for y in (0..up).step_by(PIECE) {
        for x in (0..across).step_by(PIECE) {
            let four = |i: usize| from[(y + i) * stride + x..].first_chunk::<PIECE>();
            let (Some(a), Some(b), Some(c), Some(d)) = (four(0), four(1), four(2), four(3)) else {
                debug_assert!(false, "rows of the plane");
                return;
            };
            for i in 0..PIECE {
                if let Some(to) = to[(x + i) * transposed + y..].first_chunk_mut() {
                    *to = [a[i], b[i], c[i], d[i]];
                }
            }
        }
    }
    for y in 0..rows {
        for x in if y < up { across } else { 0 }..columns {
            to[x * transposed + y] = from[y * stride + x];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_become_rows() {
        for [columns, rows] in [[1, 1], [1, 40], [40, 1], [16, 16], [16, 7], [37, 50], [35, 18], [64, 33]] {
            let plane: Vec<f32> = (0..columns * rows).map(|i| i as f32).collect();
            for threads in [1, 3] {
                let transposed = transposed(&Cpu::new(threads), &plane, columns);
                for (i, value) in transposed.iter().enumerate() {
                    assert_eq!(*value, plane[i % rows * columns + i / rows], "{columns} x {rows}: {i}");
                }
            }
        }
        assert!(transposed(&Cpu::new(1), &[], 0).is_empty());
    }
}
