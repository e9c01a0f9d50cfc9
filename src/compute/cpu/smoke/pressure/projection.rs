//! The projection on whole planes: boundary conditions, divergence, gradient, and the means of singular regions. GPU:
//! `enforce_boundaries.wgsl`, `divergence.wgsl`, `subtract_gradient.wgsl`, `region_sums.wgsl`, `remove_means.wgsl`;
//! reference: `tests/reference/mod.rs`.

use std::ops::Range;

use super::super::operands::{Corrected, LevelOperands, PlaneLevel, Regions, Sums, VelocityStatistics, Walls};
use super::super::pointwise::statistics;
use super::super::{Plane, SmokeCpu};
use super::BLOCK;
use super::reductions::{squares, sum, total};
use super::velocity_rows::{VelocityRows, split_bands};

/// Rows of a band in which boundary conditions are set.
const ROWS: usize = 64;

/// Largest number of regions with sums per block. With more regions the whole plane is one block: the sums of all
/// blocks would need more memory than the cells.
const REGIONS_MAX: usize = 1024;

impl SmokeCpu<'_> {
    /// Sets the faces at closed sides to 0 and those at solid cells to the solid's velocity; returns the sum of the
    /// squared changes at solids.
    pub(super) fn enforce_face_boundaries(
        &self,
        finest: &PlaneLevel,
        solids: Option<Walls<'_>>,
        u: &mut Plane,
        v: &mut Plane,
    ) -> f64 {
        let [n, rows] = finest.size;
        let velocity_rows = VelocityRows { level: finest, coefficients: None };
        let solids = solids.map(|solids| [[solids.cells, solids.u], [solids.cells, solids.v]]);
        let bands: Vec<_> = (0..rows).step_by(ROWS).map(|from| from..(from + ROWS).min(rows)).collect();
        let faces = split_bands(u, n + 1, &bands).into_iter().zip(split_bands(v, n, &bands));
        type Piece<'a> = ((&'a mut [f32], &'a mut [f32]), Range<usize>);
        let changed = self.spread(
            faces.zip(bands.iter().cloned()).collect(),
            #[inline(always)]
            |((u, v), band): Piece<'_>| {
                let mut changed = Vec::with_capacity(ROWS + 1);
                let mut u = u.chunks_exact_mut(n + 1);
                for (at, v) in v.chunks_exact_mut(n).enumerate() {
                    let row = band.start + at;
                    let mut sum = velocity_rows.enforce_v(row, solids.map(|of| of[1]), v);
                    // The last band has one more row of v than of u.
                    if let Some(u) = u.next() {
                        sum += velocity_rows.enforce_u(row, solids.map(|of| of[0]), u);
                    }
                    changed.push([sum]);
                }
                changed
            },
        );
        if finest.wraps(1) {
            v.copy_within(..n, rows * n);
        }
        let [changed] = total(changed.into_iter().flatten());
        changed
    }

    /// The right-hand side `b` of a velocity `[u, v]` and a source, and its sums.
    pub(super) fn divergence_sums(
        &self,
        operands: LevelOperands<'_>,
        [u, v]: [&Plane; 2],
        source: Option<&Plane>,
        b: &mut Plane,
    ) -> Sums {
        let rows = VelocityRows { level: operands.level, coefficients: operands.coefficients };
        let n = operands.level.size[0];
        let [sum, squares] = self.make_rows(
            b,
            n,
            #[inline(always)]
            |row, b, _| {
                let sums = divergence(&rows, row, u, v, b);
                match source {
                    Some(source) => rows.add_source(row, &source[row * n..][..n], b),
                    None => sums,
                }
            },
        );
        Sums { sum, squares }
    }

    /// Subtracts the gradient of e from the velocity `[u, v]` and adds e to the pressure p; returns the sums of the new
    /// divergence and the velocity statistics. The divergence is stored in b unless this is the `last` correction.
    pub(super) fn subtract_gradient(
        &self,
        operands: LevelOperands<'_>,
        e: &Plane,
        [u, v]: [&mut Plane; 2],
        p: Option<&mut Plane>,
        b: &mut Plane,
        last: bool,
    ) -> Corrected {
        let [n, rows] = operands.level.size;
        let velocity_rows = VelocityRows { level: operands.level, coefficients: operands.coefficients };
        let bands = self.cut(rows, n);
        let faces = split_bands(u, n + 1, &bands).into_iter().zip(split_bands(v, n, &bands));
        let p = p.map_or(&mut [][..], |p| &mut p[..]);
        let added = if p.is_empty() { 0 } else { n };
        let cells = split_bands(p, added, &bands).into_iter().zip(split_bands(b, n, &bands));
        let pieces = faces.zip(cells).zip(bands.clone()).collect();
        type Piece<'a> = (((&'a mut [f32], &'a mut [f32]), (&'a mut [f32], &'a mut [f32])), Range<usize>);
        // The row of v above a band belongs to the next band: the divergence of a band's last row is measured after all
        // bands.
        let found = self.spread(
            pieces,
            #[inline(always)]
            |(((u, v), (p, b)), band): Piece<'_>| {
                let start = band.start;
                let mut sums = Vec::with_capacity(band.len());
                let mut of_velocity = VelocityStatistics::default();
                // Divergences that are not read again all go to the band's first row.
                let stride = if last { 0 } else { n };
                velocity_rows.subtract_v(start, velocity_rows.beside(start, e), &mut v[..n]);
                for at in 0..band.len() {
                    let row = start + at;
                    let line = &e[row * n..][..n];
                    velocity_rows.subtract_u(row, line, &mut u[at * (n + 1)..][..n + 1]);
                    let of_row = statistics(&u[at * (n + 1)..][..n + 1]);
                    of_velocity = of_velocity.and(of_row).and(statistics(&v[at * n..][..n]));
                    for (p, e) in p[at * added..][..added].iter_mut().zip(line) {
                        *p += e;
                    }
                    if v.len() >= (at + 2) * n {
                        let above = velocity_rows.beside(row + 1, e);
                        velocity_rows.subtract_v(row + 1, above, &mut v[(at + 1) * n..][..n]);
                        let (u, v) = (&u[at * (n + 1)..][..n + 1], &v[at * n..][..2 * n]);
                        sums.push(velocity_rows.divergence(row, u, &v[..n], &v[n..], &mut b[at * stride..][..n]));
                    }
                }
                // The last band has one more row of v.
                (sums, of_velocity.and(statistics(&v[band.len() * n..])))
            },
        );
        let (u, v) = (&*u, &*v);
        joined(&bands, found, |row| divergence(&velocity_rows, row, u, v, &mut b[row * n..][..n]))
    }

    /// Subtracts from b its mean in each singular region, and sets b to 0 in solid cells; returns the sum of b²
    /// afterwards.
    pub(super) fn remove_means(&self, regions: &Regions, b: &mut Plane) -> f64 {
        let Some(labels) = &regions.labels else {
            let [sum] = self.reduce(
                [&*b],
                #[inline(always)]
                |[b]| [b],
            );
            let mean = sum / b.len() as f64;
            let squares = self.spread(
                b.chunks_mut(BLOCK).collect(),
                #[inline(always)]
                |b: &mut [f32]| {
                    b.iter_mut().for_each(|b| *b = (f64::from(*b) - mean) as f32);
                    squares(b)
                },
            );
            let [squares] = total(squares);
            return squares;
        };
        let count = regions.cells.len();
        let block = if count <= REGIONS_MAX { BLOCK * 4 } else { labels.len() };
        let blocks = b.chunks(block).zip(labels.chunks(block)).collect();
        let parts = self.spread(
            blocks,
            #[inline(always)]
            |(b, labels): (&[f32], &[u32])| {
                let mut sums = vec![0.0; count];
                let mut at = 0;
                while let Some((label, run)) = next_run(labels, &mut at) {
                    if label != Regions::SOLID {
                        let [sum] = sum(
                            [&b[run]],
                            #[inline(always)]
                            |[b]| [b],
                        );
                        sums[label as usize] += sum;
                    }
                }
                sums
            },
        );
        let mut means = vec![0.0; count];
        for part in parts {
            means.iter_mut().zip(part).for_each(|(mean, sum)| *mean += sum);
        }
        for ((mean, cells), singular) in means.iter_mut().zip(&regions.cells).zip(&regions.singular) {
            *mean = if *singular { *mean / *cells as f64 } else { 0.0 };
        }
        let pieces = b.chunks_mut(BLOCK).zip(labels.chunks(BLOCK)).collect();
        let squares = self.spread(
            pieces,
            #[inline(always)]
            |(b, labels): (&mut [f32], &[u32])| {
                let mut at = 0;
                while let Some((label, run)) = next_run(labels, &mut at) {
                    match means.get(label as usize) {
                        Some(mean) => b[run].iter_mut().for_each(|b| *b = (f64::from(*b) - mean) as f32),
                        None => b[run].fill(0.0),
                    }
                }
                squares(b)
            },
        );
        let [squares] = total(squares);
        squares
    }
}

