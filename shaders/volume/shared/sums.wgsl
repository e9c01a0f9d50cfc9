// Sums of a workgroup in a fixed order.

var<workgroup> partial_sums: array<f32, 256>;

// All 256 invocations must call it.
fn workgroup_sum(lane: u32, value: f32) -> f32 {
    partial_sums[lane] = value;
    workgroupBarrier();
    for (var stride = 128u; stride > 0u; stride /= 2u) {
        if lane < stride {
            partial_sums[lane] += partial_sums[lane + stride];
        }
        workgroupBarrier();
    }
    return partial_sums[0];
}
