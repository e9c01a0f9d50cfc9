//! Sudden changes between consecutive frames.

use crate::picture::{Picture, encoded};

/// Change of an encoded value that counts.
const CHANGE: f32 = 0.25;

/// The largest share of pixels of which a channel changes by more than 0.25, as sRGB values, from one frame to the next.
#[derive(Default)]
pub struct Popping {
    before: Option<Vec<[f32; 3]>>,
    worst: (f64, usize),
}

impl Popping {
    /// Adds the next frame.
    pub fn add(&mut self, frame: usize, picture: &Picture) {
        let now: Vec<[f32; 3]> = picture.pixels().iter().map(|&[r, g, b, _]| [r, g, b].map(encoded)).collect();
        if let Some(before) = &self.before {
            let pops = |(a, b): (&[f32; 3], &[f32; 3])| a.iter().zip(b).any(|(a, b)| (a - b).abs() > CHANGE);
            let changed = before.iter().zip(&now).filter(|&pair| pops(pair)).count();
            let share = changed as f64 / now.len() as f64;
            if share > self.worst.0 {
                self.worst = (share, frame);
            }
        }
        self.before = Some(now);
    }

    /// The largest share, and the frame of the change.
    pub fn worst(&self) -> (f64, usize) {
        self.worst
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_disc_that_appears_at_once_counts_with_its_area() {
        let mut popping = Popping::default();
        for (frame, light) in [(1, 0.1), (2, 0.12), (3, 0.9), (4, 0.85)] {
            let lit = |x: usize, _: usize| if x < 3 { [light; 4] } else { [0.1; 4] };
            popping.add(frame, &Picture::from_fn(10, 10, lit));
        }
        assert_eq!(popping.worst(), (0.3, 3));
    }
}
