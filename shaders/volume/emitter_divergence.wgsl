// Subtracts the divergence of an emitter. first, part: the cells of the cover. numbers: divergence at full coverage.

@group(0) @binding(1) var<storage, read> cover: array<f32>;
@group(0) @binding(2) var<storage, read_write> to: array<f32>;

@compute @workgroup_size(32, 4, 2)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let inner = vec3<i32>(id);
    if inside(inner, params.part) {
        to[index(params.first + inner, params.size)] -= params.numbers.x * cover[index(inner, params.part)];
    }
}
