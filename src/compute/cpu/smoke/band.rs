//! Kernels on bands of rows. The size of the data determines the bands; the number of threads does not.

use super::super::bands::bands;
pub(super) use super::super::kernel::{Kernel, run_kernel};
use super::super::lanes::floats::Floats;
use super::super::{Cpu, Isa};

/// Rows of one or two planes.
pub(super) struct Band<'a> {
    /// First row.
    pub first: usize,
    /// Number of rows.
    pub rows: usize,
    pub one: &'a mut [f32],
    /// Empty where there is no second plane.
    pub two: &'a mut [f32],
}

/// A kernel on bands of rows. Mark `pass`, and all functions called in its loops, `#[inline(always)]`.
pub(super) trait Pass: Sync {
    type Output: Send;

    fn pass<F: Floats>(&self, band: Band<'_>) -> Self::Output;
}

impl<'a, P: Pass> Kernel<Band<'a>> for P {
    type Output = P::Output;

    #[inline(always)]
    fn run<F: Floats>(&self, band: Band<'a>) -> P::Output {
        self.pass::<F>(band)
    }
}

impl Cpu {
    /// Runs a pass over `rows` rows of planes; returns the outputs of the bands in order.
    pub(super) fn pass<P: Pass>(&self, rows: usize, one: &mut [f32], two: &mut [f32], pass: &P) -> Vec<P::Output> {
        let width = one.len() / rows.max(1);
        self.pass_over(rows, width, [one, two], pass)
    }

    /// [`pass`](Self::pass) for a kernel that reads and writes at most `values` numbers of a row, which determine the
    /// size of the bands.
    pub(super) fn pass_over<P: Pass>(
        &self,
        rows: usize,
        values: usize,
        [mut one, mut two]: [&mut [f32]; 2],
        pass: &P,
    ) -> Vec<P::Output> {
        let isa: Isa = self.isa;
        let widths = [one.len(), two.len()].map(|len| len / rows.max(1));
        let pieces: Vec<Band<'_>> = bands(rows, values)
            .into_iter()
            .map(|range| {
                let (a, b) = std::mem::take(&mut one).split_at_mut(range.len() * widths[0]);
                let (c, d) = std::mem::take(&mut two).split_at_mut(range.len() * widths[1]);
                (one, two) = (b, d);
                Band { first: range.start, rows: range.len(), one: a, two: c }
            })
            .collect();
        self.each(pieces, |band| run_kernel(isa, pass, band))
    }
}
