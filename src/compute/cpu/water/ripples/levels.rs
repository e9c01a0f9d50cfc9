//! The head operator level by level: blur and restrict on the way down, prolong and blur on the way up. GPU:
//! `ripples/blur.wgsl`, `ripples/restrict.wgsl`, `ripples/sum.wgsl`; reference: `ripples/reference.rs`.
//!
//! Work is cut into bands of rows. A band also computes the rows of its neighbours that it reads. Cells near walls have
//! stencils in the pyramid, which are applied cell by cell.

use std::ops::Range;

use super::ring::Ring;
use super::rows::{self, Three};
use crate::sim::water::ripples::pyramid::{BLUR, FULL, Pyramid, Stencil};
use crate::sim::water::ripples::sources::mean;

/// Range of the values of a plane: determines how a blur adds them without overflow.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Size {
    /// Deviations.
    Small,
    /// Heads of level 0, which differ little from cell to cell.
    Near,
    /// Heads of coarser levels.
    Wide,
}

/// A level of the pyramid.
#[derive(Clone, Copy)]
pub(super) struct Level<'a> {
    pub pyramid: &'a Pyramid,
    pub level: usize,
    pub width: usize,
    pub height: usize,
    wraps: bool,
}

impl<'a> Level<'a> {
    pub fn new(pyramid: &'a Pyramid, level: usize) -> Level<'a> {
        let (width, height) = (pyramid.levels()[level].width, pyramid.levels()[level].height);
        Level { pyramid, level, width, height, wraps: pyramid.wraps() }
    }

    /// The row of the level with number `y`, wrapped where edges join; `None` beyond closed edges.
    pub fn home(&self, y: isize) -> Option<usize> {
        let rows = self.height as isize;
        if self.wraps { Some(y.rem_euclid(rows) as usize) } else { (0..rows).contains(&y).then_some(y as usize) }
    }

    fn homes<const N: usize>(&self, first: isize) -> [Option<usize>; N] {
        std::array::from_fn(|at| self.home(first + at as isize))
    }

    /// The rows of a plane below, at and above row `y`. Beyond a closed edge it is row `y`, which no stencil reads
    /// there.
    pub fn three<'p>(&self, plane: &'p [i32], y: usize) -> Three<'p> {
        self.homes(y as isize - 1).map(|row| &plane[row.unwrap_or(y) * self.width..][..self.width])
    }

    /// Blur of row `y`, from the rows around it.
    #[inline(always)]
    pub fn blur(&self, size: Size, y: usize, three: Three<'_>, out: &mut [i32]) {
        for span in self.pyramid.levels()[self.level].spans(Stencil::Blur, y) {
            match (span.plain, size) {
                (false, _) => self.blur_cells(y, three, out, span.from..span.to),
                (true, Size::Small) => rows::blur(three, out, span.from, span.to),
                (true, Size::Near) => rows::blur_near(three, out, span.from, span.to),
                (true, Size::Wide) => rows::blur_wide(three, out, span.from, span.to),
            }
        }
    }

    /// [`blur`](Self::blur) of cells near walls.
    #[inline(never)]
    fn blur_cells(&self, y: usize, three: Three<'_>, out: &mut [i32], columns: Range<usize>) {
        let homes: [_; 3] = self.homes(y as isize - 1);
        for x in columns {
            out[x] = match self.pyramid.mass(self.level, x, y) {
                0 => 0,
                mass => {
                    let stencil = self.pyramid.blur(self.level, x, y);
                    mean(&stencil, BLUR * mass, |cell| read(&three, &homes, cell / self.width)[cell % self.width])
                }
            };
        }
    }

    /// Restriction to row `y` of this level, from the four rows of the finer level `fine` around it.
    #[inline(always)]
    fn restrict(&self, fine: &Level<'_>, y: usize, four: [&[i32]; 4], column: &mut [i32], out: &mut [i32]) {
        for span in self.pyramid.levels()[self.level].spans(Stencil::Restrict, y) {
            if span.plain {
                rows::restrict(four, column, out, span.from, span.to);
            } else {
                self.restrict_cells(fine, y, four, out, span.from..span.to);
            }
        }
    }

    /// [`restrict`](Self::restrict) to cells near walls.
    #[inline(never)]
    fn restrict_cells(&self, fine: &Level<'_>, y: usize, four: [&[i32]; 4], out: &mut [i32], columns: Range<usize>) {
        let homes: [_; 4] = fine.homes(2 * y as isize - 1);
        for x in columns {
            let stencil = self.pyramid.restrict(self.level, x, y);
            out[x] = match stencil.iter().map(|(_, weight)| weight).sum() {
                0 => 0,
                sum => mean(&stencil, sum, |cell| read(&four, &homes, cell / fine.width)[cell % fine.width]),
            };
        }
    }

    /// Row `y` of the sum of this level and the coarser ones: `blurred` times the level's coefficient and, where there
    /// is a coarser level, the prolongation of its plane.
    #[inline(always)]
    pub fn sum(
        &self,
        y: usize,
        blurred: &[i32],
        coefficient: i32,
        coarse: Option<(&[i32], usize)>,
        scratch: &mut [Vec<i32>; 2],
        out: &mut [i32],
    ) {
        for (out, &value) in out.iter_mut().zip(blurred) {
            *out = rows::product(value, coefficient);
        }
        let Some((plane, width)) = coarse else { return };
        for span in self.pyramid.levels()[self.level].spans(Stencil::Prolong, y) {
            if span.plain {
                let nearer = if y.is_multiple_of(2) { y / 2 - 1 } else { y / 2 + 1 };
                let two = [y / 2, nearer].map(|row| &plane[row * width..][..width]);
                rows::prolong(two, scratch, out, span.from, span.to);
            } else {
                self.prolong_cells(y, plane, out, span.from..span.to);
            }
        }
    }

    /// Adds the prolongation of the coarser `plane` to cells near walls.
    #[inline(never)]
    fn prolong_cells(&self, y: usize, plane: &[i32], out: &mut [i32], columns: Range<usize>) {
        for x in columns {
            let stencil = self.pyramid.prolong(self.level, x, y);
            out[x] = match self.pyramid.mass(self.level, x, y) {
                0 => 0,
                _ => out[x].wrapping_add(mean(&stencil, FULL, |cell| plane[cell])),
            };
        }
    }
}

