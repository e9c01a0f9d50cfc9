// Red-black relaxation from x = 0 on the coarsest level, of at most 2 × 2 cells, in one invocation. With ALL_CLOSED the
// mean of x is subtracted.

@group(0) @binding(0) var<uniform> level: Level;
@group(0) @binding(1) var<storage, read> b: array<f32>;
@group(0) @binding(2) var<storage, read> coefficients_x: array<f32>;
@group(0) @binding(3) var<storage, read> coefficients_y: array<f32>;
@group(0) @binding(4) var<storage, read> inverse: array<f32>;
@group(0) @binding(5) var<storage, read_write> x: array<f32>;

var<private> solution: array<f32, 4>;

fn value(at: i32) -> f32 {
    return solution[at];
}

@compute @workgroup_size(1)
fn main() {
    let cells = level.size.x * level.size.y;
    let first = select(0, 1, has(BLACK));
    for (var half_sweep = 0; half_sweep < 2 * i32(level.sweeps); half_sweep++) {
        for (var at = 0; at < cells; at++) {
            let cell = vec2(at % level.size.x, at / level.size.x);
            if ((cell.x + cell.y + half_sweep + first) & 1) == 0 {
                solution[at] += OMEGA * (jacobi(cell) - solution[at]);
            }
        }
    }
    var mean = 0.0;
    if has(ALL_CLOSED) {
        for (var at = 0; at < cells; at++) {
            mean += solution[at];
        }
        mean /= f32(cells);
    }
    for (var at = 0; at < cells; at++) {
        x[at] = solution[at] - mean;
    }
}
