// The fixed point in 32 bits, with the same bits as `src/sim/water/fixed_point.rs`.

const HEIGHT_MAX: i32 = 0x10000000;
const FLOW_MAX: i32 = 0x7ffffff;
const PIGMENT_MAX: u32 = 0x40000000u;
const WHOLE: u32 = 0x10000u;

fn with_sign(size: u32, like: i32) -> i32 {
    return select(i32(size), -i32(size), like < 0);
}

// The integer nearest to a·c, halves away from zero; c is mantissa and shift.
fn mul(a: i32, c: vec2<u32>) -> i32 {
    let n = u32(abs(a));
    let half = select(0u, 0x8000u, c.y == 0u);
    var t = (n >> 16u) * c.x + (((n & 0xffffu) * c.x + half) >> 16u);
    if c.y > 0u {
        t = (t + (1u << (c.y - 1u))) >> c.y;
    }
    return with_sign(t, a);
}

// The floor of n·r / 2^16, r at most 65536.
fn part(n: u32, r: u32) -> u32 {
    return (n >> 16u) * r + (((n & 0xffffu) * r) >> 16u);
}

fn part_signed(q: i32, r: u32) -> i32 {
    return with_sign(part(u32(abs(q)), r), q);
}

// Outflow limit of a cell: the factor that reduces the sum of its outflows, `sum`, to its `height`, in parts of 65536.
fn outflow_limit(height: i32, sum: i32) -> u32 {
    if sum <= height {
        return WHOLE;
    }
    let shift = u32(max(bit_length(u32(sum)) - 16, 0));
    return ((u32(height) >> shift) << 16u) / ((u32(sum) >> shift) + 1u);
}

fn bit_length(value: u32) -> i32 {
    return 32 - i32(countLeadingZeros(value));
}

// The part of a cell's pigment that leaves with an outflow of `out` > 0 from a `height` ≥ `out`.
fn pigment_share(m: u32, out: u32, height: u32) -> u32 {
    if out == height {
        return min(out, m);
    }
    let hb = bit_length(height);
    let ob = bit_length(out);
    var hs = height << u32(max(16 - hb, 0));
    if hb > 16 {
        hs = ((height - 1u) >> u32(hb - 16)) + 1u;
    }
    var os = out << u32(max(16 - ob, 0));
    if ob > 16 {
        os = out >> u32(ob - 16);
    }
    let f = (os << 15u) / hs;
    let t = ((m >> 15u) * f + (((m & 0x7fffu) * f) >> 15u)) >> u32(hb - ob);
    return min(out, t);
}

// A flow after a change of the time step: q·p, halves away from zero, clamped to the range of flows. p is an integer
// (at most 2^28, which any flow reaches its limit with) and 2^−16ths.
fn rescale(q: i32, p: vec2<u32>) -> i32 {
    let n = u32(abs(q));
    let most = u32(FLOW_MAX);
    if p.x > 0u && n > most / p.x {
        return with_sign(most, q);
    }
    let size = n * p.x + (n >> 16u) * p.y + (((n & 0xffffu) * p.y + 0x8000u) >> 16u);
    return with_sign(min(size, most), q);
}

// The 64-bit product: low, high.
fn wide(a: u32, b: u32) -> vec2<u32> {
    let low = (a & 0xffffu) * (b & 0xffffu);
    let left = (a >> 16u) * (b & 0xffffu);
    let right = (a & 0xffffu) * (b >> 16u);
    let middle = (low >> 16u) + (left & 0xffffu) + (right & 0xffffu);
    let high = (a >> 16u) * (b >> 16u) + (left >> 16u) + (right >> 16u) + (middle >> 16u);
    return vec2(a * b, high);
}

// Pigment that a source adds when it raises water from `before` to `target_height`; `brings` is its pigment for the
// whole height. Rounded to the nearest unit; all numbers are below 2^29.
fn raised(brings: u32, before: u32, target_height: u32) -> u32 {
    let product = wide(brings, target_height - before);
    // Long division: the high word is below the divisor, since the quotient is at most `brings`.
    var rest = product.y;
    var quotient = 0u;
    for (var bit = 0u; bit < 32u; bit++) {
        rest = (rest << 1u) | ((product.x >> (31u - bit)) & 1u);
        quotient <<= 1u;
        if rest >= target_height {
            rest -= target_height;
            quotient |= 1u;
        }
    }
    return quotient + select(0u, 1u, 2u * rest >= target_height);
}
