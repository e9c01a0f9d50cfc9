// Adds what a coarser level found: between its cells, or, with solids, as it is; or its mean over each cell.

@group(0) @binding(0) var<uniform> level: Level;
@group(0) @binding(1) var<storage, read> inverse: array<f32>;
@group(0) @binding(2) var<storage, read> coarser: array<f32>;
@group(0) @binding(3) var<storage, read_write> x: array<f32>;

struct Between {
    // The coarser cell below, from −1.
    low: i32,
    share: f32,
}

fn between(fine: i32, coarse: i32, at: i32) -> Between {
    if fine == coarse {
        return Between(at, 0.0);
    }
    // In parts of 1 / (2·fine).
    let place = (2 * at + 1) * coarse;
    if place < fine {
        return Between(-1, f32(place + fine) / f32(2 * fine));
    }
    let rest = place - fine;
    return Between(rest / (2 * fine), f32(rest % (2 * fine)) / f32(2 * fine));
}

// In which coarser cell a fine one begins, and the share of it in the next.
fn within(fine: i32, coarse: i32, at: i32) -> Between {
    // In parts of which a fine cell has `coarse` and a coarser one `fine`.
    let low = at * coarse / fine;
    return Between(low, f32(max((at + 1) * coarse - (low + 1) * fine, 0)) / f32(coarse));
}

fn place(fine: i32, coarse: i32, at: i32) -> Between {
    if has(CONSTANT) {
        return within(fine, coarse, at);
    }
    return between(fine, coarse, at);
}

struct Reach {
    at: i32,
    factor: f32,
}

// The coarser column or row that stands at a place, and what it is multiplied by.
fn reach(axis: u32, at: i32) -> Reach {
    let n = level.coarse[axis];
    if at >= 0 && at < n {
        return Reach(at, 1.0);
    }
    let side = 2u * axis + select(0u, 1u, at >= n);
    if edge(side) == WRAP {
        return Reach(select(at - n, at + n, at < 0), 1.0);
    }
    return Reach(clamp(at, 0, n - 1), level.ghost[side]);
}

@compute @workgroup_size(32, 8)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let cell = vec2<i32>(id.xy);
    if !is_cell(cell) {
        return;
    }
    let here = index(cell);
    if has(WEIGHTS) {
        let at = select(cell / 2, cell, level.coarse == level.size);
        let next = x[here] + coarser[at.y * level.coarse.x + at.x];
        x[here] = select(0.0, next, inverse[here] > 0.0);
        return;
    }
    let column = place(level.size.x, level.coarse.x, cell.x);
    let row = place(level.size.y, level.coarse.y, cell.y);
    let below = reach(1u, row.low);
    let above = reach(1u, row.low + 1);
    var found = vec2(0.0);
    for (var i = 0; i < 2; i++) {
        let at = reach(0u, column.low + i);
        let low = below.factor * coarser[below.at * level.coarse.x + at.at];
        let high = above.factor * coarser[above.at * level.coarse.x + at.at];
        found[i] = at.factor * (low + row.share * (high - low));
    }
    x[here] += found.x + column.share * (found.y - found.x);
}
