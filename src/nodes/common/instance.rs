//! A node in a graph: handles and caches. The states are in the process-wide store.

use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, PoisonError};

use super::chain::FrameOf;
use super::clips::{Clips, Extent, rect};
use super::controls::{Controls, Invalidates, Kind};
use super::describe::OUTPUT;
use super::geometry::Rect;
use super::identity::Identity;
use super::node::Node;
use super::overlay::Held;
use super::panel_state::PanelState;
use super::params::{Panel, Params, default_position};
use super::presets::Value;
use super::progress::Progress;
use super::report::Report;
use super::sequential::SequentialFrames;
use super::shared::Shared;
use super::undo::Undo;
use super::values::Values as _;
use crate::nodes::engine::engine;
use crate::nodes::quirks;
use crate::ofx::{Camera, Clip, EffectHandle, Result};
use crate::timeline::disk::Uses;
use crate::timeline::store::BudgetLease;
use crate::timeline::{ChainKey, InputMemory, SettingsCache};

/// Most families of chains that a node remembers for a purge.
const MOST_FAMILIES: usize = 32;

/// The data of an instance. Concurrent renders share it; no lock is held while the host is called.
pub struct Instance<N: Node> {
    /// Its parameters.
    pub params: Params<N::Id>,
    /// Its inputs in its context.
    pub clips: Clips,
    /// Its output.
    pub output: Clip,
    /// Its camera input, in hosts that have some.
    pub camera: Option<Camera>,
    /// Hashes of its inputs.
    pub memory: InputMemory,
    /// Settings of past frames.
    pub settings: SettingsCache<FrameOf<N>>,
    /// Its last states in a sequential-only host.
    pub sequential: SequentialFrames<N>,
    /// Its memory budget.
    pub lease: BudgetLease,
    /// Whether positions are still at 0: the host does not scale their defaults, and knew no frame when the node was
    /// created.
    positions_unset: bool,
    /// The state of its panel.
    pub shown: PanelState,
    /// The overlay handle that the pen drags.
    pub held: Held,
    /// The progress of its render.
    pub progress: Progress,
    /// Whether a message about planes without images was posted.
    pub posted_planes: AtomicBool,
    /// The states that it has read from disk or written to disk.
    pub on_disk: Uses,
    /// Edits that one undo of the user reverts.
    pub undo: Undo<N::Id>,
    /// The id that names its folder.
    pub identity: Identity,
    report: Mutex<Option<Report>>,
    families: Mutex<Vec<ChainKey>>,
}

impl<N: Node> Instance<N> {
    /// Fetches the handles. In hosts that do not scale the default of a position by the frame, sets the positions once
    /// per node.
    ///
    /// # Errors
    /// The host lacks a parameter or the output.
    pub fn create(effect: &EffectHandle<'_>) -> Result<Self> {
        let params = Params::fetch(effect)?;
        let clips = Clips::fetch(effect, N::INPUTS);
        let output = effect.clip(OUTPUT)?;
        let positions_unset = !quirks::normalises_positions(effect.host()) && !set_positions(effect, &params);
        let panel = Panel { effect, params: &params, unplaced_in: None, camera: None };
        let choice = N::Id::PRESETS.and_then(|(choice, _)| panel.choice(choice, 0.0).ok()).unwrap_or(0);
        let identity = Identity::new(effect.id(), params.text(effect, N::Id::shared(Shared::CacheId)));
        Ok(Self {
            params,
            clips,
            output,
            camera: N::CAMERA.and_then(|name| effect.camera(name)),
            memory: InputMemory::default(),
            settings: SettingsCache::default(),
            sequential: SequentialFrames::default(),
            lease: engine().store().lease(),
            positions_unset,
            shown: PanelState::default(),
            held: Held::default(),
            progress: Progress::default(),
            posted_planes: AtomicBool::new(false),
            on_disk: engine().disks().uses(),
            undo: Undo::new(choice),
            identity,
            report: Mutex::new(None),
            families: Mutex::new(Vec::new()),
        })
    }

