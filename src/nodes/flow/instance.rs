//! A node in a graph: handles and memories. The simulation itself lives in the process-wide store.

use std::sync::{Mutex, PoisonError};

use super::controls::{Id, control};
use super::feed::{Clips, domain};
use super::params::{Panel, Params};
use super::present::Present;
use super::report::Report;
use super::shot::Input;
use crate::nodes::controls::Kind;
use crate::nodes::engine::engine;
use crate::nodes::quirks;
use crate::ofx::{Clip, EffectHandle, Result};
use crate::timeline::store::BudgetLease;
use crate::timeline::{ChainKey, InputMemory};

/// Families of chains that a node remembers having used, so that a purge can find them.
const MOST_FAMILIES: usize = 32;

/// One instance's data: shared by concurrent renders, never locked while the host is called.
pub struct Instance {
    /// Its parameters.
    pub params: Params,
    /// Its inputs, as its context gives them.
    pub clips: Clips,
    /// Its output.
    pub output: Clip,
    /// What was read from its inputs.
    pub memory: InputMemory,
    /// Its water in a host that shows the present only.
    pub present: Present,
    /// Its wish for memory.
    pub lease: BudgetLease,
    /// The host has no way to put a position in the middle of the frame, and knew no frame when the node was made.
    positions_unset: bool,
    report: Mutex<Option<Report>>,
    families: Mutex<Vec<ChainKey>>,
}

impl Instance {
    /// Fetches the handles. In hosts that take a position's default as it stands, puts it in the middle of the frame,
    /// once per node.
    ///
    /// # Errors
    /// The host lacks a parameter or the output.
    pub fn create(effect: &EffectHandle<'_>) -> Result<Self> {
        let params = Params::fetch(effect)?;
        let clips = Input::ALL.map(|input| effect.clip(input.clip_name()).ok());
        let output = effect.clip(c"Output")?;
        let positions_unset = !quirks::normalises_positions(effect.host()) && !centre_positions(effect, &params);
        Ok(Self {
            params,
            clips,
            output,
            memory: InputMemory::default(),
            present: Present::default(),
            lease: engine().store().lease(),
            positions_unset,
            report: Mutex::new(None),
            families: Mutex::new(Vec::new()),
        })
    }

    /// The parameters during an action.
    pub fn panel<'e>(&'e self, effect: &'e EffectHandle<'e>, start: i64) -> Panel<'e> {
        let middle = if self.positions_unset { domain(effect, &self.clips, start).map(middle) } else { None };
        Panel { effect, params: &self.params, middle }
    }

    /// Remembers what a render has to tell, for the next action in which parameters may be set.
    pub fn tell(&self, report: Report) {
        *self.report.lock().unwrap_or_else(PoisonError::into_inner) = Some(report);
    }

    /// Writes what the last render had to tell. Main-thread actions only.
    pub fn show_report(&self, effect: &EffectHandle<'_>) {
        let report = self.report.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if let Some(report) = report {
            self.params.set_text(effect, Id::Info, &report.to_string());
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

    /// Forgets what was read and simulated for this node.
    pub fn purge(&self) {
        self.memory.forget_all();
        self.present.forget();
        let families = std::mem::take(&mut *self.families.lock().unwrap_or_else(PoisonError::into_inner));
        for family in families {
            engine().store().forget(family);
        }
        engine().purge();
    }

    /// Brings the digest of the simulation's keys up to date; `refresh` makes it another one even so. Main thread only.
    pub fn update_digest(&self, effect: &EffectHandle<'_>, refresh: bool) {
        let old = self.params.text(effect, Id::SimDigest);
        let salt: u64 = old.split_once('.').and_then(|(_, salt)| salt.parse().ok()).unwrap_or(0);
        let salt = if refresh { salt.wrapping_add(1) } else { salt };
        let text = format!("{:032x}.{salt}", self.params.digest(effect));
        self.params.set_text(effect, Id::SimDigest, &text);
    }
}

fn middle([x1, y1, x2, y2]: [f64; 4]) -> [f64; 2] {
    [f64::midpoint(x1, x2), f64::midpoint(y1, y2)]
}

/// Puts the position into the project's middle, unless that has been done. False where there is no project to say where
/// that is, or the host refuses.
fn centre_positions(effect: &EffectHandle<'_>, params: &Params) -> bool {
    const DONE: &str = "1";
    if params.text(effect, Id::PositionsSet) == DONE {
        return true;
    }
    let Some(project) = effect.project() else { return false };
    let Kind::Position { default: [x, y] } = control(Id::EmitterCentre).kind else { return false };
    let centre = [project.x1 + x * project.width(), project.y1 + y * project.height()];
    // A script, a preset or a render farm may have placed it before there was an instance.
    if params.is_unplaced(effect, Id::EmitterCentre) && params.set_pair(effect, Id::EmitterCentre, centre).is_err() {
        return false;
    }
    params.set_text(effect, Id::PositionsSet, DONE);
    true
}
