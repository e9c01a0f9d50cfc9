// Composites sprites from front to back: one invocation per pixel, by the list of its tile. The lists come in their
// final order, so that no sum depends on the device.

struct Params {
    // Columns and rows of the picture.
    size: vec2<u32>,
    // Columns of tiles.
    columns: u32,
    mode: u32,
    // Width of a pixel divided by its height.
    aspect: f32,
    spare: f32,
    // Share of a sprite that is seen per pixel of distance in front of the scene.
    per_pixel: f32,
    // Whether there is a scene.
    limited: u32,
    // Levels of a frame of the texture, 0 without one, and its texels in all levels.
    levels: u32,
    frame_texels: u32,
    // Half sides of a sprite over those of the frame in it.
    fit: vec2<f32>,
}

struct Sprite {
    // Centre in pixels of the picture: whole and fraction.
    whole: vec2<i32>,
    part: vec2<f32>,
    // First column and row, and the ones after the last, 16 bits each.
    bounds: vec2<u32>,
    // Unit vector along the length.
    along: vec2<f32>,
    // 1 / half length and 1 / half width.
    inverse: vec2<f32>,
    depth: f32,
    kind: u32,
    // Colour and cover; for data the values of the pixel.
    colour: vec4<f32>,
    // Unit vector to the light; in a picture level and share of the second frame are in x and y.
    light: vec3<f32>,
    // Ambient light of a puff.
    ambient: f32,
    // Bits of a puff and a shard; numbers of two frames of a picture.
    random: vec4<u32>,
    // Blur: share of the disc, cover of the shape, half sides over those of the disc, steepness.
    blur: vec4<f32>,
    // Cover and light of the disc.
    disc: vec4<f32>,
}

const SIDE: u32 = 32u;
// A pixel is closed where a smaller share of the light behind its sprites than this gets past them.
const CLOSED: f32 = 1.0 / 4096.0;
const BLEND: u32 = 0u;
const COUNT: u32 = 1u;
// Of other modes, sprites write data.

// A soft disc is 1.
const DISC: u32 = 0u;
const SPARK: u32 = 2u;
const PUFF: u32 = 3u;
const STAR: u32 = 4u;
const FLAKE: u32 = 5u;
const PICTURE: u32 = 6u;
const SHARD: u32 = 7u;

@group(0) @binding(0) var<uniform> params: Params;
// First entry of each tile in `list`, and the end.
@group(0) @binding(1) var<storage, read> starts: array<u32>;
@group(0) @binding(2) var<storage, read> list: array<u32>;
@group(0) @binding(3) var<storage, read> sprites: array<Sprite>;
// Distance of the scene behind each pixel.
@group(0) @binding(4) var<storage, read> limits: array<f32>;
// Cover and colour: all levels of each frame.
@group(0) @binding(5) var<storage, read> texels: array<vec4<f32>>;
// First texel in a frame, width and height of each level.
@group(0) @binding(6) var<storage, read> levels: array<vec4<u32>>;
@group(0) @binding(7) var<storage, read_write> picture: array<vec4<f32>>;

// (1 − r²)² within the radius 1.
fn bump(square: f32) -> f32 {
    let rest = max(1.0 - square, 0.0);
    return rest * rest;
}

fn unit(value: f32) -> f32 {
    return clamp(value, 0.0, 1.0);
}

fn grey(cover: f32, light: f32) -> vec4<f32> {
    return vec4(cover, vec3(light));
}

// A core below a pixel is spread over the pixel.
fn spark(edge: f32, square: f32) -> vec4<f32> {
    let kept = 1.0 / (1.0 + 23.0 * edge * edge);
    let core = bump(square * 16.0 * kept);
    let glow = bump(square) / (1.0 + 30.0 * square);
    let cover = core * kept;
    return grey(cover + (1.0 - cover) * 0.25 * glow, 1.0 + 3.0 * core);
}

fn byte_of(bits: u32, shift: u32) -> f32 {
    return f32((bits >> shift) & 255u) / 255.0 - 0.5;
}

// A parabolic wave of period 1 between -1 and 1, of a phase above 0.
fn wave(phase: f32) -> f32 {
    let place = phase - f32(i32(phase)) - 0.5;
    return place * (8.0 - 16.0 * abs(place));
}

