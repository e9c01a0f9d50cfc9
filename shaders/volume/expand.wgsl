// The velocity of a state in another box: new faces have the velocity of the nearest old one. first: shift from the old
// box. part: cells of the old box.

@group(0) @binding(1) var<storage, read> old: array<f32>;
@group(0) @binding(2) var<storage, read_write> to: array<f32>;

@compute @workgroup_size(32, 4, 2)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let at = vec3<i32>(id);
    if !inside(at, faces(AXIS)) {
        return;
    }
    let nearest = clamp(origin(AXIS, at) + params.first, vec3(0), params.part + unit(AXIS) - vec3(1));
    to[face_index(AXIS, at)] = select(old[face_index_of(params.part, AXIS, nearest)], 0.0, is_shut(AXIS, at));
}
