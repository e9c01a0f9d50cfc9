// Subtracts the gradient of a correction e from the velocity and, with ADD_TO_PRESSURE, adds e to the pressure.

@group(0) @binding(0) var<uniform> level: Level;
@group(0) @binding(1) var<storage, read> e: array<f32>;
@group(0) @binding(2) var<storage, read> coefficients_x: array<f32>;
@group(0) @binding(3) var<storage, read> coefficients_y: array<f32>;
@group(0) @binding(4) var<storage, read_write> u: array<f32>;
@group(0) @binding(5) var<storage, read_write> v: array<f32>;
@group(0) @binding(6) var<storage, read_write> pressure: array<f32>;

// The coefficient of a face of the finest level without solids: 0 on a closed side, else 1. `at` and `n` are index and
// cells along its axis.
fn face_coefficient(at: i32, n: i32, low_side: u32, high_side: u32) -> f32 {
    let side = select(high_side, low_side, at == 0);
    let is_side = at == 0 || at == n;
    let is_closed = side == CLOSED || (side == WRAP && n == 1);
    return select(1.0, 0.0, is_side && is_closed);
}

fn e_at(cell: vec2<i32>) -> f32 {
    var at = cell;
    let wraps = vec2(boundary(0u) == WRAP, boundary(2u) == WRAP);
    at = select(at, at + level.size, wraps & (at < vec2(0)));
    if any(at < vec2(0)) || !is_cell(at) {
        return 0.0;
    }
    return e[index(at)];
}

@compute @workgroup_size(32, 8)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let cell = vec2<i32>(id.xy);
    let n = level.size;
    if any(cell > n) {
        return;
    }
    if cell.y < n.y && !(boundary(0u) == WRAP && cell.x == n.x) {
        let at = cell.y * (n.x + 1) + cell.x;
        var coefficient = face_coefficient(cell.x, n.x, boundary(0u), boundary(1u));
        if has(COEFFICIENTS) {
            coefficient = coefficients_x[at];
        }
        let next = u[at] - coefficient * (e_at(cell) - e_at(cell - vec2(1, 0)));
        u[at] = next;
        if boundary(0u) == WRAP && cell.x == 0 {
            u[at + n.x] = next;
        }
    }
    if cell.x < n.x && !(boundary(2u) == WRAP && cell.y == n.y) {
        let at = cell.y * n.x + cell.x;
        var coefficient = face_coefficient(cell.y, n.y, boundary(2u), boundary(3u));
        if has(COEFFICIENTS) {
            coefficient = coefficients_y[at];
        }
        let next = v[at] - coefficient * (e_at(cell) - e_at(cell - vec2(0, 1)));
        v[at] = next;
        if boundary(2u) == WRAP && cell.y == 0 {
            v[at + n.x * n.y] = next;
        }
    }
    if has(ADD_TO_PRESSURE) && is_cell(cell) {
        pressure[index(cell)] += e[index(cell)];
    }
}
