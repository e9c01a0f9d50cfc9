//! The pressure's equation on a box of cells and on its coarser levels, axis by axis: a level's matrix is the sum of
//! one-dimensional operators.
//!
//! Seven-point Laplacian in flux form: `Σ (coupling · p of the neighbour) − diagonal · p = divergence`. Open sides have
//! p = 0 at the centre of the cell beyond; closed sides have no flux.

use super::settings::Side;

/// Over-relaxation factor of the red-black sweeps of a cycle.
pub const FACTOR: f32 = 1.2;

/// Least factor by which a cycle reduces the residual. The residual is not computed before cycles of this factor would
/// reach the tolerance.
pub const FASTEST: f64 = 0.035;

/// Red-black iterations on the coarsest level.
pub const COARSE_SWEEPS: usize = 16;

/// The multigrid cycle among solids, which preconditions conjugate gradients.
pub mod among_solids {
    /// Over-relaxation factor.
    pub const FACTOR: f32 = 1.15;

    /// Red-black iterations before the coarser level, and black-red ones after it.
    pub const SWEEPS: usize = 2;

    /// Red-black iterations on the coarsest level, and then as many black-red ones.
    pub const COARSE_SWEEPS: usize = 8;
}

/// One axis of a level.
#[derive(Clone, Debug, PartialEq)]
pub struct AxisLevel {
    /// Widths of the cells, in cells of the finest level.
    pub widths: Vec<f64>,
    /// For each cell: the inverse distances to the lower and the upper neighbour; 0 where there is none.
    pub couplings: Vec<[f64; 2]>,
    /// Sum of both inverse distances for each cell, with those to the points beyond open sides at which the pressure is
    /// 0.
    pub diagonal: Vec<f64>,
    /// Inverse distances across the first and the last face; 0 at a closed side.
    pub ends: [f64; 2],
    /// For each cell of the finer level: the weights of its parent (the cell of half its index) and of the neighbour on
    /// its side (the lower one of an even cell, the upper one of an odd cell). Empty on the finest level.
    pub prolongation: Vec<[f64; 2]>,
    /// Whether the axis wraps: its first and last cells are neighbours.
    pub wrapped: bool,
    /// Whether a side is open.
    pub open: bool,
    /// Whether cells have twice the width of the finer level's.
    pub halved: bool,
}

impl AxisLevel {
    /// Inverse distances across the faces of the axis: of neighbours, and to the points beyond open sides at which the
    /// pressure is 0.
    pub fn inverse_distances(&self) -> Vec<f64> {
        let [low, high] = self.ends;
        let inner = self.couplings.iter().skip(1).map(|[below, _]| *below);
        [low].into_iter().chain(inner).chain([high]).collect()
    }
}

/// The levels of a box, the finest first, until no axis has more than two cells.
pub fn levels(cells: [usize; 3], sides: [[Side; 2]; 3]) -> Vec<[AxisLevel; 3]> {
    let most = cells.into_iter().max().unwrap_or(1);
    // ⌈n / 2^l⌉ ≤ 2 for the longest axis.
    let count = (0..).find(|level| most.div_ceil(1 << level) <= 2).unwrap_or(0) + 1;
    (0..count).map(|level| std::array::from_fn(|axis| axis_level(cells[axis], sides[axis], level))).collect()
}

/// Extents and centres of the cells of a level.
struct Cells {
    extent: f64,
    centres: Vec<f64>,
    widths: Vec<f64>,
}

/// Number of halvings of an axis at a level: an axis with a single cell is not halved further.
fn own_level(cells: usize, level: u32) -> u32 {
    let last = (0..).find(|level| cells.div_ceil(1 << level) <= 1).unwrap_or(0);
    level.min(last)
}

impl Cells {
    fn new(cells: usize, sides: [Side; 2], level: u32) -> Self {
        let (extent, width) = (cells as f64, f64::from(1_u32 << level));
        let count = cells.div_ceil(1 << level);
        let ends = |cell: usize| [cell as f64 * width, ((cell + 1) as f64 * width).min(extent)];
        let centre = |cell: usize| {
            let [low, high] = ends(cell);
            // At a closed far side, the last centre is that of a full cell.
            if sides[1] == Side::Closed { low + width / 2.0 } else { (low + high) / 2.0 }
        };
        Self {
            extent,
            centres: (0..count).map(centre).collect(),
            widths: (0..count).map(|cell| ends(cell)[1] - ends(cell)[0]).collect(),
        }
    }

