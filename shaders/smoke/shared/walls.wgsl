// Walls beside the air: solids along which it slips, and closed sides along which it does not. `solid` has the solid cells.

// Whether a face, by what `tap` says of its column and row, is between two solid cells along which air slips.
fn in_wall(on: u32, column: i32, row: i32) -> bool {
    if !has(FREE_SLIP_SOLIDS) || on == CELL || column < 0 || row < 0 {
        return false;
    }
    let face = vec2(column, row);
    return solid[near_cell(face - unit(on))] > 0.0 && solid[near_cell(face)] > 0.0;
}

fn wall_at(on: u32, column: i32, row: i32) -> f32 {
    return select(0.0, 1.0, in_wall(on, column, row));
}

// 1 for those of the four faces around a spot that are in a wall and have a weight.
fn walls_at(on: u32, at: Spot) -> vec4<f32> {
    let left = tap(on, 0u, at.index.x);
    let right = tap(on, 0u, at.index.x + 1);
    let low = tap(on, 1u, at.index.y);
    let high = tap(on, 1u, at.index.y + 1);
    let walls = vec4(wall_at(on, left, low), wall_at(on, right, low), wall_at(on, left, high), wall_at(on, right, high));
    return walls * weighted(at.part);
}
