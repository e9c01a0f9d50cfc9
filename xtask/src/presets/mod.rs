//! `cargo xtask presets`: the presets at their defaults, with nothing wired, as contact sheets and animated pictures.
//!
//! Each preset is chosen on a new node, and nothing else is set but the device: the CPU, so that every machine makes the
//! same pictures. Frames are 960 × 540 pixels; `--large` adds one of 1920 × 1080.

mod gallery;
mod popping;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};

use crate::bundle;
use crate::demo::{fresh_folder, side_by_side, toml_text};
use crate::picture::{Movie, Picture};
use crate::{command, project, setup};
use popping::Popping;

/// Size of the frames.
const SIZE: (usize, usize) = (960, 540);
/// Size of the large frame.
const LARGE: (usize, usize) = (1920, 1080);
/// Frames on the contact sheet.
const SHOWN: [usize; 4] = [1, 25, 50, 100];
/// The large frame, and the quality of its file.
const LARGE_FRAME: usize = 60;
const LARGE_QUALITY: u8 = 82;
/// Size of the animated pictures, their frames, and frames a second.
const MOVING: (usize, usize) = (400, 225);
const MOVING_STEP: usize = 3;
const MOVING_RATE: u32 = 10;
/// Bytes of an animated picture, at most.
const MOVING_BYTES: usize = 600_000;

/// A node with presets, and the file of its contact sheet.
struct Node {
    name: &'static str,
    plugin: &'static str,
    sheet: &'static str,
}

const NODES: [Node; 4] = [
    Node { name: "Flow", plugin: project::FLOW, sheet: "presets.jpg" },
    Node { name: "FlowSmoke", plugin: project::FLOW_SMOKE, sheet: "smoke-presets.jpg" },
    Node { name: "FlowParticles", plugin: project::FLOW_PARTICLES, sheet: "particle-presets.jpg" },
    Node { name: "FlowVolume", plugin: project::FLOW_VOLUME, sheet: "volume-presets.jpg" },
];

/// Linear grey behind pictures that are not opaque: paper for ink, night for all else.
fn behind(preset: &str) -> f32 {
    if preset.starts_with("Ink") { 1.0 } else { 0.02 }
}

