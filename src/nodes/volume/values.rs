//! Parameter values as settings of the volume.

use super::axes::Placed;
use super::controls::{EMITTERS, EmitterField, Id, MATTE, SolidField, VDB_FILE, emitter_count, has_fuel, solid_count};
use super::inputs::EMISSION;
use super::mattes;
use super::vdb_sources::{FrameSettings, Owner, VdbSource, source};
use crate::nodes::common::controls::{Controls as _, Kind};
use crate::nodes::common::pictures::Wired;
use crate::nodes::common::shared::Shared;
use crate::nodes::common::values::{Moment, Values};
use crate::ofx::Result;
use crate::sim::grid::Grid;
use crate::sim::volume::extent::rounded;
use crate::sim::volume::fields::Lattice;
use crate::sim::volume::projected::ProjectedSolids;
use crate::sim::volume::settings::{Attractor, Emitter, Fire, Mode, Noise, Settings, Shape, Side, Solid, Vortex};
use crate::sim::volume::turn::Turn;

/// Farthest position, heights of the box, and largest velocity, percent of it per frame.
const FAR: f64 = 1e3;

/// Speeds and accelerations are in percent of the box's height.
const PERCENT: f64 = 0.01;

/// Number of seeds that are reserved for each value of the parameter `seed`, for emitters and eddies.
const MOST_SEEDS: i32 = 16;

/// A real number in the range of its parameter, which hosts do not enforce for expressions.
///
/// # Errors
/// A call to the host fails.
pub fn number(values: &impl Values<Id>, id: Id, time: f64) -> Result<f64> {
    let value = values.double(id, time)?;
    let Kind::Double { default, range: [low, high], .. } = id.control().kind else { return Ok(value) };
    Ok(if value.is_nan() { default } else { value.clamp(low, high) })
}

/// Three finite numbers.
///
/// # Errors
/// A call to the host fails.
pub fn triple(values: &impl Values<Id>, id: Id, time: f64) -> Result<[f64; 3]> {
    Ok(values.triple(id, time)?.map(|side| if side.is_finite() { side.clamp(-FAR, FAR) } else { 0.0 }))
}

/// A colour of finite channels of at least 0.
///
/// # Errors
/// A call to the host fails.
pub fn colour(values: &impl Values<Id>, id: Id, time: f64) -> Result<[f64; 3]> {
    Ok(values.colour(id, time)?.map(|value| if value.is_finite() { value.clamp(0.0, 1e6) } else { 0.0 }))
}

/// Decay rate per frame of a quantity that loses the fraction `share` per frame.
fn decay(share: f64) -> f64 {
    -libm::log1p(-share.clamp(0.0, 0.999_999))
}

/// The size of the box in cells, and its height in cells and in heights of the frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoxSize {
    /// Cells along each axis, whole tiles.
    pub cells: [usize; 3],
    /// Cells of the scalars along each side of a cell.
    pub detail: usize,
    /// Height of the box without the rounding to tiles, cells.
    pub height: f64,
    /// Height of the box, heights of the frame.
    pub scale: f64,
}

impl BoxSize {
    /// Reads the box.
    ///
    /// # Errors
    /// A call to the host fails.
    pub fn read(values: &impl Values<Id>, time: f64) -> Result<Self> {
        let double = |id| number(values, id, time);
        let sides = [double(Id::BoxWidth)?, double(Id::BoxHeight)?, double(Id::BoxLength)?];
        let longest = sides.into_iter().fold(0.0, f64::max);
        let cells = f64::from(values.int(Id::Cells, time)?.clamp(16, 1024)) / longest;
        let detail = 1 << values.choice(Id::Detail, time)?.clamp(0, 2);
        Ok(Self { cells: rounded(sides.map(|side| side * cells)), detail, height: sides[1] * cells, scale: sides[1] })
    }

    /// Height of the box in world units (full-resolution pixels), for a frame with the cells of `raster`.
    pub fn unit(&self, raster: &Grid) -> f64 {
        self.scale * raster.height as f64 / raster.cells_per_pixel
    }

    /// Position of the cells in the world, for a box with the centre `centre`, world units.
    pub fn lattice(&self, raster: &Grid, centre: [f64; 3]) -> Lattice {
        let spacing = self.unit(raster) / self.height;
        let half = |cells: f64| cells * spacing / 2.0;
        let [x, y, z] = centre;
        let [across, _, along] = self.cells.map(|cells| half(cells as f64));
        Lattice { origin: [x - across, y - half(self.height), z - along], spacing }
    }

