// Sets closed faces to the velocity of their solid. count: number of faces.

@group(0) @binding(1) var<storage, read> open: array<f32>;
// The flow of the solids through the covered parts of faces; at a closed face the velocity of its solid.
@group(0) @binding(2) var<storage, read> moved: array<f32>;
@group(0) @binding(3) var<storage, read_write> velocity: array<f32>;

@compute @workgroup_size(256)
fn main(
    @builtin(local_invocation_index) lane: u32,
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
) {
    let at = (group.y * groups.x + group.x) * 256u + lane;
    if at < params.count && open[at] == 0.0 {
        var speed = 0.0;
        if has(MOVING) {
            speed = moved[at];
        }
        velocity[at] = speed;
    }
}
