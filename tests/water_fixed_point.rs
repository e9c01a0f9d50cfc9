//! The products of the fixed point are exact at every magnitude.

mod water;

use flow_ofx::sim::water::fixed_point::{
    Coefficient, FLOW_MAX, HEIGHT_MAX, PIGMENT_MAX, PUSH_MAX, mul, mul_split, outflow_limit, part, pigment_share,
    rescale, to_half_push, to_units, units_per_height,
};
use proptest::prelude::*;
use water::Dice;

/// The integer nearest to |a|·m / 2^(16+s), halves away from zero, by 128-bit division.
fn mul_truth(a: i32, c: Coefficient) -> i32 {
    let (product, unit) = (i128::from(a.unsigned_abs()) * i128::from(c.mantissa), 1i128 << (16 + c.shift));
    let size = ((2 * product + unit) / (2 * unit)) as i32;
    if a < 0 { -size } else { size }
}

/// Integers of every magnitude, the extremes among them.
fn any_size(dice: &mut Dice, top: i32) -> i32 {
    match dice.next() % 8 {
        0 => top,
        1 => 0,
        2 => top - 1,
        _ => (dice.next() as i32 & i32::MAX) >> (dice.next() % 31),
    }
    .min(top)
}

#[test]
fn products_are_the_nearest_integers_and_the_32_bit_form_agrees() {
    let mut dice = Dice::new(1);
    for _ in 0..2_000_000 {
        let shift = (dice.next() % 32) as u32;
        let any = (dice.next() % 65537) as u32;
        let mantissa = dice.pick(&[0, 1, 32767, 32768, 32769, 65535, 65536, any]);
        let c = Coefficient { mantissa, shift };
        let a = any_size(&mut dice, i32::MAX) * if dice.chance(0.5) { 1 } else { -1 };
        assert_eq!(mul(a, c), mul_truth(a, c), "{a} {c:?}");
        assert_eq!(mul_split(a, c), mul(a, c), "{a} {c:?}");
        let (n, r) = (any_size(&mut dice, i32::MAX) as u32, (dice.next() % 65537) as u32);
        assert_eq!(u64::from(part(n, r)), (u64::from(n) * u64::from(r)) >> 16, "{n} {r}");
    }
    let half = Coefficient { mantissa: 32768, shift: 0 };
    assert_eq!([1, -1, 3, -3, 2].map(|a| mul(a, half)), [1, -1, 2, -2, 1], "halves go away from zero");
}

#[test]
fn coefficients_have_the_largest_shift_and_the_nearest_mantissa() {
    assert_eq!(Coefficient::new(1.0), Coefficient { mantissa: 65536, shift: 0 });
    assert_eq!(Coefficient::new(0.5), Coefficient { mantissa: 65536, shift: 1 });
    assert_eq!(Coefficient::new(0.6), Coefficient { mantissa: 39322, shift: 0 });
    assert_eq!(Coefficient::new(0.3), Coefficient { mantissa: 39322, shift: 1 });
    assert_eq!(
        Coefficient::new(1.0 / (1u64 << 48) as f64),
        Coefficient { mantissa: 1, shift: 31 },
        "2^-48 still counts"
    );
    for none in [0.0, -1.0, f64::NAN, f64::NEG_INFINITY, 0.99 / (1u64 << 48) as f64] {
        assert_eq!(Coefficient::new(none), Coefficient::ZERO, "{none}");
    }
    assert_eq!(Coefficient::new(f64::INFINITY), Coefficient::new(1.0));
    let mut dice = Dice::new(2);
    for _ in 0..100_000 {
        let c = dice.unit() / (1u64 << (dice.next() % 33)) as f64;
        let found = Coefficient::new(c);
        if c >= 1.0 / (1u64 << 31) as f64 {
            assert!(found.mantissa >= 32768, "{c}: {found:?} wastes bits");
            assert!((found.value() - c).abs() <= c / 65536.0, "{c}: {found:?}");
        }
    }
}

