// Means of packs over the cells of the velocity.

@group(0) @binding(1) var<storage, read> packs: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read_write> to: array<vec4<f32>>;

@compute @workgroup_size(32, 4, 2)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let at = vec3<i32>(id);
    if !inside(at, params.size) {
        return;
    }
    let detail = params.detail;
    var sum = vec4(0.0);
    for (var z = 0; z < detail; z++) {
        for (var y = 0; y < detail; y++) {
            for (var x = 0; x < detail; x++) {
                sum += packs[index(at * detail + vec3(x, y, z), params.size * detail)];
            }
        }
    }
    to[index(at, params.size)] = sum / f32(detail * detail * detail);
}
