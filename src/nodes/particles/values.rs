//! Parameter values as settings of the particles.

use super::controls::{EMITTERS, EmitterField, Id, OFF, VELOCITIES, VelocityField};
use super::inputs::{EMISSION, OBSTACLES, SOURCE, VELOCITY};
use super::places::Place;
use crate::nodes::common::controls::{Controls as _, Kind};
use crate::nodes::common::geometry::Rect;
use crate::nodes::common::pictures::Wired;
use crate::nodes::common::shared::Shared;
use crate::nodes::common::values::{Moment, Values};
use crate::ofx::Result;
use crate::sim::particles::Initial;
use crate::sim::particles::births::{Births, PIECES};
use crate::sim::particles::settings::{Contact, Emitter, Field, Floor, Noise, PointForce, Settings, Shape, Solids};

/// Option of an emitter's colour: that of the Source.
const FROM_SOURCE: i32 = 1;
/// Option of an emitter's motion: the particles move with the air.
const TRACER: i32 = 1;
/// Option of `floor` and `obstacles`: particles stick.
const STICK: i32 = 2;

/// Farthest position, pixels.
const FAR: f64 = 1e6;

/// A real number in the range of its parameter, which hosts do not enforce for expressions.
///
/// # Errors
/// A call to the host fails.
pub fn number(values: &impl Values<Id>, id: Id, time: f64) -> Result<f64> {
    let value = values.double(id, time)?;
    let Kind::Double { default, range: [low, high], .. } = id.control().kind else { return Ok(value) };
    Ok(if value.is_nan() { default } else { value.clamp(low, high) })
}

/// A pair of finite numbers.
///
/// # Errors
/// A call to the host fails.
pub fn pair(values: &impl Values<Id>, id: Id, time: f64) -> Result<[f64; 2]> {
    Ok(values.pair(id, time)?.map(|side| if side.is_finite() { side.clamp(-FAR, FAR) } else { 0.0 }))
}

/// Whether an emitter is on.
///
/// # Errors
/// A call to the host fails.
pub fn is_on(values: &impl Values<Id>, n: usize, time: f64) -> Result<bool> {
    values.switch(Id::Emitter(n, EmitterField::On), time)
}

/// Largest number of particles of an emitter.
///
/// # Errors
/// A call to the host fails.
pub fn capacity(values: &impl Values<Id>, n: usize, time: f64) -> Result<usize> {
    let most = values.int(Id::Emitter(n, EmitterField::Capacity), time)?;
    Ok(usize::try_from(most).unwrap_or(0).clamp(1, MOST_PARTICLES))
}

/// Largest number of particles of one emitter.
const MOST_PARTICLES: usize = 4_000_000;

/// Seed of an emitter's random numbers.
///
/// # Errors
/// A call to the host fails.
pub fn seed(values: &impl Values<Id>, n: usize, time: f64) -> Result<i32> {
    Ok(values.int(Id::Seed, time)?.wrapping_mul(MOST_SEEDS).wrapping_add(n as i32))
}

/// Number of seeds that are reserved for each value of the parameter `seed`, for emitters and eddies.
pub const MOST_SEEDS: i32 = 16;

/// Constants of the simulation that define the size of a state.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sizes {
    /// Largest number of particles.
    pub particles: usize,
    /// Whether states have the Emission matte.
    pub matte: bool,
}

/// Reads the constants.
///
/// # Errors
/// A call to the host fails.
pub fn sizes(values: &impl Values<Id>, time: f64) -> Result<Sizes> {
    let mut sizes = Sizes { particles: 0, matte: false };
    for n in 0..EMITTERS {
        if is_on(values, n, time)? {
            sizes.particles += capacity(values, n, time)?;
            sizes.matte |= values.choice(Id::Emitter(n, EmitterField::Shape), time)? == EDGE;
        }
    }
    Ok(sizes)
}

/// Option of the shape: the edge of the matte.
const EDGE: i32 = 6;
/// Option of an emitter's shape: a person.
const FIGURE: i32 = 7;

/// A frame of the simulation: its number, and the times of its start and end.
#[derive(Clone, Copy)]
pub struct Span {
    /// Number of the frame.
    pub frame: i64,
    /// Time at its end.
    pub end: f64,
    /// Time at its start; `None` where parameters are read at the end only.
    pub start: Option<f64>,
}

/// Births of an emitter in each eighth of a frame.
///
/// # Errors
/// A call to the host fails.
pub fn births(values: &impl Values<Id>, n: usize, span: Span) -> Result<[f64; PIECES]> {
    let field = |field| Id::Emitter(n, field);
    let mut pieces = [0.0; PIECES];
    for (piece, births) in pieces.iter_mut().enumerate() {
        let time = span.start.map_or(span.end, |start| start + piece as f64 / PIECES as f64);
        *births = number(values, field(EmitterField::Rate), time)? / PIECES as f64;
        if span.start.is_none() {
            return with_burst(values, n, span, [*births; PIECES]);
        }
    }
    with_burst(values, n, span, pieces)
}

