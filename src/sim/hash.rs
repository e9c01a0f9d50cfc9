//! Pseudo-random numbers, the same on every platform.

/// A 64-bit hash of a seed, a frame, the index of an object and the index of a number of it.
pub(super) fn hash(seed: i32, frame: i64, thing: u64, which: u64) -> u64 {
    let mix = |mut z: u64| {
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    };
    let golden = 0x9e37_79b9_7f4a_7c15_u64;
    let mut h = mix((seed as u32 as u64).wrapping_add(golden));
    for word in [frame as u64, thing, which] {
        h = mix(h ^ word.wrapping_mul(golden).wrapping_add(golden));
    }
    h
}

/// A number in [0, 1) from a hash.
pub(super) fn unit(hash: u64) -> f64 {
    (hash >> 11) as f64 / (1u64 << 53) as f64
}

/// The hash pcg4d of four words (Jarzynski and Olano 2020).
#[inline(always)]
pub fn pcg4d(words: [u32; 4]) -> [u32; 4] {
    let mut v = words;
    for word in &mut v {
        *word = word.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
    }
    mix(&mut v);
    for word in &mut v {
        *word ^= *word >> 16;
    }
    mix(&mut v);
    v
}

#[inline(always)]
fn mix(v: &mut [u32; 4]) {
    v[0] = v[0].wrapping_add(v[1].wrapping_mul(v[3]));
    v[1] = v[1].wrapping_add(v[2].wrapping_mul(v[0]));
    v[2] = v[2].wrapping_add(v[0].wrapping_mul(v[1]));
    v[3] = v[3].wrapping_add(v[1].wrapping_mul(v[2]));
}
