// Adds the pressure of the coarser level to that of its children. part: cells of the coarser level.

@group(0) @binding(1) var<storage, read> coarse_p: array<f32>;
@group(0) @binding(2) var<storage, read_write> p: array<f32>;

@compute @workgroup_size(32, 4, 2)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let at = vec3<i32>(id);
    if inside(at, params.size) {
        p[index(at, params.size)] += coarse_p[index(at / 2, params.part)];
    }
}
