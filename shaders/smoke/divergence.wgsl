// The right-hand side b = source − ∇·velocity of the pressure equation; 0 in cells without fluid neighbours. Sums b and
// b².

@group(0) @binding(0) var<uniform> level: Level;
@group(0) @binding(1) var<storage, read> inverse: array<f32>;
@group(0) @binding(2) var<storage, read> u: array<f32>;
@group(0) @binding(3) var<storage, read> v: array<f32>;
@group(0) @binding(4) var<storage, read> given: array<f32>;
@group(0) @binding(5) var<storage, read_write> b: array<f32>;
@group(0) @binding(6) var<storage, read_write> sums: array<vec2<f32>>;

@compute @workgroup_size(32, 8)
fn main(
    @builtin(global_invocation_id) id: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
) {
    let cell = vec2<i32>(id.xy);
    var value = 0.0;
    if is_cell(cell) {
        let at = index(cell);
        let west = at + cell.y;
        if !has(COEFFICIENTS) || inverse[at] > 0.0 {
            value = -((u[west + 1] - u[west]) + (v[at + level.size.x] - v[at]));
            if has(SOURCE) {
                value += given[at];
            }
        }
        b[at] = value;
    }
    reduce_workgroup(lane, group, groups, vec2(value, value * value));
}
