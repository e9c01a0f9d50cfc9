// The update of conjugate gradients: x ← x + α d and r ← r − α q; sums r².
//
// numbers: α. area: number of values.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> d: array<f32>;
@group(0) @binding(2) var<storage, read> q: array<f32>;
@group(0) @binding(3) var<storage, read_write> x: array<f32>;
@group(0) @binding(4) var<storage, read_write> r: array<f32>;
@group(0) @binding(5) var<storage, read_write> sums: array<vec2<f32>>;

@compute @workgroup_size(256)
fn main(
    @builtin(local_invocation_index) lane: u32,
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
) {
    let at = (group.y * groups.x + group.x) * 256u + lane;
    var residual = 0.0;
    if at < u32(params.area.x) {
        x[at] += params.numbers.x * d[at];
        residual = r[at] - params.numbers.x * q[at];
        r[at] = residual;
    }
    reduce_workgroup(lane, group, groups, vec2(residual * residual, 0.0));
}
