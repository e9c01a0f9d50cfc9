// Parameters of a pass over a multigrid level: `LevelParams` in `src/compute/gpu/smoke/layout.rs` is the same struct.

struct Level {
    // Columns and rows of cells.
    size: vec2<i32>,
    // Columns and rows of the coarser level.
    coarse: vec2<i32>,
    // Coefficient of the inner faces normal to each axis.
    coefficient: vec2<f32>,
    // Number of relaxation sweeps.
    sweeps: u32,
    // Coefficient of the faces on each side: left, right, bottom, top.
    side_coefficient: vec4<f32>,
    // Ghost value beyond each side of the coarser level, as a multiple of the last value inside.
    ghost: vec4<f32>,
}

// Face coefficients are bound: the domain has solids.
const COEFFICIENTS: u32 = 1u;
// Black cells change: those of odd column + row.
const BLACK: u32 = 2u;
// x counts as 0, whatever the contents of its field.
const ZERO: u32 = 4u;
// Computes the product A x alone.
const APPLY: u32 = 8u;
// All cells change: a Jacobi sweep.
const JACOBI: u32 = 16u;
// No side is open.
const ALL_CLOSED: u32 = 32u;
// The correction is added to the pressure.
const ADD_TO_PRESSURE: u32 = 64u;
// Prolongation by the mean, over each fine cell, of a field that is constant in each coarse cell.
const CONSTANT: u32 = 128u;

// A source is bound.
const SOURCE: u32 = 256u;

fn is_cell(cell: vec2<i32>) -> bool {
    return cell.x < level.size.x && cell.y < level.size.y;
}

fn index(cell: vec2<i32>) -> i32 {
    return cell.y * level.size.x + cell.x;
}
