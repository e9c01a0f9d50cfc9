// Red-black relaxation of the cells of one colour, into another buffer: two cells of a colour are neighbours where a
// wrapped axis has an odd number of cells. numbers: over-relaxation factor. number: first row of the tables.

@group(0) @binding(2) var<storage, read> b: array<f32>;
@group(0) @binding(3) var<storage, read> p: array<f32>;
@group(0) @binding(4) var<storage, read_write> to: array<f32>;

@compute @workgroup_size(32, 4, 2)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let at = vec3<i32>(id);
    if !inside(at, params.size) {
        return;
    }
    let here = index(at, params.size);
    var value = p[here];
    if ((at.x + at.y + at.z) & 1) == i32(has(BLACK)) {
        let around = neighbours(at);
        if around.y > 0.0 {
            value += ((around.x - b[here]) / around.y - value) * params.numbers.x;
        }
    }
    to[here] = value;
}
