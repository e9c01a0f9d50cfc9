//! Gradient noise on a cubic lattice (Perlin 2002).

use std::f64::consts::FRAC_PI_2;

use super::batch::{BATCH, Batch, Batch3};
use super::hash::pcg4d;
use super::maths::{clamp, floor};

/// Gradients: the directions to the edges of a cube.
const GRADIENTS: [[f64; 3]; 12] = [
    [1.0, 1.0, 0.0],
    [-1.0, 1.0, 0.0],
    [1.0, -1.0, 0.0],
    [-1.0, -1.0, 0.0],
    [1.0, 0.0, 1.0],
    [-1.0, 0.0, 1.0],
    [1.0, 0.0, -1.0],
    [-1.0, 0.0, -1.0],
    [0.0, 1.0, 1.0],
    [0.0, -1.0, 1.0],
    [0.0, 1.0, -1.0],
    [0.0, -1.0, -1.0],
];

/// Largest coordinate of the lattice.
const FAR: f64 = 1e9;

/// Value and gradient of the noise of a seed at a position in cells of its lattice.
pub(super) fn noise(seed: u32, position: [f64; 3]) -> (f64, [f64; 3]) {
    let [first] = noises(seed, position);
    first
}

/// Values and gradients of up to four noises of a seed at a position in cells of their lattice; the first one is
/// [`noise`]. One hash serves them all.
pub(super) fn noises<const N: usize>(seed: u32, position: [f64; 3]) -> [(f64, [f64; 3]); N] {
    let sides = position.map(Side::new);
    let mut found = [(0.0, [0.0; 3]); N];
    for z in 0..2 {
        for y in 0..2 {
            for x in 0..2 {
                let corner = [x, y, z];
                let [i, j, k] = [0, 1, 2].map(|axis| sides[axis].points[corner[axis]]);
                let hash = pcg4d([i, j, k, seed]);
                let [wx, wy, wz] = [0, 1, 2].map(|axis| sides[axis].weights[corner[axis]]);
                let across = [wz * wy, wz * wx, wy * wx];
                for (which, (value, gradient)) in found.iter_mut().enumerate() {
                    let g = &GRADIENTS[edge(hash[which]) as usize];
                    let mut ramp = 0.0;
                    for axis in 0..3 {
                        ramp += g[axis] * sides[axis].from[corner[axis]];
                    }
                    *value += across[0] * wx * ramp;
                    for axis in 0..3 {
                        let Side { slopes, weights, .. } = &sides[axis];
                        let at = corner[axis];
                        gradient[axis] += across[axis] * (slopes[at] * ramp + weights[at] * g[axis]);
                    }
                }
            }
        }
    }
    found
}

/// Gradients of [`noises`] at a batch of positions. Each loop over the positions has a short body without branches: the
/// compiler makes vectors of it for every instruction set.
#[expect(clippy::needless_range_loop, reason = "several arrays at once, as vectors")]
#[inline(always)]
pub(super) fn gradients<const N: usize>(seed: u32, positions: &Batch3) -> [Batch3; N] {
    let [x, y, z] = &[Sides::new(&positions[0]), Sides::new(&positions[1]), Sides::new(&positions[2])];
    let mut gradients = [[[0.0; BATCH]; 3]; N];
    for corner in 0..8 {
        let [i, j, k] = [corner & 1, corner >> 1 & 1, corner >> 2];
        let mut hashes = [[0; BATCH]; 4];
        for n in 0..BATCH {
            let hash = pcg4d([x.points[i][n], y.points[j][n], z.points[k][n], seed]);
            for which in 0..4 {
                hashes[which][n] = hash[which];
            }
        }
        for which in 0..N {
            let [dx, dy, dz] = &mut gradients[which];
            for n in 0..BATCH {
                let [gx, gy, gz] = gradient(edge(hashes[which][n]));
                let [gx, gy, gz] = [f64::from(gx), f64::from(gy), f64::from(gz)];
                let [wx, wy, wz] = [x.weights[i][n], y.weights[j][n], z.weights[k][n]];
                let ramp = 0.0 + gx * x.from[i][n] + gy * y.from[j][n] + gz * z.from[k][n];
                dx[n] += wz * wy * (x.slopes[i][n] * ramp + wx * gx);
                dy[n] += wz * wx * (y.slopes[j][n] * ramp + wy * gy);
                dz[n] += wy * wx * (z.slopes[k][n] * ramp + wz * gz);
            }
        }
    }
    gradients
}

/// [`Side`] of a batch of coordinates.
struct Sides {
    points: [[u32; BATCH]; 2],
    from: [Batch; 2],
    weights: [Batch; 2],
    slopes: [Batch; 2],
}

impl Sides {
    #[inline(always)]
    fn new(positions: &Batch) -> Self {
        let zeros = [[0.0; BATCH]; 2];
        let mut sides = Self { points: [[0; BATCH]; 2], from: zeros, weights: zeros, slopes: zeros };
        for (n, position) in positions.iter().enumerate() {
            let side = Side::new(*position);
            for at in 0..2 {
                sides.points[at][n] = side.points[at];
                sides.from[at][n] = side.from[at];
                sides.weights[at][n] = side.weights[at];
                sides.slopes[at][n] = side.slopes[at];
            }
        }
        sides
    }
}

