//! The nodes' icons: drawn as SVG in `bundle/icons`, and painted from these as the PNG that most hosts show.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree};

use crate::{command, project};

/// Pixels on a side: twice the minimum of OpenFX.
const SIZE: u32 = 256;

/// The drawing of a node's icon.
pub fn drawing(node: &str) -> PathBuf {
    project::root().join("bundle/icons").join(format!("{node}.svg"))
}

/// Paints a node's icon into a PNG file.
pub fn paint(node: &str, path: &Path) -> Result<()> {
    let picture = painted(&drawing(node))?;
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

fn painted(drawing: &Path) -> Result<Pixmap> {
    let text = std::fs::read(drawing).with_context(|| format!("cannot read {}", drawing.display()))?;
    let tree = Tree::from_data(&text, &Options::default());
    let tree = tree.with_context(|| format!("{} is no SVG that can be painted", drawing.display()))?;
    let mut picture = Pixmap::new(SIZE, SIZE).context("there is no memory for an icon")?;
    let [width, height] = [tree.size().width(), tree.size().height()].map(|side| SIZE as f32 / side);
    resvg::render(&tree, Transform::from_scale(width, height), &mut picture.as_mut());
    Ok(picture)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_icons_have_transparent_corners_and_an_opaque_middle() {
        for node in [project::FLOW, project::FLOW_SMOKE, project::FLOW_PARTICLES] {
            let icon = painted(&drawing(node)).unwrap();
            let alpha = |x, y| icon.pixel(x, y).unwrap().alpha();
            assert_eq!([alpha(0, 0), alpha(SIZE - 1, SIZE - 1), alpha(SIZE / 2, SIZE / 2)], [0, 0, 255], "{node}");
        }
    }
}
