// Adds the correction of the coarser level to x.
//
// Default: bilinear interpolation of the coarse values. CONSTANT: the mean, over each fine cell, of a coarse field that
// is constant in each coarse cell. COEFFICIENTS (domain with solids): the value of the parent cell; x becomes 0 in
// cells whose inverse diagonal is 0.

@group(0) @binding(0) var<uniform> level: Level;
@group(0) @binding(1) var<storage, read> inverse: array<f32>;
@group(0) @binding(2) var<storage, read> coarser: array<f32>;
@group(0) @binding(3) var<storage, read_write> x: array<f32>;

// Two neighbouring coarse cells along an axis.
struct CoarsePair {
    // Index of the lower one; −1 beyond the lower side.
    low: i32,
    // Interpolation weight of the coarse cell `low + 1`.
    weight: f32,
}

// Linear interpolation at the centre of the fine cell `at`; `fine`, `coarse`: cells along the axis.
fn between(fine: i32, coarse: i32, at: i32) -> CoarsePair {
    if fine == coarse {
        return CoarsePair(at, 0.0);
    }
    // Centre of the fine cell, in units of 1 / (2·fine) of a coarse cell.
    let position = (2 * at + 1) * coarse;
    if position < fine {
        return CoarsePair(-1, f32(position + fine) / f32(2 * fine));
    }
    let from_first_centre = position - fine;
    return CoarsePair(from_first_centre / (2 * fine), f32(from_first_centre % (2 * fine)) / f32(2 * fine));
}

// The coarse cell in which the fine cell `at` begins, and the fraction of the fine cell that lies in the next one.
fn within(fine: i32, coarse: i32, at: i32) -> CoarsePair {
    // Lengths in a unit in which a fine cell is `coarse` long and a coarse cell `fine`.
    let low = at * coarse / fine;
    return CoarsePair(low, f32(max((at + 1) * coarse - (low + 1) * fine, 0)) / f32(coarse));
}

fn coarse_pair(fine: i32, coarse: i32, at: i32) -> CoarsePair {
    if has(CONSTANT) {
        return within(fine, coarse, at);
    }
    return between(fine, coarse, at);
}

struct CoarseTap {
    // Column or row of the coarser level.
    at: i32,
    // Factor of the value there: the ghost value's beyond a side that does not wrap, else 1.
    factor: f32,
}

// The coarse column or row that gives the value at index `at`, which may be one beyond a side.
fn coarse_tap(axis: u32, at: i32) -> CoarseTap {
    let n = level.coarse[axis];
    if at >= 0 && at < n {
        return CoarseTap(at, 1.0);
    }
    let side = 2u * axis + select(0u, 1u, at >= n);
    if boundary(side) == WRAP {
        return CoarseTap(select(at - n, at + n, at < 0), 1.0);
    }
    return CoarseTap(clamp(at, 0, n - 1), level.ghost[side]);
}

@compute @workgroup_size(32, 8)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let cell = vec2<i32>(id.xy);
    if !is_cell(cell) {
        return;
    }
    let here = index(cell);
    if has(COEFFICIENTS) {
        let at = select(cell / 2, cell, level.coarse == level.size);
        let next = x[here] + coarser[at.y * level.coarse.x + at.x];
        x[here] = select(0.0, next, inverse[here] > 0.0);
        return;
    }
    let column = coarse_pair(level.size.x, level.coarse.x, cell.x);
    let row = coarse_pair(level.size.y, level.coarse.y, cell.y);
    let below = coarse_tap(1u, row.low);
    let above = coarse_tap(1u, row.low + 1);
    var found = vec2(0.0);
    for (var i = 0; i < 2; i++) {
        let at = coarse_tap(0u, column.low + i);
        let low = below.factor * coarser[below.at * level.coarse.x + at.at];
        let high = above.factor * coarser[above.at * level.coarse.x + at.at];
        found[i] = at.factor * (low + row.weight * (high - low));
    }
    x[here] += found.x + column.weight * (found.y - found.x);
}
