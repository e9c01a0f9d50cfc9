// Neighbours of a cell. The pass binds `solid`: 1 in solid cells, else 0.

// Whether an index along an axis is beyond a side without slip.
fn is_beyond_no_slip(axis: u32, at: i32) -> bool {
    return (at < 0 && is_no_slip(2u * axis)) || (at >= params.size[axis] && is_no_slip(2u * axis + 1u));
}

// The cell `far`, clamped or wrapped; `position` itself where `far` is a solid with free slip.
fn beside(position: vec2<i32>, far: vec2<i32>) -> vec2<i32> {
    let there = vec2(clamped(CELL, 0u, far.x), clamped(CELL, 1u, far.y));
    if has(FREE_SLIP_SOLIDS) && solid[index(CELL, there)] > 0.0 {
        return position;
    }
    return there;
}
