// The cells beside one. `solid` has the solid cells.

// Whether a place along an axis is beyond a side without slip.
fn is_still(axis: u32, at: i32) -> bool {
    return (at < 0 && sticks(2u * axis)) || (at >= params.size[axis] && sticks(2u * axis + 1u));
}

// The cell at a place beside another; that one itself where there is a solid along which air slips.
fn beside(place: vec2<i32>, far: vec2<i32>) -> vec2<i32> {
    let there = vec2(near(CELL, 0u, far.x), near(CELL, 1u, far.y));
    if has(FREE_SLIP_SOLIDS) && solid[index(CELL, there)] > 0.0 {
        return place;
    }
    return there;
}
