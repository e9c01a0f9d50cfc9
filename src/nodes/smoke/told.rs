//! The smoke of a frame, as it is kept.

use crate::sim::smoke::state::BadPixels;
use crate::sim::smoke::{Diagnostics, State};
use crate::timeline::Kept;

/// A frame as it is kept: the smoke, and what its chain had to tell on the way to it.
#[derive(Clone, Debug)]
pub struct Told {
    /// The smoke.
    pub smoke: State,
    /// Class of the device that made it.
    pub class: &'static str,
    /// Of this frame; of all frames so far what had to be left out, that of the worst one, and what was everywhere in any.
    pub notices: Diagnostics,
}

impl Told {
    /// One more frame of a chain; `before` is the one before it.
    pub fn after(before: Option<&Told>, class: &'static str, (smoke, notices): (State, Diagnostics)) -> Told {
        let before = before.map(|told| told.notices).unwrap_or_default();
        let (a, b) = (before.bad_pixels, notices.bad_pixels);
        let bad_pixels = BadPixels {
            source: a.source.max(b.source),
            velocity: a.velocity.max(b.velocity),
            heat: a.heat.max(b.heat),
            obstacles: a.obstacles.max(b.obstacles),
            obstacle_velocity: a.obstacle_velocity.max(b.obstacle_velocity),
            mask: a.mask.max(b.mask),
            start: a.start.max(b.start),
        };
        let discarded = before.discarded.max(notices.discarded);
        let source_everywhere = before.source_everywhere || notices.source_everywhere;
        let solid_everywhere = before.solid_everywhere || notices.solid_everywhere;
        let notices = Diagnostics { bad_pixels, discarded, source_everywhere, solid_everywhere, ..notices };
        Told { smoke, class, notices }
    }
}

impl Kept for Told {
    fn bytes(&self) -> usize {
        self.smoke.bytes()
    }
}