/// The run of equal labels that begins at `at`, with its label; sets `at` to its end. `None` at the end of the labels.
#[inline(always)]
fn next_run(labels: &[u32], at: &mut usize) -> Option<(u32, Range<usize>)> {
    const PIECE: usize = 32;
    let (start, rest) = (*at, &labels[*at..]);
    let first = *rest.first()?;
    let (pieces, _) = rest.as_chunks::<PIECE>();
    let same = |piece: &&[u32; PIECE]| piece.iter().fold(0, |off, label| off | (label ^ first)) == 0;
    let whole = PIECE * pieces.iter().take_while(same).count();
    *at = start + whole + rest[whole..].iter().take_while(|label| **label == first).count();
    Some((first, start..*at))
}

/// Joins the sums and statistics of corrected bands. A band that lacks the sums of its last row, whose upper faces
/// belong to the next band, gets them from `measure`, given the row.
pub(super) fn joined(
    bands: &[Range<usize>],
    found: Vec<(Vec<[f64; 2]>, VelocityStatistics)>,
    mut measure: impl FnMut(usize) -> [f64; 2],
) -> Corrected {
    let (mut all, mut statistics) = (Vec::new(), VelocityStatistics::default());
    for (band, (sums, of)) in bands.iter().zip(found) {
        statistics = statistics.and(of);
        let is_whole = sums.len() == band.len();
        all.extend(sums);
        if !is_whole {
            all.push(measure(band.end - 1));
        }
    }
    let [sum, squares] = total(all);
    Corrected { sums: Sums { sum, squares }, statistics }
}

/// A row of the divergence of a velocity given as whole planes, with its sum and sum of squares.
#[inline(always)]
pub(super) fn divergence(rows: &VelocityRows<'_>, row: usize, u: &[f32], v: &[f32], b: &mut [f32]) -> [f64; 2] {
    let n = b.len();
    rows.divergence(row, &u[row * (n + 1)..][..n + 1], &v[row * n..][..n], &v[(row + 1) * n..][..n], b)
}
