// Operator of a level among solids. `matrix` has four fields, one after another: for each cell the couplings to its
// upper neighbours along x, y and z, and the diagonal, which is 0 in solid cells.

@group(0) @binding(1) var<storage, read> matrix: array<f32>;

// The sum of the neighbours' pressures by their couplings, and the diagonal.
fn neighbours(at: vec3<i32>) -> vec2<f32> {
    let n = params.size;
    let here = index(at, n);
    let plane = n.x * n.y;
    let count = plane * n.z;
    let left = here + select(-1, n.x - 1, at.x == 0);
    let right = here + select(1, 1 - n.x, at.x == n.x - 1);
    let below = here + select(-n.x, plane - n.x, at.y == 0);
    let above = here + select(n.x, n.x - plane, at.y == n.y - 1);
    let behind = here + select(-plane, plane * (n.z - 1), at.z == 0);
    let front = here + select(plane, plane * (1 - n.z), at.z == n.z - 1);
    // A coupling of 0 has no neighbour.
    let beside = matrix[left] * p[left] + matrix[here] * p[right];
    let upright = matrix[count + below] * p[below] + matrix[count + here] * p[above];
    let along = matrix[2 * count + behind] * p[behind] + matrix[2 * count + here] * p[front];
    return vec2(beside + (upright + along), matrix[3 * count + here]);
}