/// Options of `cargo xtask presets`.
#[derive(clap::Args)]
pub struct Options {
    /// Only the presets of this node: Flow, FlowSmoke, FlowParticles or FlowVolume
    #[arg(long, value_name = "NAME")]
    node: Option<String>,
    /// Only these presets; repeatable
    #[arg(long, value_name = "NAME")]
    preset: Vec<String>,
    /// Only the four frames of the contact sheet: no animated pictures, no popping
    #[arg(long)]
    quick: bool,
    /// One frame of each preset at 1920 × 1080, too: simulated anew, which takes four times as long and more
    #[arg(long)]
    large: bool,
    /// Copy the contact sheet and the animated pictures to docs/images, and write docs/gallery.md
    #[arg(long)]
    docs: bool,
    /// Take this bundle, such as another checkout's, and build none
    #[arg(long, value_name = "DIR")]
    bundle: Option<PathBuf>,
    /// Take this flow-host, and build none
    #[arg(long, value_name = "FILE", requires = "bundle")]
    host: Option<PathBuf>,
    /// Folder of the pictures [default: target/presets]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

impl Options {
    /// All presets, for the documentation.
    pub fn documentation() -> Self {
        Self {
            node: None,
            preset: Vec::new(),
            quick: false,
            large: false,
            docs: true,
            bundle: None,
            host: None,
            out: None,
        }
    }
}

/// Renders the presets of the nodes.
pub fn run(options: &Options) -> Result<()> {
    setup::ensure(setup::Need::BUILD)?;
    let bundle = match &options.bundle {
        Some(bundle) => bundle.canonicalize().with_context(|| format!("no bundle {}", bundle.display()))?,
        None => bundle::run(&bundle::Options::default())?.folder,
    };
    let host = match &options.host {
        Some(host) => host.clone(),
        None => project::build_host()?,
    };
    let nodes: Vec<_> =
        NODES.iter().filter(|node| options.node.as_ref().is_none_or(|name| name == node.name)).collect();
    if nodes.is_empty() {
        bail!("no node with presets has this name; there are {}", NODES.map(|node| node.name).join(" and "));
    }
    let mut all = Vec::new();
    for node in nodes {
        let names = names(&host, &bundle, node.plugin)?;
        all.extend(names.into_iter().map(|name| (node, name)));
    }
    if let Some(unknown) = options.preset.iter().find(|name| !all.iter().any(|(_, known)| known == *name)) {
        let known: Vec<_> = all.iter().map(|(_, name)| name.as_str()).collect();
        bail!("no preset is named {unknown}; there are {}", known.join(", "));
    }
    let folder = options.out.clone().unwrap_or_else(|| project::target().join("presets"));
    command::make_folder(&folder)?;
    let mut changes = BTreeMap::new();
    let mut report =
        String::from("| preset | share of pixels that change by more than 0.25 | at frame |\n|---|---|---|\n");
    for (node, preset) in all.iter().filter(|(_, name)| options.preset.is_empty() || options.preset.contains(name)) {
        println!("rendering {preset}");
        let job = Job { host: &host, bundle: &bundle, node, preset, folder: folder.join("frames") };
        if let Some((share, at)) = job.pictures(options, &folder)? {
            changes.insert(slug(node, preset), gallery::changes((share, at)));
            report += &format!("| {preset} | {:.2} % | {at} |\n", share * 100.0);
        }
    }
    for node in &NODES {
        // Of the other presets, those of an earlier run.
        let presets = all.iter().filter(|(of, _)| of.name == node.name);
        let shown = presets.flat_map(|(_, preset)| SHOWN.map(|frame| thumbnail(&folder, node, preset, frame)));
        let rows: Result<Vec<_>> = shown.filter(|file| file.is_file()).map(|file| Picture::read_exr(&file)).collect();
        let rows = rows?;
        if !rows.is_empty() {
            let sheet_file = folder.join(node.sheet);
            side_by_side(&rows, SHOWN.len(), (SIZE.0 / 2, SIZE.1 / 2)).write_jpeg(&sheet_file, 88)?;
            println!("wrote {}", project::short(&sheet_file));
        }
    }
    if !options.quick {
        command::write_file(&folder.join("popping.md"), report.as_bytes())?;
        print!("{report}");
    }
    if options.docs {
        publish(&folder, &all)?;
        gallery::write(&host, &bundle, changes)?;
    }
    Ok(())
}

/// Copies the sheets, the animated pictures and the large frames to the documentation.
fn publish(folder: &Path, presets: &[(&Node, String)]) -> Result<()> {
    let images = project::root().join("docs/images");
    command::make_folder(&images.join("large"))?;
    let moving = presets.iter().map(|(node, name)| format!("{}.webp", slug(node, name)));
    let large = presets.iter().map(|(node, name)| format!("large/{}.jpg", slug(node, name)));
    for file in moving.chain(large).chain(NODES.iter().map(|node| node.sheet.to_owned())) {
        let from = folder.join(&file);
        if from.is_file() {
            let to = images.join(&file);
            std::fs::copy(&from, &to).with_context(|| format!("cannot write {}", to.display()))?;
            println!("wrote {}", project::short(&to));
        }
    }
    Ok(())
}

/// File of a frame of the contact sheet.
fn thumbnail(folder: &Path, node: &Node, preset: &str, frame: usize) -> PathBuf {
    folder.join(format!("{}.{frame:04}.exr", slug(node, preset)))
}

/// The name of a node's preset in names of files.
fn slug(node: &Node, preset: &str) -> String {
    format!("{} {preset}", node.name).to_lowercase().replace(' ', "-")
}

/// The presets of a node, in the order of the choice.
fn names(host: &Path, bundle: &Path, node: &str) -> Result<Vec<String>> {
    // The first option chooses none.
    Ok(project::options(host, bundle, node, "preset")?.split_off(1))
}

/// The render of a preset.
struct Job<'a> {
    host: &'a Path,
    bundle: &'a Path,
    node: &'a Node,
    preset: &'a str,
    folder: PathBuf,
}