#[test]
fn real_numbers_are_rounded_to_units() {
    for (range, units) in [(8.0, 25), (1.0, 28), (5.0, 25), (8.0001, 24), (0.3, 29), (65536.0, 12)] {
        assert_eq!(units_per_height(range), (1u64 << units) as f64, "max height {range}");
    }
    assert_eq!(units_per_height(f64::NAN), units_per_height(8.0));
    assert_eq!(units_per_height(-3.0), (1u64 << 36) as f64);
    assert_eq!(units_per_height(f64::INFINITY), (1u64 << 12) as f64);
    assert_eq!(to_units(0.5, 1.0, -9, 9), Some(1), "halves go up");
    assert_eq!(to_units(-0.5, 1.0, -9, 9), Some(0), "halves go up");
    assert_eq!(to_units(1e30, 1.0, -9, 9), Some(9));
    assert_eq!(to_units(f64::NAN, 1.0, -9, 9), None);
    assert_eq!(to_units(f64::INFINITY, 1.0, -9, 9), None);
    assert_eq!([1.0, -1.0, 5.0, -5.0].map(|v| to_half_push(v, 1.0)), [Some(1), Some(-1), Some(3), Some(-3)]);
    assert_eq!(to_half_push(-1e30, 1.0), Some(-PUSH_MAX));
    assert_eq!(to_half_push(f64::NAN, 1.0), None);
}

#[test]
fn flows_are_rescaled_to_the_nearest_and_clamped() {
    assert_eq!(rescale(3, 32768), 2, "halves go away from zero");
    assert_eq!(rescale(-3, 32768), -2);
    assert_eq!(rescale(FLOW_MAX, 65536), FLOW_MAX);
    assert_eq!(rescale(FLOW_MAX, u64::MAX), FLOW_MAX);
    assert_eq!(rescale(-1, u64::MAX), -FLOW_MAX);
    assert_eq!(rescale(FLOW_MAX, 0), 0);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 20_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_outflow_limit_never_exceeds_a_cells_contents(
        height in 0..=HEIGHT_MAX, flows in proptest::array::uniform8(0..=FLOW_MAX), down in 0u32..29,
    ) {
        let height = height >> down;
        let sum = flows.iter().sum();
        let r = outflow_limit(height, sum);
        let out: u32 = flows.iter().map(|&q| part(q as u32, r)).sum();
        prop_assert!(out <= height as u32, "{out} of {height}");
        if sum > height && height > 1 << 16 && r > 0 {
// Rounding errors of the shifted height, the fraction and the sum.
            let shifted = height >> (32 - (sum as u32).leading_zeros()).saturating_sub(16);
            let kept = 1.0 - 1.0 / f64::from(r) - 1.0 / f64::from(shifted.max(1)) - 1.0 / 8192.0;
            prop_assert!(f64::from(out) > kept * f64::from(height) - 8.0, "{out} of {height}: too little");
        }
    }

    #[test]
    fn pigment_leaves_in_proportion_to_water_and_never_exceeds_the_content(
        height in 1..=HEIGHT_MAX, down in 0u32..28, shares in proptest::array::uniform8(0.0f64..1.0), mass in 0..=PIGMENT_MAX,
        light in 0u32..30,
    ) {
        let height = (height >> down).max(1);
        let mass = mass >> light;
        let total: f64 = shares.iter().sum::<f64>().max(1.0);
        let outs = shares.map(|s| ((f64::from(height) * s / total) as i32).min(FLOW_MAX)).into_iter().filter(|&o| o > 0);
        let mut left = mass;
        for out in outs {
            let t = pigment_share(mass, out, height);
            prop_assert!(t >= 0 && t <= out);
            let exact = f64::from(mass) * f64::from(out) / f64::from(height);
            if out < height {
                prop_assert!(f64::from(t) <= exact, "{t} of {exact}");
                let least = exact.min(f64::from(out)) * (1.0 - 1.0 / 8192.0) - 1.0;
                prop_assert!(f64::from(t) >= least, "{t} of {exact}");
            }
            left -= t;
        }
        prop_assert!(left >= 0, "more pigment left than was there");
        prop_assert_eq!(pigment_share(mass, height.min(FLOW_MAX), height.min(FLOW_MAX)), mass.min(height.min(FLOW_MAX)));
    }
}
