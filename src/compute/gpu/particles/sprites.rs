//! The sprites of a picture, as the shader reads them.

use bytemuck::{Pod, Zeroable};

/// Width and height of a tile, pixels.
pub const TILE: usize = 32;

/// A pixel is closed where a smaller share of the light behind its sprites than this gets past them: sprites behind add
/// nothing.
pub const CLOSED: f32 = 1.0 / 4096.0;

/// Effect of a sprite on a pixel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Adds its premultiplied colour behind what is there.
    Blend,
    /// Counts.
    Count,
    /// Writes its values where its cover is at least a half and no sprite was before.
    Data,
}

/// A sprite in the pixels of a picture; the fields are those of the shader's `Sprite`.
#[derive(Clone, Copy, Debug, Default, Pod, Zeroable)]
#[repr(C)]
pub struct Sprite {
    /// Centre, whole pixels.
    pub whole: [i32; 2],
    /// Fraction of the centre.
    pub part: [f32; 2],
    /// First column and row in the low halves, those after the last in the high ones.
    pub bounds: [u32; 2],
    /// Unit vector along the length.
    pub along: [f32; 2],
    /// 1 / half length and 1 / half width, lengths in heights of a pixel.
    pub inverse: [f32; 2],
    /// Distance from the camera.
    pub depth: f32,
    /// The shape: disc, soft disc, spark, puff, star, flake, picture, shard.
    pub kind: u32,
    /// Premultiplied colour and cover, or the values of [`Mode::Data`].
    pub colour: [f32; 4],
    /// Unit vector to the light; of a picture the level, and the share of the second frame.
    pub light: [f32; 3],
    /// Ambient light of a puff.
    pub ambient: f32,
    /// Bits of a puff; of a picture the numbers of two frames.
    pub random: [u32; 4],
    /// Blur: share of the disc, cover of the shape, half sides over those of the disc, steepness.
    pub blur: [f32; 4],
    /// Cover and light of the disc.
    pub disc: [f32; 4],
}

/// An atlas of frames, each with smaller copies of itself.
pub struct Texture {
    /// Cover and premultiplied colour: all levels of the first frame, then those of the next.
    pub texels: Vec<[f32; 4]>,
    /// First texel in a frame, width and height of each level.
    pub levels: Vec<[u32; 4]>,
    /// Texels of a frame.
    pub frame_texels: usize,
    /// Half sides of a sprite over those of the frame in it.
    pub fit: [f32; 2],
}

/// A picture to be composited.
pub struct SpritePicture<'a> {
    /// Columns and rows, at most 65535 each.
    pub size: [usize; 2],
    /// Width of a pixel divided by its height.
    pub aspect: f32,
    /// Effect of the sprites.
    pub mode: Mode,
    /// First entry of each tile in `list`, by rows of tiles, and the end.
    pub starts: &'a [u32],
    /// Numbers of sprites, by tiles, in each from front to back.
    pub list: &'a [u32],
    /// The sprites.
    pub sprites: &'a [Sprite],
    /// Distance of the scene behind each pixel, and the share of a sprite that is seen per pixel of distance in front of
    /// it.
    pub scene: Option<(&'a [f32], f32)>,
    /// The picture of sprites.
    pub texture: Option<&'a Texture>,
}

/// The shader's uniforms.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub struct Params {
    /// Columns and rows of the picture.
    pub size: [u32; 2],
    /// Columns of tiles.
    pub columns: u32,
    /// Number of the mode.
    pub mode: u32,
    /// Width of a pixel divided by its height.
    pub aspect: f32,
    /// Unused.
    pub spare: f32,
    /// Share of a sprite that is seen per pixel of distance in front of the scene.
    pub per_pixel: f32,
    /// Whether there is a scene.
    pub limited: u32,
    /// Levels of a frame of the texture, 0 without one.
    pub levels: u32,
    /// Texels of a frame in all levels.
    pub frame_texels: u32,
    /// Half sides of a sprite over those of the frame in it.
    pub fit: [f32; 2],
}

impl Params {
    /// The uniforms of a picture.
    pub fn new(picture: &SpritePicture<'_>) -> Self {
        let texture = picture.texture;
        Self {
            size: picture.size.map(|side| side as u32),
            columns: picture.size[0].div_ceil(TILE) as u32,
            mode: match picture.mode {
                Mode::Blend => 0,
                Mode::Count => 1,
                Mode::Data => 2,
            },
            aspect: picture.aspect,
            spare: 0.0,
            per_pixel: picture.scene.map_or(0.0, |(_, per_pixel)| per_pixel),
            limited: u32::from(picture.scene.is_some()),
            levels: texture.map_or(0, |texture| texture.levels.len() as u32),
            frame_texels: texture.map_or(0, |texture| texture.frame_texels as u32),
            fit: texture.map_or([1.0; 2], |texture| texture.fit),
        }
    }
}
