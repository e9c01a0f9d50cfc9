// Vorticity of the cells.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> u: array<f32>;
@group(0) @binding(2) var<storage, read> v: array<f32>;
@group(0) @binding(3) var<storage, read> solid: array<f32>;
@group(0) @binding(4) var<storage, read_write> curl: array<f32>;

// The velocities of the cell so far above one, and so far on its right.
fn sideways(place: vec2<i32>, by: i32) -> f32 {
    if is_still(1u, place.y + by) {
        return 0.0;
    }
    let at = index(U, beside(place, place + vec2(0, by)));
    return 0.5 * (u[at] + u[at + 1]);
}

fn upwards(place: vec2<i32>, by: i32) -> f32 {
    if is_still(0u, place.x + by) {
        return 0.0;
    }
    let at = index(V, beside(place, place + vec2(by, 0)));
    return 0.5 * (v[at] + v[at + params.size.x]);
}

@compute @workgroup_size(32, 8)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let place = vec2<i32>(id.xy);
    if !is_place(place) {
        return;
    }
    let here = index(CELL, place);
    let turn = (upwards(place, 1) - upwards(place, -1)) - (sideways(place, 1) - sideways(place, -1));
    let inside = has(SOLID) && solid[here] > 0.0;
    curl[here] = select(0.5 * turn, 0.0, inside);
}
