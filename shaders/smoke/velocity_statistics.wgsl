// The largest of a plane's values, and how many are not finite or beyond bounds. Area: how many there are.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> planes: array<f32>;
@group(0) @binding(2) var<storage, read_write> sums: array<vec2<f32>>;

var<workgroup> found: array<vec2<f32>, 256>;

@compute @workgroup_size(256)
fn main(
    @builtin(local_invocation_index) nth: u32,
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
) {
    let at = (group.y * groups.x + group.x) * 256u + nth;
    var share = vec2(0.0);
    if at < u32(params.area.x) {
        let size = bitcast<u32>(planes[at]) & 0x7fffffffu;
        let good = size <= bitcast<u32>(MOST);
        share = select(vec2(0.0, 1.0), vec2(bitcast<f32>(select(0u, size, good)), 0.0), good);
    }
    found[nth] = share;
    workgroupBarrier();
    for (var half = 128u; half > 0u; half /= 2u) {
        if nth < half {
            let other = found[nth + half];
            found[nth] = vec2(max(found[nth].x, other.x), found[nth].y + other.y);
        }
        workgroupBarrier();
    }
    if nth == 0u {
        sums[group.y * groups.x + group.x] = found[0];
    }
}
