// Sums per workgroup; the host adds them up in `f64`.

var<workgroup> partial_sums: array<vec2<f32>, 256>;

// Adds the pairs of all invocations in a fixed order, and stores the sums of the workgroup. All 256 invocations must
// call it.
fn reduce_workgroup(lane: u32, group: vec3<u32>, groups: vec3<u32>, pair: vec2<f32>) {
    partial_sums[lane] = pair;
    workgroupBarrier();
    for (var stride = 128u; stride > 0u; stride /= 2u) {
        if lane < stride {
            partial_sums[lane] += partial_sums[lane + stride];
        }
        workgroupBarrier();
    }
    if lane == 0u {
        sums[group.y * groups.x + group.x] = partial_sums[0];
    }
}
