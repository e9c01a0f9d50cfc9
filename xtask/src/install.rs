//! `cargo xtask install`: puts the bundle into a folder that hosts search.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};

use crate::{bundle, command, project};

/// Options of `cargo xtask install`.
#[derive(clap::Args)]
pub struct Options {
    /// Install for all users, into the folder that every host searches
    #[arg(long, conflicts_with = "dir")]
    system: bool,
    /// Install into this folder
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
    /// Install this bundle instead of building one
    #[arg(long, value_name = "BUNDLE")]
    bundle: Option<PathBuf>,
}

/// Builds the bundle, unless one is named, and installs it.
pub fn run(options: &Options) -> Result<()> {
    let folder = match &options.dir {
        Some(folder) => folder.clone(),
        None if options.system => system_folder(),
        None => user_folder()?,
    };
    // A wrong folder is reported before the build.
    command::make_folder(&folder).with_context(|| no_way_in(options, &folder))?;
    let staging = folder.join(format!(".flow-install-{}", std::process::id()));
    std::fs::create_dir(&staging).with_context(|| no_way_in(options, &folder))?;
    let installed = place(options, &folder, &staging);
    if installed.is_err() {
        drop(std::fs::remove_dir_all(&staging));
    }
    let bundle = installed?;
    println!("installed {}", bundle.display());
    let searched = searched_folders();
    if searched.contains(&folder) {
        println!("hosts find it there; restart the ones that are running");
    } else {
        println!(
            "hosts look there once OFX_PLUGIN_PATH names it; add this to your shell's profile, then restart the host:"
        );
        if cfg!(windows) {
            println!("  setx OFX_PLUGIN_PATH \"{}\"", folder.display());
        } else {
            println!("  {}", export("OFX_PLUGIN_PATH", &folder));
        }
    }
    println!("for the menu and the toolset of layers in Nuke, and the PyPlug in Natron, add these too:");
    for (variable, folder) in extras(&bundle) {
        if cfg!(windows) {
            println!("  setx {variable} \"{}\"", folder.display());
        } else {
            println!("  {}", export(variable, &folder));
        }
    }
    Ok(())
}

/// The line of a shell's profile that puts a folder in front of a search path.
fn export(variable: &str, folder: &Path) -> String {
    format!("export {variable}=\"{}${{{variable}:+:${variable}}}\"", folder.display())
}

/// Folders of a bundle for hosts' own search paths, with the variables.
fn extras(bundle: &Path) -> [(&'static str, PathBuf); 2] {
    let resources = bundle.join("Contents").join("Resources");
    [("NUKE_PATH", resources.join("nuke")), ("NATRON_PLUGIN_PATH", resources.join("natron"))]
}

fn place(options: &Options, folder: &Path, staging: &Path) -> Result<PathBuf> {
    let source = match &options.bundle {
        Some(named) if named.join("Contents").is_dir() => named.clone(),
        Some(named) => bail!("{} is not a bundle: it has no folder Contents", named.display()),
        None => bundle::run(&bundle::Options::default())?.folder,
    };
    copy_folder(&source, staging)?;
    let bundle = folder.join(project::BUNDLE_NAME);
    replace(staging, &bundle)?;
    Ok(bundle)
}

fn no_way_in(options: &Options, folder: &Path) -> String {
    let built = project::target().join("bundle").join(project::BUNDLE_NAME);
    let (first, source) = match &options.bundle {
        Some(named) => ("Type", named),
        None => ("Build first with `cargo xtask bundle`, then type", &built),
    };
    format!(
        "cannot install into {folder}. {first}:\n  sudo mkdir -p {folder} && sudo cp -rT {} {folder}/{}\nor install for yourself alone: cargo xtask install",
        source.display(),
        project::BUNDLE_NAME,
        folder = folder.display(),
    )
}

/// The folder that every host on this system searches.
fn system_folder() -> PathBuf {
    if cfg!(target_os = "macos") {
        "/Library/OFX/Plugins".into()
    } else if cfg!(windows) {
        r"C:\Program Files\Common Files\OFX\Plugins".into()
    } else {
        "/usr/OFX/Plugins".into()
    }
}

/// The first folder of the user's own on OFX_PLUGIN_PATH, or else one in the home folder.
fn user_folder() -> Result<PathBuf> {
    let home = std::env::var_os(if cfg!(windows) { "USERPROFILE" } else { "HOME" }).map(PathBuf::from);
    let home = home.filter(|home| home.is_absolute()).context("no home folder is known; name a folder with --dir")?;
    if let Some(own) = plugin_path().into_iter().find(|folder| folder.starts_with(&home)) {
        return Ok(own);
    }
    let data = std::env::var_os("XDG_DATA_HOME").map(PathBuf::from).filter(|folder| folder.is_absolute());
    Ok(match data {
        _ if cfg!(target_os = "macos") => home.join("Library/OFX/Plugins"),
        _ if cfg!(windows) => home.join("OFX").join("Plugins"),
        Some(data) => data.join("OFX/Plugins"),
        None => home.join(".local/share/OFX/Plugins"),
    })
}

fn searched_folders() -> Vec<PathBuf> {
    let mut folders = plugin_path();
    folders.push(system_folder());
    folders
}

fn plugin_path() -> Vec<PathBuf> {
    let path = std::env::var_os("OFX_PLUGIN_PATH").unwrap_or_default();
    std::env::split_paths(&path).filter(|folder| folder.is_absolute()).collect()
}

/// Copies a folder and its contents.
pub fn copy_folder(from: &Path, to: &Path) -> Result<()> {
    command::make_folder(to)?;
    for entry in std::fs::read_dir(from).with_context(|| format!("cannot read {}", from.display()))? {
        let entry = entry.with_context(|| format!("cannot read {}", from.display()))?;
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy_folder(&entry.path(), &target)?;
        } else {
            std::fs::copy(entry.path(), &target).with_context(|| format!("cannot write {}", target.display()))?;
        }
    }
    Ok(())
}

