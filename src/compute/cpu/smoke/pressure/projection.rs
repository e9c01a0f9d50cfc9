//! Divergence, gradient, what is held, and means.

use std::ops::Range;

use super::super::SmokeCpu;
use super::super::operands::VelocityStatistics;
use super::super::operands::{Corrected, Level, LevelOperands, Regions, Sums, Walls};
use super::super::pointwise::survey;
use super::reductions::{sum, total};
use super::velocity_rows::{Ground, split_bands};

use super::super::Plane;

/// Rows whose sums per region are made together.
const ROWS: usize = 64;

/// Regions up to which such sums are made per group of rows: more of them would need more room than the cells.
const FEW: usize = 1024;

impl SmokeCpu<'_> {
    pub(super) fn enforce_face_boundaries(
        &self,
        finest: &Level,
        solids: Option<Walls<'_>>,
        u: &mut Plane,
        v: &mut Plane,
    ) -> f64 {
        type Line<'a> = (usize, (Option<&'a mut [f32]>, &'a mut [f32]));
        let [n, rows] = finest.size;
        let ground = Ground { level: finest, weights: None };
        let walls = solids.map(|walls| [[walls.cells, walls.u], [walls.cells, walls.v]]);
        let lines = u.chunks_mut(n + 1).map(Some).chain([None]).zip(v.chunks_mut(n)).enumerate().collect::<Vec<_>>();
        let mut changed = Vec::with_capacity(rows + 1);
        let mut lines = lines.into_iter();
        let bands: Vec<_> = std::iter::from_fn(|| {
            let band: Vec<_> = lines.by_ref().take(ROWS).collect();
            (!band.is_empty()).then_some(band)
        })
        .collect();
        for band in self.spread(
            bands,
            #[inline(always)]
            |band: Vec<Line<'_>>| {
                let mut changed = Vec::with_capacity(ROWS);
                for (row, (u, v)) in band {
                    let mut of = ground.hold_v(row, walls.map(|w| w[1]), v);
                    if let Some(u) = u {
                        of += ground.hold_u(row, walls.map(|w| w[0]), u);
                    }
                    changed.push([of]);
                }
                changed
            },
        ) {
            changed.extend(band);
        }
        if finest.wraps(1) {
            v.copy_within(..n, rows * n);
        }
        let [changed] = total(changed);
        changed
    }

    pub(super) fn divergence_sums(&self, rung: LevelOperands<'_>, u: &Plane, v: &Plane, b: &mut Plane) -> Sums {
        let ground = Ground { level: rung.level, weights: rung.weights };
        let [sum, squares] = self.make_rows(
            b,
            rung.level.size[0],
            #[inline(always)]
            |row, b, _| divergence(&ground, row, u, v, b),
        );
        Sums { sum, squares }
    }

    pub(super) fn subtract_gradient(
        &self,
        rung: LevelOperands<'_>,
        e: &Plane,
        [u, v]: [&mut Plane; 2],
        p: Option<&mut Plane>,
        b: &mut Plane,
        last: bool,
    ) -> Corrected {
        let [n, rows] = rung.level.size;
        let ground = Ground { level: rung.level, weights: rung.weights };
        let bands = self.cut(rows, n);
        let faces = split_bands(u, n + 1, &bands).into_iter().zip(split_bands(v, n, &bands));
        let p = p.map_or(&mut [][..], |p| &mut p[..]);
        let added = if p.is_empty() { 0 } else { n };
        let cells = split_bands(p, added, &bands).into_iter().zip(split_bands(b, n, &bands));
        let pieces = faces.zip(cells).zip(bands.clone()).collect();
        type Piece<'a> = (((&'a mut [f32], &'a mut [f32]), (&'a mut [f32], &'a mut [f32])), Range<usize>);
        // The rows of v above all bands but the last are another's: the last row of b is made afterwards.
        let sums = self.spread(
            pieces,
            #[inline(always)]
            |(((u, v), (p, b)), band): Piece<'_>| {
                let start = band.start;
                let mut sums = Vec::with_capacity(band.len());
                let mut seen = VelocityStatistics::default();
                // A right-hand side that nobody reads need not reach the memory.
                let below = if last { 0 } else { n };
                ground.push_v(start, ground.beside(start, e), &mut v[..n]);
                for at in 0..band.len() {
                    let row = start + at;
                    let line = &e[row * n..][..n];
                    ground.push_u(row, line, &mut u[at * (n + 1)..][..n + 1]);
                    seen = seen.and(survey(&u[at * (n + 1)..][..n + 1])).and(survey(&v[at * n..][..n]));
                    for (p, e) in p[at * added..][..added].iter_mut().zip(line) {
                        *p += e;
                    }
                    if v.len() >= (at + 2) * n {
                        ground.push_v(row + 1, ground.beside(row + 1, e), &mut v[(at + 1) * n..][..n]);
                        let (u, v) = (&u[at * (n + 1)..][..n + 1], &v[at * n..][..2 * n]);
                        sums.push(ground.divergence(row, u, &v[..n], &v[n..], &mut b[at * below..][..n]));
                    }
                }
                // Of the last band, the uppermost row too.
                (sums, seen.and(survey(&v[band.len() * n..])))
            },
        );
        let (u, v) = (&*u, &*v);
        joined(&bands, sums, |row| divergence(&ground, row, u, v, &mut b[row * n..][..n]))
    }

    /// Takes the mean of each singular region off; gives the sum of the squares then.
    pub(super) fn remove_means(&self, regions: &Regions, b: &mut Plane) -> f64 {
        let Some(labels) = &regions.labels else {
            let [sum] = self.reduce(
                [&*b],
                #[inline(always)]
                |[b]| [b],
            );
            let mean = sum / b.len() as f64;
            let squares = self.spread(
                b.chunks_mut(super::BLOCK).collect(),
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
        let block = if count <= FEW { super::BLOCK * 4 } else { labels.len() };
        let blocks = b.chunks(block).zip(labels.chunks(block)).collect();
        let parts = self.spread(
            blocks,
            #[inline(always)]
            |(b, labels): (&[f32], &[u32])| {
                let mut sums = vec![0.0; count];
                let mut at = 0;
                while at < b.len() {
                    let label = labels[at];
                    let len = alike(&labels[at..]);
                    if label != Regions::SOLID {
                        let [sum] = super::sum(
                            [&b[at..at + len]],
                            #[inline(always)]
                            |[b]| [b],
                        );
                        sums[label as usize] += sum;
                    }
                    at += len;
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
        let pieces = b.chunks_mut(super::BLOCK).zip(labels.chunks(super::BLOCK)).collect();
        let squares = self.spread(
            pieces,
            #[inline(always)]
            |(b, labels): (&mut [f32], &[u32])| {
                let mut at = 0;
                while at < b.len() {
                    let len = alike(&labels[at..]);
                    let run = &mut b[at..at + len];
                    match means.get(labels[at] as usize) {
                        Some(mean) => run.iter_mut().for_each(|b| *b = (f64::from(*b) - mean) as f32),
                        None => run.fill(0.0),
                    }
                    at += len;
                }
                squares(b)
            },
        );
        let [squares] = total(squares);
        squares
    }
}

/// The sum of squares.
#[inline(always)]
pub(super) fn squares(values: &[f32]) -> [f64; 1] {
    sum(
        [values],
        #[inline(always)]
        |[b]| [b * b],
    )
}

/// How many labels are the first one, from it on.
#[inline(always)]
fn alike(labels: &[u32]) -> usize {
    const PIECE: usize = 32;
    let first = labels[0];
    let (pieces, _) = labels.as_chunks::<PIECE>();
    let same = |piece: &&[u32; PIECE]| piece.iter().fold(0, |off, label| off | (label ^ first)) == 0;
    let at = PIECE * pieces.iter().take_while(same).count();
    at + labels[at..].iter().take_while(|label| **label == first).count()
}

/// What bands made of a correction: sums of their rows, and what they saw. The row above all bands but the last is another's: the last
/// row of those is measured here.
pub(super) fn joined(
    bands: &[Range<usize>],
    made: Vec<(Vec<[f64; 2]>, VelocityStatistics)>,
    mut measure: impl FnMut(usize) -> [f64; 2],
) -> Corrected {
    let (mut all, mut seen) = (Vec::new(), VelocityStatistics::default());
    for (band, (sums, of)) in bands.iter().zip(made) {
        seen = seen.and(of);
        let whole = sums.len() == band.len();
        all.extend(sums);
        if !whole {
            all.push(measure(band.end - 1));
        }
    }
    let [sum, squares] = total(all);
    Corrected { sums: Sums { sum, squares }, survey: seen }
}

/// A row of the right-hand side from whole planes.
#[inline(always)]
pub(super) fn divergence(ground: &Ground<'_>, row: usize, u: &[f32], v: &[f32], b: &mut [f32]) -> [f64; 2] {
    let n = b.len();
    ground.divergence(row, &u[row * (n + 1)..][..n + 1], &v[row * n..][..n], &v[(row + 1) * n..][..n], b)
}
