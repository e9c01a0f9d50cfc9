//! The release of particles that rest where they are born: by the air, or by a front that crosses the emitter.

use super::random::{Purpose, units};
use super::settings::{Emitter, Shape};
use super::state::Particle;
use crate::sim::grid::Grid;
use crate::sim::noise::patches;

/// Seed of the patches of releases: one for all emitters, so that layers of one body go together.
const PATCH_SEED: i32 = 0x72e1;

/// Part of the differences between releases that is that of the patches.
const PATCH_SHARE: f64 = 0.8;

/// Least extent of an emitter that a front crosses, pixels.
const LEAST_REACH: f64 = 1e-6;

/// Half the width of a figure of height 1.
const FIGURE: f64 = 0.3;

/// Rank of a particle among those that would be released together: 0 for the first, 1 for the last.
fn rank(emitter: &Emitter, n: u64, place: [f64; 3], purpose: Purpose) -> f64 {
    let [share, ..] = units(emitter.seed, n, purpose);
    if emitter.release_patch <= 0.0 {
        return share;
    }
    let at = place.map(|x| x / emitter.release_patch);
    let patch = patches(PATCH_SEED, [at; 2], [(0, 1.0), (0, 0.0)]);
    PATCH_SHARE * patch + (1.0 - PATCH_SHARE) * share
}

/// Speed of the air, pixels per frame, that releases a particle at rest, as for sand in wind.
#[cold]
pub fn threshold(emitter: &Emitter, particle: &Particle) -> f64 {
    let place = particle.position.map(f64::from);
    emitter.release_speed * (0.5 + rank(emitter, particle.id, place, Purpose::Release))
}

/// Frames from the birth of the particle `n` of an emitter at a place, at a fraction of the frame, to its release.
pub fn delay(emitter: &Emitter, grid: &Grid, n: u64, place: [f64; 3], time: f64) -> f64 {
    let Emitter { release_delay, release_front, release_angle, release_spread, .. } = *emitter;
    if release_front <= 0.0 {
        return release_delay;
    }
    let ([sin, cos], angle) = (sin_cos(release_angle), release_angle - emitter.angle);
    let middle = [0, 1].map(|axis| emitter.previous[axis] + (emitter.centre[axis] - emitter.previous[axis]) * time);
    let across = |[width, height]: [f64; 2], angle: f64| {
        let [sin, cos] = sin_cos(angle).map(f64::abs);
        width * cos + height * sin
    };
    let (middle, reach) = match emitter.shape {
        Shape::Point => (middle, 0.0),
        Shape::Line => (middle, across([emitter.radius, 0.0], angle)),
        Shape::Disc | Shape::Sphere => (middle, emitter.radius),
        Shape::Box => (middle, across([emitter.radius, emitter.height / 2.0], angle)),
        Shape::Figure => (middle, across([FIGURE * emitter.height, emitter.height / 2.0], angle)),
        Shape::Matte | Shape::Edge => {
            let half = [grid.width, grid.height].map(|cells| cells as f64 / grid.cells_per_pixel / 2.0);
            let middle = [grid.origin[0] + half[0], grid.origin[1] + half[1]];
            (middle, across(half, release_angle))
        }
    };
    let offset = (place[0] - middle[0]) * cos + (place[1] - middle[1]) * sin;
    // A front along a line reaches all of it at once.
    let passed = if reach > LEAST_REACH { (0.5 + 0.5 * offset / reach).clamp(0.0, 1.0) } else { 0.0 };
    let rank = rank(emitter, n, place, Purpose::Delay);
    release_delay + release_front * ((1.0 - release_spread) * passed + release_spread * rank)
}

/// Sine and cosine of degrees.
fn sin_cos(degrees: f64) -> [f64; 2] {
    let angle = degrees.to_radians();
    [libm::sin(angle), libm::cos(angle)]
}
