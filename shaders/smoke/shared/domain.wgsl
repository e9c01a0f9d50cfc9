// Parameters of a pass over the fields of a grid: `Params` in `src/compute/gpu/smoke/layout.rs` is the same struct.
//
// Values are at cell centres (CELL) or on the faces normal to x (U) or to y (V). Fields are stored row after row, the
// lowest row first.

// Pipeline constant: the staggering of the field that is written.
override STAGGERING: u32 = 0u;

struct Params {
    // Columns and rows of cells.
    size: vec2<i32>,
    // Scalars; each pass defines its own.
    numbers: vec4<f32>,
    // A rectangle, or lengths; each pass defines its own.
    area: vec4<i32>,
    // More scalars.
    more: vec4<f32>,
}

const U: u32 = 0u;
const V: u32 = 1u;
const CELL: u32 = 2u;

// The domain has solid cells.
const SOLID: u32 = 1u;
// Bicubic interpolation.
const CUBIC: u32 = 2u;
// The last pass over the field, which applies dissipation and cooling.
const DECAYS: u32 = 4u;
// A temperature field is bound.
const TEMPERATURE: u32 = 8u;
// Four components at each position.
const FOUR: u32 = 16u;
const STEER: u32 = 32u;
const REPLACE: u32 = 64u;
const FILL_UP: u32 = 128u;
// The stamp raises values.
const RAISE: u32 = 1024u;
// The stamp is fuel.
const FUEL: u32 = 2048u;
// A disturbance is bound.
const DISTURBED: u32 = 4096u;
// The dye of another flow map fades.
const FADING: u32 = 8192u;
// Closed sides have no slip.
const NO_SLIP_EDGES: u32 = 256u;
// Solids have free slip.
const FREE_SLIP_SOLIDS: u32 = 512u;

// Bound of all stored values.
const VALUE_MAX: f32 = 65536.0;

// Whether a side is closed and without slip.
fn is_no_slip(side: u32) -> bool {
    return has(NO_SLIP_EDGES) && boundary(side) == CLOSED;
}

// Boundary condition of a side for a field: beyond a side without slip the velocity along it is 0, as beyond an open
// side.
fn boundary_of(staggering: u32, axis: u32, side: u32) -> u32 {
    return select(boundary(side), OPEN, is_no_slip(side) && staggering != CELL && staggering != axis);
}

// Number of values along an axis.
fn count(staggering: u32, axis: u32) -> i32 {
    return params.size[axis] + select(0, 1, staggering == axis);
}

fn is_inside(position: vec2<i32>) -> bool {
    return position.x < count(STAGGERING, 0u) && position.y < count(STAGGERING, 1u);
}

fn index(staggering: u32, position: vec2<i32>) -> i32 {
    return position.y * count(staggering, 0u) + position.x;
}

fn wraps(axis: u32) -> bool {
    return boundary(2u * axis) == WRAP;
}

fn modulo(at: i32, n: i32) -> i32 {
    let rest = at % n;
    return select(rest, rest + n, rest < 0);
}

// Index of a tap along an axis: clamped at a closed side, wrapped, or −1 beyond an open side, where the value is 0.
fn tap(staggering: u32, axis: u32, at: i32) -> i32 {
    let last = count(staggering, axis) - 1;
    if at >= 0 && at <= last {
        return at;
    }
    switch boundary_of(staggering, axis, 2u * axis + select(0u, 1u, at > 0)) {
        case CLOSED: { return clamp(at, 0, last); }
        case WRAP: { return modulo(at, params.size[axis]); }
        default: { return -1; }
    }
}

// An index along an axis, clamped or wrapped.
fn clamped(staggering: u32, axis: u32, at: i32) -> i32 {
    if wraps(axis) {
        return modulo(at, params.size[axis]);
    }
    return clamp(at, 0, count(staggering, axis) - 1);
}

// Linear index of a cell, clamped or wrapped.
fn clamped_cell(position: vec2<i32>) -> i32 {
    return index(CELL, vec2(clamped(CELL, 0u, position.x), clamped(CELL, 1u, position.y)));
}

// Unit vector along an axis.
fn unit(axis: u32) -> vec2<i32> {
    return select(vec2(0, 1), vec2(1, 0), axis == 0u);
}

// Excess temperature, which causes lift: the part above ambient, and the part below 0.
fn excess(t: f32, ambient: f32) -> f32 {
    return max(t - ambient, 0.0) + min(t, 0.0);
}
