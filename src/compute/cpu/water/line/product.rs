//! Products of fixed-point numbers in vectors. GPU: `shared/fixed_point.wgsl`; reference:
//! [`crate::sim::water::fixed_point`].

use super::super::super::lanes::{Lanes, Scale};
use crate::sim::water::fixed_point::Coefficient;

/// A coefficient as a multiplier: |a|·c is rounded to the nearest integer, halves up, for |a| < 2^31.
pub(crate) fn scale(c: Coefficient) -> Scale {
    let mantissa = u64::from(c.mantissa);
    // Slightly more than c: products with 1 to 2^31 then exceed those with c by less than the distance of any product
    // below a half to that half, and exact halves round up.
    let exact = f64::from(c.mantissa) / (1u64 << (16 + c.shift)) as f64;
    let factor = if exact > 0.0 { exact.next_up() } else { 0.0 };
    if c.shift <= 16 {
        // A multiplier slightly below 1 rounds to the same integers.
        let multiplier = u32::try_from(mantissa << (16 - c.shift)).unwrap_or(u32::MAX);
        return Scale { multiplier, round: 1 << 31, shift: 0, factor };
    }
    Scale { multiplier: c.mantissa, round: 1 << (15 + c.shift), shift: c.shift - 16, factor }
}

/// q·r / 2^16 towards zero, for shares r ≤ 65536.
#[inline(always)]
pub(crate) fn part<V: Lanes>(q: V, r: V) -> V {
    let n = q.abs();
    n.high().mul(r).add(n.and(V::splat(0xffff)).mul(r).srl16()).with_sign_of(q)
}

#[cfg(test)]
mod tests {
    use super::super::super::super::lanes::tests::{Check, apply, every, numbers};
    use super::super::super::super::lanes::{BLOCK, Block};
    use super::*;
    use crate::sim::water::fixed_point::{FLOW_MAX, mul, part as exact_part};

    struct Products;

    /// Sums of two products, of numbers of both signs.
    fn both<V: Lanes>(block: &[i32], c: [Coefficient; 2], name: &str) {
        let by = c.map(scale);
        for turned in [0, 7] {
            let mut others: Block = [0; BLOCK];
            (0..BLOCK).for_each(|x| others[x] = if x % 3 == 0 { -block[BLOCK - 1 - x] } else { block[x] ^ turned });
            let found = apply::<V>(block, |a, j| V::scale_both([a, V::load(&others, j)], by.map(V::scale_by)));
            let truth: Vec<i32> =
                block.iter().zip(&others).map(|(&a, &b)| mul(a, c[0]).wrapping_add(mul(b, c[1]))).collect();
            assert_eq!(found[..], truth, "{name} {c:?} of {block:?} and {others:?}");
        }
    }

    impl Check for Products {
        fn with<V: Lanes>(&self, name: &str) {
            for shift in 0..32 {
                let other = Coefficient { mantissa: 40_503, shift: shift % 5 };
                for mantissa in [0, 1, 2, 3, 32767, 32768, 32769, 43691, 65535, 65536] {
                    let c = Coefficient { mantissa, shift };
                    let by = scale(c);
                    for block in numbers(i32::MAX).chunks(BLOCK) {
                        for sign in [1, -1] {
                            let block: Vec<i32> = block.iter().map(|n| sign * n).collect();
                            let found = apply::<V>(&block, |a, _| a.scale(V::scale_by(by)));
                            let truth: Vec<i32> = block.iter().map(|&a| mul(a, c)).collect();
                            assert_eq!(found[..], truth, "{name} {c:?} of {block:?}");
                            both::<V>(&block, [c, other], name);
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
