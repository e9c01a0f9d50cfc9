//! What stays on a device from frame to frame: compiled passes, the last states, and room for the pressure.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use super::machine::Plane;
use super::passes::Pass;
use super::rooms::Room;
use crate::compute::gpu::pipeline::Passes;
use crate::compute::resources::Resource;
use crate::sim::smoke::machine::{Cells, Faces};
use crate::sim::smoke::state::Air;

/// States whose planes stay: the last of a few nodes that render by turns.
const MOST_STATES: usize = 4;
/// Grids whose rooms stay.
const MOST_ROOMS: usize = 2;

/// The planes of a state.
pub struct AirPlanes {
    faces: Faces<Plane>,
    cells: Cells<Plane>,
    pressure: Plane,
}

impl AirPlanes {
    pub(super) fn new(faces: Faces<Plane>, cells: Cells<Plane>, pressure: Plane) -> AirPlanes {
        AirPlanes { faces, cells, pressure }
    }

    /// The planes, to be read.
    pub(super) fn parts(&self) -> (Faces<Plane>, Cells<Plane>, Plane) {
        let faces = Faces { u: self.faces.u.shared(), v: self.faces.v.shared() };
        let temperature = self.cells.temperature.as_ref().map(Plane::shared);
        (faces, Cells { dye: self.cells.dye.shared(), temperature }, self.pressure.shared())
    }
}

/// What stays.
pub(in crate::compute::gpu) struct Stock {
    pub(super) passes: Passes<Pass>,
    states: Mutex<VecDeque<(Weak<Air>, AirPlanes)>>,
    rooms: Mutex<VecDeque<Room>>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Resource for Stock {
    fn release(&self) -> bool {
        let states = std::mem::take(&mut *lock(&self.states));
        let rooms = std::mem::take(&mut *lock(&self.rooms));
        !(states.is_empty() && rooms.is_empty())
    }
}

impl Stock {
    /// Nothing yet.
    pub fn new(device: &wgpu::Device) -> Stock {
        Stock { passes: Passes::new(device), states: Mutex::default(), rooms: Mutex::default() }
    }

    /// The planes of a state that this device made and still has.
    pub(super) fn find(&self, air: &Arc<Air>) -> Option<AirPlanes> {
        let states = lock(&self.states);
        // As long as it is remembered here, no other can have its address.
        let (_, kept) = states.iter().find(|(of, _)| std::ptr::eq(of.as_ptr(), Arc::as_ptr(air)))?;
        let (faces, cells, pressure) = kept.parts();
        Some(AirPlanes { faces, cells, pressure })
    }

    /// Keeps the planes of a state.
    pub(super) fn keep(&self, air: &Arc<Air>, planes: AirPlanes) {
        let mut states = lock(&self.states);
        states.retain(|(of, _)| of.strong_count() > 0);
        if states.len() >= MOST_STATES {
            states.pop_front();
        }
        states.push_back((Arc::downgrade(air), planes));
    }

    /// Takes a room that `fits`, until it is [put back](Stock::give_room).
    pub(super) fn take_room(&self, fits: impl Fn(&Room) -> bool) -> Option<Room> {
        let mut rooms = lock(&self.rooms);
        let at = rooms.iter().position(fits)?;
        rooms.remove(at)
    }

    /// Puts a room back.
    pub(super) fn give_room(&self, room: Room) {
        let mut rooms = lock(&self.rooms);
        if rooms.len() >= MOST_ROOMS {
            rooms.pop_front();
        }
        rooms.push_back(room);
    }
}
