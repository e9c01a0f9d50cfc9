// Subtracts the gradient of the pressure, which is 0 beyond open sides and has no gradient across closed ones.

@group(0) @binding(1) var<storage, read> velocity: array<f32>;
@group(0) @binding(2) var<storage, read> p: array<f32>;
@group(0) @binding(3) var<storage, read_write> to: array<f32>;

@compute @workgroup_size(32, 4, 2)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let target_face = vec3<i32>(id);
    if !inside(target_face, faces(AXIS)) {
        return;
    }
    let n = params.size;
    let at = origin(AXIS, target_face);
    let along = unit(AXIS);
    let coordinate = dot(at, along);
    let last = dot(n, along);
    let rest = at * (vec3(1) - along);
    var low = 0.0;
    var high = 0.0;
    if coordinate > 0 || wraps(AXIS) {
        low = p[index(rest + along * select(coordinate - 1, last - 1, coordinate == 0), n)];
    }
    if coordinate < last || wraps(AXIS) {
        high = p[index(rest + along * select(coordinate, 0, coordinate == last), n)];
    }
    let value = velocity[face_index(AXIS, at)] - (high - low);
    to[face_index(AXIS, target_face)] = select(value, 0.0, is_shut(AXIS, at));
}
