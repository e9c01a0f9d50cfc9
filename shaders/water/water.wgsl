// Raw layer. RGB: colour of the water. A: its height.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> shown: Shown;
@group(0) @binding(2) var<storage, read> heights: array<i32>;
@group(0) @binding(3) var<storage, read> pigment: array<u32>;
@group(0) @binding(4) var<storage, read_write> picture: array<vec4<u32>>;

// The float nearest to m / n, 0 < m ≤ n < 2^30.
fn quotient(m: u32, n: u32) -> u32 {
    var power = i32(countLeadingZeros(m)) - i32(countLeadingZeros(n));
    var rest = m << u32(power);
    if rest < n {
        rest <<= 1u;
        power += 1;
    }
    rest -= n;
    var bits = 1u;
    for (var nth = 0u; nth < 24u; nth++) {
        rest <<= 1u;
        bits <<= 1u;
        if rest >= n {
            rest -= n;
            bits |= 1u;
        }
    }
    return float_bits(bits, -24 - power, rest != 0u);
}

// The nearest product of two floats above 0.
fn product(a: u32, b: u32) -> u32 {
    let exponent = i32(a >> 23u) + i32(b >> 23u) - 2 * (127 + 23);
    let whole = wide((a & 0x7fffffu) | 0x800000u, (b & 0x7fffffu) | 0x800000u);
    // Of 48 bits, the highest 32.
    return float_bits((whole.y << 16u) | (whole.x >> 16u), exponent + 16, (whole.x & 0xffffu) != 0u);
}

fn colour(m: u32, height: i32) -> u32 {
    if height == 0 || m == 0u {
        return 0u;
    }
    return product(quotient(min(m, u32(height)), u32(max(height, shown.wet))), shown.range);
}

@compute @workgroup_size(32, 8)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let place = vec2(i32(id.x), i32(id.y + params.own_first));
    if !is_own(place) || !in_grid(place) {
        return;
    }
    let height = heights[index(place, 0u, 1u)];
    var rgb = vec3(0u);
    if has(PIGMENT) {
        for (var channel = 0u; channel < 3u; channel++) {
            rgb[channel] = colour(pigment[index(place, channel, 3u)], height);
        }
    }
    put(place, vec4(rgb, real(height)));
}
