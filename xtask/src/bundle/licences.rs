//! The licences of the crates that are linked into a library or program, as their terms require.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};
use serde_json::Value;

use crate::command;

/// One text with name, version, licence and licence files of every crate that `packages` link on `triples`. A crate
/// without licence files has the text of the SPDX list.
pub fn collect(packages: &[&str], triples: &[&str]) -> Result<String> {
    let mut metadata = command::cargo();
    metadata.args(["metadata", "--format-version", "1", "--locked"]);
    for triple in triples {
        metadata.args(["--filter-platform", triple]);
    }
    let text = command::output(&mut metadata, "reading the list of packages")?;
    let metadata: Value = serde_json::from_str(&text).context("cargo's list of packages cannot be read")?;
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let roots = packages;
    let packages = list(&metadata["packages"]);
    let nodes: BTreeMap<String, Value> =
        list(&metadata["resolve"]["nodes"]).into_iter().map(|node| (text_of(&node["id"]), node)).collect();
    let mut waiting = Vec::new();
    for root in roots {
        let found = packages.iter().find(|package| package["name"] == *root).map(|package| text_of(&package["id"]));
        waiting.push(found.with_context(|| format!("the workspace has no package {root}"))?);
    }

    let mut linked = BTreeSet::new();
    while let Some(id) = waiting.pop() {
        for dependency in nodes.get(&id).map(|node| list(&node["deps"])).unwrap_or_default() {
            // Build and test dependencies are not in the library.
            let normal = list(&dependency["dep_kinds"]).iter().any(|kind| kind["kind"].is_null());
            let id = text_of(&dependency["pkg"]);
            if normal && linked.insert(id.clone()) {
                waiting.push(id);
            }
        }
    }

    let mut out = String::from("Flow links these open-source crates. Their licences follow.\n");
    let mut seen = BTreeMap::new();
    for package in packages.iter().filter(|package| linked.contains(&text_of(&package["id"]))) {
        let name = text_of(&package["name"]);
        let licence = package["license"].as_str().unwrap_or("see the files below");
        write!(out, "\n{:=<78}\n{name} {}: {licence}\n", "", text_of(&package["version"])).context("writing text")?;
        if let Some(repository) = package["repository"].as_str() {
            writeln!(out, "{repository}").context("writing text")?;
        }
        let folder =
            Path::new(package["manifest_path"].as_str().unwrap_or_default()).parent().unwrap_or(Path::new("."));
        let files = licence_files(folder);
        let texts = if files.is_empty() { listed(licence) } else { files };
        for text in texts {
            // Most crates carry the same text of the Apache licence.
            match seen.get(text.trim()) {
                Some(first) => writeln!(out, "\n(A file that is word for word that of {first}, above.)"),
                None => writeln!(out, "\n{}", text.trim()),
            }
            .context("writing text")?;
            seen.entry(text.trim().to_owned()).or_insert_with(|| name.clone());
        }
    }
    Ok(out)
}

/// The file of the toolchain with the licences of Rust's standard library, which every program links.
pub fn of_the_standard_library() -> Result<PathBuf> {
    let sysroot = command::output(super::rustc().args(["--print", "sysroot"]), "asking rustc for its folder")?;
    let file = Path::new(sysroot.trim()).join("share/doc/rust/COPYRIGHT-library.html");
    if !file.is_file() {
        bail!("the toolchain has no {}, the licences of the standard library; install it with rustup", file.display());
    }
    Ok(file)
}

/// The texts of a crate's licence files, in the order of their names.
fn licence_files(folder: &Path) -> Vec<String> {
    let mut files: Vec<_> =
        std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    files.retain(|path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy().to_ascii_uppercase();
        ["LICENSE", "LICENCE", "COPYING", "NOTICE"].iter().any(|start| name.starts_with(start)) && path.is_file()
    });
    files.sort();
    files.iter().filter_map(|path| std::fs::read_to_string(path).ok()).collect()
}

/// The texts of the licences in an expression, from the list of SPDX.
fn listed(expression: &str) -> Vec<String> {
    let names = expression.split(|c: char| !(c.is_ascii_alphanumeric() || "-.+".contains(c)));
    names.filter_map(spdx::license_id).map(|licence| licence.text().to_owned()).collect()
}

fn text_of(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_linked_crate_has_the_text_of_its_licence() {
        let text = collect(&["flow-ofx", "flow-host"], &["x86_64-unknown-linux-gnu"]).unwrap();
        let entries: Vec<&str> = text.split(&format!("\n{:=<78}\n", "")).skip(1).collect();
        for linked in ["wgpu ", "rayon ", "clap ", "exr ", "flow-openfx "] {
            assert!(entries.iter().any(|entry| entry.starts_with(linked)), "{linked}");
        }
        for entry in &entries {
            assert!(entry.contains("\n\n"), "no licence text: {entry}");
        }
        // Programs of the build and the tests are not in the files.
        assert!(!entries.iter().any(|entry| entry.starts_with("bindgen ") || entry.starts_with("valgrind")));
    }

    #[test]
    fn licences_of_an_expression_are_found_by_their_names() {
        assert_eq!(listed("MIT OR Apache-2.0").len(), 2);
        assert_eq!(listed("(MIT OR Apache-2.0) AND Unicode-3.0").len(), 3);
        assert!(listed("see the files below").is_empty());
    }
}
