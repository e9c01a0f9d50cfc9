// Restricts b − A x to the coarser level: the mean over each coarse cell; with COEFFICIENTS the sum over the children
// of each coarse cell.

@group(0) @binding(0) var<uniform> level: Level;
@group(0) @binding(1) var<storage, read> b: array<f32>;
@group(0) @binding(2) var<storage, read> coefficients_x: array<f32>;
@group(0) @binding(3) var<storage, read> coefficients_y: array<f32>;
@group(0) @binding(4) var<storage, read> x: array<f32>;
@group(0) @binding(5) var<storage, read_write> coarser: array<f32>;

fn value(at: i32) -> f32 {
    return x[at];
}

struct Covers {
    first: i32,
    shares: vec3<f32>,
}

// The first fine cell of a coarse one along an axis, and the weights of three.
fn covers(fine: i32, coarse: i32, at: i32) -> Covers {
    if has(COEFFICIENTS) {
        if fine == coarse {
            return Covers(at, vec3(1.0, 0.0, 0.0));
        }
        return Covers(2 * at, vec3(1.0, select(0.0, 1.0, 2 * at + 1 < fine), 0.0));
    }
    let first = at * fine / coarse;
    // Lengths in a unit in which a fine cell is `coarse` long and a coarse cell `fine`.
    let cells = vec3(first) + vec3(0, 1, 2);
    let over = min((cells + 1) * coarse, vec3((at + 1) * fine)) - max(cells * coarse, vec3(at * fine));
    return Covers(first, vec3<f32>(max(over, vec3(0))) / f32(fine));
}

@compute @workgroup_size(32, 8)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let coarse = vec2<i32>(id.xy);
    if any(coarse >= level.coarse) {
        return;
    }
    let columns = covers(level.size.x, level.coarse.x, coarse.x);
    let rows = covers(level.size.y, level.coarse.y, coarse.y);
    var sum = 0.0;
    for (var i = 0; i < 3; i++) {
        var column = 0.0;
        for (var j = 0; j < 3; j++) {
            let cell = vec2(columns.first + i, rows.first + j);
            if columns.shares[i] > 0.0 && rows.shares[j] > 0.0 {
                column += rows.shares[j] * (b[index(cell)] - product(cell));
            }
        }
        sum += columns.shares[i] * column;
    }
    coarser[coarse.y * level.coarse.x + coarse.x] = sum;
}
