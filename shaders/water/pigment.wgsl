// Transport of pigment with the water, and the pigment of the inflow. Runs before the heights change.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> step: Step;
@group(0) @binding(2) var<storage, read> raw: array<i32>;
@group(0) @binding(3) var<storage, read> shares: array<u32>;
@group(0) @binding(4) var<storage, read> heights: array<i32>;
@group(0) @binding(5) var<storage, read> pigment: array<u32>;
@group(0) @binding(6) var<storage, read> inflow: array<u32>;
@group(0) @binding(7) var<storage, read_write> moved: array<u32>;
@group(0) @binding(8) var<storage, read_write> counters: array<atomic<u32>>;

fn masses(cell: vec2<i32>) -> vec3<u32> {
    let at = index(cell, 0u, 3u);
    let stride = params.width + 2u;
    return vec3(pigment[at], pigment[at + stride], pigment[at + 2u * stride]);
}

// Pigment of a cell that leaves with an outflow.
fn taken(m: vec3<u32>, out: i32, height: i32) -> vec3<u32> {
    if out == 0 || all(m == vec3(0u)) {
        return vec3(0u);
    }
    let o = u32(out);
    let h = u32(height);
    return vec3(pigment_share(m.x, o, h), pigment_share(m.y, o, h), pigment_share(m.z, o, h));
}

fn below_ceiling(counter: u32, amount: u32) -> u32 {
    count(CLAMPED + counter, max(amount, PIGMENT_MAX) - PIGMENT_MAX);
    return min(amount, PIGMENT_MAX);
}

fn pigment_of(place: vec2<i32>) -> vec3<u32> {
    let own = masses(place);
    let height = heights[index(place, 0u, 1u)];
    var m = own;
    for (var nth = 0u; nth < 8u; nth++) {
        let pipe = nth / 2u;
        let flow = out_and_in(place, pipe, nth % 2u);
        m -= taken(own, flow.x, height);
        if flow.y > 0 {
            let offset = ahead(pipe) * select(1, -1, nth % 2u == 1u);
            let far = home(place + offset);
            m += taken(masses(far), flow.y, heights[index(far, 0u, 1u)]);
        }
    }
    for (var channel = 0u; channel < 3u; channel++) {
        let kept = below_ceiling(channel + 1u, m[channel]);
        m[channel] = below_ceiling(channel + 1u, kept + inflow_at(place, channel + 1u));
    }
    return m;
}

@compute @workgroup_size(32, 8)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(local_invocation_index) nth: u32) {
    let place = vec2(i32(id.x), i32(id.y + params.own_first));
    if is_own(place) {
        var m = vec3(0u);
        if in_grid(place) {
            m = pigment_of(place);
        }
        let at = index(place, 0u, 3u);
        let stride = params.width + 2u;
        moved[at] = m.x;
        moved[at + stride] = m.y;
        moved[at + 2u * stride] = m.z;
    }
    workgroupBarrier();
    flush_counters(nth);
}
