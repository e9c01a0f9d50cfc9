// Red-black iterations on the coarsest level, which has at most two cells along each axis. mode: their number. count:
// passes over a colour before their order is reversed.

@group(0) @binding(2) var<storage, read> b: array<f32>;
@group(0) @binding(3) var<storage, read_write> p: array<f32>;

@compute @workgroup_size(8)
fn main(@builtin(local_invocation_index) lane: u32) {
    let at = vec3(i32(lane & 1u), i32((lane >> 1u) & 1u), i32(lane >> 2u));
    let here = index(at, params.size);
    let is_cell = inside(at, params.size);
    for (var pass_number = 0u; pass_number < 2u * params.mode; pass_number++) {
        if is_cell && (u32(at.x + at.y + at.z) & 1u) == ((pass_number + u32(pass_number >= params.count)) & 1u) {
            let around = neighbours(at);
            if around.y > 0.0 {
                p[here] = (around.x - b[here]) / around.y;
            }
        }
        storageBarrier();
    }
}
