//! The licences of the crates that are linked into the library, as their terms require.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;

use anyhow::{Context as _, Result};
use serde_json::Value;

use crate::command;

/// One text with name, version, licence and licence files of every crate that the plug-in links on `triples`.
pub fn collect(triples: &[&str]) -> Result<String> {
    let mut metadata = command::cargo();
    metadata.args(["metadata", "--format-version", "1", "--locked"]);
    for triple in triples {
        metadata.args(["--filter-platform", triple]);
    }
    let text = command::output(&mut metadata, "reading the list of packages")?;
    let metadata: Value = serde_json::from_str(&text).context("cargo's list of packages cannot be read")?;
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let packages = list(&metadata["packages"]);
    let nodes: BTreeMap<String, Value> =
        list(&metadata["resolve"]["nodes"]).into_iter().map(|node| (text_of(&node["id"]), node)).collect();
    let root = packages.iter().find(|package| package["name"] == "flow-ofx").map(|package| text_of(&package["id"]));
    let root = root.context("the workspace has no package flow-ofx")?;

    let mut linked = BTreeSet::new();
    let mut waiting = vec![root.clone()];
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
        for text in licence_files(folder) {
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

fn text_of(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}
