// A step of conjugate gradients along their direction: the new pressure and residual, and sums of the squares of the
// residual by workgroup. count: number of cells.

@group(0) @binding(1) var<storage, read> scalars: array<f32>;
@group(0) @binding(2) var<storage, read> direction: array<f32>;
@group(0) @binding(3) var<storage, read> product: array<f32>;
@group(0) @binding(4) var<storage, read_write> pressure: array<f32>;
@group(0) @binding(5) var<storage, read_write> b: array<f32>;
@group(0) @binding(6) var<storage, read_write> to: array<f32>;

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
            var residual = b[here];
            // Without a step the product may have no finite values.
            if scalars[STEP] != 0.0 {
                pressure[here] += scalars[STEP] * direction[here];
                residual += scalars[STEP] * product[here];
                b[here] = residual;
            }
            sum += residual * residual;
        }
    }
    let all = workgroup_sum(lane, sum);
    if lane == 0u {
        to[number] = all;
    }
}
