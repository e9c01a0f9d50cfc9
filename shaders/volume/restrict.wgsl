// Right-hand side of the coarser level: sums of the residuals of its children. Its pressure becomes 0. part: cells of
// the coarser level. mode: the axes that have half the cells there, a bit each.

@group(0) @binding(2) var<storage, read> b: array<f32>;
@group(0) @binding(3) var<storage, read> p: array<f32>;
@group(0) @binding(4) var<storage, read_write> coarse_b: array<f32>;
@group(0) @binding(5) var<storage, read_write> coarse_p: array<f32>;

@compute @workgroup_size(32, 4, 2)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let at = vec3<i32>(id);
    if !inside(at, params.part) {
        return;
    }
    let step = vec3<i32>((vec3(params.mode) >> vec3(0u, 1u, 2u)) & vec3(1u)) + vec3(1);
    var sum = 0.0;
    for (var z = 0; z < step.z; z++) {
        for (var y = 0; y < step.y; y++) {
            for (var x = 0; x < step.x; x++) {
                let child = at * step + vec3(x, y, z);
                if inside(child, params.size) {
                    let here = index(child, params.size);
                    let around = neighbours(child);
                    sum += b[here] - (around.x - p[here] * around.y);
                }
            }
        }
    }
    let here = index(at, params.part);
    coarse_b[here] = sum;
    coarse_p[here] = 0.0;
}
