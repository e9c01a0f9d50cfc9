// Advects the map of a flow map: the formula is at `Operation::AdvectMap` in `sim/fluid/operation.rs`.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> back_x: array<f32>;
@group(0) @binding(2) var<storage, read> back_y: array<f32>;
@group(0) @binding(3) var<storage, read> solid: array<f32>;
// Displacement along x and y, survival, 0.
@group(0) @binding(4) var<storage, read> field: array<Value>;
@group(0) @binding(5) var<storage, read_write> advected: array<Value>;

// The displacement along a row; a column or a row beyond a side is the last inside, or wrapped.
fn displacement_row(at: SamplePosition, row: i32, weight: vec4<f32>) -> vec2<f32> {
    let y = at.index.y + row;
    let x = at.index.x;
    let a = field[clamped_cell(vec2(x - 1, y))].xy;
    let b = field[clamped_cell(vec2(x, y))].xy;
    let c = field[clamped_cell(vec2(x + 1, y))].xy;
    let d = field[clamped_cell(vec2(x + 2, y))].xy;
    return (a * weight.x + b * weight.y) + (c * weight.z + d * weight.w);
}

@compute @workgroup_size(32, 8)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let position = vec2<i32>(id.xy);
    if !is_inside(position) {
        return;
    }
    let here = index(CELL, position);
    let at = sample_position(CELL, CELL, position, vec2(back_x[here], back_y[here]));
    let moved = vec2<f32>(at.index - position) + at.fraction;
    let is_solid = has(SOLID) && solid[here] > 0.0;
    let corner = bilinear_taps(CELL, at);
    let a = from_at(corner.x);
    let b = from_at(corner.y);
    let c = from_at(corner.z);
    let d = from_at(corner.w);
    let columns = cubic_taps(0u, at.index.x);
    let rows = cubic_taps(1u, at.index.y);
    if has(SOLID) && !is_solid && any_solid(columns, rows, at.fraction) {
        let fluid = 1.0 - solids_at(corner) * has_weight(at.fraction);
        let value = bilinear_without_solids(a, b, c, d, at.fraction, fluid, here);
        advected[here] = sanitised(vec4(value.xy + moved, value.z, 0.0));
        return;
    }
    let wx = cubic_weights(at.fraction.x);
    let wy = cubic_weights(at.fraction.y);
    let low = displacement_row(at, -1, wx) * wy.x + displacement_row(at, 0, wx) * wy.y;
    let high = displacement_row(at, 1, wx) * wy.z + displacement_row(at, 2, wx) * wy.w;
    var survival = 0.0;
    if !is_solid {
        let low_row = cubic_row(columns, rows.x, wx) * wy.x + cubic_row(columns, rows.y, wx) * wy.y;
        let high_row = cubic_row(columns, rows.z, wx) * wy.z + cubic_row(columns, rows.w, wx) * wy.w;
        survival = limited(low_row + high_row, a, b, c, d, at.fraction).z;
    }
    advected[here] = sanitised(vec4((low + high) + moved, survival, 0.0));
}
