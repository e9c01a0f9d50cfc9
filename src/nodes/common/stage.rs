//! What a simulation is made of, found out from the node: for a render, and for whoever simulates without a picture.

use std::sync::Arc;

use super::cache::Wish;
use super::controls::Controls as _;
use super::feed::ClipFeed;
use super::geometry::{self, Rect};
use super::instance::Instance;
use super::need::Need;
use super::node::{Node, Simulation as _};
use super::params::Panel;
use super::shared::Shared;
use super::shot::NodeShot;
use super::values::{Setup, Values as _};
use crate::compute::cpu::Cpu;
use crate::nodes::engine::{Wanted, engine};
use crate::nodes::quirks;
use crate::ofx::{EffectHandle, Error, Result};
use crate::sim::fingerprint::{Digest, Fingerprint as _};
use crate::sim::grid::Grid;

/// The most frames that a chain may be long: over an hour of film, and a few seconds of reading parameters.
const LONGEST: i64 = 100_000;

/// A node's simulation at one time.
pub struct Stage<N: Node> {
    /// What holds for all frames of a simulation of any node.
    pub setup: Setup,
    /// The cells over all that the node covers.
    pub grid: Grid,
    /// What the node simulates.
    pub simulation: N::Simulation,
    /// Threads for pictures and files.
    pub cpu: Arc<Cpu>,
    /// The folder on disk.
    pub cache: Wish,
    /// Memory of a frame.
    pub need: Need,
    scale: [f64; 2],
}

impl<N: Node> Stage<N> {
    /// Of a node at a time; `region` is what it covers, `scale` that of the pictures.
    ///
    /// # Errors
    /// The host can't be asked, or the grid is too large.
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
        let whole = geometry::grid(region, g);
        let (grid, fewer) = N::Simulation::grid(&panel, time, whole)?;
        let bytes = N::ABOUT.bytes_per_cell;
        // A limit that was raised meanwhile counts.
        let fits = |memory| geometry::check(&grid, bytes, &memory, fewer);
        fits(store.known_ceiling()).or_else(|_| fits(store.ceiling()))?;
        let need = Need::new(&grid, bytes, fewer);
        instance.lease.set(u64::try_from(panel.int(id(Shared::MemoryBudget), time)?).unwrap_or(0) << 20);
        let wanted = Wanted::of_option(panel.choice(id(Shared::Device), time)?);
        let cpu = engine().cpu(quirks::processors(effect.host()));
        let cache = Wish::read::<N>(&panel, time)?;
        let simulation = N::Simulation::new(&panel, time, grid, wanted, &cpu)?;
        // What is simulated before a start is to make that start, and here it is given.
        let setup = if simulation.initial().is_some() { Setup { preroll: 0, ..setup } } else { setup };
        Ok(Self { setup, grid: whole, simulation, cpu, cache, need, scale })
    }

    /// The clips as its pictures, for a render of the frame `wanted`.
    pub fn feed<'e>(&'e self, instance: &'e Instance<N>, effect: &'e EffectHandle<'e>, wanted: i64) -> ClipFeed<'e> {
        let mut sampling = Digest::new("sampling");
        self.grid.enter(&mut sampling);
        let times = [wanted as f64, self.setup.start as f64];
        ClipFeed::new(effect, &instance.clips, &self.cpu, self.scale, sampling.finish(), times)
    }

    /// The simulation as the timeline wants it.
    pub fn shot<'s, 'e>(
        &'s self,
        instance: &'s Instance<N>,
        panel: &'s Panel<'e, N::Id>,
        feed: &'s mut ClipFeed<'e>,
    ) -> RenderShot<'s, 'e, N> {
        let mut stamp = Digest::new("stamp");
        stamp.int(engine().edits() as i64);
        panel.unplaced_in.iter().flatten().for_each(|side| stamp.real(*side));
        let mut shot = NodeShot::new(panel, feed, &self.simulation, self.setup, self.grid)
            .with_cache(&instance.settings, stamp.finish());
        shot.need = Some(self.need);
        shot
    }
}

/// A shot of values and pictures of the host.
pub type RenderShot<'s, 'e, N> = NodeShot<'s, N, Panel<'e, <N as Node>::Id>, ClipFeed<'e>>;

/// Refuses frames that are too far from the first one.
///
/// # Errors
/// In the artist's words.
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
