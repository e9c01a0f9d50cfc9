// Matrix of a level among solids, as `shared/solid_operator.wgsl` reads it. `areas`: open areas of the faces.
// `distances`: from number on, the inverse distances across the faces along x, then along y, then along z.

@group(0) @binding(1) var<storage, read> areas: array<f32>;
@group(0) @binding(2) var<storage, read> distances: array<f32>;
@group(0) @binding(3) var<storage, read_write> matrix: array<f32>;

@compute @workgroup_size(32, 4, 2)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let at = vec3<i32>(id);
    let n = params.size;
    if !inside(at, n) {
        return;
    }
    let here = index(at, n);
    let count = n.x * n.y * n.z;
    var first = i32(params.number);
    var sum = 0.0;
    for (var axis = 0u; axis < 3u; axis++) {
        let low = areas[face_index(axis, at)] * distances[first + at[axis]];
        let high = areas[face_index(axis, at + unit(axis))] * distances[first + at[axis] + 1];
        sum += low + high;
        // The pressure beyond an open side is 0.
        let is_coupled = at[axis] + 1 < n[axis] || wraps(axis);
        matrix[i32(axis) * count + here] = select(0.0, high, is_coupled);
        first += n[axis] + 1;
    }
    matrix[3 * count + here] = sum;
}
