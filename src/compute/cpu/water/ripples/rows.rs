//! The operations of the ripples on one row, away from walls: plain loops over slices. GPU: `shaders/water/ripples`;
//! reference: `ripples/reference.rs`.
//!
//! Sums of heads may exceed 32 bits. Their means are therefore computed in two parts (quotient and remainder of the
//! values by 16), or relative to the cell's own value, with the same result.

use crate::sim::water::fixed_point::{Coefficient, WHOLE, part};

/// A product with a coefficient in parts of 4096.
#[inline(always)]
pub(super) fn product(a: i32, coefficient: i32) -> i32 {
    let low = ((a as u32 & 4095).wrapping_mul(coefficient as u32).wrapping_add(2048) >> 12) as i32;
    (a >> 12).wrapping_mul(coefficient).wrapping_add(low)
}

/// A product with a coefficient in parts of 8192.
#[inline(always)]
pub(super) fn half_product(a: i32, coefficient: i32) -> i32 {
    let low = ((a as u32 & 8191).wrapping_mul(coefficient as u32).wrapping_add(4096) >> 13) as i32;
    (a >> 13).wrapping_mul(coefficient).wrapping_add(low)
}

/// A product of a flow with a coefficient, halves away from zero.
#[inline(always)]
pub(super) fn scaled(a: i32, by: Coefficient) -> i32 {
    let Coefficient { mantissa, shift } = by;
    let n = a.unsigned_abs();
    let (half, round) = if shift == 0 { (1 << 15, 0) } else { (0, 1 << (shift - 1)) };
    let high = (n >> 16).wrapping_mul(mantissa);
    let size = high.wrapping_add(((n & 0xffff).wrapping_mul(mantissa).wrapping_add(half)) >> 16);
    let size = (size.wrapping_add(round) >> shift) as i32;
    if a < 0 { -size } else { size }
}

/// A flow times a factor in parts of 65536, rounded towards zero.
#[inline(always)]
pub(super) fn shared(q: i32, share: i32) -> i32 {
    let size = part(q.unsigned_abs(), share as u32) as i32;
    if q < 0 { -size } else { size }
}

/// Three rows of equal length: the row below a row, the row, the row above it.
pub(super) type Three<'a> = [&'a [i32]; 3];

