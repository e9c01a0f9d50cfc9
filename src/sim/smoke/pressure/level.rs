//! A rectangle of cells, of the finest grid or a coarser one.

use crate::sim::smoke::settings::Side;

/// A grid over the rectangle. Its cells need not be squares, nor twice as wide as those of the finer one: an axis of n cells
/// is halved to `⌈n / 2⌉` equal ones, so that a cycle does as well on odd sizes.
#[derive(Clone, Debug, PartialEq)]
pub struct Level {
    /// Cells per axis.
    pub size: [usize; 2],
    /// Width of a cell per axis, in cells of the finest grid.
    pub spacing: [f64; 2],
    /// What the sides do: left, right, bottom, top.
    pub edges: [Side; 4],
    /// What couples a cell to its neighbours along each axis: 1 / spacing².
    pub couple: [f32; 2],
    /// The same across each side: 0 where closed; where open, 0 stands half a cell of the finest grid beyond the side.
    pub beyond: [f32; 4],
    /// What a cell beyond each side holds when one looks between cells, as a multiple of the last one inside (where the axis
    /// does not wrap).
    pub ghost: [f32; 4],
}

impl Level {
    /// A grid of `size` cells over `span` cells of the finest grid per axis.
    pub fn new(size: [usize; 2], span: [usize; 2], edges: [Side; 4]) -> Level {
        let spacing = [0, 1].map(|axis| span[axis] as f64 / size[axis] as f64);
        let couple = spacing.map(|h| (1.0 / (h * h)) as f32);
        let side = |s: usize| {
            let h = spacing[s / 2];
            let distance = h / 2.0 + 0.5;
            match edges[s] {
                Side::Closed => (0.0, 1.0),
                Side::Open => ((1.0 / (h * distance)) as f32, (1.0 - h / distance) as f32),
                Side::Wrap if size[s / 2] == 1 => (0.0, 1.0),
                Side::Wrap => (couple[s / 2], 1.0),
            }
        };
        let sides = [0, 1, 2, 3].map(side);
        Level { size, spacing, edges, couple, beyond: sides.map(|s| s.0), ghost: sides.map(|s| s.1) }
    }

    /// Number of cells.
    pub fn cells(&self) -> usize {
        self.size[0] * self.size[1]
    }

    /// Whether an axis wraps.
    pub fn wraps(&self, axis: usize) -> bool {
        self.edges[2 * axis] == Side::Wrap
    }

    /// Whether no side is open.
    pub fn is_shut(&self) -> bool {
        !self.edges.contains(&Side::Open)
    }

    /// What a coarser cell of an axis covers of the `fine` cells, of which it has `coarse`: the first one, and the shares of it
    /// and of the next two in the mean. `[½, ½, 0]` where `fine` is even, `[1, 0, 0]` where the axis is not coarsened.
    pub fn covers(fine: usize, coarse: usize, index: usize) -> (usize, [f32; 3]) {
        if fine == 2 * coarse {
            return (2 * index, [0.5, 0.5, 0.0]);
        }
        let from = index * fine / coarse;
        // In parts of which a fine cell has `coarse` and a coarse one `fine`.
        let (low, high) = (index * fine, (index + 1) * fine);
        let share = |cell: usize| {
            let over = ((cell + 1) * coarse).min(high).saturating_sub((cell * coarse).max(low));
            over as f32 / fine as f32
        };
        (from, [share(from), share(from + 1), share(from + 2)])
    }

    /// Between which coarser cells of an axis a fine one stands: the one below its middle, from −1 (a [ghost](Level::ghost),
    /// or wrapped) to `coarse − 1`, and the share of the way to the next.
    pub fn between(fine: usize, coarse: usize, index: usize) -> (isize, f32) {
        if fine == coarse {
            return (index as isize, 0.0);
        }
        // (index + ½)·coarse / fine − ½, in parts of 1 / (2·fine).
        let at = (2 * index + 1) * coarse;
        if at < fine {
            return (-1, (at + fine) as f32 / (2 * fine) as f32);
        }
        let at = at - fine;
        ((at / (2 * fine)) as isize, (at % (2 * fine)) as f32 / (2 * fine) as f32)
    }

    /// In which coarser cell of an axis a fine one begins, and the share of the fine one that lies in the next: the transpose of
    /// [`covers`](Level::covers), times `fine / coarse`.
    pub fn within(fine: usize, coarse: usize, index: usize) -> (isize, f32) {
        // In parts of which a fine cell has `coarse` and a coarser one `fine`.
        let start = index * coarse;
        let low = start / fine;
        let over = (start + coarse).saturating_sub((low + 1) * fine);
        (low as isize, over as f32 / coarse as f32)
    }
}
