//! Wedges: a shot rendered with every combination of some values, to compare them.
//!
//! [`axes`] reads the varied values, [`folder`] knows the files of a combination, [`processes`] renders, [`sheet`] and
//! [`table`] show the results, and [`openjd`] writes the wedge for a farm.
//!
//! Everything is checked before anything is written. Each combination has a folder with a job file of its own, which
//! `flow-host render` renders. A combination whose frames are all there, rendered by the same job, is left alone, so
//! that the same command continues a wedge that was interrupted.

mod axes;
mod folder;
mod openjd;
mod processes;
mod sheet;
mod table;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::args::WedgeArguments;
use super::bake;
use super::job::{Job, RenderJob};
use super::run;
use super::stream::{message, say};
use crate::{Error, Result, io};
use axes::Axis;
use folder::Folder;

/// Cores of a process, unless --jobs says otherwise: a simulation of usual size gains little from more.
const CORES: usize = 4;

/// Most processes at once, unless --jobs says otherwise: each may keep a quarter of the memory full of frames.
const MOST_JOBS: usize = 3;

/// Names of the files beside the combinations' folders.
const SHEET: &str = "wedge.png";
const TABLE: &str = "wedge.csv";
const JOB: &str = "wedge.toml";

/// A wedge whose values have been checked.
struct Wedge {
    axes: Vec<Axis>,
    /// The job without the varied values.
    job: Job,
    combinations: Vec<Combination>,
    /// The wedge's folder, absolute.
    out: PathBuf,
}

/// A combination of values, one of each axis.
struct Combination {
    /// `parameter = value`, axis by axis.
    labels: Vec<String>,
    /// The values as text, axis by axis.
    values: Vec<String>,
    folder: Folder,
}

impl Combination {
    /// The combination in one line.
    fn label(&self) -> String {
        self.labels.join(", ")
    }
}

/// Renders a wedge, or writes it as a template.
pub(super) fn wedge(arguments: &WedgeArguments) -> Result<()> {
    let wedge = Wedge::new(arguments)?;
    make_folder(&wedge.out)?;
    if let Some(file) = &arguments.openjd {
        return openjd::write(&wedge, file, arguments.sheet_frame);
    }
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let jobs = arguments.jobs.map_or((cores / CORES).clamp(1, MOST_JOBS), |jobs| jobs as usize);
    let jobs = jobs.min(wedge.combinations.len());
    let processors = arguments.scene.processors.map_or((cores / jobs).max(1), |processors| processors as usize);
    let outcomes = processes::render(&wedge.combinations, jobs, processors)?;
    let failed = outcomes.iter().filter(|outcome| outcome.is_err()).count();
    if !arguments.no_sheet {
        let rows = table::rows(&wedge, &outcomes);
        io::write_whole(&wedge.out.join(TABLE), table::csv(&wedge, &rows).as_bytes())?;
        let sheet = sheet::draw(&wedge, arguments.sheet_frame)?;
        io::write(&wedge.out.join(SHEET), &sheet, sheet.bounds(), io::FileOptions::default())?;
        say(&table::markdown(&wedge, &rows))?;
        say(&wedge.out.join(SHEET).display().to_string())?;
    }
    if failed > 0 {
        let total = outcomes.len();
        let why = format!("{failed} of {total} combinations failed, see above; the same command tries them again");
        return Err(Error::file(&wedge.out, why));
    }
    Ok(())
}

