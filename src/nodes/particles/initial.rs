//! A file as the start of the particles.

use std::sync::{Mutex, PoisonError};

use flow_cache::{Pool, Wanted};

use super::FlowParticles;
use super::controls::Id;
use super::stored;
use crate::nodes::common::initial::{Initial, Loaded};
use crate::nodes::common::node::Node as _;
use crate::nodes::common::shared::Shared;
use crate::nodes::common::values::Values;
use crate::nodes::engine::engine;
use crate::ofx::Result;
use crate::picture::particles;
use crate::sim::particles::{Initial as Facts, LeftOut, MODEL_VERSION, Particle, Settings, State, begin};
use crate::sim::request;

/// Largest file: more than the particles of all emitters at their largest capacity.
const MOST_BYTES: u64 = 2 << 30;

/// Largest number of files whose facts are remembered.
const MOST_KNOWN: usize = 16;

/// Facts about the files that the process has read, by the hash of the file.
static KNOWN: Mutex<Vec<(u128, Facts)>> = Mutex::new(Vec::new());

/// A file that the simulation starts from.
pub struct Start {
    /// The file.
    pub file: Initial,
    /// Facts about its particles.
    pub facts: Facts,
    /// The frame that it is the state of.
    frame: i64,
}

impl Start {
    /// The file on the panel; `None` if no file is set. `shape`: that of the node's cached frames, whose matte has
    /// `cells` values.
    ///
    /// # Errors
    /// The file cannot be used; the error is a text for the artist.
    pub fn read(
        values: &impl Values<Id>,
        time: f64,
        (shape, cells): (&[usize], usize),
        threads: &dyn Pool,
    ) -> Result<Option<Self>> {
        let text = values.text(Id::Shared(Shared::InitialState), time);
        let (model, _) = stored::model();
        let Some(file) = Initial::read_any(&text, |theirs, found| theirs == model && found == shape)? else {
            return Ok(None);
        };
        let frame = i64::from(values.int(Id::Shared(Shared::StartFrame), time)?);
        let lock = || KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
        let known = lock().iter().find(|(hash, _)| *hash == file.hash()).map(|(_, facts)| *facts);
        if let Some(facts) = known {
            return Ok(Some(Self { file, facts, frame }));
        }
        let facts = contents(&file, cells, threads)?.1;
        let mut all = lock();
        if all.len() >= MOST_KNOWN {
            all.remove(0);
        }
        all.push((file.hash(), facts));
        Ok(Some(Self { file, facts, frame }))
    }

    /// Whether a frame without a state before it is that of the file.
    pub fn is_at(&self, frame: &Settings) -> bool {
        frame.frame == self.frame
    }

    /// The state of the first frame; `made` is the one without the file.
    ///
    /// # Errors
    /// The file has changed, or cannot be read; the error is a text for the artist.
    pub fn begin(&self, settings: &Settings, made: State, cells: usize, threads: &dyn Pool) -> Result<State> {
        let (particles, _) = contents(&self.file, cells, threads)?;
        let (state, left) = begin(settings, &particles, &self.facts, made);
        for text in notices(left) {
            engine().notices().add(FlowParticles::ABOUT.folder, &text);
        }
        Ok(state)
    }
}

/// The particles of a file with births relative to its time, and facts about them.
fn contents(file: &Initial, cells: usize, threads: &dyn Pool) -> Result<(Vec<Particle>, Facts)> {
    if !file.is_exact() {
        let particles = particles::read(&file.bytes(MOST_BYTES)?).map_err(|why| file.refused(&why))?;
        let facts = Facts::of(&particles);
        return Ok((particles, facts));
    }
    let nothing = Wanted { alpha: "", layers: &[] };
    let Loaded::State(header, blobs) = file.load(MODEL_VERSION..=MODEL_VERSION, &nothing, threads)? else {
        return Err(file.refused("it is no frame of particles."));
    };
    let State { time, particles, births, .. } =
        stored::restore(&header, blobs, cells).map_err(|why| file.unfit(&why))?.particles;
    let born = |particle: &Particle| (i64::from(particle.born) - time as i64) as i32;
    let particles: Vec<Particle> =
        request::collected(particles.iter().map(|particle| Particle { born: born(particle), ..*particle }));
    let facts = Facts { births, ..Facts::of(&particles) };
    Ok((particles, facts))
}

/// Texts about particles that are left out.
fn notices(LeftOut { off, over }: LeftOut) -> Vec<String> {
    let number = |(place, count): (usize, u64)| (count > 0).then(|| format!("{count} of emitter {}", place + 1));
    let listed = |counts: [u64; 4]| counts.into_iter().enumerate().filter_map(number).collect::<Vec<_>>().join(", ");
    let [off, over] = [listed(off), listed(over)];
    let mut texts = Vec::new();
    if !off.is_empty() {
        texts.push(format!(
            "Particles of the Initial state are left out, because their emitter is off: {off}. Turn the emitter on, with a \
             Rate of 0 if it shall bear none."
        ));
    }
    if !over.is_empty() {
        texts.push(format!(
            "The oldest particles of the Initial state are left out, because there are more than the Capacity: {over}. Raise \
             Capacity."
        ));
    }
    texts
}
