//! Shallow water on a staggered grid, in the fixed point: speed and flow of one face in one step.
//!
//! The scheme is that of Stelling and Duinmeijer (2003): levels at cell centres, speeds on faces, and an upwind
//! momentum flux, which conserves momentum over a bore. The depth of a face comes from the depths of the cells, not
//! from their levels above the higher bed: gravity alone turns water back at a rising bed, so that it climbs as far as
//! its speed carries it, and a lake at rest stays at rest around islands of any shape. Where water piles up, a
//! viscosity raises its head in proportion to the rise, which keeps bores free of waves of two cells (von Neumann and
//! Richtmyer 1950, the linear term).
//!
//! Integers replace the usual floating point: CPUs and graphics devices then give the same bits, and no unit of water
//! is lost. Each device has its own code for the same arithmetic; tests compare it with this module.

use super::fixed_point::{Coefficient, FLOW_MAX, WHOLE, bit_length, mul, part, signed_part};
use super::plan::Shallow;
use super::settings::Order;

/// A speed of one cell per step, the greatest speed.
pub const SPEED_ONE: i32 = 1 << 26;
/// Greatest change of a speed by gravity, before the speed is clamped.
pub const PULL_MAX: i32 = 1 << 29;
/// Greatest depth that friction adds.
pub const DRAG_MAX: i32 = 1 << 28;

/// A factor that may exceed 1: 2^`lift` · `by`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Gain {
    /// 0 to 26.
    pub lift: u32,
    /// At most 1.
    pub by: Coefficient,
}

impl Gain {
    /// The gain nearest to `value` ≥ 0, clamped to 2^26 (NaN is 0).
    pub fn new(value: f64) -> Gain {
        let mut lift = 0;
        let mut rest = value;
        while rest > 1.0 && lift < 26 {
            rest *= 0.5;
            lift += 1;
        }
        Gain { lift, by: Coefficient::new(rest) }
    }

    /// a times the gain, where a·2^`lift` is first clamped to ±`top`.
    pub fn of(self, a: i32, top: i32) -> i32 {
        let most = top >> self.lift;
        mul(a.clamp(-most, most) << self.lift, self.by)
    }
}

impl Order {
    /// Depth of a face, from the depths of the cells on both sides. Second order: the depth of the middle of the water
    /// that crosses the face in the step, half of 1 − speed towards the downwind cell (Lax and Wendroff 1960); at most
    /// twice the upwind depth, so that a dry cell passes nothing. First order: the upwind depth.
    pub fn face_depth(self, upwind: i32, downwind: i32, speed: i32) -> i32 {
        let share = self.weight().saturating_sub(speed.unsigned_abs() >> 10);
        let correction = part((downwind - upwind).unsigned_abs() >> 1, share) as i32;
        (upwind + if downwind < upwind { -correction } else { correction }).min(2 * upwind)
    }

    /// The speed of a flow of at most the upwind depth, to about a thousandth: the depth of its face depends on it.
    pub fn speed_of(self, flow: i32, upwind: i32, downwind: i32) -> i32 {
        let one = i64::from(SPEED_ONE);
        (0..8).fold(0, |speed, _| {
            let depth = i64::from(self.face_depth(upwind, downwind, speed).max(1));
            (i64::from(flow) * one / depth).clamp(-one, one) as i32
        })
    }

    /// Share of the difference of the depths at speed 0, in parts of 65536.
    pub fn weight(self) -> u32 {
        match self {
            Order::First => 0,
            Order::Second => WHOLE,
        }
    }
}

/// A face between the cell that owns it (0) and its neighbour (1).
#[derive(Clone, Copy, Debug)]
pub struct Face {
    /// Depths of the two cells.
    pub height: [i32; 2],
    /// Heads of the two cells: water, terrain, pressure and viscosity.
    pub head: [i32; 2],
    /// Push along the normal of the face.
    pub push: i32,
    /// Speed of the face, positive towards the neighbour.
    pub speed: i32,
    /// Speeds of the faces behind and ahead.
    pub along: [i32; 2],
    /// Speeds of the faces beside: to the right or below, to the left or above.
    pub beside: [i32; 2],
    /// Flows of the last step along the normal, each the sum of two faces: through cell 0 and through cell 1.
    pub through: [i32; 2],
    /// Flows of the last step across the normal, each the sum of two faces: below or to the left, above or to the
    /// right.
    pub across: [i32; 2],
    /// Sum of the speeds of the four faces across the normal.
    pub swirl: i32,
}

