//! The motion of one particle.

/// Largest distance that a particle moves in a sub-step, cells.
const MOST_CELLS: f64 = 2.0;

/// Largest number of sub-steps of a frame.
const MOST_STEPS: f64 = 256.0;

/// Products of drag and time below which a series replaces the exponential.
const LITTLE: f64 = 1e-4;

/// Position and velocity.
pub type Motion = ([f64; 3], [f64; 3]);

#[inline(always)]
fn along(a: [f64; 3], b: [f64; 3], factor: f64) -> [f64; 3] {
    [a[0] + b[0] * factor, a[1] + b[1] * factor, a[2] + b[2] * factor]
}

/// Length of a vector.
#[inline(always)]
pub fn length(v: [f64; 3]) -> f64 {
    libm::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2])
}

/// The next sub-step of a particle with this speed, of the time that is `left`.
#[inline(always)]
pub fn sub_step(left: f64, speed: f64, cell: f64) -> f64 {
    let most = MOST_CELLS * cell;
    if speed * left <= most { left } else { (most / speed).max(1.0 / MOST_STEPS).min(left) }
}

/// Moves a particle without mass by the time `h` through the velocity `air(position, time after the start)`, by the
/// classical method of Runge and Kutta of fourth order. `k1`: the velocity at the start. Returns the mean velocity.
#[inline(always)]
pub fn trace(position: [f64; 3], k1: [f64; 3], h: f64, air: impl Fn([f64; 3], f64) -> [f64; 3]) -> Motion {
    let k2 = air(along(position, k1, h / 2.0), h / 2.0);
    let k3 = air(along(position, k2, h / 2.0), h / 2.0);
    let k4 = air(along(position, k3, h), h);
    let mut mean = k1;
    for axis in 0..3 {
        mean[axis] = (k1[axis] + 2.0 * (k2[axis] + k3[axis]) + k4[axis]) / 6.0;
    }
    (along(position, mean, h), mean)
}

/// Moves a particle with mass by the time `h`. With the drag k, the air `v_t` and the acceleration g at the middle of
/// its way: `a = v_t + g/k`, `v' = a + (v − a)e^(−kh)`, `x' = x + a·h + (v − a)(1 − e^(−kh))/k`.
pub fn push(
    (position, velocity): Motion,
    h: f64,
    drag: f64,
    air: impl Fn([f64; 3], f64) -> [f64; 3],
    acceleration: impl Fn([f64; 3]) -> [f64; 3],
) -> Motion {
    let middle = along(position, velocity, h / 2.0);
    let force = acceleration(middle);
    if drag <= 0.0 {
        let end = [0, 1, 2].map(|axis| position[axis] + (velocity[axis] + force[axis] * h / 2.0) * h);
        return (end, along(velocity, force, h));
    }
    let wind = air(middle, h / 2.0);
    let kh = drag * h;
    // (1 − e^(−kh))/k and h − that, over k: exact limits where k is small.
    let fall = if kh < LITTLE { h * (1.0 - kh / 2.0 + kh * kh / 6.0) } else { -libm::expm1(-kh) / drag };
    let rest = if kh < LITTLE { h * h * (0.5 - kh / 6.0 + kh * kh / 24.0) } else { (h - fall) / drag };
    let keep = libm::exp(-kh);
    let end =
        [0, 1, 2].map(|axis| position[axis] + wind[axis] * (h - fall) + velocity[axis] * fall + force[axis] * rest);
    let speed = [0, 1, 2].map(|axis| wind[axis] * (drag * fall) + velocity[axis] * keep + force[axis] * fall);
    (end, speed)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Drift of the radius in one turn around a vortex, in parts of the radius, with steps of so many cells.
    fn drift(radius: f64, cells: f64) -> f64 {
        let air = |[x, y, _]: [f64; 3], _: f64| [-y, x, 0.0];
        let steps = (2.0 * std::f64::consts::PI * radius / cells).ceil();
        let h = 2.0 * std::f64::consts::PI / steps;
        let mut position = [radius, 0.0, 0.0];
        for _ in 0..steps as usize {
            position = trace(position, air(position, 0.0), h, air).0;
        }
        (length(position) / radius - 1.0).abs()
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
                (0..steps).fold(start, |motion, _| push(motion, h, drag, |_, _| wind, |_| gravity))
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
