// Adds the prolongation of the coarser level's solution to x: linear; with CONSTANT the mean of values constant in each
// coarse cell; with COEFFICIENTS the value of the parent cell.

@group(0) @binding(0) var<uniform> level: Level;
@group(0) @binding(1) var<storage, read> inverse: array<f32>;
@group(0) @binding(2) var<storage, read> coarser: array<f32>;
@group(0) @binding(3) var<storage, read_write> x: array<f32>;

struct CoarsePair {
    // Index of the lower coarse cell, from −1.
    low: i32,
    share: f32,
}

fn between(fine: i32, coarse: i32, at: i32) -> CoarsePair {
    if fine == coarse {
        return CoarsePair(at, 0.0);
    }
    // In units of 1 / (2·fine).
    let position = (2 * at + 1) * coarse;
    if position < fine {
        return CoarsePair(-1, f32(position + fine) / f32(2 * fine));
    }
    let rest = position - fine;
    return CoarsePair(rest / (2 * fine), f32(rest % (2 * fine)) / f32(2 * fine));
}

// The coarse cell in which a fine cell begins, and the share of the fine cell that lies in the next one.
fn within(fine: i32, coarse: i32, at: i32) -> CoarsePair {
    // In units of which a fine cell has `coarse` and a coarse cell `fine`.
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
    at: i32,
    factor: f32,
}

// The coarse column or row at an index, which may be beyond a side, and the factor of its value there.
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
        found[i] = at.factor * (low + row.share * (high - low));
    }
    x[here] += found.x + column.share * (found.y - found.x);
}
