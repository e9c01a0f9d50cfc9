//! Random attributes of particles: a hash of the seed, the particle's number and a purpose (Jarzynski and Olano 2020).

pub use crate::sim::hash::pcg4d;

/// Purposes of random numbers. A particle has four random words for each purpose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// Position in the emitter.
    Place = 1,
    /// Direction and speed.
    Velocity,
    /// Life.
    Life,
    /// Whether the particle exists at a level of detail.
    Detail,
    /// Size, opacity and spin of the sprite.
    Sprite,
    /// Details of the sprite's shape.
    Shape,
    /// Threshold of the air's speed that releases a particle at rest.
    Release,
    /// Drag.
    Drag,
    /// Time from the birth to the release.
    Delay,
    /// Rotation about an axis in the picture.
    Tumble,
}

/// Four random words of the particle `n` of an emitter with this seed.
pub fn words(seed: i32, n: u64, purpose: Purpose) -> [u32; 4] {
    pcg4d([seed.cast_unsigned(), n as u32, purpose as u32, (n >> 32) as u32])
}

/// As [`words`], as numbers in [0, 1).
pub fn units(seed: i32, n: u64, purpose: Purpose) -> [f64; 4] {
    words(seed, n, purpose).map(|word| f64::from(word) / 4_294_967_296.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hash_is_that_of_the_paper() {
        // The reference in GLSL, evaluated step by step in 64-bit arithmetic.
        let reference = |words: [u64; 4]| {
            let m = 1_u64 << 32;
            let mut v = words.map(|word| (word * 1_664_525 + 1_013_904_223) % m);
            for round in 0..2 {
                for (to, [a, b]) in [[1, 3], [2, 0], [0, 1], [1, 2]].into_iter().enumerate() {
                    v[to] = (v[to] + v[a] * v[b] % m) % m;
                }
                if round == 0 {
                    v = v.map(|word| word ^ (word >> 16));
                }
            }
            v
        };
        for words in [[0, 0, 0, 0], [1, 2, 3, 4], [u32::MAX, 7, 1 << 31, 12345]] {
            assert_eq!(pcg4d(words).map(u64::from), reference(words.map(u64::from)));
        }
    }

    #[test]
    fn numbers_are_even_and_independent() {
        const COUNT: u64 = 100_000;
        let mut sums = [[0.0; 4]; 5];
        for n in 0..COUNT {
            let [a, b, c, d] = units(3, n, Purpose::Place);
            let next = units(3, n + 1, Purpose::Place)[0];
            for (sum, value) in sums.iter_mut().zip([a, b, c, d, next]) {
                *sum = [sum[0] + value, sum[1] + value * value, sum[2] + value * a, sum[3] + value * b];
            }
        }
        for (which, [mean, square, with_a, with_b]) in
            sums.map(|sum| sum.map(|s| s / COUNT as f64)).into_iter().enumerate()
        {
            assert!((mean - 0.5).abs() < 0.005 && (square - 1.0 / 3.0).abs() < 0.005, "{which}: {mean} {square}");
            assert!(which == 0 || (with_a - 0.25).abs() < 0.005, "{which}: {with_a}");
            assert!(which == 1 || (with_b - 0.25).abs() < 0.005, "{which}: {with_b}");
        }
    }
}
