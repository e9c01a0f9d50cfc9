// The pipes around a cell.

// Offsets of the eight pipes: those that a cell owns, and those of its neighbours.
const OFFSETS = array<vec2<i32>, 8>(
    vec2(1, 0), vec2(0, 1), vec2(1, 1), vec2(-1, 1), vec2(-1, 0), vec2(0, -1), vec2(-1, -1), vec2(1, -1),
);

// The cell at the far end of a pipe, and the pipe's weight; weight 0 where it is closed.
fn around(x: i32, y: i32, pipe: u32) -> vec2<i32> {
    var offsets = OFFSETS;
    let offset = offsets[pipe];
    let far = neighbour(x, y, offset.x, offset.y);
    if far < 0 {
        return vec2(0, 0);
    }
    let owner = select(far, y * params.width + x, pipe < 4u);
    return vec2(far, i32(owned(owner, pipe & 3u)));
}