// Six lumps in the light, each a part of a sphere, which waves bend and thin out.
fn puff(number: u32, at: vec2<f32>) -> vec4<f32> {
    let random = sprites[number].random;
    let light = sprites[number].light;
    let phases = 8.5 + vec4<f32>((random >> vec4(21u)) & vec4(255u)) / 256.0;
    let bent = at + 0.12 * vec2(wave(1.1 * at.y + 0.5 * at.x + phases.x), wave(0.6 * at.x - 0.9 * at.y + phases.z))
        + 0.05 * vec2(wave(2.9 * at.y - 1.3 * at.x + phases.y), wave(2.3 * at.x + 2.6 * at.y + phases.w));
    var cover = 0.0;
    var slope = vec2(0.0);
    for (var lump = 0u; lump < 6u; lump++) {
        let bits = random[lump % 4u] >> (8u * (lump / 4u));
        let size = 0.62 + 0.3 * byte_of(bits, 16u);
        let reach = (1.0 - size) * 1.3;
        let away = bent - vec2(byte_of(bits, 0u), byte_of(bits, 8u)) * reach;
        let inverse = 1.0 / (size * size);
        let part = bump(dot(away, away) * inverse);
        cover += part;
        slope += away * (part * inverse);
    }
    let waves = vec2(wave(1.6 * bent.x + 0.5 * bent.y + phases.z), wave(1.3 * bent.y - 1.1 * bent.x + phases.w));
    let fine = wave(3.7 * bent.x - 1.3 * bent.y + phases.x) * wave(2.6 * bent.y + 2.9 * bent.x + phases.y);
    let thin = 0.07 * waves.x + 0.05 * waves.y + 0.07 * fine;
    let normal = slope / (cover + 1e-3) + 0.2 * waves;
    let facing = (dot(normal, light.xy) + light.z) / sqrt(1.0 + dot(normal, normal));
    let ambient = sprites[number].ambient;
    let lit = ambient + (1.0 - ambient) * unit(0.75 * facing + 0.25);
    let square = dot(at, at);
    return grey(unit(cover * 0.47 - 0.09 + thin) * bump(square * square), lit);
}

// A small core and four rays along the axes.
fn star(at: vec2<f32>) -> vec4<f32> {
    let square = dot(at, at);
    let cross = at.x * at.y;
    let ray = 1.0 / (1.0 + 700.0 * cross * cross + 3.0 * square);
    let core = bump(square * 16.0);
    return grey(unit(bump(square) * ray + core), 1.0 + core);
}

const SIN_60: f32 = 0.8660254;

fn branch(place: vec2<f32>, start: f32, reach: f32, width: f32, edge: f32) -> f32 {
    let from_start = place.x - start;
    let along = 0.5 * from_start + SIN_60 * place.y;
    let beside = abs(0.5 * place.y - SIN_60 * from_start);
    return unit((width * 0.8 - beside) / edge + 0.5) * unit((reach - along) / edge + 0.5) * unit(along / edge + 1.0);
}

// Six arms with a pair of branches, folded onto half of an arm.
fn flake(edge: f32, at: vec2<f32>) -> vec4<f32> {
    var place = abs(at);
    let over = max(SIN_60 * place.y - 0.5 * place.x, 0.0);
    place = vec2(place.x + over, abs(place.y - over * 1.7320508));
    let width = 0.07 + edge * 0.5;
    let arm = unit((width - place.y) / edge + 0.5) * unit((0.95 - place.x) / edge + 0.5);
    return grey(max(arm, max(branch(place, 0.4, 0.3, width, edge), branch(place, 0.65, 0.2, width, edge))), 1.0);
}

// Vectors across the edges of a regular shard.
const ACROSS = array<vec2<f32>, 5>(
    vec2(1.0, 0.0),
    vec2(0.309017, 0.9510565),
    vec2(-0.809017, 0.58778525),
    vec2(-0.809017, -0.58778525),
    vec2(0.309017, -0.9510565),
);

// A chip with five straight edges in a disc, bent along a line.
fn shard(number: u32, edge: f32, at: vec2<f32>) -> vec4<f32> {
    let random = sprites[number].random;
    var across = ACROSS;
    var inside = 1.0 - length(at);
    var bend = 0.0;
    for (var side = 0u; side < 5u; side++) {
        let bits = random[side % 4u] >> (8u * (side / 4u));
        let normal = across[side] + 0.7 * vec2(byte_of(bits, 0u), byte_of(bits, 8u));
        inside = min(inside, 0.62 + 0.5 * byte_of(bits, 16u) - dot(normal, at));
        if side == 0u {
            bend = normal.x * at.y - normal.y * at.x;
        }
    }
    return grey(unit(inside / edge + 0.5), 0.7 + 0.6 * unit(0.5 + 2.0 * bend));
}

fn texel(frame: u32, level: vec4<u32>, at: vec2<i32>) -> vec4<f32> {
    if any(at < vec2(0)) || any(at >= vec2<i32>(level.yz)) {
        return vec4(0.0);
    }
    return texels[frame * params.frame_texels + level.x + u32(at.y) * level.y + u32(at.x)];
}

