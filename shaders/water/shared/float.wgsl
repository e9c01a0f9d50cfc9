// Integers as 32-bit floats, bit by bit: the rounding of a device's own conversions, divisions and products is
// unspecified.

// Uniforms of a raw layer.
struct Shown {
    // Exponent of the power of two that is the units per 1.0.
    unit_power: i32,
    wet: i32,
    // Range of colours, as the bits of a float.
    range: u32,
    // Whether there is a terrain.
    terrain: u32,
    // Steps per frame of time scale 1, as the bits of a float.
    per_frame: u32,
    unused_a: u32,
    unused_b: u32,
    unused_c: u32,
}

// The float nearest to n·2^exponent, halves to even. `more`: the exact number is slightly greater.
fn float_bits(n: u32, exponent: i32, more: bool) -> u32 {
    if n == 0u {
        return 0u;
    }
    let top = 31 - i32(countLeadingZeros(n));
    var significand = n << u32(max(23 - top, 0));
    if top > 23 {
        let shift = u32(top - 23);
        let rest = n & ((1u << shift) - 1u);
        let half = 1u << (shift - 1u);
        significand = n >> shift;
        let odd = (significand & 1u) == 1u;
        if rest > half || (rest == half && (more || odd)) {
            significand += 1u;
        }
    }
    // A carry into the next power of two increments the exponent.
    return (u32(top + exponent + 127) << 23u) + (significand - 0x800000u);
}

// A number of units as a height.
fn real(units: i32) -> u32 {
    let sign = select(0u, 0x80000000u, units < 0);
    return sign | float_bits(u32(abs(units)), -shown.unit_power, false);
}
