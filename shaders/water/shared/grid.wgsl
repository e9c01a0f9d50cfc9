// The grid and the uniforms of a pass; `src/compute/gpu/water/layout.rs` has the same structs.
//
// Cells are in ring coordinates: column and row 0 lie before the grid. A buffer holds the rows `first` to `first + rows
// − 1`, row after row; within a row, plane after plane.

// Flags: each set has its own pipeline.
override FLAGS: u32 = 0u;

struct Params {
    width: u32,
    height: u32,
    // First row in the buffers, and number of rows.
    first: u32,
    rows: u32,
    // Rows that the slab owns; the others are copies.
    own_first: u32,
    own_last: u32,
    // Planes of the flows.
    planes: u32,
    // Least wet height.
    wet: i32,
    // Coefficients: mantissa, shift.
    keep: vec2<u32>,
    diagonal: vec2<u32>,
    smoothing: vec2<u32>,
    // Factor of the flows in the first step: integer and 2^−16ths.
    rescale: vec2<u32>,
    cross: array<vec4<u32>, 5>,
    // Shallow water: lift, mantissa, shift.
    gravity: vec4<u32>,
    friction: vec4<u32>,
    // Cells of the inflow: first column and row, number of columns and rows.
    inflow: vec4<u32>,
    // Evaporation: base and remainder. Planes of the inflow.
    evaporation: vec2<u32>,
    inflow_planes: u32,
}

// Uniforms of a step.
struct Step {
    index: u32,
}

const WRAP: u32 = 1u;
// Opposite rows are in the same buffer.
const WRAP_ROWS: u32 = 2u;
const CLASSIC: u32 = 4u;
const BASE: u32 = 8u;
const PUSH: u32 = 16u;
// Some cell is solid: otherwise codes are 0 away from the edges.
const SOLID: u32 = 32u;
const PIGMENT: u32 = 64u;
// The inflow has remainders, or pigment.
const SHARED: u32 = 128u;
const COLOURED: u32 = 256u;
const REPLACE: u32 = 512u;
const FILL_UP: u32 = 1024u;
const CLEAR: u32 = 2048u;
const SHALLOW: u32 = 4096u;
// There are control maps.
const CONTROL: u32 = 8192u;
// Shallow water is of the second order.
const SECOND_ORDER: u32 = 16384u;

fn has(flag: u32) -> bool {
    return (FLAGS & flag) != 0u;
}

// The column or row that an index wraps to.
fn joined(at: i32, count: i32) -> i32 {
    let wrapped = select(select(at, at - count, at > count), at + count, at < 1);
    return clamp(wrapped, 1, count);
}

// The cell that a ring cell wraps to.
fn home(cell: vec2<i32>) -> vec2<i32> {
    var at = cell;
    if has(WRAP) {
        at.x = joined(cell.x, i32(params.width));
    }
    if has(WRAP_ROWS) {
        at.y = joined(cell.y, i32(params.height));
    }
    return at;
}

// Whether a cell is on the grid; always true where edges join.
fn inside(cell: vec2<i32>) -> bool {
    return has(WRAP) || in_grid(cell);
}

fn in_grid(cell: vec2<i32>) -> bool {
    return cell.x >= 1 && cell.y >= 1 && cell.x <= i32(params.width) && cell.y <= i32(params.height);
}

// Whether the slab owns a cell.
fn is_own(cell: vec2<i32>) -> bool {
    return cell.x <= i32(params.width) + 1 && cell.y <= i32(params.own_last);
}

// Index of a cell's value in a buffer of `planes` planes.
fn index(cell: vec2<i32>, plane: u32, planes: u32) -> u32 {
    let row = u32(cell.y) - params.first;
    return (row * planes + plane) * (params.width + 2u) + u32(cell.x);
}

// From the owner of a pipe to its neighbour: E, N, NE, NW.
fn ahead(pipe: u32) -> vec2<i32> {
    return vec2(select(select(1, 0, pipe == 1u), -1, pipe == 3u), select(1, 0, pipe == 0u));
}
