// New flows of the pipes that a cell owns.

@group(0) @binding(2) var<storage, read> head: array<i32>;
@group(0) @binding(3) var<storage, read> old: array<i32>;
@group(0) @binding(4) var<storage, read> push: array<i32>;
@group(0) @binding(5) var<storage, read> control: array<i32>;
// Factors of the margin in parts of 65536: those of the columns, then those of the rows.
@group(0) @binding(6) var<storage, read> left: array<i32>;
@group(0) @binding(7) var<storage, read_write> flow: array<i32>;

const PULL_SHARE: i32 = 0;
const LOSS_SHARE: i32 = 1;
const REST_SHARE: i32 = 2;

// Control share of a pipe between two cells: the mean of their shares.
fn share(plane: i32, cell: i32, far: i32) -> u32 {
    let count = params.width * params.height;
    return u32(control[plane * count + cell] + control[plane * count + far]) / 2u;
}

// Factor of the margin at a cell.
fn left_of(cell: i32) -> i32 {
    return min(left[cell % params.width], left[params.width + cell / params.width]);
}

// Head of a push, in half slopes.
fn push_head(half: i32) -> i32 {
    let most = DROP >> params.push.x;
    return mul(clamp(half, -most, most) << params.push.x, params.push.yz);
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
    for (var pipe = 0u; pipe < 4u; pipe++) {
        let far = around(x, y, pipe);
        let at = i32(pipe) * count + cell;
        if far.y == 0 {
            flow[at] = 0;
            continue;
        }
        var drop = head[cell] - head[far.x];
        if has(PUSH) {
            let east = push[cell] + push[far.x];
            let north = push[count + cell] + push[count + far.x];
            var halves = array<i32, 4>(east, north, east + north, north - east);
            drop += push_head(halves[pipe]);
        }
        drop = clamp(drop, -DROP, DROP);
        var size = abs(drop);
        if pipe < 2u {
            size = (size * (far.y / 256 + 4) + 4) >> 3u;
        } else {
            size = (size + 2) >> 2u;
        }
        var pull = with_sign(u32(size), drop);
        var damped = mul(old[at], params.keep);
        if has(CONTROL) {
            damped = old[at] - part_signed(old[at] - damped, share(LOSS_SHARE, cell, far.x));
            damped = part_signed(damped, share(REST_SHARE, cell, far.x));
            pull = part_signed(pull, share(PULL_SHARE, cell, far.x));
        }
        var next = clamp(damped + pull, -FLOW_MAX, FLOW_MAX);
        if has(MARGIN) {
            next = part_signed(next, u32(min(left_of(cell), left_of(far.x))));
        }
        flow[at] = next;
    }
}