    /// Converts a position in the world to cells from the lower corner of a box with the centre `centre`, world units.
    pub fn place_of(&self, position: [f64; 3], raster: &Grid, centre: [f64; 3]) -> [f64; 3] {
        let Lattice { origin, spacing } = self.lattice(raster, centre);
        let far = FAR * self.height;
        [0, 1, 2].map(|axis| {
            let cell = (position[axis] - origin[axis]) / spacing;
            if cell.is_finite() { cell.clamp(-far, far) } else { 0.0 }
        })
    }

    /// Converts a position in heights of the box, from the centre of its floor, to cells from its lower corner.
    pub fn place(&self, [x, y, z]: [f64; 3]) -> [f64; 3] {
        let [across, _, along] = self.cells.map(|cells| cells as f64 / 2.0);
        [across + x * self.height, y * self.height, along + z * self.height]
    }

    /// Converts a speed or acceleration in percent of the box's height per frame (or frame²) to cells.
    fn speed(&self, percent: f64) -> f64 {
        percent * PERCENT * self.height
    }
}

/// Reads the settings of a frame. Parameters without effect are not read and stay at a fixed value, so that their edits
/// invalidate no state.
///
/// # Errors
/// A call to the host fails.
pub fn settings(
    values: &impl Values<Id>,
    (size, raster): (&BoxSize, &Grid),
    wired: Wired,
    moment: Moment,
) -> Result<FrameSettings> {
    // A part of a frame is simulated with the settings of the whole frame.
    let end = moment.previous.map_or(moment.time, |start| start + 1.0);
    let double = |id| number(values, id, end);
    let mut emitters = Vec::new();
    let mut files = Vec::new();
    let mut notices = Vec::new();
    for n in 0..emitter_count(values, end)? {
        if let Some((mut emitter, file)) = emitter(values, n, (size, raster), moment, end)? {
            if values.choice(Id::Emitter(n, EmitterField::Shape), end)? == MATTE {
                if !wired.has(EMISSION) {
                    notices = vec![mattes::unwired()];
                    continue;
                }
                let middle = (emitter.centre, emitter.radius);
                let matte = mattes::matte(values, (size, raster), middle, moment.time)?;
                let of_picture = values.choice(Id::Emitter(n, EmitterField::ColourFrom), end)? == 1;
                emitter.matte = Some(matte.coloured(of_picture));
            }
            emitters.push(emitter);
            files.push(file);
        }
    }
    let mut solids = Vec::new();
    let mut solid_files = Vec::new();
    for n in 0..solid_count(values, end)? {
        if let Some((solid, file)) = solid(values, n, (size, raster), moment, end)? {
            solids.push(solid);
            solid_files.push(file);
        }
    }
    let fire = if has_fuel(values, end)? { Some(fire(values, end)?) } else { None };
    let seed = values.int(Id::Seed, end)?.wrapping_mul(MOST_SEEDS);
    let strength = double(Id::Noise)?;
    let noise = if strength > 0.0 {
        Some(Noise {
            strength: size.speed(strength),
            size: double(Id::NoiseSize)? * size.height,
            pulse: double(Id::NoisePulse)?,
            seed: seed.wrapping_add(EMITTERS as i32),
        })
    } else {
        None
    };
    // The number of the frame is set only where the settings depend on it, so that equal frames have equal settings.
    let varies = |emitter: &Emitter| {
        emitter.breakup > 0.0 || emitter.wander > 0.0 || emitter.velocity_noise > 0.0 || emitter.pulse_rate > 0.0
    };
    let timed = noise.is_some() || emitters.iter().any(varies);
    let wall = match values.choice(Id::Walls, end)? {
        1 => Side::Closed,
        2 => Side::Wrapped,
        _ => Side::Open,
    };
    let side = |option: i32| if option == 1 { Side::Closed } else { Side::Open };
    let upright = [side(values.choice(Id::Floor, end)?), side(values.choice(Id::Ceiling, end)?)];
    let volume = Settings {
        frame: if timed { moment.frame as f64 } else { 0.0 },
        time_scale: double(Id::TimeScale)?,
        cells: size.cells,
        detail: size.detail,
        fixed: values.choice(Id::Follow, end)? == 1,
        sides: [[wall; 2], upright, [wall; 2]],
        emitters,
        solids,
        projected: ProjectedSolids::default(),
        reflection: values.switch(Id::Reflection, end)?,
        max_cfl: double(Id::MaxCfl)?,
        min_steps: values.int(Id::Substeps, end)?.clamp(1, 64) as u32,
        buoyancy: size.speed(double(Id::Buoyancy)?),
        weight: size.speed(double(Id::Weight)?),
        soot_weight: if fire.is_some() { size.speed(double(Id::SootWeight)?) } else { 0.0 },
        wind: triple(values, Id::Wind, end)?.map(|speed| size.speed(speed)),
        drag: decay(double(Id::WindDrag)?),
        viscosity: double(Id::Viscosity)?,
        confinement: double(Id::Swirl)?,
        noise,
        attractor: attractor(values, size, end)?,
        vortex: vortex(values, size, end)?,
        dissipation: decay(double(Id::Dissipation)?),
        cooling: decay(double(Id::Cooling)?),
        fire,
    };
    Ok(FrameSettings { volume, files, solid_files, notices })
}

