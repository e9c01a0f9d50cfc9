// Sums of the deviations and the pressure, clamped.

@group(0) @binding(2) var<storage, read> eta: array<i32>;
@group(0) @binding(3) var<storage, read> base: array<i32>;
@group(0) @binding(4) var<storage, read_write> pressed: array<i32>;

@compute @workgroup_size(32, 8)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let x = i32(id.x);
    let y = i32(id.y);
    if x >= params.width || y >= params.height {
        return;
    }
    let cell = y * params.width + x;
    pressed[cell] = clamp(eta[cell] + base[cell], -DEVIATION, DEVIATION);
}
