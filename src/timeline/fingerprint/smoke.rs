//! The smoke's.

use super::Fingerprint;
use crate::sim::smoke::settings::{Brush, Constants, Jet, Noise, PointForce, Settings, Slips};
use crate::timeline::key::Digest;

fn reals(digest: &mut Digest, values: impl IntoIterator<Item = f64>) {
    values.into_iter().for_each(|value| digest.real(value));
}

fn maybe(digest: &mut Digest, thing: Option<&impl Fingerprint>) {
    digest.int(i64::from(thing.is_some()));
    if let Some(thing) = thing {
        thing.enter(digest);
    }
}

impl Fingerprint for Constants {
    fn enter(&self, digest: &mut Digest) {
        let Self { edges, slip, velocity_scheme, dye_scheme, reflection, follow, update_every } = *self;
        let Slips { edges: along_edges, obstacles } = slip;
        edges.into_iter().for_each(|side| digest.int(side as i64));
        [along_edges, obstacles].into_iter().for_each(|slip| digest.int(slip as i64));
        digest.int(velocity_scheme as i64);
        digest.int(dye_scheme as i64);
        digest.int(i64::from(reflection));
        digest.int(i64::from(follow));
        digest.int(i64::from(update_every));
    }
}

impl Fingerprint for Brush {
    fn enter(&self, digest: &mut Digest) {
        let Self { centre, previous, radius, softness, force, colour } = *self;
        reals(digest, centre.into_iter().chain(previous).chain([radius, softness, force]).chain(colour));
    }
}

impl Fingerprint for Jet {
    fn enter(&self, digest: &mut Digest) {
        let Self {
            number,
            centre,
            previous,
            direction,
            radius,
            softness,
            strength,
            colour,
            heat,
            spread,
            random,
            seed,
            pulse_rate,
            pulse_lead,
            pulse_duty,
        } = *self;
        digest.int(i64::from(number));
        digest.int(i64::from(seed));
        reals(digest, centre.into_iter().chain(previous).chain(colour));
        reals(
            digest,
            [direction, radius, softness, strength, heat, spread, random, pulse_rate, pulse_lead, pulse_duty],
        );
    }
}

impl Fingerprint for PointForce {
    fn enter(&self, digest: &mut Digest) {
        let Self { centre, radius, strength } = *self;
        reals(digest, centre.into_iter().chain([radius, strength]));
    }
}

impl Fingerprint for Noise {
    fn enter(&self, digest: &mut Digest) {
        let Self { strength, size, speed, lead, seed } = *self;
        digest.int(i64::from(seed));
        reals(digest, [strength, size, speed, lead]);
    }
}

impl Fingerprint for Settings {
    fn enter(&self, digest: &mut Digest) {
        let Self {
            frame,
            time_scale,
            time_lead,
            substeps,
            max_cfl,
            solver,
            iterations,
            tolerance,
            viscosity,
            confinement,
            dissipation,
            drag,
            cooling,
            weight,
            lift,
            ambient,
            gravity,
            wind,
            wind_drag,
            attractor,
            vortex,
            noise,
            brush,
            jets,
            source_mode,
            source_channel,
            source_density,
            velocity_mode,
            velocity_scale,
            heat_channel,
            heat_scale,
            obstacle_push,
            grid_centre,
            inherit,
        } = self;
        digest.int(*frame);
        for value in [*substeps, *iterations] {
            digest.int(i64::from(value));
        }
        digest.int(*solver as i64);
        digest.int(*source_mode as i64);
        digest.int(*velocity_mode as i64);
        for channel in [*source_channel, *heat_channel] {
            digest.int(channel as i64);
        }
        let values = [
            time_scale,
            time_lead,
            max_cfl,
            tolerance,
            viscosity,
            confinement,
            dissipation,
            drag,
            cooling,
            weight,
            lift,
            ambient,
            gravity,
            wind_drag,
            source_density,
            velocity_scale,
            heat_scale,
            obstacle_push,
            inherit,
        ];
        reals(digest, values.into_iter().chain(wind).chain(grid_centre).copied());
        maybe(digest, attractor.as_ref());
        maybe(digest, vortex.as_ref());
        maybe(digest, noise.as_ref());
        maybe(digest, brush.as_ref());
        digest.int(jets.len() as i64);
        jets.iter().for_each(|jet| jet.enter(digest));
    }
}
