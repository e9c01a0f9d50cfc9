//! Sums in `f64` in a fixed order: running sums along each row or block, their total, then the totals of the rows or
//! blocks in order. The bits depend on the data only.

/// Number of running sums: enough to hide the latency of an addition.
const LANES: usize = 16;

/// Number of values of a block.
pub(super) const BLOCK: usize = 8192;

/// Applies `of` to the values at each index of `N` planes of equal length; returns the sum of each of its `M` results.
#[inline(always)]
pub(super) fn sum<const N: usize, const M: usize>(planes: [&[f32]; N], of: impl Fn([f64; N]) -> [f64; M]) -> [f64; M] {
    let len = planes[0].len();
    // Running sums stay in registers only where the compiler knows the index of each lane.
    let mut lanes = [[0.0; LANES]; M];
    let whole = len - len % LANES;
    for at in (0..whole).step_by(LANES) {
        let mut values = [[0.0; LANES]; N];
        for p in 0..N {
            values[p].copy_from_slice(&planes[p][at..at + LANES]);
        }
        lanes = add(values, LANES, &of, lanes);
    }
    let mut rest = [[0.0; LANES]; N];
    for p in 0..N {
        rest[p][..len - whole].copy_from_slice(&planes[p][whole..len]);
    }
    lanes = add(rest, len - whole, &of, lanes);
    let mut sums = [0.0; M];
    for m in 0..M {
        sums[m] = folded(lanes[m]);
    }
    sums
}

/// The total of running sums by pairwise addition: adds lane `i + N/2` to lane `i`, then halves N.
#[inline(always)]
fn folded<const N: usize>(mut lanes: [f64; N]) -> f64 {
    let mut half = N / 2;
    while half > 0 {
        for lane in 0..half {
            lanes[lane] += lanes[lane + half];
        }
        half /= 2;
    }
    lanes[0]
}

/// Applies `of` to the first `count` lanes of `values`, and adds its results to the running sums of their lane.
#[inline(always)]
fn add<const N: usize, const M: usize>(
    values: [[f32; LANES]; N],
    count: usize,
    of: impl Fn([f64; N]) -> [f64; M],
    mut lanes: [[f64; LANES]; M],
) -> [[f64; LANES]; M] {
    for lane in 0..LANES {
        let mut one = [0.0; N];
        for p in 0..N {
            one[p] = f64::from(values[p][lane]);
        }
        let terms = of(one);
        for m in 0..M {
            lanes[m][lane] = if lane < count { lanes[m][lane] + terms[m] } else { lanes[m][lane] };
        }
    }
    lanes
}

/// The sum of the values of a row and the sum of their squares, with the bits of [`sum`]. Each has its loop: in a
/// common loop compilers put the two sums into a vector of two lanes.
#[inline(always)]
pub(super) fn sum_and_squares(row: &[f32]) -> [f64; 2] {
    let (whole, rest) = row.as_chunks::<LANES>();
    let mut last = [0.0; LANES];
    last[..rest.len()].copy_from_slice(rest);
    let mut sums = [0.0; LANES];
    for values in whole {
        add_values(values, &mut sums);
    }
    add_values(&last, &mut sums);
    let mut squared = [0.0; LANES];
    for values in whole {
        add_squares(values, &mut squared);
    }
    add_squares(&last, &mut squared);
    [folded(sums), folded(squared)]
}

/// The sum of the squares of values.
#[inline(always)]
pub(super) fn squares(values: &[f32]) -> [f64; 1] {
    sum(
        [values],
        #[inline(always)]
        |[b]| [b * b],
    )
}

/// The sum of the squares of a row with its even and odd columns apart, with the bits of [`squares`] of the row.
#[inline(always)]
pub(super) fn squares_of_pair([even, odd]: [&[f32]; 2]) -> f64 {
    const HALF: usize = LANES / 2;
    let mut lanes = [[0.0; HALF]; 2];
    let whole = even.len().min(odd.len()) / HALF * HALF;
    let (evens, odds) = (even[..whole].as_chunks::<HALF>().0, odd[..whole].as_chunks::<HALF>().0);
    for at in 0..whole / HALF {
        add_squares(&evens[at], &mut lanes[0]);
        add_squares(&odds[at], &mut lanes[1]);
    }
    for (half, lanes) in [even, odd].into_iter().zip(&mut lanes) {
        // 0 changes no sum of squares.
        let mut last = [0.0; HALF];
        last[..half.len() - whole].copy_from_slice(&half[whole..]);
        add_squares(&last, lanes);
    }
    folded(lanes[0]) + folded(lanes[1])
}

#[inline(always)]
fn add_values<const N: usize>(values: &[f32; N], lanes: &mut [f64; N]) {
    for lane in 0..N {
        lanes[lane] += f64::from(values[lane]);
    }
}

#[inline(always)]
fn add_squares<const N: usize>(values: &[f32; N], lanes: &mut [f64; N]) {
    for lane in 0..N {
        lanes[lane] += f64::from(values[lane]) * f64::from(values[lane]);
    }
}

/// The sums of the sums of rows or blocks, added in their order.
pub(super) fn total<const N: usize>(parts: impl IntoIterator<Item = [f64; N]>) -> [f64; N] {
    let mut sum = [0.0; N];
    for part in parts {
        for (sum, part) in sum.iter_mut().zip(part) {
            *sum += part;
        }
    }
    sum
}
