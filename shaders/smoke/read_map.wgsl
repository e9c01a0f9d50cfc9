// Reads the dye of a flow map: the formula is at `Operation::ReadMap` in `sim/fluid/operation.rs`.
//
// numbers: factor of the base, share of this map with FADING. area: position of the grid in that of the base.

@group(0) @binding(0) var<uniform> params: Params;
// Displacement along x and y, survival, 0.
@group(0) @binding(1) var<storage, read> map: array<vec4<f32>>;
// The base picture.
@group(0) @binding(2) var<storage, read> field: array<Value>;
@group(0) @binding(3) var<storage, read> residual: array<Value>;
// With FADING, the dye of the other map before.
@group(0) @binding(4) var<storage, read_write> dye: array<Value>;

fn reading(position: vec2<i32>, displacement: vec2<f32>) -> Value {
    let at = sample_position(CELL, CELL, position + params.area.xy, displacement);
    let wx = cubic_weights(at.fraction.x);
    let wy = cubic_weights(at.fraction.y);
    let columns = cubic_taps(0u, at.index.x);
    let rows = cubic_taps(1u, at.index.y);
    let low = cubic_row(columns, rows.x, wx) * wy.x + cubic_row(columns, rows.y, wx) * wy.y;
    let high = cubic_row(columns, rows.z, wx) * wy.z + cubic_row(columns, rows.w, wx) * wy.w;
    let corner = bilinear_taps(CELL, at);
    let value =
        limited(low + high, from_at(corner.x), from_at(corner.y), from_at(corner.z), from_at(corner.w), at.fraction);
    return sanitised(value);
}

// The difference of the displacement along an axis, per cell.
fn difference(position: vec2<i32>, axis: u32) -> vec2<f32> {
    let step = unit(axis);
    let inner = wraps(axis) || (position[axis] > 0 && position[axis] + 1 < params.size[axis]);
    let apart = map[clamped_cell(position + step)].xy - map[clamped_cell(position - step)].xy;
    return apart * select(1.0, 0.5, inner);
}

@compute @workgroup_size(32, 8)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let position = vec2<i32>(id.xy);
    if !is_inside(position) {
        return;
    }
    let here = index(CELL, position);
    let there = map[here];
    let along_x = vec2(1.0, 0.0) + difference(position, 0u);
    let along_y = vec2(0.0, 1.0) + difference(position, 1u);
    var value: Value;
    if dot(along_x, along_x) + dot(along_y, along_y) > 3.125 {
        let x = along_x * 0.25;
        let y = along_y * 0.25;
        let first = reading(position, there.xy + clamp(-x - y, vec2(-1.0), vec2(1.0)));
        let second = reading(position, there.xy + clamp(x - y, vec2(-1.0), vec2(1.0)));
        let third = reading(position, there.xy + clamp(y - x, vec2(-1.0), vec2(1.0)));
        let fourth = reading(position, there.xy + clamp(x + y, vec2(-1.0), vec2(1.0)));
        value = ((first + second) + (third + fourth)) * 0.25;
    } else {
        value = reading(position, there.xy);
    }
    value = sanitised(value * (there.z * params.numbers.x) + residual[here]);
    if has(FADING) {
        let before = dye[here];
        value = before + (value - before) * params.numbers.y;
    }
    dye[here] = value;
}
