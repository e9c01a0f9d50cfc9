//! The products of the step in a form that compilers turn into vector code: `f64` arithmetic in which every operation
//! is exact but the last, which rounds to the integer that the fixed point asks for.

use crate::sim::fixed::Coefficient;

/// Adding it to a number below 2^51 leaves the nearest integer in the low 32 bits.
const MAGIC: f64 = 6_755_399_441_055_744.0;

/// The integer nearest to `value` (|value| < 2^31, never a tie), in two's complement.
#[inline(always)]
pub(super) fn nearest(value: f64) -> i32 {
    (value + MAGIC).to_bits() as i32
}

/// The whole number nearest to `value`, as `f64`.
#[inline(always)]
pub(super) fn whole(value: f64) -> f64 {
    (value + MAGIC) - MAGIC
}

/// A coefficient made ready.
#[derive(Clone, Copy)]
pub(super) struct Factor {
    value: f64,
    /// Half of the last place of a product: it turns ties away from zero and changes nothing else.
    tie: f64,
}

impl Factor {
    pub fn new(c: Coefficient) -> Factor {
        Factor { value: c.value(), tie: 1.0 / (1u64 << (17 + c.shift)) as f64 }
    }

    /// The integer nearest to a·c, halves away from zero: a product has 47 bits at most, so all but the rounding is
    /// exact.
    #[inline(always)]
    pub fn mul(self, a: i32) -> i32 {
        let a = f64::from(a);
        nearest(a * self.value + self.tie.copysign(a))
    }
}

/// q·r / 2^16 towards zero, for a share r ≤ 65536.
#[inline(always)]
pub(super) fn part_signed(q: i32, r: i32) -> i32 {
    let q = f64::from(q);
    let product = q * f64::from(r) * (1.0 / 65536.0);
    nearest(product - (0.5 - 1.0 / 131072.0_f64).copysign(q))
}

/// The power of two at or below `value` ≥ 1.
#[inline(always)]
fn leading(value: f64) -> u64 {
    value.to_bits() & 0x7ff0_0000_0000_0000
}

/// What an outflow of `out` ≥ 0 from a cell of `height` ≥ `out` takes of each pigment, with the flow's sign: the exact
/// rule of [`crate::sim::fixed::pigment_share`], 0 where nothing flows.
#[inline(always)]
pub(super) fn pigment_lane(out: i32, height: i32, masses: [i32; 3]) -> [i32; 3] {
    // 1/p of a power of two p is 2046 << 52 less p in the exponent field.
    const INVERSE: u64 = 2046 << 52;
    let (o, h) = (f64::from(out.max(1)), f64::from(height.max(1)));
    let (po, ph) = (leading(o), leading(h));
    let (inv_o, inv_h) = (f64::from_bits(INVERSE - po), f64::from_bits(INVERSE - ph));
    // Shifted to 16 bits: the height rounded up, the outflow down.
    let hs = whole(h * inv_h * 32768.0 + (0.5 - 1.0 / 1048576.0));
    let os = whole(o * inv_o * 32768.0 - (0.5 - 1.0 / 1048576.0));
    let f = whole(os * 32768.0 / hs - (0.5 - 1.0 / 262144.0));
    let scale = f64::from_bits(po) * inv_h * (1.0 / 32768.0);
    let down = 0.5 - 0.5 * scale;
    let all = out == height;
    masses.map(|m| {
        let t = nearest(f64::from(m) * (f * scale) - down);
        (if all { m } else { t }).min(out)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::fixed::{FLOW_MAX, HEIGHT_MAX, PIGMENT_MAX, mul, part, pigment_share};

    /// Numbers of every magnitude below `top`, the extremes among them.
    fn numbers(top: i32) -> impl Iterator<Item = i32> {
        let mut z = 1u64;
        let powers = (0..31).flat_map(|b| [(1i32 << b) - 1, 1i32 << b, (1i32 << b).wrapping_add(1)]);
        let mixed = (0..300).map(move |i| {
            z = (z ^ (z >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9).wrapping_add(0x9e37_79b9_7f4a_7c15);
            ((z >> 33) as i32) >> (i % 29)
        });
        powers.chain(mixed).chain([top, top - 1]).filter(move |&v| v >= 0 && v <= top)
    }

    #[test]
    fn the_products_are_those_of_the_fixed_point() {
        for shift in 0..32 {
            for mantissa in [0, 1, 2, 3, 32767, 32768, 32769, 43691, 65535, 65536] {
                let c = Coefficient { mantissa, shift };
                for n in numbers(i32::MAX) {
                    for a in [n, -n] {
                        assert_eq!(Factor::new(c).mul(a), mul(a, c), "{a} {c:?}");
                    }
                }
            }
        }
        for n in numbers(FLOW_MAX) {
            for r in numbers(65536) {
                let truth = part(n as u32, r as u32) as i32;
                assert_eq!([part_signed(n, r), part_signed(-n, r)], [truth, -truth], "{n} {r}");
            }
        }
    }

    #[test]
    fn the_shares_of_pigment_are_those_of_the_fixed_point() {
        for height in numbers(HEIGHT_MAX).step_by(3) {
            for out in numbers(FLOW_MAX).filter(|&o| o <= height) {
                for m in numbers(PIGMENT_MAX).step_by(17) {
                    let truth = if out == 0 { 0 } else { pigment_share(m, out, height) };
                    assert_eq!(pigment_lane(out, height, [m, 0, m / 2])[0], truth, "{m} {out} {height}");
                }
            }
        }
    }
}
