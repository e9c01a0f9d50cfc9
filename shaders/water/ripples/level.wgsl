// New deviations, from the flows and the inflow.

struct Step {
    index: u32,
}

@group(0) @binding(2) var<uniform> step: Step;
@group(0) @binding(3) var<storage, read> eta: array<i32>;
@group(0) @binding(4) var<storage, read> flow: array<i32>;
// Amounts per step of all cells, then remainders of all cells: ten bits for each of three sources.
@group(0) @binding(5) var<storage, read> inflow: array<u32>;
@group(0) @binding(6) var<storage, read> left: array<i32>;
@group(0) @binding(7) var<storage, read_write> next_eta: array<i32>;
// Totals of the amounts above and below the range: low and high word of each.
@group(0) @binding(8) var<storage, read_write> clamped: array<atomic<u32>, 4>;

const OWNED = array<vec2<i32>, 4>(vec2(1, 0), vec2(0, 1), vec2(1, 1), vec2(-1, 1));

fn count_clamped(excess: i32) {
    let at = select(0u, 2u, excess < 0);
    let size = u32(abs(excess));
    let before = atomicAdd(&clamped[at], size);
    if before + size < before {
        atomicAdd(&clamped[at + 1u], 1u);
    }
}

@compute @workgroup_size(32, 8)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let x = i32(id.x);
    let y = i32(id.y);
    if x >= params.width || y >= params.height {
        return;
    }
    let cell = y * params.width + x;
    let count = params.width * params.height;
    var next = eta[cell];
    if cells[cell].z == 0u {
        next_eta[cell] = next;
        return;
    }
    for (var pipe = 0; pipe < 4; pipe++) {
        var offsets = OWNED;
        next -= flow[pipe * count + cell];
        let owner = neighbour(x, y, -offsets[pipe].x, -offsets[pipe].y);
        if owner >= 0 {
            next += flow[pipe * count + owner];
        }
    }
    if has(INFLOW) {
        next += i32(inflow[cell]);
        let rests = inflow[count + cell];
        for (var source = 0u; source < 3u; source++) {
            next += select(0, 1, step.index < ((rests >> (10u * source)) & 1023u));
        }
    }
    let in_range = clamp(next, -DEVIATION, DEVIATION);
    let place = vec2(x, y) - params.before;
    if in_range != next && all(place >= vec2(0)) && all(place < params.grid) {
        count_clamped(next - in_range);
    }
    var value = in_range;
    if has(MARGIN) {
        value = part_signed(in_range, u32(min(left[x], left[params.width + y])));
    }
    next_eta[cell] = value;
}
