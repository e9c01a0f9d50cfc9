// Codes of the pipes, as in `src/sim/water/domain.rs`: two cells a word, four bits a pipe. A solid cell has the lowest
// four bits set.

const CLOSED: u32 = 7u;

fn code(cell: vec2<i32>) -> u32 {
    let w = i32(params.width);
    let h = i32(params.height);
    let across = has(WRAP) || (cell.x > 1 && cell.x < w);
    let along = has(WRAP) || (cell.y > 1 && cell.y < h);
    if !has(SOLID) && across && along {
        return 0u;
    }
    let row = u32(cell.y) - params.first;
    let word = codes[row * ((params.width + 3u) / 2u) + u32(cell.x) / 2u];
    return (word >> (16u * (u32(cell.x) & 1u))) & 0xffffu;
}
