//! Memory bandwidth: the upper bound of a step in place.

use std::hint::black_box;
use std::time::Instant;

/// Length of the buffer: 512 MB, more than any cache.
const VALUES: usize = 128 << 20;
/// Number of passes over the buffer; the best counts.
const PASSES: usize = 4;

/// Bytes per second that `threads` threads read and write in place, in a buffer of their own.
///
/// The buffer is allocated afresh: the positions of its pages affect the result more than anything else.
pub fn in_place(threads: usize) -> f64 {
    let mut buffer = vec![0i32; VALUES];
    let part = VALUES.div_ceil(threads);
    let mut pass = || {
        let start = Instant::now();
        std::thread::scope(|scope| {
            for values in buffer.chunks_mut(part) {
                scope.spawn(|| black_box(values).iter_mut().for_each(|value| *value = value.wrapping_add(1)));
            }
        });
        start.elapsed().as_secs_f64()
    };
    // The first pass maps the pages, on the thread that will use them.
    pass();
    let best = (0..PASSES).map(|_| pass()).fold(f64::INFINITY, f64::min);
    (VALUES * 2 * size_of::<i32>()) as f64 / best
}
