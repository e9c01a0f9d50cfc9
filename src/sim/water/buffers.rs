//! Water, wherever it is.

use std::any::Any;
use std::fmt;
use std::sync::{Arc, OnceLock};

use super::field::Field;
use super::plan::Water;
use super::settings::Model;
use crate::sim::memory::Values;

/// What is asked of water without its planes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sums {
    /// Water, red, green and blue pigment over the grid, in units, modulo 2^64.
    pub totals: [i64; 4],
    /// Cells whose height is at least [`FramePlan::wet`](super::FramePlan::wet).
    pub wet: u64,
    /// The highest height, in units.
    pub highest: i32,
}

/// A raw layer of the water, four channels a cell; [`State`](super::State) has what is in each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RawLayer {
    /// RGB the water's colour, A its height.
    Water,
    /// R water, G surface, B terrain, A wet.
    Height,
    /// Flow per frame to the left, up, right, down.
    Cross,
    /// Flow per frame to the upper left, upper right, lower right, lower left.
    Diagonal,
}

/// A layer, and what it takes beside the water to show it.
#[derive(Clone, Copy, Debug)]
pub struct LayerView<'a> {
    /// Which.
    pub layer: RawLayer,
    /// Which water.
    pub model: Model,
    /// Units per 1.0 of height are 2 to this power.
    pub unit_power: i32,
    /// Least wet height, in units.
    pub wet: i32,
    /// Range of colours.
    pub colour_range: f32,
    /// Steps per frame of time scale 1: the factor of flows.
    pub per_frame: f32,
    /// Ground in units.
    pub terrain: Option<&'a Arc<Field>>,
}

/// Water that a device keeps where it made it.
///
/// All methods may be called from any thread.
pub trait Resident: Send + Sync + 'static {
    /// Memory of the planes once they are fetched.
    fn bytes(&self) -> usize;

    /// Sums over the grid, known since the water was made.
    fn sums(&self) -> Sums;

    /// The planes. Called until it has returned once. Blocks until they are there, and cannot fail: a device that lost the water makes
    /// it once more, elsewhere.
    fn fetch(&self) -> Water;

    /// A layer of it, one value per cell, row 0 lowest: the bits that the rows of a state have. Blocks. `None` where the
    /// planes are nearer than a picture, or the device fails: then the planes have it.
    fn picture(&self, view: &LayerView<'_>) -> Option<Values<[f32; 4]>>;

    /// For the device that made it, to know it again.
    fn as_any(&self) -> &dyn Any;
}

/// The water of one frame: planes in memory, or kept by the device that made it, or both. Never changes.
pub struct StateBuffers {
    planes: OnceLock<Water>,
    resident: Option<Box<dyn Resident>>,
}

impl StateBuffers {
    /// Planes in memory.
    pub fn new(water: Water) -> StateBuffers {
        StateBuffers { planes: OnceLock::from(water), resident: None }
    }

    /// Water that stays where it was made until somebody needs its planes.
    pub fn resident(resident: Box<dyn Resident>) -> StateBuffers {
        StateBuffers { planes: OnceLock::new(), resident: Some(resident) }
    }

    /// The planes; fetched, which blocks, where they are not in memory yet.
    pub fn water(&self) -> &Water {
        self.planes.get_or_init(|| match &self.resident {
            Some(resident) => resident.fetch(),
            None => unreachable!("a body has planes or a keeper"),
        })
    }

    /// The planes, where they are in memory.
    pub fn planes(&self) -> Option<&Water> {
        self.planes.get()
    }

    /// A layer, where the planes are not in memory and the device that keeps them can paint it.
    pub fn picture(&self, view: &LayerView<'_>) -> Option<Values<[f32; 4]>> {
        if self.planes.get().is_some() { None } else { self.resident.as_ref()?.picture(view) }
    }

    /// What the device that made it keeps.
    pub fn resident_copy(&self) -> Option<&dyn Resident> {
        self.resident.as_deref()
    }

    /// Water, red, green and blue pigment over the grid, in units; fetches nothing.
    pub fn totals(&self) -> [i64; 4] {
        self.resident.as_ref().map_or_else(|| self.water().totals(), |kept| kept.sums().totals)
    }

    /// Water over the grid, in units; fetches nothing.
    pub fn water_units(&self) -> i64 {
        match &self.resident {
            Some(kept) => kept.sums().totals[0],
            // No height is below 0.
            None => self.heights().map(|row| row.iter().map(|&v| i64::from(v as u32)).sum::<i64>()).sum(),
        }
    }

    /// Cells of at least the height `limit`, in units, which is [`FramePlan::wet`](super::FramePlan::wet) of the frame; fetches
    /// nothing.
    pub fn wet(&self, limit: i32) -> u64 {
        match &self.resident {
            Some(kept) => kept.sums().wet,
            None => self.heights().map(|row| u64::from(row.iter().map(|&v| u32::from(v >= limit)).sum::<u32>())).sum(),
        }
    }

    /// The highest height, in units; fetches nothing.
    pub fn highest(&self) -> i32 {
        match &self.resident {
            Some(kept) => kept.sums().highest,
            None => self.heights().map(|row| row.iter().fold(0, |top, &v| top.max(v))).max().unwrap_or(0),
        }
    }

    /// The heights of the cells, row by row.
    fn heights(&self) -> impl Iterator<Item = &[i32]> {
        let h = &self.water().height;
        (1..=h.height()).map(|y| &h.row(y, 0)[1..=h.width()])
    }

    /// Memory of the planes, whether they are there yet or not.
    pub fn bytes(&self) -> usize {
        match (&self.resident, self.planes.get()) {
            (_, Some(water)) => water.bytes(),
            (Some(resident), None) => resident.bytes(),
            (None, None) => 0,
        }
    }
}

/// By the planes.
impl PartialEq for StateBuffers {
    fn eq(&self, other: &StateBuffers) -> bool {
        std::ptr::eq(self, other) || self.water() == other.water()
    }
}

impl fmt::Debug for StateBuffers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.planes.get() {
            Some(water) => f.debug_tuple("StateBuffers").field(water).finish(),
            None => f.write_str("StateBuffers(elsewhere)"),
        }
    }
}
