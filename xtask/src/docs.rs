//! `cargo xtask docs`: documentation that is generated from the programs themselves.

use std::path::Path;

use anyhow::{Context as _, Result, bail};

use crate::bundle::{self, Bundle};
use crate::{command, demo, presets, project, setup, toolset};

/// Options of `cargo xtask docs`.
#[derive(clap::Args)]
pub struct Options {
    /// Write the parameter reference and the toolset only, without the pictures
    #[arg(long)]
    no_pictures: bool,
}

/// Frames shown large in the documentation.
const STILLS: [(&str, usize); 2] = [("river", 96), ("letters", 13)];

/// The frame in the node's own shading.
const SHADED: usize = 96;

/// The nodes, and the pages with their parameters.
const REFERENCES: [(&str, &str); 4] = [
    (project::FLOW, "docs/parameters.md"),
    (project::FLOW_SMOKE, "docs/parameters-smoke.md"),
    (project::FLOW_PARTICLES, "docs/parameters-particles.md"),
    (project::FLOW_VOLUME, "docs/parameters-volume.md"),
];

/// Writes the pages with the parameters and docs/images again.
pub fn run(options: &Options) -> Result<()> {
    setup::ensure(setup::Need::BUILD)?;
    let bundle = bundle::run(&bundle::Options::default())?;
    let host = project::build_host()?;
    for (node, page) in REFERENCES {
        let path = project::root().join(page);
        command::write_file(&path, parameters(&host, &bundle, node)?.as_bytes())?;
        println!("wrote {}", project::short(&path));
    }
    command::write_file(&toolset::path(), toolset::text(&host, &bundle)?.as_bytes())?;
    println!("wrote {}", project::short(&toolset::path()));
    if options.no_pictures {
        return Ok(());
    }
    let options = demo::Options::default();
    demo::run(&options)?;
    let images = project::root().join("docs/images");
    command::make_folder(&images)?;
    let smoke = demo::smoke::sheet(&host, &bundle.folder, &demo::smoke::folder(&options.folder()))?;
    let shaded_pictures = demo::shaded_pictures(&host, &bundle.folder, &options.folder(), SHADED)?;
    let overlay = demo::overlay(&host, &bundle.folder, &options.folder())?;
    let pictures = demo::pictures(&options.folder(), &STILLS)?;
    for (name, picture) in pictures
        .into_iter()
        .chain(shaded_pictures)
        .chain([("smoke".to_owned(), smoke), ("overlay".to_owned(), overlay)])
    {
        let path = images.join(format!("{name}.jpg"));
        picture.write_jpeg(&path, 88)?;
        println!("wrote {}", project::short(&path));
    }
    presets::run(&presets::Options::documentation())?;
    bundle::icon::paint(project::FLOW, &images.join("icon.png"))
}

/// Fails if a committed parameter reference, or the toolset, differs from the plug-in's description.
pub fn check_parameters(host: &Path, bundle: &Bundle) -> Result<()> {
    for (node, page) in REFERENCES {
        check_page(&project::root().join(page), &parameters(host, bundle, node)?)?;
    }
    check_page(&toolset::path(), &toolset::text(host, bundle)?)
}

fn check_page(path: &Path, described: &str) -> Result<()> {
    let page = project::short(path);
    let committed = std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    if let Some((number, (old, new))) =
        committed.lines().zip(described.lines()).enumerate().find(|(_, (old, new))| old != new)
    {
        bail!(
            "{page} is out of date from line {}: it says\n  {old}\nwhere the plug-in now says\n  {new}\n`cargo xtask docs --no-pictures` writes it again",
            number + 1
        );
    }
    if committed != described {
        bail!("{page} is out of date at its end; `cargo xtask docs --no-pictures` writes it again");
    }
    Ok(())
}

/// The parameter reference, from the plug-in's description.
fn parameters(host: &Path, bundle: &Bundle, node: &str) -> Result<String> {
    let mut describe = command::graphic(host);
    describe.arg("describe").arg(&bundle.folder).args(["--plugin", node, "--markdown"]);
    let described = command::output(&mut describe, "describing the plug-in")?;
    Ok(format!(
        "<!-- Written by `cargo xtask docs` from the plug-in itself; edit the controls in src/nodes, not this file. -->\n\n{}\n",
        described.trim()
    ))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::PathBuf;

    use super::*;

    /// All pages: those at the root, and those in docs with its folders.
    fn pages() -> Vec<PathBuf> {
        let mut found: Vec<PathBuf> =
            ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"].map(|page| project::root().join(page)).into();
        let mut waiting = vec![project::root().join("docs")];
        while let Some(folder) = waiting.pop() {
            let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
            let (folders, files): (Vec<_>, Vec<_>) = entries.partition(|path| path.is_dir());
            waiting.extend(folders);
            found.extend(files.into_iter().filter(|path| path.extension().is_some_and(|extension| extension == "md")));
        }
        found
    }

    /// Names of a page's headings in links, as GitHub makes them.
    fn anchors(page: &Path) -> BTreeSet<String> {
        let text = std::fs::read_to_string(page).unwrap();
        let headings = text.lines().filter(|line| line.starts_with('#'));
        let kept =
            |c: char| if c == ' ' { Some('-') } else { (c.is_alphanumeric() || c == '-' || c == '_').then_some(c) };
        headings
            .map(|line| line.trim_start_matches('#').trim().to_lowercase().chars().filter_map(kept).collect())
            .collect()
    }

    #[test]
    fn links_of_the_documentation_lead_somewhere() {
        let mut broken = Vec::new();
        for page in pages() {
            let text = std::fs::read_to_string(&page).unwrap();
            for link in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
                let (path, anchor) = link.split_once('#').unwrap_or((link, ""));
                if link.contains("://") || link.contains(' ') {
                    continue;
                }
                let target = if path.is_empty() { page.clone() } else { page.with_file_name(path) };
                let heads = || {
                    target.extension().is_none_or(|extension| extension != "md") || anchors(&target).contains(anchor)
                };
                if !target.exists() || (!anchor.is_empty() && !heads()) {
                    broken.push(format!("{}: {link}", project::short(&page)));
                }
            }
        }
        assert!(broken.is_empty(), "{broken:#?}");
    }
}
