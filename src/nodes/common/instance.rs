//! A node in a graph: handles and memories. The simulation itself lives in the process-wide store.

use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, PoisonError};

use super::controls::{Controls, Kind};
use super::describe::OUTPUT;
use super::feed::{Clips, Extent, rect};
use super::geometry::Rect;
use super::greyed::Greyed;
use super::identity::Identity;
use super::node::Node;
use super::overlay::Held;
use super::params::{Panel, Params, default_position};
use super::present::Present;
use super::presets::Value;
use super::report::Report;
use super::shared::Shared;
use super::shot::FrameOf;
use super::undo::Undo;
use super::values::Values as _;
use super::watch::Progress;
use crate::nodes::engine::engine;
use crate::nodes::quirks;
use crate::ofx::{Clip, EffectHandle, Result};
use crate::timeline::disk::Uses;
use crate::timeline::store::BudgetLease;
use crate::timeline::{ChainKey, InputMemory, SettingsCache};

/// Families of chains that a node remembers having used, so that a purge can find them.
const MOST_FAMILIES: usize = 32;

/// One instance's data: shared by concurrent renders, never locked while the host is called.
pub struct Instance<N: Node> {
    /// Its parameters.
    pub params: Params<N::Id>,
    /// Its inputs, as its context gives them.
    pub clips: Clips,
    /// Its output.
    pub output: Clip,
    /// What was read from its inputs.
    pub memory: InputMemory,
    /// Settings that were read from its parameters.
    pub settings: SettingsCache<FrameOf<N>>,
    /// Its last states in a host that shows the present only.
    pub present: Present<N>,
    /// Its wish for memory.
    pub lease: BudgetLease,
    /// The host has no way to put a position where it belongs in the frame, and knew no frame when the node was made.
    positions_unset: bool,
    /// What of its panel is greyed out.
    pub greyed: Greyed,
    /// What the pen drags in the viewer.
    pub held: Held,
    /// How far a render is that is under way.
    pub progress: Progress,
    /// Whether the artist was told of layers that the host has no images for.
    pub told_of_planes: AtomicBool,
    /// The states on disk that it has read and written.
    pub on_disk: Uses,
    /// Values that one undo by the user restores.
    pub undo: Undo<N::Id>,
    /// By which it has a folder of its own.
    pub identity: Identity,
    report: Mutex<Option<Report>>,
    families: Mutex<Vec<ChainKey>>,
}

impl<N: Node> Instance<N> {
    /// Fetches the handles. In hosts that take a position's default as it stands, puts it where it belongs in the
    /// frame, once per node.
    ///
    /// # Errors
    /// The host lacks a parameter or the output.
    pub fn create(effect: &EffectHandle<'_>) -> Result<Self> {
        let params = Params::fetch(effect)?;
        let clips = Clips::fetch(effect, N::INPUTS);
        let output = effect.clip(OUTPUT)?;
        let positions_unset = !quirks::normalises_positions(effect.host()) && !set_positions(effect, &params);
        let panel = Panel { effect, params: &params, unplaced_in: None };
        let choice = N::Id::PRESETS.and_then(|(choice, _)| panel.choice(choice, 0.0).ok()).unwrap_or(0);
        let identity = Identity::new(effect.id(), params.text(effect, N::Id::shared(Shared::CacheId)));
        Ok(Self {
            params,
            clips,
            output,
            memory: InputMemory::default(),
            settings: SettingsCache::default(),
            present: Present::default(),
            lease: engine().store().lease(),
            positions_unset,
            greyed: Greyed::default(),
            held: Held::default(),
            progress: Progress::default(),
            told_of_planes: AtomicBool::new(false),
            on_disk: engine().disks().uses(),
            undo: Undo::new(choice),
            identity,
            report: Mutex::new(None),
            families: Mutex::new(Vec::new()),
        })
    }

