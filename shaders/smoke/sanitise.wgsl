// Sets values that are not finite to 0 and clamps the others to ±VALUE_MAX. area: number of values.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> field: array<f32>;

@compute @workgroup_size(256)
fn main(
    @builtin(local_invocation_index) lane: u32,
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
) {
    let at = (group.y * groups.x + group.x) * 256u + lane;
    if at < u32(params.area.x) {
        let value = field[at];
        let finite = (bitcast<u32>(value) & 0x7fffffffu) < 0x7f800000u;
        field[at] = select(0.0, clamp(value, -VALUE_MAX, VALUE_MAX), finite);
    }
}
