// Sums b over each run: up to 64 consecutive cells of one singular region (a region whose pressure is determined up to
// a constant). The second component of a sum is 0 and unused. area: number of runs.

@group(0) @binding(0) var<uniform> params: Params;
// First cell of each run, and the cell after its last.
@group(0) @binding(1) var<storage, read> runs: array<vec2<u32>>;
@group(0) @binding(2) var<storage, read> b: array<f32>;
@group(0) @binding(3) var<storage, read_write> sums: array<vec2<f32>>;

@compute @workgroup_size(256)
fn main(
    @builtin(local_invocation_index) lane: u32,
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
) {
    let run = (group.y * groups.x + group.x) * 256u + lane;
    if run < u32(params.area.x) {
        var sum = 0.0;
        for (var cell = runs[run].x; cell < runs[run].y; cell++) {
            sum += b[cell];
        }
        sums[run] = vec2(sum, 0.0);
    }
}
