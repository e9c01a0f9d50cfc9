//! One frame: particles that live on move, others are born, and those at the end of their life are left out.

use std::sync::Arc;

use super::air::Air;
use super::births::first_from;
use super::emit::Source;
use super::fields::FieldGrid;
use super::grids::FluidGrid;
use super::inputs::Inputs;
use super::motion::{Motion, length, push, sub_step, trace};
use super::random::{Purpose, units};
use super::regions::Region;
use super::release::threshold;
use super::settings::{EMITTERS, Emitter, Settings, Shape};
use super::solids::SolidBodies;
use super::state::{Diagnostics, Particle, State};
use crate::sim::batch::{BATCH, Batch, Batch3, at, each, splat, sum};
use crate::sim::grid::Grid;
use crate::sim::maths::bounded;
use crate::sim::request;

/// Number of particles that are advanced between two polls for an abort of the render.
const POLLED: usize = 1 << 16;

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
    for piece in particles.chunks_mut(POLLED) {
        if !go_on() {
            return None;
        }
        workers.pieces(
            piece,
            #[inline(always)]
            |piece| {
                for particles in piece.chunk_by_mut(|a, b| a.emitter == b.emitter) {
                    frame.advance(particles);
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
    let of_drag = if emitter.drag_by_size {
        let [of_size, ..] = units(emitter.seed, n, Purpose::Sprite);
        1.0 - of_size
    } else {
        let [of_drag, ..] = units(emitter.seed, n, Purpose::Drag);
        of_drag
    };
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

    /// Moves the particles of one emitter to the end of the step, from their birth if they are new.
    #[inline(always)]
    fn advance(&self, particles: &mut [Particle]) {
        let number = particles.first().map_or(EMITTERS, |particle| usize::from(particle.emitter));
        let Some(source) = self.sources.get(number).and_then(Option::as_ref) else { return };
        let Emitter { tracer, weight, .. } = *source.emitter;
        let mut moving = Moving::new();
        let mut next = 0;
        loop {
            next = self.fill(&mut moving, source, particles, next);
            let now = each(
                #[inline(always)]
                |n| self.start + self.share - moving.left[n],
            );
            let rests = moving.thresholds != [0.0; BATCH];
            let winds = if tracer || rests { self.air.velocities(&moving.positions, &now) } else { splat([0.0; 3]) };
            if rests {
                moving.release(&winds);
            }
            if moving.particles == [None; BATCH] {
                if next == particles.len() {
                    return;
                }
                continue;
            }
            let Moving { positions, velocities, left, drags, .. } = &moving;
            let speeds = if tracer { &winds } else { velocities };
            let cells = self.air.cells(positions, &now);
            let h = each(
                #[inline(always)]
                |n| sub_step(left[n], length(at(speeds, n)), cells[n]),
            );
            let (ends, speeds) = if tracer {
                trace(
                    positions,
                    &winds,
                    &h,
                    #[inline(always)]
                    |positions, after| self.air.velocities(positions, &sum(&now, after)),
                )
            } else {
                push(
                    &(*positions, *velocities),
                    &h,
                    drags,
                    #[inline(always)]
                    |positions, after| self.air.velocities(positions, &sum(&now, after)),
                    |position| self.air.acceleration(position, weight),
                )
            };
            for (n, h) in h.into_iter().enumerate() {
                let Some(index) = moving.particles[n] else { continue };
                let particle = &mut particles[index];
                let mut motion = (at(&ends, n), at(&speeds, n));
                if !self.solids.is_empty() {
                    (motion, particle.stuck) = self.solids.meet(at(&moving.positions, n), motion);
                }
                moving.left[n] -= h;
                if moving.left[n] > 0.0 && !particle.stuck {
                    moving.set(n, motion);
                } else {
                    for axis in 0..3 {
                        particle.position[axis] = bounded(motion.0[axis], FAR) as f32;
                        particle.velocity[axis] = bounded(motion.1[axis], FAR) as f32;
                    }
                    moving.leave(n);
                }
            }
        }
    }

    /// The part of the step that is left to a particle of an emitter that delays: none before its release, where its
    /// velocity is set. `left`: that of a particle which is born or moves.
    #[cold]
    fn start_late(&self, source: &Source<'_>, particle: &mut Particle, left: f64) -> f64 {
        let release = particle.birth();
        if particle.life == 0.0 || release < self.start {
            return left;
        }
        let rest = self.start + self.share - release;
        if rest > 0.0 {
            particle.velocity =
                source.start_velocity(particle.id, particle.position.map(f64::from), release, &self.air);
        }
        rest
    }

    /// Bears particles from `next` on, and fills free lanes with those that move in this step. Returns the index of the
    /// next particle.
    #[inline(always)]
    fn fill(&self, moving: &mut Moving, source: &Source<'_>, particles: &mut [Particle], mut next: usize) -> usize {
        let emitter = source.emitter;
        for n in 0..BATCH {
            while moving.particles[n].is_none()
                && let Some(particle) = particles.get_mut(next)
            {
                let mut left = self.share;
                // One that waits is released in its time where the emitter has no delay any more, too.
                let waits = particle.life != 0.0 && particle.velocity == [0.0; 3] && particle.birth() >= self.start;
                if particle.life == 0.0 {
                    source.bear(particle, self.start, &self.air);
                    left -= f64::from(particle.fraction);
                }
                if waits || emitter.delays() {
                    left = self.start_late(source, particle, left);
                }
                if particle.life != 0.0 && !particle.stuck && left > 0.0 {
                    let rests = emitter.release_speed > 0.0 && particle.velocity == [0.0; 3];
                    moving.particles[n] = Some(next);
                    moving.left[n] = left;
                    moving.drags[n] = drag(emitter, particle.id);
                    moving.thresholds[n] = if rests { threshold(emitter, particle) } else { 0.0 };
                    let ([x, y, z], [u, v, w]) = (particle.position, particle.velocity);
                    let position = [f64::from(x), f64::from(y), f64::from(z)];
                    moving.set(n, (position, [f64::from(u), f64::from(v), f64::from(w)]));
                }
                next += 1;
            }
        }
        next
    }
}

/// Particles on their way through a frame, one a lane. A lane is free again when its particle has arrived.
struct Moving {
    /// Indices of the particles.
    particles: [Option<usize>; BATCH],
    positions: Batch3,
    velocities: Batch3,
    /// Time up to the end of the step; 0 in free lanes.
    left: Batch,
    drags: Batch,
    /// Speeds of the air that release the particles, which rest below; 0 for those that move.
    thresholds: Batch,
}

impl Moving {
    /// Free lanes.
    fn new() -> Self {
        let zeros = [0.0; BATCH];
        Self {
            particles: [None; BATCH],
            positions: [zeros; 3],
            velocities: [zeros; 3],
            left: zeros,
            drags: zeros,
            thresholds: zeros,
        }
    }

    #[inline(always)]
    fn set(&mut self, n: usize, (position, velocity): Motion) {
        for axis in 0..3 {
            (self.positions[axis][n], self.velocities[axis][n]) = (position[axis], velocity[axis]);
        }
    }

    #[inline(always)]
    fn leave(&mut self, n: usize) {
        (self.particles[n], self.left[n], self.thresholds[n]) = (None, 0.0, 0.0);
    }

    /// Releases particles at rest into faster air. The others leave.
    #[inline(always)]
    fn release(&mut self, winds: &Batch3) {
        for n in 0..BATCH {
            let released = length(at(winds, n)) >= self.thresholds[n];
            if self.thresholds[n] > 0.0 && !released {
                self.leave(n);
            }
            self.thresholds[n] = 0.0;
        }
    }
}
