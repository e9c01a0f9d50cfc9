//! What a simulation is made of, found out from the node: for a render, and for whoever simulates without a picture.

use std::sync::Arc;

use super::cache::Wish;
use super::controls::Id;
use super::feed::ClipFeed;
use super::geometry::{self, Rect};
use super::initial::Initial;
use super::instance::Instance;
use super::params::Panel;
use super::shot::{FlowShot, Start};
use super::values::{Setup, Values as _};
use crate::compute::cpu::Cpu;
use crate::nodes::engine::{Wanted, engine};
use crate::nodes::quirks;
use crate::ofx::{EffectHandle, Error, Result};
use crate::sim::{Device, Spec};
use crate::timeline::{Digest, Fingerprint as _};

/// The most frames that a chain may be long: over an hour of film, and a few seconds of reading parameters.
const LONGEST: i64 = 100_000;

/// A node's simulation at one time.
pub struct Stage {
    /// What holds for all frames.
    pub setup: Setup,
    /// What holds for the simulation.
    pub spec: Spec,
    /// Threads for pictures and files.
    pub cpu: Arc<Cpu>,
    /// What simulates.
    pub device: Arc<dyn Device>,
    /// What the artist wants to simulate.
    pub wanted_device: Wanted,
    /// The folder on disk.
    pub cache: Wish,
    initial: Option<Initial>,
    scale: [f64; 2],
}

impl Stage {
    /// Of a node at a time; `region` is what it covers, `scale` that of the pictures.
    ///
    /// # Errors
    /// The host can't be asked, or the grid is too large.
    pub fn new(
        instance: &Instance,
        effect: &EffectHandle<'_>,
        time: f64,
        setup: Setup,
        region: Rect,
        scale: [f64; 2],
    ) -> Result<Self> {
        let panel = instance.panel(effect, setup.start);
        let store = engine().store();
        let g = setup.resolution * if setup.scaled { scale[0] } else { 1.0 };
        let grid = geometry::grid(region, g, store.machine_memory()).map_err(Error::Message)?;
        let spec = Spec { grid, constants: setup.constants };
        instance.lease.set(u64::try_from(panel.int(Id::MemoryBudget, time)?).unwrap_or(0) << 20);
        let wanted_device = wanted_device(panel.choice(Id::Device, time)?);
        let cpu = engine().cpu(quirks::processors(effect.host()));
        let device = engine().device(wanted_device, &cpu);
        let cache = Wish::read(&panel, time)?;
        let initial = Initial::read(&panel, time, &spec)?;
        // What is simulated before a start is to make that start, and here it is given.
        let setup = if initial.is_some() { Setup { preroll: 0, ..setup } } else { setup };
        Ok(Self { setup, spec, cpu, device, wanted_device, cache, initial, scale })
    }

    /// The clips as its pictures, for a render of the frame `wanted`.
    pub fn feed<'e>(&'e self, instance: &'e Instance, effect: &'e EffectHandle<'e>, wanted: i64) -> ClipFeed<'e> {
        let mut sampling = Digest::new("sampling");
        self.spec.grid.enter(&mut sampling);
        let times = [self.setup.start as f64, wanted as f64];
        ClipFeed::new(effect, &instance.clips, &self.cpu, self.scale, sampling.finish(), times)
    }

    /// The simulation as the timeline wants it.
    pub fn shot<'s, 'e>(
        &'s self,
        panel: &'s Panel<'e>,
        feed: &'s mut ClipFeed<'e>,
    ) -> FlowShot<'s, Panel<'e>, ClipFeed<'e>> {
        let start = Start { initial: self.initial.as_ref(), cpu: &self.cpu };
        FlowShot::new(panel, feed, &*self.device, self.setup, self.spec, start)
    }
}

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

/// What an option of the `device` choice means.
fn wanted_device(option: i32) -> Wanted {
    match option {
        1 => Wanted::Gpu,
        2 => Wanted::Cpu,
        _ => Wanted::Auto,
    }
}
