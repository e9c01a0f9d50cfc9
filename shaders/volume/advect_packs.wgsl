// Advection of packs of four scalars along the backtraces of their cells: Catmull-Rom in 64 taps, clamped to the inner
// eight.

@group(0) @binding(1) var<storage, read> packs: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read> back: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read> field: array<f32>;
@group(0) @binding(4) var<storage, read_write> to: array<vec4<f32>>;

// Weights of the four taps at a fraction.
fn weights(t: f32) -> vec4<f32> {
    return vec4(
        ((1.0 - 0.5 * t) * t - 0.5) * t,
        (1.5 * t - 2.5) * (t * t) + 1.0,
        ((2.0 - 1.5 * t) * t + 0.5) * t,
        (0.5 * t - 0.5) * (t * t),
    );
}

// Index along an axis of a cell that may lie beyond a side; −1 for nothing.
fn along(axis: u32, at: i32, count: i32) -> i32 {
    if at >= 0 && at < count {
        return at;
    }
    let condition = side(axis, select(0u, 1u, at >= 0));
    if condition == OPEN {
        return -1;
    }
    if condition == CLOSED {
        return clamp(at, 0, count - 1);
    }
    return ((at % count) + count) % count;
}

// The velocity at a displacement from the centre of a cell.
fn velocity(cell: vec3<i32>, by: vec3<f32>) -> vec3<f32> {
    return vec3(
        sample(0u, cell, by + vec3(0.5, 0.0, 0.0)),
        sample(1u, cell, by + vec3(0.0, 0.5, 0.0)),
        sample(2u, cell, by + vec3(0.0, 0.0, 0.5)),
    );
}

// Displacement of the backtrace of a cell, in cells of the packs.
fn backtrace(at: vec3<i32>) -> vec3<f32> {
    if !has(FINER) {
        return back[index(at, params.size)].xyz;
    }
    let detail = f32(params.detail);
    let cell = at / params.detail;
    let begin = (vec3<f32>(at) + 0.5) / detail - 0.5 - vec3<f32>(cell);
    let middle = begin + velocity(cell, begin) * (-0.5 * params.time);
    return velocity(cell, middle) * (-params.time * detail);
}

@compute @workgroup_size(32, 4, 2)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let at = vec3<i32>(id);
    let size = params.size * params.detail;
    if !inside(at, size) {
        return;
    }
    var by = backtrace(at);
    for (var a = 0u; a < 3u; a++) {
        let begin = f32(at[a]);
        if wraps(a) {
            let period = f32(size[a]);
            by[a] -= floor((begin + by[a]) / period) * period;
        }
        by[a] = clamp(by[a], -1.0 - begin, f32(size[a]) - begin);
    }
    let steps = floor(by);
    let below = at + vec3<i32>(steps);
    let part = by - steps;
    let wx = weights(part.x);
    let wy = weights(part.y);
    let wz = weights(part.z);
    var x: vec4<i32>;
    var y: vec4<i32>;
    var z: vec4<i32>;
    for (var tap = 0; tap < 4; tap++) {
        x[tap] = along(0u, below.x + tap - 1, size.x);
        y[tap] = along(1u, below.y + tap - 1, size.y);
        z[tap] = along(2u, below.z + tap - 1, size.z);
    }
    var sum = vec4(0.0);
    var low = vec4(3.4e38);
    var high = vec4(-3.4e38);
    for (var k = 0; k < 4; k++) {
        var plane = vec4(0.0);
        for (var j = 0; j < 4; j++) {
            let row = size.x * (y[j] + size.y * z[k]);
            let missing = y[j] < 0 || z[k] < 0;
            var line = vec4(0.0);
            for (var i = 0; i < 4; i++) {
                var tap = vec4(0.0);
                if !missing && x[i] >= 0 {
                    tap = packs[row + x[i]];
                }
                line += tap * wx[i];
                if (i == 1 || i == 2) && (j == 1 || j == 2) && (k == 1 || k == 2) {
                    low = min(low, tap);
                    high = max(high, tap);
                }
            }
            plane += line * wy[j];
        }
        sum += plane * wz[k];
    }
    to[index(at, size)] = min(max(sum, low), high);
}
