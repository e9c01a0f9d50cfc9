// Sample positions, their taps, and the displacement of a value.

struct SamplePosition {
    // Column and row of the lower left of the four taps.
    index: vec2<i32>,
    fraction: vec2<f32>,
}

struct AxisPosition {
    index: i32,
    fraction: f32,
}

const COORDINATE_MAX: f32 = 1e6;

// The sample position along an axis, in the field `on`, at an offset from index `base` of a value with staggering `at`.
fn axis_position(on: u32, at: u32, axis: u32, base: i32, offset: f32) -> AxisPosition {
    let last = count(on, axis) - 1;
    let source = f32(base);
    var low = -COORDINATE_MAX;
    var high = COORDINATE_MAX;
    switch boundary_of(on, axis, 2u * axis) {
        case CLOSED: { low = 0.0; }
        case OPEN: { low = -2.0; }
        default: {}
    }
    switch boundary_of(on, axis, 2u * axis + 1u) {
        case CLOSED: { high = f32(last); }
        case OPEN: { high = f32(last + 2); }
        default: {}
    }
    // Cell values are half a cell away from the faces.
    let step = select(0.0, 0.5, at != axis) - select(0.0, 0.5, on != axis);
    let offset_in_domain = clamp(offset + step, low - source, high - source);
    let whole = floor(offset_in_domain);
    return AxisPosition(base + i32(whole), offset_in_domain - whole);
}

fn sample_position(on: u32, at: u32, position: vec2<i32>, offset: vec2<f32>) -> SamplePosition {
    let x = axis_position(on, at, 0u, position.x, offset.x);
    let y = axis_position(on, at, 1u, position.y, offset.y);
    return SamplePosition(vec2(x.index, y.index), vec2(x.fraction, y.fraction));
}

// 1 for each bilinear tap with a weight above 0, else 0.
fn has_weight(fraction: vec2<f32>) -> vec4<f32> {
    let more = select(vec2(1.0), vec2(0.0), fraction == vec2(0.0));
    return vec4(1.0, more.x, more.y, more.x * more.y);
}

// Weights of the four taps of bilinear interpolation, in the order of `bilinear_taps`.
fn bilinear_weights(fraction: vec2<f32>) -> vec4<f32> {
    let rest = 1.0 - fraction;
    return vec4(rest.x * rest.y, fraction.x * rest.y, rest.x * fraction.y, fraction.x * fraction.y);
}

// Linear index of a tap from the results of `tap` for its column and row; −1 where one of them is −1.
fn linear_index(on: u32, column: i32, row: i32) -> i32 {
    return select(-1, row * count(on, 0u) + column, column >= 0 && row >= 0);
}

// Linear indices of the four bilinear taps: lower left and right, upper left and right.
fn bilinear_taps(on: u32, at: SamplePosition) -> vec4<i32> {
    let left = tap(on, 0u, at.index.x);
    let right = tap(on, 0u, at.index.x + 1);
    let low = tap(on, 1u, at.index.y);
    let high = tap(on, 1u, at.index.y + 1);
    return vec4(
        linear_index(on, left, low),
        linear_index(on, right, low),
        linear_index(on, left, high),
        linear_index(on, right, high),
    );
}

// The two cells whose displacements make up that of a value, and their weights: the mean of both cells at a face; at a
// side that does not wrap, the extrapolation from the two cells inside.
struct DisplacementCells {
    first: i32,
    second: i32,
    share: vec2<f32>,
}

fn displacement_cells(position: vec2<i32>) -> DisplacementCells {
    let on = STAGGERING;
    if on >= CELL {
        let here = index(CELL, position);
        return DisplacementCells(here, here, vec2(1.0, 0.0));
    }
    // `& 1` keeps the axis in range: an index out of range is an error even in a branch that is not taken.
    let axis = on & 1u;
    let step = unit(axis);
    let last = position[axis] == params.size[axis];
    if !wraps(axis) && (position[axis] == 0 || last) {
        let first = position - select(vec2(0), step, last);
        return DisplacementCells(clamped_cell(first), clamped_cell(first + select(step, -step, last)), vec2(1.5, -0.5));
    }
    return DisplacementCells(clamped_cell(position - step), clamped_cell(position), vec2(0.5));
}
