// The five-point stencil of the pressure equation; faces in the order west, east, south, north.

const OMEGA: f32 = 1.15;

fn face_coefficients(cell: vec2<i32>) -> vec4<f32> {
    let last = level.size - 1;
    if has(COEFFICIENTS) {
        let x = cell.y * (level.size.x + 1) + cell.x;
        let y = index(cell);
        return vec4(coefficients_x[x], coefficients_x[x + 1], coefficients_y[y], coefficients_y[y + level.size.x]);
    }
    return vec4(
        select(level.coefficient.x, level.side_coefficient.x, cell.x == 0),
        select(level.coefficient.x, level.side_coefficient.y, cell.x == last.x),
        select(level.coefficient.y, level.side_coefficient.z, cell.y == 0),
        select(level.coefficient.y, level.side_coefficient.w, cell.y == last.y),
    );
}

// The value of a neighbour; 0 beyond a side that does not wrap.
fn value_at(cell: vec2<i32>) -> f32 {
    var at = cell;
    let wraps = vec2(boundary(0u) == WRAP, boundary(2u) == WRAP) & (level.size > vec2(1));
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

// A x of a cell: Σ a·(x − neighbour).
fn product(cell: vec2<i32>) -> f32 {
    let products = face_coefficients(cell) * (value(index(cell)) - neighbours(cell));
    return (products.x + products.y) + (products.z + products.w);
}
