//! Fields by number: an arena of buffers.

use std::ops::Deref;

/// The number of a field in its [`Fields`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FieldId(u32);

/// One field per axis of the grid: velocity on the faces, or displacements of the cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VectorField {
    axes: [FieldId; 3],
    rank: usize,
}

impl VectorField {
    /// The fields of up to three axes, x first.
    pub fn new(axes: &[FieldId]) -> VectorField {
        let mut all = [FieldId(u32::MAX); 3];
        all[..axes.len()].copy_from_slice(axes);
        VectorField { axes: all, rank: axes.len() }
    }

    /// The fields of the axes, to be replaced.
    pub(super) fn axes_mut(&mut self) -> &mut [FieldId] {
        &mut self.axes[..self.rank]
    }
}

impl Deref for VectorField {
    type Target = [FieldId];

    fn deref(&self) -> &[FieldId] {
        &self.axes[..self.rank]
    }
}

/// Buffers of a backend by number.
#[derive(Debug)]
pub struct Fields<B> {
    buffers: Vec<Option<B>>,
    /// Numbers of removed fields, for reuse.
    vacant: Vec<u32>,
}

impl<B> Default for Fields<B> {
    fn default() -> Self {
        Fields { buffers: Vec::new(), vacant: Vec::new() }
    }
}

const PRESENT: &str = "the field is in its arena";

impl<B> Fields<B> {
    /// Adds a field.
    pub fn add(&mut self, buffer: B) -> FieldId {
        if let Some(at) = self.vacant.pop() {
            self.buffers[at as usize] = Some(buffer);
            return FieldId(at);
        }
        self.buffers.push(Some(buffer));
        FieldId(self.buffers.len() as u32 - 1)
    }

    /// Removes a field.
    pub fn remove(&mut self, id: FieldId) -> B {
        self.vacant.push(id.0);
        self.take(id)
    }

    /// The buffer of a field, for reading.
    pub fn get(&self, id: FieldId) -> &B {
        self.buffers[id.0 as usize].as_ref().expect(PRESENT)
    }

    /// Takes the buffer out of a field while it is written; [`put`](Fields::put) returns it.
    pub fn take(&mut self, id: FieldId) -> B {
        self.buffers[id.0 as usize].take().expect(PRESENT)
    }

    /// Puts a buffer into a field from which one was [taken](Fields::take).
    pub fn put(&mut self, id: FieldId, buffer: B) {
        self.buffers[id.0 as usize] = Some(buffer);
    }

    /// Exchanges the buffers of two fields.
    pub fn swap(&mut self, a: FieldId, b: FieldId) {
        self.buffers.swap(a.0 as usize, b.0 as usize);
    }
}
