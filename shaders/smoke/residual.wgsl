// r = b − A x, and the sum of r²; with APPLY r = A x, and the sum of x·r.

@group(0) @binding(0) var<uniform> level: Level;
@group(0) @binding(1) var<storage, read> b: array<f32>;
@group(0) @binding(2) var<storage, read> coefficients_x: array<f32>;
@group(0) @binding(3) var<storage, read> coefficients_y: array<f32>;
@group(0) @binding(4) var<storage, read> x: array<f32>;
@group(0) @binding(5) var<storage, read_write> r: array<f32>;
@group(0) @binding(6) var<storage, read_write> sums: array<vec2<f32>>;

fn value(at: i32) -> f32 {
    return x[at];
}

@compute @workgroup_size(32, 8)
fn main(
    @builtin(global_invocation_id) id: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
) {
    let cell = vec2<i32>(id.xy);
    var share = 0.0;
    if is_cell(cell) {
        let at = index(cell);
        if has(APPLY) {
            let product_of_cell = product(cell);
            r[at] = product_of_cell;
            share = x[at] * product_of_cell;
        } else {
            let residual = b[at] - product(cell);
            r[at] = residual;
            share = residual * residual;
        }
    }
    reduce_workgroup(lane, group, groups, vec2(share, 0.0));
}
