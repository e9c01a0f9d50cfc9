//! Parameter values as the settings of a frame of each grid of air.
//!
//! A grid is a volume in a frame of reference that moves with its centre. Its air is simulated in intervals of one or
//! more frames, with the settings of the first frame of each.

use super::controls::{GRID_JETS, GRIDS, GridField, Id, JetField};
use super::fluid::{GridFrame, Interval};
use super::places::Place;
use super::values::{MOST_SEEDS, number, pair};
use crate::nodes::common::axis_file;
use crate::nodes::common::controls::Controls as _;
use crate::nodes::common::geometry::Rect;
use crate::nodes::common::shared::Shared;
use crate::nodes::common::values::{Moment, Values};
use crate::ofx::Result;
use crate::sim::particles::settings::{AirLattice, GridPlace};
use crate::sim::volume::Settings;
use crate::sim::volume::extent::rounded;
use crate::sim::volume::projected::ProjectedSolids;
use crate::sim::volume::settings::{Emitter, Mode, Noise, Shape, Side, Solid};
use crate::sim::volume::turn::Turn;

/// Fewest and most cells along the longest side.
const CELLS: [i32; 2] = [16, 128];

/// Coarsest level of detail.
const COARSEST: u32 = 2;

/// Distance of the level of detail from that of the frame before at which it changes.
const HYSTERESIS: f64 = 0.75;

/// Most frames of an interval.
const LONGEST: i32 = 8;

/// Frames over which one pattern of the turbulence fades into the next.
const PULSE: f64 = 12.0;

/// Largest number of cells that the velocity crosses in a step: four in each half of a step with reflection.
const MAX_CFL: f64 = 8.0;

/// Offset of the seeds of grids and jets to those of emitters and eddies.
const SEED: i32 = 0x4721;

/// The number of the grid whose air is simulated alone, if any.
///
/// # Errors
/// A call to the host fails.
pub fn alone(values: &impl Values<Id>, time: f64) -> Result<Option<usize>> {
    if !Id::AirAlone.matters(values, time)? {
        return Ok(None);
    }
    Ok(usize::try_from(values.choice(Id::AirAlone, time)?).unwrap_or(0).checked_sub(1))
}

/// A text for the artist where the air of a grid is simulated alone.
///
/// # Errors
/// A call to the host fails.
pub fn notice(values: &impl Values<Id>, time: f64) -> Result<Option<String>> {
    let count = values.int(Id::Grids, time)?;
    Ok(alone(values, time)?.map(|n| {
        let grid = n + 1;
        if i64::from(count) < grid as i64 {
            format!(
                "Air alone is Grid {grid}, which is off: nothing is simulated. Raise Grids, or set Air alone to Off."
            )
        } else {
            format!("The air of Grid {grid} is simulated alone. Set Air alone to Off for particles.")
        }
    }))
}

/// Reads the grids that are on, or the one that is simulated alone. `shown`: what the camera shows; `before`: those of
/// the frame before.
///
/// # Errors
/// A call to the host fails.
pub fn grids(
    values: &impl Values<Id>,
    shown: Rect,
    moment: Moment,
    before: &[GridFrame],
) -> Result<Vec<(GridPlace, GridFrame)>> {
    let end = moment.previous.map_or(moment.time, |start| start + 1.0);
    let count = usize::try_from(values.int(Id::Grids, end)?).unwrap_or(0).min(GRIDS);
    let alone = alone(values, end)?;
    let numbers = (0..count).filter(|n| alone.is_none_or(|alone| alone == *n));
    numbers.enumerate().map(|(at, n)| grid(values, n, shown, (moment, end), before.get(at))).collect()
}

/// The cells of a grid at a level of detail.
struct Cells {
    level: u32,
    count: [usize; 3],
    lattice: AirLattice,
}

