use std::io::Cursor;
use std::path::PathBuf;
use std::process::Command;
use std::sync::OnceLock;

use super::reader::{Deep, DeepError, DeepSample};
use super::*;
use crate::picture::camera::Camera;
use crate::picture::masks::Scene;
use crate::picture::volume::tests::{SIDE, Volume, all_lights, ball, burning_of, look, shot};
use crate::picture::volume::{Layer, VolumeLook};

const OPTIONS: DeepOptions = DeepOptions { samples: 32, unit: 1.0 };

/// Depths at which pictures are held out; 0 is none.
const WALLS: [f32; 4] = [0.0, MIDDLE - 12.0, MIDDLE - 1.3, MIDDLE + 9.7];

/// Distance of the middle of the volume from the camera.
const MIDDLE: f32 = SIDE as f32 * 50.0 / 24.576;

/// A volume before the camera, and its deep and flat pictures.
struct Case {
    look: VolumeLook,
    /// Largest difference where it is held out.
    held: f32,
    deep: Vec<u8>,
    /// The node's own pictures in front of walls at [`WALLS`].
    flat: Vec<Vec<[f32; 4]>>,
}

fn deep(cpu: &Cpu, lit: &Lit<'_>, options: &DeepOptions) -> Vec<u8> {
    let mut file = Cursor::new(Vec::new());
    write_deep(cpu, lit, &shot(Camera::default()), options, &mut file).expect("memory takes all");
    file.into_inner()
}

/// Smoke, dense smoke that absorbs by colour, and fire, in two lights.
fn cases() -> &'static [Case] {
    static CASES: OnceLock<Vec<Case>> = OnceLock::new();
    CASES.get_or_init(|| {
        let plain = VolumeLook { density: 4.0, ..look() };
        let dense = VolumeLook { density: 12.0, extinction: [1.0, 0.8, 0.5], ..plain.clone() };
        let smoke = [(plain.clone(), ball(40), 2e-3), (dense, ball(40), 2e-3)];
        let volumes = smoke.into_iter().chain([(plain, burning_of(40, true), 4e-3)]);
        let cases = volumes.map(|(look, volume, held)| {
            let (cpu, lights) = (Cpu::new(2), all_lights());
            let lit = Lit::new(&cpu, &volume.view(), &look, &lights[..2]);
            let flat = WALLS.map(|wall| {
                let depth = vec![[wall, 0.0, 0.0, 0.0]; SIDE * SIDE];
                let shot = Shot { scene: Scene { depth: Some(&depth), holdout: None }, ..shot(Camera::default()) };
                lit.render(&cpu, &shot, &[Layer::Beauty]).get(Layer::Beauty).to_vec()
            });
            let deep = deep(&cpu, &lit, &OPTIONS);
            Case { look: look.clone(), held, deep, flat: flat.to_vec() }
        });
        cases.collect()
    })
}

fn read(file: &[u8]) -> Deep {
    Deep::read(file).expect("a deep picture")
}

/// The attribute `maxSamplesPerPixel` of a file.
fn stated(file: &[u8]) -> i32 {
    let name = b"maxSamplesPerPixel\0int\0";
    let at = file.windows(name.len()).position(|bytes| bytes == name).expect("it is there") + name.len() + 4;
    i32::from_le_bytes(*file[at..].first_chunk().expect("four bytes"))
}

/// Largest difference between a deep picture up to a depth and another picture, relative to light above 1.
fn difference(deep: &Deep, depth: f32, truth: &[[f32; 4]]) -> f32 {
    let mut most = 0.0_f32;
    for (place, truth) in truth.iter().enumerate() {
        let [x, y] = [place % SIDE, place / SIDE];
        let seen = deep.flat([x, SIDE - 1 - y], depth);
        let scale = truth.iter().fold(1.0_f32, |most, value| most.max(*value));
        most = seen.iter().zip(truth).fold(most, |most, (a, b)| most.max((a - b).abs() / scale));
    }
    most
}

#[test]
fn a_deep_picture_has_the_light_of_the_flat_one_at_every_depth() {
    for (number, case) in cases().iter().enumerate() {
        let deep = read(&case.deep);
        assert_eq!(deep.size, [SIDE; 2]);
        for (wall, flat) in WALLS.iter().zip(&case.flat) {
            let (depth, most) = if *wall > 0.0 { (*wall, case.held) } else { (f32::INFINITY, 1e-3) };
            let found = difference(&deep, depth, flat);
            println!("case {number}, wall {wall}: {found:.1e}, at most {} samples", stated(&case.deep));
            assert!(found < most, "case {number}, wall {wall}: {found}");
        }
        let counts: Vec<usize> = deep.pixels().map(<[_]>::len).collect();
        let most = counts.iter().max().copied().unwrap_or_default();
        assert!(most <= 32 && most as i32 == stated(&case.deep) && most > 1, "{most}");
        assert!(counts.contains(&0), "there is air without smoke");
        for pixel in deep.pixels() {
            assert!(pixel.iter().all(|DeepSample { ends: [near, far], .. }| near < far));
            assert!(pixel.windows(2).all(|pair| pair[0].ends[1] <= pair[1].ends[0]), "sorted and disjoint: {pixel:?}");
        }
    }
}

