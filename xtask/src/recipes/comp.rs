//! The recipes' comps: the same operations as the nodes of a compositor.

use crate::picture::Picture;

/// The first picture, premultiplied, over the second.
pub fn over(front: &Picture, behind: &Picture) -> Picture {
    Picture::from_fn(behind.width, behind.height, |x, y| {
        let (f, b) = (front.at(x, y), behind.at(x, y));
        std::array::from_fn(|c| f[c] + b[c] * (1.0 - f[3].clamp(0.0, 1.0)))
    })
}

/// All channels of a picture times a factor that depends on the pixel.
pub fn multiply(picture: &Picture, factor: impl Fn(usize, usize) -> f32) -> Picture {
    Picture::from_fn(picture.width, picture.height, |x, y| picture.at(x, y).map(|value| value * factor(x, y)))
}

/// The plate moved by an ST map: red and green are the position of the source in parts of the frame, y upwards (STMap).
pub fn st_map(plate: &Picture, map: &Picture) -> Picture {
    let (width, height) = (plate.width as f32, plate.height as f32);
    Picture::from_fn(map.width, map.height, |x, y| {
        let [u, v, ..] = map.at(x, y);
        sample(plate, u * width - 0.5, (1.0 - v) * height - 0.5)
    })
}

/// The plate moved by offsets in pixels, y upwards (IDistort): a pixel shows the source at its position plus the offset.
pub fn distort(plate: &Picture, offset: impl Fn(usize, usize) -> [f32; 2]) -> Picture {
    Picture::from_fn(plate.width, plate.height, |x, y| {
        let [right, up] = offset(x, y);
        sample(plate, x as f32 + right, y as f32 - up)
    })
}

/// The picture blurred along its motion vectors, in pixels, y upwards (VectorBlur): the mean of the points of a pixel's
/// path while the shutter is open, half before and half after the frame.
pub fn vector_blur(picture: &Picture, motion: &Picture, shutter: f32) -> Picture {
    const SAMPLES: usize = 24;
    Picture::from_fn(picture.width, picture.height, |x, y| {
        let [forward, up, backward, back_up] = motion.at(x, y);
        let mut sum = [0.0; 4];
        for sample_at in 0..SAMPLES {
            let time = ((sample_at as f32 + 0.5) / SAMPLES as f32 - 0.5) * shutter;
            let (right, up) =
                if time > 0.0 { (forward * time, up * time) } else { (-backward * time, -back_up * time) };
            let one = sample(picture, x as f32 + right, y as f32 - up);
            (0..4).for_each(|c| sum[c] += one[c] / SAMPLES as f32);
        }
        sum
    })
}

/// The picture blurred over so many pixels, twice by the mean of a square (Blur).
pub fn blur(picture: &Picture, size: usize) -> Picture {
    let (width, height) = (picture.width, picture.height);
    let half = (size / 2).max(1);
    let mut pixels = picture.pixels().to_vec();
    // Along a line, and then across: each pass gives the picture with rows and columns exchanged.
    let mut side = (width, height);
    for _ in 0..4 {
        let (count, lines) = side;
        let mut exchanged = vec![[0.0_f32; 4]; pixels.len()];
        for (y, line) in pixels.chunks_exact(count).enumerate() {
            let mut sums = vec![[0.0_f64; 4]; count + 1];
            for (x, pixel) in line.iter().enumerate() {
                sums[x + 1] = std::array::from_fn(|c| sums[x][c] + f64::from(pixel[c]));
            }
            for x in 0..count {
                let (low, high) = (x.saturating_sub(half), (x + half + 1).min(count));
                let mean = |c: usize| ((sums[high][c] - sums[low][c]) / (2 * half + 1) as f64) as f32;
                exchanged[x * lines + y] = std::array::from_fn(mean);
            }
        }
        pixels = exchanged;
        side = (lines, count);
    }
    Picture::from_fn(width, height, |x, y| pixels[y * width + x])
}

/// The picture at a position between its pixels, bilinear.
fn sample(picture: &Picture, x: f32, y: f32) -> [f32; 4] {
    let (x, y) = (x.clamp(0.0, (picture.width - 1) as f32), y.clamp(0.0, (picture.height - 1) as f32));
    let (i, j) = (x as usize, y as usize);
    let (s, t) = (x - i as f32, y - j as f32);
    let corners = [picture.at(i, j), picture.at(i + 1, j), picture.at(i, j + 1), picture.at(i + 1, j + 1)];
    std::array::from_fn(|c| {
        let [a, b, d, e] = corners.map(|corner| corner[c]);
        (a + (b - a) * s) * (1.0 - t) + (d + (e - d) * s) * t
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ramp() -> Picture {
        Picture::from_fn(16, 9, |x, y| [x as f32, y as f32, 0.5, 1.0])
    }

    #[test]
    fn identities_leave_a_plate_alone() {
        let plate = ramp();
        let identity =
            Picture::from_fn(16, 9, |x, y| [(x as f32 + 0.5) / 16.0, 1.0 - (y as f32 + 0.5) / 9.0, 0.0, 1.0]);
        let near = |a: &Picture| {
            let pairs = a.pixels().iter().zip(plate.pixels());
            pairs.flat_map(|(a, b)| (0..4).map(move |c| (a[c] - b[c]).abs())).fold(0.0, f32::max)
        };
        assert!(near(&st_map(&plate, &identity)) < 1e-4);
        assert!(near(&distort(&plate, |_, _| [0.0; 2])) < 1e-6);
        assert!(near(&vector_blur(&plate, &multiply(&plate, |_, _| 0.0), 1.0)) < 1e-5);
        assert!(near(&over(&multiply(&plate, |_, _| 0.0), &plate)) < 1e-6);
    }

    #[test]
    fn a_blur_keeps_the_light_and_spreads_it_evenly() {
        let point = Picture::from_fn(40, 30, |x, y| [if (x, y) == (20, 15) { 1.0 } else { 0.0 }; 4]);
        let soft = blur(&point, 8);
        let sum: f32 = soft.pixels().iter().map(|pixel| pixel[0]).sum();
        assert!((sum - 1.0).abs() < 1e-4, "{sum}");
        assert!((soft.at(23, 15)[0] - soft.at(20, 18)[0]).abs() < 1e-6 && soft.at(20, 15)[0] > soft.at(24, 15)[0]);
        assert_eq!(soft.at(30, 15)[0], 0.0);
    }

    #[test]
    fn offsets_point_to_the_source_and_y_is_up() {
        let plate = ramp();
        assert_eq!(distort(&plate, |_, _| [2.0, 3.0]).at(5, 6)[..2], [7.0, 3.0]);
        let motion = Picture::from_fn(16, 9, |_, _| [4.0, 0.0, -4.0, 0.0]);
        let blurred = vector_blur(&plate, &motion, 0.5).at(8, 4);
        assert!((blurred[0] - 8.0).abs() < 1e-4 && (blurred[1] - 4.0).abs() < 1e-4, "{blurred:?}");
    }
}