/// Exchanges the folders `new` and `old` in one step, so that a host that
/// scans at that moment sees either of them, whole.
pub fn replace(new: &Path, old: &Path) -> Result<()> {
    let wrong = || format!("cannot replace {}", old.display());
    if !old.exists() {
        return std::fs::rename(new, old).with_context(wrong);
    }
    if exchange(new, old) {
        return std::fs::remove_dir_all(new)
            .with_context(|| format!("cannot remove the old bundle, now at {}", new.display()));
    }
    // File systems without exchange: two steps, undone if the second fails.
    let aside = new.with_extension("old");
    std::fs::rename(old, &aside).with_context(wrong)?;
    if let Err(error) = std::fs::rename(new, old) {
        drop(std::fs::rename(&aside, old));
        return Err(error).with_context(wrong);
    }
    std::fs::remove_dir_all(&aside).with_context(|| format!("cannot remove the old bundle, now at {}", aside.display()))
}

#[cfg(target_os = "linux")]
fn exchange(a: &Path, b: &Path) -> bool {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    renameat_with(CWD, a, CWD, b, RenameFlags::EXCHANGE).is_ok()
}

#[cfg(not(target_os = "linux"))]
fn exchange(_a: &Path, _b: &Path) -> bool {
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn printed_paths_exist_in_the_bundle() {
        let [(nuke, menu), (natron, _)] = extras(Path::new("/ofx/Flow.ofx.bundle"));
        assert_eq!([nuke, natron], ["NUKE_PATH", "NATRON_PLUGIN_PATH"]);
        let line = "export NUKE_PATH=\"/ofx/Flow.ofx.bundle/Contents/Resources/nuke${NUKE_PATH:+:$NUKE_PATH}\"";
        assert_eq!(export(nuke, &menu), line);
    }

    #[test]
    fn replacing_leaves_only_the_new_folder() {
        let top = std::env::temp_dir().join(format!("flow-xtask-install-{}", std::process::id()));
        let (new, old) = (top.join("new"), top.join("old"));
        for (folder, text) in [(&new, "new"), (&old, "old")] {
            std::fs::create_dir_all(folder.join("Contents")).unwrap();
            std::fs::write(folder.join("Contents/version"), text).unwrap();
        }
        std::fs::write(old.join("gone"), "").unwrap();
        replace(&new, &old).unwrap();
        let text = std::fs::read_to_string(old.join("Contents/version")).unwrap();
        let left: Vec<_> = std::fs::read_dir(&top).unwrap().flatten().map(|entry| entry.file_name()).collect();
        let stale = old.join("gone").exists();
        std::fs::remove_dir_all(&top).unwrap();
        assert_eq!(text, "new");
        assert_eq!(left, ["old"]);
        assert!(!stale);
    }
}
