//! The badge of a preview: a striped corner of the picture.

use crate::ofx::{OutputImage, RectI};
use crate::picture::Format;

/// Side of the badge as a fraction of the shorter side of the picture, and its least and largest value in pixels.
const SHARE: i32 = 12;
const SIDES: (i32, i32) = (6, 64);
/// Width of a stripe as a fraction of the side of the badge.
const STRIPES: i32 = 6;

/// Paints the badge at the lower left of a picture, within the window.
pub fn paint(image: &mut OutputImage<'_>, window: RectI, format: Format) {
    let bounds = image.bounds();
    let window = window.intersect(&bounds);
    let shorter = bounds.width().min(bounds.height()).min(i32::MAX as usize) as i32;
    let side = (shorter / SHARE).clamp(SIDES.0, SIDES.1);
    for row in image.rows_mut().into_iter().filter(|row| (window.y1..window.y2).contains(&row.y)) {
        for x in window.x1..window.x2.min(bounds.x1 + side) {
            let away = (x - bounds.x1) + (row.y - bounds.y1);
            if away >= side {
                break;
            }
            let light = away * STRIPES / side % 2 == 0;
            let at = (x - bounds.x1) as usize * format.bytes();
            format.encode(&[[f32::from(light); 4]], &mut row.bytes[at..at + format.bytes()]);
        }
    }
}
