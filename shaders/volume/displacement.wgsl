// Displacements of the cells over `time` by the midpoint rule: of backtraces where the time is above 0, of forward
// traces where it is below.

@group(0) @binding(1) var<storage, read> field: array<f32>;
@group(0) @binding(2) var<storage, read_write> to: array<vec4<f32>>;

@compute @workgroup_size(32, 4, 2)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let at = vec3<i32>(id);
    if !inside(at, params.size) {
        return;
    }
    var middle = vec3(0.0);
    for (var axis = 0u; axis < 3u; axis++) {
        let sum = field[face_index(axis, at)] + field[face_index(axis, at + unit(axis))];
        middle[axis] = sum * 0.5 * (-0.5 * params.time);
    }
    var found = vec3(0.0);
    for (var axis = 0u; axis < 3u; axis++) {
        // The centre of a cell lies half a cell above its lower face.
        found[axis] = sample(axis, at, middle + 0.5 * vec3<f32>(unit(axis))) * -params.time;
    }
    to[index(at, params.size)] = vec4(found, 0.0);
}
