// Before the first step: removes the water in cells that became solid, and sets the initial source.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> heights: array<i32>;
@group(0) @binding(2) var<storage, read> pigment: array<u32>;
@group(0) @binding(3) var<storage, read> initial: array<i32>;
@group(0) @binding(4) var<storage, read> codes: array<u32>;
@group(0) @binding(5) var<storage, read_write> set_heights: array<i32>;
@group(0) @binding(6) var<storage, read_write> set_pigment: array<u32>;
@group(0) @binding(7) var<storage, read_write> counters: array<atomic<u32>>;

// Counts a change of one kind.
fn change(kind: u32, before: u32, after: u32) {
    count(ADDED + kind, max(after, before) - before);
    count(REMOVED + kind, max(after, before) - after);
}

struct Column {
    height: i32,
    pigment: vec3<u32>,
}

fn cleared(column: Column) -> Column {
    change(0u, u32(column.height), 0u);
    for (var channel = 0u; channel < 3u; channel++) {
        change(channel + 1u, column.pigment[channel], 0u);
    }
    return Column(0, vec3(0u));
}

fn set_initial(column: Column, place: vec2<i32>) -> Column {
    let level = initial[index(place, 0u, 4u)];
    let before = column.height;
    let replaces = has(REPLACE) && level > 0;
    let fills = has(FILL_UP) && level > before;
    if !replaces && !fills {
        return column;
    }
    var after = Column(level, column.pigment);
    change(0u, u32(before), u32(level));
    for (var channel = 0u; channel < 3u; channel++) {
        let brings = u32(initial[index(place, channel + 1u, 4u)]);
        let old = column.pigment[channel];
        if replaces {
            after.pigment[channel] = brings;
            change(channel + 1u, old, brings);
        } else {
            let whole = old + raised(brings, u32(before), u32(level));
            let kept = min(whole, PIGMENT_MAX);
            count(ADDED + channel + 1u, whole - old);
            count(CLAMPED + channel + 1u, whole - kept);
            after.pigment[channel] = kept;
        }
    }
    return after;
}

@compute @workgroup_size(32, 8)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(local_invocation_index) nth: u32) {
    let place = vec2(i32(id.x), i32(id.y + params.own_first));
    if is_own(place) {
        let stride = params.width + 2u;
        let at = index(place, 0u, 3u);
        var column = Column(0, vec3(0u));
        if in_grid(place) {
            column.height = heights[index(place, 0u, 1u)];
            if has(PIGMENT) {
                column.pigment = vec3(pigment[at], pigment[at + stride], pigment[at + 2u * stride]);
            }
            if has(CLEAR) && (code(place) & 15u) == 15u {
                column = cleared(column);
            }
            column = set_initial(column, place);
        }
        set_heights[index(place, 0u, 1u)] = column.height;
        if has(PIGMENT) {
            set_pigment[at] = column.pigment.x;
            set_pigment[at + stride] = column.pigment.y;
            set_pigment[at + 2u * stride] = column.pigment.z;
        }
    }
    workgroupBarrier();
    flush_counters(nth);
}
