// Where the wind blew from to each cell, as offsets. Numbers: time.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> wind_u: array<f32>;
@group(0) @binding(2) var<storage, read> wind_v: array<f32>;
@group(0) @binding(3) var<storage, read> solid: array<f32>;
@group(0) @binding(4) var<storage, read_write> offset_x: array<f32>;
@group(0) @binding(5) var<storage, read_write> offset_y: array<f32>;

// Between four faces: those in walls left out, `own` where there is nothing else.
fn found(v: vec4<f32>, on: u32, at: Spot, own: f32) -> f32 {
    if has(FREE_SLIP_SOLIDS) {
        let walls = walls_at(on, at);
        if any(walls > vec4(0.0)) {
            let part = at.part;
            let rest = 1.0 - part;
            let share = vec4(rest.x * rest.y, part.x * rest.y, rest.x * part.y, part.x * part.y) * (1.0 - walls);
            let sum = (share.x + share.y) + (share.z + share.w);
            if sum > 0.0 {
                return ((v.x * share.x + v.y * share.y) + (v.z * share.z + v.w * share.w)) * (1.0 / sum);
            }
            return own;
        }
    }
    return between(v, at.part);
}

fn between(v: vec4<f32>, part: vec2<f32>) -> f32 {
    let low = v.x + (v.y - v.x) * part.x;
    let high = v.z + (v.w - v.z) * part.x;
    return low + (high - low) * part.y;
}

fn u_at(at: i32) -> f32 {
    return select(0.0, wind_u[max(at, 0)], at >= 0);
}

fn v_at(at: i32) -> f32 {
    return select(0.0, wind_v[max(at, 0)], at >= 0);
}

@compute @workgroup_size(32, 8)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let place = vec2<i32>(id.xy);
    if !is_place(place) {
        return;
    }
    let left = index(U, place);
    let lower = index(V, place);
    let here = vec2(0.5 * (wind_u[left] + wind_u[left + 1]), 0.5 * (wind_v[lower] + wind_v[lower + params.size.x]));
    let time = params.numbers.x;
    let offset = (-0.5 * time) * here;
    let on_u = spot(U, CELL, place, offset);
    let u = corners(U, on_u);
    let on_v = spot(V, CELL, place, offset);
    let v = corners(V, on_v);
    let us = vec4(u_at(u.x), u_at(u.y), u_at(u.z), u_at(u.w));
    let vs = vec4(v_at(v.x), v_at(v.y), v_at(v.z), v_at(v.w));
    offset_x[index(CELL, place)] = -time * found(us, U, on_u, here.x);
    offset_y[index(CELL, place)] = -time * found(vs, V, on_v, here.y);
}
