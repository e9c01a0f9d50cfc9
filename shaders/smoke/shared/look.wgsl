// Places between values, and where the wind blew from.

struct Spot {
    // Of the lower left one of the four values around it.
    index: vec2<i32>,
    part: vec2<f32>,
}

struct Along {
    index: i32,
    part: f32,
}

const FAR: f32 = 1e6;

// A place at an offset from a value's own, along an axis: the value is of lattice `at`, the place is looked up on `on`.
fn along(on: u32, at: u32, axis: u32, base: i32, offset: f32) -> Along {
    let last = count(on, axis) - 1;
    let source = f32(base);
    var low = -FAR;
    var high = FAR;
    switch params.edges[2u * axis] {
        case CLOSED: { low = 0.0; }
        case OPEN: { low = -2.0; }
        default: {}
    }
    switch params.edges[2u * axis + 1u] {
        case CLOSED: { high = f32(last); }
        case OPEN: { high = f32(last + 2); }
        default: {}
    }
    // Cells' values stand in the middle.
    let step = select(0.0, 0.5, at != axis) - select(0.0, 0.5, on != axis);
    let held = clamp(offset + step, low - source, high - source);
    let whole = floor(held);
    return Along(base + i32(whole), held - whole);
}

fn spot(on: u32, at: u32, place: vec2<i32>, offset: vec2<f32>) -> Spot {
    let x = along(on, at, 0u, place.x, offset.x);
    let y = along(on, at, 1u, place.y, offset.y);
    return Spot(vec2(x.index, y.index), vec2(x.part, y.part));
}

// Where a value is in its plane, from what `tap` says of its column and row.
fn joined(on: u32, column: i32, row: i32) -> i32 {
    return select(-1, row * count(on, 0u) + column, column >= 0 && row >= 0);
}

// Where the four values around a spot are: lower left and right, upper left and right.
fn corners(on: u32, at: Spot) -> vec4<i32> {
    let left = tap(on, 0u, at.index.x);
    let right = tap(on, 0u, at.index.x + 1);
    let low = tap(on, 1u, at.index.y);
    let high = tap(on, 1u, at.index.y + 1);
    return vec4(joined(on, left, low), joined(on, right, low), joined(on, left, high), joined(on, right, high));
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

// The wind at a value of the lattice itself.
fn wind_here(place: vec2<i32>) -> vec2<f32> {
    let u = index(U, place);
    let v = index(V, place);
    switch params.lattice {
        case U: {
            let left = tap(V, 0u, place.x - 1);
            let right = tap(V, 0u, place.x);
            let low = v_at(joined(V, left, place.y)) + v_at(joined(V, right, place.y));
            let high = v_at(joined(V, left, place.y + 1)) + v_at(joined(V, right, place.y + 1));
            return vec2(wind_u[u], 0.25 * (low + high));
        }
        case V: {
            let below = tap(U, 1u, place.y - 1);
            let above = tap(U, 1u, place.y);
            let low = u_at(joined(U, place.x, below)) + u_at(joined(U, place.x + 1, below));
            let high = u_at(joined(U, place.x, above)) + u_at(joined(U, place.x + 1, above));
            return vec2(0.25 * (low + high), wind_v[v]);
        }
        default: {
            return vec2(0.5 * (wind_u[u] + wind_u[u + 1]), 0.5 * (wind_v[v] + wind_v[v + params.size.x]));
        }
    }
}

// The offset from where the wind blew to a value in so much time.
fn look_back(place: vec2<i32>, time: f32) -> vec2<f32> {
    let offset = (-0.5 * time) * wind_here(place);
    let on_u = spot(U, params.lattice, place, offset);
    let u = corners(U, on_u);
    let on_v = spot(V, params.lattice, place, offset);
    let v = corners(V, on_v);
    let us = vec4(u_at(u.x), u_at(u.y), u_at(u.z), u_at(u.w));
    let vs = vec4(v_at(v.x), v_at(v.y), v_at(v.z), v_at(v.w));
    return -time * vec2(between(us, on_u.part), between(vs, on_v.part));
}
