//! Tests of sprites in pixels that are not square.

use super::tests::{bits, crowd, grid, sprite};
use super::*;
use crate::picture::{Components, Depth, Format, Placement};

#[test]
fn rows_of_any_tile_hold_the_whole_of_a_sprite() {
    // Rows of narrow tiles are composited in full, those of wide ones within the ellipse of a sprite.
    let (state, mut look) = crowd();
    let shapes = [Sprite::Disc, Sprite::SoftDisc, Sprite::Puff, Sprite::Flake, Sprite::Shard];
    for (emitter, shape) in look.emitters.iter_mut().zip(shapes) {
        *emitter = Some(EmitterLook { cover: 0.3, opacity: 0.2, ..sprite(shape) });
    }
    for scales in [[0.5, 1.0], [2.0, 1.0], [1.0, 1.0]] {
        for focus in [None, Some(DepthOfField { focus: 390.0, stop: 1.0, width: 0.5 })] {
            let look = Look { focus, ..look.clone() };
            let painted = |side: usize| {
                let placement = Placement::of_pixels([0, 0, 200, 150], scales, 1.0);
                let mut pixels = vec![[0.0_f32; 4]; placement.x.count * placement.y.count];
                let rows = pixels.chunks_mut(placement.x.count).map(bytemuck::cast_slice_mut).collect();
                let format = Format { depth: Depth::Float, components: Components::Rgba };
                let (state, look, scene) = (&state, &look, Scene::default());
                let painting = Painting { state, look, grid: grid(), scene, sprite: None, smoke: None, gpu: None };
                paint_in_tiles(&Cpu::new(1), painting, Canvas { placement, format, rows }, side);
                pixels
            };
            let narrow = painted(8);
            assert!(narrow.iter().filter(|pixel| pixel[3] > 0.0).count() > 10_000, "{scales:?}");
            assert!(bits(&narrow) == bits(&painted(32)), "{scales:?}, {focus:?}");
        }
    }
}
