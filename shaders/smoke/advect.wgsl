// Semi-Lagrangian advection of a field along the displacements of its cells: bilinear, or bicubic with CUBIC.
//
// numbers: factor of the dye, fraction of the excess temperature that is lost, ambient temperature.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> back_x: array<f32>;
@group(0) @binding(2) var<storage, read> back_y: array<f32>;
@group(0) @binding(3) var<storage, read> solid: array<f32>;
@group(0) @binding(4) var<storage, read> field: array<Value>;
@group(0) @binding(5) var<storage, read_write> advected: array<Value>;

// 1 for each bilinear tap that has a weight and lies in a solid (cells) or in a wall (faces), else 0.
fn solid_taps(at: SamplePosition, corner: vec4<i32>) -> vec4<f32> {
    let on = STAGGERING;
    if on == CELL {
        return solids_at(corner) * has_weight(at.fraction);
    }
    return walls_at(on, at);
}

// Bilinear interpolation without solid taps: the other weights are divided by their sum. Where that is 0, the value at
// `here`.
fn bilinear_without_solids(
    a: Value,
    b: Value,
    c: Value,
    d: Value,
    fraction: vec2<f32>,
    fluid: vec4<f32>,
    here: i32,
) -> Value {
    let weights = bilinear_weights(fraction) * fluid;
    let sum = (weights.x + weights.y) + (weights.z + weights.w);
    if sum > 0.0 {
        return ((a * weights.x + b * weights.y) + (c * weights.z + d * weights.w)) * (1.0 / sum);
    }
    return field[here];
}

// Weights of four taps: Lagrange's cubic for velocities, Catmull and Rom's for cell values.
fn cubic_weights(t: f32) -> vec4<f32> {
    if STAGGERING != CELL {
        let inner = t * (1.0 - t);
        let outer = (1.0 + t) * (2.0 - t);
        return vec4(
            inner * (2.0 - t) * (-1.0 / 6.0),
            outer * (1.0 - t) * 0.5,
            outer * t * 0.5,
            inner * (1.0 + t) * (-1.0 / 6.0),
        );
    }
    return vec4(
        ((1.0 - 0.5 * t) * t - 0.5) * t,
        (1.5 * t - 2.5) * (t * t) + 1.0,
        ((2.0 - 1.5 * t) * t + 0.5) * t,
        (0.5 * t - 0.5) * (t * t),
    );
}

// The four columns or rows of a cubic stencil, from one before the sample position on.
fn cubic_taps(axis: u32, at: i32) -> vec4<i32> {
    let on = STAGGERING;
    return vec4(tap(on, axis, at - 1), tap(on, axis, at), tap(on, axis, at + 1), tap(on, axis, at + 2));
}

fn field_at(column: i32, row: i32) -> Value {
    return from_at(linear_index(STAGGERING, column, row));
}

// The cubic interpolant along a row: the sum of four taps times their weights.
fn cubic_row(columns: vec4<i32>, row: i32, weight: vec4<f32>) -> Value {
    let low = field_at(columns.x, row) * weight.x + field_at(columns.y, row) * weight.y;
    let high = field_at(columns.z, row) * weight.z + field_at(columns.w, row) * weight.w;
    return low + high;
}

fn wall_or_solid(column: i32, row: i32) -> f32 {
    let on = STAGGERING;
    if on == CELL {
        return solid_at(linear_index(CELL, column, row));
    }
    return wall_at(on, column, row);
}

// Whether a tap of the 4 × 4 stencil that has a weight lies in a solid or in a wall.
fn any_solid(columns: vec4<i32>, rows: vec4<i32>, fraction: vec2<f32>) -> bool {
    var found = 0.0;
    for (var y = 0; y < 4; y++) {
        for (var x = 0; x < 4; x++) {
            if (x == 1 || fraction.x != 0.0) && (y == 1 || fraction.y != 0.0) {
                found += wall_or_solid(columns[x], rows[y]);
            }
        }
    }
    return found > 0.0;
}

@compute @workgroup_size(32, 8)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let position = vec2<i32>(id.xy);
    if !is_inside(position) {
        return;
    }
    let on = STAGGERING;
    let here = index(on, position);
    let cells = displacement_cells(position);
    let first = vec2(back_x[cells.first], back_y[cells.first]);
    let back = first * cells.share.x + vec2(back_x[cells.second], back_y[cells.second]) * cells.share.y;
    let at = sample_position(on, on, position, back);
    let corner = bilinear_taps(on, at);
    let a = from_at(corner.x);
    let b = from_at(corner.y);
    let c = from_at(corner.z);
    let d = from_at(corner.w);
    var value: Value;
    if has(CUBIC) {
        let columns = cubic_taps(0u, at.index.x);
        let rows = cubic_taps(1u, at.index.y);
        if (has(SOLID) || has(FREE_SLIP_SOLIDS)) && any_solid(columns, rows, at.fraction) {
            value = bilinear_without_solids(a, b, c, d, at.fraction, 1.0 - solid_taps(at, corner), here);
        } else {
            let wx = cubic_weights(at.fraction.x);
            let wy = cubic_weights(at.fraction.y);
            let low = cubic_row(columns, rows.x, wx) * wy.x + cubic_row(columns, rows.y, wx) * wy.y;
            let high = cubic_row(columns, rows.z, wx) * wy.z + cubic_row(columns, rows.w, wx) * wy.w;
            value = low + high;
            if on == CELL {
                value = limited(value, a, b, c, d, at.fraction);
            }
        }
    } else {
        value = bilinear(a, b, c, d, at.fraction);
        if has(SOLID) || has(FREE_SLIP_SOLIDS) {
            let solids = solid_taps(at, corner);
            if any(solids > vec4(0.0)) {
                value = bilinear_without_solids(a, b, c, d, at.fraction, 1.0 - solids, here);
            }
        }
    }
    advected[here] = finish(sanitised(value), here);
}
