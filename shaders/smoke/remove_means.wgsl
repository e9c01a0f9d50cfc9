// Subtracts from b, in each run of cells of `region_sums.wgsl`, the mean of the run's region. area: number of runs.

@group(0) @binding(0) var<uniform> params: Params;
// First cell of each run, and the cell after its last.
@group(0) @binding(1) var<storage, read> runs: array<vec2<u32>>;
@group(0) @binding(2) var<storage, read> means: array<f32>;
@group(0) @binding(3) var<storage, read_write> b: array<f32>;

@compute @workgroup_size(256)
fn main(
    @builtin(local_invocation_index) lane: u32,
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
) {
    let run = (group.y * groups.x + group.x) * 256u + lane;
    if run < u32(params.area.x) {
        for (var cell = runs[run].x; cell < runs[run].y; cell++) {
            b[cell] -= means[run];
        }
    }
}