/// The shape of an emitter or a solid, and the file that is its shape instead; `None` where the frame has no such file.
fn shape(values: &impl Values<Id>, id: Id, owner: Owner, time: f64) -> Result<Option<(Shape, Option<VdbSource>)>> {
    Ok(match values.choice(id, time)? {
        VDB_FILE => VdbSource::read(values, owner, time)?.map(|file| (Shape::Sphere, Some(file))),
        1 => Some((Shape::Box, None)),
        2 => Some((Shape::Capsule, None)),
        3 => Some((Shape::Disc, None)),
        _ => Some((Shape::Sphere, None)),
    })
}

/// A place at the end of a frame, and the one a frame earlier; the same twice in the first frame.
fn places(
    values: &impl Values<Id>,
    owner: Owner,
    size: (&BoxSize, &Grid),
    moment: Moment,
    end: f64,
) -> Result<[Placed; 2]> {
    let before = moment.previous.unwrap_or(end);
    Ok([owner.placed(values, size, end)?, owner.placed(values, size, before)?])
}

/// A solid, and its file; `None` where it is off or has no file in the frame.
fn solid(
    values: &impl Values<Id>,
    n: usize,
    (size, raster): (&BoxSize, &Grid),
    moment: Moment,
    end: f64,
) -> Result<Option<(Solid, Option<VdbSource>)>> {
    use SolidField as F;
    let id = |field| Id::Solid(n, field);
    if !values.switch(id(F::On), end)? {
        return Ok(None);
    }
    let Some((shape, file)) = shape(values, id(F::Shape), Owner::Solid(n), end)? else { return Ok(None) };
    let [now, before] = places(values, Owner::Solid(n), (size, raster), moment, end)?;
    // A ball is the same from all sides, unless a file is its shape.
    let turn = if shape == Shape::Sphere && file.is_none() { None } else { Turn::new(before.axes, now.axes) };
    let length =
        |field| -> Result<f64> { Ok(if file.is_some() { 0.0 } else { number(values, id(field), end)? * size.height }) };
    let solid = Solid {
        shape,
        file: file.as_ref().map(|file| source(values, file, size.height, end)).transpose()?,
        centre: now.centre,
        previous: before.centre,
        radius: length(F::Radius)?,
        height: if shape == Shape::Sphere { 0.0 } else { length(F::Height)? },
        turn,
    };
    Ok(Some((solid, file)))
}

/// Whether an emitter that is on emits in a frame, by its delay and duration.
///
/// # Errors
/// A call to the host fails.
pub fn emits(values: &impl Values<Id>, n: usize, frame: i64, time: f64) -> Result<bool> {
    let duration = i64::from(values.int(Id::Emitter(n, EmitterField::Duration), time)?);
    if duration <= 0 {
        return Ok(true);
    }
    let start = i64::from(values.int(Id::Shared(Shared::StartFrame), time)?);
    let since = frame - start - i64::from(values.int(Id::Emitter(n, EmitterField::Delay), time)?);
    Ok((0..duration).contains(&since))
}

