//! Pictures as solids: the matte of the input Obstacles, and the surfaces of the input Depth, before the camera of the
//! frame.

use super::FlowVolume;
use super::box_view::BoxView;
use super::controls::Id;
use super::inputs::{DEPTH, OBSTACLES};
use super::mattes;
use super::values::{BoxSize, number};
use super::vdb_sources::FrameSettings;
use super::view::LENS;
use crate::nodes::common::node::Node as _;
use crate::nodes::common::pictures::{Picture, Pictures, Wired};
use crate::nodes::common::values::Values;
use crate::nodes::engine::engine;
use crate::ofx::Result;
use crate::sim::grid::Grid;
use crate::sim::volume::Settings;
use crate::sim::volume::projected::{ProjectedSolid, Surfaces};

/// Least alpha of a matte at which it is solid.
const LEAST: f32 = 0.5;

/// The option of `obstacles` and `depthSolid` that is a solid.
const SOLID: i32 = 1;

/// The inputs that can be a solid, with the choice of each.
const CHOICES: [(usize, Id); 2] = [(OBSTACLES, Id::Obstacles), (DEPTH, Id::DepthSolid)];

/// Whether the choice of an input makes it a solid.
///
/// # Errors
/// A call to the host fails.
pub fn is_solid(values: &impl Values<Id>, time: f64, input: usize) -> Result<bool> {
    for (other, choice) in CHOICES {
        if other == input && values.choice(choice, time)? == SOLID {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Whether a parameter gives the place of the solids and the mattes of pictures in the box: by the place of the box or
/// by the camera.
///
/// # Errors
/// A call to the host fails.
pub fn places_pictures(values: &impl Values<Id>, id: Id) -> Result<bool> {
    let places = matches!(id, Id::BoxCentre | Id::BoxDepth) || LENS.has(id);
    Ok(places
        && (is_solid(values, 0.0, OBSTACLES)? || is_solid(values, 0.0, DEPTH)? || mattes::are_emitted(values, 0.0)?))
}

impl FrameSettings {
    /// Adds the solids of the pictures of the connected inputs at a time, without their pixels, and texts for the
    /// artist about those that are not connected.
    ///
    /// # Errors
    /// A call to the host fails.
    pub fn add_projected(
        &mut self,
        values: &impl Values<Id>,
        (size, raster): (&BoxSize, &Grid),
        wired: Wired,
        time: f64,
    ) -> Result<()> {
        for (input, _) in CHOICES {
            if !is_solid(values, time, input)? {
                continue;
            }
            if wired.has(input) {
                self.volume.projected.0.extend(solid(values, (size, raster), input, time)?);
                continue;
            }
            let text = match input {
                OBSTACLES => {
                    "There is no solid of Obstacles: connect a matte to the input Obstacles, or set Obstacles as \
                     solid to Off."
                }
                _ => {
                    "There is no solid of Depth: connect the distances of the scene to the input Depth, or set Depth \
                     as solid to Off."
                }
            };
            engine().notices().add(FlowVolume::ABOUT.folder, text);
            self.notices.push(text);
        }
        Ok(())
    }

    /// Whether a solid has the picture of an input.
    pub fn has_solid_of(&self, input: usize) -> bool {
        self.volume.projected.0.iter().any(|solid| input_of(solid) == input)
    }
}

/// The input with the picture of a solid.
fn input_of(solid: &ProjectedSolid) -> usize {
    if solid.matte().is_some() { OBSTACLES } else { DEPTH }
}

/// The solid of an input, without its picture; `None` where all of it lies behind the camera.
fn solid(
    values: &impl Values<Id>,
    (size, raster): (&BoxSize, &Grid),
    input: usize,
    time: f64,
) -> Result<Option<ProjectedSolid>> {
    let unit = size.unit(raster);
    let BoxView { camera, spacing, middle } = BoxView::read(values, (size, raster), time)?;
    if input == DEPTH {
        let thickness = number(values, Id::DepthThickness, time)? * unit;
        return Ok(Some(ProjectedSolid::new(camera, thickness, None)));
    }
    let axis = middle - number(values, Id::ObstaclesDepth, time)? * unit;
    let half = (number(values, Id::ObstaclesThickness, time)? * unit).max(spacing) / 2.0;
    let (front, back) = ((axis - half).max(camera.near), axis + half);
    Ok((back > camera.near).then(|| ProjectedSolid::new(camera, back - front, Some(front))))
}

/// Adds the pictures of a frame to its solids.
pub fn add_pictures(settings: &mut Settings, pictures: &Pictures) {
    for solid in &mut settings.projected.0 {
        let Some(Picture { pixels, size, .. }) = pictures.get(input_of(solid)) else { continue };
        let surfaces = match solid.matte() {
            Some(distance) => Surfaces::new(*size, |at| (pixels[at][3] >= LEAST).then_some(distance as f32)),
            None => Surfaces::new(*size, |at| Some(pixels[at][0])),
        };
        solid.surfaces = Some(surfaces.into());
    }
}
