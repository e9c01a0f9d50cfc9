//! Parameter values as the settings of a frame of each grid of air.
//!
//! A grid is a volume in a frame of reference that moves with its centre.

use super::controls::{GRID_JETS, GRIDS, GridField, Id, JetField};
use super::values::{MOST_SEEDS, number, pair};
use crate::nodes::common::values::{Moment, Values};
use crate::ofx::Result;
use crate::sim::particles::settings::GridPlace;
use crate::sim::volume::Settings;
use crate::sim::volume::extent::rounded;
use crate::sim::volume::projected::ProjectedSolids;
use crate::sim::volume::settings::{Emitter, Mode, Noise, Shape, Side, Solid};

/// Fewest and most cells along the longest side.
const CELLS: [i32; 2] = [16, 128];

/// Frames over which one pattern of the turbulence fades into the next.
const PULSE: f64 = 12.0;

/// Largest number of cells that the velocity crosses in a step.
const MAX_CFL: f64 = 4.0;

/// Offset of the seeds of grids and jets to those of emitters and eddies.
const SEED: i32 = 0x4721;

/// The settings of a frame of a grid.
pub struct GridSettings {
    /// Where it is.
    pub place: GridPlace,
    /// Its own velocity in the frame, pixels per frame.
    pub velocity: [f64; 3],
    /// Its air, in cells and frames, relative to the grid.
    pub air: Settings,
}

/// Reads the grids that are on.
///
/// # Errors
/// A call to the host fails.
pub fn grids(values: &impl Values<Id>, moment: Moment) -> Result<Vec<GridSettings>> {
    let end = moment.previous.map_or(moment.time, |start| start + 1.0);
    let count = usize::try_from(values.int(Id::Grids, end)?).unwrap_or(0).min(GRIDS);
    (0..count).map(|n| grid(values, n, moment, end)).collect()
}

fn grid(values: &impl Values<Id>, n: usize, moment: Moment, end: f64) -> Result<GridSettings> {
    use GridField as F;
    let id = |field| Id::Grid(n, field);
    let double = |field| number(values, id(field), end);
    let centre = |time: f64| -> Result<[f64; 3]> {
        let [x, y] = pair(values, id(F::Centre), time)?;
        Ok([x, y, number(values, id(F::Depth), time)?])
    };
    let sides = [double(F::Width)?, double(F::Height)?, double(F::Length)?];
    let along = values.int(id(F::Cells), end)?.clamp(CELLS[0], CELLS[1]);
    let spacing = sides.into_iter().fold(0.0, f64::max) / f64::from(along);
    let cells = rounded(sides.map(|side| side / spacing));
    let corner = |centre: [f64; 3]| {
        let origin: [f64; 3] = std::array::from_fn(|axis| centre[axis] - cells[axis] as f64 * spacing / 2.0);
        origin
    };
    let origin = corner(centre(end)?);
    let previous = moment.previous.map_or(Ok(origin), |start| centre(start).map(corner))?;
    let velocity: [f64; 3] = std::array::from_fn(|axis| origin[axis] - previous[axis]);
    let place = GridPlace {
        number: n,
        origin,
        previous,
        spacing,
        cells,
        fade: double(F::Fade)? * spacing,
        group: values.int(id(F::Group), end)?.clamp(0, GRIDS as i32),
    };

    let mut jets = Vec::new();
    for number in GRID_JETS * n..GRID_JETS * (n + 1) {
        jets.extend(jet(values, number, &place, moment, end)?);
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
    let air = Settings {
        frame: if timed { moment.frame } else { 0 },
        time_scale: 1.0,
        cells,
        detail: 1,
        fixed: true,
        sides: [[Side::Open; 2]; 3],
        emitters: jets,
        solids: obstacle(values, n, &place, moment, end)?.into_iter().collect(),
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
        dissipation: 0.0,
        cooling: 0.0,
        fire: None,
    };
    Ok(GridSettings { place, velocity, air })
}

/// A jet as an emitter of the grid at a place; `None` where it is off.
fn jet(values: &impl Values<Id>, n: usize, place: &GridPlace, moment: Moment, end: f64) -> Result<Option<Emitter>> {
    use JetField as F;
    let id = |field| Id::Jet(n, field);
    let double = |field| number(values, id(field), end);
    if !values.switch(id(F::On), end)? {
        return Ok(None);
    }
    let (speed, expansion) = (double(F::Speed)? / place.spacing, double(F::Expansion)?);
    if speed == 0.0 && expansion == 0.0 {
        return Ok(None);
    }
    let at = |time: f64| offset(values, [id(F::Offset), id(F::Depth)], place, time);
    let centre = at(end)?;
    let [angle, tilt] = [double(F::Direction)?.to_radians(), double(F::Elevation)?.to_radians()];
    let flat = speed * libm::cos(tilt);
    let pulse_rate = double(F::PulseRate)?;
    Ok(Some(Emitter {
        file: None,
        shape: Shape::Sphere,
        centre,
        previous: moment.previous.map_or(Ok(centre), at)?,
        radius: double(F::Radius)? / place.spacing,
        height: 0.0,
        softness: 0.5,
        breakup: 0.0,
        breakup_size: 0.0,
        seed: seed(values, GRIDS + n, end)?,
        mode: Mode::Fill,
        density: 0.0,
        temperature: 0.0,
        fuel: 0.0,
        velocity: (speed != 0.0).then(|| [flat * libm::cos(angle), flat * libm::sin(angle), speed * libm::sin(tilt)]),
        wander: if speed == 0.0 { 0.0 } else { double(F::Wander)? },
        pulse_rate,
        pulse_duty: if pulse_rate > 0.0 { double(F::PulseDuty)? } else { 1.0 },
        expansion,
    }))
}

/// The obstacle of a grid at a place; `None` where it is off.
fn obstacle(values: &impl Values<Id>, n: usize, place: &GridPlace, moment: Moment, end: f64) -> Result<Option<Solid>> {
    use GridField as F;
    let id = |field| Id::Grid(n, field);
    let double = |field| number(values, id(field), end);
    let shape = match values.choice(id(F::Obstacle), end)? {
        1 => Shape::Sphere,
        2 => Shape::Box,
        3 => Shape::Capsule,
        4 => Shape::Disc,
        _ => return Ok(None),
    };
    let at = |time: f64| offset(values, [id(F::ObstacleOffset), id(F::ObstacleDepth)], place, time);
    let centre = at(end)?;
    Ok(Some(Solid {
        file: None,
        shape,
        centre,
        previous: moment.previous.map_or(Ok(centre), at)?,
        radius: double(F::ObstacleRadius)? / place.spacing,
        height: if shape == Shape::Sphere { 0.0 } else { double(F::ObstacleHeight)? / place.spacing },
    }))
}

/// A position in the cells of a grid, from an offset and a depth relative to its middle.
fn offset(values: &impl Values<Id>, [offset, depth]: [Id; 2], place: &GridPlace, time: f64) -> Result<[f64; 3]> {
    let [x, y] = pair(values, offset, time)?;
    let from = [x, y, number(values, depth, time)?];
    Ok(std::array::from_fn(|axis| from[axis] / place.spacing + place.cells[axis] as f64 / 2.0))
}

fn seed(values: &impl Values<Id>, n: usize, time: f64) -> Result<i32> {
    Ok(values.int(Id::Seed, time)?.wrapping_mul(MOST_SEEDS).wrapping_add(SEED + n as i32))
}
