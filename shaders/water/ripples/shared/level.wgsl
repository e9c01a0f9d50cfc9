// A level of the pyramid. The layout of `Params` is that of `src/compute/gpu/water/ripples/passes.rs`.

struct Params {
    // Columns and rows of the level, and of the coarser or finer one.
    width: i32,
    height: i32,
    other_width: i32,
    other_height: i32,
    // Columns and rows before the grid, in the margin; columns and rows of the grid.
    before: vec2<i32>,
    grid: vec2<i32>,
    keep: vec2<u32>,
    smoothing: vec2<u32>,
    // Lift, mantissa and shift.
    push: vec4<u32>,
    // Coefficients of the identity, of the 5-point Laplacian, of the diagonal Laplacian, and of the level.
    coefficients: vec4<i32>,
    // Whether opposite edges join.
    wraps: u32,
    pad_0: u32,
    pad_1: u32,
    flags: u32,
}

override FLAGS: u32 = 0u;

const CONTROL: u32 = 1u;
const PUSH: u32 = 2u;
const INFLOW: u32 = 4u;
const MARGIN: u32 = 8u;

fn has(flag: u32) -> bool {
    return (FLAGS & flag) != 0u;
}

@group(0) @binding(0) var<uniform> params: Params;
// For each cell: blur weights of the pipes to the east and north, to the north-east and north-west, mass, links.
@group(0) @binding(1) var<storage, read> cells: array<vec4<u32>>;

// The column or row at the distance `by` from `at`, of `count`, wrapped where edges join; −1 beyond closed edges.
fn beside(at: i32, by: i32, count: i32) -> i32 {
    let next = at + by;
    if next >= 0 && next < count {
        return next;
    }
    return select(-1, (next + count) % count, params.wraps != 0u);
}

// A cell of this level; −1 beyond closed edges.
fn neighbour(x: i32, y: i32, dx: i32, dy: i32) -> i32 {
    let column = beside(x, dx, params.width);
    let row = beside(y, dy, params.height);
    return select(row * params.width + column, -1, column < 0 || row < 0);
}

// Weight of a pipe that a cell owns: to the east, north, north-east, north-west.
fn owned(cell: i32, pipe: u32) -> u32 {
    let pair = select(cells[cell].x, cells[cell].y, pipe >= 2u);
    return (pair >> (16u * (pipe & 1u))) & 0xffffu;
}

// A link of a cell in parts of 256.
fn link(cell: i32, at: u32) -> u32 {
    let stored = (cells[cell].w >> (8u * at)) & 0xffu;
    return stored + select(0u, 1u, stored == 255u);
}
