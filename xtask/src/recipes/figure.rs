//! An actor: a standing figure for mattes and depth, and the boots of a walk seen from above.

use super::plates::{ASPECT, mix, to_line};
use crate::noise::{fbm, smooth};

/// A limb: from one point to another, and its radius at both.
pub type Limb = [f32; 6];

/// Depth inside limbs at a point, positive within.
pub fn inside_limbs(limbs: &[Limb], (x, y): (f32, f32)) -> f32 {
    let limb = |[ax, ay, bx, by, from, to]: Limb| {
        let length = (bx - ax).hypot(by - ay);
        let along = (((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / (length * length)).clamp(0.0, 1.0);
        from + (to - from) * along - to_line((x, y), (ax, ay), (bx, by))
    };
    limbs.iter().map(|&one| limb(one)).fold(f32::NEG_INFINITY, f32::max)
}

/// Limbs of the figure, relative to its feet, for a height of 1.
const LIMBS: [Limb; 13] = [
    // Head, neck, torso.
    [0.0, 0.93, 0.005, 0.955, 0.058, 0.062],
    [0.0, 0.84, 0.0, 0.89, 0.03, 0.028],
    [-0.065, 0.79, 0.065, 0.79, 0.05, 0.05],
    [0.0, 0.78, 0.0, 0.55, 0.088, 0.078],
    // A long coat.
    [-0.025, 0.6, -0.06, 0.36, 0.07, 0.082],
    [0.025, 0.6, 0.06, 0.36, 0.07, 0.082],
    [0.0, 0.6, 0.0, 0.37, 0.08, 0.09],
    // Arms.
    [-0.1, 0.79, -0.145, 0.6, 0.038, 0.032],
    [-0.145, 0.6, -0.125, 0.43, 0.032, 0.026],
    [0.1, 0.79, 0.15, 0.6, 0.038, 0.032],
    [0.15, 0.6, 0.135, 0.43, 0.032, 0.026],
    // Legs.
    [-0.055, 0.45, -0.075, 0.03, 0.055, 0.036],
    [0.055, 0.45, 0.085, 0.03, 0.055, 0.036],
];

/// Height of the figure in the plates, and the position of its feet.
const TALL: f32 = 0.72;
const FEET: (f32, f32) = (ASPECT * 0.52, 0.1);

/// Depth inside the figure, positive within, in parts of its height.
fn inside(u: f32, v: f32) -> f32 {
    inside_limbs(&LIMBS, ((u - FEET.0) / TALL, (v - FEET.1) / TALL))
}

/// The actor's matte.
pub fn actor(u: f32, v: f32) -> f32 {
    if inside(u, v) > 0.0 { 1.0 } else { 0.0 }
}

/// The actor, premultiplied: a dark coat with a light from behind.
pub fn actor_colour(u: f32, v: f32, rim: [f32; 3]) -> [f32; 4] {
    let depth = inside(u, v);
    if depth <= 0.0 {
        return [0.0; 4];
    }
    let head = (v - FEET.1) / TALL > 0.875;
    let cloth = 0.75 + 0.35 * fbm(u * 30.0, v * 12.0, 161);
    let base = if head { [0.05, 0.035, 0.028] } else { [0.022, 0.024, 0.03].map(|channel| channel * cloth) };
    // The light comes from behind and from the right.
    let lit = 0.25 + 0.75 * smooth(((u - FEET.0) / TALL + 0.05) / 0.1);
    let [r, g, b] = mix(mix(base, rim, lit), base, smooth(depth / 0.009));
    [r, g, b, 1.0]
}

/// Frames of a step, and those in which the boot stands.
const STEP: f32 = 24.0;
const STANDS: f32 = 17.0;

/// A boot of the walk.
#[derive(Clone, Copy)]
pub struct Boot {
    /// Its middle.
    pub at: (f32, f32),
    /// Height above the ground: 0 where it stands.
    pub up: f32,
    /// Frames since it came down, where it stands.
    pub since: f32,
}

/// Both boots at a frame. The walk crosses the frame from the left.
pub fn boots(frame: f32) -> [Boot; 2] {
    [0, 1].map(|side| {
        let time = frame + 14.0 - STEP * 0.5 * side as f32;
        let (step, within) = ((time / STEP).floor(), time.rem_euclid(STEP));
        let swing = smooth((within - STANDS) / (STEP - STANDS));
        let along = (step + swing) * 0.4 + 0.2 * side as f32;
        let across = if side == 0 { 0.05 } else { -0.05 };
        let up = (std::f32::consts::PI * ((within - STANDS) / (STEP - STANDS)).clamp(0.0, 1.0)).sin();
        Boot {
            at: (0.12 + along, 0.46 + across + 0.06 * along),
            up,
            since: if within < STANDS { within } else { -1.0 },
        }
    })
}

/// Depth inside a boot's sole at a point, positive within, in parts of the frame's height.
pub fn sole((x, y): (f32, f32), boot: &Boot) -> f32 {
    let (x, y) = (x - boot.at.0, y - boot.at.1);
    if x.abs().max(y.abs()) > 0.15 {
        return -0.05;
    }
    let heel = 0.031 - to_line((x, y), (-0.055, 0.0), (-0.04, 0.0));
    let toe = 0.039 - to_line((x, y), (0.02, 0.0), (0.052, 0.004));
    heel.max(toe).max(0.029 - to_line((x, y), (-0.05, 0.0), (0.05, 0.0)))
}

/// The boots that stand, as a matte.
pub fn standing(frame: f32) -> impl Fn(f32, f32) -> f32 {
    let boots = boots(frame);
    move |u, v| if boots.iter().any(|boot| boot.up <= 0.0 && sole((u, v), boot) > 0.0) { 1.0 } else { 0.0 }
}

/// A crown of water round each boot that has come down one to three frames ago, as a matte.
pub fn splash(frame: f32) -> impl Fn(f32, f32) -> f32 {
    let boots = boots(frame);
    move |u, v| {
        let crown = |boot: &Boot| {
            let depth = sole((u, v), boot);
            let fresh = (0.0..3.0).contains(&boot.since);
            if fresh { smooth(1.0 - (depth + 0.014).abs() / 0.018) } else { 0.0 }
        };
        boots.iter().map(crown).fold(0.0, f32::max)
    }
}

/// The boots from above, premultiplied: a rubber boot and the leg in it. A lifted boot is a little larger.
pub fn boots_colour(frame: f32) -> impl Fn(f32, f32) -> [f32; 4] {
    let boots = boots(frame);
    move |u, v| {
        let mut found = [0.0; 4];
        for boot in &boots {
            let size = 1.0 + 0.16 * boot.up;
            let (x, y) = ((u - boot.at.0) / size, (v - boot.at.1) / size);
            let depth = sole((x + boot.at.0, y + boot.at.1), boot);
            if depth <= 0.0 {
                continue;
            }
            let shaft = (x + 0.035).hypot(y) / 0.033;
            let light = 0.55 + 0.45 * smooth(depth / 0.03) + 0.5 * smooth((y - 0.004) / 0.03) * smooth(depth / 0.008);
            let [r, g, b] = if shaft < 0.72 {
                [0.03, 0.04, 0.075].map(|c| c * (1.2 - 0.5 * shaft))
            } else if shaft < 1.0 {
                [0.75, 0.5, 0.03].map(|c| c * 1.15)
            } else {
                [0.62, 0.36, 0.015].map(|c| c * light)
            };
            found = [r, g, b, 1.0];
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boots_stand_most_of_the_time_and_splash_when_they_come_down() {
        let frames = 1..=72;
        let stand = frames.clone().filter(|&frame| boots(frame as f32).iter().any(|boot| boot.up <= 0.0)).count();
        assert_eq!(stand, 72, "one boot is always down");
        let splashes = frames.filter(|&frame| boots(frame as f32).iter().any(|boot| (0.0..3.0).contains(&boot.since)));
        assert!((15..=21).contains(&splashes.count()));
        let [left, _] = boots(2.0);
        let [later, _] = boots(50.0);
        assert!(later.at.0 > left.at.0 + 0.7);
    }

    #[test]
    fn the_actor_stands_in_the_frame() {
        let (feet, head) = ((FEET.0 - 0.055, FEET.1 + 0.05), (FEET.0, FEET.1 + 0.94 * TALL));
        assert_eq!([actor(feet.0, feet.1), actor(head.0, head.1), actor(0.1, 0.5)], [1.0, 1.0, 0.0]);
        assert!(head.1 + 0.05 < 1.0);
    }
}