/// The columns `from − 1 .. to + 1` of three rows. Slices of equal length need one bounds check per loop.
#[inline(always)]
fn cut(rows: Three<'_>, from: usize, to: usize) -> Three<'_> {
    let [below, here, above] = rows;
    [&below[from - 1..to + 1], &here[from - 1..to + 1], &above[from - 1..to + 1]]
}

/// Sum of three rows with weights 1, 2, 1.
#[inline(always)]
fn column([below, here, above]: Three<'_>, x: usize) -> i32 {
    below[x].wrapping_add(here[x].wrapping_mul(2)).wrapping_add(above[x])
}

/// [`column()`] of the quotients of the values by 16.
#[inline(always)]
fn high([below, here, above]: Three<'_>, x: usize) -> i32 {
    (below[x] >> 4) + 2 * (here[x] >> 4) + (above[x] >> 4)
}

/// [`column()`] of the remainders of the values by 16.
#[inline(always)]
fn low([below, here, above]: Three<'_>, x: usize) -> i32 {
    (below[x] & 15) + 2 * (here[x] & 15) + (above[x] & 15)
}

/// Blur of deviations for the columns `from` .. `to`. The rows have the same columns as `out`.
#[inline(always)]
pub(super) fn blur(rows: Three<'_>, out: &mut [i32], from: usize, to: usize) {
    let rows = cut(rows, from, to);
    let out = &mut out[from..to];
    for (x, out) in out.iter_mut().enumerate() {
        let three = [column(rows, x), column(rows, x + 1), column(rows, x + 2)];
        *out = (three[0] + 2 * three[1] + three[2] + 8) >> 4;
    }
}

/// Blur of heads that differ little from cell to cell.
#[inline(always)]
pub(super) fn blur_near(rows: Three<'_>, out: &mut [i32], from: usize, to: usize) {
    let rows = cut(rows, from, to);
    let out = &mut out[from..to];
    for (x, out) in out.iter_mut().enumerate() {
        let own = rows[1][x + 1];
        let three = [column(rows, x), column(rows, x + 1), column(rows, x + 2)];
        let sum = three[0].wrapping_add(three[1].wrapping_mul(2)).wrapping_add(three[2]);
        *out = own.wrapping_add(sum.wrapping_sub(own.wrapping_mul(16)).wrapping_add(8) >> 4);
    }
}

/// Blur of any heads.
#[inline(always)]
pub(super) fn blur_wide(rows: Three<'_>, out: &mut [i32], from: usize, to: usize) {
    let rows = cut(rows, from, to);
    let out = &mut out[from..to];
    for (x, out) in out.iter_mut().enumerate() {
        let high = [high(rows, x), high(rows, x + 1), high(rows, x + 2)];
        let low = [low(rows, x), low(rows, x + 1), low(rows, x + 2)];
        *out = high[0] + 2 * high[1] + high[2] + ((low[0] + 2 * low[1] + low[2] + 8) >> 4);
    }
}

/// Restriction of four rows for the coarse columns `from` .. `to`; `column` is scratch of the rows' length.
#[inline(always)]
pub(super) fn restrict(rows: [&[i32]; 4], column: &mut [i32], out: &mut [i32], from: usize, to: usize) {
    let count = 2 * (to - from) + 2;
    let [a, b, c, d] = rows.map(|row| &row[2 * from - 1..][..count]);
    let column = &mut column[..count];
    for (x, sum) in column.iter_mut().enumerate() {
        *sum = a[x] + 3 * (b[x] + c[x]) + d[x];
    }
    let out = &mut out[from..to];
    for (out, four) in out.iter_mut().zip(column.windows(4).step_by(2)) {
        *out = (four[0] + 3 * (four[1] + four[2]) + four[3] + 32) >> 6;
    }
}

/// Adds the prolongation of two coarse rows to the columns `from` .. `to` of a fine row. `rows`: the coarse row that
/// contains the fine row, and the nearer of its neighbours; `scratch`: two rows of the coarse width.
#[inline(always)]
pub(super) fn prolong(rows: [&[i32]; 2], scratch: &mut [Vec<i32>; 2], out: &mut [i32], from: usize, to: usize) {
    // Coarse columns under the fine columns `from .. to`, and one more on each side where it exists.
    let (first, last) = ((from / 2).saturating_sub(1), ((to - 1) / 2 + 2).min(rows[0].len()));
    let [own, neighbour] = rows.map(|row| &row[first..last]);
    let [high, low] = scratch;
    let (high, low) = (&mut high[..own.len()], &mut low[..own.len()]);
    for (((high, low), &own), &neighbour) in high.iter_mut().zip(low.iter_mut()).zip(own).zip(neighbour) {
        *high = 3 * (own >> 4) + (neighbour >> 4);
        *low = 3 * (own & 15) + (neighbour & 15);
    }
    let cell =
        |own: usize, neighbour: usize| 3 * high[own] + high[neighbour] + ((3 * low[own] + low[neighbour] + 8) >> 4);
    let mut add = |x: usize| {
        let block = x / 2 - first;
        let value = cell(block, if x.is_multiple_of(2) { block - 1 } else { block + 1 });
        out[x] = out[x].wrapping_add(value);
    };
    let (even, end) = (from.next_multiple_of(2), to & !1);
    if from < even {
        add(from);
    }
    if end < to && end >= from {
        add(end);
    }
    if even < end {
        let block = even / 2 - first;
        let count = (end - even) / 2;
        let [high, low] = [&high[block - 1..][..count + 2], &low[block - 1..][..count + 2]];
        for (at, pair) in out[even..end].chunks_exact_mut(2).enumerate() {
            let (own_high, own_low) = (3 * high[at + 1], 3 * low[at + 1] + 8);
            pair[0] = pair[0].wrapping_add(own_high + high[at] + ((own_low + low[at]) >> 4));
            pair[1] = pair[1].wrapping_add(own_high + high[at + 2] + ((own_low + low[at + 2]) >> 4));
        }
    }
}

/// Coefficients of the stencil of the finest level: identity, 5-point Laplacian, diagonal Laplacian.
pub(super) type Local = [i32; 3];

/// Adds the stencil of the finest level, applied to rows of deviations.
#[inline(always)]
pub(super) fn local(rows: Three<'_>, coefficients: Local, out: &mut [i32], from: usize, to: usize) {
    let rows = cut(rows, from, to);
    let out = &mut out[from..to];
    let [cell, faces, diagonals] = coefficients;
    let [below, here, above] = rows;
    for (x, out) in out.iter_mut().enumerate() {
        let own = here[x + 1];
        let across_faces = here[x] + here[x + 2] + below[x + 1] + above[x + 1];
        let corners = below[x] + below[x + 2] + above[x] + above[x + 2];
        let sum = product(own, cell)
            .wrapping_add(product(4 * own - across_faces, faces))
            .wrapping_add(product(4 * own - corners, diagonals));
        *out = out.wrapping_add(sum);
    }
}

/// Multiplies the values of the columns `from` .. `to` by factors in parts of 65536, rounded towards zero.
#[inline(always)]
pub(super) fn share_all(values: &mut [i32], shares: impl Fn(usize) -> i32, from: usize, to: usize) {
    for (x, value) in values.iter_mut().enumerate().take(to).skip(from) {
        let share = shares(x);
        if share < WHOLE as i32 {
            *value = shared(*value, share);
        }
    }
}
