//! Deep pictures of a volume: OpenEXR files with samples along the ray of each pixel, for deep compositing.
//!
//! A sample spans Z to ZBack, with premultiplied colour and the alpha of its whole span; those of a pixel are sorted and
//! disjoint. Depths are distances from the camera along its axis, as in the depth layer.
//!
//! | file | contents |
//! |---|---|
//! | `samples` | segments of a ray as few samples |
//! | `file` | the layout of a file |
//! | `reader` | reads such files, and those of other programs |
//! | this file | the lines of a picture |

mod file;
pub mod reader;
mod samples;
#[cfg(test)]
mod tests;

use std::io::{self, Seek, Write};

use super::march::{Marcher, segment_length};
use super::picture::{Lit, Shot};
use super::rays::Caster;
use crate::compute::cpu::Cpu;
use crate::compute::cpu::wide::{Wide, wide};
use crate::picture::camera::Projection;
use crate::picture::placement::Placement;
use crate::picture::zlib::Packer;
use file::{Encoded, Line};
use samples::Ray;

/// Lines in memory at once.
const LINES: usize = 64;

/// Contents of a deep picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DeepOptions {
    /// Largest number of samples of a pixel.
    pub samples: usize,
    /// World units of a unit of the depths.
    pub unit: f64,
}

/// Writes the deep picture of a shot, on the threads of `cpu`: its camera, without its scene and shutter. The bytes do
/// not depend on the number of threads.
///
/// # Errors
/// `to` cannot be written to.
pub fn write_deep(
    cpu: &Cpu,
    lit: &Lit<'_>,
    shot: &Shot<'_>,
    options: &DeepOptions,
    to: &mut (impl Write + Seek),
) -> io::Result<()> {
    let projection = Projection::new(shot.camera, shot.frame());
    let marcher = lit.marcher();
    let caster = marcher
        .as_ref()
        .map(|(medium, _)| Caster::new(&projection, medium, lit.tiles(medium), segment_length(lit.look)));
    let lines = Lines {
        rays: caster.as_ref().zip(marcher.as_ref().map(|(_, marcher)| marcher)),
        pixels: &shot.pixels,
        options,
    };
    let height = shot.pixels.y.count;
    let mut writer = file::Writer::begin(to, &shot.pixels)?;
    for first in (0..height).step_by(LINES) {
        let batch: Vec<usize> = (first..(first + LINES).min(height)).collect();
        let encoded = cpu.each(batch, |line| wide(OfLine { lines: &lines, line }));
        encoded.iter().try_for_each(|line| writer.line(line))?;
    }
    writer.end()
}

/// The lines of a picture.
struct Lines<'a> {
    /// `None` without a medium.
    rays: Option<(&'a Caster<'a>, &'a Marcher<'a>)>,
    pixels: &'a Placement,
    options: &'a DeepOptions,
}

/// A line, the uppermost is 0.
struct OfLine<'a> {
    lines: &'a Lines<'a>,
    line: usize,
}

impl Wide for OfLine<'_> {
    type Output = Encoded;

    #[inline(always)]
    fn run(self) -> Encoded {
        let Self { lines: Lines { rays, pixels, options }, line: number } = self;
        let y = pixels.y.middle(pixels.y.count - 1 - number);
        let (mut line, mut ray, mut samples) = (Line::default(), Ray::default(), Vec::new());
        for x in 0..pixels.x.count {
            samples.clear();
            ray.clear();
            let mut depths = [0.0; 2];
            if let Some((caster, marcher)) = rays
                && let Some(segments) = caster.cast([pixels.x.middle(x), y], f64::INFINITY)
            {
                marcher.march_into::<false, Ray>(&segments, &mut ray);
                ray.samples(options.samples.max(1), &mut samples);
                depths = segments.depths.map(|depth| depth / options.unit);
            }
            line.pixel(&samples, |place| (depths[0] + f64::from(place) * depths[1]) as f32);
        }
        line.encoded(number, &mut Packer::new())
    }
}
