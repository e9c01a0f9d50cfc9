//! The inputs and parameters of the nodes, from the pages of the documentation that are written from the plug-in.

use std::collections::BTreeMap;

use anyhow::{Context as _, Result};

use crate::project;

/// A parameter.
#[derive(Clone, Debug, PartialEq)]
pub struct Param {
    /// Its type, such as `double2D`.
    pub kind: String,
    /// The options of a choice.
    pub options: Vec<String>,
}

/// A node.
pub struct Reference {
    /// Inputs, in the node's order.
    pub clips: Vec<String>,
    /// Parameters by script name.
    pub params: BTreeMap<String, Param>,
    /// The file of the presets.
    presets: String,
}

/// The reference of a plug-in.
pub fn of(plugin: &str) -> Result<Reference> {
    let (page, folder) = match plugin {
        project::FLOW => ("docs/parameters.md", "water"),
        project::FLOW_SMOKE => ("docs/parameters-smoke.md", "smoke"),
        project::FLOW_PARTICLES => ("docs/parameters-particles.md", "particles"),
        project::FLOW_VOLUME => ("docs/parameters-volume.md", "volume"),
        other => anyhow::bail!("no page has the parameters of {other}"),
    };
    let read = |path: &str| std::fs::read_to_string(project::root().join(path)).with_context(|| path.to_owned());
    let mut reference = Reference {
        clips: Vec::new(),
        params: BTreeMap::new(),
        presets: read(&format!("src/nodes/{folder}/presets.txt"))?,
    };
    for line in read(page)?.lines() {
        let cells: Vec<&str> = line.split(" | ").map(|cell| cell.trim_matches(['|', ' '])).collect();
        let Some(name) = cells[0].strip_prefix('`').and_then(|cell| cell.strip_suffix('`')) else { continue };
        match cells[..] {
            [_, _, kind, _, range, ..] => {
                let kind = kind.split(' ').next().unwrap_or_default().to_owned();
                let options =
                    if kind == "choice" { range.split(", ").map(str::to_owned).collect() } else { Vec::new() };
                reference.params.insert(name.to_owned(), Param { kind, options });
            }
            _ if name != "Output" => reference.clips.push(name.to_owned()),
            _ => {}
        }
    }
    Ok(reference)
}

impl Reference {
    /// The values of a preset, in a frame of `size` pixels, as texts with spaces between numbers. Values that are the
    /// parameter's default, or that the preset keeps, are left out.
    pub fn preset(&self, name: &str, size: (usize, usize)) -> Result<BTreeMap<String, String>> {
        let mut values = BTreeMap::new();
        let (mut section, mut found) = ("", false);
        for line in self.presets.lines().map(|line| line.split('#').next().unwrap_or_default().trim()) {
            if let Some(title) = line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
                section = title;
                found |= section == name;
            } else if let Some((parameter, value)) = line.split_once('=')
                && (section == "*" || section == name)
            {
                let (parameter, value) = (parameter.trim(), value.trim());
                values.remove(parameter);
                if !["default", "keep"].contains(&value) {
                    values.insert(parameter.to_owned(), self.value(parameter, value, size)?);
                }
            }
        }
        anyhow::ensure!(found, "no preset is named {name}");
        Ok(values)
    }

    /// A value of a preset for a frame.
    fn value(&self, parameter: &str, value: &str, (width, height): (usize, usize)) -> Result<String> {
        let kind = &self.params.get(parameter).with_context(|| format!("no parameter {parameter}"))?.kind;
        if kind == "bool" {
            return Ok((value == "on").to_string());
        }
        let numbers: Option<Vec<f64>> =
            value.split(" px").next().unwrap_or_default().split(' ').map(|number| number.parse().ok()).collect();
        let Some(numbers) = numbers.filter(|_| kind != "choice") else { return Ok(value.to_owned()) };
        let power = match value.split_once(" px") {
            Some((_, "")) => 1,
            Some((_, power)) => power.trim_start_matches('^').parse().context("the power of a length")?,
            None => 0,
        };
        let scale = (height as f64 / 1080.0).powi(power);
        let place = kind == "double2D" && parameter.ends_with("Centre");
        let scales = if place { [width as f64, height as f64] } else { [scale; 2] };
        let scaled = numbers.iter().enumerate().map(|(i, number)| number * scales.get(i).unwrap_or(&scale));
        Ok(scaled.map(|number| ((number * 1e6).round() / 1e6).to_string()).collect::<Vec<_>>().join(" "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_and_presets_are_read() {
        let smoke = of(project::FLOW_SMOKE).unwrap();
        assert_eq!(smoke.clips[..2], ["Source", "Velocity"]);
        assert_eq!(smoke.params["jet1Centre"].kind, "double2D");
        assert!(smoke.params["output"].options.contains(&"Motion vectors".to_owned()));
        let ink = smoke.preset("Ink", (1920, 1080)).unwrap();
        assert_eq!((ink["jet1Radius"].as_str(), ink["brush"].as_str()), ("64", "false"));
        let half = smoke.preset("Ink", (960, 540)).unwrap();
        assert_eq!((half["jet1Radius"].as_str(), half["viscosity"].as_str()), ("32", "0.025"));
        assert_eq!(half["jet1Centre"], "384 564.3");
        assert!(smoke.preset("Nonsense", (960, 540)).is_err());
        assert!(of(project::FLOW).unwrap().clips.contains(&"Background".to_owned()));
        assert!(of(project::FLOW_PARTICLES).unwrap().preset("Snow", (960, 540)).is_ok());
    }
}
