// Sum of a level and of the coarser ones: the blurred plane times the coefficient of the level, plus the prolongation
// of the coarser level.

@group(0) @binding(2) var<storage, read> blurred: array<i32>;
@group(0) @binding(3) var<storage, read> coarse: array<i32>;
@group(0) @binding(4) var<storage, read_write> sum: array<i32>;

// Along an axis, the nearer neighbour of the block of cell `at`; −1 beyond a closed edge, and where it is the same
// block.
fn nearer(at: i32, blocks: i32) -> i32 {
    let block = beside(at / 2, select(1, -1, at % 2 == 0), blocks);
    return select(block, -1, block == at / 2);
}

@compute @workgroup_size(32, 8)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let x = i32(id.x);
    let y = i32(id.y);
    if x >= params.width || y >= params.height {
        return;
    }
    let cell = y * params.width + x;
    var value = product(blurred[cell], params.coefficients.w);
    if params.other_width > 0 && cells[cell].z > 0u {
        var columns = array<i32, 2>(x / 2, nearer(x, params.other_width));
        var rows = array<i32, 2>(y / 2, nearer(y, params.other_height));
        var high = 0;
        var low = 0u;
        for (var at = 0u; at < 4u; at++) {
            let column = columns[at % 2u];
            let row = rows[at / 2u];
            if column >= 0 && row >= 0 {
                let weight = link(cell, at);
                let head = coarse[row * params.other_width + column];
                high += i32(weight) * (head >> 8u);
                low += weight * (u32(head) & 255u);
            }
        }
        value += high + i32((low + 128u) >> 8u);
    }
    sum[cell] = select(value, 0, params.other_width > 0 && cells[cell].z == 0u);
}
