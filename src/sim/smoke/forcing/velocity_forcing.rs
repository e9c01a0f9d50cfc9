//! The list of velocity forcing.

use super::{Forcing, Patch, VelocityForcing};
use crate::sim::fluid::Staggering;

impl Forcing {
    /// Appends steering of the velocity on the faces of one axis.
    pub(super) fn steer(&mut self, staggering: Staggering, patch: Option<Patch<[f32; 2]>>) {
        self.velocity_forcing(staggering).extend(patch.map(VelocityForcing::Steer));
    }

    /// Appends an addition to the velocity on the faces of one axis. It is merged with an addition just before, unless
    /// the merged patch would have more values than both.
    pub(super) fn add(&mut self, staggering: Staggering, patch: Option<Patch<f32>>) {
        let Some(patch) = patch else { return };
        let forcing = self.velocity_forcing(staggering);
        match forcing.last_mut() {
            Some(VelocityForcing::Add(last)) if spanned(last, &patch).2 <= last.values.len() + patch.values.len() => {
                *last = merged(last, &patch);
            }
            _ => forcing.push(VelocityForcing::Add(patch)),
        }
    }

    fn velocity_forcing(&mut self, staggering: Staggering) -> &mut Vec<VelocityForcing> {
        if staggering == Staggering::Face(1) { &mut self.v } else { &mut self.u }
    }
}

/// The bounding rectangle of two patches: lower left corner, upper right corner, and number of values.
fn spanned(a: &Patch<f32>, b: &Patch<f32>) -> ([usize; 2], [usize; 2], usize) {
    let low = [a.x.min(b.x), a.y.min(b.y)];
    let high = [(a.x + a.width).max(b.x + b.width), (a.y + a.height).max(b.y + b.height)];
    (low, high, (high[0] - low[0]) * (high[1] - low[1]))
}

/// The sum of two patches.
fn merged(a: &Patch<f32>, b: &Patch<f32>) -> Patch<f32> {
    let ([x, y], [right, top], count) = spanned(a, b);
    let (width, height) = (right - x, top - y);
    let mut values = vec![0.0; count];
    for patch in [a, b] {
        for (row, line) in patch.values.chunks(patch.width).enumerate() {
            let at = (patch.y + row - y) * width + patch.x - x;
            values[at..at + patch.width].iter_mut().zip(line).for_each(|(sum, v)| *sum += v);
        }
    }
    Patch { x, y, width, height, values }
}
