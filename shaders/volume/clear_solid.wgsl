// Sets the packs of solid cells to 0. `mask`: a bit for each cell of the velocity.

@group(0) @binding(1) var<storage, read> mask: array<u32>;
@group(0) @binding(2) var<storage, read_write> packs: array<vec4<f32>>;

@compute @workgroup_size(32, 4, 2)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let at = vec3<i32>(id);
    let size = params.size * params.detail;
    if !inside(at, size) {
        return;
    }
    let cell = u32(index(at / params.detail, params.size));
    if ((mask[cell / 32u] >> (cell % 32u)) & 1u) == 1u {
        packs[index(at, size)] = vec4(0.0);
    }
}
