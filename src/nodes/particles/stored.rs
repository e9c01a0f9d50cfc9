//! The particles as the contents of a file: a list of numbers for each attribute, in rows of [`ROW`].

use std::collections::BTreeMap;
use std::sync::Arc;

use flow_cache::{Blob, BlobRows, Header, Layer};

use super::frame_state::FrameState;
use super::values::Sizes;
use crate::sim::diagnostics::{DIAGNOSTICS, Diagnostic as _};
use crate::sim::particles::{Diagnostics, MODEL_VERSION, Particle, State};
use crate::sim::request;
use crate::timeline::disk::Stored;

/// Name of the model in files.
const MODEL: &str = "org.flowofx.FlowParticles";

/// Values of a row.
pub const ROW: usize = 1024;

/// Names of the attributes of a particle in files. Each is stored as a float; the integers are small enough to be
/// exact.
const ATTRIBUTES: [&str; 16] = [
    "id", "idHigh", "emitter", "born", "fraction", "life", "x", "y", "z", "u", "v", "w", "red", "green", "blue",
    "alpha",
];

/// Bits of the lower part of a particle's number.
const LOW_BITS: u32 = 20;

/// Bit of a particle that sticks, in the number of its emitter.
const STUCK: u8 = 64;

/// The name and the version of the model.
pub fn model() -> (String, u32) {
    (MODEL.to_owned(), MODEL_VERSION)
}

/// The shape of the lists, for particles of these sizes and inputs of so many cells.
pub fn shape(sizes: Sizes, cells: usize) -> Vec<usize> {
    let longest = sizes.particles.max(if sizes.matte { cells } else { 0 });
    vec![ROW, longest.div_ceil(ROW).max(1)]
}

fn attributes(particle: &Particle) -> [f32; ATTRIBUTES.len()] {
    let Particle { id, emitter, stuck, born, fraction, life, position, velocity, colour } = *particle;
    let [low, high] = [(id & ((1 << LOW_BITS) - 1)) as f32, (id >> LOW_BITS) as f32];
    let emitter = f32::from(emitter | if stuck { STUCK } else { 0 });
    let ([x, y, z], [u, v, w], [r, g, b, a]) = (position, velocity, colour);
    [low, high, emitter, born as f32, fraction, life, x, y, z, u, v, w, r, g, b, a]
}

fn particle(values: [f32; ATTRIBUTES.len()]) -> Particle {
    let [low, high, emitter, born, fraction, life, x, y, z, u, v, w, r, g, b, a] = values;
    let emitter = emitter as u8;
    Particle {
        id: low as u64 | (high as u64) << LOW_BITS,
        emitter: emitter & !STUCK,
        stuck: emitter & STUCK != 0,
        born: born as i32,
        fraction,
        life,
        position: [x, y, z],
        velocity: [u, v, w],
        colour: [r, g, b, a],
    }
}

/// A list as a blob of rows; the first row, and the first and last value of each, are padding.
fn blob<'a>(name: &'static str, count: usize, value: impl Fn(usize) -> f32 + Sync + Send + 'a) -> BlobRows<'a> {
    BlobRows::floats(name, move |row, out| {
        let Some(row) = row.checked_sub(1) else { return };
        for (column, out) in out[1..=ROW].iter_mut().enumerate() {
            let place = row * ROW + column;
            if place < count {
                *out = value(place);
            }
        }
    })
}

/// The first `count` values of a list of a file.
fn list(blob: &[f32], count: usize) -> Result<Vec<f32>, String> {
    let rows = blob.chunks_exact(ROW + 2).skip(1);
    let values = request::collected(rows.flat_map(|row| &row[1..=ROW]).take(count).copied());
    if values.len() == count { Ok(values) } else { Err("it has too few values".to_owned()) }
}

/// The particles of a file; `cells`: values of the Emission matte.
///
/// # Errors
/// The reason why the file is no state of particles.
pub fn restore(header: &Header, blobs: Vec<Blob>, cells: usize) -> Result<FrameState, String> {
    let number = |name: &str| header.numbers.get(name).copied().ok_or_else(|| format!("{name} is missing"));
    let blobs = blobs.into_iter().map(Blob::into_floats).collect::<Result<BTreeMap<_, _>, _>>()?;
    let count = usize::try_from(number("particles")?).map_err(|_| "it has too many particles")?;
    let read = |name: &str, count: usize| list(blobs.get(name).ok_or_else(|| format!("{name} is missing"))?, count);
    let lists = ATTRIBUTES.iter().map(|name| read(name, count)).collect::<Result<Vec<_>, _>>()?;
    let particles = (0..count).map(|place| particle(std::array::from_fn(|list| lists[list][place])));
    let matte = if blobs.contains_key("matte") { Some(Arc::new(read("matte", cells)?)) } else { None };
    let mut births = [0.0; 4];
    for (emitter, births) in births.iter_mut().enumerate() {
        *births = f64::from_bits(number(&format!("births{emitter}"))?);
    }
    let time = f64::from_bits(number("time")?);
    let particles = State { time, particles: Arc::new(request::collected(particles)), births, matte };
    Ok(FrameState { particles, diagnostics: Diagnostics::read(DIAGNOSTICS, &header.numbers) })
}

impl Stored for FrameState {
    fn header(&self) -> Header {
        let State { time, particles, births, .. } = &self.particles;
        let mut numbers =
            BTreeMap::from([("time".to_owned(), time.to_bits()), ("particles".to_owned(), particles.len() as u64)]);
        for (emitter, births) in births.iter().enumerate() {
            numbers.insert(format!("births{emitter}"), births.to_bits());
        }
        self.diagnostics.write(DIAGNOSTICS, &mut numbers);
        Header { origin: vec![0.0; 2], cells_per_pixel: 1.0, numbers, ..Header::default() }
    }

    fn show(&self, to: &mut dyn FnMut(&[BlobRows<'_>], &[Layer<'_>])) {
        let State { particles, matte, .. } = &self.particles;
        let own = |place: usize| {
            blob(ATTRIBUTES[place], particles.len(), move |number| attributes(&particles[number])[place])
        };
        let mut blobs: Vec<BlobRows<'_>> = (0..ATTRIBUTES.len()).map(own).collect();
        if let Some(matte) = matte {
            blobs.push(blob("matte", matte.len(), move |place| matte[place]));
        }
        to(&blobs, &[]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attributes_of_a_particle_come_back_from_floats() {
        for (id, born, stuck) in [(0, 1, false), ((1 << 40) + 12_345, -1_000_000, true), (999_999_999, 1001, false)] {
            let colour = [1.5, f32::MIN_POSITIVE, -0.0, 1.0];
            let (position, velocity) = ([1e6, -3.25, 1e-20], [0.1, 0.2, 0.3]);
            let whole = Particle { id, emitter: 3, stuck, born, fraction: 0.3, life: 60.5, position, velocity, colour };
            assert_eq!(particle(attributes(&whole)), whole);
        }
    }
}
