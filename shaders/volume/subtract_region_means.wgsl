// Subtracts the mean of each closed region from its cells. count: number of their cells.

// A cell, and the number of its region.
@group(0) @binding(1) var<storage, read> members: array<vec2<u32>>;
// Sums of the regions, and one over their numbers of cells.
@group(0) @binding(2) var<storage, read> totals: array<f32>;
@group(0) @binding(3) var<storage, read> shares: array<f32>;
@group(0) @binding(4) var<storage, read_write> values: array<f32>;

@compute @workgroup_size(256)
fn main(
    @builtin(local_invocation_index) lane: u32,
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
) {
    let at = (group.y * groups.x + group.x) * 256u + lane;
    if at < params.count {
        let member = members[at];
        values[member.x] -= totals[member.y] * shares[member.y];
    }
}
