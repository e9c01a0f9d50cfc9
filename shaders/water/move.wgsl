// Applies the outflow limits to the flows, changes the heights, and adds the inflow and removes the evaporation of the
// step.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> step: Step;
@group(0) @binding(2) var<storage, read> raw: array<i32>;
@group(0) @binding(3) var<storage, read> shares: array<u32>;
@group(0) @binding(4) var<storage, read> heights: array<i32>;
@group(0) @binding(5) var<storage, read> inflow: array<u32>;
@group(0) @binding(6) var<storage, read_write> flows: array<i32>;
@group(0) @binding(7) var<storage, read_write> moved: array<i32>;
@group(0) @binding(8) var<storage, read_write> counters: array<atomic<u32>>;

fn below_ceiling(height: i32) -> i32 {
    count(CLAMPED, u32(max(height, HEIGHT_MAX) - HEIGHT_MAX));
    return min(height, HEIGHT_MAX);
}

// Writes the flows of the pipes that a cell owns, after the outflow limit.
fn write_flows(place: vec2<i32>) {
    let cell = home(place);
    for (var pipe = 0u; pipe < 4u; pipe++) {
        let far = home(cell + ahead(pipe));
        let to = index(place, pipe, params.planes);
        if has(CLASSIC) {
            let there = raw_at(cell, pipe);
            let back = raw_at(cell, pipe + 4u);
            var pair = vec2(0, 0);
            // Closed pipes, which may lead out of the buffers, carry nothing.
            if (there | back) != 0 {
                pair = limited_pair(cell, far, pipe);
            }
            flows[to] = pair.x;
            flows[index(place, pipe + 4u, params.planes)] = pair.y;
        } else {
            flows[to] = limited(cell, far, pipe);
        }
    }
    if has(SHALLOW) {
        // The outflow limit does not change speeds.
        for (var plane = 4u; plane < 6u; plane++) {
            let to = index(place, plane, params.planes);
            flows[to] = raw[index(cell, plane, params.planes)];
        }
    }
}

fn height_of(place: vec2<i32>) -> i32 {
    var h = heights[index(place, 0u, 1u)];
    for (var nth = 0u; nth < 8u; nth++) {
        let flow = out_and_in(place, nth / 2u, nth % 2u);
        h += flow.y - flow.x;
    }
    h = below_ceiling(below_ceiling(h) + i32(inflow_at(place, 0u)));
    let evaporation = params.evaporation.x + select(0u, 1u, step.index < params.evaporation.y);
    let lost = min(u32(h), evaporation);
    count(REMOVED, lost);
    return h - i32(lost);
}

@compute @workgroup_size(32, 8)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(local_invocation_index) nth: u32) {
    let place = vec2(i32(id.x), i32(id.y + params.own_first));
    if is_own(place) {
        write_flows(place);
        var h = 0;
        if in_grid(place) {
            h = height_of(place);
        }
        moved[index(place, 0u, 1u)] = h;
    }
    workgroupBarrier();
    flush_counters(nth);
}