impl Job<'_> {
    /// Renders the preset, and writes its pictures into `folder`. Gives the largest share of pixels that change
    /// suddenly, and its frame, where all frames are rendered.
    fn pictures(&self, options: &Options, folder: &Path) -> Result<Option<(f64, usize)>> {
        let slug = slug(self.node, self.preset);
        let last = SHOWN[SHOWN.len() - 1];
        let frames = if options.quick { SHOWN.map(|n| n.to_string()).join(",") } else { format!("1-{last}") };
        self.render(SIZE, &frames)?;
        for frame in SHOWN {
            let picture = self.frame(frame)?;
            picture.write_opaque_png(&folder.join(format!("{slug}.{frame:04}.png")))?;
            picture.shrink(SIZE.0 / 2, SIZE.1 / 2).write_exr(&thumbnail(folder, self.node, self.preset, frame))?;
        }
        let mut worst = None;
        if !options.quick {
            let mut popping = Popping::default();
            let mut movie = Movie::new(MOVING_RATE);
            for frame in 1..=last {
                let picture = self.frame(frame)?;
                popping.add(frame, &picture);
                if frame % MOVING_STEP == 1 {
                    movie.add(picture.shrink(MOVING.0, MOVING.1));
                }
            }
            movie.write_webp(&folder.join(format!("{slug}.webp")), MOVING_BYTES)?;
            worst = Some(popping.worst());
        }
        if options.large {
            self.render(LARGE, &LARGE_FRAME.to_string())?;
            command::make_folder(&folder.join("large"))?;
            self.frame(LARGE_FRAME)?.write_jpeg(&folder.join(format!("large/{slug}.jpg")), LARGE_QUALITY)?;
        }
        std::fs::remove_dir_all(&self.folder).with_context(|| format!("cannot remove {}", self.folder.display()))?;
        Ok(worst)
    }

    fn render(&self, (width, height): (usize, usize), frames: &str) -> Result<()> {
        fresh_folder(&self.folder)?;
        let path = |path: &Path| toml_text(&path.display().to_string());
        let job = format!(
            "bundle = {}\nsize = \"{width}x{height}\"\n[[node]]\nname = \"fluid\"\nplugin = \"{}\"\ncontext = \"general\"\n\
             [node.set]\ndevice = \"CPU\"\n[[render]]\noutput = {}\nframes = \"{frames}\"\n[[render.edit]]\nnode = \"fluid\"\n\
             set = {{ preset = {} }}\n",
            path(self.bundle),
            self.node.plugin,
            path(&self.folder.join("####.exr")),
            toml_text(self.preset),
        );
        let file = self.folder.join("job.toml");
        command::write_file(&file, job.as_bytes())?;
        command::run(
            command::graphic(self.host).args(["render", "--job"]).arg(&file),
            "rendering a preset with flow-host",
        )
    }

    /// A rendered frame over what is behind it.
    fn frame(&self, frame: usize) -> Result<Picture> {
        let grey = behind(self.preset);
        let rendered = Picture::read_exr(&self.folder.join(format!("{frame:04}.exr")))?;
        Ok(Picture::from_fn(rendered.width, rendered.height, |x, y| {
            let [r, g, b, a] = rendered.at(x, y);
            let over = |value: f32| value + grey * (1.0 - a.clamp(0.0, 1.0));
            [over(r), over(g), over(b), 1.0]
        }))
    }
}