impl Wedge {
    /// Expands the combinations and checks each, without writing anything.
    fn new(arguments: &WedgeArguments) -> Result<Self> {
        let WedgeArguments { scene, vary, out, output, half, limit, .. } = arguments;
        if scene.stats.is_some() {
            return Err(Error::usage("--stats: each combination has its own, stats.json in its folder"));
        }
        let mut job = Job::from_scene(scene)?;
        if scene.job.is_none() {
            job.common.half = half.then_some(true);
            job.renders = vec![RenderJob { output: Some(output.clone()), ..RenderJob::default() }];
        }
        // Processors and statistics are those of each process.
        (job.processors, job.stats) = (None, None);
        let axes = axes::take(&mut job, vary)?;
        let combinations = axes::combinations(&axes, *limit as usize)?;
        let out = std::path::absolute(out).map_err(|error| Error::file(out, error))?;
        check_folder(&out)?;
        let mut job = job.with_absolute_inputs()?;
        flatten_outputs(&mut job)?;
        let mut plugins = Default::default();
        for indices in &combinations {
            let one = with_values(&job, &axes, indices);
            let labels = labels(&axes, indices).join(", ");
            plugins = run::check(&one).map_err(|error| of_combination(error, &labels))?;
        }
        if let Some(cache) = &scene.cache {
            bake::used_by(&mut job, cache, scene)?;
        }
        let mut names: BTreeMap<String, String> = BTreeMap::new();
        let combinations = combinations.iter().map(|indices| {
            let labels = labels(&axes, indices);
            let values: Vec<&str> = axes.iter().zip(indices).map(|(axis, at)| &*axis.values[*at].text).collect();
            let name = folder::name(axes.iter().map(|axis| &*axis.label).zip(values.iter().copied()));
            // Some file systems do not tell capitals from small letters.
            if let Some(other) = names.insert(name.to_lowercase(), labels.join(", ")) {
                return Err(Error::usage(format!(
                    "the folders of {other} and {} would have one name, {name}: render them as two wedges",
                    labels.join(", ")
                )));
            }
            let folder = Folder::new(out.join(name), with_values(&job, &axes, indices), &plugins)?;
            Ok(Combination { labels, values: values.into_iter().map(str::to_owned).collect(), folder })
        });
        let combinations: Vec<Combination> = combinations.collect::<Result<_>>()?;
        if let Some(first) = combinations.first() {
            first.folder.picture(arguments.sheet_frame)?;
        }
        Ok(Self { axes, job, combinations, out })
    }
}

/// The job with the values of a combination.
fn with_values(job: &Job, axes: &[Axis], indices: &[usize]) -> Job {
    let mut job = job.clone();
    for (axis, at) in axes.iter().zip(indices) {
        job.nodes[axis.node].set.insert(axis.parameter.clone(), axis.values[*at].value.clone());
    }
    job
}

fn labels(axes: &[Axis], indices: &[usize]) -> Vec<String> {
    axes.iter().zip(indices).map(|(axis, at)| format!("{} = {}", axis.label, axis.values[*at].text)).collect()
}

/// A failed check, with the combination that it belongs to.
fn of_combination(error: Error, labels: &str) -> Error {
    match error {
        Error::Usage(text) => Error::Usage(format!("with {labels}: {text}")),
        other => other,
    }
}

/// Leaves of each render's output the file's name: the pictures lie in the combination's folder.
fn flatten_outputs(job: &mut Job) -> Result<()> {
    let mut names: Vec<String> = Vec::new();
    for output in job.renders.iter_mut().filter_map(|render| render.output.as_mut()) {
        let name = Path::new(output).file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        if name.is_empty() {
            return Err(Error::usage(format!("'{output}' is no name for files: expected e.g. frame.####.exr")));
        }
        if names.contains(&name) {
            return Err(Error::usage(format!("two renders write {name}, and both into one folder: rename one")));
        }
        names.push(name.clone());
        *output = name;
    }
    if names.is_empty() {
        return Err(Error::usage("no render of the job writes pictures: give one an output"));
    }
    Ok(())
}

/// Refuses a folder that could not be made.
fn check_folder(out: &Path) -> Result<()> {
    if out.is_dir() {
        return Ok(());
    }
    let parent = out.parent().unwrap_or(Path::new("/"));
    if out.exists() {
        return Err(Error::file(out, "is there and is no folder; name another with --out"));
    }
    if parent.is_dir() { Ok(()) } else { Err(Error::file(out, format!("there is no folder {}", parent.display()))) }
}

fn make_folder(folder: &Path) -> Result<()> {
    match std::fs::create_dir(folder) {
        Err(error) if !folder.is_dir() => Err(Error::file(folder, format!("cannot be made: {error}"))),
        // Another process of the farm may have made it.
        _ => Ok(()),
    }
}

/// Prints what a process said about a combination.
fn report(label: &str, text: &str) {
    for line in text.lines() {
        message(format_args!("{label}: {}", line.strip_prefix("flow-host: ").unwrap_or(line)));
    }
}
