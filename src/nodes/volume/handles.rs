//! Overlay handles of the FlowVolume node: the parameters that are dragged in the viewer.

use super::controls::Id;
use crate::nodes::common::overlay::{Figure, Place, When};

/// The overlay handles, the last on top.
pub const HANDLES: &[Figure<Id>] =
    &[Figure { shown: When::OneOf(Id::Camera, &[0, 1]), place: Place::At(Id::BoxCentre), outline: None, arrow: None }];
