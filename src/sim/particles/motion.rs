//! The motion of particles.

use crate::sim::batch::{BATCH, Batch, Batch3, at, each, each3, splat};

/// Largest distance that a particle moves in a sub-step, cells.
const MOST_CELLS: f64 = 2.0;

/// Largest number of sub-steps of a frame.
const MOST_STEPS: f64 = 256.0;

/// Products of drag and time below which a series replaces the exponential.
const LITTLE: f64 = 1e-4;

/// Position and velocity.
pub type Motion = ([f64; 3], [f64; 3]);

/// Positions and velocities.
pub type Motions = (Batch3, Batch3);

/// `a + b·factors`.
#[inline(always)]
fn along(a: &Batch3, b: &Batch3, factors: &Batch) -> Batch3 {
    each3(
        #[inline(always)]
        |n| [a[0][n] + b[0][n] * factors[n], a[1][n] + b[1][n] * factors[n], a[2][n] + b[2][n] * factors[n]],
    )
}

/// Length of a vector.
#[inline(always)]
pub fn length(v: [f64; 3]) -> f64 {
    f64::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2])
}

/// The next sub-step of a particle with this speed, of the time that is `left`.
#[inline(always)]
pub fn sub_step(left: f64, speed: f64, cell: f64) -> f64 {
    let most = MOST_CELLS * cell;
    if speed * left <= most { left } else { (most / speed).max(1.0 / MOST_STEPS).min(left) }
}

/// Moves particles without mass by the times `h` through the velocity `air(positions, times after the start)`, by the
/// classical method of Runge and Kutta of fourth order. `k1`: the velocities at the start. Returns the mean velocities.
#[inline(always)]
pub fn trace(positions: &Batch3, k1: &Batch3, h: &Batch, air: impl Fn(&Batch3, &Batch) -> Batch3) -> Motions {
    let mut k = [*k1; 4];
    for (stage, share) in [(1, 0.5), (2, 0.5), (3, 1.0)] {
        let after = each(
            #[inline(always)]
            |n| h[n] * share,
        );
        k[stage] = air(&along(positions, &k[stage - 1], &after), &after);
    }
    let [k1, k2, k3, k4] = &k;
    let mut mean = splat([0.0; 3]);
    for axis in 0..3 {
        for n in 0..BATCH {
            mean[axis][n] = (k1[axis][n] + 2.0 * (k2[axis][n] + k3[axis][n]) + k4[axis][n]) / 6.0;
        }
    }
    (along(positions, &mean, h), mean)
}

/// Moves particles with mass by the times `h`. With the drag k, the air `v_t` and the acceleration g at the middle of
/// their way: `a = v_t + g/k`, `v' = a + (v − a)e^(−kh)`, `x' = x + a·h + (v − a)(1 − e^(−kh))/k`.
#[inline(always)]
pub fn push(
    (positions, velocities): &Motions,
    h: &Batch,
    drags: &Batch,
    air: impl Fn(&Batch3, &Batch) -> Batch3,
    acceleration: impl Fn([f64; 3]) -> [f64; 3],
) -> Motions {
    let half = each(
        #[inline(always)]
        |n| h[n] / 2.0,
    );
    let middle = along(positions, velocities, &half);
    let force = each3(|n| acceleration(at(&middle, n)));
    let is_dragged = drags.iter().any(|drag| *drag > 0.0);
    let wind = if is_dragged { air(&middle, &half) } else { splat([0.0; 3]) };
    let mut slowing = [Slowing::default(); BATCH];
    for n in 0..BATCH {
        // Most often steps of a batch are equal, and exponentials are slow.
        let is_same = n > 0 && h[n] == h[n - 1] && drags[n] == drags[n - 1];
        slowing[n] = if is_same { slowing[n - 1] } else { Slowing::new(drags[n], h[n]) };
    }
    let (mut ends, mut speeds) = (*positions, *velocities);
    for axis in 0..3 {
        for n in 0..BATCH {
            let (Slowing { fall, rest, keep }, drag, h) = (slowing[n], drags[n], h[n]);
            let (position, velocity) = (positions[axis][n], velocities[axis][n]);
            let (wind, force) = (wind[axis][n], force[axis][n]);
            let dragged = position + wind * (h - fall) + velocity * fall + force * rest;
            let free = position + (velocity + force * h / 2.0) * h;
            ends[axis][n] = if drag <= 0.0 { free } else { dragged };
            let dragged = wind * (drag * fall) + velocity * keep + force * fall;
            speeds[axis][n] = if drag <= 0.0 { velocity + force * h } else { dragged };
        }
    }
    (ends, speeds)
}

