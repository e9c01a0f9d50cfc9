//! The samples of a pixel: runs of segments in which a single sample, divided with exponential absorption as compositing
//! does, has the light and the transmittance of the march.

use half::f16;

use crate::picture::volume::pixel::Record;

/// Largest error of light and transmittance within a sample: 1 is white. Light above 1 has it relative to the pixel's.
const TOLERANCE: f32 = 5e-4;

/// Largest alpha of a sample, the half below 1: an opaque one has no inside.
const THICKEST: f32 = 1.0 - 1.0 / 2048.0;

/// Transmittance below which nothing is seen.
const DARK: f32 = 1e-5;

/// A sample: light premultiplied by the alpha of its whole span.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sample {
    /// Red, green, blue and alpha.
    pub colour: [f16; 4],
    /// Its ends, in segments from the start of the ray's first one.
    pub ends: [f32; 2],
}

/// A segment, with the state behind it.
#[derive(Clone, Copy, Debug)]
struct Segment {
    ends: [f32; 2],
    state: State,
}

/// Light, optical depth and transmittance from the camera to a position.
#[derive(Clone, Copy, Debug)]
struct State {
    light: [f32; 3],
    depth: f32,
    clear: f32,
}

/// Before the first segment.
const START: State = State { light: [0.0; 3], depth: 0.0, clear: 1.0 };

/// The segments of a ray with contents.
#[derive(Default)]
pub struct Ray {
    segments: Vec<Segment>,
    spans: Vec<Span>,
}

impl Record for Ray {
    const ON: bool = true;

    #[inline(always)]
    fn segment(&mut self, ends: [f32; 2], depth: f32, light: [f32; 3], clear: f32) {
        let depth = self.segments.last().map_or(0.0, |last| last.state.depth) + depth;
        self.segments.push(Segment { ends, state: State { light, depth, clear } });
    }
}

/// A run of segments, the segment before which it is worst to keep it whole, and the error there.
#[derive(Clone, Copy, Debug)]
struct Span {
    from: usize,
    to: usize,
    worst: usize,
    error: f32,
}

impl Ray {
    /// Forgets the segments.
    pub fn clear(&mut self) {
        self.segments.clear();
    }

    /// Adds the samples of the ray to `samples`, at most `most` of them, from the camera on.
    pub fn samples(&mut self, most: usize, samples: &mut Vec<Sample>) {
        let Some(last) = self.segments.last() else { return };
        let brightest = last.state.light.iter().fold(1.0_f32, |most, light| most.max(*light));
        let mut spans = std::mem::take(&mut self.spans);
        spans.clear();
        spans.push(self.span(0, self.segments.len(), brightest));
        while spans.len() < most {
            let worst = (0..spans.len()).reduce(|a, b| if spans[b].error > spans[a].error { b } else { a });
            let Some(at) = worst.filter(|at| spans[*at].error > TOLERANCE) else { break };
            let Span { from, to, worst, .. } = spans[at];
            spans[at] = self.span(from, worst, brightest);
            spans.insert(at + 1, self.span(worst, to, brightest));
        }
        self.store(&spans, samples);
        self.spans = spans;
    }

    /// The state before a segment.
    fn before(&self, segment: usize) -> State {
        segment.checked_sub(1).map_or(START, |last| self.segments[last].state)
    }

    /// The span of some segments, and its error.
    fn span(&self, from: usize, to: usize, brightest: f32) -> Span {
        let mut span = Span { from, to, worst: from, error: 0.0 };
        let ([near, far], first, last) = (self.ends(from, to), self.before(from), self.before(to));
        let (length, through) = (far - near, last.depth - first.depth);
        let lost = first.clear - last.clear;
        for at in from + 1..to {
            let state = self.before(at);
            // Between segments apart the state is the same at both ends of the gap.
            for place in [self.segments[at - 1].ends[1], self.segments[at].ends[0]] {
                let share = (place - near) / length;
                // The sample's transmittance there, to the first order of the difference of the optical depths.
                let ahead = state.depth - first.depth - share * through;
                let clear = state.clear * (1.0 + ahead.clamp(-1.0, 1.0));
                let passed = if lost > 0.0 { (first.clear - clear) / lost } else { share };
                let mut error = (clear - state.clear).abs();
                for channel in 0..3 {
                    let light = first.light[channel] + (last.light[channel] - first.light[channel]) * passed;
                    error = error.max((light - state.light[channel]).abs() / brightest);
                }
                if error > span.error {
                    (span.worst, span.error) = (at, error);
                }
            }
        }
        span
    }

    fn ends(&self, from: usize, to: usize) -> [f32; 2] {
        [self.segments[from].ends[0], self.segments[to - 1].ends[1]]
    }