#[test]
fn fewer_samples_keep_the_flat_picture_on_any_threads() {
    let case = &cases()[0];
    let (fine, volume) = (read(&case.deep), ball(40));
    let options = DeepOptions { samples: 3, unit: 4.0 };
    let files = [1, 2, 7].map(|threads| {
        let cpu = Cpu::new(threads);
        deep(&cpu, &Lit::new(&cpu, &volume.view(), &case.look, &all_lights()[..2]), &options)
    });
    assert!(files.iter().all(|file| *file == files[0]), "bytes do not depend on threads");
    let coarse = read(&files[0]);
    assert!(stated(&files[0]) == 3 && difference(&coarse, f32::INFINITY, &case.flat[0]) < 1e-3);
    for (fine, coarse) in fine.pixels().zip(coarse.pixels()).filter(|(fine, _)| !fine.is_empty()) {
        assert!((coarse[0].ends[0] * 4.0 / fine[0].ends[0] - 1.0).abs() < 0.05, "depths are in units");
    }
}

#[test]
fn air_without_smoke_is_a_picture_without_samples() {
    let volume = Volume::new([16; 3], |_| [0.0; 4]);
    let (cpu, look) = (Cpu::new(2), look());
    let file = deep(&cpu, &Lit::new(&cpu, &volume.view(), &look, &[]), &OPTIONS);
    let picture = read(&file);
    assert!(stated(&file) == 0 && picture.pixels().count() == SIDE * SIDE && picture.pixels().all(<[_]>::is_empty));
}

#[test]
fn no_byte_that_is_flipped_and_no_length_is_a_crash() {
    let file = &cases()[0].deep;
    let check = |bytes: &[u8]| {
        if let Ok(deep) = Deep::read(bytes) {
            let most = 16 * bytes.len() * 1032;
            assert!(deep.bytes() < most && deep.pixels().flatten().all(|sample| sample.alpha <= 1.0));
            deep.pixel([usize::MAX, 0]);
        }
    };
    let head = 600;
    let rest = (head..file.len()).step_by(file.len() / 100);
    for at in (0..head).chain(rest.clone()) {
        for mask in [0xff, 0x01] {
            let mut changed = file.clone();
            changed[at] ^= mask;
            check(&changed);
        }
    }
    for length in (0..head).chain(rest) {
        assert!(Deep::read(&file[..length]).is_err(), "{length} bytes");
    }
    assert_eq!(Deep::read(b"no picture at all"), Err(DeepError::NotExr));
    let with_flags = |flags: u32| {
        let mut changed = file.clone();
        changed[4..8].copy_from_slice(&flags.to_le_bytes());
        Deep::read(&changed)
    };
    assert_eq!(with_flags(2), Err(DeepError::Flat));
    assert_eq!(with_flags(0x1802), Err(DeepError::Parts));
}

/// `oiiotool` in the folders of `FLOW_EXR_TOOLS`, else on `PATH`.
fn oiiotool() -> Option<PathBuf> {
    let wanted = std::env::var_os("FLOW_EXR_TOOLS");
    let folders = wanted.clone().or_else(|| std::env::var_os("PATH")).unwrap_or_default();
    let file = format!("oiiotool{}", std::env::consts::EXE_SUFFIX);
    let found = std::env::split_paths(&folders).map(|folder| folder.join(&file)).find(|path| path.is_file());
    assert!(wanted.is_none() || found.is_some(), "oiiotool is in none of the folders of FLOW_EXR_TOOLS: {folders:?}");
    if found.is_none() {
        println!("oiiotool is not installed: not tried");
    }
    found
}

/// A picture of floats of three channels as PFM, the lowest row first.
fn pfm(path: &str, pixels: &[[f32; 4]], channels: [usize; 3]) {
    let mut bytes = format!("PF\n{SIDE} {SIDE}\n-1.0\n").into_bytes();
    for pixel in pixels {
        channels.iter().for_each(|channel| bytes.extend(pixel[*channel].to_le_bytes()));
    }
    std::fs::write(path, bytes).expect("written");
}

#[test]
fn openimageio_flattens_and_holds_out_the_picture() {
    let Some(tool) = oiiotool() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).to_str().expect("UTF-8").to_owned();
    let run = |arguments: &[&str]| {
        let output = Command::new(&tool).args(arguments).output().expect("starts");
        let text = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
        assert!(output.status.success(), "{arguments:?}: {text}");
        text
    };
    for case in cases() {
        let deep = path("deep.exr");
        std::fs::write(&deep, &case.deep).expect("written");
        let about = run(&["--info", "-v", &deep]);
        for line in ["deep", "Compression: \"zips\"", "channel list: R (half), G (half), B (half), A (half)"] {
            assert!(about.to_lowercase().contains(&line.to_lowercase()), "{line}: {about}");
        }
        for (wall, truth) in WALLS.iter().copied().zip(&case.flat) {
            pfm(&path("colour.pfm"), truth, [0, 1, 2]);
            pfm(&path("alpha.pfm"), truth, [3; 3]);
            let size = format!("{SIDE}x{SIDE}");
            let constant = format!("constant:color=1,{wall}");
            let held = path("held.exr");
            if wall > 0.0 {
                run(&[
                    &deep,
                    "--pattern",
                    &constant,
                    &size,
                    "2",
                    "--chnames",
                    "A,Z",
                    "--deepen",
                    "--deepholdout",
                    "-o",
                    &held,
                ]);
            } else {
                std::fs::copy(&deep, &held).expect("copied");
            }
            let (fail, flat) = (if wall > 0.0 { case.held } else { 1e-3 }.to_string(), path("flat.exr"));
            run(&[&held, "--flatten", "-o", &flat]);
            for (channels, other) in [("R,G,B", "colour.pfm"), ("A,A,A", "alpha.pfm")] {
                let other = path(other);
                let brightest = truth.iter().flatten().fold(1.0_f32, |most, value| most.max(*value));
                let scale = (1.0 / brightest).to_string();
                run(&[
                    &flat, "--ch", channels, "--mulc", &scale, &other, "--mulc", &scale, "--fail", &fail, "--warn",
                    &fail, "--diff",
                ]);
            }
        }
    }
}
