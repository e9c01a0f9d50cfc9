//! Floor and solid, which particles bounce off or stick to.

use super::motion::Motion;
use super::settings::{Contact, Floor, Settings};
use crate::sim::grid::Grid;
use crate::sim::inputs::Pixels;
use crate::sim::maths::clamp;

/// Alpha from which the matte is solid.
const SOLID: f64 = 0.5;

/// The solids of a frame.
pub struct SolidBodies<'a> {
    floor: Option<Floor>,
    matte: Option<(Contact, &'a Grid, &'a Pixels)>,
}

impl<'a> SolidBodies<'a> {
    /// The floor and, where there is a picture of it, the solid of a frame.
    pub fn new(settings: &Settings, grid: &'a Grid, matte: Option<&'a Pixels>) -> Self {
        let matte = settings.solids.matte.zip(matte).map(|(contact, pixels)| (contact, grid, pixels));
        Self { floor: settings.solids.floor, matte }
    }

    /// Whether there is none.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.floor.is_none() && self.matte.is_none()
    }

    /// The motion after a contact on the way from `before`, and whether the particle sticks.
    pub fn meet(&self, before: [f64; 3], after: Motion) -> (Motion, bool) {
        let (mut motion, mut stuck) = (after, false);
        if let Some(Floor { height, contact }) = self.floor
            && motion.0[1] < height
        {
            // A particle from below, such as one that is born there, is lifted.
            let depth = height - motion.0[1];
            let moved = (before[1] - motion.0[1]).abs();
            motion.0[1] = height + if contact.sticks { 0.0 } else { depth.min(moved) * contact.bounce };
            motion.1 = contact.reflected(motion.1, [0.0, 1.0]);
            stuck |= contact.sticks;
        }
        if let Some((contact, grid, pixels)) = self.matte
            && alpha(grid, pixels, motion.0) >= SOLID
        {
            if alpha(grid, pixels, before) >= SOLID {
                // A solid that has moved over a particle, or one that is born inside, does not hold it.
                return (motion, stuck);
            }
            let normal = outward(grid, pixels, motion.0);
            motion = (before, contact.reflected(motion.1, normal));
            stuck |= contact.sticks;
        }
        (motion, stuck)
    }
}

impl Contact {
    /// The velocity after a contact with a surface of this normal; none of a particle that sticks.
    fn reflected(&self, velocity: [f64; 3], normal: [f64; 2]) -> [f64; 3] {
        if self.sticks {
            return [0.0; 3];
        }
        let across = velocity[0] * normal[0] + velocity[1] * normal[1];
        let keep = 1.0 - self.friction;
        let along = [velocity[0] - across * normal[0], velocity[1] - across * normal[1]].map(|v| v * keep);
        let out = if across < 0.0 { -across * self.bounce } else { across };
        [along[0] + out * normal[0], along[1] + out * normal[1], velocity[2] * keep]
    }
}

/// Bilinear alpha of the matte at a position; 0 outside.
fn alpha(grid: &Grid, pixels: &Pixels, [x, y, _]: [f64; 3]) -> f64 {
    let Grid { width, height, origin, cells_per_pixel } = *grid;
    let at = [(x - origin[0]) * cells_per_pixel - 0.5, (y - origin[1]) * cells_per_pixel - 0.5];
    // Also for NaN.
    if !(at[0] > -1.0 && at[1] > -1.0 && at[0] < width as f64 && at[1] < height as f64) {
        return 0.0;
    }
    let low = at.map(libm::floor);
    let f = [at[0] - low[0], at[1] - low[1]];
    let value = |dx: i64, dy: i64| {
        let cell = [low[0] as i64 + dx, low[1] as i64 + dy];
        let inside = cell[0] >= 0 && cell[1] >= 0 && cell[0] < width as i64 && cell[1] < height as i64;
        if inside { clamp(f64::from(pixels[cell[1] as usize * width + cell[0] as usize][3]), 0.0, 1.0) } else { 0.0 }
    };
    let row = |dy: i64| value(0, dy) * (1.0 - f[0]) + value(1, dy) * f[0];
    row(0) * (1.0 - f[1]) + row(1) * f[1]
}