    /// Distance from the centre of `cell` to that of its upper (`up`) or lower neighbour, or to the point beyond an
    /// open side at which the pressure is 0; in cells of the finest level. `None` at a closed side.
    fn distance(&self, cell: usize, up: bool, sides: [Side; 2]) -> Option<f64> {
        let last = self.centres.len() - 1;
        let inner = if up { cell < last } else { cell > 0 };
        if inner {
            let other = if up { cell + 1 } else { cell - 1 };
            return Some((self.centres[other] - self.centres[cell]).abs());
        }
        match sides[usize::from(up)] {
            Side::Closed => None,
            Side::Open if up => Some(self.extent + 0.5 - self.centres[cell]),
            Side::Open => Some(self.centres[cell] + 0.5),
            Side::Wrapped if last == 0 => None,
            Side::Wrapped => Some(self.centres[0] + self.extent - self.centres[last]),
        }
    }
}

fn axis_level(cells: usize, sides: [Side; 2], level: u32) -> AxisLevel {
    let own = own_level(cells, level);
    let here = Cells::new(cells, sides, own);
    let count = here.centres.len();
    let wrapped = sides[0] == Side::Wrapped;
    let neighbour = |cell: usize, up: bool| {
        let inner = if up { cell + 1 < count } else { cell > 0 };
        inner || (wrapped && count > 1)
    };
    let inverse = |cell: usize, up: bool| here.distance(cell, up, sides).map_or(0.0, |distance| 1.0 / distance);
    let couplings =
        (0..count).map(|cell| [false, true].map(|up| if neighbour(cell, up) { inverse(cell, up) } else { 0.0 }));
    let diagonal = (0..count).map(|cell| inverse(cell, false) + inverse(cell, true));
    let halved = level > 0 && own_level(cells, level - 1) != own;
    let prolongation = if level == 0 {
        Vec::new()
    } else if halved {
        let finer = Cells::new(cells, sides, own - 1);
        let weights = |cell: usize| {
            let (parent, up) = (cell / 2, cell % 2 == 1);
            let offset = finer.centres[cell] - here.centres[parent];
            let offset = if up { offset } else { -offset };
            match here.distance(parent, up, sides) {
                Some(distance) if offset > 0.0 => {
                    let share = offset / distance;
                    [1.0 - share, if neighbour(parent, up) { share } else { 0.0 }]
                }
                _ => [1.0, 0.0],
            }
        };
        (0..finer.centres.len()).map(weights).collect()
    } else {
        vec![[1.0, 0.0]; count]
    };
    AxisLevel {
        couplings: couplings.collect(),
        diagonal: diagonal.collect(),
        ends: [inverse(0, false), inverse(count - 1, true)],
        prolongation,
        wrapped,
        open: sides.contains(&Side::Open),
        halved,
        widths: here.widths,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_keep_the_extent_and_a_constant() {
        for cells in [[25, 40, 33], [16, 17, 128], [1, 2, 500]] {
            for sides in [[Side::Closed; 2], [Side::Open; 2], [Side::Closed, Side::Open], [Side::Wrapped; 2]] {
                let levels = levels(cells, [sides; 3]);
                let last = levels.last().expect("a level");
                assert!(last.iter().all(|axis| axis.widths.len() <= 2));
                for level in &levels {
                    for (axis, cells) in level.iter().zip(cells) {
                        assert_eq!(axis.widths.iter().sum::<f64>(), cells as f64);
                        if sides[0] != Side::Open && sides[1] != Side::Open {
                            let kept = axis.prolongation.iter().all(|[a, b]| (a + b - 1.0).abs() < 1e-12);
                            assert!(kept, "a constant is prolonged to a constant");
                            for (couplings, diagonal) in axis.couplings.iter().zip(&axis.diagonal) {
                                assert_eq!(couplings[0] + couplings[1], *diagonal);
                            }
                        }
                    }
                }
            }
        }
    }
}
