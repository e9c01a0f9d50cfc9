//! Sprites composited on a graphics device, by the lists of the tiles.

use super::joined;
use super::look::{Output, Sprite};
use super::sprites::Drawn;
use super::tiles::{Bins, Settings};
use crate::compute::cpu::Cpu;
use crate::compute::gpu::particles::{Mode, Sprite as PackedSprite, SpriteGpu, SpritePicture};
use crate::picture::masks::Masks;
use crate::sim::memory::Values;

/// Number of sprites that a task converts.
const PIECE: usize = 4096;

/// Largest distance of a scene: shaders may leave infinities out of account.
const FAR: f32 = 1e30;

/// Composites sprites, by rows of pixels, the lowest first; `None` where the CPU has to.
pub fn composite(
    cpu: &Cpu,
    gpu: &SpriteGpu,
    drawn: &[Drawn],
    bins: &Bins,
    masks: &Masks<'_>,
    settings: Settings<'_>,
    size: [usize; 2],
) -> Option<Values<[f32; 4]>> {
    // All sprites of a picture have the same pixels.
    let any = drawn.first()?;
    let converted = cpu.each(drawn.chunks(PIECE).collect(), |piece: &[Drawn]| {
        piece.iter().map(|sprite| packed(sprite, bins.first(), settings)).collect::<Vec<_>>()
    });
    let sprites = joined(converted);
    let list = bins.sorted(cpu, drawn);
    let distances = masks.has_depth().then(|| {
        let rows: Vec<usize> = (0..size[1]).collect();
        joined(cpu.each(rows, |y| (0..size[0]).map(|x| masks.distance(x, y).min(FAR)).collect::<Vec<_>>()))
    });
    let texture = settings.texture.map(|texture| texture.for_gpu());
    gpu.composite(&SpritePicture {
        size,
        aspect: any.aspect as f32,
        mode: match settings.output {
            Output::Beauty | Output::Emission => Mode::Blend,
            Output::Count => Mode::Count,
            Output::Depth | Output::Motion | Output::Identity => Mode::Data,
        },
        starts: bins.starts(),
        list: &list,
        sprites: &sprites,
        scene: distances.as_deref().map(|distances| (distances, settings.seen_per_pixel())),
        texture: texture.as_ref(),
    })
}

/// A sprite as the shader reads it, in a picture whose first pixel is `first`.
fn packed(sprite: &Drawn, first: [i32; 2], settings: Settings<'_>) -> PackedSprite {
    let Drawn { middle, along, inverse, bounds, form, blur, frames, mix, depth, .. } = *sprite;
    let whole = middle.map(libm::floor);
    let ends = [0, 1].map(|axis| bounds.map(|end| (end[axis] - first[axis]) as u32));
    let texture = settings.texture.filter(|_| form.sprite == Sprite::Picture);
    let mut packed = PackedSprite {
        whole: [0, 1].map(|axis| whole[axis] as i32 - first[axis]),
        part: [0, 1].map(|axis| (middle[axis] - whole[axis]) as f32),
        bounds: ends.map(|[low, high]| low | high << 16),
        along,
        inverse,
        depth,
        kind: match form.sprite {
            Sprite::Disc => 0,
            Sprite::Spark => 2,
            Sprite::Puff => 3,
            Sprite::Star => 4,
            Sprite::Flake => 5,
            Sprite::Shard => 7,
            Sprite::Picture if texture.is_some() => 6,
            Sprite::SoftDisc | Sprite::Picture => 1,
        },
        colour: sprite.values(settings.output),
        light: form.light,
        ambient: form.ambient,
        random: form.random,
        blur: [blur.share, blur.own, blur.reach, blur.steep],
        disc: [blur.cover, blur.light[0], blur.light[1], blur.light[2]],
    };
    if let Some(texture) = texture {
        packed.light = [texture.level(2.0 / inverse[1]), mix, 0.0];
        packed.random = [u32::from(frames[0]), u32::from(frames[1]), 0, 0];
    }
    packed
}