    /// The parameters during an action.
    pub fn panel<'e>(&'e self, effect: &'e EffectHandle<'e>, start: i64) -> Panel<'e, N::Id> {
        let unplaced_in = if self.positions_unset { self.domain(effect, start) } else { None };
        Panel { effect, params: &self.params, unplaced_in }
    }

    /// The region that the simulation covers, where there is one.
    pub fn domain(&self, effect: &EffectHandle<'_>, start: i64) -> Option<Rect> {
        let panel = Panel { effect, params: &self.params, unplaced_in: None };
        let id = N::Id::shared(Shared::Extent);
        let default = if let Kind::Choice { default, .. } = id.control().kind { default } else { 0 };
        let option = panel.choice(id, start as f64).unwrap_or(default);
        self.clips.domain(effect, Extent::of_option(option), start)
    }

    /// Remembers what a render has to tell, for the next action in which parameters may be set.
    pub fn tell(&self, report: Report) {
        *self.report.lock().unwrap_or_else(PoisonError::into_inner) = Some(report);
    }

    /// Writes how far a render is and what the last one had to tell. Main-thread actions only.
    pub fn show_report(&self, effect: &EffectHandle<'_>) {
        let report = self.report.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let lines: Vec<String> =
            self.progress.line().into_iter().chain(report.map(|report| report.to_string())).collect();
        if !lines.is_empty() {
            self.params.set_text(effect, N::Id::shared(Shared::Info), &lines.join("\n"));
        }
    }

    /// Notes a family of chains as this node's.
    pub fn uses(&self, family: ChainKey) {
        let mut families = self.families.lock().unwrap_or_else(PoisonError::into_inner);
        if !families.contains(&family) {
            if families.len() >= MOST_FAMILIES {
                families.remove(0);
            }
            families.push(family);
        }
    }

    /// The families of chains that it has used since it was made or purged.
    pub fn families(&self) -> Vec<ChainKey> {
        self.families.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Forgets what was read and simulated for this node.
    pub fn purge(&self) {
        self.memory.forget_all();
        self.settings.drop_all();
        self.present.forget();
        let families = std::mem::take(&mut *self.families.lock().unwrap_or_else(PoisonError::into_inner));
        for family in families {
            engine().store().forget(family);
        }
        engine().purge();
    }

    /// Gives the node an id of its own where it needs one after a user's edit of a parameter. Main thread only.
    pub fn settle_identity(&self, effect: &EffectHandle<'_>, edited: &str, time: f64) {
        let panel = self.panel(effect, 0);
        let is = |which| N::Id::shared(which).control().name.to_bytes() == edited.as_bytes();
        // An older project without an id keeps to the folder that its frames are in.
        let wanted = (is(Shared::CacheFolder) || is(Shared::CacheName))
            && !panel.text(N::Id::shared(Shared::CacheFolder), time).is_empty()
            && panel.text(N::Id::shared(Shared::CacheName), time).is_empty();
        self.identity.settle(effect, &self.params, wanted);
    }

    /// Brings the digest of the simulation's keys up to date; `refresh` makes it another one even so. Main thread only.
    pub fn update_digest(&self, effect: &EffectHandle<'_>, refresh: bool) {
        let id = N::Id::shared(Shared::SimDigest);
        let old = self.params.text(effect, id);
        let salt: u64 = old.split_once('.').and_then(|(_, salt)| salt.parse().ok()).unwrap_or(0);
        let salt = if refresh { salt.wrapping_add(1) } else { salt };
        let text = format!("{:032x}.{salt}", self.params.digest(effect));
        self.params.set_text(effect, id, &text);
    }
}

/// Puts the positions where they stand by default in the project, unless that has been done. False where there is no
/// project to say where that is, or the host refuses.
fn set_positions<Id: Controls>(effect: &EffectHandle<'_>, params: &Params<Id>) -> bool {
    const DONE: &str = "1";
    let done = Id::shared(Shared::PositionsSet);
    if params.text(effect, done) == DONE {
        return true;
    }
    let Some(project) = effect.project().map(rect) else { return false };
    for control in Id::TABLE {
        let Some(position) = default_position(control.id, project) else { continue };
        // A script, a preset or a render farm may have placed it before there was an instance.
        if params.is_unplaced(effect, control.id) && params.set(effect, control.id, Value::Pair(position)).is_err() {
            return false;
        }
    }
    params.set_text(effect, done, DONE);
    true
}
