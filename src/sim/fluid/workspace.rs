//! The multigrid hierarchy of a domain, and the fields of the pressure solver, which are kept from frame to frame.

use std::any::Any;
use std::sync::Arc;

use super::backend::{Backend, Failed};
use super::fields::{FieldId, VectorField};
use super::level::Level;
use super::multigrid::LevelFields;
use super::operation::Coefficients;
use super::regions::Regions;
use super::session::Session;

/// The grids of the pressure solver: new ones are needed where size, sides or solids change.
#[derive(Clone, Debug, PartialEq)]
pub struct Hierarchy {
    /// The finest level first.
    pub levels: Vec<Level>,
    /// Connected components of the fluid.
    pub regions: Arc<Regions>,
    /// Connected components of the box without its solids.
    pub box_regions: Arc<Regions>,
    /// Face coefficients of each level, where there are solids or cells are not equal.
    pub coefficients: Vec<FaceCoefficients>,
}

/// [`Coefficients`] in the host's memory.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FaceCoefficients {
    /// Coefficients of the faces normal to each axis; where an axis wraps, the last repeats the first.
    pub faces: Vec<Vec<f32>>,
    /// One over the sum of a cell's coefficients; 0 where that sum is 0.
    pub inverse: Vec<f32>,
}

/// The fields of the pressure solver, in a session.
#[derive(Clone, Debug)]
pub struct Workspace {
    /// The grids.
    pub hierarchy: Arc<Hierarchy>,
    /// The object from which the hierarchy's solids were made: decides whether it may be used again.
    pub solids: Option<Arc<dyn Any + Send + Sync>>,
    pub(super) levels: Vec<LevelFields>,
    pub(super) coefficients: Vec<Coefficients>,
    /// Vectors of conjugate gradients: solution, search direction, and the matrix times the direction. Allocated at
    /// first use, like the two below.
    pub(super) krylov: Option<[FieldId; 3]>,
    /// The iterate with the smallest residual.
    pub(super) best: Option<FieldId>,
    /// The velocity before a correction.
    pub(super) velocity: Option<VectorField>,
}

/// A workspace between sessions, with its buffers.
pub struct DetachedWorkspace<B> {
    workspace: Workspace,
    buffers: Vec<B>,
}

impl<B> DetachedWorkspace<B> {
    /// The workspace; its fields are in no session.
    pub fn workspace(&self) -> &Workspace {
        &self.workspace
    }

    /// Moves the workspace into a session.
    pub fn open<D: Backend<Buffer = B>>(self, session: &mut Session<'_, D>) -> Workspace {
        let DetachedWorkspace { mut workspace, buffers } = self;
        let mut buffers = buffers.into_iter();
        workspace.each(&mut |id| {
            if let Some(buffer) = buffers.next() {
                *id = session.fields.add(buffer);
            }
        });
        workspace
    }
}

impl Workspace {
    /// A workspace for a hierarchy.
    ///
    /// # Errors
    /// [`Failed`] where the device has no memory.
    pub fn new<D: Backend>(session: &mut Session<'_, D>, hierarchy: Arc<Hierarchy>) -> Result<Self, Failed> {
        let mut levels = Vec::with_capacity(hierarchy.levels.len());
        for level in &hierarchy.levels {
            let mut field = || session.zeros(level.cells());
            levels.push(LevelFields { b: field()?, x: field()?, scratch: field()? });
        }
        let mut coefficients = Vec::with_capacity(hierarchy.coefficients.len());
        for of in &hierarchy.coefficients {
            let faces = of.faces.iter().map(|values| session.upload(values)).collect::<Result<Vec<_>, _>>()?;
            let inverse = session.upload(&of.inverse)?;
            coefficients.push(Coefficients { faces: VectorField::new(&faces), inverse });
        }
        Ok(Workspace { hierarchy, solids: None, levels, coefficients, krylov: None, best: None, velocity: None })
    }

    /// Moves the workspace out of its session.
    pub fn close<D: Backend>(mut self, session: &mut Session<'_, D>) -> DetachedWorkspace<D::Buffer> {
        let mut buffers = Vec::new();
        self.each(&mut |id| buffers.push(session.fields.remove(*id)));
        DetachedWorkspace { workspace: self, buffers }
    }

    /// Calls for each field, in a fixed order.
    fn each(&mut self, call: &mut dyn FnMut(&mut FieldId)) {
        for LevelFields { b, x, scratch } in &mut self.levels {
            [b, x, scratch].into_iter().for_each(&mut *call);
        }
        for Coefficients { faces, inverse } in &mut self.coefficients {
            faces.axes_mut().iter_mut().chain([inverse]).for_each(&mut *call);
        }
        let vectors = self.velocity.iter_mut().flat_map(VectorField::axes_mut);
        self.krylov.iter_mut().flatten().chain(&mut self.best).chain(vectors).for_each(call);
    }
}
