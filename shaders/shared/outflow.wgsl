// What flows out of a cell along a pipe that it owns, or that its neighbour owns; the ring is state.

fn flow_ahead(cell: vec2<i32>, pipe: u32) -> u32 {
    return real(max(flows[index(cell, pipe, params.planes)], 0));
}

fn flow_back(owner: vec2<i32>, pipe: u32) -> u32 {
    let back = flows[index(owner, select(pipe, pipe + 4u, has(CLASSIC)), params.planes)];
    return real(select(max(-back, 0), back, has(CLASSIC)));
}
