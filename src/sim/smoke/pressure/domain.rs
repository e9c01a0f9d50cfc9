//! Cells and sides, and the coarser levels.

use super::level::Level;
use super::regions::Regions;
use super::weights::Weights;
use crate::sim::request;
use crate::sim::smoke::settings::Side;

/// What the pressure is solved on: to be made anew where the cells, the sides or the solids change.
#[derive(Clone, Debug, PartialEq)]
pub struct Domain {
    /// The finest level, then coarser ones.
    pub levels: Vec<Level>,
    /// Which fluid cells hang together.
    pub regions: Regions,
    /// The same for the rectangle without its solids.
    pub rectangle: Regions,
    /// Where there are solids.
    pub solids: Option<SolidCells>,
}

/// Solids in a domain.
#[derive(Clone, Debug, PartialEq)]
pub struct SolidCells {
    /// 1 where a cell is solid, else 0. Width × height.
    pub cells: Vec<f32>,
    /// Couplings of each level.
    pub weights: Vec<Weights<Vec<f32>>>,
}

impl Domain {
    /// `size` cells per axis, each at least 1; what the sides do: left, right, bottom, top; and whether a cell is solid.
    pub fn new(size: [usize; 2], edges: [Side; 4], solid: Option<&[bool]>) -> Domain {
        let mut levels = vec![Level::new(size, size, edges)];
        while let Some(next) = coarser(&levels[levels.len() - 1]) {
            levels.push(Level::new(next, size, edges));
        }
        let solid = solid.filter(|solid| solid.contains(&true));
        let solids = solid.map(|solid| {
            let mut weights = vec![Weights::finest(&levels[0], solid)];
            for pair in levels.windows(2) {
                weights.push(weights[weights.len() - 1].coarser(&pair[0], &pair[1]));
            }
            SolidCells { cells: request::collected(solid.iter().map(|solid| f32::from(u8::from(*solid)))), weights }
        });
        let regions = Regions::new(&levels[0], solid);
        let rectangle = Regions::new(&levels[0], None);
        Domain { levels, regions, rectangle, solids }
    }

    /// Cells per axis.
    pub fn size(&self) -> [usize; 2] {
        self.levels[0].size
    }
}

/// Cells per axis of the next coarser level, if there is to be one. Cells stay about as wide as high for as long as they can.
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