/// A coordinate between two points of the lattice: their indices, the distances from them, and the weights that blend
/// their values, with derivatives.
struct Side {
    points: [u32; 2],
    from: [f64; 2],
    weights: [f64; 2],
    slopes: [f64; 2],
}

impl Side {
    #[inline(always)]
    fn new(position: f64) -> Self {
        let place = clamp(position, -FAR, FAR);
        let (low, point) = floor(place);
        let t = place - low;
        let (rise, steep) = (t * t * t * (t * (t * 6.0 - 15.0) + 10.0), 30.0 * t * t * (t * (t - 2.0) + 1.0));
        Self {
            points: [point, point.wrapping_add(1)],
            from: [t, t - 1.0],
            weights: [1.0 - rise, rise],
            slopes: [-steep, steep],
        }
    }
}

/// Number of an edge of a cube, by a hash: the upper half of its product with 12, in products of 32 bits.
#[inline(always)]
fn edge(hash: u32) -> u32 {
    const COUNT: u32 = GRADIENTS.len() as u32;
    ((hash >> 16) * COUNT + (((hash & 0xffff) * COUNT) >> 16)) >> 16
}

/// The gradient of an edge: [`GRADIENTS`] by arithmetic, without a table and without branches, for vectors.
#[inline(always)]
fn gradient(edge: u32) -> [i32; 3] {
    let edge = edge.cast_signed();
    let (first, second) = (1 - 2 * (edge & 1), 1 - (edge & 2));
    // All bits where the edge is below.
    let (below_8, below_4) = ((edge - 8) >> 31, (edge - 4) >> 31);
    [first & below_8, (second & below_4) | (first & !below_8), second & !below_4]
}

/// A rotation without an axis of its own on the axes of the grid. Noise has features along the axes of its lattice; where
/// they would be those of the grid, they show as straight edges.
const ROTATION: [[f64; 3]; 3] = [[2.0, 3.0, 6.0], [6.0, 2.0, -3.0], [-3.0, 6.0, -2.0]];

/// Norm of the rows of [`ROTATION`].
const ROTATION_NORM: f64 = 7.0;

/// Rotates a position or direction of the grid into the axes of a noise's lattice that are oblique to the grid's.
#[inline(always)]
pub fn to_oblique(v: [f64; 3]) -> [f64; 3] {
    let along = |row: [f64; 3]| (row[0] * v[0] + row[1] * v[1] + row[2] * v[2]) / ROTATION_NORM;
    [along(ROTATION[0]), along(ROTATION[1]), along(ROTATION[2])]
}

/// The inverse of [`to_oblique`].
#[inline(always)]
pub(super) fn from_oblique(v: [f64; 3]) -> [f64; 3] {
    let r = &ROTATION;
    let along = |axis: usize| (r[0][axis] * v[0] + r[1][axis] * v[1] + r[2][axis] * v[2]) / ROTATION_NORM;
    [along(0), along(1), along(2)]
}

/// Largest index of a pattern.
const LAST_PATTERN: f64 = 1e6;

/// Indices and weights of the two patterns that are blended at the simulated time `clock`, frames. A pattern fades into
/// the next over `pulse` frames; the squares of the weights add up to 1, so that the variance is constant.
pub fn patterns(clock: f64, pulse: f64) -> [(u32, f64); 2] {
    let at = clamp(clock / pulse.max(1e-3), -LAST_PATTERN, LAST_PATTERN);
    let first = libm::floor(at);
    let turn = FRAC_PI_2 * (at - first);
    [(first as i64 as u32, libm::cos(turn)), ((first as i64 + 1) as u32, libm::sin(turn))]
}

/// Seed of the noise `which` of a pattern.
pub(super) fn seeded(seed: i32, pattern: u32, which: u32) -> u32 {
    pcg4d([seed.cast_unsigned(), pattern, which, 0])[0]
}

/// Simulated time since each of the [`patterns`] had its full weight, frames: below 0 before that.
pub fn pattern_times(clock: f64, pulse: f64) -> [f64; 2] {
    let pulse = pulse.max(1e-3);
    let at = clamp(clock / pulse, -LAST_PATTERN, LAST_PATTERN);
    let since = at - libm::floor(at);
    [since * pulse, (since - 1.0) * pulse]
}

/// Value of the blended patterns, about −1 to 1, each at its own position in cells of the noise.
fn changing(seed: i32, positions: [[f64; 3]; 2], patterns: [(u32, f64); 2]) -> f64 {
    let values = patterns.iter().zip(positions);
    values.map(|((pattern, share), position)| share * noise(seeded(seed, *pattern, 0), position).0).sum()
}

