// Faces inside free-slip solids: they have no weight in samples of the velocity. The pass binds `solid`.

// Whether a face, given by the results of `tap` for its column and row, lies between two solid cells with free slip.
fn in_wall(on: u32, column: i32, row: i32) -> bool {
    if !has(FREE_SLIP_SOLIDS) || on == CELL || column < 0 || row < 0 {
        return false;
    }
    let face = vec2(column, row);
    return solid[clamped_cell(face - unit(on))] > 0.0 && solid[clamped_cell(face)] > 0.0;
}

fn wall_at(on: u32, column: i32, row: i32) -> f32 {
    return select(0.0, 1.0, in_wall(on, column, row));
}

// 1 for each of the four taps that has a weight and is a face in a wall, else 0.
fn walls_at(on: u32, at: SamplePosition) -> vec4<f32> {
    let left = tap(on, 0u, at.index.x);
    let right = tap(on, 0u, at.index.x + 1);
    let low = tap(on, 1u, at.index.y);
    let high = tap(on, 1u, at.index.y + 1);
    let low_walls = vec2(wall_at(on, left, low), wall_at(on, right, low));
    let high_walls = vec2(wall_at(on, left, high), wall_at(on, right, high));
    return vec4(low_walls, high_walls) * has_weight(at.fraction);
}
