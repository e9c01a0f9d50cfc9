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
