// Sums of the values at listed places, by span of the list. count: number of spans.

// The place of a value, and the number of its region.
@group(0) @binding(1) var<storage, read> members: array<vec2<u32>>;
// First member and the one after the last.
@group(0) @binding(2) var<storage, read> spans: array<vec2<u32>>;
@group(0) @binding(3) var<storage, read> values: array<f32>;
@group(0) @binding(4) var<storage, read_write> to: array<f32>;

@compute @workgroup_size(256)
fn main(
    @builtin(local_invocation_index) lane: u32,
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
) {
    let number = group.y * groups.x + group.x;
    var sum = 0.0;
    if number < params.count {
        let span = spans[number];
        for (var member = span.x + lane; member < span.y; member += 256u) {
            sum += values[members[member].x];
        }
    }
    let all = workgroup_sum(lane, sum);
    if lane == 0u && number < params.count {
        to[number] = all;
    }
}
