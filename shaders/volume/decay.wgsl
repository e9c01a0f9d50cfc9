// Decay of packs. numbers: factors of the channels. count: number of cells.

@group(0) @binding(1) var<storage, read_write> packs: array<vec4<f32>>;

@compute @workgroup_size(256)
fn main(
    @builtin(local_invocation_index) lane: u32,
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
) {
    let at = (group.y * groups.x + group.x) * 256u + lane;
    if at < params.count {
        packs[at] *= params.numbers;
    }
}
