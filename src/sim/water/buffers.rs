//! The planes of a state: in memory, on the device that made them, or both.

use std::any::Any;
use std::fmt;
use std::sync::{Arc, OnceLock};

use super::field::Field;
use super::plan::Water;
use super::settings::Model;
use crate::sim::memory::Values;

/// Sums over the grid that are known without the planes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sums {
    /// Totals of water, red, green and blue pigment, in units, modulo 2^64.
    pub totals: [i64; 4],
    /// Number of cells whose height is at least [`FramePlan::wet`](super::FramePlan::wet).
    pub wet: u64,
    /// Greatest height, in units.
    pub highest: i32,
}

/// A raw layer of the water, four channels a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RawLayer {
    /// RGB: colour of the water. A: height.
    Water,
    /// R: water. G: surface. B: terrain. A: wet.
    Height,
    /// Flow per frame to the left, up, right, down.
    Cross,
    /// Flow per frame to the upper left, upper right, lower right, lower left.
    Diagonal,
}

/// A raw layer, with the parameters to make it.
#[derive(Clone, Copy, Debug)]
pub struct LayerView<'a> {
    /// Kind of the layer.
    pub layer: RawLayer,
    /// Model of the water.
    pub model: Model,
    /// Exponent of the power of two that is the units per 1.0 of height.
    pub unit_power: i32,
    /// Least wet height, in units.
    pub wet: i32,
    /// Range of colours.
    pub colour_range: f32,
    /// Steps per frame of time scale 1: the factor from flows per step to flows per frame.
    pub per_frame: f32,
    /// Terrain in units.
    pub terrain: Option<&'a Arc<Field>>,
}

/// A state that stays on the device that made it. All methods may be called on any thread.
pub trait Resident: Send + Sync + 'static {
    /// Memory of the planes once they are fetched, bytes.
    fn bytes(&self) -> usize;

    /// Sums over the grid; these never block.
    fn sums(&self) -> Sums;

    /// Returns the planes; called until it has returned once. Blocks until they are in memory. It cannot fail: where
    /// the device lost the state, another device simulates it again.
    fn fetch(&self) -> Water;

    /// Returns a raw layer, one value per cell, row 0 lowest, with the bits of the rows of a state. Blocks. `None`
    /// where the planes are cheaper to fetch, or the device fails; the caller then uses the planes.
    fn picture(&self, view: &LayerView<'_>) -> Option<Values<[f32; 4]>>;

    /// Lets the device that made the state recognise it.
    fn as_any(&self) -> &dyn Any;
}

/// The state buffers of one frame, in memory, on a device, or both. They never change.
pub struct StateBuffers {
    planes: OnceLock<Water>,
    resident: Option<Box<dyn Resident>>,
}

impl StateBuffers {
    /// Planes in memory.
    pub fn new(water: Water) -> StateBuffers {
        StateBuffers { planes: OnceLock::from(water), resident: None }
    }

    /// Buffers that stay on their device until the planes are needed.
    pub fn resident(resident: Box<dyn Resident>) -> StateBuffers {
        StateBuffers { planes: OnceLock::new(), resident: Some(resident) }
    }

    /// The planes. Fetches them, which blocks, where they are not in memory.
    pub fn water(&self) -> &Water {
        self.planes.get_or_init(|| match &self.resident {
            Some(resident) => resident.fetch(),
            None => unreachable!("buffers are in memory or on a device"),
        })
    }

    /// The planes; `None` where they are not in memory.
    pub fn planes(&self) -> Option<&Water> {
        self.planes.get()
    }

    /// A raw layer made by the device; `None` where the planes are in memory or the device cannot make it.
    pub fn picture(&self, view: &LayerView<'_>) -> Option<Values<[f32; 4]>> {
        if self.planes.get().is_some() { None } else { self.resident.as_ref()?.picture(view) }
    }

    /// The copy on the device that made the state.
    pub fn resident_copy(&self) -> Option<&dyn Resident> {
        self.resident.as_deref()
    }

    /// Totals of water, red, green and blue pigment, in units; never fetches.
    pub fn totals(&self) -> [i64; 4] {
        self.resident.as_ref().map_or_else(|| self.water().totals(), |kept| kept.sums().totals)
    }

    /// Total of water, in units; never fetches.
    pub fn water_units(&self) -> i64 {
        match &self.resident {
            Some(kept) => kept.sums().totals[0],
            // Heights are not negative.
            None => self.heights().map(|row| row.iter().map(|&v| i64::from(v as u32)).sum::<i64>()).sum(),
        }
    }

    /// Number of cells with at least the height `limit`, in units, which is [`FramePlan::wet`](super::FramePlan::wet)
    /// of the frame; never fetches.
    pub fn wet(&self, limit: i32) -> u64 {
        match &self.resident {
            Some(kept) => kept.sums().wet,
            None => self.heights().map(|row| u64::from(row.iter().map(|&v| u32::from(v >= limit)).sum::<u32>())).sum(),
        }
    }

    /// Greatest height, in units; never fetches.
    pub fn highest(&self) -> i32 {
        match &self.resident {
            Some(kept) => kept.sums().highest,
            None => self.heights().map(|row| row.iter().fold(0, |top, &v| top.max(v))).max().unwrap_or(0),
        }
    }

    /// Heights of the cells, row by row.
    fn heights(&self) -> impl Iterator<Item = &[i32]> {
        let h = &self.water().height;
        (1..=h.height()).map(|y| &h.row(y, 0)[1..=h.width()])
    }

    /// Memory of the planes, in memory or yet to be fetched, bytes.
    pub fn bytes(&self) -> usize {
        match (&self.resident, self.planes.get()) {
            (_, Some(water)) => water.bytes(),
            (Some(resident), None) => resident.bytes(),
            (None, None) => 0,
        }
    }
}

/// Compares the planes.
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
