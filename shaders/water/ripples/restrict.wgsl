// Restricts the blurred plane of a level, whose cells are `cells`, to the coarser level.

@group(0) @binding(2) var<storage, read> blurred: array<i32>;
@group(0) @binding(3) var<storage, read_write> coarse: array<i32>;

// Along an axis, the `nth` of the four cells that may link to a block; −1 where it does not exist.
fn child(block: i32, nth: u32, blocks: i32, fine: i32) -> i32 {
    if nth == 1u || nth == 2u {
        let cell = 2 * block + i32(nth) - 1;
        return select(-1, cell, cell < fine);
    }
    let other = beside(block, select(1, -1, nth == 0u), blocks);
    if other < 0 || other == block {
        return -1;
    }
    let cell = 2 * other + select(0, 1, nth == 0u);
    return select(-1, cell, cell < fine);
}

@compute @workgroup_size(32, 8)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let x = i32(id.x);
    let y = i32(id.y);
    if x >= params.other_width || y >= params.other_height {
        return;
    }
    var sum = Sum(0, vec3(0u));
    var weights = 0u;
    for (var row = 0u; row < 4u; row++) {
        let fine_y = child(y, row, params.other_height, params.height);
        let down = select(0u, 2u, row == 0u || row == 3u);
        for (var column = 0u; column < 4u && fine_y >= 0; column++) {
            let fine_x = child(x, column, params.other_width, params.width);
            if fine_x >= 0 {
                let cell = fine_y * params.width + fine_x;
                let across = select(0u, 1u, column == 0u || column == 3u);
                let weight = link(cell, across + down) * cells[cell].z;
                add(&sum, weight, blurred[cell]);
                weights += weight;
            }
        }
    }
    var value = 0;
    if weights > 0u {
        value = mean(sum, weights);
    }
    coarse[y * params.other_width + x] = value;
}