/// Adds a burst, which ends with its frame.
fn with_burst(values: &impl Values<Id>, n: usize, span: Span, mut pieces: [f64; PIECES]) -> Result<[f64; PIECES]> {
    let field = |field| Id::Emitter(n, field);
    let count = number(values, field(EmitterField::BurstCount), span.end)?;
    if count > 0.0 {
        // The Start frame is frame 1 of the bursts.
        let start = i64::from(values.int(Id::Shared(Shared::StartFrame), span.end)?);
        let since = span.frame - (start - 1) - i64::from(values.int(field(EmitterField::BurstFrame), span.end)?);
        let every = i64::from(values.int(field(EmitterField::BurstEvery), span.end)?);
        if since == 0 || (since > 0 && every > 0 && since % every == 0) {
            pieces[PIECES - 1] += count;
        }
    }
    Ok(pieces)
}

/// Reads the settings of a frame. Parameters without effect are not read and stay at a fixed value, so that their edits
/// invalidate no state. `frame`: what the camera shows; `initial`: facts about the file that is the first frame, if any.
///
/// # Errors
/// A call to the host fails.
pub fn settings(
    values: &impl Values<Id>,
    (wired, frame): (Wired, Rect),
    moment: Moment,
    before: Option<&Settings>,
    initial: Option<&Initial>,
) -> Result<Settings> {
    // A part of a frame is simulated with the settings of the whole frame: the births up to a time are the same.
    let end = moment.previous.map_or(moment.time, |start| start + 1.0);
    let span = Span { frame: moment.frame, end, start: moment.previous };
    let double = |id| number(values, id, end);
    let mut emitters = Vec::new();
    for n in 0..EMITTERS {
        if is_on(values, n, end)? {
            let last = before.and_then(|before| before.emitters.iter().find(|emitter| emitter.number == n));
            let first = initial.map_or(0.0, |initial| initial.births[n]);
            let count = last.map_or(first, |emitter| emitter.births.after());
            let mut emitter = emitter(values, n, (wired, frame), span, count)?;
            if initial.is_some() && moment.first {
                // The births of the first frame are in the file.
                emitter.births.pieces = [0.0; PIECES];
            }
            emitters.push(emitter);
        }
    }
    let longest = before.map_or_else(|| initial.map_or(0.0, |initial| initial.longest), |before| before.longest);
    let longest = longest.max(Settings::longest_of(&emitters));
    let mut fields = Vec::new();
    for n in 0..VELOCITIES {
        fields.extend(field(values, n, wired, end)?);
    }
    let gravity = double(Id::Gravity)?;
    let down = if gravity != 0.0 { double(Id::GravityDirection)?.to_radians() } else { 0.0 };
    let [wind_x, wind_y] = pair(values, Id::Wind, end)?;
    Ok(Settings {
        frame: moment.frame,
        counted: before.is_some() || moment.first,
        emitters,
        share: double(Id::Share)?,
        longest,
        fields,
        grids: Vec::new(),
        gravity: [gravity * libm::cos(down), gravity * libm::sin(down), 0.0],
        wind: [wind_x, wind_y, double(Id::WindDepth)?],
        noise: noise(values, end)?,
        attractor: point_force(
            values,
            [Id::Attractor, Id::AttractorCentre, Id::AttractorDepth, Id::AttractorRadius, Id::AttractorStrength],
            end,
        )?,
        vortex: point_force(
            values,
            [Id::Vortex, Id::VortexCentre, Id::VortexDepth, Id::VortexRadius, Id::VortexStrength],
            end,
        )?,
        solids: solids(values, wired, end)?,
    })
}