fn grid(
    values: &impl Values<Id>,
    n: usize,
    shown: Rect,
    (moment, end): (Moment, f64),
    before: Option<&GridFrame>,
) -> Result<(GridPlace, GridFrame)> {
    use GridField as F;
    let id = |field| Id::Grid(n, field);
    let double = |field| number(values, id(field), end);
    let sides = [double(F::Width)?, double(F::Height)?, double(F::Length)?];
    let along = values.int(id(F::Cells), end)?.clamp(CELLS[0], CELLS[1]);
    let spacing = sides.into_iter().fold(0.0, f64::max) / f64::from(along);
    let finest = rounded(sides.map(|side| side / spacing));
    let size: [f64; 3] = finest.map(|cells| cells as f64 * spacing);
    let corner = |time: f64| -> Result<[f64; 3]> {
        let centre = Place::of_grid(n).position(values, shown, time)?;
        Ok(std::array::from_fn(|axis| centre[axis] - size[axis] / 2.0))
    };
    let origin = corner(end)?;
    let previous = moment.previous.map_or(Ok(origin), corner)?;
    let state = match before.and_then(GridFrame::next) {
        Some(state) => state,
        None => {
            let level = level(before.map(|before| before.interval().level), double(F::Level)?, finest);
            let velocity = std::array::from_fn(|axis| origin[axis] - previous[axis]);
            let cells = cells(size, (finest, spacing), level, velocity);
            let frames = values.int(id(F::Every), end)?.clamp(1, LONGEST) as u32;
            let air = air(values, n, &cells, frames, (moment, end))?;
            let Cells { level, lattice, .. } = cells;
            GridFrame::after(before, Interval { air, lattice, level, finest, frames })
        }
    };
    let place = GridPlace {
        number: n,
        origin,
        previous,
        size,
        fade: double(F::Fade)? * spacing,
        group: values.int(id(F::Group), end)?.clamp(0, GRIDS as i32),
        lattices: state.lattices(),
        passed: state.passed(),
    };
    Ok((place, state))
}

/// The level of detail: that of the frame before until the wanted one is far from it. `finest`: the cells of level 0.
fn level(before: Option<u32>, wanted: f64, finest: [usize; 3]) -> u32 {
    // A level with fewer cells than the fewest would save nothing.
    let longest = finest.into_iter().max().unwrap_or(0);
    let coarsest = (0..COARSEST).take_while(|level| longest >> (level + 1) >= CELLS[0] as usize).count() as u32;
    match before {
        Some(level) if (wanted - f64::from(level)).abs() < HYSTERESIS => level.min(coarsest),
        _ => (libm::round(wanted.clamp(0.0, f64::from(COARSEST))) as u32).min(coarsest),
    }
}

/// The cells of a level in a box with its `finest` cells of a spacing. They cover the box, whose middle is theirs.
fn cells(size: [f64; 3], (finest, spacing): ([usize; 3], f64), level: u32, velocity: [f64; 3]) -> Cells {
    let spacing = spacing * f64::from(1 << level);
    let count = rounded(finest.map(|cells| cells as f64 / f64::from(1 << level)));
    let corner = std::array::from_fn(|axis| (size[axis] - count[axis] as f64 * spacing) / 2.0);
    Cells { level, count, lattice: AirLattice { corner, spacing, velocity } }
}

