// A half sweep of red-black relaxation in place: the cells of one colour change and read those of the other.

@group(0) @binding(0) var<uniform> level: Level;
@group(0) @binding(1) var<storage, read> b: array<f32>;
@group(0) @binding(2) var<storage, read> coefficients_x: array<f32>;
@group(0) @binding(3) var<storage, read> coefficients_y: array<f32>;
@group(0) @binding(4) var<storage, read> inverse: array<f32>;
@group(0) @binding(5) var<storage, read_write> x: array<f32>;

fn value(at: i32) -> f32 {
    if has(ZERO) {
        return 0.0;
    }
    return x[at];
}

@compute @workgroup_size(32, 8)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let pair = vec2(2 * i32(id.x), i32(id.y));
    let odd = (pair.y + select(0, 1, has(BLACK))) & 1;
    let cell = pair + vec2(odd, 0);
    if is_cell(cell) {
        let at = index(cell);
        let before = value(at);
        x[at] = before + OMEGA * (jacobi(cell) - before);
    }
    let other = pair + vec2(1 - odd, 0);
    if has(ZERO) && is_cell(other) {
        x[index(other)] = 0.0;
    }
}