fn emitter(
    values: &impl Values<Id>,
    n: usize,
    (wired, frame): (Wired, Rect),
    span: Span,
    count: f64,
) -> Result<Emitter> {
    use EmitterField as F;
    let id = |field| Id::Emitter(n, field);
    let time = span.end;
    let double = |field| number(values, id(field), time);
    let place = |time: f64| Place::of_emitter(n).position(values, frame, time);
    let centre = place(time)?;
    let previous = span.start.map_or(Ok(centre), place)?;
    let shape = match values.choice(id(F::Shape), time)? {
        0 => Shape::Point,
        1 => Shape::Line,
        3 => Shape::Sphere,
        4 => Shape::Box,
        5 if wired.has(EMISSION) => Shape::Matte,
        EDGE if wired.has(EMISSION) => Shape::Edge,
        FIGURE => Shape::Figure,
        _ => Shape::Disc,
    };
    let tracer = values.choice(id(F::Moves), time)? == TRACER;
    let release_speed = double(F::ReleaseSpeed)?;
    let release_front = double(F::ReleaseFront)?;
    let read_if = |has_effect: bool, field| if has_effect { double(field) } else { Ok(0.0) };
    let drag = read_if(!tracer, F::Drag)?;
    let drag_spread = read_if(drag > 0.0, F::DragSpread)?;
    let sized = !matches!(shape, Shape::Point | Shape::Matte | Shape::Edge | Shape::Figure);
    Ok(Emitter {
        number: n,
        seed: seed(values, n, time)?,
        capacity: capacity(values, n, time)?,
        births: Births { before: count, pieces: births(values, n, span)? },
        shape,
        centre,
        previous,
        radius: read_if(sized, F::Radius)?,
        height: read_if(matches!(shape, Shape::Box | Shape::Figure), F::Height)?,
        thickness: read_if(!matches!(shape, Shape::Sphere | Shape::Figure), F::Thickness)?,
        angle: read_if(matches!(shape, Shape::Line | Shape::Box | Shape::Figure), F::Angle)?,
        threshold: read_if(shape == Shape::Edge, F::Threshold)?,
        life: double(F::Life)?,
        life_spread: double(F::LifeSpread)?,
        speed: double(F::Speed)?,
        speed_spread: double(F::SpeedSpread)?,
        direction: double(F::Direction)?,
        elevation: double(F::Elevation)?,
        spread: double(F::Spread)?,
        depth_spread: double(F::DepthSpread)?,
        inherit: double(F::Inherit)?,
        inherit_air: double(F::InheritAir)?,
        plate: wired.has(SOURCE) && values.choice(id(F::ColourFrom), time)? == FROM_SOURCE,
        tracer,
        drag,
        drag_spread,
        drag_by_size: drag_spread > 0.0 && values.switch(id(F::DragBySize), time)?,
        release_delay: double(F::ReleaseDelay)?,
        release_front,
        release_angle: read_if(release_front > 0.0, F::ReleaseAngle)?,
        release_spread: read_if(release_front > 0.0, F::ReleaseSpread)?,
        release_speed,
        release_patch: read_if(release_speed > 0.0 || release_front > 0.0, F::ReleasePatch)?,
        weight: read_if(!tracer, F::Weight)?,
    })
}

fn field(values: &impl Values<Id>, n: usize, wired: Wired, time: f64) -> Result<Option<Field>> {
    use VelocityField as F;
    let id = |field| Id::Velocity(n, field);
    if !wired.has(VELOCITY + n) {
        return Ok(None);
    }
    let scale = number(values, id(F::Scale), time)?;
    if scale == 0.0 {
        return Ok(None);
    }
    let thickness = number(values, id(F::Thickness), time)?;
    Ok(Some(Field {
        number: n,
        scale,
        depth: if thickness > 0.0 { number(values, id(F::Depth), time)? } else { 0.0 },
        thickness,
        fade: number(values, id(F::Fade), time)?,
        group: values.int(id(F::Group), time)?.clamp(0, VELOCITIES as i32),
    }))
}

fn noise(values: &impl Values<Id>, time: f64) -> Result<Vec<Noise>> {
    let mut noise = Vec::new();
    let scales = [(Id::Noise, Id::NoiseSize, 1), (Id::NoiseFine, Id::NoiseFineSize, 2)];
    for (strength, size, place) in scales {
        let strength = number(values, strength, time)?;
        if strength > 0.0 {
            noise.push(Noise {
                strength,
                size: number(values, size, time)?,
                // Small eddies change faster.
                speed: number(values, Id::NoiseSpeed, time)? * f64::from(place),
                seed: values.int(Id::Seed, time)?.wrapping_mul(MOST_SEEDS).wrapping_add(EMITTERS as i32 + place),
            });
        }
    }
    Ok(noise)
}

fn point_force(
    values: &impl Values<Id>,
    [on, centre, depth, radius, strength]: [Id; 5],
    time: f64,
) -> Result<Option<PointForce>> {
    if !values.switch(on, time)? {
        return Ok(None);
    }
    let [x, y] = pair(values, centre, time)?;
    Ok(Some(PointForce {
        centre: [x, y, number(values, depth, time)?],
        radius: number(values, radius, time)?,
        strength: number(values, strength, time)?,
    }))
}

fn solids(values: &impl Values<Id>, wired: Wired, time: f64) -> Result<Solids> {
    let contact = |option: i32| -> Result<Option<Contact>> {
        if option == OFF {
            return Ok(None);
        }
        let sticks = option == STICK;
        let read = |id| if sticks { Ok(0.0) } else { number(values, id, time) };
        Ok(Some(Contact { sticks, bounce: read(Id::Bounce)?, friction: read(Id::Friction)? }))
    };
    let floor = match contact(values.choice(Id::Floor, time)?)? {
        Some(contact) => Some(Floor { height: pair(values, Id::FloorPoint, time)?[1], contact }),
        None => None,
    };
    let matte = if wired.has(OBSTACLES) { contact(values.choice(Id::Obstacles, time)?)? } else { None };
    Ok(Solids { floor, matte })
}
