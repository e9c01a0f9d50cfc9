//! Load and describe, and what reading the parameters costs.

use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::Result;

use super::frames::{Figures, Frame, stats};
use super::time::{median, ratio};
use crate::bundle::Bundle;
use crate::{command, project};

/// Load, describe in every context, unload, as a host that scans its plug-ins does it.
pub fn measure(host: &Path, bundle: &Bundle, repeats: u32, figures: &mut Figures) -> Result<()> {
    let folder = bundle.folder.to_string_lossy();
    let [empty, listed, described] = repeated(
        repeats,
        host,
        [&["--version"], &["list", &folder], &["describe", &folder, "--plugin", project::FLOW, "--json"]],
    )?;
    let of_empty = |time| format!("{:.2} × flow-host alone", ratio(time, median(empty.clone())));
    let beyond = |times: &[Duration]| times.iter().map(|t| t.saturating_sub(median(empty.clone()))).collect::<Vec<_>>();
    let (load, describe) = (beyond(&listed), beyond(&described));
    figures.row("flow-host alone, start to end", &empty, String::new());
    figures.row("load the bundle and describe (scan)", &load, of_empty(median(load.clone())));
    figures.row("the same, and print every parameter", &describe, of_empty(median(describe.clone())));
    Ok(())
}

/// What reading the parameters costs a frame: tiny frames from the store, without keys and with many.
pub fn parameters(host: &Path, bundle: &Bundle, figures: &mut Figures) -> Result<()> {
    const KEYED: [&str; 8] = [
        "speed",
        "damping",
        "timeScale",
        "emitterRate",
        "emitterRadius",
        "evaporation",
        "sourceHeight",
        "terrainHeight",
    ];
    let warm = |keys: bool| -> Result<Vec<Duration>> {
        let mut render = command::graphic(host);
        render.arg("render").arg(&bundle.folder).args(["--plugin", project::FLOW, "--context", "general"]);
        render.args(["--size", "64x64", "--frames", "1-300", "--order", "reverse"]);
        for name in KEYED.iter().filter(|_| keys) {
            for frame in (1..=300).step_by(10) {
                render.arg("--key").arg(format!("{name}@{frame}={}", 0.01 + f64::from(frame) * 1e-4));
            }
        }
        Ok(stats(&mut render)?.iter().skip(1).map(|Frame { wall, .. }| *wall).collect())
    };
    let (plain, keyed) = (warm(false)?, warm(true)?);
    let times = ratio(median(keyed.clone()), median(plain.clone()));
    figures.row("64×64 from the store, nothing keyed", &plain, String::new());
    figures.row("the same, 8 parameters with 30 keys each", &keyed, format!("{times:.2} × nothing keyed"));
    Ok(())
}

/// The times of commands from start to end, taken in turn so that a busy moment strikes all.
fn repeated<const N: usize>(repeats: u32, host: &Path, commands: [&[&str]; N]) -> Result<[Vec<Duration>; N]> {
    let mut times = [const { Vec::new() }; N];
    for _ in 0..repeats {
        for (arguments, times) in commands.iter().zip(&mut times) {
            let start = Instant::now();
            command::output(command::graphic(host).args(*arguments), "flow-host")?;
            times.push(start.elapsed());
        }
    }
    Ok(times)
}
