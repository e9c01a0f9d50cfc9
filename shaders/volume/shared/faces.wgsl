// Faces in a buffer of all velocity components: those normal to x, then to y, then to z.

// Index of a face in a box of `n` cells.
fn face_index_of(n: vec3<i32>, axis: u32, at: vec3<i32>) -> i32 {
    let x = (n.x + 1) * n.y * n.z;
    let y = n.x * (n.y + 1) * n.z;
    return select(select(x + y, x, axis == 1u), 0, axis == 0u) + index(at, n + unit(axis));
}

fn face_index(axis: u32, at: vec3<i32>) -> i32 {
    return face_index_of(params.size, axis, at);
}

// Along a wrapped axis the last face is the first.
fn origin(axis: u32, at: vec3<i32>) -> vec3<i32> {
    let n = params.size;
    let last = wraps(axis) && dot(at, unit(axis)) == dot(n, unit(axis));
    return select(at, at * (vec3(1) - unit(axis)), last);
}

// Whether a face lies on a closed side.
fn is_shut(axis: u32, at: vec3<i32>) -> bool {
    let coordinate = dot(at, unit(axis));
    let last = dot(params.size, unit(axis));
    return (coordinate == 0 && side(axis, 0u) == CLOSED) || (coordinate == last && side(axis, 1u) == CLOSED);
}
