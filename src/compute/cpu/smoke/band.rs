//! Passes, cut into bands of rows: by data, never by the number of threads.

use super::super::bands::bands;
use super::super::wide::Wide;
use super::super::{Cpu, Isa};

/// Rows of one or two planes of a lattice.
pub(super) struct Band<'a> {
    /// Number of the first.
    pub first: usize,
    /// How many.
    pub rows: usize,
    pub one: &'a mut [f32],
    /// Empty where there is no second plane.
    pub two: &'a mut [f32],
}

/// A pass that writes rows on their own. `pass` and all that it calls in its loops are to be inlined.
pub(super) trait Pass: Sync {
    type Output: Send;

    fn pass(&self, band: Band<'_>) -> Self::Output;
}

struct Work<'a, 'b, P>(&'a P, Band<'b>);

impl<P: Pass> Wide for Work<'_, '_, P> {
    type Output = P::Output;

    #[inline(always)]
    fn run(self) -> P::Output {
        self.0.pass(self.1)
    }
}

impl Cpu {
    /// Runs a pass over `rows` rows of planes; gives what each band made, in order.
    pub(super) fn pass<P: Pass>(&self, rows: usize, one: &mut [f32], two: &mut [f32], pass: &P) -> Vec<P::Output> {
        let isa: Isa = self.isa;
        let [mut one, mut two] = [one, two];
        let widths = [one.len(), two.len()].map(|len| len / rows.max(1));
        let pieces: Vec<Band<'_>> = bands(rows, widths[0])
            .into_iter()
            .map(|range| {
                let (a, b) = std::mem::take(&mut one).split_at_mut(range.len() * widths[0]);
                let (c, d) = std::mem::take(&mut two).split_at_mut(range.len() * widths[1]);
                (one, two) = (b, d);
                Band { first: range.start, rows: range.len(), one: a, two: c }
            })
            .collect();
        self.each(pieces, |band| isa.run(Work(pass, band)))
    }
}
