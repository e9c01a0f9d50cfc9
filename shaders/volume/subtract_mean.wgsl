// Subtracts the mean of all values. `total`: their sum. numbers: one over their number. count: their number.

@group(0) @binding(1) var<storage, read> total: array<f32>;
@group(0) @binding(2) var<storage, read_write> values: array<f32>;

@compute @workgroup_size(256)
fn main(
    @builtin(local_invocation_index) lane: u32,
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
) {
    let at = (group.y * groups.x + group.x) * 256u + lane;
    if at < params.count {
        values[at] -= total[0] * params.numbers.x;
    }
}
