// The largest absolute value, and the number of values that are not finite or exceed ±VALUE_MAX. area: number of
// values.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> field: array<f32>;
@group(0) @binding(2) var<storage, read_write> sums: array<vec2<f32>>;

var<workgroup> found: array<vec2<f32>, 256>;

@compute @workgroup_size(256)
fn main(
    @builtin(local_invocation_index) lane: u32,
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
) {
    let at = (group.y * groups.x + group.x) * 256u + lane;
    var share = vec2(0.0);
    if at < u32(params.area.x) {
        let size = bitcast<u32>(field[at]) & 0x7fffffffu;
        let good = size <= bitcast<u32>(VALUE_MAX);
        share = select(vec2(0.0, 1.0), vec2(bitcast<f32>(select(0u, size, good)), 0.0), good);
    }
    found[lane] = share;
    workgroupBarrier();
    for (var stride = 128u; stride > 0u; stride /= 2u) {
        if lane < stride {
            let other = found[lane + stride];
            found[lane] = vec2(max(found[lane].x, other.x), found[lane].y + other.y);
        }
        workgroupBarrier();
    }
    if lane == 0u {
        sums[group.y * groups.x + group.x] = found[0];
    }
}