/// The row with number `y` among `rows`, whose numbers are `homes`.
fn read<'a, const N: usize>(rows: &[&'a [i32]; N], homes: &[Option<usize>; N], y: usize) -> &'a [i32] {
    rows[homes.iter().position(|&home| home == Some(y)).unwrap_or(0)]
}

/// A band of the way down: rows of the blurred plane, and the rows of the coarser level that are restricted from them.
pub(super) struct Down<'a> {
    pub blurred: &'a mut [i32],
    /// Rows of the coarser level.
    pub coarse_rows: Range<usize>,
    pub coarse: &'a mut [i32],
}

impl Level<'_> {
    /// Blurs and restricts a plane to the rows of a band; `coarse` is the coarser level.
    #[inline(always)]
    pub fn down(&self, coarse: &Level<'_>, plane: &[i32], band: &mut Down<'_>) {
        let own = 2 * band.coarse_rows.start..(2 * band.coarse_rows.end).min(self.height);
        let mut blurred = Ring::new(self.width);
        let mut column = vec![0; self.width];
        for y in own.start as isize - 1..=2 * band.coarse_rows.end as isize {
            if let Some(row) = self.home(y) {
                let out = blurred.row_mut(y);
                self.blur(Size::Small, row, self.three(plane, row), out);
                if y >= 0 && own.contains(&(y as usize)) {
                    band.blurred[(row - own.start) * self.width..][..self.width].copy_from_slice(out);
                }
            }
            let done = y / 2 - 1;
            if y % 2 == 0 && done >= band.coarse_rows.start as isize {
                let to = &mut band.coarse[(done as usize - band.coarse_rows.start) * coarse.width..][..coarse.width];
                let four = [-3, -2, -1, 0].map(|by| blurred.row(y + by));
                coarse.restrict(self, done as usize, four, &mut column, to);
            }
        }
    }

    /// Sums up and blurs the rows of a band: the way up.
    #[inline(always)]
    pub fn up(
        &self,
        rows: Range<usize>,
        blurred: &[i32],
        coefficient: i32,
        coarse: Option<(&[i32], usize)>,
        out: &mut [i32],
    ) {
        let mut sums = Ring::new(self.width);
        let mut scratch = [(); 2].map(|()| vec![0; self.width]);
        for y in rows.start as isize - 1..=rows.end as isize {
            if let Some(row) = self.home(y) {
                let blurred = &blurred[row * self.width..][..self.width];
                self.sum(row, blurred, coefficient, coarse, &mut scratch, sums.row_mut(y));
            }
            let done = y - 1;
            if done >= rows.start as isize {
                let at = done as usize;
                let out = &mut out[(at - rows.start) * self.width..][..self.width];
                self.blur(Size::Wide, at, sums.three(done), out);
            }
        }
    }
}
