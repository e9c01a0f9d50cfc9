// Places between values, and where looks end.

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
    switch edge_of(on, axis, 2u * axis) {
        case CLOSED: { low = 0.0; }
        case OPEN: { low = -2.0; }
        default: {}
    }
    switch edge_of(on, axis, 2u * axis + 1u) {
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

// 1 for those of the four values around a spot that have a weight.
fn weighted(part: vec2<f32>) -> vec4<f32> {
    let more = select(vec2(1.0), vec2(0.0), part == vec2(0.0));
    return vec4(1.0, more.x, more.y, more.x * more.y);
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

// Cells whose looks make that of a value, and what each counts for: halfway between the cells at a face, or on to an edge as between
// the two before it.
struct Looked {
    first: i32,
    second: i32,
    share: vec2<f32>,
}

fn looked(place: vec2<i32>) -> Looked {
    let on = STAGGERING;
    if on >= CELL {
        let here = index(CELL, place);
        return Looked(here, here, vec2(1.0, 0.0));
    }
    // That of the faces; an index that can't be is an error, even in a branch that is not taken.
    let axis = on & 1u;
    let step = unit(axis);
    let last = place[axis] == params.size[axis];
    if !wraps(axis) && (place[axis] == 0 || last) {
        let first = place - select(vec2(0), step, last);
        return Looked(near_cell(first), near_cell(first + select(step, -step, last)), vec2(1.5, -0.5));
    }
    return Looked(near_cell(place - step), near_cell(place), vec2(0.5));
}
