// The velocity at the ends of the displacements of faces, which are the means of those of their cells.

@group(0) @binding(1) var<storage, read> field: array<f32>;
@group(0) @binding(2) var<storage, read> displacements: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read_write> to: array<f32>;

@compute @workgroup_size(32, 4, 2)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let target_face = vec3<i32>(id);
    if !inside(target_face, faces(AXIS)) {
        return;
    }
    let at = origin(AXIS, target_face);
    let cells = cells_of_face(AXIS, at);
    let displacement = 0.5 * (displacements[cells.x].xyz + displacements[cells.y].xyz);
    to[face_index(AXIS, target_face)] = sample(AXIS, at, displacement);
}
