//! The parts of a node's simulation, for a render or a bake.

use std::sync::Arc;

use super::cache::CacheRequest;
use super::chain::{NodeChain, StateOf};
use super::clips::ClipImages;
use super::controls::Controls as _;
use super::geometry::{self, Rect};
use super::instance::Instance;
use super::memory::MemoryEstimate;
use super::node::{Node, Simulation as _};
use super::params::Panel;
use super::shared::Shared;
use super::values::{Setup, Values as _};
use crate::compute::cpu::Cpu;
use crate::nodes::engine::{Wanted, engine};
use crate::nodes::quirks;
use crate::ofx::{EffectHandle, Error, Result};
use crate::sim::fingerprint::{Digest, Fingerprint as _};
use crate::sim::grid::Grid;
use crate::timeline::disk::Disk;

/// Largest number of frames of a chain: over an hour of film, and a few seconds of reading parameters.
const LONGEST: i64 = 100_000;

/// A node's simulation for one render or bake.
pub struct Job<N: Node> {
    /// Settings that every node has.
    pub setup: Setup,
    /// The raster of the node.
    pub raster: Grid,
    /// The simulation.
    pub simulation: N::Simulation,
    /// Threads for pictures and files.
    pub cpu: Arc<Cpu>,
    /// The disk cache.
    pub cache: CacheRequest,
    /// Memory of a frame.
    pub memory: MemoryEstimate,
    scale: [f64; 2],
}

impl<N: Node> Job<N> {
    /// The job of a node at a time, over a `region`, with pictures at a `scale`.
    ///
    /// # Errors
    /// The host cannot be asked, or the grid is too large.
    pub fn new(
        instance: &Instance<N>,
        effect: &EffectHandle<'_>,
        time: f64,
        setup: Setup,
        region: Rect,
        scale: [f64; 2],
    ) -> Result<Self> {
        let panel = instance.panel(effect, setup.start);
        let id = N::Id::shared;
        let store = engine().store();
        let g = setup.resolution * if setup.scaled { scale[0] } else { 1.0 };
        let raster = geometry::raster(geometry::widened(region, N::overscan(&panel, time)?), g);
        let size = N::Simulation::size(&panel, time, &raster)?;
        let bytes = N::ABOUT.bytes_per_cell;
        // Queries the system again if the known limit is too low: it may have been raised.
        let fits = |memory| geometry::check(&size, bytes, &memory);
        fits(store.known_ceiling()).or_else(|_| fits(store.ceiling()))?;
        let memory = MemoryEstimate::new(size, bytes);
        instance.lease.set(u64::try_from(panel.int(id(Shared::MemoryBudget), time)?).unwrap_or(0) << 20);
        let wanted = Wanted::of_option(panel.choice(id(Shared::Device), time)?);
        let cpu = engine().cpu(quirks::processors(effect.host()));
        let cache = CacheRequest::read::<N>(&panel, time)?;
        let mut simulation = N::Simulation::new(&panel, time, raster, wanted, &cpu)?;
        if let Some(cache) = cache.cache() {
            simulation.keep_parts(cache, &instance.on_disk);
        }
        // The first frame is a file: no pre-roll computes it.
        let setup = if simulation.initial().is_some() { Setup { preroll: 0, ..setup } } else { setup };
        Ok(Self { setup, raster, simulation, cpu, cache, memory, scale })
    }

    /// The disk cache of the frames' states, if any.
    pub fn disk<'a>(&'a self, instance: &'a Instance<N>) -> Option<Disk<'a, StateOf<N>>> {
        let cache = self.cache.cache().filter(|_| self.simulation.keeps_frames())?;
        Some(cache.disk::<N>(&self.simulation, &self.cpu, &instance.on_disk))
    }

    /// The images of the clips, for a render of the frame `wanted`.
    pub fn images<'e>(
        &'e self,
        instance: &'e Instance<N>,
        effect: &'e EffectHandle<'e>,
        wanted: i64,
    ) -> ClipImages<'e> {
        let mut sampling = Digest::new("sampling");
        self.raster.enter(&mut sampling);
        let times = [wanted as f64, self.setup.start as f64];
        ClipImages::new(effect, &instance.clips, &self.cpu, self.scale, sampling.finish(), times)
    }

    /// The chain of frames for the timeline.
    pub fn chain<'s, 'e>(
        &'s self,
        instance: &'s Instance<N>,
        panel: &'s Panel<'e, N::Id>,
        images: &'s mut ClipImages<'e>,
    ) -> RenderChain<'s, 'e, N> {
        let mut stamp = Digest::new("stamp");
        stamp.int(engine().edits() as i64);
        panel.unplaced_in.iter().flatten().for_each(|side| stamp.real(*side));
        let mut chain = NodeChain::new(panel, images, &self.simulation, self.setup, self.raster)
            .with_cache(&instance.settings, stamp.finish());
        chain.memory = Some(self.memory.clone());
        chain
    }
}

/// A chain of the host's values and images.
pub type RenderChain<'s, 'e, N> = NodeChain<'s, N, Panel<'e, <N as Node>::Id>, ClipImages<'e>>;

/// Refuses frames too far from the first one.
///
/// # Errors
/// The frame is too far away: a text for the artist.
pub fn check_length(setup: &Setup, frame: i64) -> Result<()> {
    if frame.saturating_sub(setup.first()) <= LONGEST {
        return Ok(());
    }
    Err(Error::message(format!(
        "Frame {frame} is more than {LONGEST} frames after the first frame of the simulation ({}). Raise Start frame, or \
         lower Pre-roll.",
        setup.first()
    )))
}
