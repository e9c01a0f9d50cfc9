//! The box: the range of whole tiles that is simulated.
//!
//! The box holds all smoke, heat and fuel, the emitters and moving solids, with a margin that grows with them: air that
//! smoke draws in is simulated. Growing and shrinking never resample.

use super::fields::{Bounds, TILE};
use super::settings::{Settings, Side};
use super::solids::Body;
use super::sources::Source;
use super::state::{Statistics, whole};

/// Least margin, cells.
const MARGIN: f64 = 12.0;

/// Cells of the margin beyond those that the velocity crosses in a step.
const BEYOND: f64 = 4.0;

/// Margin of the box, in radii of the largest emitter.
const PER_RADIUS: f64 = 2.4;

/// Least number of tiles along an axis, since kernels process rows in vectors of 16 cells.
const TILES: usize = 2;

/// Cells of the artist's bounds, as the simulation needs them: whole tiles, at least two along each axis.
pub fn rounded(cells: [f64; 3]) -> [usize; 3] {
    cells.map(|cells| ((libm::ceil(cells.clamp(1.0, 1e5) / TILE as f64 - 1e-9)) as usize).max(TILES) * TILE)
}

/// The box of a step of `time` simulated frames. `statistics`: those of the state before the step.
pub fn bounds(
    settings: &Settings,
    (sources, solids): (&[Source], &[Body]),
    statistics: &Statistics,
    time: f64,
) -> Bounds {
    let all = whole(settings.cells);
    if settings.fixed || settings.sides.iter().any(|sides| sides.contains(&Side::Wrapped)) {
        return all;
    }
    // An emitter outside of the bounds, or whose matte is empty in the frame, emits nothing.
    let meets = |[low, high]: &[[i32; 3]; 2]| (0..3).all(|axis| low[axis] < all.high()[axis] && high[axis] > 0);
    let mut ranges: Vec<[[i32; 3]; 2]> = sources.iter().map(Source::bounds).filter(meets).collect();
    ranges.extend(statistics.active);
    // A solid at rest does not drive the air: it counts as far as the smoke comes near it.
    let moving = solids.iter().filter(|solid| !solid.is_still()).map(Body::bounds);
    ranges.extend(moving.filter(meets));
    let radius = sources.iter().map(Source::radius).fold(0.0, f64::max);
    let lateral =
        statistics.active.map_or(0.0, |[low, high]| f64::from((high[0] - low[0]).min(high[2] - low[2])) / 2.0);
    let moved = libm::ceil(f64::from(statistics.speed) * time) + BEYOND;
    let margin = MARGIN.max(moved).max(libm::ceil(PER_RADIUS * radius)).max(libm::ceil(lateral)).min(1e6) as i32;
    let mut bounds = all;
    for axis in 0..3 {
        let most = settings.cells[axis] as i32;
        let ends = ranges.iter().map(|[low, high]| [low[axis], high[axis]]);
        let [low, high] = ends
            .reduce(|[a, b], [c, d]| [a.min(c), b.max(d)])
            .map_or([most / 2, most / 2], |[low, high]| [low - margin, high + margin]);
        let (tile, tiles) = (TILE as i32, most / TILE as i32);
        let last = high.saturating_add(tile - 1).div_euclid(tile).clamp(TILES as i32, tiles);
        let first = low.div_euclid(tile).clamp(0, last - TILES as i32);
        bounds.low[axis] = first * tile;
        bounds.cells[axis] = ((last - first) * tile) as usize;
    }
    bounds
}

/// Conditions at the sides of a box, low and high, per axis: those of the artist's bounds where the box reaches them,
/// open ones elsewhere.
pub fn sides(settings: &Settings, bounds: Bounds) -> [[Side; 2]; 3] {
    let high = bounds.high();
    std::array::from_fn(|axis| {
        let [low, top] = settings.sides[axis];
        let at_low = bounds.low[axis] == 0;
        let at_high = high[axis] == settings.cells[axis] as i32;
        [if at_low { low } else { Side::Open }, if at_high { top } else { Side::Open }]
    })
}

#[cfg(test)]
mod tests {
    use crate::sim::volume::step::first;
    use crate::sim::volume::testing::{emitter, plume};

    #[test]
    fn an_emitter_outside_of_the_bounds_does_not_enlarge_the_box() {
        let mut settings = plume([160; 3]);
        let alone = first(&settings).bounds;
        assert!(alone.cells.iter().all(|cells| *cells < 160), "{alone:?}");
        settings.emitters.push(emitter([-400.0, 80.0, 80.0]));
        settings.emitters.push(emitter([80.0, 80.0, 600.0]));
        assert_eq!(first(&settings).bounds, alone);
        settings.emitters.push(emitter([140.0, 8.0, 80.0]));
        assert_ne!(first(&settings).bounds, alone, "one within the bounds does");
    }
}
