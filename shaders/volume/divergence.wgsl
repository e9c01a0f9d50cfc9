// The divergence of the velocity, among solids that through the open and the covered parts of faces, less that of
// burning. numbers: divergence per fuel burnt per frame.

@group(0) @binding(1) var<storage, read> velocity: array<f32>;
// Flame gas, flame gas times its age, fuel burnt per frame.
@group(0) @binding(2) var<storage, read> gases: array<vec4<f32>>;
// Open shares of faces, and the flow of solids through their covered parts.
@group(0) @binding(3) var<storage, read> open: array<f32>;
@group(0) @binding(4) var<storage, read> moved: array<f32>;
@group(0) @binding(5) var<storage, read_write> to: array<f32>;

fn flow(face: i32) -> f32 {
    var value = velocity[face];
    if has(COVERED) {
        value *= open[face];
    }
    if has(MOVING) {
        value += moved[face];
    }
    return value;
}

@compute @workgroup_size(32, 4, 2)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let at = vec3<i32>(id);
    if !inside(at, params.size) {
        return;
    }
    var sum = 0.0;
    for (var axis = 0u; axis < 3u; axis++) {
        sum += flow(face_index(axis, at + unit(axis))) - flow(face_index(axis, at));
    }
    let here = index(at, params.size);
    if has(EXPANDING) {
        sum -= params.numbers.x * gases[here].z;
    }
    to[here] = sum;
}
