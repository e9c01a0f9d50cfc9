// Accelerates pipes: a flow is damped, and gains from the difference of the heads.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> step: Step;
@group(0) @binding(2) var<storage, read> flows: array<i32>;
@group(0) @binding(3) var<storage, read> heights: array<i32>;
@group(0) @binding(4) var<storage, read> base: array<i32>;
@group(0) @binding(5) var<storage, read> push: array<i32>;
@group(0) @binding(6) var<storage, read> codes: array<u32>;
@group(0) @binding(7) var<storage, read> control: array<u32>;
@group(0) @binding(8) var<storage, read_write> raw: array<i32>;

const TILE: vec2<u32> = vec2(34u, 9u);

// Heads of the workgroup's cells and of their neighbours.
var<workgroup> heads: array<i32, 306>;

// Head of a cell: height, base and viscosity.
fn head(cell: vec2<i32>) -> i32 {
    let level = heights[index(cell, 0u, 1u)] + ground(cell);
    if has(CLASSIC) || params.smoothing.x == 0u {
        return level;
    }
    var net = 0;
    for (var pipe = 0u; pipe < 4u; pipe++) {
        net += flow_at(home(cell - ahead(pipe)), pipe) - flow_at(cell, pipe);
    }
    return level + part_signed(mul(clamp(net, -HEIGHT_MAX, HEIGHT_MAX), params.smoothing), own_share(cell, SMOOTHING));
}

// Half push along a pipe.
fn pushes(cell: vec2<i32>, pipe: u32) -> i32 {
    let x = push[index(cell, 0u, 2u)];
    let y = push[index(cell, 1u, 2u)];
    switch pipe {
        case 0u: { return x; }
        case 1u: { return y; }
        case 2u: { return x + y; }
        default: { return y - x; }
    }
}

fn accelerated(q: i32, drop: i32, k: vec2<u32>, ends: vec4<i32>, least: i32) -> i32 {
    return clamp(kept(q, ends) + part_signed(mul(drop, k), share(ends, PULL)), least, FLOW_MAX);
}

@compute @workgroup_size(32, 8)
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(local_invocation_id) local: vec3<u32>,
    @builtin(local_invocation_index) nth: u32,
) {
    let corner = vec2(i32(group.x * 32u), i32(params.own_first + group.y * 8u));
    let last = vec2(i32(params.width) + 1, i32(params.first + params.rows) - 1);
    for (var at = nth; at < TILE.x * TILE.y; at += 256u) {
        let place = corner + vec2(i32(at % TILE.x) - 1, i32(at / TILE.x));
        let cell = home(place);
        var value = 0;
        if inside(cell) && all(place <= last) {
            value = head(cell);
        }
        heads[at] = value;
    }
    workgroupBarrier();

    let place = corner + vec2<i32>(local.xy);
    if !is_own(place) {
        return;
    }
    let cell = home(place);
    let kinds = code(cell);
    let here = local.y * TILE.x + local.x + 1u;
    for (var pipe = 0u; pipe < 4u; pipe++) {
        let to = index(place, pipe, params.planes);
        let back = index(place, pipe + 4u, params.planes);
        let kind = (kinds >> (4u * pipe)) & CLOSED;
        if kind == CLOSED {
            raw[to] = 0;
            if has(CLASSIC) {
                raw[back] = 0;
            }
            continue;
        }
        let offset = ahead(pipe);
        let far = home(cell + offset);
        var e_here = heads[here];
        var e_far = heads[i32(here) + offset.y * i32(TILE.x) + offset.x];
        // A dry cell beyond an open edge has the terrain and the push of the cell inside.
        var from_cell = cell;
        var to_cell = far;
        if !inside(cell) {
            e_here = ground(far);
            from_cell = far;
        } else if !inside(far) {
            e_far = ground(cell);
            to_cell = cell;
        }
        var drop = e_here - e_far;
        if has(PUSH) {
            drop += pushes(from_cell, pipe) + pushes(to_cell, pipe);
        }
        var k = params.diagonal;
        if pipe < 2u {
            k = params.cross[kind].xy;
        }
        let ends = vec4(cell, far);
        if has(CLASSIC) {
            raw[to] = accelerated(flow_at(cell, pipe), drop, k, ends, 0);
            raw[back] = accelerated(flow_at(cell, pipe + 4u), -drop, k, ends, 0);
        } else {
            raw[to] = accelerated(flow_at(cell, pipe), drop, k, ends, -FLOW_MAX);
        }
    }
}
