// Red-black relaxation of the cells of one colour. numbers: over-relaxation factor. number: first row of the tables.

@group(0) @binding(2) var<storage, read> b: array<f32>;
@group(0) @binding(3) var<storage, read_write> p: array<f32>;

@compute @workgroup_size(32, 4, 2)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let half = vec3<i32>(id);
    let at = vec3(2 * half.x + ((half.y + half.z + i32(has(BLACK))) & 1), half.yz);
    if !inside(at, params.size) {
        return;
    }
    let here = index(at, params.size);
    let around = neighbours(at);
    if around.y > 0.0 {
        let before = p[here];
        p[here] = before + ((around.x - b[here]) / around.y - before) * params.numbers.x;
    }
}
