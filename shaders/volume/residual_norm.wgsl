// Sums of squares of the residual by workgroup. number: first row of the tables. count: number of cells.

@group(0) @binding(2) var<storage, read> b: array<f32>;
@group(0) @binding(3) var<storage, read> p: array<f32>;
@group(0) @binding(4) var<storage, read_write> to: array<f32>;

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
            let at = vec3<i32>(vec3(here % n.x, (here / n.x) % n.y, here / (n.x * n.y)));
            let around = neighbours(at);
            let residual = b[here] - (around.x - p[here] * around.y);
            sum += residual * residual;
        }
    }
    let all = workgroup_sum(lane, sum);
    if lane == 0u {
        to[number] = all;
    }
}
