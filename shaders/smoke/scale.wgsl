// Multiplies values by a number; 0 where the product is not finite. numbers: the number. area: number of values.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> given: array<f32>;
@group(0) @binding(2) var<storage, read_write> scaled: array<f32>;

@compute @workgroup_size(256)
fn main(
    @builtin(local_invocation_index) lane: u32,
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
) {
    let at = (group.y * groups.x + group.x) * 256u + lane;
    if at < u32(params.area.x) {
        let value = given[at] * params.numbers.x;
        let finite = (bitcast<u32>(value) & 0x7fffffffu) < 0x7f800000u;
        scaled[at] = select(0.0, value, finite);
    }
}
