// Raw layer. R: water. G: surface. B: terrain. A: wet.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> shown: Shown;
@group(0) @binding(2) var<storage, read> heights: array<i32>;
@group(0) @binding(3) var<storage, read> terrain: array<i32>;
@group(0) @binding(4) var<storage, read_write> picture: array<vec4<u32>>;

const ONE: u32 = 0x3f800000u;

@compute @workgroup_size(32, 8)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let place = vec2(i32(id.x), i32(id.y + params.own_first));
    if !is_own(place) || !in_grid(place) {
        return;
    }
    let at = index(place, 0u, 1u);
    let height = heights[at];
    var ground = 0;
    if shown.terrain != 0u {
        ground = terrain[at];
    }
    let wet = select(0u, ONE, height >= shown.wet);
    put(place, vec4(real(height), real(height + ground), real(ground), wet));
}
