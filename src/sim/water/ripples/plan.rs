//! Ripples in a frame plan.

use std::sync::Arc;

use super::dispersion::Coefficients;
use super::margin::Margin;
use super::pyramid::Pyramid;
use crate::sim::water::shallow::Gain;

/// The operator and the margin of a frame.
#[derive(Clone, Debug)]
pub struct Ripples {
    /// Coefficients of the head operator.
    pub coefficients: Coefficients,
    /// The pyramid over the grid and its margin.
    pub pyramid: Arc<Pyramid>,
    /// The margin.
    pub margin: Margin,
    /// Head of a half push.
    pub push: Gain,
}
