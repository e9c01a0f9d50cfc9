//! Pictures of smoke with colours, and the blue base of a flame.

use half::f16;

use super::tests::{COLOURS, SIDE, Volume, all_lights, ball, burning, look, lumps, render, shot};
use super::*;
use crate::picture::camera::Camera;

/// The volume in smoke of a colour.
fn tinted(mut volume: Volume, colour: [f32; 3]) -> Volume {
    let tint = |[density, ..]: &[f16; 4]| {
        let [red, green, blue] = colour.map(|colour| f16::from_f32(density.to_f32() * (1.0 - colour)));
        [red, green, blue, f16::ZERO]
    };
    volume.tints = Some(volume.scalars.iter().map(tint).collect());
    volume
}

#[test]
fn colours_of_smoke_are_factors_of_its_albedo() {
    let shown = |volume: &Volume| render(volume, &look(), &all_lights(), &shot(Camera::default()), &COLOURS);
    let smoke = shown(&ball(24));
    let half = shown(&tinted(ball(24), [1.0, 0.5, 0.25]));
    for layer in COLOURS {
        let brightest = smoke.get(layer).iter().flatten().fold(0.0_f32, |most, value| most.max(*value));
        for (seen, white) in half.get(layer).iter().zip(smoke.get(layer)) {
            for (channel, colour) in [1.0, 0.5, 0.25].into_iter().enumerate() {
                let truth = white[channel] * colour;
                assert!((seen[channel] - truth).abs() <= 1e-3 * brightest, "{layer:?}: {seen:?} {white:?}");
            }
            assert_eq!(seen[3], white[3]);
        }
    }
    // White is no colour, and soot and fire keep their own.
    let of = |volume: &Volume| {
        let look = VolumeLook { soot: 60.0, ..look() };
        render(volume, &look, &all_lights(), &shot(Camera::default()), &[Layer::Beauty])
    };
    for has_gas in [false, true] {
        let white = tinted(burning(has_gas), [1.0; 3]);
        assert!(of(&white).get(Layer::Beauty) == of(&burning(has_gas)).get(Layer::Beauty));
        let without = |mut volume: Volume| {
            volume.scalars.iter_mut().for_each(|pack| pack[0] = f16::ZERO);
            volume
        };
        let black = without(tinted(burning(has_gas), [0.0; 3]));
        assert!(of(&black).get(Layer::Beauty) == of(&without(burning(has_gas))).get(Layer::Beauty));
    }
}

#[test]
fn smoke_that_absorbs_by_colour_lets_its_own_colour_through() {
    let volume = tinted(ball(24), [1.0, 0.5, 0.0]);
    let clear = |volume: &Volume, absorbs_by_colour: bool, extinction: [f64; 3]| {
        let look = VolumeLook { absorbs_by_colour, extinction, ..look() };
        let layers = [Layer::Transmittance, Layer::Alpha];
        render(volume, &look, &[], &shot(Camera::default()), &layers)
    };
    let (seen, truth) = (clear(&volume, true, [1.0; 3]), clear(&ball(24), false, [0.0, 0.5, 1.0]));
    for layer in [Layer::Transmittance, Layer::Alpha] {
        for (seen, truth) in seen.get(layer).iter().flatten().zip(truth.get(layer).iter().flatten()) {
            assert!((seen - truth).abs() < 1e-3, "{layer:?}: {seen} {truth}");
        }
    }
    let white = clear(&ball(24), true, [1.0; 3]);
    assert!(white.get(Layer::Transmittance).iter().all(|pixel| pixel[..3] == [1.0; 3]), "white smoke is clear");
    assert_eq!(white.get(Layer::Alpha), truth.get(Layer::Alpha));
}

#[test]
fn a_flame_is_blue_where_fuel_begins_to_burn() {
    let mut volume = Volume::new([24; 3], |at| [0.0, 0.3, lumps(at), 0.0]);
    let gases = volume.scalars.iter().map(|[_, _, fuel, _]| {
        let gas = fuel.to_f32().min(1.0);
        [gas, 0.0, if gas > 0.0 { 0.03 } else { 0.0 }, 0.0].map(f16::from_f32)
    });
    volume.gases = Some(gases.collect());
    let layers = render(&volume, &look(), &[], &shot(Camera::default()), &[Layer::Emission]);
    let [r, g, b, _] = layers.get(Layer::Emission)[SIDE / 2 + SIDE * (SIDE / 2)];
    assert!(b > 0.01 && b > 4.0 * g && g > r, "{r} {g} {b}");
}
