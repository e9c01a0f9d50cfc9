//! Dye by a flow map: operands and constants of its operations.
//!
//! A flow map (a characteristic map: Wiggert and Wylie 1976, Tessendorf and Pelfrey 2011) says where the fluid of a cell
//! was when the base picture was taken. The base is read once, so that its sharpness does not depend on the number of
//! steps since.

use super::fields::FieldId;

/// A flow map with its base picture, as fields of cells with four components. The dye of a cell is
/// `scale·survival·base(cell + shift + displacement) + residual`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FlowMap {
    /// Displacement to the position in the base, along x and y; survival, the share of the base that is left; 0.
    pub map: FieldId,
    /// Dye at the last remap.
    pub base: FieldId,
    /// Dye that has come in since, less what has left.
    pub residual: FieldId,
    /// Factor of the base: its decay since the last remap.
    pub scale: f32,
    /// Position of the grid in the grid of the base, cells.
    pub shift: [i32; 2],
}

/// The map at a remap: no displacement, and all of the base.
pub const IDENTITY: [f32; 4] = [0.0, 0.0, 1.0, 0.0];

/// Square of the norm of the map's gradient above which the base is read four times: 1.25 times that of the identity.
pub const STRETCHED: f32 = 2.0 * 1.25 * 1.25;

/// Distance of the four readings from the middle of a stretched cell, along each axis, cells.
pub const READING: f32 = 0.25;

/// Largest distance of a reading from the middle, along each axis of the base, cells.
pub const READING_MAX: f32 = 1.0;

/// Distance up to which a base continues into solids, cells.
pub const FILLED: i32 = 8;