/// Unit vector out of the matte: against the gradient of its alpha; up where that is 0.
fn outward(grid: &Grid, pixels: &Pixels, [x, y, z]: [f64; 3]) -> [f64; 2] {
    let cell = 1.5 / grid.cells_per_pixel;
    let at = |dx: f64, dy: f64| alpha(grid, pixels, [x + dx * cell, y + dy * cell, z]);
    let gradient = [at(1.0, 0.0) - at(-1.0, 0.0), at(0.0, 1.0) - at(0.0, -1.0)];
    let length = libm::sqrt(gradient[0] * gradient[0] + gradient[1] * gradient[1]);
    if length > 1e-6 { gradient.map(|g| -g / length) } else { [0.0, 1.0] }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::sim::particles::settings::Solids;
    use crate::sim::particles::testing::still;

    const BOUNCY: Contact = Contact { sticks: false, bounce: 0.5, friction: 0.25 };

    #[test]
    fn a_particle_bounces_off_the_floor_or_sticks_to_it() {
        let grid = Grid { width: 8, height: 8, origin: [0.0; 2], cells_per_pixel: 1.0 };
        let with = |contact| Settings {
            solids: Solids { floor: Some(Floor { height: 2.0, contact }), matte: None },
            ..still()
        };
        let met = |contact| {
            let settings = with(contact);
            let bodies = SolidBodies::new(&settings, &grid, None);
            bodies.meet([3.0, 2.5, 0.0], ([3.0, 1.5, 0.0], [4.0, -1.0, 8.0]))
        };
        let low =
            Settings { solids: Solids { floor: Some(Floor { height: 0.0, contact: BOUNCY }), matte: None }, ..still() };
        let bodies = SolidBodies::new(&low, &grid, None);
        let (motion, _) = bodies.meet([3.0, 0.25, 0.0], ([3.0, -6.0, 0.0], [0.0, -6.25, 0.0]));
        assert_eq!(motion.0[1], 3.0, "a floor at 0 throws as far back as any other");
        let (motion, _) = bodies.meet([3.0, -90.0, 0.0], ([3.0, -91.0, 0.0], [0.0, -1.0, 0.0]));
        assert_eq!(motion.0[1], 0.5, "a particle from below is lifted, not thrown");
        assert_eq!(met(BOUNCY), (([3.0, 2.25, 0.0], [3.0, 0.5, 6.0]), false));
        let sticky = Contact { sticks: true, ..BOUNCY };
        assert_eq!(met(sticky), (([3.0, 2.0, 0.0], [0.0; 3]), true));
    }

    #[test]
    fn a_particle_stays_outside_of_the_matte() {
        let grid = Grid { width: 16, height: 16, origin: [0.0; 2], cells_per_pixel: 1.0 };
        let pixels: Pixels = Arc::new((0..256).map(|at| [0.0, 0.0, 0.0, f32::from(u8::from(at % 16 >= 8))]).collect());
        let settings = Settings { solids: Solids { floor: None, matte: Some(BOUNCY) }, ..still() };
        let bodies = SolidBodies::new(&settings, &grid, Some(&pixels));
        let ((place, velocity), stuck) = bodies.meet([7.0, 8.0, 0.0], ([9.0, 8.0, 0.0], [2.0, 1.0, 0.0]));
        assert_eq!((place, stuck), ([7.0, 8.0, 0.0], false));
        assert!((velocity[0] + 1.0).abs() < 1e-9 && (velocity[1] - 0.75).abs() < 1e-9, "{velocity:?}");
        let free = ([5.0, 8.0, 0.0], [2.0, 1.0, 0.0]);
        assert_eq!(bodies.meet([4.0, 8.0, 0.0], free), (free, false));
    }
}
