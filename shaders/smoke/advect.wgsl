// Each value comes from where its look back ends. Numbers: factor of dye, share of temperature lost, ambient.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> back_x: array<f32>;
@group(0) @binding(2) var<storage, read> back_y: array<f32>;
@group(0) @binding(3) var<storage, read> solid: array<f32>;
@group(0) @binding(4) var<storage, read> planes: array<Value>;
@group(0) @binding(5) var<storage, read_write> carried: array<Value>;

// 1 for those of the four values around a spot that have a weight and are in a solid, or in a wall.
fn outside(at: Spot, corner: vec4<i32>) -> vec4<f32> {
    let on = STAGGERING;
    if on == CELL {
        return solids_at(corner) * weighted(at.part);
    }
    return walls_at(on, at);
}

// Between those of the four values that are in no solid.
fn around(a: Value, b: Value, c: Value, d: Value, part: vec2<f32>, fluid: vec4<f32>, here: i32) -> Value {
    let rest = 1.0 - part;
    let share = vec4(rest.x * rest.y, part.x * rest.y, rest.x * part.y, part.x * part.y) * fluid;
    let sum = (share.x + share.y) + (share.z + share.w);
    if sum > 0.0 {
        return ((a * share.x + b * share.y) + (c * share.z + d * share.w)) * (1.0 / sum);
    }
    return planes[here];
}

// What a cubic takes of four values: Lagrange's of velocities, Catmull and Rom's of what cells carry.
fn cubic(t: f32) -> vec4<f32> {
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

// Four columns, or rows, from one before a spot on.
fn four(axis: u32, at: i32) -> vec4<i32> {
    let on = STAGGERING;
    return vec4(tap(on, axis, at - 1), tap(on, axis, at), tap(on, axis, at + 1), tap(on, axis, at + 2));
}

fn row_of(columns: vec4<i32>, row: i32, weight: vec4<f32>) -> Value {
    let on = STAGGERING;
    let low = from_at(joined(on, columns.x, row)) * weight.x + from_at(joined(on, columns.y, row)) * weight.y;
    let high = from_at(joined(on, columns.z, row)) * weight.z + from_at(joined(on, columns.w, row)) * weight.w;
    return low + high;
}

fn wall_or_solid(column: i32, row: i32) -> f32 {
    let on = STAGGERING;
    if on == CELL {
        return solid_at(joined(CELL, column, row));
    }
    return wall_at(on, column, row);
}

// Whether one that has a weight is in a solid, or in a wall.
fn any_solid(columns: vec4<i32>, rows: vec4<i32>, part: vec2<f32>) -> bool {
    var found = 0.0;
    for (var y = 0; y < 4; y++) {
        for (var x = 0; x < 4; x++) {
            if (x == 1 || part.x != 0.0) && (y == 1 || part.y != 0.0) {
                found += wall_or_solid(columns[x], rows[y]);
            }
        }
    }
    return found > 0.0;
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
    let first = vec2(back_x[cells.first], back_y[cells.first]);
    let back = first * cells.share.x + vec2(back_x[cells.second], back_y[cells.second]) * cells.share.y;
    let at = spot(on, on, place, back);
    let corner = corners(on, at);
    let a = from_at(corner.x);
    let b = from_at(corner.y);
    let c = from_at(corner.z);
    let d = from_at(corner.w);
    var value: Value;
    if has(CUBIC) {
        let columns = four(0u, at.index.x);
        let rows = four(1u, at.index.y);
        if (has(SOLID) || has(FREE_SLIP_SOLIDS)) && any_solid(columns, rows, at.part) {
            value = around(a, b, c, d, at.part, 1.0 - outside(at, corner), here);
        } else {
            let wx = cubic(at.part.x);
            let wy = cubic(at.part.y);
            let low = row_of(columns, rows.x, wx) * wy.x + row_of(columns, rows.y, wx) * wy.y;
            let high = row_of(columns, rows.z, wx) * wy.z + row_of(columns, rows.w, wx) * wy.w;
            value = low + high;
            if on == CELL {
                value = limited(value, a, b, c, d, at.part);
            }
        }
    } else {
        value = mixed(a, b, c, d, at.part);
        if has(SOLID) || has(FREE_SLIP_SOLIDS) {
            let solids = outside(at, corner);
            if any(solids > vec4(0.0)) {
                value = around(a, b, c, d, at.part, 1.0 - solids, here);
            }
        }
    }
    carried[here] = finished(bounded(value), here);
}
