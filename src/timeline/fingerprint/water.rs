//! The water's.

use super::Fingerprint;
use crate::sim::water::settings::{Constants, Drain, Emitter, Foam, Settings};
use crate::timeline::key::Digest;

impl Fingerprint for Constants {
    fn enter(&self, digest: &mut Digest) {
        let Self { model, scheme, edges, shut, absorb, diagonal_weight, max_height, colour_range } = *self;
        digest.int(model as i64);
        digest.int(scheme as i64);
        digest.int(edges as i64);
        shut.into_iter().chain(absorb).for_each(|side| digest.int(i64::from(side)));
        digest.real(diagonal_weight);
        digest.real(max_height);
        digest.real(colour_range);
    }
}

impl Fingerprint for Emitter {
    fn enter(&self, digest: &mut Digest) {
        let Self { centre, previous, shape, radius, width, angle, rate, colour } = *self;
        digest.int(shape as i64);
        for value in centre.into_iter().chain(previous).chain([radius, width, angle, rate]).chain(colour) {
            digest.real(value);
        }
    }
}

impl Fingerprint for Settings {
    fn enter(&self, digest: &mut Digest) {
        let Self {
            frame,
            speed,
            flow_rate,
            gravity,
            friction,
            substeps,
            time_scale,
            damping,
            smoothing,
            absorb_width,
            source_mode,
            source_channel,
            source_height,
            emitters,
            drain,
            rain,
            rain_size,
            rain_colour: [rain_red, rain_green, rain_blue],
            seed,
            evaporation,
            terrain_channel,
            terrain_height,
            terrain_offset,
            terrain_invert,
            foam,
            dry_frames,
            goal_strength,
            goal_velocity: [goal_x, goal_y],
            obstacle_drag,
            push: [push_x, push_y],
            force_scale,
            pressure_scale,
        } = *self;
        for value in [
            frame,
            i64::from(substeps),
            source_mode as i64,
            source_channel as i64,
            i64::from(seed),
            terrain_channel as i64,
            i64::from(terrain_invert),
            i64::from(drain.is_some()),
        ] {
            digest.int(value);
        }
        for value in [
            speed,
            flow_rate,
            gravity,
            friction,
            time_scale,
            damping,
            smoothing,
            absorb_width,
            source_height,
            rain,
            rain_size,
            rain_red,
            rain_green,
            rain_blue,
            evaporation,
            terrain_height,
            terrain_offset,
            push_x,
            push_y,
            force_scale,
            pressure_scale,
            goal_strength,
            goal_x,
            goal_y,
            obstacle_drag,
        ] {
            digest.real(value);
        }
        if let Some(Foam { amount, steepness, life }) = foam {
            digest.text("foam");
            [amount, steepness, life].into_iter().for_each(|value| digest.real(value));
        }
        if let Some(frames) = dry_frames {
            digest.text("wetness");
            digest.real(frames);
        }
        for emitter in emitters {
            digest.int(i64::from(emitter.is_some()));
            if let Some(emitter) = emitter {
                emitter.enter(digest);
            }
        }
        if let Some(Drain { centre, previous, radius, rate }) = drain {
            for value in centre.into_iter().chain(previous).chain([radius, rate]) {
                digest.real(value);
            }
        }
    }
}
