//! One frame: particles that live on move, others are born, and those at the end of their life are left out.

use std::sync::Arc;

use super::air::Air;
use super::births::first_from;
use super::emit::Source;
use super::fields::FieldGrid;
use super::grids::FluidGrid;
use super::inputs::Inputs;
use super::motion::{length, push, sub_step, trace};
use super::random::{Purpose, units};
use super::regions::Region;
use super::release::threshold;
use super::settings::{EMITTERS, Emitter, Settings, Shape};
use super::solids::SolidBodies;
use super::state::{Diagnostics, Particle, State};
use crate::sim::grid::Grid;
use crate::sim::maths::bounded;
use crate::sim::request;

/// Number of particles that are advanced between two polls for an abort of the render.
const BATCH: usize = 1 << 16;

/// Number of particles whose pixels are read before they move: these stay in the cache of one core.
const TOUCHED: usize = 64;

/// Farthest position, pixels.
const FAR: f64 = 1e7;

/// Threads for particles.
pub trait Workers: Sync {
    /// Calls `work` with pieces of the particles that together are all of them, on any threads, and blocks until all
    /// calls have returned.
    fn pieces(&self, particles: &mut [Particle], work: impl Fn(&mut [Particle]) + Sync);
}

/// The emitters, the air and the solids of a frame.
struct Frame<'a> {
    /// Time at the start of the frame.
    start: f64,
    /// End of the step, as a share of the frame.
    share: f64,
    sources: [Option<Source<'a>>; EMITTERS],
    air: Air<'a>,
    solids: SolidBodies<'a>,
}

/// The state after the fraction `share` of a frame, from the state one frame earlier or, without one, from no
/// particles. `None` after `go_on`, which is called on this thread, has returned false.
pub fn advance(
    grid: &Grid,
    settings: &Settings,
    inputs: &Inputs,
    before: Option<&State>,
    share: f64,
    workers: &impl Workers,
    go_on: &mut dyn FnMut() -> bool,
) -> Option<(State, Diagnostics)> {
    let emitters: Vec<Emitter> = settings.emitters.iter().map(|emitter| counted(settings, emitter, before)).collect();
    let mut sources = [const { None }; EMITTERS];
    for emitter in emitters.iter().filter(|emitter| emitter.number < EMITTERS) {
        sources[emitter.number] = Some(Source::new(emitter, grid, inputs, before));
    }
    let pictures = settings.fields.iter().filter_map(|field| Some((field, inputs.fields.get(field.number)?.as_ref()?)));
    let fields = pictures.map(|(field, pixels)| Region::Picture(FieldGrid::new(field, grid, pixels)));
    let states = settings.grids.iter().filter_map(|place| Some((place, inputs.grids.get(place.number)?.as_ref()?)));
    let grids = states.map(|(place, state)| Region::Grid(FluidGrid::new(place, state)));
    let start = settings.frame as f64 - 1.0;
    let frame = Frame {
        start,
        share,
        sources,
        air: Air::new(settings, fields.chain(grids).collect(), grid.cells_per_pixel),
        solids: SolidBodies::new(settings, grid, inputs.obstacles.as_ref()),
    };
    let (mut particles, mut diagnostics) = frame.list(settings, before);
    for batch in particles.chunks_mut(BATCH) {
        if !go_on() {
            return None;
        }
        workers.pieces(
            batch,
            #[inline(always)]
            |piece| {
                for particles in piece.chunks_mut(TOUCHED) {
                    frame.air.touch(particles);
                    for particle in particles {
                        frame.advance(particle);
                    }
                }
            },
        );
    }
    let time = start + share;
    particles.retain(|particle| particle.lives(time));
    diagnostics.particles = particles.len() as u64;
    let mut births = before.map_or([0.0; EMITTERS], |before| before.births);
    for emitter in emitters.iter().filter(|emitter| emitter.number < EMITTERS) {
        births[emitter.number] = if share < 1.0 { emitter.births.before } else { emitter.births.after() };
    }
    let edge = settings.emitters.iter().any(|emitter| emitter.shape == Shape::Edge);
    let matte = inputs.emission.as_ref().filter(|_| edge);
    let matte = matte.map(|pixels| Arc::new(request::collected(pixels.iter().map(|pixel| pixel[3]))));
    Some((State { time, particles: Arc::new(particles), births, matte }, diagnostics))
}

/// The emitter, whose births are counted from those of the state before where the settings do not know their number.
fn counted(settings: &Settings, emitter: &Emitter, before: Option<&State>) -> Emitter {
    let mut emitter = *emitter;
    if !settings.counted
        && let Some(births) = before.and_then(|before| before.births.get(emitter.number))
    {
        emitter.births.before = *births;
    }
    emitter
}