/// An emitter, and its file; `None` where it is off or does not emit in the frame.
fn emitter(
    values: &impl Values<Id>,
    n: usize,
    (size, raster): (&BoxSize, &Grid),
    moment: Moment,
    end: f64,
) -> Result<Option<(Emitter, Option<VdbSource>)>> {
    use EmitterField as F;
    let id = |field| Id::Emitter(n, field);
    let double = |field| number(values, id(field), end);
    if !values.switch(id(F::On), end)? || !emits(values, n, moment.frame, end)? {
        return Ok(None);
    }
    let Some((shape, file)) = shape(values, id(F::Shape), Owner::Emitter(n), end)? else { return Ok(None) };
    let length = |field| -> Result<f64> { Ok(if file.is_some() { 0.0 } else { double(field)? * size.height }) };
    let [centre, previous] =
        places(values, Owner::Emitter(n), (size, raster), moment, end)?.map(|placed| placed.centre);
    let breakup = double(F::Breakup)?;
    let velocity = triple(values, id(F::Velocity), end)?;
    let moving = |amount: f64| if velocity == [0.0; 3] { 0.0 } else { amount };
    let velocity_noise = moving(double(F::VelocityNoise)?);
    let pulse_rate = double(F::PulseRate)?;
    let emitter = Emitter {
        shape,
        file: file.as_ref().map(|file| source(values, file, size.height, end)).transpose()?,
        matte: None,
        centre,
        previous,
        radius: length(F::Radius)?,
        height: if shape == Shape::Sphere { 0.0 } else { length(F::Height)? },
        softness: if file.is_some() { 0.0 } else { double(F::Softness)? },
        breakup,
        breakup_size: if breakup > 0.0 { double(F::BreakupSize)? * size.height } else { 0.0 },
        seed: values.int(Id::Seed, end)?.wrapping_mul(MOST_SEEDS).wrapping_add(n as i32),
        mode: match values.choice(id(F::Mode), end)? {
            1 => Mode::Add,
            2 => Mode::Replace,
            _ => Mode::Fill,
        },
        density: double(F::Density)?,
        colour: colour(values, id(F::Colour), end)?.map(|channel| channel.min(1.0)),
        temperature: double(F::Heat)?,
        fuel: double(F::Fuel)?,
        velocity: (velocity != [0.0; 3]).then(|| velocity.map(|speed| size.speed(speed))),
        wander: moving(double(F::Wander)?),
        velocity_noise,
        velocity_noise_size: if velocity_noise > 0.0 { double(F::VelocityNoiseSize)? * size.height } else { 0.0 },
        pulse_rate,
        pulse_duty: if pulse_rate > 0.0 { double(F::PulseDuty)? } else { 1.0 },
        expansion: double(F::Expansion)?,
    };
    Ok(Some((emitter, file)))
}

/// The attractor, if it is on.
fn attractor(values: &impl Values<Id>, size: &BoxSize, time: f64) -> Result<Option<Attractor>> {
    if !values.switch(Id::Attractor, time)? {
        return Ok(None);
    }
    Ok(Some(Attractor {
        centre: size.place(triple(values, Id::AttractorCentre, time)?),
        radius: number(values, Id::AttractorRadius, time)? * size.height,
        strength: size.speed(number(values, Id::AttractorStrength, time)?),
    }))
}

/// The vortex, if it is on.
fn vortex(values: &impl Values<Id>, size: &BoxSize, time: f64) -> Result<Option<Vortex>> {
    if !values.switch(Id::Vortex, time)? {
        return Ok(None);
    }
    Ok(Some(Vortex {
        centre: size.place(triple(values, Id::VortexCentre, time)?),
        axis: values.choice(Id::VortexAxis, time)?.clamp(0, 2) as usize,
        radius: number(values, Id::VortexRadius, time)? * size.height,
        strength: size.speed(number(values, Id::VortexStrength, time)?),
    }))
}

fn fire(values: &impl Values<Id>, time: f64) -> Result<Fire> {
    let double = |id| number(values, id, time);
    Ok(Fire {
        rate: double(Id::BurnRate)?,
        ignition: double(Id::Ignition)?,
        heat: double(Id::BurnHeat)?,
        expansion: double(Id::Expansion)?,
        life: double(Id::FlameLife)?,
        radiation: double(Id::Radiation)?,
        soot: double(Id::Soot)?,
        soot_decay: double(Id::SootDecay)?,
    })
}
