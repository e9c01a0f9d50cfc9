// Shallow water: speeds and flows of the faces to the east and north of cells, with the same bits as
// `src/sim/water/shallow.rs`.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> step: Step;
@group(0) @binding(2) var<storage, read> flows: array<i32>;
@group(0) @binding(3) var<storage, read> heights: array<i32>;
@group(0) @binding(4) var<storage, read> base: array<i32>;
@group(0) @binding(5) var<storage, read> push: array<i32>;
@group(0) @binding(6) var<storage, read> codes: array<u32>;
@group(0) @binding(7) var<storage, read> control: array<u32>;
@group(0) @binding(8) var<storage, read_write> raw: array<i32>;

const SPEED_ONE: i32 = 0x4000000;
const PULL_MAX: i32 = 0x20000000;
const DRAG_MAX: i32 = 0x10000000;

// Whether a cell is in the buffers, ring included; other cells have no flow.
fn in_buffers(cell: vec2<i32>) -> bool {
    let last = vec2(i32(params.width) + 1, i32(params.first + params.rows) - 1);
    return cell.x >= 0 && cell.y >= i32(params.first) && all(cell <= last);
}

// A flow or speed before the step.
fn before(place: vec2<i32>, plane: u32) -> i32 {
    let cell = home(place);
    if !in_buffers(cell) {
        return 0;
    }
    return flow_at(cell, plane);
}

// a·2^lift clamped to ±top, times mantissa and shift.
fn gain(a: i32, by: vec4<u32>, top: i32) -> i32 {
    let most = top >> by.x;
    return mul(clamp(a, -most, most) << by.x, by.yz);
}

fn short(v: i32, zeros: u32) -> u32 {
    return (u32(v) << zeros) >> 16u;
}

// n / d in parts of 65536, n ≤ d.
fn ratio(n: i32, d: i32) -> u32 {
    let zeros = countLeadingZeros(u32(d));
    let inverse = (65535u << 15u) / short(d, zeros);
    return (short(n, zeros) * inverse) >> 15u;
}

// Upwind momentum: the change of a speed by the flow from a side with another speed; `less`: this speed minus the
// other.
fn advected(flow: i32, depths: i32, less: i32) -> i32 {
    return part_signed(less, ratio(clamp(flow, 0, depths), depths));
}

fn height(cell: vec2<i32>) -> i32 {
    if inside(cell) {
        return heights[index(cell, 0u, 1u)];
    }
    return 0;
}

// Head of a cell of the grid: water, terrain, pressure, and a viscosity where the net inflow is positive.
fn head(cell: vec2<i32>, height: i32) -> i32 {
    let level = height + ground(cell);
    if params.smoothing.x == 0u {
        return level;
    }
    let net = before(cell - ahead(0u), 0u) - before(cell, 0u) + before(cell - ahead(1u), 1u) - before(cell, 1u);
    return level + part_signed(mul(clamp(net, 0, HEIGHT_MAX), params.smoothing), own_share(cell, SMOOTHING));
}

// Speed and flow of the face from a cell to the one ahead of it, along axis 0 (east) or 1 (north).
fn face(place: vec2<i32>, axis: u32) -> vec2<i32> {
    let along = ahead(axis);
    let beside = ahead(1u - axis);
    let cell = home(place);
    let far = home(cell + along);
    let near_height = height(cell);
    let far_height = height(far);
    let depths = near_height + far_height;
    if depths == 0 {
        return vec2(0, 0);
    }
    let speeds = 4u + axis;
    let crossing = 5u - axis;
    let other = 1u - axis;
    let q = before(cell, axis);
    var speed = before(cell, speeds);
    let slowing = advected(before(cell - along, axis) + q, depths, speed - before(cell - along, speeds))
        + advected(-(q + before(cell + along, axis)), depths, speed - before(cell + along, speeds))
        + advected(
            before(cell - beside, other) + before(cell - beside + along, other),
            depths,
            speed - before(cell - beside, speeds),
        )
        + advected(
            -(before(cell, other) + before(cell + along, other)),
            depths,
            speed - before(cell + beside, speeds),
        );

    // A dry cell beyond an open edge has the terrain and the push of the cell inside.
    var from_cell = cell;
    var to_cell = far;
    if !inside(cell) {
        from_cell = far;
    } else if !inside(far) {
        to_cell = cell;
    }
    var drop = select(ground(far), head(cell, near_height), inside(cell))
        - select(ground(cell), head(far, far_height), inside(far));
    if has(PUSH) {
        drop += push[index(from_cell, axis, 2u)] + push[index(to_cell, axis, 2u)];
    }
    let ends = vec4(cell, far);
    let pulled = speed - slowing + part_signed(gain(drop, params.gravity, PULL_MAX), share(ends, PULL));
    speed = kept(clamp(pulled, -SPEED_ONE, SPEED_ONE), ends);
    let swirl = before(cell - beside, crossing) + before(cell - beside + along, crossing)
        + before(cell, crossing) + before(cell + along, crossing);
    let a = abs(speed);
    let b = abs(swirl) >> 2u;
    let drag = gain(max(a, b) + ((3 * min(a, b)) >> 3u), params.friction, DRAG_MAX);
    speed -= part_signed(speed, ratio(drag, depths + drag));

    // The depth of the middle of the water that crosses the face, or the upwind depth (first order).
    let upwind = select(far_height, near_height, speed > 0);
    let difference = near_height + far_height - 2 * upwind;
    let size = u32(abs(speed));
    var depth = upwind;
    if has(SECOND_ORDER) {
        let correction = i32(part(u32(abs(difference)) >> 1u, WHOLE - min(size >> 10u, WHOLE)));
        depth = min(upwind + select(correction, -correction, difference < 0), 2 * upwind);
    }
    if depth == 0 {
        return vec2(0, 0);
    }
    let flow = part(u32(depth), size >> 10u) + (part(u32(depth), size & 1023u) >> 10u);
    return vec2(speed, with_sign(min(flow, u32(FLOW_MAX)), speed));
}

@compute @workgroup_size(32, 8)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let place = vec2(i32(id.x), i32(id.y + params.own_first));
    if !is_own(place) {
        return;
    }
    let kinds = code(home(place));
    for (var axis = 0u; axis < 2u; axis++) {
        var next = vec2(0, 0);
        if ((kinds >> (4u * axis)) & CLOSED) != CLOSED {
            next = face(place, axis);
        }
        raw[index(place, 4u + axis, params.planes)] = next.x;
        raw[index(place, axis, params.planes)] = next.y;
        raw[index(place, 2u + axis, params.planes)] = 0;
    }
}