/// The effect of a drag k over a time h.
#[derive(Clone, Copy, Default)]
struct Slowing {
    /// `(1 − e^(−kh))/k`.
    fall: f64,
    /// `(h − fall)/k`.
    rest: f64,
    /// `e^(−kh)`.
    keep: f64,
}

impl Slowing {
    /// Exact limits where `k` is small; zeros without drag.
    fn new(drag: f64, h: f64) -> Self {
        if drag <= 0.0 {
            return Self::default();
        }
        let kh = drag * h;
        let fall = if kh < LITTLE { h * (1.0 - kh / 2.0 + kh * kh / 6.0) } else { -libm::expm1(-kh) / drag };
        let rest = if kh < LITTLE { h * h * (0.5 - kh / 6.0 + kh * kh / 24.0) } else { (h - fall) / drag };
        Self { fall, rest, keep: libm::exp(-kh) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Drift of the radius in one turn around a vortex, in parts of the radius, with steps of so many cells.
    fn drift(radius: f64, cells: f64) -> f64 {
        let air = |places: &Batch3, _: &Batch| each3(|n| [-places[1][n], places[0][n], 0.0]);
        let steps = (2.0 * std::f64::consts::PI * radius / cells).ceil();
        let h = 2.0 * std::f64::consts::PI / steps;
        let mut positions = splat([radius, 0.0, 0.0]);
        for _ in 0..steps as usize {
            positions = trace(&positions, &air(&positions, &[0.0; BATCH]), &[h; BATCH], air).0;
        }
        (length(at(&positions, BATCH - 1)) / radius - 1.0).abs()
    }

    #[test]
    fn tracers_stay_on_circles() {
        let (wide, narrow) = (drift(20.0, 2.0), drift(5.0, 1.0));
        assert!(wide <= 2e-6, "{wide}");
        assert!(narrow <= 5e-5, "{narrow}");
    }

    #[test]
    fn drag_and_gravity_are_exact_for_any_step() {
        let (wind, gravity, start) = ([0.5, 0.0, 0.2], [0.0, -0.1, 0.0], ([1.0, 2.0, 3.0], [4.0, -1.0, 0.5]));
        for drag in [0.0, 1e-9, 1e-5, 2e-4, 0.1, 3.0, 50.0] {
            let fly = |steps: usize| {
                let h = 8.0 / steps as f64;
                let start = (splat(start.0), splat(start.1));
                let (ends, speeds) = (0..steps).fold(start, |motions, _| {
                    push(&motions, &[h; BATCH], &[drag; BATCH], |_, _| splat(wind), |_| gravity)
                });
                (at(&ends, BATCH - 1), at(&speeds, BATCH - 1))
            };
            let (one, many) = (fly(1), fly(64));
            for axis in 0..3 {
                assert!((one.0[axis] - many.0[axis]).abs() < 1e-7, "drag {drag}: {one:?} {many:?}");
                assert!((one.1[axis] - many.1[axis]).abs() < 1e-8, "drag {drag}: {one:?} {many:?}");
            }
            if drag == 0.0 {
                assert_eq!(one.0[1], 2.0 - 8.0 - 0.5 * 0.1 * 64.0);
            }
        }
    }

    #[test]
    fn sub_steps_cross_two_cells_at_most_and_end_with_the_frame() {
        for (speed, cell) in [(0.0, 1.0), (1.0, 1.0), (7.0, 1.0), (7.0, f64::INFINITY), (1e9, 0.01)] {
            let (mut left, mut steps) = (1.0, 0);
            while left > 0.0 {
                let h = sub_step(left, speed, cell);
                assert!(h > 0.0 && (speed * h <= 2.0 * cell * 1.000_001 || h <= 1.0 / 256.0));
                (left, steps) = (left - h, steps + 1);
            }
            assert!(steps <= 257, "{steps}");
        }
    }
}