/// n / d in parts of 65536, for 0 ≤ n ≤ d < 2^30 and d > 0, slightly too small: the quotient of the devices.
pub fn ratio(n: i32, d: i32) -> u32 {
    let zeros = 32 - bit_length(d);
    let short = |v: i32| ((v as u32) << zeros) >> 16;
    // At most 2^32 / d, in 16 bits.
    let inverse = (65535 << 15) / short(d);
    (short(n) * inverse) >> 15
}

/// Approximate length of a vector, at most 7 % too long.
pub fn length(a: i32, b: i32) -> i32 {
    let (a, b) = (a.abs(), b.abs());
    a.max(b) + ((3 * a.min(b)) >> 3)
}

impl Face {
    /// The next speed of the face, and its flow in this step. `pull`: share of gravity. `keep`: damping of a speed.
    pub fn next(&self, shallow: &Shallow, pull: u32, keep: impl Fn(i32) -> i32) -> (i32, i32) {
        let [near, far] = self.height;
        let depths = near + far;
        if depths == 0 {
            return (0, 0);
        }
        // Water that comes from a side changes the speed by a share of `less`, the difference of the speeds.
        let brings = |flow: i32, less: i32| signed_part(less, ratio(flow.clamp(0, depths), depths));
        let carried = brings(self.through[0], self.speed - self.along[0])
            + brings(-self.through[1], self.speed - self.along[1])
            + brings(self.across[0], self.speed - self.beside[0])
            + brings(-self.across[1], self.speed - self.beside[1]);
        let drop = self.head[0] - self.head[1] + self.push;
        let pulled = self.speed - carried + signed_part(shallow.gravity.of(drop, PULL_MAX), pull);
        let held = keep(pulled.clamp(-SPEED_ONE, SPEED_ONE));
        let drag = shallow.friction.of(length(held, self.swirl.abs() >> 2), DRAG_MAX);
        let speed = held - signed_part(held, ratio(drag, depths + drag));
        let (upwind, downwind) = if speed > 0 { (near, far) } else { (far, near) };
        let depth = shallow.order.face_depth(upwind, downwind, speed);
        if depth == 0 {
            return (0, 0);
        }
        (speed, through(speed, depth))
    }
}

/// The flow at a speed through a face of this depth, rounded towards zero.
fn through(speed: i32, depth: i32) -> i32 {
    let (size, depth) = (speed.unsigned_abs(), depth as u32);
    let flow = part(depth, size >> 10) + (part(depth, size & 1023) >> 10);
    let flow = flow.min(FLOW_MAX as u32) as i32;
    if speed < 0 { -flow } else { flow }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratios_are_a_little_small_and_never_above_one() {
        for shift in 0..30 {
            for d in
                [1, 2, 3, 5, 7, 255, 256, 257, 40_000, 65_535, 65_536, 65_537, (1 << 30) - 1].map(|d: i32| d >> shift)
            {
                for n in [0, 1, d / 3, d / 2, d - 1, d].into_iter().filter(|&n| d > 0 && (0..=d).contains(&n)) {
                    let exact = f64::from(n) / f64::from(d) * 65536.0;
                    let found = f64::from(ratio(n, d));
                    assert!(
                        found <= exact + 4.0 && found >= exact - 6.0 && found <= 65536.0,
                        "{n} / {d}: {found} of {exact}"
                    );
                }
            }
        }
    }

    #[test]
    fn a_gain_is_its_factor_until_it_is_held() {
        for value in [0.0, 1e-7, 0.3, 1.0, 1.5, 77.0, 1e6] {
            let gain = Gain::new(value);
            for a in [0, 1, -1, 1234, -99_999] {
                let lift = f64::from(1 << gain.lift);
                let most = (f64::from(PULL_MAX) / lift).floor() * lift;
                let exact = (f64::from(a) * lift).clamp(-most, most) * (value / lift);
                let found = f64::from(gain.of(a, PULL_MAX));
                assert!((found - exact).abs() <= 0.5 + exact.abs() * 2e-5, "{a} · {value}: {found} of {exact}");
            }
        }
    }
}
