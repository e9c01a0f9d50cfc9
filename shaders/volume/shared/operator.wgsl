// Operator of a level of the multigrid hierarchy: a seven-point Laplacian in flux form. `tables` has, for each cell
// along x, then along y, then along z, the couplings to the lower and the upper neighbour, the width and the diagonal.

@group(0) @binding(1) var<storage, read> tables: array<vec4<f32>>;

fn row(axis: u32, cell: i32) -> vec4<f32> {
    let n = params.size;
    let offset = select(select(n.x + n.y, n.x, axis == 1u), 0, axis == 0u);
    return tables[i32(params.number) + offset + cell];
}

// The sum of the neighbours' pressures by their couplings, and the diagonal.
fn neighbours(at: vec3<i32>) -> vec2<f32> {
    let n = params.size;
    let x = row(0u, at.x);
    let y = row(1u, at.y);
    let z = row(2u, at.z);
    let here = index(at, n);
    let plane = n.x * n.y;
    let left = here + select(-1, n.x - 1, at.x == 0);
    let right = here + select(1, 1 - n.x, at.x == n.x - 1);
    let below = here + select(-n.x, plane - n.x, at.y == 0);
    let above = here + select(n.x, n.x - plane, at.y == n.y - 1);
    let behind = here + select(-plane, plane * (n.z - 1), at.z == 0);
    let front = here + select(plane, plane * (1 - n.z), at.z == n.z - 1);
    // A coupling of 0 has no neighbour.
    let beside = p[left] * x.x + p[right] * x.y;
    let around = (p[below] * (y.x * z.z) + p[above] * (y.y * z.z)) + (p[behind] * (z.x * y.z) + p[front] * (z.y * y.z));
    let diagonal = x.w * y.z * z.z + x.z * (y.w * z.z + z.w * y.z);
    return vec2(beside * (y.z * z.z) + around * x.z, diagonal);
}