    /// Rounds the samples of spans. Each makes up for the rounding of those before it.
    fn store(&self, spans: &[Span], samples: &mut Vec<Sample>) {
        let (mut light, mut clear) = ([0.0_f32; 3], 1.0_f32);
        for span in spans {
            let after = self.before(span.to);
            let alpha = f16::from_f32((1.0 - after.clear / clear).clamp(0.0, THICKEST));
            let mut colour = [f16::ZERO, f16::ZERO, f16::ZERO, alpha];
            for channel in 0..3 {
                let own = (after.light[channel] - light[channel]) / clear;
                colour[channel] = f16::from_f32(own.clamp(0.0, f16::MAX.to_f32()));
                light[channel] += clear * colour[channel].to_f32();
            }
            if colour != [f16::ZERO; 4] {
                samples.push(Sample { colour, ends: self.ends(span.from, span.to) });
            }
            clear *= 1.0 - alpha.to_f32();
            if clear < DARK {
                break;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A ray through media of a density and a brightness by segment; 0 is a gap.
    fn ray(medium: &[[f32; 2]]) -> Ray {
        let mut ray = Ray::default();
        let (mut light, mut clear) = (0.0, 1.0_f32);
        for (at, [density, colour]) in medium.iter().enumerate() {
            let kept = (-density).exp();
            light += clear * (1.0 - kept) * colour;
            clear *= kept;
            if *density > 0.0 {
                ray.segment([at as f32, at as f32 + 1.0], *density, [light, light / 2.0, light * 2.0], clear);
            }
        }
        ray
    }

    /// Light and transmittance from the camera to a place, by samples.
    fn seen(samples: &[Sample], place: f32) -> [f32; 4] {
        let mut sum = [0.0, 0.0, 0.0, 1.0];
        for Sample { colour, ends: [near, far] } in samples {
            let colour = colour.map(f16::to_f32);
            let share = ((place - near) / (far - near)).clamp(0.0, 1.0);
            let alpha = 1.0 - (1.0 - colour[3]).powf(share);
            let part = if colour[3] > 0.0 { alpha / colour[3] } else { share };
            (0..3).for_each(|channel| sum[channel] += sum[3] * colour[channel] * part);
            sum[3] *= 1.0 - alpha;
        }
        sum
    }

    #[test]
    fn an_even_medium_is_one_sample() {
        let mut samples = Vec::new();
        ray(&[[0.05, 0.5]; 60]).samples(32, &mut samples);
        assert_eq!(samples.len(), 1, "{samples:?}");
        assert_eq!(samples[0].ends, [0.0, 60.0]);
        assert!((samples[0].colour[3].to_f32() - 0.950_2).abs() < 5e-4);
    }

    #[test]
    fn samples_have_the_light_of_the_march_at_every_place() {
        let wave = |at: usize| libm::sinf(at as f32 * 0.07);
        let medium: Vec<[f32; 2]> = (0..300)
            .map(|at| {
                let density = if at % 97 > 70 { 0.0 } else { 0.02 + 0.015 * wave(at) };
                [density, 0.6 + 0.4 * wave(at + 40)]
            })
            .collect();
        let mut marched = ray(&medium);
        for most in [1, 4, 32, 300] {
            let mut samples = Vec::new();
            marched.samples(most, &mut samples);
            assert!(samples.len() <= most && samples.len() < 120, "{}", samples.len());
            assert!(samples.windows(2).all(|pair| pair[0].ends[1] <= pair[1].ends[0]), "sorted and disjoint");
            let last = marched.segments.last().expect("segments").state;
            let all = seen(&samples, 1e3);
            assert!((all[3] - last.clear).abs() < 5e-4 && (all[2] - last.light[2]).abs() < 1e-3, "{most}: {all:?}");
            if most < 32 {
                continue;
            }
            for segment in &marched.segments {
                let [r, g, b, clear] = seen(&samples, segment.ends[1]);
                let truth = segment.state;
                let errors = [r - truth.light[0], g - truth.light[1], b - truth.light[2], clear - truth.clear];
                assert!(errors.iter().all(|error| error.abs() < 2e-3), "{most}, {:?}: {errors:?}", segment.ends);
            }
        }
    }

    #[test]
    fn opaque_media_and_glowing_ones_without_alpha_have_finite_samples() {
        let mut samples = Vec::new();
        ray(&[[50.0, 0.8]; 5]).samples(32, &mut samples);
        let glow = [1.0, 2.0, 3.0, 4.0_f32].map(|at| ([at, at + 1.0], [at, 2.0 * at, 0.0]));
        let mut fire = Ray::default();
        glow.iter().for_each(|(ends, light)| fire.segment(*ends, 0.0, *light, 1.0));
        fire.samples(32, &mut samples);
        assert!(samples.iter().all(|sample| sample.colour.iter().all(|value| value.is_finite())), "{samples:?}");
        let [r, g, _, clear] = seen(&samples[samples.len() - 1..], 3.0);
        assert!((r - 2.0).abs() < 0.01 && (g - 4.0).abs() < 0.01 && clear == 1.0, "{samples:?}");
    }
}
