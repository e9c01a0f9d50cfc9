// MacCormack's correction (Selle et al. 2008) of the semi-Lagrangian result `advected`: subtracts half of the error of
// the trace backward and forward again, and clamps the result to the range of the taps of the backward trace.
//
// numbers: as in `advect.wgsl`.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> back_x: array<f32>;
@group(0) @binding(2) var<storage, read> back_y: array<f32>;
@group(0) @binding(3) var<storage, read> solid: array<f32>;
@group(0) @binding(4) var<storage, read> field: array<Value>;
@group(0) @binding(5) var<storage, read> ahead_x: array<f32>;
@group(0) @binding(6) var<storage, read> ahead_y: array<f32>;
@group(0) @binding(7) var<storage, read> advected: array<Value>;
@group(0) @binding(8) var<storage, read_write> corrected: array<Value>;

fn advected_at(at: i32) -> Value {
    return select(Value(), advected[max(at, 0)], at >= 0);
}

// Negative second difference: positive at a peak.
fn second_difference(a: Value, b: Value, c: Value) -> Value {
    return (b + b) - (a + c);
}

// The odd-even part of the field along an axis: the formula is at `Operation::CorrectVelocity` in
// `sim/fluid/operation.rs`.
fn odd_even(position: vec2<i32>, axis: u32) -> Value {
    let step = unit(axis);
    let b = field[neighbour_index(position - step)];
    let c = field[neighbour_index(position)];
    let d = field[neighbour_index(position + step)];
    let below = second_difference(field[neighbour_index(position - 2 * step)], b, c);
    let here = second_difference(b, c, d);
    let above = second_difference(c, d, field[neighbour_index(position + 2 * step)]);
    let peak = max(min(here, min(-below, -above)), Value());
    let trough = min(max(here, max(-below, -above)), Value());
    return (peak + trough) * 0.125;
}

// Whether a bilinear tap that has a weight lies in a solid (cells) or in a wall (faces).
fn touches_solid(corner: vec4<i32>, at: SamplePosition) -> bool {
    let on = STAGGERING;
    if on == CELL {
        return has(SOLID) && any(solids_at(corner) * has_weight(at.fraction) > vec4(0.0));
    }
    return has(FREE_SLIP_SOLIDS) && any(walls_at(on, at) > vec4(0.0));
}

fn neighbour_index(position: vec2<i32>) -> i32 {
    return index(STAGGERING, vec2(clamped(STAGGERING, 0u, position.x), clamped(STAGGERING, 1u, position.y)));
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
    let first = vec4(back_x[cells.first], back_y[cells.first], ahead_x[cells.first], ahead_y[cells.first]);
    let second = vec4(back_x[cells.second], back_y[cells.second], ahead_x[cells.second], ahead_y[cells.second]);
    let offset = first * cells.share.x + second * cells.share.y;
    let behind = sample_position(on, on, position, offset.xy);
    let back = bilinear_taps(on, behind);
    let ahead = sample_position(on, on, position, offset.zw);
    let before = bilinear_taps(on, ahead);
    var value = advected[here];
    if !touches_solid(back, behind) && !touches_solid(before, ahead) {
        let a = from_at(back.x);
        let b = from_at(back.y);
        let c = from_at(back.z);
        let d = from_at(back.w);
        let e = advected_at(before.x);
        let f = advected_at(before.y);
        let g = advected_at(before.z);
        let h = advected_at(before.w);
        let again = bilinear(e, f, g, h, ahead.fraction);
        if on != CELL {
            let weight = max(vec2(1.0) - 2.0 * abs(offset.xy), vec2(0.0));
            value = value - (odd_even(position, 0u) + odd_even(position, 1u)) * (weight.x * weight.y);
        }
        value = value + (field[here] - again) * 0.5;
        value = sanitised(limited(value, a, b, c, d, behind.fraction));
    }
    corrected[here] = finish(value, here);
}
