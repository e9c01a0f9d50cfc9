// Outflow limit of each cell: the factor that reduces its outflows to its height; 0 outside the grid.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> raw: array<i32>;
@group(0) @binding(2) var<storage, read> heights: array<i32>;
@group(0) @binding(3) var<storage, read_write> shares: array<u32>;

fn raw_at(cell: vec2<i32>, plane: u32) -> i32 {
    return raw[index(cell, plane, params.planes)];
}

// Outflows of a cell along the pipe to its neighbour ahead, and along the pipe from its neighbour behind. The latter is
// the negative part of that pipe's flow or, for classic pipes, a separate plane. (`select` and no branch: with a
// branch, Mesa 22.3's lavapipe leaks memory with every workgroup.)
fn leaving(cell: vec2<i32>, pipe: u32) -> i32 {
    let owner = home(cell - ahead(pipe));
    let there = raw_at(cell, pipe);
    let back = raw_at(owner, select(pipe, pipe + 4u, has(CLASSIC)));
    return max(there, 0) + max(select(-back, back, has(CLASSIC)), 0);
}

@compute @workgroup_size(32, 8)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let place = vec2(i32(id.x), i32(id.y + params.own_first));
    if !is_own(place) {
        return;
    }
    let cell = home(place);
    var share = 0u;
    if inside(cell) {
        let sum = leaving(cell, 0u) + leaving(cell, 1u) + leaving(cell, 2u) + leaving(cell, 3u);
        share = outflow_limit(heights[index(cell, 0u, 1u)], sum);
    }
    shares[index(place, 0u, 1u)] = share;
}