/// Three independent values of the blended patterns, each pattern at its own position in cells of the noise. The root
/// mean square of each value is [`VECTOR_RMS`].
pub fn changing_vector(seed: i32, positions: [[f64; 3]; 2], patterns: [(u32, f64); 2]) -> [f64; 3] {
    let mut sum = [0.0; 3];
    for ((pattern, share), position) in patterns.iter().zip(positions) {
        let found: [_; 3] = noises(seeded(seed, *pattern, 1), position);
        sum = std::array::from_fn(|axis| sum[axis] + share * found[axis].0);
    }
    sum
}

/// Root mean square of the values of [`changing_vector`].
pub const VECTOR_RMS: f64 = 0.27;

/// Frames over which one pattern of [`patches`] fades into the next.
pub const PATCHES_PULSE: f64 = 6.0;

/// Patches of an emission that is broken up: 0 to 1, on the mean a half. `positions` in each of the `patterns`, in sizes
/// of a patch; `patterns` of [`PATCHES_PULSE`].
pub fn patches(seed: i32, positions: [[f64; 3]; 2], patterns: [(u32, f64); 2]) -> f64 {
    let octave = |scale: f64, seed: i32| changing(seed, positions.map(|at| at.map(|x| x * scale)), patterns);
    clamp(0.5 + 1.6 * (octave(1.0, seed) + 0.5 * octave(2.0, seed.wrapping_add(1))), 0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::batch::{at, each3};

    #[test]
    fn noises_have_their_gradients_and_differ() {
        const H: f64 = 1e-5;
        let mut apart = 0;
        for n in 0..200 {
            let at = [0.37, 1.91, -0.73].map(|scale| scale * f64::from(n));
            let found: [_; 3] = noises(9, at);
            for axis in 0..3 {
                let ends = [H, -H].map(|by| {
                    let mut moved = at;
                    moved[axis] += by;
                    noises::<3>(9, moved)
                });
                for (which, (_, gradient)) in found.iter().enumerate() {
                    let exact = (ends[0][which].0 - ends[1][which].0) / (2.0 * H);
                    assert!((gradient[axis] - exact).abs() < 1e-6, "{which} at {at:?}: {gradient:?}, {axis}: {exact}");
                }
            }
            let [first, second, third] = found;
            assert_eq!(noise(9, at), first);
            apart += usize::from(first != second && second != third && third != first);
        }
        assert!(apart > 190, "at {apart} of 200 places all three differ");
    }

    #[test]
    fn gradients_of_a_batch_are_those_of_its_positions() {
        let zeros = [0.0, -0.0, 1e-300, -1e-300, f64::NAN, 1e300, -1e300, 2.0, -2.0, 1.5, FAR, -FAR];
        for n in 0..1000_usize {
            let place = |n: usize| pcg4d([n as u32, 1, 2, 3]).map(|word| f64::from(word) / 4e6 - 500.0);
            let positions = each3(|lane| {
                let [x, y, z, _] = place(n * BATCH + lane);
                [if n < 60 { zeros[(n + lane) % zeros.len()] } else { x }, y, zeros[n % zeros.len()] + z]
            });
            let found: [_; 3] = gradients(n as u32, &positions);
            for lane in 0..BATCH {
                let alone: [_; 3] = noises(n as u32, at(&positions, lane));
                for which in 0..3 {
                    assert_eq!(at(&found[which], lane).map(f64::to_bits), alone[which].1.map(f64::to_bits));
                }
            }
        }
        assert_eq!(std::array::from_fn(|edge| gradient(edge as u32).map(f64::from)), GRADIENTS);
    }

    #[test]
    fn edges_are_the_upper_half_of_a_product() {
        let ends = (1..=12_u64).flat_map(|edge| [0, 1].map(|less| ((edge << 32) / 12 - less) as u32));
        for hash in ends.chain((0..1000).map(|n| pcg4d([n, 1, 2, 3])[0])).chain([0, u32::MAX, 0xffff, 0x10000]) {
            assert_eq!(u64::from(edge(hash)), (u64::from(hash) * 12) >> 32, "{hash}");
        }
    }

    #[test]
    fn the_oblique_axes_are_a_rotation() {
        for axis in 0..3 {
            let mut unit = [0.0; 3];
            unit[axis] = 1.0;
            let there = to_oblique(unit);
            assert!((there.iter().map(|part| part * part).sum::<f64>() - 1.0).abs() < 1e-15);
            assert!(there.iter().all(|part| part.abs() > 0.25), "{there:?} is oblique to the axes");
            let back = from_oblique(there);
            assert!(back.iter().zip(unit).all(|(a, b)| (a - b).abs() < 1e-15), "{back:?}");
        }
        let [x, y, z] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]].map(to_oblique);
        let cross = [x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2], x[0] * y[1] - x[1] * y[0]];
        assert!(cross.iter().zip(z).all(|(a, b)| (a - b).abs() < 1e-15), "a rotation, not a reflection: {cross:?}");
    }

    #[test]
    fn patterns_give_way_to_the_next_without_a_jump() {
        let at = |clock: f64| changing(7, [[0.3, 0.6, 0.2]; 2], patterns(clock, 4.0));
        assert!((at(4.0) - at(4.0 - 1e-9)).abs() < 1e-6);
        assert_ne!(at(0.0), at(4.0));
    }
}
