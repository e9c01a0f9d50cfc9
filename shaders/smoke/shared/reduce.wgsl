// Sums: each workgroup's own, to be added up elsewhere.

var<workgroup> shares: array<vec2<f32>, 256>;

// Adds up what the 256 of a workgroup bring, in a fixed order. All of them have to come.
fn tally(nth: u32, group: vec3<u32>, groups: vec3<u32>, share: vec2<f32>) {
    shares[nth] = share;
    workgroupBarrier();
    for (var half = 128u; half > 0u; half /= 2u) {
        if nth < half {
            shares[nth] += shares[nth + half];
        }
        workgroupBarrier();
    }
    if nth == 0u {
        sums[group.y * groups.x + group.x] = shares[0];
    }
}