    /// The parameters during an action.
    pub fn panel<'e>(&'e self, effect: &'e EffectHandle<'e>, start: i64) -> Panel<'e, N::Id> {
        let unplaced_in = if self.positions_unset { self.region(effect, start) } else { None };
        Panel { effect, params: &self.params, unplaced_in, camera: self.camera.as_ref() }
    }

    /// The simulated region, where there is one.
    pub fn region(&self, effect: &EffectHandle<'_>, start: i64) -> Option<Rect> {
        let panel = Panel { effect, params: &self.params, unplaced_in: None, camera: None };
        let id = N::Id::shared(Shared::Extent);
        let default = if let Kind::Choice { default, .. } = id.control().kind { default } else { 0 };
        let option = panel.choice(id, start as f64).unwrap_or(default);
        self.clips.region(effect, Extent::of_option(option), start)
    }

    /// Stores the report of a render for the next action in which parameters may be set.
    pub fn set_report(&self, report: Report) {
        *self.report.lock().unwrap_or_else(PoisonError::into_inner) = Some(report);
    }

    /// Shows the progress of a render and the last report on the panel. Main-thread actions only.
    pub fn show_report(&self, effect: &EffectHandle<'_>) {
        let report = self.report.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let lines: Vec<String> =
            self.progress.line().into_iter().chain(report.map(|report| report.to_string())).collect();
        if !lines.is_empty() {
            self.params.set_text(effect, N::Id::shared(Shared::Info), &lines.join("\n"));
        }
    }

    /// Notes a family of chains as used by this node.
    pub fn uses(&self, family: ChainKey) {
        let mut families = self.families.lock().unwrap_or_else(PoisonError::into_inner);
        if !families.contains(&family) {
            if families.len() >= MOST_FAMILIES {
                families.remove(0);
            }
            families.push(family);
        }
    }

    /// The families of chains that it has used since its creation or the last purge.
    pub fn families(&self) -> Vec<ChainKey> {
        self.families.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Drops the hashes, settings and states of this node.
    pub fn purge(&self) {
        self.memory.forget_all();
        self.settings.drop_all();
        self.sequential.clear();
        let families = std::mem::take(&mut *self.families.lock().unwrap_or_else(PoisonError::into_inner));
        for family in families {
            engine().store().forget(family);
        }
        engine().purge();
    }

    /// Assigns an id where the node needs one after a user's edit of a parameter. Main thread only.
    pub fn assign_identity(&self, effect: &EffectHandle<'_>, edited: &str, time: f64) {
        let panel = self.panel(effect, 0);
        let is = |which| N::Id::shared(which).control().name.to_bytes() == edited.as_bytes();
        // An older project without an id keeps the folder of its frames.
        let wanted = (is(Shared::CacheFolder) || is(Shared::CacheName))
            && !panel.text(N::Id::shared(Shared::CacheFolder), time).is_empty()
            && panel.text(N::Id::shared(Shared::CacheName), time).is_empty();
        self.identity.assign(effect, &self.params, wanted);
    }

    /// Whether a change of a parameter invalidates states.
    pub fn invalidates_states(&self, effect: &EffectHandle<'_>, id: N::Id) -> bool {
        match id.control().invalidates {
            Invalidates::Simulation => true,
            Invalidates::Picture => N::invalidates_states(&self.panel(effect, 0), id).unwrap_or(false),
            Invalidates::Nothing => false,
        }
    }

    /// Updates the digest of the simulation's keys; with `refresh` it changes even if the keys did not. Main thread
    /// only.
    pub fn update_digest(&self, effect: &EffectHandle<'_>, refresh: bool) {
        let id = N::Id::shared(Shared::SimDigest);
        let old = self.params.text(effect, id);
        let salt: u64 = old.split_once('.').and_then(|(_, salt)| salt.parse().ok()).unwrap_or(0);
        let salt = if refresh { salt.wrapping_add(1) } else { salt };
        let text = format!("{:032x}.{salt}", self.params.digest(effect, |id| self.invalidates_states(effect, id)));
        self.params.set_text(effect, id, &text);
    }
}

/// Sets the positions to their defaults in the frame of the project, once per node. Returns false without a project, or
/// if the host refuses.
fn set_positions<Id: Controls>(effect: &EffectHandle<'_>, params: &Params<Id>) -> bool {
    const DONE: &str = "1";
    let done = Id::shared(Shared::PositionsSet);
    if params.text(effect, done) == DONE {
        return true;
    }
    let Some(project) = effect.project().map(rect) else { return false };
    for control in Id::controls() {
        let Some(position) = default_position(control.id, project) else { continue };
        // A script, a preset or a render farm may have set it before the instance was created.
        if params.is_unplaced(effect, control.id) && params.set(effect, control.id, Value::Pair(position)).is_err() {
            return false;
        }
    }
    params.set_text(effect, done, DONE);
    true
}
