// MacCormack's second half: the error of there and back is taken off. Numbers as in `carry`.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> back_x: array<f32>;
@group(0) @binding(2) var<storage, read> back_y: array<f32>;
@group(0) @binding(3) var<storage, read> solid: array<f32>;
@group(0) @binding(4) var<storage, read> planes: array<Value>;
@group(0) @binding(5) var<storage, read> ahead_x: array<f32>;
@group(0) @binding(6) var<storage, read> ahead_y: array<f32>;
@group(0) @binding(7) var<storage, read> there: array<Value>;
@group(0) @binding(8) var<storage, read_write> carried: array<Value>;

fn there_at(at: i32) -> Value {
    return select(Value(), there[max(at, 0)], at >= 0);
}

// Second difference, of a peak above 0.
fn turn(a: Value, b: Value, c: Value) -> Value {
    return (b + b) - (a + c);
}

// Half of what of a value alternates with those beside it along an axis; see `Machine::correct_faces`.
fn alternating(place: vec2<i32>, axis: u32) -> Value {
    let step = unit(axis);
    let b = planes[beside(place - step)];
    let c = planes[beside(place)];
    let d = planes[beside(place + step)];
    let below = turn(planes[beside(place - 2 * step)], b, c);
    let here = turn(b, c, d);
    let above = turn(c, d, planes[beside(place + 2 * step)]);
    let up = max(min(here, min(-below, -above)), Value());
    let down = min(max(here, max(-below, -above)), Value());
    return (up + down) * 0.125;
}

// Whether one of the four values around a spot that have a weight is in a solid, or in a wall.
fn keeps_out(corner: vec4<i32>, at: Spot) -> bool {
    let on = STAGGERING;
    if on == CELL {
        return has(SOLID) && any(solids_at(corner) * weighted(at.part) > vec4(0.0));
    }
    return has(FREE_SLIP_SOLIDS) && any(walls_at(on, at) > vec4(0.0));
}

fn beside(place: vec2<i32>) -> i32 {
    return index(STAGGERING, vec2(near(STAGGERING, 0u, place.x), near(STAGGERING, 1u, place.y)));
}

@compute @workgroup_size(32, 8)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let place = vec2<i32>(id.xy);
    if !is_place(place) {
        return;
    }
    let on = STAGGERING;
    let here = index(on, place);
    let cells = looked(place);
    let first = vec4(back_x[cells.first], back_y[cells.first], ahead_x[cells.first], ahead_y[cells.first]);
    let second = vec4(back_x[cells.second], back_y[cells.second], ahead_x[cells.second], ahead_y[cells.second]);
    let offset = first * cells.share.x + second * cells.share.y;
    let behind = spot(on, on, place, offset.xy);
    let back = corners(on, behind);
    let ahead = spot(on, on, place, offset.zw);
    let before = corners(on, ahead);
    var value = there[here];
    if !keeps_out(back, behind) && !keeps_out(before, ahead) {
        let a = from_at(back.x);
        let b = from_at(back.y);
        let c = from_at(back.z);
        let d = from_at(back.w);
        let again = mixed(there_at(before.x), there_at(before.y), there_at(before.z), there_at(before.w), ahead.part);
        if on != CELL {
            let stays = max(vec2(1.0) - 2.0 * abs(offset.xy), vec2(0.0));
            value = value - (alternating(place, 0u) + alternating(place, 1u)) * (stays.x * stays.y);
        }
        value = value + (planes[here] - again) * 0.5;
        value = bounded(limited(value, a, b, c, d, behind.part));
    }
    carried[here] = finished(value, here);
}
