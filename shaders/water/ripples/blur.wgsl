// Blurs a plane of a level.

@group(0) @binding(2) var<storage, read> plane: array<i32>;
@group(0) @binding(3) var<storage, read_write> blurred: array<i32>;

@compute @workgroup_size(32, 8)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let x = i32(id.x);
    let y = i32(id.y);
    if x >= params.width || y >= params.height {
        return;
    }
    blurred[y * params.width + x] = blur(x, y);
}