/// The settings of the air of a grid in an interval of `frames`, in cells and frames, relative to the grid.
fn air(
    values: &impl Values<Id>,
    n: usize,
    cells: &Cells,
    frames: u32,
    (moment, end): (Moment, f64),
) -> Result<Settings> {
    use GridField as F;
    let id = |field| Id::Grid(n, field);
    let double = |field| number(values, id(field), end);
    let AirLattice { spacing, velocity, .. } = cells.lattice;
    let swept = Swept { cells, moment, end, frames };
    let mut jets = Vec::new();
    for number in GRID_JETS * n..GRID_JETS * (n + 1) {
        jets.extend(jet(values, number, &swept)?);
    }
    let strength = double(F::Turbulence)? / spacing;
    let noise = if strength > 0.0 {
        Some(Noise { strength, size: double(F::TurbulenceSize)? / spacing, pulse: PULSE, seed: seed(values, n, end)? })
    } else {
        None
    };
    let timed = noise.is_some() || jets.iter().any(|jet: &Emitter| jet.wander > 0.0 || jet.pulse_rate > 0.0);
    let [wind_x, wind_y] = pair(values, Id::Wind, end)?;
    let wind = [wind_x, wind_y, number(values, Id::WindDepth, end)?];
    // The interval begins with its first frame, and all before were as long. Jets pulse from the Start frame on.
    let start = i64::from(values.int(Id::Shared(Shared::StartFrame), end)?);
    let frame = (moment.frame - start) as f64 / f64::from(frames) + 1.0;
    Ok(Settings {
        frame: if timed { frame } else { 0.0 },
        time_scale: f64::from(frames),
        cells: cells.count,
        detail: 1,
        fixed: true,
        sides: [[Side::Open; 2]; 3],
        emitters: jets,
        solids: obstacle(values, n, &swept)?.into_iter().collect(),
        projected: ProjectedSolids::default(),
        reflection: true,
        max_cfl: MAX_CFL,
        min_steps: 1,
        buoyancy: 0.0,
        weight: 0.0,
        soot_weight: 0.0,
        wind: std::array::from_fn(|axis| (wind[axis] - velocity[axis]) / spacing),
        drag: -libm::log1p(-double(F::Damping)?.min(0.999_999)),
        viscosity: 0.0,
        confinement: double(F::Swirl)?,
        noise,
        attractor: None,
        vortex: None,
        dissipation: 0.0,
        cooling: 0.0,
        fire: None,
    })
}

/// The cells and the time in which a jet or an obstacle moves.
struct Swept<'a> {
    cells: &'a Cells,
    moment: Moment,
    end: f64,
    frames: u32,
}

impl Swept<'_> {
    /// Positions at the start and at the end of the interval, cells, from an offset and a depth relative to the middle
    /// of the grid: those of its first frame go on.
    fn ends(&self, values: &impl Values<Id>, offset_and_depth: [Id; 2]) -> Result<[[f64; 3]; 2]> {
        let at = |time: f64| offset(values, offset_and_depth, self.cells, time);
        let centre = at(self.end)?;
        let previous = self.moment.previous.map_or(Ok(centre), at)?;
        if self.frames == 1 {
            return Ok([previous, centre]);
        }
        let moved = |axis: usize| previous[axis] + (centre[axis] - previous[axis]) * f64::from(self.frames);
        Ok([previous, [0, 1, 2].map(moved)])
    }

    /// The orientation by a rotation within the interval: that of its first frame goes on.
    fn turn(&self, values: &impl Values<Id>, rotation: Id) -> Result<Option<Turn>> {
        let axes = |time: f64| values.triple(rotation, time).map(axis_file::axes);
        let now = axes(self.end)?;
        let before = self.moment.previous.map_or(Ok(now), axes)?;
        Ok(Turn::new(before, now).map(|turn| turn.over(f64::from(self.frames))))
    }
}

/// A jet as an emitter of a grid; `None` where it is off.
fn jet(values: &impl Values<Id>, n: usize, swept: &Swept<'_>) -> Result<Option<Emitter>> {
    use JetField as F;
    let (end, spacing) = (swept.end, swept.cells.lattice.spacing);
    let id = |field| Id::Jet(n, field);
    let double = |field| number(values, id(field), end);
    if !values.switch(id(F::On), end)? {
        return Ok(None);
    }
    let (speed, expansion) = (double(F::Speed)? / spacing, double(F::Expansion)?);
    if speed == 0.0 && expansion == 0.0 {
        return Ok(None);
    }
    let [previous, centre] = swept.ends(values, [id(F::Offset), id(F::Depth)])?;
    let [angle, tilt] = [double(F::Direction)?.to_radians(), double(F::Elevation)?.to_radians()];
    let flat = speed * libm::cos(tilt);
    let pulse_rate = double(F::PulseRate)?;
    Ok(Some(Emitter {
        file: None,
        matte: None,
        shape: Shape::Sphere,
        centre,
        previous,
        radius: double(F::Radius)? / spacing,
        height: 0.0,
        softness: 0.5,
        breakup: 0.0,
        breakup_size: 0.0,
        seed: seed(values, GRIDS + n, end)?,
        mode: Mode::Fill,
        colour: [1.0; 3],
        density: 0.0,
        temperature: 0.0,
        fuel: 0.0,
        velocity: (speed != 0.0).then(|| [flat * libm::cos(angle), flat * libm::sin(angle), speed * libm::sin(tilt)]),
        wander: if speed == 0.0 { 0.0 } else { double(F::Wander)? },
        velocity_noise: 0.0,
        velocity_noise_size: 0.0,
        pulse_rate,
        pulse_duty: if pulse_rate > 0.0 { double(F::PulseDuty)? } else { 1.0 },
        expansion,
    }))
}

