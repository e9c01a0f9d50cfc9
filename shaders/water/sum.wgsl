// Totals of the frame, number of wet cells, greatest height.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> heights: array<i32>;
@group(0) @binding(2) var<storage, read> pigment: array<u32>;
@group(0) @binding(3) var<storage, read_write> counters: array<atomic<u32>>;

var<workgroup> highest: atomic<u32>;

@compute @workgroup_size(32, 8)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(local_invocation_index) nth: u32) {
    let place = vec2(i32(id.x), i32(id.y + params.own_first));
    if is_own(place) && in_grid(place) {
        let h = heights[index(place, 0u, 1u)];
        count(TOTAL, u32(h));
        atomicMax(&highest, u32(h));
        count(WET, select(0u, 1u, h >= params.wet));
        if has(PIGMENT) {
            for (var channel = 0u; channel < 3u; channel++) {
                count(TOTAL + channel + 1u, pigment[index(place, channel, 3u)]);
            }
        }
    }
    workgroupBarrier();
    flush_counters(nth);
    if nth == 0u {
        atomicMax(&counters[2u * HIGHEST], atomicLoad(&highest));
    }
}
