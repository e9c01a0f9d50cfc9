// What a pass of the pressure knows of a level: `src/compute/gpu/smoke/layout.rs` has the same struct.

// A pipeline is made for each set of these.
override FLAGS: u32 = 0u;
// What the sides do, two bits each: left, right, bottom, top.
override EDGES: u32 = 0u;

struct Level {
    // Columns and rows of cells.
    size: vec2<i32>,
    // Those of the coarser level.
    coarse: vec2<i32>,
    // What couples a cell to its neighbours, per axis.
    couple: vec2<f32>,
    // Sweeps.
    sweeps: u32,
    // What couples across each side.
    beyond: vec4<f32>,
    // What stands beyond each side of the coarser level, as a multiple of the last value inside.
    ghost: vec4<f32>,
}

const CLOSED: u32 = 0u;
const OPEN: u32 = 1u;
const WRAP: u32 = 2u;

// There are solids: each face has its own coupling.
const WEIGHTS: u32 = 1u;
// The cells that change are those of odd column + row.
const BLACK: u32 = 2u;
// x is 0, whatever is in it.
const ZERO: u32 = 4u;
// The product alone.
const APPLY: u32 = 8u;
// All cells change.
const JACOBI: u32 = 16u;
// No side is open.
const ALL_CLOSED: u32 = 32u;
// A correction is added to the pressure.
const ADD_TO_PRESSURE: u32 = 64u;
// The coarser level is constant in each of its cells.
const CONSTANT: u32 = 128u;

fn has(flag: u32) -> bool {
    return (FLAGS & flag) != 0u;
}

// What a side does: left, right, bottom, top.
fn edge(side: u32) -> u32 {
    return (EDGES >> (2u * side)) & 3u;
}

fn is_cell(cell: vec2<i32>) -> bool {
    return cell.x < level.size.x && cell.y < level.size.y;
}

fn index(cell: vec2<i32>) -> i32 {
    return cell.y * level.size.x + cell.x;
}