/// The obstacle of a grid; `None` where it is off.
fn obstacle(values: &impl Values<Id>, n: usize, swept: &Swept<'_>) -> Result<Option<Solid>> {
    use GridField as F;
    let (end, spacing) = (swept.end, swept.cells.lattice.spacing);
    let id = |field| Id::Grid(n, field);
    let double = |field| number(values, id(field), end);
    let shape = match values.choice(id(F::Obstacle), end)? {
        1 => Shape::Sphere,
        2 => Shape::Box,
        3 => Shape::Capsule,
        4 => Shape::Disc,
        _ => return Ok(None),
    };
    let [previous, centre] = swept.ends(values, [id(F::ObstacleOffset), id(F::ObstacleDepth)])?;
    let turn = if shape == Shape::Sphere { None } else { swept.turn(values, id(F::ObstacleRotate))? };
    Ok(Some(Solid {
        file: None,
        shape,
        centre,
        previous,
        radius: double(F::ObstacleRadius)? / spacing,
        height: if shape == Shape::Sphere { 0.0 } else { double(F::ObstacleHeight)? / spacing },
        turn,
    }))
}

/// A position in the cells of a grid, from an offset and a depth relative to its middle.
fn offset(values: &impl Values<Id>, [offset, depth]: [Id; 2], cells: &Cells, time: f64) -> Result<[f64; 3]> {
    let [x, y] = pair(values, offset, time)?;
    let from = [x, y, number(values, depth, time)?];
    Ok(std::array::from_fn(|axis| from[axis] / cells.lattice.spacing + cells.count[axis] as f64 / 2.0))
}

fn seed(values: &impl Values<Id>, n: usize, time: f64) -> Result<i32> {
    Ok(values.int(Id::Seed, time)?.wrapping_mul(MOST_SEEDS).wrapping_add(SEED + n as i32))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_level_stays_until_the_wanted_one_is_far() {
        let finest = [128, 64, 64];
        assert_eq!([0.4, 0.6, 1.4, 2.0, 9.0, -1.0].map(|wanted| level(None, wanted, finest)), [0, 1, 1, 2, 2, 0]);
        let mut now = 0;
        let swings = [0.4, 0.7, 0.76, 0.5, 0.3, 0.24, 0.6, 1.8, 1.4, 1.2].map(|wanted| {
            now = level(Some(now), wanted, finest);
            now
        });
        assert_eq!(swings, [0, 0, 1, 1, 1, 0, 0, 2, 2, 1]);
        assert_eq!(level(None, 2.0, [32; 3]), 1, "16 cells are the fewest");
        assert_eq!(level(Some(2), 2.0, [16; 3]), 0);
    }

    #[test]
    fn coarse_cells_cover_the_box_around_its_middle() {
        let (finest, spacing) = ([40, 24, 16], 5.0);
        let size = finest.map(|cells| cells as f64 * spacing);
        let fine = cells(size, (finest, spacing), 0, [0.0; 3]);
        assert_eq!((fine.count, fine.lattice.corner), (finest, [0.0; 3]));
        let coarse = cells(size, (finest, spacing), 1, [0.0; 3]);
        assert_eq!((coarse.count, coarse.lattice.spacing), ([24, 16, 16], 10.0));
        assert_eq!(coarse.lattice.corner, [-20.0, -20.0, -40.0]);
    }
}
