//! Pictures with detail finer than the cells.

use super::tests::{Volume, ball, look, shot};
use super::*;
use crate::compute::cpu::Cpu;
use crate::picture::camera::Camera;

/// Thin smoke with detail, in Beauty.
fn seen(volume: &Volume, detail: FineDetail) -> Vec<[f32; 4]> {
    let cpu = Cpu::new(2);
    let look = VolumeLook { density: 0.5, detail, ..look() };
    let view = volume.view();
    let lit = Lit::new(&cpu, &view, &look, &[]).in_motion(&cpu, 0.0);
    lit.render(&cpu, &shot(Camera::default()), &[Layer::Beauty]).get(Layer::Beauty).to_vec()
}

fn mass(pixels: &[[f32; 4]]) -> f64 {
    pixels.iter().map(|pixel| f64::from(pixel[3])).sum()
}

/// Mean difference of two pictures as a share of the first.
fn apart(a: &[[f32; 4]], b: &[[f32; 4]]) -> f64 {
    a.iter().zip(b).map(|(a, b)| f64::from((a[3] - b[3]).abs())).sum::<f64>() / mass(a)
}

/// Settings of strength 1 in lumps of 6 cells.
fn settings(frame: f64) -> FineDetail {
    FineDetail { strength: 1.0, size: 6.0, octaves: 1, contrast: 0.0, frame }
}

#[test]
fn detail_displaces_the_medium_and_keeps_its_mass() {
    let volume = ball(32).in_wind([0.6, 0.3, 0.0]);
    let plain = seen(&volume, FineDetail { strength: 0.0, ..settings(10.0) });
    let cpu = Cpu::new(2);
    let thin = VolumeLook { density: 0.5, ..look() };
    let none = Lit::new(&cpu, &volume.view(), &thin, &[]).render(&cpu, &shot(Camera::default()), &[Layer::Beauty]);
    assert!(plain == none.get(Layer::Beauty), "no strength, no detail");
    let fine = seen(&volume, settings(10.0));
    assert!(apart(&plain, &fine) > 0.02, "{}", apart(&plain, &fine));
    // From frame to frame it changes by less than it is, also where one pattern follows another.
    let frames: Vec<_> = (3..12).map(|frame| seen(&volume, settings(f64::from(frame)))).collect();
    let masses = frames.iter().map(|frame| mass(frame) / mass(&plain));
    let mean_mass = masses.sum::<f64>() / frames.len() as f64;
    // Few patterns, whose lumps are a fifth of the ball.
    assert!((mean_mass - 1.0).abs() < 0.1, "{mean_mass}");
    let changes: Vec<f64> = frames.windows(2).map(|pair| apart(&pair[0], &pair[1])).collect();
    let most = changes.iter().copied().fold(0.0, f64::max);
    let mean = changes.iter().sum::<f64>() / changes.len() as f64;
    assert!(most < 1.5 * mean && mean < 0.6 * apart(&plain, &fine), "{changes:?}");
    let blind = seen(&volume, settings(f64::NAN));
    assert!(blind == plain);
}

/// Root mean square of the second differences along rows by that of the first ones: large where structures are small.
fn fineness(pixels: &[[f32; 4]]) -> f64 {
    let square = |of: &dyn Fn(&[f64]) -> f64| {
        let rows = pixels.chunks(super::tests::SIDE);
        rows.flat_map(|row| row.windows(3))
            .map(|of_three| of(&[0, 1, 2].map(|at| f64::from(of_three[at][3]))).powi(2))
            .sum::<f64>()
    };
    libm::sqrt(square(&|a| a[0] - 2.0 * a[1] + a[2]) / square(&|a| a[2] - a[0]))
}

#[test]
fn octaves_are_finer_and_keep_the_mass() {
    let volume = ball(32).in_wind([0.2, 0.1, 0.0]);
    let plain = seen(&volume, FineDetail { strength: 0.0, ..settings(10.0) });
    let of = |octaves: usize| seen(&volume, FineDetail { octaves, ..settings(10.0) });
    let (one, three) = (of(1), of(3));
    assert!(fineness(&three) > 1.15 * fineness(&one), "{} {}", fineness(&three), fineness(&one));
    assert!((mass(&three) / mass(&plain) - 1.0).abs() < 0.1, "{}", mass(&three) / mass(&plain));
    assert!(of(0) == one && of(100) == of(4), "numbers of octaves are limited");
}

#[test]
fn contrast_makes_smoke_thicker_and_thinner() {
    let volume = ball(32).in_wind([0.2, 0.1, 0.0]);
    // A displacement too small to be seen.
    let still = |contrast: f64| seen(&volume, FineDetail { strength: 1e-6, contrast, ..settings(10.0) });
    let plain = still(0.0);
    let [weak, strong] = [0.2, 0.4].map(still);
    assert!(apart(&plain, &weak) > 0.02, "{}", apart(&plain, &weak));
    let ratio = apart(&plain, &strong) / apart(&plain, &weak);
    assert!((1.7..2.2).contains(&ratio), "{ratio}");
    // Over many patterns the mean factor is 1.
    let masses: Vec<f64> = (0..12)
        .map(|pulse| seen(&volume, FineDetail { strength: 1e-6, contrast: 0.4, ..settings(f64::from(pulse) * 7.0) }))
        .map(|frame| mass(&frame) / mass(&plain))
        .collect();
    let mean_mass = masses.iter().sum::<f64>() / masses.len() as f64;
    assert!((mean_mass - 1.0).abs() < 0.05, "{masses:?}");
    let dense = still(1e6);
    assert!(dense.iter().flatten().all(|value| value.is_finite() && *value >= 0.0));
    assert_eq!(dense[0], [0.0; 4], "air stays clear");
}

#[test]
fn fast_air_has_less_detail() {
    let [slow, fast] = [0.5, 20.0].map(|speed| {
        let volume = ball(32).in_wind([speed, 0.0, 0.0]);
        let plain = seen(&volume, FineDetail { strength: 0.0, ..settings(10.0) });
        apart(&plain, &seen(&volume, FineDetail { octaves: 3, contrast: 0.3, ..settings(10.0) }))
    });
    assert!(fast < 0.5 * slow, "{fast} {slow}");
}
