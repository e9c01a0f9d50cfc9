//! A backend with the fields of one frame.

use super::backend::{Backend, Failed, Reductions};
use super::fields::{FieldId, Fields, VectorField};
use super::operation::Operation;

/// A callback that returns whether to continue, called on the calling thread.
pub type GoOn<'a> = &'a mut dyn FnMut() -> bool;

/// Asks the callback whether to continue.
///
/// # Errors
/// [`Failed::Interrupted`] where it returned false.
pub fn ask(go_on: GoOn<'_>) -> Result<(), Failed> {
    if go_on() { Ok(()) } else { Err(Failed::Interrupted) }
}

/// A backend with the fields of one frame. Errors of all methods are those of the [backend](Backend).
pub struct Session<'a, B: Backend> {
    /// The device.
    pub backend: &'a B,
    /// Its fields.
    pub fields: Fields<B::Buffer>,
}

impl<'a, B: Backend> Session<'a, B> {
    /// A session without fields.
    pub fn new(backend: &'a B) -> Self {
        Session { backend, fields: Fields::default() }
    }

    /// A field of `len` numbers, contents unspecified.
    pub fn allocate(&mut self, len: usize) -> Result<FieldId, Failed> {
        Ok(self.fields.add(self.backend.allocate(len)?))
    }

    /// A field of zeros.
    pub fn zeros(&mut self, len: usize) -> Result<FieldId, Failed> {
        let to = self.allocate(len)?;
        self.run(&[Operation::Clear { to }])?;
        Ok(to)
    }

    /// A field with these values.
    pub fn upload(&mut self, values: &[f32]) -> Result<FieldId, Failed> {
        Ok(self.fields.add(self.backend.upload(values)?))
    }

    /// The values of a field. Blocks.
    pub fn download(&self, id: FieldId) -> Result<Vec<f32>, Failed> {
        self.backend.download(self.fields.get(id))
    }

    /// A vector field with one allocation per length, contents unspecified.
    pub fn allocate_vector(&mut self, lens: &[usize]) -> Result<VectorField, Failed> {
        let axes = lens.iter().map(|len| self.allocate(*len)).collect::<Result<Vec<_>, _>>()?;
        Ok(VectorField::new(&axes))
    }

    /// Runs operations in their order.
    pub fn run(&mut self, operations: &[Operation<'_>]) -> Result<Reductions, Failed> {
        self.backend.run(&mut self.fields, operations)
    }

    /// Drops fields.
    pub fn free(&mut self, ids: &[FieldId]) {
        for id in ids {
            drop(self.fields.remove(*id));
        }
    }
}
