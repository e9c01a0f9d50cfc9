// Adds the prolonged pressure of the coarser level. part: its cells. mode: the axes that have half the cells there, a
// bit each. `weights`: for each cell along x, then along y, then along z, the weights of its parent and of the neighbour
// on its side, from number on.

@group(0) @binding(1) var<storage, read> weights: array<vec2<f32>>;
@group(0) @binding(2) var<storage, read> coarse_p: array<f32>;
@group(0) @binding(3) var<storage, read_write> p: array<f32>;

@compute @workgroup_size(32, 4, 2)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let at = vec3<i32>(id);
    if !inside(at, params.size) {
        return;
    }
    let n = params.size;
    let count = params.part;
    let first = i32(params.number);
    let by = array(weights[first + at.x], weights[first + n.x + at.y], weights[first + n.x + n.y + at.z]);
    let is_halved = ((vec3(params.mode) >> vec3(0u, 1u, 2u)) & vec3(1u)) != vec3(0u);
    let parent = select(at, at / 2, is_halved);
    let upper = select(parent + vec3(1), vec3(0), parent + vec3(1) >= count);
    let lower = select(parent - vec3(1), count - vec3(1), parent == vec3(0));
    let other = select(parent, select(lower, upper, (at & vec3(1)) == vec3(1)), is_halved);
    var sum = 0.0;
    for (var corner = 0u; corner < 8u; corner++) {
        let which = (vec3(corner) >> vec3(0u, 1u, 2u)) & vec3(1u);
        let cell = select(parent, other, which == vec3(1u));
        let weight = by[0][which.x] * by[1][which.y] * by[2][which.z];
        sum += weight * coarse_p[index(cell, count)];
    }
    p[index(at, n)] += sum;
}
