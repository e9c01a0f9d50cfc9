//! The grids of smoke's pressure solver.

use std::sync::Arc;

use super::coefficients;
use crate::sim::fluid::shape::plane_sides;
use crate::sim::fluid::{Boundary, Hierarchy, Level, Regions};

/// The hierarchy of a grid of `size` cells, with sides left, right, bottom, top, and a flag per cell for solids. Levels
/// have `⌈n / 2⌉` equal cells per axis, so that cycles converge as well on odd sizes; the coarsest has at most 2 × 2
/// cells.
pub fn hierarchy(size: [usize; 2], edges: [Boundary; 4], solid: Option<&[bool]>) -> Hierarchy {
    let (span, sides) = ([size[0], size[1], 1], plane_sides(edges));
    let mut levels = vec![Level::new(span, span, sides)];
    while let Some([width, height]) = coarser(&levels[levels.len() - 1]) {
        levels.push(Level::new([width, height, 1], span, sides));
    }
    let solid = solid.filter(|solid| solid.contains(&true));
    let coefficients = solid.map(|solid| {
        let mut all = vec![coefficients::finest(&levels[0], solid)];
        for pair in levels.windows(2) {
            all.push(coefficients::coarser(&all[all.len() - 1], &pair[0], &pair[1]));
        }
        all
    });
    let [regions, box_regions] = [solid, None].map(|solid| Arc::new(Regions::new(&levels[0], solid)));
    Hierarchy { levels, regions, box_regions, coefficients: coefficients.unwrap_or_default() }
}

/// Cells per axis of the next coarser level, unless this is the coarsest. An axis is skipped while its cells are wide,
/// so that cells stay about square.
fn coarser(level: &Level) -> Option<[usize; 2]> {
    if level.size.iter().all(|n| *n <= 2) {
        return None;
    }
    let halved = |axis: usize| {
        let (n, other) = (level.size[axis], level.size[1 - axis]);
        let wide = other > 1 && level.spacing[axis] > 1.5 * level.spacing[1 - axis];
        if n == 1 || wide { n } else { n.div_ceil(2) }
    };
    Some([halved(0), halved(1)])
}
