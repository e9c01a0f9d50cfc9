//! `cargo xtask recipes`: the recipes of the documentation, from their plates to the finished comp.
//!
//! A recipe is a job file in `docs/recipes`, a Nuke script beside it, and an entry here: plates that stand for a shot,
//! and the comp. Each is made in a folder of its own, in which its job file runs again.

mod comp;
mod figure;
mod flight;
mod jobs;
mod plates;
mod reference;
mod roofs;
mod script;
mod shots;
mod walk;

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};

use crate::demo::{fresh_folder, side_by_side};
use crate::picture::Picture;
use crate::{bundle, command, project, setup};
use jobs::Job;
use plates::Painter;

/// Size of the pictures.
pub const SIZE: (usize, usize) = (960, 540);
/// The recipes that the tests run: small and short.
const REDUCED: Extent = Extent { scale: 0.125, last: Some(2) };

/// Options of `cargo xtask recipes`.
#[derive(clap::Args)]
pub struct Options {
    /// Only these recipes
    #[arg(value_name = "NAME")]
    names: Vec<String>,
    /// Take this bundle, and build none
    #[arg(long, value_name = "BUNDLE", requires = "host")]
    bundle: Option<PathBuf>,
    /// Take this flow-host, and build none
    #[arg(long, value_name = "FILE", requires = "bundle")]
    host: Option<PathBuf>,
    /// The folder of the recipes' folders [default: target/recipes]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Scale of the pictures, such as 0.5 for a quick look; the frames end at the one of the documentation
    #[arg(long, value_name = "SCALE", value_parser = scale)]
    scale: Option<f64>,
    /// Write the pictures of the documentation and the Nuke scripts, too
    #[arg(long)]
    docs: bool,
    /// Write the Nuke scripts and render nothing, for values of presets that changed
    #[arg(long, conflicts_with_all = ["bundle", "out", "scale", "docs"])]
    scripts: bool,
}

/// Scale of the rendered pictures, and the last frame, where it is not that of the job.
#[derive(Clone, Copy)]
struct Extent {
    scale: f64,
    last: Option<usize>,
}

fn scale(text: &str) -> Result<f64, String> {
    let value = text.parse().ok().filter(|value| (0.05..=1.0).contains(value));
    value.ok_or_else(|| format!("{text:?} is no scale from 0.05 to 1"))
}

/// A recipe.
struct Recipe {
    /// Name of its files.
    name: &'static str,
    /// The frame in the documentation.
    shown: usize,
    /// Writes its plates for the frames 1 to a last one into a folder.
    plates: fn(&Path, Painter, usize) -> Result<()>,
    /// Plates that its comp uses beside those of the job; `####` in the place of a frame's number.
    backdrops: &'static [&'static str],
    /// The comp as nodes of Nuke.
    script: &'static str,
    /// The picture before and after.
    comp: fn(&Shot<'_>) -> Result<[Picture; 2]>,
}

/// A rendered frame of a recipe, with its plates.
pub struct Shot<'a> {
    folder: &'a Path,
    /// The frame.
    pub frame: usize,
}

impl Shot<'_> {
    /// A picture rendered by the job.
    pub fn layer(&self, name: &str) -> Result<Picture> {
        Picture::read_exr(&self.folder.join("frames").join(format!("{name}.{:04}.exr", self.frame)))
    }

    /// A plate at the size of the rendered pictures: a still, or the frame of a sequence.
    pub fn plate(&self, name: &str, like: &Picture) -> Result<Picture> {
        let still = self.folder.join("plates").join(format!("{name}.exr"));
        let moving = self.folder.join("plates").join(format!("{name}.{:04}.exr", self.frame));
        let plate = Picture::read_exr(if still.is_file() { &still } else { &moving })?;
        let same = (plate.width, plate.height) == (like.width, like.height);
        Ok(if same { plate } else { plate.shrink(like.width, like.height) })
    }
}

/// Makes the recipes.
pub fn run(options: &Options) -> Result<()> {
    if let Some(unknown) = options.names.iter().find(|name| shots::RECIPES.iter().all(|recipe| recipe.name != **name)) {
        bail!("no recipe is named {unknown}; there are {}", shots::RECIPES.map(|recipe| recipe.name).join(", "));
    }
    let wanted = || {
        shots::RECIPES
            .iter()
            .filter(|recipe| options.names.is_empty() || options.names.iter().any(|name| name == recipe.name))
    };
    if options.scripts {
        return wanted().try_for_each(Recipe::write_script);
    }
    let (bundle, host) = match (&options.bundle, &options.host) {
        (Some(bundle), Some(host)) => (bundle.clone(), host.clone()),
        _ => {
            setup::ensure(setup::Need::BUILD)?;
            (bundle::run(&bundle::Options::default())?.folder, project::build_host()?)
        }
    };
    let out = options.out.clone().unwrap_or_else(|| project::target().join("recipes"));
    for recipe in wanted() {
        let folder = out.join(recipe.name);
        println!("making {}", project::short(&folder));
        let extent = match options.scale {
            Some(scale) => Extent { scale, last: Some(recipe.shown) },
            None => Extent { scale: 1.0, last: None },
        };
        let [before, after] = recipe.make(&host, &bundle, &folder, extent)?;
        if options.docs {
            let sheet = side_by_side(&[before, after], 2, (SIZE.0 / 2, SIZE.1 / 2));
            let images = project::root().join("docs/images/recipes");
            command::make_folder(&images)?;
            sheet.write_jpeg(&images.join(format!("{}.jpg", recipe.name)), 84)?;
            recipe.write_script()?;
        }
    }
    Ok(())
}

