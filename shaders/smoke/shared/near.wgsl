// Neighbours of a cell without flow through solids. The pass binds `solid`.

// Linear index of the cell at a distance of `by`; of the cell itself in place of a solid, or beyond a side that does not
// wrap.
fn near(position: vec2<i32>, by: vec2<i32>) -> i32 {
    let there = clamped_cell(position + by);
    if has(SOLID) && solid[there] > 0.0 {
        return index(CELL, position);
    }
    return there;
}
