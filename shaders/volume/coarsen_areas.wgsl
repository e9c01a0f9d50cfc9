// Open areas of the faces of the next coarser level: sums over the faces that lie on a coarser one. part: cells of the
// coarser level.

@group(0) @binding(1) var<storage, read> areas: array<f32>;
@group(0) @binding(2) var<storage, read_write> to: array<f32>;

@compute @workgroup_size(32, 4, 2)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let at = vec3<i32>(id);
    if !inside(at, params.part + unit(AXIS)) {
        return;
    }
    let fine = faces(AXIS);
    let first = min(2 * at, fine - vec3(1));
    let end = min(first + vec3(2) - unit(AXIS), fine);
    var sum = 0.0;
    for (var z = first.z; z < end.z; z++) {
        for (var y = first.y; y < end.y; y++) {
            for (var x = first.x; x < end.x; x++) {
                sum += areas[face_index(AXIS, vec3(x, y, z))];
            }
        }
    }
    to[face_index_of(params.part, AXIS, at)] = sum;
}
