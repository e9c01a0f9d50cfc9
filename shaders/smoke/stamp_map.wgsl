// Sets the dye of a flow map where a stamp replaces the dye, or, with FILL_UP, where the stamp has more.
//
// area: first column and row, columns and rows.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> solid: array<f32>;
@group(0) @binding(2) var<storage, read> values: array<Value>;
@group(0) @binding(3) var<storage, read> dye: array<Value>;
// Displacement along x and y, survival, 0.
@group(0) @binding(4) var<storage, read_write> map: array<vec4<f32>>;
@group(0) @binding(5) var<storage, read_write> residual: array<Value>;

@compute @workgroup_size(32, 8)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let local = vec2<i32>(id.xy);
    let position = local + params.area.xy;
    if any(local >= params.area.zw) || !is_inside(position) {
        return;
    }
    let here = index(CELL, position);
    if has(SOLID) && solid[here] > 0.0 {
        return;
    }
    let value = values[local.y * params.area.z + local.x];
    if value.w > select(0.0, dye[here].w, has(FILL_UP)) {
        map[here].z = 0.0;
        residual[here] = sanitised(value);
    }
}
