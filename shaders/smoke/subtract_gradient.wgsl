// A correction's gradient is taken off the velocity, and it is added to the pressure where there is one.

@group(0) @binding(0) var<uniform> level: Level;
@group(0) @binding(1) var<storage, read> e: array<f32>;
@group(0) @binding(2) var<storage, read> weights_x: array<f32>;
@group(0) @binding(3) var<storage, read> weights_y: array<f32>;
@group(0) @binding(4) var<storage, read_write> u: array<f32>;
@group(0) @binding(5) var<storage, read_write> v: array<f32>;
@group(0) @binding(6) var<storage, read_write> pressure: array<f32>;

// What a face counts for, and the correction on both of its sides; 0 beyond an open one. `at` and `n` are of its axis.
fn across(at: i32, n: i32, low_side: u32, high_side: u32) -> f32 {
    let side = select(high_side, low_side, at == 0);
    let border = at == 0 || at == n;
    let shut = side == CLOSED || (side == WRAP && n == 1);
    return select(1.0, 0.0, border && shut);
}

fn e_at(cell: vec2<i32>) -> f32 {
    var at = cell;
    let wraps = vec2(edge(0u) == WRAP, edge(2u) == WRAP);
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
    if cell.y < n.y && !(edge(0u) == WRAP && cell.x == n.x) {
        let at = cell.y * (n.x + 1) + cell.x;
        var share = across(cell.x, n.x, edge(0u), edge(1u));
        if has(WEIGHTS) {
            share = weights_x[at];
        }
        let next = u[at] - share * (e_at(cell) - e_at(cell - vec2(1, 0)));
        u[at] = next;
        if edge(0u) == WRAP && cell.x == 0 {
            u[at + n.x] = next;
        }
    }
    if cell.x < n.x && !(edge(2u) == WRAP && cell.y == n.y) {
        let at = cell.y * n.x + cell.x;
        var share = across(cell.y, n.y, edge(2u), edge(3u));
        if has(WEIGHTS) {
            share = weights_y[at];
        }
        let next = v[at] - share * (e_at(cell) - e_at(cell - vec2(0, 1)));
        v[at] = next;
        if edge(2u) == WRAP && cell.y == 0 {
            v[at + n.x * n.y] = next;
        }
    }
    if has(ADD_TO_PRESSURE) && is_cell(cell) {
        pressure[index(cell)] += e[index(cell)];
    }
}
