// Sums the squares of values. area: number of values.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> field: array<f32>;
@group(0) @binding(2) var<storage, read_write> sums: array<vec2<f32>>;

@compute @workgroup_size(256)
fn main(
    @builtin(local_invocation_index) lane: u32,
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
) {
    let at = (group.y * groups.x + group.x) * 256u + lane;
    var value = 0.0;
    if at < u32(params.area.x) {
        value = field[at];
    }
    reduce_workgroup(lane, group, groups, vec2(value * value, 0.0));
}
