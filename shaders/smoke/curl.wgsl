// Vorticity of the cells.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> u: array<f32>;
@group(0) @binding(2) var<storage, read> v: array<f32>;
@group(0) @binding(3) var<storage, read> solid: array<f32>;
@group(0) @binding(4) var<storage, read_write> curl: array<f32>;

fn sideways(x: i32, y: i32) -> f32 {
    let at = index(U, vec2(x, near(CELL, 1u, y)));
    return 0.5 * (u[at] + u[at + 1]);
}

fn upwards(x: i32, y: i32) -> f32 {
    let at = index(V, vec2(near(CELL, 0u, x), y));
    return 0.5 * (v[at] + v[at + params.size.x]);
}

@compute @workgroup_size(32, 8)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let place = vec2<i32>(id.xy);
    if !is_place(place) {
        return;
    }
    let here = index(CELL, place);
    let x = place.x;
    let y = place.y;
    let turn = (upwards(x + 1, y) - upwards(x - 1, y)) - (sideways(x, y + 1) - sideways(x, y - 1));
    let inside = has(SOLID) && solid[here] > 0.0;
    curl[here] = select(0.5 * turn, 0.0, inside);
}
