// A Jacobi sweep, or a half sweep of red-black relaxation, from x to `swept`: for grids on which neighbours may have
// the same colour.

@group(0) @binding(0) var<uniform> level: Level;
@group(0) @binding(1) var<storage, read> b: array<f32>;
@group(0) @binding(2) var<storage, read> coefficients_x: array<f32>;
@group(0) @binding(3) var<storage, read> coefficients_y: array<f32>;
@group(0) @binding(4) var<storage, read> inverse: array<f32>;
@group(0) @binding(5) var<storage, read> x: array<f32>;
@group(0) @binding(6) var<storage, read_write> swept: array<f32>;

fn value(at: i32) -> f32 {
    if has(ZERO) {
        return 0.0;
    }
    return x[at];
}

@compute @workgroup_size(32, 8)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let cell = vec2<i32>(id.xy);
    if !is_cell(cell) {
        return;
    }
    let at = index(cell);
    let before = value(at);
    let black = ((cell.x + cell.y) & 1) == 1;
    var next = before;
    if has(JACOBI) {
        next = before + (jacobi(cell) - before);
    } else if black == has(BLACK) {
        next = before + OMEGA * (jacobi(cell) - before);
    }
    swept[at] = next;
}
