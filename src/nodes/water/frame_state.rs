//! The water of a frame, as it is kept.

use std::sync::OnceLock;

use crate::sim::water::{BadPixels, Diagnostics, State};
use crate::timeline::Kept;

/// A frame as it is kept: the water, and what its chain had to tell on the way to it.
#[derive(Clone, Debug)]
pub struct Told {
    /// The water.
    pub water: State,
    /// Of all frames so far: that something happened stays true, counts are those of the worst frame.
    pub notices: Diagnostics,
    /// Mean height and wet share, once someone has asked.
    summary: OnceLock<(f64, f64)>,
}

impl Told {
    /// A frame.
    pub fn new(water: State, notices: Diagnostics) -> Told {
        Told { water, notices, summary: OnceLock::new() }
    }

    /// One more frame of a chain; `before` is the one before it.
    pub fn after(before: Option<&Told>, water: State, notices: Diagnostics) -> Told {
        let before = before.map(|told| told.notices).unwrap_or_default();
        Told::new(water, told_so_far(&before, notices))
    }

    /// Mean height of the water, and the share of the frame that is wet. Counted on the first call.
    pub fn summary(&self) -> (f64, f64) {
        *self.summary.get_or_init(|| {
            let water = &self.water;
            (water.water_units() as f64 / water.units() / water.grid().cells() as f64, water.wet_share())
        })
    }
}

impl Kept for Told {
    fn bytes(&self) -> usize {
        self.water.bytes()
    }
}

/// What a chain has to tell after one more frame.
fn told_so_far(before: &Diagnostics, now: Diagnostics) -> Diagnostics {
    let (a, b) = (&before.bad_pixels, &now.bad_pixels);
    Diagnostics {
        luminance_for_alpha: before.luminance_for_alpha || now.luminance_for_alpha,
        alpha_everywhere: before.alpha_everywhere || now.alpha_everywhere,
        clamped: before.clamped.max(now.clamped),
        start_cut: before.start_cut || now.start_cut,
        bad_pixels: BadPixels {
            source: a.source.max(b.source),
            terrain: a.terrain.max(b.terrain),
            obstacles: a.obstacles.max(b.obstacles),
            force: a.force.max(b.force),
            mask: a.mask.max(b.mask),
            control: a.control.max(b.control),
            goal: a.goal.max(b.goal),
        },
        ..now
    }
}
