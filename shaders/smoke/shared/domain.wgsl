// What a pass knows of the grid: `src/compute/gpu/smoke/layout.rs` has the same struct.
//
// Values stand on lattices: of vertical faces, of horizontal ones, or of cells. Planes are row after row.

// A pipeline is made for each set of these. The lattice that is written.
override STAGGERING: u32 = 0u;
override FLAGS: u32 = 0u;
// What the sides do, two bits each: left, right, bottom, top.
override EDGES: u32 = 0u;

struct Params {
    // Columns and rows of cells.
    size: vec2<i32>,
    // Amounts; each pass says which.
    numbers: vec4<f32>,
    // A rectangle, or lengths; each pass says which.
    area: vec4<i32>,
}

const U: u32 = 0u;
const V: u32 = 1u;
const CELL: u32 = 2u;

const CLOSED: u32 = 0u;
const OPEN: u32 = 1u;
const WRAP: u32 = 2u;

// Some cell is solid.
const SOLID: u32 = 1u;
// A cubic.
const CUBIC: u32 = 2u;
// The last pass: what is lost is taken off.
const DECAYS: u32 = 4u;
// There is temperature.
const TEMPERATURE: u32 = 8u;
// Four values at each place.
const FOUR: u32 = 16u;
const STEER: u32 = 32u;
const REPLACE: u32 = 64u;
const FILL_UP: u32 = 128u;
// Some closed side is without slip.
const NO_SLIP_EDGES: u32 = 256u;
// Air slips along solids.
const FREE_SLIP_SOLIDS: u32 = 512u;

// Largest amount of any value.
const MOST: f32 = 65536.0;

fn has(flag: u32) -> bool {
    return (FLAGS & flag) != 0u;
}

// What a side does: left, right, bottom, top.
fn edge(side: u32) -> u32 {
    return (EDGES >> (2u * side)) & 3u;
}

// Whether a side is closed and without slip.
fn sticks(side: u32) -> bool {
    return has(NO_SLIP_EDGES) && edge(side) == CLOSED;
}

// What a side does to a lattice: beyond one without slip the velocity along it is 0, as beyond an open one.
fn edge_of(lattice: u32, axis: u32, side: u32) -> u32 {
    return select(edge(side), OPEN, sticks(side) && lattice != CELL && lattice != axis);
}

// Values of a lattice along an axis.
fn count(lattice: u32, axis: u32) -> i32 {
    return params.size[axis] + select(0, 1, lattice == axis);
}

fn is_place(place: vec2<i32>) -> bool {
    return place.x < count(STAGGERING, 0u) && place.y < count(STAGGERING, 1u);
}

fn index(lattice: u32, place: vec2<i32>) -> i32 {
    return place.y * count(lattice, 0u) + place.x;
}

fn wraps(axis: u32) -> bool {
    return edge(2u * axis) == WRAP;
}

fn modulo(at: i32, n: i32) -> i32 {
    let rest = at % n;
    return select(rest, rest + n, rest < 0);
}

// The value with an index along an axis; −1 where there is none, which counts as 0.
fn tap(lattice: u32, axis: u32, at: i32) -> i32 {
    let last = count(lattice, axis) - 1;
    if at >= 0 && at <= last {
        return at;
    }
    switch edge_of(lattice, axis, 2u * axis + select(0u, 1u, at > 0)) {
        case CLOSED: { return clamp(at, 0, last); }
        case WRAP: { return modulo(at, params.size[axis]); }
        default: { return -1; }
    }
}

// The value with an index along an axis, that beyond an edge being the one inside, or wrapped.
fn near(lattice: u32, axis: u32, at: i32) -> i32 {
    if wraps(axis) {
        return modulo(at, params.size[axis]);
    }
    return clamp(at, 0, count(lattice, axis) - 1);
}

// The cell at a place, that beyond an edge being the one inside, or wrapped.
fn near_cell(place: vec2<i32>) -> i32 {
    return index(CELL, vec2(near(CELL, 0u, place.x), near(CELL, 1u, place.y)));
}

// One step along an axis.
fn unit(axis: u32) -> vec2<i32> {
    return select(vec2(0, 1), vec2(1, 0), axis == 0u);
}

// The temperature that counts.
fn excess(t: f32, ambient: f32) -> f32 {
    return max(t - ambient, 0.0) + min(t, 0.0);
}
