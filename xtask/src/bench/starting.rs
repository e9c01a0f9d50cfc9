//! Times of load and describe, and of reading the parameters, by their keys and by the frame's number.

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

/// Time of reading the parameters of a frame: tiny frames from the store, without keys and with many.
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
        render.args(["--set", "output=Water"]);
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
    figures.row("64×64 from the store, no keys", &plain, String::new());
    figures.row("the same, 8 parameters with 30 keys each", &keyed, format!("{times:.2} × no keys"));
    Ok(())
}

/// Measures the cost of a frame by its number: tiny frames from the store, an early and a late one in turn.
pub fn lateness(host: &Path, bundle: &Bundle, repeats: u32, figures: &mut Figures) -> Result<()> {
    const EARLY: u32 = 50;
    const LATE: u32 = 5000;
    let turns = repeats as usize * 4;
    let mut render = command::graphic(host);
    render.arg("render").arg(&bundle.folder).args(["--plugin", project::FLOW, "--context", "general"]);
    render.args(["--set", "output=Water"]);
    // The first turn simulates, up to the late frame.
    let frames = vec![format!("{LATE},{EARLY}"); turns + 1].join(",");
    render.args(["--size", "32x32", "--set", "device=CPU", "--frames", &frames]);
    let found = stats(&mut render)?;
    let every_other = |at: usize| found.iter().skip(2 + at).step_by(2).map(|frame| frame.wall).collect::<Vec<_>>();
    let [late, early] = [0, 1].map(every_other);
    let [late_median, early_median] = [&late, &early].map(|times| median(times.clone()));
    let more = late_median.as_secs_f64() - early_median.as_secs_f64();
    let times = ratio(late_median, early_median);
    figures.late_over_allowed = Some(late_median.as_secs_f64() / (1.2 * early_median.as_secs_f64() + 0.2e-3));
    figures.row(&format!("32×32 from the store, frame {EARLY}"), &early, String::new());
    let note = format!("{times:.2} × frame {EARLY}, {:+.2} ms", more * 1e3);
    figures.row(&format!("the same, frame {LATE}, in turn with it"), &late, note);
    Ok(())
}

/// The times of commands from start to end, run in turn so that a busy moment affects all.
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
