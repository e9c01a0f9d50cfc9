//! A man who walks into the frame from the right, stops, and is dissolved from the chest: his plate, and the matte of
//! his remains.

use super::figure::{Limb, inside_limbs};
use super::plates::mix;
use crate::noise::{fbm, smooth};

/// Height of the man in the frame, and of the ground he walks on.
const TALL: f32 = 0.66;
const GROUND: f32 = 0.13;

/// Frames of a step, and its length in parts of the height.
const STEP: f32 = 13.0;
const STRIDE: f32 = 0.4;

/// Position at which he stands in the end.
const END: f32 = 0.78;

/// Frames in which he comes to a stop, and the first one in which he dissolves.
const STOPS: [f32; 2] = [20.0, 32.0];
/// The first frame in which he dissolves.
pub const HIT: f32 = 34.0;

/// Lengths of thigh and shin, in parts of the height.
const LEG: [f32; 2] = [0.245, 0.235];

/// Steps that he has taken at a time, until he stops.
fn steps(frame: f32) -> f32 {
    let [from, to] = STOPS;
    // The pace falls evenly from one to none.
    let slow = (frame.min(to) - from).max(0.0);
    (frame.min(from) + slow - slow * slow / (2.0 * (to - from))) / STEP
}

/// Where he is at a time.
fn position(frame: f32) -> f32 {
    END + (steps(STOPS[1]) - steps(frame)) * STRIDE * TALL
}

/// A point at a length and an angle from another; 0 is down, and positive is forward, to the left.
fn joint((x, y): (f32, f32), length: f32, angle: f32) -> (f32, f32) {
    (x - length * angle.sin(), y - length * angle.cos())
}

fn limb((ax, ay): (f32, f32), (bx, by): (f32, f32), from: f32, to: f32) -> Limb {
    [ax, ay, bx, by, from, to]
}

/// The limbs at a frame, relative to the point on the ground below his hips, for a height of 1.
fn limbs(frame: f32) -> Vec<Limb> {
    let phase = std::f32::consts::PI * steps(frame);
    // A man who stands has his legs below him.
    let pace = 1.0 - 0.75 * smooth((frame - STOPS[0]) / (STOPS[1] - STOPS[0]));
    let leg = |side: f32| {
        let swing = phase + side * std::f32::consts::PI;
        let thigh = pace * 0.44 * swing.sin() + 0.05;
        let bent = pace * (0.12 + 0.75 * swing.cos().max(0.0).powf(1.5));
        let knee = joint((0.0, 0.0), LEG[0], thigh);
        let ankle = joint(knee, LEG[1], thigh - bent);
        (knee, ankle, thigh - bent)
    };
    let legs = [leg(0.0), leg(1.0)];
    let lowest = legs.iter().map(|leg| leg.1.1).fold(0.0, f32::min);
    // The sole is below the ankle.
    let hips = (0.0, 0.03 - lowest);
    let up = |(x, y): (f32, f32)| (x, y + hips.1);
    let (shoulder, head) = (joint(hips, -0.3, 0.03), joint(hips, -0.43, 0.05));
    let mut limbs = vec![
        // Head with a hat's brim, neck, chest, a coat.
        limb(joint(head, -0.012, 0.0), joint(head, 0.028, 0.25), 0.056, 0.047),
        limb(shoulder, joint(shoulder, -0.08, 0.1), 0.036, 0.03),
        limb(joint(shoulder, 0.02, 0.0), joint(hips, -0.06, 0.0), 0.078, 0.064),
        limb(joint(hips, -0.08, 0.0), hips, 0.068, 0.07),
    ];
    for (knee, ankle, shin) in legs {
        let toe = joint(up(ankle), 0.085, (shin + 1.35).clamp(0.9, 1.75));
        limbs.push(limb(hips, up(knee), 0.066, 0.044));
        limbs.push(limb(up(knee), up(ankle), 0.044, 0.028));
        limbs.push(limb(up(ankle), toe, 0.028, 0.017));
        // The coat hangs over the thigh.
        let hem = joint(hips, 0.19, 0.5 * (knee.0 / knee.1).atan());
        limbs.push(limb(hips, hem, 0.066, 0.06));
    }
    for side in [0.0, 1.0] {
        let swing = pace * -0.5 * (phase + side * std::f32::consts::PI).sin();
        let elbow = joint(shoulder, 0.165, swing);
        let hand = joint(elbow, 0.155, swing + 0.3 * pace + 0.1);
        limbs.push(limb(shoulder, elbow, 0.04, 0.032));
        limbs.push(limb(elbow, hand, 0.032, 0.024));
    }
    limbs
}

/// A point in parts of his height, relative to the ground below his hips.
fn within(frame: f32, u: f32, v: f32) -> (f32, f32) {
    ((u - position(frame)) / TALL, (v - GROUND) / TALL)
}

/// The man of a frame, premultiplied, whole: a dark coat with a warm light from behind and the right.
pub fn man(frame: f32) -> impl Fn(f32, f32) -> [f32; 4] {
    let limbs = limbs(frame);
    move |u, v| {
        let (x, y) = within(frame, u, v);
        let depth = inside_limbs(&limbs, (x, y));
        if depth <= 0.0 {
            return [0.0; 4];
        }
        let cloth = 0.75 + 0.4 * fbm(x * 22.0, y * 10.0, 401);
        let base = if y > 0.87 { [0.06, 0.042, 0.033] } else { [0.03, 0.03, 0.036].map(|channel| channel * cloth) };
        // More light on what faces it: the depth falls to the right there.
        let turned = inside_limbs(&limbs, (x - 0.012, y)) - inside_limbs(&limbs, (x + 0.012, y));
        let lit = smooth(0.5 + turned / 0.03);
        let [r, g, b] = mix(mix(base, [0.62, 0.36, 0.17], lit), base, smooth(depth / 0.014));
        [r, g, b, 1.0]
    }
}

/// The matte of the man's remains, 0 to 1 at a point: a ragged hole grows from the chest.
pub fn left(frame: f32) -> impl Fn(f32, f32) -> f32 {
    let since = (frame - HIT).max(-4.0);
    let radius = if since < 0.0 { -0.1 } else { 0.012 * since + 0.00012 * since * since };
    move |u, v| {
        let (x, y) = within(frame, u, v);
        let away = (x + 0.06).hypot(0.75 * (y - 0.7));
        smooth((away + 0.09 * fbm(x * 9.0, y * 9.0, 411) - radius) / 0.012)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn he_comes_from_the_right_and_stands() {
        assert!(position(1.0) > 1.25 && (position(HIT) - END).abs() < 1e-6 && position(HIT) == position(90.0));
        assert_eq!(limbs(HIT), limbs(90.0));
        for frame in 1..=40 {
            let feet = limbs(frame as f32).iter().map(|limb| limb[1].min(limb[3])).fold(1.0, f32::min);
            assert!((-0.02..0.035).contains(&feet), "a foot is on the ground in frame {frame}: {feet}");
        }
    }

    #[test]
    fn nothing_is_left_of_him_in_the_end() {
        let share = |frame: f32| {
            let (man, left) = (man(frame), left(frame));
            let points = (0..6400).map(|i| (0.3 + (i % 80) as f32 * 0.012, (i / 80) as f32 * 0.0125));
            let (sum, all) = points.fold((0.0, 0.0), |(sum, all), (u, v)| {
                let cover = man(u, v)[3];
                (sum + cover * left(u, v), all + cover)
            });
            sum / all
        };
        assert!(share(HIT - 1.0) == 1.0 && share(HIT + 12.0) < 0.97 && share(HIT + 52.0) < 0.01);
    }
}
