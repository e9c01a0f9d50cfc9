// The coarsest level, of 2 × 2 cells at most: relaxes from 0; where no side is open, the mean goes.

@group(0) @binding(0) var<uniform> level: Level;
@group(0) @binding(1) var<storage, read> b: array<f32>;
@group(0) @binding(2) var<storage, read> weights_x: array<f32>;
@group(0) @binding(3) var<storage, read> weights_y: array<f32>;
@group(0) @binding(4) var<storage, read> inverse: array<f32>;
@group(0) @binding(5) var<storage, read_write> x: array<f32>;

var<private> found: array<f32, 4>;

fn value(at: i32) -> f32 {
    return found[at];
}

@compute @workgroup_size(1)
fn main() {
    let cells = level.size.x * level.size.y;
    let first = select(0, 1, has(BLACK));
    for (var half = 0; half < 2 * i32(level.sweeps); half++) {
        for (var at = 0; at < cells; at++) {
            let cell = vec2(at % level.size.x, at / level.size.x);
            if ((cell.x + cell.y + half + first) & 1) == 0 {
                found[at] += OMEGA * (jacobi(cell) - found[at]);
            }
        }
    }
    var mean = 0.0;
    if has(ALL_CLOSED) {
        for (var at = 0; at < cells; at++) {
            mean += found[at];
        }
        mean /= f32(cells);
    }
    for (var at = 0; at < cells; at++) {
        x[at] = found[at] - mean;
    }
}