/// Makes all recipes small and short, to see that they still run.
pub fn reduced(host: &Path, bundle: &Path, out: &Path) -> Result<()> {
    for recipe in &shots::RECIPES {
        let made = recipe.make(host, bundle, &out.join(recipe.name), REDUCED);
        made.with_context(|| format!("the recipe {}", recipe.name))?;
    }
    Ok(())
}

impl Recipe {
    /// Path of its file with an extension in the sources.
    fn file(&self, extension: &str) -> PathBuf {
        project::root().join("docs/recipes").join(format!("{}.{extension}", self.name))
    }

    /// The text of its job file.
    fn job(&self) -> Result<String> {
        std::fs::read_to_string(self.file("toml")).with_context(|| project::short(&self.file("toml")))
    }

    /// Its script for Nuke.
    fn nuke(&self) -> Result<String> {
        script::text(self.name, &Job::parse(&self.job()?)?, self.backdrops, self.script)
    }

    /// Writes its script for Nuke into the sources.
    fn write_script(&self) -> Result<()> {
        command::write_file(&self.file("nk"), self.nuke()?.as_bytes())
    }

    /// Makes the recipe in an empty folder, whole or at a scale up to a frame. Gives the shown frame before and after,
    /// or the last one.
    fn make(&self, host: &Path, bundle: &Path, folder: &Path, extent: Extent) -> Result<[Picture; 2]> {
        let [folder, host, bundle] = [folder, host, bundle].map(std::path::absolute);
        let (folder, host, bundle) = (&folder?, &host?, &bundle?);
        fresh_folder(folder)?;
        for inner in ["plates", "frames", "after"] {
            command::make_folder(&folder.join(inner))?;
        }
        let text = self.job()?;
        let last = extent.last.map_or_else(|| Job::parse(&text)?.last(), Ok)?;
        let samples = if extent.scale < 1.0 { 1 } else { 2 };
        (self.plates)(&folder.join("plates"), Painter(samples), last)?;
        let job = folder.join(format!("{}.toml", self.name));
        let scaled = if extent.scale < 1.0 { format!("scale = {}\n{text}", extent.scale) } else { text };
        command::write_file(&job, scaled.as_bytes())?;
        command::write_file(&folder.join(format!("{}.nk", self.name)), self.nuke()?.as_bytes())?;
        let mut render = command::graphic(host);
        render.args(["render", "--frames", &format!("1-{last}"), "--job"]).arg(&job);
        // Job files name no bundle: it is found as in a host.
        render.env("OFX_PLUGIN_PATH", bundle.parent().unwrap_or(bundle));
        // Parameters may name files beside the job's.
        render.current_dir(folder);
        command::run(&mut render, "rendering a recipe with flow-host")?;
        let mut shown = None;
        for frame in 1..=last {
            let [before, after] = (self.comp)(&Shot { folder, frame })?;
            after.write_opaque_png(&folder.join("after").join(format!("{}.{frame:04}.png", self.name)))?;
            if frame == self.shown.min(last) {
                before.write_opaque_png(&folder.join("before.png"))?;
                after.write_opaque_png(&folder.join("after.png"))?;
                shown = Some([before, after]);
            }
        }
        shown.context("no frame")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn job_files_name_existing_inputs_parameters_and_options() {
        for recipe in &shots::RECIPES {
            let job = Job::parse(&recipe.job().unwrap()).unwrap();
            assert!(recipe.shown <= job.last().unwrap(), "{}", recipe.name);
            for node in &job.nodes {
                let reference = reference::of(&node.plugin).unwrap();
                let of = |name: &str| format!("{}: {} has no {name}", recipe.name, node.plugin);
                for clip in node.clips.keys() {
                    assert!(reference.clips.contains(clip), "{}", of(clip));
                }
                let edits = job.renders.iter().filter(|render| job.node(render).unwrap().name == node.name);
                let edited = edits.flat_map(|render| &render.edit).flat_map(|edit| &edit.set);
                for (name, value) in node.set.iter().chain(edited) {
                    let param = reference.params.get(name).unwrap_or_else(|| panic!("{}", of(name)));
                    let known = param.options.is_empty() || param.options.contains(&jobs::shown(value));
                    assert!(known, "{}: {name} has no option {value}", recipe.name);
                }
            }
        }
    }

    #[test]
    fn scripts_for_nuke_follow_the_job_files() {
        for recipe in &shots::RECIPES {
            let committed = std::fs::read_to_string(recipe.file("nk")).unwrap_or_default();
            assert!(
                committed == recipe.nuke().unwrap(),
                "{}.nk: `cargo xtask recipes --scripts` writes it",
                recipe.name
            );
            let variables = committed.split("push $N").skip(1).filter_map(|rest| rest.lines().next());
            for variable in variables {
                assert!(committed.contains(&format!("set N{variable} [stack 0]")), "{}: {variable}", recipe.name);
            }
        }
    }

    #[test]
    fn every_recipe_has_its_section_and_picture() {
        let page = std::fs::read_to_string(project::root().join("docs/recipes/README.md")).unwrap();
        for recipe in &shots::RECIPES {
            for link in [format!("({}.toml)", recipe.name), format!("({}.nk)", recipe.name)] {
                assert!(page.contains(&link), "{link}");
            }
            let picture = format!("images/recipes/{}.jpg", recipe.name);
            assert!(page.contains(&format!("(../{picture})")), "{picture}");
            assert!(project::root().join("docs").join(&picture).is_file(), "{picture}");
        }
    }
}
