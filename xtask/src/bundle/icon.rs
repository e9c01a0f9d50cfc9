//! The node's icon: a ripple on water, drawn rather than stored.

use crate::picture::Picture;

const SIZE: usize = 256;

/// The icon, 256 pixels wide and high, with transparent corners.
pub fn draw() -> Picture {
    Picture::from_fn(SIZE, SIZE, |x, y| {
        let (u, v) = ((x as f32 + 0.5) / SIZE as f32 * 2.0 - 1.0, 1.0 - (y as f32 + 0.5) / SIZE as f32 * 2.0);
        // A rounded square with a soft rim one pixel wide.
        let corner = 0.4;
        let (dx, dy) = ((u.abs() - 0.94 + corner).max(0.0), (v.abs() - 0.94 + corner).max(0.0));
        let inside = ((corner - dx.hypot(dy)) * SIZE as f32 * 0.5 + 0.5).clamp(0.0, 1.0);
        // Rings around a drop, seen from above at a slant, lit from the upper left.
        let (rx, ry) = (u - 0.05, (v + 0.12) * 1.45);
        let radius = rx.hypot(ry).max(1e-4);
        let slope = (radius * 17.0 - 1.2).cos() * (-radius * 1.5).exp() * 1.1;
        let light = (rx * -0.55 + ry * 0.83) / radius * slope;
        let depth = 0.5 + 0.5 * v;
        let water = [0.015 + 0.03 * depth, 0.14 + 0.2 * depth, 0.36 + 0.3 * depth];
        let glint = (light.max(0.0) * 1.15).powi(4);
        let colour = water.map(|channel| (channel * (1.0 + 0.75 * light) + glint * 0.85).clamp(0.0, 1.0));
        [colour[0], colour[1], colour[2], inside]
    })
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_icon_has_transparent_corners_and_an_opaque_middle() {
        let icon = super::draw();
        assert!(icon.width >= 128 && icon.height == icon.width);
        assert_eq!(icon.at(0, 0)[3], 0.0);
        assert_eq!(icon.at(icon.width / 2, icon.height / 2)[3], 1.0);
    }
}
