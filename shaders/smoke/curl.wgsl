// Vorticity ω = ∂v/∂x − ∂u/∂y of the cells, per frame, by central differences; 0 in solids.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> u: array<f32>;
@group(0) @binding(2) var<storage, read> v: array<f32>;
@group(0) @binding(3) var<storage, read> solid: array<f32>;
@group(0) @binding(4) var<storage, read_write> vorticity: array<f32>;

// u of the cell `by` rows above, at its centre; 0 beyond a side without slip.
fn cell_u(position: vec2<i32>, by: i32) -> f32 {
    if is_beyond_no_slip(1u, position.y + by) {
        return 0.0;
    }
    let at = index(U, beside(position, position + vec2(0, by)));
    return 0.5 * (u[at] + u[at + 1]);
}

fn cell_v(position: vec2<i32>, by: i32) -> f32 {
    if is_beyond_no_slip(0u, position.x + by) {
        return 0.0;
    }
    let at = index(V, beside(position, position + vec2(by, 0)));
    return 0.5 * (v[at] + v[at + params.size.x]);
}

@compute @workgroup_size(32, 8)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let position = vec2<i32>(id.xy);
    if !is_inside(position) {
        return;
    }
    let here = index(CELL, position);
    let circulation = (cell_v(position, 1) - cell_v(position, -1)) - (cell_u(position, 1) - cell_u(position, -1));
    let inside = has(SOLID) && solid[here] > 0.0;
    vorticity[here] = select(0.5 * circulation, 0.0, inside);
}
