//! Products of the fixed point in lanes.

use super::super::lanes::{Lanes, Scale};
use crate::sim::fixed::Coefficient;

/// A coefficient as a multiplier: the integer nearest to |a|·c, halves up, for |a| < 2^31.
pub(crate) fn scale(c: Coefficient) -> Scale {
    let mantissa = u64::from(c.mantissa);
    if c.shift <= 16 {
        // The product with 1 rounds to the same integer a little below.
        let multiplier = u32::try_from(mantissa << (16 - c.shift)).unwrap_or(u32::MAX);
        return Scale { multiplier, round: 1 << 31, shift: 0 };
    }
    Scale { multiplier: c.mantissa, round: 1 << (15 + c.shift), shift: c.shift - 16 }
}

/// q·r / 2^16 towards zero, for shares r ≤ 65536.
#[inline(always)]
pub(crate) fn part<V: Lanes>(q: V, r: V) -> V {
    let n = q.abs();
    n.high().mul(r).add(n.and(V::splat(0xffff)).mul(r).srl16()).with_sign_of(q)
}

#[cfg(test)]
mod tests {
    use super::super::super::lanes::tests::{Check, apply, every, numbers};
    use super::super::super::lanes::{BLOCK, portable::Portable};
    use super::*;
    use crate::sim::fixed::{FLOW_MAX, mul, part as exact_part};

    struct Products;

    impl Check for Products {
        fn with<V: Lanes>(&self, name: &str) {
            for shift in 0..32 {
                for mantissa in [0, 1, 2, 3, 32767, 32768, 32769, 43691, 65535, 65536] {
                    let c = Coefficient { mantissa, shift };
                    let by = scale(c);
                    for block in numbers(i32::MAX).chunks(BLOCK) {
                        for sign in [1, -1] {
                            let block: Vec<i32> = block.iter().map(|n| sign * n).collect();
                            let found = if by.shift > 0 {
                                apply::<Portable>(&block, |a, _| a.scale(Portable::scale_by(by)))
                            } else {
                                apply::<V>(&block, |a, _| a.scale(V::scale_by(by)))
                            };
                            let truth: Vec<i32> = block.iter().map(|&a| mul(a, c)).collect();
                            assert_eq!(found[..], truth, "{name} {c:?} of {block:?}");
                        }
                    }
                }
            }
            for r in numbers(65536) {
                for block in numbers(FLOW_MAX).chunks(BLOCK) {
                    for sign in [1, -1] {
                        let block: Vec<i32> = block.iter().map(|n| sign * n).collect();
                        let truth: Vec<i32> =
                            block.iter().map(|&q| sign * exact_part(q.unsigned_abs(), r as u32) as i32).collect();
                        assert_eq!(apply::<V>(&block, |q, _| part(q, V::splat(r)))[..], truth, "{name} {r}");
                    }
                }
            }
        }
    }

    #[test]
    fn the_products_are_those_of_the_fixed_point() {
        every(&Products);
    }
}
