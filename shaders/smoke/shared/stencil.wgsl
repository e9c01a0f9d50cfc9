// What a cell has to do with its neighbours: west, east, south, north.

const OMEGA: f32 = 1.15;

fn couplings(cell: vec2<i32>) -> vec4<f32> {
    let last = level.size - 1;
    if has(WEIGHTS) {
        let x = cell.y * (level.size.x + 1) + cell.x;
        let y = index(cell);
        return vec4(weights_x[x], weights_x[x + 1], weights_y[y], weights_y[y + level.size.x]);
    }
    return vec4(
        select(level.couple.x, level.beyond.x, cell.x == 0),
        select(level.couple.x, level.beyond.y, cell.x == last.x),
        select(level.couple.y, level.beyond.z, cell.y == 0),
        select(level.couple.y, level.beyond.w, cell.y == last.y),
    );
}

// The value of a neighbour; 0 where there is none.
fn value_at(cell: vec2<i32>) -> f32 {
    var at = cell;
    let wraps = vec2(edge(0u) == WRAP, edge(2u) == WRAP) & (level.size > vec2(1));
    at = select(at, at + level.size, wraps & (at < vec2(0)));
    at = select(at, at - level.size, wraps & (at >= level.size));
    if any(at < vec2(0)) || any(at >= level.size) {
        return 0.0;
    }
    return value(index(at));
}

fn neighbours(cell: vec2<i32>) -> vec4<f32> {
    return vec4(
        value_at(cell - vec2(1, 0)),
        value_at(cell + vec2(1, 0)),
        value_at(cell - vec2(0, 1)),
        value_at(cell + vec2(0, 1)),
    );
}

// A x.
fn product(cell: vec2<i32>) -> f32 {
    let flow = couplings(cell) * (value(index(cell)) - neighbours(cell));
    return (flow.x + flow.y) + (flow.z + flow.w);
}
