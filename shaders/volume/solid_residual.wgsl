// The residual of the pressure among solids, and sums of its squares by workgroup. count: number of cells.

@group(0) @binding(2) var<storage, read> divergence: array<f32>;
@group(0) @binding(3) var<storage, read> p: array<f32>;
@group(0) @binding(4) var<storage, read_write> b: array<f32>;
@group(0) @binding(5) var<storage, read_write> to: array<f32>;

@compute @workgroup_size(256)
fn main(
    @builtin(local_invocation_index) lane: u32,
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
) {
    let number = group.y * groups.x + group.x;
    var sum = 0.0;
    for (var step = 0u; step < 16u; step++) {
        let here = (number * 16u + step) * 256u + lane;
        if here < params.count {
            let n = vec3<u32>(params.size);
            let around = neighbours(vec3<i32>(vec3(here % n.x, (here / n.x) % n.y, here / (n.x * n.y))));
            var residual = 0.0;
            // Solid cells have none.
            if around.y > 0.0 {
                residual = divergence[here] - (around.x - p[here] * around.y);
            }
            b[here] = residual;
            sum += residual * residual;
        }
    }
    let all = workgroup_sum(lane, sum);
    if lane == 0u {
        to[number] = all;
    }
}
