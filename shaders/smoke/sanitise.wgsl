// What is not finite becomes 0, the rest is held to bounds. Area: how many values there are.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> planes: array<f32>;

@compute @workgroup_size(256)
fn main(
    @builtin(local_invocation_index) nth: u32,
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
) {
    let at = (group.y * groups.x + group.x) * 256u + nth;
    if at < u32(params.area.x) {
        let value = planes[at];
        let finite = (bitcast<u32>(value) & 0x7fffffffu) < 0x7f800000u;
        planes[at] = select(0.0, clamp(value, -MOST, MOST), finite);
    }
}
