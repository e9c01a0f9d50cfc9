//! The nodes' icons: drawn as SVG in `bundle/icons`, and painted from these as the PNG that most hosts show.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree};

use crate::picture::{Picture, decoded};
use crate::{command, project};

/// Pixels on a side: twice the minimum of OpenFX.
const SIZE: u32 = 256;

/// The drawing of a node's icon.
pub fn drawing(node: &str) -> PathBuf {
    project::root().join("bundle/icons").join(format!("{node}.svg"))
}

/// Paints a node's icon into a PNG file.
pub fn paint(node: &str, path: &Path) -> Result<()> {
    let picture = painted(&drawing(node), SIZE)?;
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, SIZE, SIZE);
    encoder.set_color(png::ColorType::Rgba);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_source_srgb(png::SrgbRenderingIntent::Perceptual);
    let straight = picture.pixels().iter().map(|pixel| pixel.demultiply());
    let bytes: Vec<u8> = straight.flat_map(|p| [p.red(), p.green(), p.blue(), p.alpha()]).collect();
    encoder
        .write_header()
        .and_then(|mut writer| writer.write_image_data(&bytes))
        .with_context(|| format!("cannot encode {}", path.display()))?;
    command::write_file(path, &file)
}

/// A node's icon as a picture with premultiplied linear colour, of so many pixels on a side.
pub fn picture(node: &str, side: u32) -> Result<Picture> {
    let painted = painted(&drawing(node), side)?;
    let linear = |value: u8, alpha: f32| decoded(f32::from(value) / 255.0) * alpha;
    Ok(Picture::from_fn(side as usize, side as usize, |x, y| {
        let pixel = painted.pixels()[y * side as usize + x].demultiply();
        let alpha = f32::from(pixel.alpha()) / 255.0;
        [linear(pixel.red(), alpha), linear(pixel.green(), alpha), linear(pixel.blue(), alpha), alpha]
    }))
}

fn painted(drawing: &Path, side: u32) -> Result<Pixmap> {
    let text = std::fs::read(drawing).with_context(|| format!("cannot read {}", drawing.display()))?;
    let tree = Tree::from_data(&text, &Options::default());
    let tree = tree.with_context(|| format!("{} is no SVG that can be painted", drawing.display()))?;
    let mut picture = Pixmap::new(side, side).context("there is no memory for an icon")?;
    let [width, height] = [tree.size().width(), tree.size().height()].map(|length| side as f32 / length);
    resvg::render(&tree, Transform::from_scale(width, height), &mut picture.as_mut());
    Ok(picture)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_icons_have_transparent_corners_and_an_opaque_middle() {
        for node in project::NODES {
            let icon = painted(&drawing(node), SIZE).unwrap();
            let alpha = |x, y| icon.pixel(x, y).unwrap().alpha();
            assert_eq!([alpha(0, 0), alpha(SIZE - 1, SIZE - 1), alpha(SIZE / 2, SIZE / 2)], [0, 0, 255], "{node}");
        }
    }
}