// Bilinear value of a level at a place in −1..1.
fn of_level(frame: u32, number: u32, at: vec2<f32>) -> vec4<f32> {
    let level = levels[number];
    let position = (at * params.fit + 1.0) / 2.0 * vec2<f32>(level.yz) - 0.5;
    let low = floor(position);
    let share = position - low;
    let cell = vec2<i32>(low);
    let lower = mix(texel(frame, level, cell), texel(frame, level, cell + vec2(1, 0)), share.x);
    let upper = mix(texel(frame, level, cell + vec2(0, 1)), texel(frame, level, cell + vec2(1, 1)), share.x);
    return mix(lower, upper, share.y);
}

fn of_frame(frame: u32, level: f32, at: vec2<f32>) -> vec4<f32> {
    let last = params.levels - 1u;
    let low = min(u32(level), last);
    let share = clamp(level - f32(low), 0.0, 1.0);
    return mix(of_level(frame, low, at), of_level(frame, min(low + 1u, last), at), share);
}

fn textured(number: u32, at: vec2<f32>) -> vec4<f32> {
    let frames = sprites[number].random.xy;
    let shown = sprites[number].light.xy;
    var value = of_frame(frames.x, shown.x, at);
    if shown.y > 0.0 {
        value = mix(value, of_frame(frames.y, shown.x, at), shown.y);
    }
    return vec4(value.x, value.yzw / max(value.x, 1e-6));
}

// Cover and light of the sharp sprite at a place in −1..1.
fn shape(number: u32, at: vec2<f32>) -> vec4<f32> {
    let edge = sprites[number].inverse.y;
    var seen: vec4<f32>;
    switch sprites[number].kind {
        case DISC: { seen = grey(unit((1.0 - length(at)) / edge + 0.5), 1.0); }
        case SPARK: { seen = spark(edge, dot(at, at)); }
        case PUFF: { seen = puff(number, at); }
        case STAR: { seen = star(at); }
        case FLAKE: { seen = flake(edge, at); }
        case SHARD: { seen = shard(number, edge, at); }
        case PICTURE: { seen = textured(number, at); }
        default: { seen = grey(bump(dot(at, at)), 1.0); }
    }
    return seen;
}

fn blurred(number: u32, at: vec2<f32>) -> vec4<f32> {
    let blur = sprites[number].blur;
    let disc = sprites[number].disc;
    let part = unit((1.0 - dot(at, at) * blur.z * blur.z) * blur.w);
    let even = disc.x * part * part * (3.0 - 2.0 * part);
    if blur.y == 0.0 {
        return vec4(even, disc.yzw);
    }
    let sharp = shape(number, at);
    let own = blur.y * sharp.x;
    return vec4(own + even, (sharp.yzw * own + disc.yzw * even) / max(own + even, 1e-12));
}

@compute @workgroup_size(8, 8)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let at = id.xy;
    if any(at >= params.size) {
        return;
    }
    let place = at.y * params.size.x + at.x;
    let tile = (at.y / SIDE) * params.columns + at.x / SIDE;
    var value = vec4(0.0);
    for (var entry = starts[tile]; entry < starts[tile + 1u]; entry++) {
        let number = list[entry];
        let bounds = sprites[number].bounds;
        if any(at < (bounds & vec2(0xffffu))) || any(at >= (bounds >> vec2(16u))) {
            continue;
        }
        let along = sprites[number].along;
        let from_middle = vec2<f32>(vec2<i32>(at) - sprites[number].whole) + 0.5 - sprites[number].part;
        let d = vec2(from_middle.x * params.aspect, from_middle.y);
        let local = vec2(dot(d, along), d.y * along.x - d.x * along.y) * sprites[number].inverse;
        var seen: vec4<f32>;
        if sprites[number].blur.x > 0.0 {
            seen = blurred(number, local);
        } else {
            seen = shape(number, local);
        }
        if params.limited != 0u {
            seen.x *= unit((limits[place] - sprites[number].depth) * params.per_pixel);
        }
        let colour = sprites[number].colour;
        if params.mode == BLEND {
            let amount = seen.x * (1.0 - value.w);
            value += vec4(colour.rgb * (seen.yzw * amount), colour.w * amount);
            if 1.0 - value.w < CLOSED {
                // As an opaque pixel, which sprites behind do not change.
                value = vec4(value.rgb / value.w, 1.0);
                break;
            }
        } else if params.mode == COUNT {
            let one = select(0.0, 1.0, seen.x > 0.0);
            value = vec4(value.rgb + one, max(value.w, one));
        } else if seen.x >= 0.5 {
            value = colour;
            break;
        }
    }
    picture[place] = value;
}
