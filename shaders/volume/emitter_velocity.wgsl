// Sets the velocity of faces in proportion to an emitter's coverage. first, part: the faces of the cover. given: coverage
// and velocity of each.

@group(0) @binding(1) var<storage, read> given: array<vec2<f32>>;
@group(0) @binding(2) var<storage, read_write> to: array<f32>;

fn blended(at: vec3<i32>, given: vec2<f32>) {
    let here = face_index(AXIS, at);
    let value = to[here];
    to[here] = select(value + (given.y - value) * given.x, 0.0, is_shut(AXIS, at));
}

@compute @workgroup_size(32, 4, 2)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let inner = vec3<i32>(id);
    if !inside(inner, params.part) {
        return;
    }
    let at = params.first + inner;
    let here = given[index(inner, params.part)];
    // Along a wrapped axis the last face is the first.
    if any(origin(AXIS, at) != at) {
        return;
    }
    blended(at, here);
    if wraps(AXIS) && dot(at, unit(AXIS)) == 0 {
        blended(at + unit(AXIS) * params.size, here);
    }
}
