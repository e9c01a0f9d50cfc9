// Displacements of the cells along the velocity, traced backward by the midpoint method.
//
// numbers: time in frames, negative to trace forward.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> wind_u: array<f32>;
@group(0) @binding(2) var<storage, read> wind_v: array<f32>;
@group(0) @binding(3) var<storage, read> solid: array<f32>;
@group(0) @binding(4) var<storage, read_write> displacement_x: array<f32>;
@group(0) @binding(5) var<storage, read_write> displacement_y: array<f32>;

// One velocity component by bilinear interpolation of four faces. Faces in free-slip walls have no weight; the result
// is `fallback` where no other face has a weight.
fn sample_component(v: vec4<f32>, on: u32, at: SamplePosition, fallback: f32) -> f32 {
    if has(FREE_SLIP_SOLIDS) {
        let walls = walls_at(on, at);
        if any(walls > vec4(0.0)) {
            let weights = bilinear_weights(at.fraction) * (1.0 - walls);
            let sum = (weights.x + weights.y) + (weights.z + weights.w);
            if sum > 0.0 {
                return ((v.x * weights.x + v.y * weights.y) + (v.z * weights.z + v.w * weights.w)) * (1.0 / sum);
            }
            return fallback;
        }
    }
    return bilinear(v, at.fraction);
}

fn bilinear(v: vec4<f32>, fraction: vec2<f32>) -> f32 {
    let low = v.x + (v.y - v.x) * fraction.x;
    let high = v.z + (v.w - v.z) * fraction.x;
    return low + (high - low) * fraction.y;
}

fn u_at(at: i32) -> f32 {
    return select(0.0, wind_u[max(at, 0)], at >= 0);
}

fn v_at(at: i32) -> f32 {
    return select(0.0, wind_v[max(at, 0)], at >= 0);
}

@compute @workgroup_size(32, 8)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let position = vec2<i32>(id.xy);
    if !is_inside(position) {
        return;
    }
    let left = index(U, position);
    let lower = index(V, position);
    let here = vec2(0.5 * (wind_u[left] + wind_u[left + 1]), 0.5 * (wind_v[lower] + wind_v[lower + params.size.x]));
    let time = params.numbers.x;
    let offset = (-0.5 * time) * here;
    let on_u = sample_position(U, CELL, position, offset);
    let u = bilinear_taps(U, on_u);
    let on_v = sample_position(V, CELL, position, offset);
    let v = bilinear_taps(V, on_v);
    let us = vec4(u_at(u.x), u_at(u.y), u_at(u.z), u_at(u.w));
    let vs = vec4(v_at(v.x), v_at(v.y), v_at(v.z), v_at(v.w));
    displacement_x[index(CELL, position)] = -time * sample_component(us, U, on_u, here.x);
    displacement_y[index(CELL, position)] = -time * sample_component(vs, V, on_v, here.y);
}