/// Drag of the particle `n` of an emitter, per frame.
#[inline(always)]
fn drag(emitter: &Emitter, n: u64) -> f64 {
    if emitter.drag_spread == 0.0 {
        return emitter.drag;
    }
    let [of_drag, ..] = units(emitter.seed, n, Purpose::Drag);
    emitter.drag * (1.0 + (2.0 * of_drag - 1.0) * emitter.drag_spread)
}

impl Frame<'_> {
    /// The particles of the frame in their order: those that live on, and new ones with a number, a time of birth and a
    /// life of 0.
    fn list(&self, settings: &Settings, before: Option<&State>) -> (Vec<Particle>, Diagnostics) {
        let old: &[Particle] = before.map_or(&[], |before| &before.particles);
        let time = self.start + self.share;
        let mut diagnostics = Diagnostics::default();
        let mut particles = request::with_capacity(old.len());
        let mut rest = old;
        for (number, source) in self.sources.iter().enumerate() {
            let own = rest.partition_point(|particle| usize::from(particle.emitter) <= number);
            let (old, others) = rest.split_at(own);
            rest = others;
            let Some(Source { emitter, .. }) = source else { continue };
            let born = emitter.births.numbers(self.share);
            // Recycling: beyond the capacity, the birth of a particle ends the oldest one.
            let first = first_from(emitter.births.at(self.share)).saturating_sub(emitter.capacity as u64);
            let recycled = old.iter().any(|particle| particle.id < first && particle.lives(time));
            diagnostics.recycled |= u64::from(recycled) << number;
            diagnostics.births += born.end - born.start;
            request::extend(
                &mut particles,
                old.iter().filter(|particle| particle.id >= first && particle.lives(time)).copied(),
            );
            let there = |n: &u64| units(emitter.seed, *n, Purpose::Detail)[0] < settings.share;
            let new = (born.start.max(first)..born.end).filter(there).map(|id| Particle {
                id,
                emitter: number as u8,
                born: settings.frame as i32,
                fraction: emitter.births.time(id) as f32,
                ..Particle::default()
            });
            request::extend(&mut particles, new);
        }
        (particles, diagnostics)
    }

    /// Whether the air is faster than the threshold of a particle at rest, as for sand in wind. Evaluated once a frame,
    /// at the start of the step. `left`: the part of the step from there on.
    #[cold]
    fn releases(&self, particle: &Particle, emitter: &Emitter, left: f64) -> bool {
        let place = particle.position.map(f64::from);
        let air = self.air.velocity(place, self.start + self.share - left);
        length(air) >= threshold(emitter, particle.id, place)
    }

    /// Moves a particle to the end of the step, from its birth if it is new.
    #[inline(always)]
    fn advance(&self, particle: &mut Particle) {
        let Some(source) = self.sources.get(usize::from(particle.emitter)).and_then(Option::as_ref) else { return };
        let mut left = self.share;
        if particle.life == 0.0 {
            source.bear(particle, self.start, &self.air);
            left -= f64::from(particle.fraction);
        }
        if particle.life == 0.0 || particle.stuck {
            return;
        }
        if source.emitter.delays() {
            let (start, end) = (particle.birth(), self.start + self.share);
            if start >= end {
                return;
            }
            if start >= self.start {
                let place = particle.position.map(f64::from);
                particle.velocity = source.start_velocity(particle.id, place, start, &self.air);
                left = end - start;
            }
        }
        let Emitter { tracer, weight, release_speed, .. } = *source.emitter;
        if release_speed > 0.0 && particle.velocity == [0.0; 3] && !self.releases(particle, source.emitter, left) {
            return;
        }
        let drag = drag(source.emitter, particle.id);
        let mut motion = (particle.position.map(f64::from), particle.velocity.map(f64::from));
        while left > 0.0 && !particle.stuck {
            let now = self.start + self.share - left;
            let place = motion.0;
            let (next, h);
            if tracer {
                let start = self.air.velocity(place, now);
                h = sub_step(left, length(start), self.air.cell(place, now));
                next = trace(
                    place,
                    start,
                    h,
                    #[inline(always)]
                    |place, after| self.air.velocity(place, now + after),
                );
            } else {
                h = sub_step(left, length(motion.1), self.air.cell(place, now));
                let air = |place: [f64; 3], after: f64| self.air.velocity(place, now + after);
                next = push(motion, h, drag, air, |place| self.air.acceleration(place, weight));
            }
            (motion, particle.stuck) = self.solids.meet(place, next);
            left -= h;
        }
        particle.position = motion.0.map(|x| bounded(x, FAR) as f32);
        particle.velocity = motion.1.map(|v| bounded(v, FAR) as f32);
    }
}
