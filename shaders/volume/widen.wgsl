// Packs of a state in another box, as floats; 0 in new cells. first: shift from the old box. part: cells of the old box.

@group(0) @binding(1) var<storage, read> halves: array<vec2<u32>>;
@group(0) @binding(2) var<storage, read_write> to: array<vec4<f32>>;

// The number of a half that is finite and at least 0.
fn widened(half: u32) -> f32 {
    // The exponents of a half and an f32 differ by 112; numbers below the least normal half are multiples of 2⁻²⁴.
    let normal = bitcast<f32>((half << 13u) + (112u << 23u));
    return select(normal, f32(half) * 5.9604645e-8, half < 0x400u);
}

fn both(halves: u32) -> vec2<f32> {
    return vec2(widened(halves & 0xffffu), widened(halves >> 16u));
}

@compute @workgroup_size(32, 4, 2)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let at = vec3<i32>(id);
    let size = params.size * params.detail;
    if !inside(at, size) {
        return;
    }
    let old = at + params.first;
    var pack = vec4(0.0);
    if inside(old, params.part) {
        let bits = halves[index(old, params.part)];
        pack = vec4(both(bits.x), both(bits.y));
    }
    to[index(at, size)] = pack;
}
